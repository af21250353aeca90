// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise code takes the order and the shape of the product whose results it reads.

#include "mlir_xla/lowering/kernels/Readers.h"

#include "mlir_xla/lowering/kernels/TiledProducts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::xla;

/// Elementwise code with one result, whose loops may be numbered in any way.
static bool isElementwise(linalg::GenericOp op) {
  return op && op.getNumReductionLoops() == 0 && op->getNumResults() == 1 && !op.hasIndexSemantics() &&
         op.hasPureTensorSemantics() && op.getIndexingMapsArray().back().isIdentity();
}

void mlir::xla::flattenReaders(Value results, ArrayRef<ReassociationIndices> groups) {
  IRRewriter rewriter(results.getContext());
  SmallVector<ReassociationIndices> collapsed(groups);
  llvm::erase_if(collapsed, [](const ReassociationIndices &group) { return group.size() == 1; });
  while (results.hasOneUse()) {
    auto reader = dyn_cast<linalg::GenericOp>(*results.user_begin());
    if (!isElementwise(reader) || !linalg::areDimSequencesPreserved(reader.getIndexingMapsArray(), collapsed))
      return;
    rewriter.setInsertionPoint(reader);
    FailureOr<linalg::CollapseResult> flat = linalg::collapseOpIterationDims(reader, collapsed, rewriter);
    if (failed(flat))
      return;
    for (OpOperand &operand : flat->collapsedOp->getOpOperands())
      if (auto collapse = operand.get().getDefiningOp<tensor::CollapseShapeOp>())
        if (auto expand = collapse.getSrc().getDefiningOp<tensor::ExpandShapeOp>();
            expand && expand.getSrcType() == collapse.getResultType())
          operand.set(expand.getSrc());
    rewriter.replaceOp(reader, flat->results);
    results = flat->results.front();
  }
}

/// Sizes in that order.
static SmallVector<int64_t> inOrder(ArrayRef<int64_t> shape, ArrayRef<int64_t> order) {
  SmallVector<int64_t> result(shape.size());
  for (auto [size, position] : llvm::zip_equal(shape, order))
    result[position] = size;
  return result;
}

/// Dimension i is read at loop `order[i]`.
static AffineMap mapOf(ArrayRef<int64_t> order, MLIRContext *context) {
  SmallVector<AffineExpr> exprs;
  for (int64_t position : order)
    exprs.push_back(getAffineDimExpr(position, context));
  return AffineMap::get(order.size(), 0, exprs, context);
}

Value mlir::xla::transposed(OpBuilder &b, Value value, ArrayRef<int64_t> order) {
  AffineMap map = mapOf(order, b.getContext());
  // What was transposed before is read where it came from.
  if (auto source = value.getDefiningOp<linalg::GenericOp>();
      source && isElementwise(source) && source.getNumDpsInputs() == 1 &&
      source.getBody()->getTerminator()->getOperand(0) == source.getBody()->getArgument(0) &&
      source.getIndexingMapsArray()[0].isPermutation()) {
    map = source.getIndexingMapsArray()[0].compose(map);
    value = source.getDpsInputs()[0];
  }
  if (map.isIdentity())
    return value;
  SmallVector<unsigned> sources(map.getNumResults());
  for (auto [dim, expr] : llvm::enumerate(map.getResults()))
    sources[cast<AffineDimExpr>(expr).getPosition()] = dim;
  return copyOf(b, value.getLoc(), value, sources);
}

/// Elementwise code of one use, without operands that would have to be transposed for it: those that are not as large,
/// such as a bias, are read by other maps.
static bool isBroadcast(Value value, int depth = 0) {
  constexpr int deepest = 4;
  if (matchPattern(value, m_Constant()))
    return isa<SplatElementsAttr>(cast<arith::ConstantOp>(value.getDefiningOp()).getValue());
  auto op = value.getDefiningOp<linalg::GenericOp>();
  return depth < deepest && isElementwise(op) && op->hasOneUse() &&
         op.getDpsInits()[0].getDefiningOp<tensor::EmptyOp>() &&
         llvm::all_of(
             op.getDpsInputOperands(),
             [&](OpOperand *input) {
               return op.getMatchingIndexingMap(input).getNumResults() < op.getNumLoops() ||
                      (op.getMatchingIndexingMap(input).isIdentity() && isBroadcast(input->get(), depth + 1));
             });
}

