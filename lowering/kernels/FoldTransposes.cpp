// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-fold-transposes`: a contraction whose result is transposed afterwards writes it in that order at once, also
// where elementwise code is in between.

#include "mlir_xla/lowering/kernels/Passes.h"
#include "mlir_xla/lowering/nest/Contraction.h"

namespace mlir::xla {
#define GEN_PASS_DEF_FOLDTRANSPOSES
#include "mlir_xla/lowering/kernels/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;
using namespace mlir::xla;

/// True if `op` only copies its input in another order of dimensions.
static bool isTransposition(linalg::GenericOp op) {
  if (op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 || op.getNumReductionLoops() != 0)
    return false;
  Block *body = op.getBody();
  return body->getTerminator()->getOperand(0) == body->getArgument(0) && op.getIndexingMapsArray()[0].isPermutation() &&
         op.getIndexingMapsArray()[1].isIdentity();
}

/// True for a contraction with one reader, whose result may be written in any order.
static bool isFoldable(linalg::GenericOp op) {
  return op && op->hasOneUse() && matchContraction(op) && op.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
}

/// Lets the contraction `op` write a result of `type`: position i of the present one is position order(i) of that.
static void writeInOrder(linalg::GenericOp op, AffineMap order, RankedTensorType type) {
  auto fill = op.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<AffineExpr> exprs(order.getNumResults());
  for (auto [i, expr] : llvm::enumerate(order.getResults()))
    exprs[cast<AffineDimExpr>(expr).getPosition()] = maps[2].getResult(i);
  maps[2] = AffineMap::get(maps[2].getNumDims(), 0, exprs, op.getContext());

  OpBuilder b(op);
  Value empty = tensor::EmptyOp::create(b, op.getLoc(), type.getShape(), type.getElementType());
  Value init = linalg::FillOp::create(b, op.getLoc(), fill.getInputs()[0], empty).getResult(0);
  op.getDpsInitsMutable()[0].set(init);
  op.setIndexingMapsAttr(b.getAffineMapArrayAttr(maps));
  op->getResult(0).setType(type);
}

/// transposition(contraction(...) -> (m, n))  ->  contraction(...) -> (n, m)
static bool fold(linalg::GenericOp transposition) {
  auto op = transposition.getDpsInputs()[0].getDefiningOp<linalg::GenericOp>();
  if (!isFoldable(op))
    return false;
  writeInOrder(op, transposition.getIndexingMapsArray()[0],
               cast<RankedTensorType>(transposition->getResult(0).getType()));
  transposition->getResult(0).replaceAllUsesWith(op->getResult(0));
  transposition.erase();
  return true;
}

/// True if the loops of `op` may be renumbered: its body knows no indices, and its only result is written in their
/// order.
static bool isElementwise(linalg::GenericOp op) {
  return op && op.getNumDpsInits() == 1 && op.getNumReductionLoops() == 0 && !op.hasIndexSemantics() &&
         op.getIndexingMapsArray().back().isIdentity() && op.getDpsInits()[0].getDefiningOp<tensor::EmptyOp>() &&
         op.getBody()->getArguments().back().use_empty();
}

/// The operand by which an elementwise op continues a contraction that may be written in another order.
static OpOperand *foldableOperand(linalg::GenericOp op, unsigned depth = 0) {
  constexpr unsigned deepest = 8; // operations of a chain: a scale, a bias and the like
  if (depth == deepest || !isElementwise(op))
    return nullptr;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    if (!op.getMatchingIndexingMap(operand).isPermutation())
      continue;
    auto source = operand->get().getDefiningOp<linalg::GenericOp>();
    if (isFoldable(source) || (source && source->hasOneUse() && foldableOperand(source, depth + 1)))
      return operand;
  }
  return nullptr;
}

/// elementwise(f(contraction(...) -> (m, n)), read transposed)  ->  elementwise(f(contraction(...) -> (n, m)))
static void readInOrder(linalg::GenericOp reader) {
  OpOperand *operand = foldableOperand(reader);
  if (!operand || reader.getMatchingIndexingMap(operand).isIdentity())
    return;
  AffineMap order = reader.getMatchingIndexingMap(operand);
  auto source = operand->get().getDefiningOp<linalg::GenericOp>();
  SmallVector<int64_t> shape = reader.getStaticLoopRanges();
  auto type = RankedTensorType::get(shape, getElementTypeOrSelf(operand->get().getType()));
  OpBuilder b(source);
  SmallVector<AffineMap> maps = reader.getIndexingMapsArray();
  maps[operand->getOperandNumber()] = b.getMultiDimIdentityMap(shape.size());
  if (isFoldable(source)) {
    writeInOrder(source, order, type);
    reader.setIndexingMapsAttr(b.getAffineMapArrayAttr(maps));
    return;
  }
  SmallVector<AffineMap> inner = source.getIndexingMapsArray();
  for (AffineMap &map : inner)
    map = map.compose(order);
  inner.back() = b.getMultiDimIdentityMap(shape.size());
  source.setIndexingMapsAttr(b.getAffineMapArrayAttr(inner));
  source.getDpsInitsMutable()[0].set(
      tensor::EmptyOp::create(b, source.getLoc(), shape, type.getElementType()).getResult());
  source->getResult(0).setType(type);
  reader.setIndexingMapsAttr(b.getAffineMapArrayAttr(maps));
  readInOrder(source);
}

namespace {
struct FoldTransposesPass : public mlir::xla::impl::FoldTransposesBase<FoldTransposesPass> {
  void runOnOperation() override {
    SmallVector<linalg::GenericOp> ops;
    getOperation().walk([&](linalg::GenericOp op) { ops.push_back(op); });
    for (linalg::GenericOp op : ops)
      if (!isTransposition(op) || !fold(op))
        readInOrder(op);
  }
};
} // namespace
