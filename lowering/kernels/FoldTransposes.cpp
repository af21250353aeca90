// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-fold-transposes`: a contraction whose result is transposed afterwards writes it in that order at once.

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

/// transposition(contraction(...) -> (m, n))  ->  contraction(...) -> (n, m)
static void fold(linalg::GenericOp transposition) {
  auto op = transposition.getDpsInputs()[0].getDefiningOp<linalg::GenericOp>();
  if (!op || !op->hasOneUse() || !matchContraction(op))
    return;
  auto fill = op.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  if (!fill)
    return;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineMap order = transposition.getIndexingMapsArray()[0];
  // Position i of the contraction's result is position order(i) of the transposition's.
  SmallVector<AffineExpr> exprs(order.getNumResults());
  for (auto [i, expr] : llvm::enumerate(order.getResults()))
    exprs[cast<AffineDimExpr>(expr).getPosition()] = maps[2].getResult(i);
  maps[2] = AffineMap::get(maps[2].getNumDims(), 0, exprs, op.getContext());

  OpBuilder b(op);
  auto type = cast<RankedTensorType>(transposition->getResult(0).getType());
  Value empty = tensor::EmptyOp::create(b, op.getLoc(), type.getShape(), type.getElementType());
  Value init = linalg::FillOp::create(b, op.getLoc(), fill.getInputs()[0], empty).getResult(0);
  op.getDpsInitsMutable()[0].set(init);
  op.setIndexingMapsAttr(b.getAffineMapArrayAttr(maps));
  op->getResult(0).setType(type);
  transposition->getResult(0).replaceAllUsesWith(op->getResult(0));
  transposition.erase();
}

namespace {
struct FoldTransposesPass : public mlir::xla::impl::FoldTransposesBase<FoldTransposesPass> {
  void runOnOperation() override {
    SmallVector<linalg::GenericOp> transpositions;
    getOperation().walk([&](linalg::GenericOp op) {
      if (isTransposition(op))
        transpositions.push_back(op);
    });
    llvm::for_each(transpositions, fold);
  }
};
} // namespace
