// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-widen-convolutions`: convolutions of f16 and bf16 that no instruction multiplies read factors of f32.

#include "mlir_xla/lowering/kernels/Passes.h"
#include "mlir_xla/lowering/nest/Contraction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::xla {
#define GEN_PASS_DEF_WIDENCONVOLUTIONS
#include "mlir_xla/lowering/kernels/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;
using namespace mlir::xla;

/// How often an element is read from which on it is widened once, and not each time.
static constexpr int64_t kMinReads = 32;

/// What widens the factor, if that is a float.
static arith::ExtFOp wideningOf(BlockArgument factor) {
  return factor.hasOneUse() ? dyn_cast<arith::ExtFOp>(*factor.user_begin()) : arith::ExtFOp();
}

/// A convolution by windows: pixels are read at sums of indices. Products have none, and those that convolutions became
/// read them by divisions.
static bool isByWindows(linalg::GenericOp op) {
  bool hasWindow = false, hasDivision = false;
  for (AffineMap map : op.getIndexingMapsArray())
    map.walkExprs([&](AffineExpr expr) {
      hasWindow |= expr.getKind() == AffineExprKind::Add;
      hasDivision |= expr.getKind() == AffineExprKind::FloorDiv || expr.getKind() == AffineExprKind::Mod;
    });
  return hasWindow && !hasDivision;
}

/// `value` as a tensor of `element`s.
static Value widened(OpBuilder &b, Location loc, Value value, Type element) {
  auto type = cast<RankedTensorType>(value.getType());
  AffineMap identity = b.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
  Value empty = tensor::EmptyOp::create(b, loc, type.getShape(), element);
  return linalg::GenericOp::create(b, loc, empty.getType(), value, empty, ArrayRef<AffineMap>{identity, identity},
                                   iterators,
                                   [&](OpBuilder &body, Location at, ValueRange args) {
                                     Value wide = arith::ExtFOp::create(body, at, element, args[0]);
                                     linalg::YieldOp::create(body, at, wide);
                                   })
      .getResult(0);
}

/// linalg.generic x x y { extend .. }  ->  linalg.generic (extend x) x (extend y)
static void widen(linalg::GenericOp op) {
  Block *body = op.getBody();
  int64_t iterations = 1;
  for (int64_t range : op.getStaticLoopRanges())
    iterations *= range;
  for (unsigned operand : {0u, 1u}) {
    int64_t elements = cast<RankedTensorType>(op->getOperand(operand).getType()).getNumElements();
    if (!wideningOf(body->getArgument(operand)) || iterations / std::max<int64_t>(1, elements) < kMinReads)
      return;
  }
  OpBuilder b(op);
  for (unsigned operand : {0u, 1u}) {
    BlockArgument factor = body->getArgument(operand);
    arith::ExtFOp extend = wideningOf(factor);
    op->setOperand(operand, widened(b, op.getLoc(), op->getOperand(operand), extend.getType()));
    factor.setType(extend.getType());
    extend.replaceAllUsesWith(Value(factor));
    extend.erase();
  }
}

namespace {
struct WidenConvolutionsPass : public mlir::xla::impl::WidenConvolutionsBase<WidenConvolutionsPass> {
  void runOnOperation() override {
    getOperation().walk([](linalg::GenericOp op) {
      if (isSumOfProducts(op) && isByWindows(op))
        widen(op);
    });
  }
};
} // namespace
