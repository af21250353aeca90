// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-fold-reshapes`: reads through reshapes that only add or drop dimensions of size 1 become reads with another
// indexing map, so that fusion sees through them.

#include "mlir_xla/lowering/kernels/Passes.h"
#include "mlir_xla/lowering/nest/Contraction.h"

#include "mlir/IR/IRMapping.h"

namespace mlir::xla {
#define GEN_PASS_DEF_FOLDRESHAPES
#include "mlir_xla/lowering/kernels/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;
using namespace mlir::xla;

/// The positions of `shape` that stand for the dimensions of a `reassociation` group; -1 where the group has none but
/// ones. Fails if some group holds more than one dimension that is not 1.
static FailureOr<SmallVector<int64_t>> representatives(ArrayRef<ReassociationIndices> reassociation,
                                                       ArrayRef<int64_t> shape) {
  SmallVector<int64_t> result;
  for (const ReassociationIndices &group : reassociation) {
    int64_t found = -1;
    for (int64_t dim : group) {
      // A dimension that is alone stays what it is, so that a contraction is still known as one.
      if (shape[dim] == 1 && group.size() > 1)
        continue;
      if (found >= 0)
        return failure();
      found = dim;
    }
    result.push_back(found);
  }
  return result;
}

static bool coversAllLoops(linalg::GenericOp op, ArrayRef<AffineMap> maps) {
  llvm::SmallBitVector covered(op.getNumLoops());
  for (AffineMap map : maps)
    for (AffineExpr expr : map.getResults())
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        covered.set(dim.getPosition());
  return covered.all();
}

/// generic ins(expand_shape %x : [8] -> [8,1]) map (i,j)->(i,j)  ->  generic ins(%x) map (i,j)->(i); likewise
/// collapse_shape
static bool foldOperand(linalg::GenericOp op, OpOperand *operand) {
  MLIRContext *context = op.getContext();
  AffineMap map = op.getMatchingIndexingMap(operand);
  SmallVector<AffineExpr> exprs;
  Value source;
  if (auto expand = operand->get().getDefiningOp<tensor::ExpandShapeOp>()) {
    FailureOr<SmallVector<int64_t>> kept =
        representatives(expand.getReassociationIndices(), expand.getResultType().getShape());
    if (failed(kept))
      return false;
    for (int64_t dim : *kept)
      exprs.push_back(dim < 0 ? getAffineConstantExpr(0, context) : map.getResult(dim));
    source = expand.getSrc();
  } else if (auto collapse = operand->get().getDefiningOp<tensor::CollapseShapeOp>()) {
    FailureOr<SmallVector<int64_t>> kept =
        representatives(collapse.getReassociationIndices(), collapse.getSrcType().getShape());
    if (failed(kept))
      return false;
    exprs.assign(collapse.getSrcType().getRank(), getAffineConstantExpr(0, context));
    for (auto [result, dim] : llvm::enumerate(*kept))
      if (dim >= 0)
        exprs[dim] = map.getResult(result);
    source = collapse.getSrc();
  } else {
    return false;
  }
  // A contraction would no longer be known as one. Where its operand is not computed, the reshape costs nothing.
  if (matchContraction(op) && !llvm::all_of(exprs, llvm::IsaPred<AffineDimExpr>))
    return false;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps[operand->getOperandNumber()] = AffineMap::get(op.getNumLoops(), 0, exprs, context);
  if (!coversAllLoops(op, maps))
    return false;
  Operation *reshape = operand->get().getDefiningOp();
  operand->set(source);
  if (reshape->use_empty())
    reshape->erase();
  op.setIndexingMapsAttr(OpBuilder(context).getAffineMapArrayAttr(maps));
  return true;
}

/// collapse_shape(extract_slice %x) of dimensions of size 1  ->  extract_slice %x, which drops them: reads of it still
/// have one loop per index, so that a contraction of a part of a tensor is known as one.
static void dropFromSlice(tensor::CollapseShapeOp collapse) {
  auto slice = collapse.getSrc().getDefiningOp<tensor::ExtractSliceOp>();
  RankedTensorType type = collapse.getResultType();
  if (!slice || failed(representatives(collapse.getReassociationIndices(), collapse.getSrcType().getShape())) ||
      !slice.getType().hasStaticShape() || isRankReducedType(slice.getType(), type) != SliceVerificationResult::Success)
    return;
  OpBuilder b(collapse);
  Value reduced = tensor::ExtractSliceOp::create(b, collapse.getLoc(), type, slice.getSource(), slice.getMixedOffsets(),
                                                 slice.getMixedSizes(), slice.getMixedStrides());
  collapse.getResult().replaceAllUsesWith(reduced);
  collapse.erase();
  if (slice->use_empty())
    slice.erase();
}

/// Elements of a loop, each computed by itself: without their reshapes the loop may be one of each element
/// (`--xla-sink-loops`).
static bool isElementwiseInLoop(linalg::GenericOp op) {
  return op.getNumParallelLoops() == op.getNumLoops() && op.getDpsInits()[0].getDefiningOp<tensor::EmptyOp>() &&
         !op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) && op->getParentOfType<scf::ForOp>();
}

