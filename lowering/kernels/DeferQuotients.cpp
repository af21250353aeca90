// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-defer-quotients`: attention divides the few results of its second product by the sums of a softmax, and not
// the many weights.

#include "mlir_xla/lowering/kernels/Passes.h"
#include "mlir_xla/lowering/linalg/Build.h"
#include "mlir_xla/lowering/nest/Contraction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace mlir::xla {
#define GEN_PASS_DEF_DEFERQUOTIENTS
#include "mlir_xla/lowering/kernels/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;
using namespace mlir::xla;

namespace {
/// A tensor, and where some loops read it.
struct Read {
  Value tensor;
  AffineMap map;
};
} // namespace

/// `value` computed by one op of its block from the arguments alone, in the order of the loops.
template <typename Op> static linalg::GenericOp elementwise(Value value) {
  auto op = value.getDefiningOp<linalg::GenericOp>();
  if (!op || op.getNumReductionLoops() != 0 || op->getNumResults() != 1 || op.hasIndexSemantics() ||
      !op.getIndexingMapsArray().back().isIdentity())
    return nullptr;
  Block &body = *op.getBody();
  auto found = body.getTerminator()->getOperand(0).getDefiningOp<Op>();
  if (!found || body.getOperations().size() != 2 || found->getNumOperands() != op.getNumDpsInputs())
    return nullptr;
  for (auto [i, operand] : llvm::enumerate(found->getOperands()))
    if (operand != body.getArgument(i))
      return nullptr;
  return op;
}

/// The reduction by `Combiner` along some dimensions that `value` is.
template <typename Combiner> static linalg::GenericOp reduction(Value value) {
  auto op = value.getDefiningOp<linalg::GenericOp>();
  if (!op || op.getNumReductionLoops() == 0 || op.getNumDpsInputs() != 1 || op->getNumResults() != 1 ||
      op.hasIndexSemantics())
    return nullptr;
  Block &body = *op.getBody();
  auto found = body.getTerminator()->getOperand(0).getDefiningOp<Combiner>();
  bool combinesArguments = found && body.getOperations().size() == 2 &&
                           llvm::all_of(found->getOperands(), llvm::IsaPred<BlockArgument>) &&
                           found->getOperand(0) != found->getOperand(1);
  return combinesArguments ? op : nullptr;
}

/// What copies into more dimensions read.
static Read throughBroadcasts(Read read) {
  while (auto op = read.tensor.getDefiningOp<linalg::GenericOp>()) {
    if (op.getNumReductionLoops() != 0 || op.getNumDpsInputs() != 1 || op->getNumResults() != 1 ||
        op.getBody()->getTerminator()->getOperand(0) != op.getBody()->getArgument(0) ||
        !op.getIndexingMapsArray().back().isIdentity())
      break;
    read = {op.getDpsInputs()[0], op.getIndexingMapsArray()[0].compose(read.map)};
  }
  return read;
}

static Read readOf(linalg::GenericOp op, unsigned operand) {
  return throughBroadcasts({op.getDpsInputs()[operand], op.getIndexingMapsArray()[operand]});
}

/// True if `reduced` is `op`'s result where `op` reduces the dimensions of `all` that `reduced` lacks: then the loops
/// of both readers are those of `op`.
static bool isOf(linalg::GenericOp op, const Read &reduced, const Read &all) {
  AffineMap input = op.getIndexingMapsArray()[0], result = op.getIndexingMapsArray()[1];
  if (op->getResult(0) != reduced.tensor || !input.isPermutation() || !all.map.isPermutation())
    return false;
  // From the readers' loops to those of the reduction.
  AffineMap loops = inversePermutation(input).compose(all.map);
  return op.getDpsInputs()[0] == all.tensor && result.compose(loops) == reduced.map;
}

/// The exponentials that `quotient` divides by their sums, none of which is above 1: a sum of their products is at most
/// as many times as large as that of the quotients as it has terms.
static std::optional<std::pair<Read, Read>> matchSoftmax(linalg::GenericOp quotient) {
  Read weights = readOf(quotient, 0), sums = readOf(quotient, 1);
  linalg::GenericOp sum = reduction<arith::AddFOp>(sums.tensor), exponential = elementwise<math::ExpOp>(weights.tensor);
  if (!sum || !exponential || !isOf(sum, sums, weights))
    return std::nullopt;
  auto difference = elementwise<arith::SubFOp>(exponential.getDpsInputs()[0]);
  if (!difference || !exponential.getIndexingMapsArray()[0].isIdentity())
    return std::nullopt;
  Read scores = readOf(difference, 0), greatest = readOf(difference, 1);
  linalg::GenericOp maximum = reduction<arith::MaximumFOp>(greatest.tensor);
  if (!maximum || !isOf(maximum, greatest, scores))
    return std::nullopt;
  return std::pair(weights, sums);
}

static int64_t elementsOf(linalg::GenericOp op) {
  return cast<RankedTensorType>(op->getResult(0).getType()).getNumElements();
}

/// product(quotient(%e, %s), %v)  ->  quotient(product(%e, %v), %s)
static void defer(linalg::GenericOp product) {
  auto fill = product.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  // Types of fewer bits have no room for sums that are so many times as large, or round them and the quotients.
  Type element = getElementTypeOrSelf(product->getResult(0).getType());
  if (!(element.isF32() || element.isF64()) || !matchContraction(product) || !isSumOfProducts(product) || !fill ||
      !matchPattern(fill.getInputs()[0], m_AnyZeroFloat()))
    return;
  SmallVector<AffineMap> maps = product.getIndexingMapsArray();
  for (unsigned operand : {0u, 1u}) {
    auto quotient = elementwise<arith::DivFOp>(product.getDpsInputs()[operand]);
    if (!quotient || !quotient->hasOneUse() || elementsOf(quotient) <= elementsOf(product))
      continue;
    auto found = matchSoftmax(quotient);
    if (!found)
      continue;
    auto &[weights, sums] = *found;
    // From the loops of the product to the dimensions of the sums, and from there to those of the result.
    AffineMap rows = sums.map.compose(maps[operand]);
    SmallVector<AffineExpr> places;
    for (AffineExpr row : rows.getResults())
      if (auto place = maps[2].getResultPosition(row))
        places.push_back(getAffineDimExpr(*place, product.getContext()));
    if (places.size() != rows.getNumResults())
      continue;
    OpBuilder b(product->getContext());
    b.setInsertionPointAfter(product);
    Value result = product->getResult(0);
    auto type = cast<RankedTensorType>(result.getType());
    maps[operand] = weights.map.compose(maps[operand]);
    product->setOperand(operand, weights.tensor);
    product.setIndexingMapsAttr(b.getAffineMapArrayAttr(maps));
    AffineMap identity = b.getMultiDimIdentityMap(type.getRank());
    Value divided = buildElementwise(b, quotient.getLoc(), type, {result, sums.tensor},
                                     {identity, AffineMap::get(type.getRank(), 0, places, product.getContext())},
                                     [](OpBuilder &b, Location loc, ValueRange in) -> SmallVector<Value> {
                                       return {arith::DivFOp::create(b, loc, in[0], in[1])};
                                     });
    result.replaceAllUsesExcept(divided, divided.getDefiningOp());
    return;
  }
}

namespace {
struct DeferQuotientsPass : public mlir::xla::impl::DeferQuotientsBase<DeferQuotientsPass> {
  void runOnOperation() override {
    SmallVector<linalg::GenericOp> ops;
    getOperation().walk([&](linalg::GenericOp op) { ops.push_back(op); });
    for (linalg::GenericOp op : ops)
      defer(op);
  }
};
} // namespace
