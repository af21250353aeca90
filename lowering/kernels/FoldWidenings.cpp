// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-fold-widenings`: contractions widen narrow integers themselves.

#include "mlir_xla/lowering/kernels/Passes.h"
#include "mlir_xla/lowering/nest/Contraction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::xla {
#define GEN_PASS_DEF_FOLDWIDENINGS
#include "mlir_xla/lowering/kernels/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;
using namespace mlir::xla;

/// Do instructions for products of narrow integers know what `op` widens?
static bool isNarrowInteger(Operation *op) {
  if (!op || !isa<arith::ExtSIOp, arith::ExtUIOp>(op))
    return false;
  Type type = op->getOperand(0).getType();
  return type.isInteger(8) || (type.isInteger(16) && isa<arith::ExtSIOp>(op));
}

/// The op that all of `value` is widened by, element by element, if that is what `value` is.
static Operation *wideningOf(Value value) {
  auto producer = value.getDefiningOp<linalg::GenericOp>();
  if (!producer || producer.getNumDpsInputs() != 1 || producer.getNumResults() != 1 ||
      producer.getNumParallelLoops() != producer.getNumLoops() || producer.getBody()->getOperations().size() != 2 ||
      !producer.getIndexingMapsArray()[1].isIdentity())
    return nullptr;
  Operation *widening = &producer.getBody()->front();
  bool isAll = isNarrowInteger(widening) && widening->getOperand(0) == producer.getBody()->getArgument(0) &&
               producer.getBody()->getTerminator()->getOperand(0) == widening->getResult(0);
  return isAll ? widening : nullptr;
}

/// linalg.generic (extend x) x (extend y)  ->  linalg.generic x x y { extend .. }, for narrow integers: instructions
/// for their products want them as they are.
static void foldWidening(linalg::GenericOp op) {
  if (!matchContraction(op) || !getElementTypeOrSelf(op->getResult(0).getType()).isInteger(32))
    return;
  Block *body = op.getBody();
  SmallVector<Operation *> widenings;
  for (unsigned operand : {0u, 1u}) {
    BlockArgument factor = body->getArgument(operand);
    bool isNarrow = factor.hasOneUse() && isNarrowInteger(*factor.user_begin());
    widenings.push_back(isNarrow ? nullptr : wideningOf(op->getOperand(operand)));
    if (!isNarrow && !widenings.back())
      return;
  }
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (auto [operand, widening] : llvm::enumerate(widenings)) {
    if (!widening)
      continue;
    auto producer = cast<linalg::GenericOp>(widening->getParentOp());
    maps[operand] = producer.getIndexingMapsArray()[0].compose(maps[operand]);
    op->setOperand(operand, producer->getOperand(0));
    BlockArgument factor = body->getArgument(operand);
    OpBuilder b(body, body->begin());
    Operation *own = b.clone(*widening);
    factor.replaceAllUsesWith(own->getResult(0));
    factor.setType(widening->getOperand(0).getType());
    own->setOperand(0, factor);
  }
  op.setIndexingMapsAttr(OpBuilder(op).getAffineMapArrayAttr(maps));
}

namespace {
struct FoldWideningsPass : public mlir::xla::impl::FoldWideningsBase<FoldWideningsPass> {
  void runOnOperation() override { getOperation().walk(foldWidening); }
};
} // namespace