/// collapse_shape(generic -> (i, j, k) : [1,8,4]) of a sum of products  ->  generic -> (j, k) : [8,4]
///
/// What is computed of its results then has the same loops, and is part of its kernel. Factors lose the dimension too
/// if the sum is a contraction and would else not be known as one. In loops, so do other elements.
static void dropFromResult(linalg::GenericOp op) {
  MLIRContext *context = op.getContext();
  if (op->getNumResults() != 1 || op->use_empty() || op.hasIndexSemantics())
    return;
  auto fill = op.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  if (!(fill && isSumOfProducts(op)) && !isElementwiseInLoop(op))
    return;
  auto first = dyn_cast<tensor::CollapseShapeOp>(*op->user_begin());
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (!first || !llvm::all_of(op->getUsers(), [&](Operation *user) {
        auto collapse = dyn_cast<tensor::CollapseShapeOp>(user);
        return collapse && collapse.getResultType() == first.getResultType() &&
               collapse.getReassociation() == first.getReassociation();
      }))
    return;
  FailureOr<SmallVector<int64_t>> kept = representatives(first.getReassociationIndices(), type.getShape());
  AffineMap own = op.getIndexingMapsArray().back();
  if (failed(kept) || llvm::is_contained(*kept, -1) || !own.isProjectedPermutation())
    return;
  // Loops of one iteration become the index 0.
  SmallVector<AffineExpr> loops;
  SmallVector<utils::IteratorType> kinds;
  SmallVector<AffineExpr> results;
  llvm::SmallBitVector dropped(op.getNumLoops());
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (llvm::is_contained(*kept, dim))
      results.push_back(own.getResult(dim));
    else
      dropped.set(own.getDimPosition(dim));
  }
  for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray())) {
    loops.push_back(dropped.test(loop) ? getAffineConstantExpr(0, context) : getAffineDimExpr(kinds.size(), context));
    if (!dropped.test(loop))
      kinds.push_back(kind);
  }
  OpBuilder b(op);
  Location loc = op.getLoc();
  bool isContraction = matchContraction(op).has_value();
  SmallVector<AffineMap> maps;
  SmallVector<Value> inputs;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    SmallVector<AffineExpr> exprs;
    SmallVector<ReassociationIndices> groups;
    ReassociationIndices leading; // of size 1, before the first dimension that stays
    AffineMap map = op.getMatchingIndexingMap(operand);
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (isContraction && loop && dropped.test(loop.getPosition())) {
        (groups.empty() ? leading : groups.back()).push_back(dim);
        continue;
      }
      exprs.push_back(expr.replaceDims(loops));
      groups.emplace_back(std::exchange(leading, {})).push_back(dim);
    }
    Value input = operand->get();
    if (groups.empty())
      return;
    if (groups.size() < map.getNumResults())
      input = tensor::CollapseShapeOp::create(b, loc, input, groups);
    inputs.push_back(input);
    maps.push_back(AffineMap::get(kinds.size(), 0, exprs, context));
  }
  for (AffineExpr &expr : results)
    expr = expr.replaceDims(loops);
  maps.push_back(AffineMap::get(kinds.size(), 0, results, context));
  RankedTensorType collapsed = first.getResultType();
  Value init = tensor::EmptyOp::create(b, loc, collapsed.getShape(), collapsed.getElementType());
  if (fill)
    init = linalg::FillOp::create(b, loc, fill.getInputs(), init).getResult(0);
  auto result = linalg::GenericOp::create(b, loc, collapsed, inputs, init, maps, kinds);
  IRMapping mapping;
  op.getRegion().cloneInto(&result.getRegion(), mapping);
  result->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  for (Operation *user : llvm::make_early_inc_range(op->getUsers())) {
    user->getResult(0).replaceAllUsesWith(result.getResult(0));
    user->erase();
  }
  op.erase();
}

namespace {
struct FoldReshapesPass : public mlir::xla::impl::FoldReshapesBase<FoldReshapesPass> {
  using FoldReshapesBase::FoldReshapesBase;
  void runOnOperation() override {
    if (device) {
      SmallVector<linalg::GenericOp> ops;
      getOperation().walk([&](linalg::GenericOp op) { ops.push_back(op); });
      llvm::for_each(ops, dropFromResult);
    }
    SmallVector<tensor::CollapseShapeOp> collapses;
    getOperation().walk([&](tensor::CollapseShapeOp op) { collapses.push_back(op); });
    llvm::for_each(collapses, dropFromSlice);
    getOperation().walk([](linalg::GenericOp op) {
      for (OpOperand *operand : op.getDpsInputOperands())
        while (foldOperand(op, operand))
          ;
    });
  }
};
} // namespace
