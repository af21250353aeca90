// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Canonicalisation of unary and binary ops into simpler ones. Like the folds, nothing here changes a signed zero or a
// NaN.

#include "mlir_xla/dialect/ConstantFolding.h"
#include "mlir_xla/dialect/InferTypes.h"
#include "mlir_xla/dialect/XlaOps.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::xla;

namespace {
/// xla.power %x, dense<2.0>  ->  xla.multiply %x, %x
struct PowerOfTwoToMultiply : OpRewritePattern<PowOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(PowOp op, PatternRewriter &rewriter) const override {
    DenseElementsAttr exponent;
    if (!matchPattern(op.getRhs(), m_Constant(&exponent)) || op.getLhs().getType() != op.getType())
      return failure();
    std::optional<APFloat> real = splatOf<APFloat>(exponent);
    std::optional<APInt> integer = splatOf<APInt>(exponent);
    if (!(real && real->isExactlyValue(2.0)) && !(integer && *integer == 2))
      return failure();
    rewriter.replaceOpWithNewOp<MulOp>(op, op.getType(), op.getLhs(), op.getLhs());
    return success();
  }
};

/// xla.subtract dense<0>, %x : tensor<4xi32>  ->  xla.negate %x
struct SubtractFromZeroToNegate : OpRewritePattern<SubtractOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SubtractOp op, PatternRewriter &rewriter) const override {
    Attribute lhs;
    if (!matchPattern(op.getLhs(), m_Constant(&lhs)) || !isSplatZero(lhs) || op.getRhs().getType() != op.getType())
      return failure();
    rewriter.replaceOpWithNewOp<NegOp>(op, op.getType(), op.getRhs());
    return success();
  }
};

/// xla.xor %x, dense<-1>  ->  xla.not %x
struct XorOnesToNot : OpRewritePattern<XorOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(XorOp op, PatternRewriter &rewriter) const override {
    Attribute rhs;
    if (!matchPattern(op.getRhs(), m_Constant(&rhs)) || !isSplatAllOnes(rhs) || op.getLhs().getType() != op.getType())
      return failure();
    rewriter.replaceOpWithNewOp<NotOp>(op, op.getType(), op.getLhs());
    return success();
  }
};

/// xla.abs (xla.negate %x)  ->  xla.abs %x
struct AbsOfNegate : OpRewritePattern<AbsOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AbsOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getOperand().getDefiningOp<NegOp>();
    if (!inner)
      return failure();
    rewriter.replaceOpWithNewOp<AbsOp>(op, op.getType(), inner.getOperand());
    return success();
  }
};
} // namespace

void PowOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<PowerOfTwoToMultiply>(context);
}
void SubtractOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<SubtractFromZeroToNegate>(context);
}
void XorOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<XorOnesToNot>(context);
}
void AbsOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<AbsOfNegate>(context);
}
