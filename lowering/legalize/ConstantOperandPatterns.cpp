// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of two numbers one of which is a constant: powers with small exponents, where a general power is some
// hundred operations of f64, and arcus tangents that are written as angles of points.

#include "mlir_xla/lowering/legalize/Build.h"
#include "mlir_xla/lowering/legalize/SimplifyPatterns.h"

#include "mlir/IR/Matchers.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::xla;

namespace {

class Power {
public:
  Power(PowOp op, PatternRewriter &rewriter) : b(op.getLoc(), rewriter), x(op.getLhs()) {
    type = cast<FloatType>(TensorBuilder::typeOf(x).getElementType());
  }

  /// Null if the exponent is not one of those that few operations do. Each rounds by half a unit: those that the
  /// comments name are within as many units of the last place, a bound that f64 has only up to two of.
  Value build(double exponent) {
    if (exponent == 1.0)
      return x;
    if (exponent == 2.0)
      return b.mul(x, x);
    if (exponent == 3.0)
      return b.mul(b.mul(x, x), x);
    if (exponent == -1.0)
      return inverse(x);
    if (!type.isF32() && !type.isF64())
      return ofNarrow(exponent);
    if (exponent == -2.0)
      return divide(inverse(x), x); // 1 / (x * x) would be that of a subnormal number where the result is not infinite
    if (std::abs(exponent) == 0.5 || exponent == 1.5)
      return ofRoot(exponent);
    if (type.isF64())
      return {};
    if (exponent == 4.0)
      return b.mul(b.mul(x, x), b.mul(x, x));
    if (exponent == -3.0)
      return divide(inverse(b.mul(x, x)), x);
    if (std::abs(exponent) == 2.5 || exponent == -1.5)
      return ofRoot(exponent);
    return {};
  }

private:
  /// In f32, and rounded once.
  Value ofNarrow(double exponent) {
    Type narrow = type;
    if (exponent != 4.0 && exponent != -2.0 && exponent != -3.0 &&
        (std::abs(exponent) > 2.5 || std::floor(exponent) == exponent || std::floor(2 * exponent) != 2 * exponent))
      return {};
    type = b.getF32Type();
    x = b.convert(x, type);
    return b.convert(build(exponent), narrow);
  }

  /// Half-integer powers. The order of operations keeps what is between within the range of the result.
  Value ofRoot(double exponent) {
    // Powers of -0 are those of +0, and of -inf those of +inf, where roots are not.
    Value infinity = b.scalar(type, std::numeric_limits<double>::infinity());
    Value isNegativeInfinity =
        b.compare(ComparisonDirection::EQ, x, b.scalar(type, -std::numeric_limits<double>::infinity()));
    Value positive = b.add(x, b.scalar(type, 0.0));
    Value base = b.select(isNegativeInfinity, b.broadcast(infinity, TensorBuilder::typeOf(x).getShape(), {}), positive);
    Value root = b.unary("sqrt", base);
    if (exponent == 0.5)
      return root;
    if (exponent == 1.5)
      return b.mul(base, root);
    if (exponent == 2.5)
      return b.mul(b.mul(base, base), root);
    root = inverse(root);
    if (exponent == -1.5)
      return divide(root, base);
    return exponent == -2.5 ? divide(root, b.mul(base, base)) : root;
  }

  Value divide(Value lhs, Value rhs) { return b.binary("divide", lhs, rhs); }
  Value inverse(Value value) { return divide(b.scalar(type, 1.0), value); }

  TensorBuilder b;
  Value x;
  FloatType type;
};

struct ExpandPowers : OpRewritePattern<PowOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(PowOp op, PatternRewriter &rewriter) const override {
    DenseFPElementsAttr exponent;
    if (!matchPattern(op.getRhs(), m_Constant(&exponent)) || !exponent.isSplat() ||
        op.getLhs().getType() != op.getType())
      return failure();
    APFloat number = exponent.getSplatValue<APFloat>();
    bool loses;
    number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
    Value result = Power(op, rewriter).build(number.convertToDouble());
    if (!result)
      return failure();
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// xla.atan2 %y, dense<1.0>  ->  xla.atan %y
struct AngleToArcusTangent : OpRewritePattern<Atan2Op> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(Atan2Op op, PatternRewriter &rewriter) const override {
    DenseFPElementsAttr x;
    if (!matchPattern(op.getRhs(), m_Constant(&x)) || !x.isSplat() || !x.getSplatValue<APFloat>().isExactlyValue(1.0) ||
        op.getLhs().getType() != op.getType())
      return failure();
    rewriter.replaceOpWithNewOp<AtanOp>(op, op.getType(), op.getLhs());
    return success();
  }
};

} // namespace

void mlir::xla::populateConstantOperandPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandPowers, AngleToArcusTangent>(patterns.getContext());
}
