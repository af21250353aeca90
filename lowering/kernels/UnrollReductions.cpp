// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-unroll-reductions`: several reductions of a few elements each, as of the colours of a pixel, are elementwise.

#include "mlir_xla/lowering/kernels/Passes.h"
#include "mlir_xla/lowering/nest/KernelNests.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::xla {
#define GEN_PASS_DEF_UNROLLREDUCTIONS
#include "mlir_xla/lowering/kernels/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;
using namespace mlir::xla;

/// Elements that are read as so many tensors: lanes that far apart are still found in whole vectors.
static constexpr int64_t kMostElements = 4;
/// Ops that are looked at.
static constexpr size_t kMostOps = 64;

/// One reduction of a few elements, of a tensor that is read once.
static bool isShort(linalg::GenericOp op) {
  if (op.getNumReductionLoops() != 1 || !op.hasPureTensorSemantics() || op.hasDynamicShape())
    return false;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray()))
    if (kind == utils::IteratorType::reduction && (sizes[loop] < 2 || sizes[loop] > kMostElements))
      return false;
  return llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    return op.getMatchingIndexingMap(input).isPermutation() || op.isScalar(input);
  });
}

/// Is there an element in memory for each of `value`? What is computed of smaller tensors, as all differences of two
/// sets of points, reads the same ones again, which a reduction does for several results at a time.
static bool isReadOnce(Value value) {
  llvm::SetVector<Value> values;
  values.insert(value);
  for (size_t i = 0; i < values.size() && i < kMostOps; ++i) {
    auto op = values[i].getDefiningOp<linalg::GenericOp>();
    if (!op || op.getNumLoops() != op.getNumParallelLoops())
      return true;
    for (OpOperand *input : op.getDpsInputOperands())
      if (op.getMatchingIndexingMap(input).isPermutation())
        values.insert(input->get());
  }
  return false;
}

/// Is what follows from `op` computed once for each of its results, and not for every element again?
static bool staysShort(linalg::GenericOp op) {
  llvm::SetVector<Operation *> ops;
  ops.insert(op);
  for (size_t i = 0; i < ops.size(); ++i)
    for (Operation *user : ops[i]->getUsers()) {
      auto reader = dyn_cast<linalg::GenericOp>(user);
      if (!reader)
        continue;
      if (choosesByColumn(reader->getResult(0), 1))
        continue;
      if (ops.size() >= kMostOps || reader.getNumLoops() > op.getNumParallelLoops())
        return false;
      if (reader.getNumLoops() == reader.getNumParallelLoops())
        ops.insert(reader);
    }
  return true;
}

/// Do only reductions read what follows from `op` element by element, for a few of their results each time? A kernel
/// has one reduction, if that is no row: with `op` written out it has all, and nothing of this is in memory.
static bool onlyFeedsReductions(linalg::GenericOp op) {
  auto iterations = [](linalg::GenericOp each) {
    int64_t count = 1;
    for (int64_t size : each.getStaticLoopRanges())
      count *= size;
    return count;
  };
  int64_t most = kMostElements * cast<RankedTensorType>(op->getResult(0).getType()).getNumElements();
  bool found = false;
  llvm::SetVector<Operation *> ops;
  ops.insert(op);
  for (size_t i = 0; i < ops.size(); ++i)
    for (Operation *user : ops[i]->getUsers()) {
      auto reader = dyn_cast<linalg::GenericOp>(user);
      if (!reader || reader.hasDynamicShape() || ops.size() >= kMostOps || iterations(reader) > most)
        return false;
      if (reader.getNumLoops() == reader.getNumParallelLoops())
        ops.insert(reader);
      else
        found = true;
    }
  return found;
}

/// The map without loop `reduced`, which is at `step`.
static AffineMap atStep(AffineMap map, unsigned reduced, int64_t step) {
  SmallVector<AffineExpr> exprs;
  for (unsigned dim = 0; dim < map.getNumDims(); ++dim)
    exprs.push_back(dim == reduced ? getAffineConstantExpr(step, map.getContext())
                                   : getAffineDimExpr(dim - (dim > reduced), map.getContext()));
  return map.replaceDimsAndSymbols(exprs, {}, map.getNumDims() - 1, 0);
}

static void unroll(linalg::GenericOp op) {
  OpBuilder b(op);
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  unsigned reduced = llvm::find(iterators, utils::IteratorType::reduction) - iterators.begin();
  int64_t steps = op.getStaticLoopRanges()[reduced];
  iterators.erase(iterators.begin() + reduced);

  // Inputs: what each step reads, then what the results begin with. Results are written to tensors of their own.
  SmallVector<Value> inputs, outputs;
  SmallVector<AffineMap> inputMaps, outputMaps;
  for (int64_t step = 0; step < steps; ++step)
    for (OpOperand *input : op.getDpsInputOperands()) {
      inputs.push_back(input->get());
      inputMaps.push_back(atStep(op.getMatchingIndexingMap(input), reduced, step));
    }
  for (OpOperand &init : op.getDpsInitsMutable()) {
    auto type = cast<RankedTensorType>(init.get().getType());
    AffineMap map = atStep(op.getMatchingIndexingMap(&init), reduced, 0);
    auto fill = init.get().getDefiningOp<linalg::FillOp>();
    inputs.push_back(fill ? fill.value() : init.get());
    inputMaps.push_back(fill ? AffineMap::get(map.getNumDims(), 0, b.getContext()) : map);
    outputs.push_back(tensor::EmptyOp::create(b, op.getLoc(), type.getShape(), type.getElementType()));
    outputMaps.push_back(map);
  }
  llvm::append_range(inputMaps, outputMaps);

  unsigned numInputs = op.getNumDpsInputs();
  auto build = [&](OpBuilder &inner, Location loc, ValueRange arguments) {
    SmallVector<Value> sums = llvm::to_vector(arguments.drop_front(steps * numInputs).take_front(outputs.size()));
    for (int64_t step = 0; step < steps; ++step) {
      IRMapping mapping;
      Block &body = *op.getBody();
      mapping.map(body.getArguments().take_front(numInputs), arguments.slice(step * numInputs, numInputs));
      mapping.map(body.getArguments().drop_front(numInputs), sums);
      for (Operation &inside : body.without_terminator()) {
        auto index = dyn_cast<linalg::IndexOp>(inside);
        if (!index) {
          inner.clone(inside, mapping);
          continue;
        }
        unsigned dim = index.getDim();
        mapping.map(index.getResult(), dim == reduced
                                           ? arith::ConstantIndexOp::create(inner, loc, step).getResult()
                                           : linalg::IndexOp::create(inner, loc, dim - (dim > reduced)).getResult());
      }
      sums = llvm::map_to_vector(body.getTerminator()->getOperands(),
                                 [&](Value value) { return mapping.lookupOrDefault(value); });
    }
    linalg::YieldOp::create(inner, loc, sums);
  };
  auto unrolled =
      linalg::GenericOp::create(b, op.getLoc(), op.getResultTypes(), inputs, outputs, inputMaps, iterators, build);
  op.replaceAllUsesWith(unrolled);
  op.erase();
}

namespace {
struct UnrollReductionsPass : public mlir::xla::impl::UnrollReductionsBase<UnrollReductionsPass> {
  void runOnOperation() override {
    SmallVector<linalg::GenericOp> ops;
    getOperation().walk([&](linalg::GenericOp op) {
      if (isShort(op) && (onlyFeedsReductions(op) || (isReadOnce(op.getDpsInputs()[0]) && staysShort(op))))
        ops.push_back(op);
    });
    llvm::for_each(ops, unroll);
  }
};
} // namespace
