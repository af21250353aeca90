// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/lowering/kernels/Softmax.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::xla;

TensorRead mlir::xla::readOf(linalg::GenericOp op, unsigned operand) {
  TensorRead read{op.getDpsInputs()[operand], op.getIndexingMapsArray()[operand]};
  while (auto copy = read.tensor.getDefiningOp<linalg::GenericOp>()) {
    if (copy.getNumReductionLoops() != 0 || copy.getNumDpsInputs() != 1 || copy->getNumResults() != 1 ||
        copy.getBody()->getTerminator()->getOperand(0) != copy.getBody()->getArgument(0) ||
        !copy.getIndexingMapsArray().back().isIdentity())
      break;
    read = {copy.getDpsInputs()[0], copy.getIndexingMapsArray()[0].compose(read.map)};
  }
  return read;
}

linalg::GenericOp mlir::xla::elementwise(Value value, function_ref<bool(Operation *)> is) {
  auto op = value.getDefiningOp<linalg::GenericOp>();
  if (!op || op.getNumReductionLoops() != 0 || op->getNumResults() != 1 || op.hasIndexSemantics() ||
      !op.getIndexingMapsArray().back().isIdentity())
    return nullptr;
  Block &body = *op.getBody();
  Operation *found = body.getTerminator()->getOperand(0).getDefiningOp();
  if (!found || !is(found) || body.getOperations().size() != 2 || found->getNumOperands() != op.getNumDpsInputs())
    return nullptr;
  for (auto [i, operand] : llvm::enumerate(found->getOperands()))
    if (operand != body.getArgument(i))
      return nullptr;
  return op;
}

linalg::GenericOp mlir::xla::reduction(Value value, function_ref<bool(Operation *)> is) {
  auto op = value.getDefiningOp<linalg::GenericOp>();
  if (!op || op.getNumReductionLoops() == 0 || op.getNumDpsInputs() != 1 || op->getNumResults() != 1 ||
      op.hasIndexSemantics())
    return nullptr;
  Block &body = *op.getBody();
  Operation *found = body.getTerminator()->getOperand(0).getDefiningOp();
  bool combinesArguments = found && is(found) && body.getOperations().size() == 2 &&
                           llvm::all_of(found->getOperands(), llvm::IsaPred<BlockArgument>) &&
                           found->getOperand(0) != found->getOperand(1);
  return combinesArguments ? op : nullptr;
}

bool mlir::xla::isOf(linalg::GenericOp op, const TensorRead &reduced, const TensorRead &all) {
  AffineMap input = op.getIndexingMapsArray()[0], result = op.getIndexingMapsArray()[1];
  if (op->getResult(0) != reduced.tensor || !input.isPermutation() || !all.map.isPermutation())
    return false;
  // From the readers' loops to those of the reduction.
  AffineMap loops = inversePermutation(input).compose(all.map);
  return op.getDpsInputs()[0] == all.tensor && result.compose(loops) == reduced.map;
}

/// Is the result of `maximum` one of its elements, as it begins with a number that is below all others?
static bool isAnElement(linalg::GenericOp maximum) {
  auto fill = maximum.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  FloatAttr first;
  if (!fill || !matchPattern(fill.getInputs()[0], m_Constant(&first)))
    return false;
  APFloat value = first.getValue();
  return value.isNegative() && (value.isInfinity() || value.isLargest());
}

std::optional<TensorRead> mlir::xla::matchWeights(linalg::GenericOp exponential) {
  if (!elementwise(exponential->getResult(0), llvm::IsaPred<math::ExpOp>) ||
      !exponential.getIndexingMapsArray()[0].isIdentity())
    return std::nullopt;
  linalg::GenericOp difference = elementwise(exponential.getDpsInputs()[0], llvm::IsaPred<arith::SubFOp>);
  if (!difference)
    return std::nullopt;
  TensorRead scores = readOf(difference, 0), greatest = readOf(difference, 1);
  linalg::GenericOp maximum = reduction(greatest.tensor, llvm::IsaPred<arith::MaximumFOp>);
  if (!maximum || !isOf(maximum, greatest, scores) || !isAnElement(maximum))
    return std::nullopt;
  return greatest;
}