static void reorder(linalg::GenericOp op, ArrayRef<int64_t> order, OpOperand *done);

/// `value` in that order, which is a broadcast or of another shape.
static Value reordered(OpBuilder &b, Value value, ArrayRef<int64_t> order) {
  auto type = cast<RankedTensorType>(value.getType());
  if (auto constant = value.getDefiningOp<arith::ConstantOp>()) {
    auto splat = cast<SplatElementsAttr>(constant.getValue());
    auto other = RankedTensorType::get(inOrder(type.getShape(), order), type.getElementType());
    return arith::ConstantOp::create(b, value.getLoc(), splat.resizeSplat(other));
  }
  reorder(value.getDefiningOp<linalg::GenericOp>(), order, nullptr);
  return value;
}

/// Lets elementwise code compute its result in that order; `done` is an operand that is in it.
static void reorder(linalg::GenericOp op, ArrayRef<int64_t> order, OpOperand *done) {
  OpBuilder b(op);
  AffineMap old = inversePermutation(mapOf(order, b.getContext()));
  // Loop i of before is loop order[i] now.
  AffineMap renamed = inversePermutation(old);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap &map = maps[input->getOperandNumber()];
    if (input == done) {
      map = b.getMultiDimIdentityMap(op.getNumLoops());
    } else if (map.getNumResults() == op.getNumLoops() && map.isIdentity()) {
      input->set(reordered(b, input->get(), order));
    } else {
      map = map.compose(renamed);
    }
  }
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  auto other = RankedTensorType::get(inOrder(type.getShape(), order), type.getElementType());
  op.getDpsInitsMutable()[0].set(
      tensor::EmptyOp::create(b, op.getLoc(), other.getShape(), other.getElementType()).getResult());
  op->getResult(0).setType(other);
  op.setIndexingMapsAttr(b.getAffineMapArrayAttr(maps));
}

void mlir::xla::replaceInOrder(Value old, Value value, ArrayRef<int64_t> order) {
  bool isSame = llvm::equal(order, llvm::seq<int64_t>(0, order.size()));
  while (!isSame && old.hasOneUse()) {
    OpOperand &use = *old.use_begin();
    auto reader = dyn_cast<linalg::GenericOp>(use.getOwner());
    auto fits = [&](OpOperand *input) {
      AffineMap map = reader.getMatchingIndexingMap(input);
      return input == &use
                 ? map.isIdentity()
                 : map.getNumResults() < reader.getNumLoops() || (map.isIdentity() && isBroadcast(input->get()));
    };
    if (!isElementwise(reader) || !reader.isDpsInput(&use) ||
        !reader.getDpsInits()[0].getDefiningOp<tensor::EmptyOp>() || !llvm::all_of(reader.getDpsInputOperands(), fits))
      break;
    use.set(value);
    reorder(reader, order, &use);
    // Its readers know the old order yet.
    value = reader->getResult(0);
    old = value;
  }
  if (isSame) {
    old.replaceAllUsesWith(value);
    return;
  }
  OpBuilder b(value.getContext());
  b.setInsertionPointAfterValue(value);
  SmallVector<int64_t> back(order.size());
  for (auto [dim, position] : llvm::enumerate(order))
    back[position] = dim;
  SmallVector<OpOperand *> uses = llvm::map_to_vector(old.getUses(), [](OpOperand &use) { return &use; });
  Value result = transposed(b, value, back);
  for (OpOperand *use : uses)
    use->set(result);
}
