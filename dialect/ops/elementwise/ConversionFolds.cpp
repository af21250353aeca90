// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folds and canonicalisation of convert, bitcast_convert and reduce_precision.

#include "mlir_xla/dialect/ConstantFolding.h"
#include "mlir_xla/dialect/InferTypes.h"
#include "mlir_xla/dialect/XlaOps.h"

#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/APSInt.h"

using namespace mlir;
using namespace mlir::xla;

static constexpr auto kNearest = APFloat::rmNearestTiesToEven;

//===- Convert ----------------------------------------------------------------------------------------------------===//

/// Converts one real element; `from` and `to` are integer or float types. Nothing where the result is unspecified.
static std::optional<APInt> toInteger(const APInt &x, Type from, IntegerType to) {
  if (to.getWidth() == 1)
    return APInt(1, !x.isZero());
  bool zeroExtend = classOf(from) & (kUint | kPred);
  return zeroExtend ? x.zextOrTrunc(to.getWidth()) : x.sextOrTrunc(to.getWidth());
}

static std::optional<APInt> toInteger(const APFloat &x, Type, IntegerType to) {
  if (to.getWidth() == 1)
    return APInt(1, !x.isZero());
  llvm::APSInt result(to.getWidth(), to.isUnsigned());
  bool isExact;
  if (x.convertToInteger(result, APFloat::rmTowardZero, &isExact) == APFloat::opInvalidOp)
    return std::nullopt;
  return APInt(result);
}

static std::optional<APFloat> toFloat(const APInt &x, Type from, FloatType to) {
  APFloat result(to.getFloatSemantics());
  auto status = result.convertFromAPInt(x, /*IsSigned=*/classOf(from) == kSint, kNearest);
  if ((status & APFloat::opOverflow) && !APFloat::semanticsHasInf(to.getFloatSemantics()))
    return std::nullopt;
  return result;
}

static std::optional<APFloat> toFloat(APFloat x, Type, FloatType to) {
  // Formats without infinity or NaN differ in what they make of values they cannot hold.
  const llvm::fltSemantics &semantics = to.getFloatSemantics();
  if ((x.isNaN() && !APFloat::semanticsHasNaN(semantics)) || (x.isInfinity() && !APFloat::semanticsHasInf(semantics)) ||
      (x.isNegative() && !APFloat::semanticsHasSignedRepr(semantics)) ||
      (x.isZero() && !APFloat::semanticsHasZero(semantics)))
    return std::nullopt;
  // APFloat makes an infinity of the NaN of a format without a significand.
  if (x.isNaN() && APFloat::semanticsPrecision(x.getSemantics()) == 1)
    return APFloat::getNaN(semantics);
  bool losesInfo;
  auto status = x.convert(semantics, kNearest, &losesInfo);
  if ((status & APFloat::opOverflow) && !APFloat::semanticsHasInf(semantics))
    return std::nullopt;
  return x;
}

static DenseElementsAttr joinParts(DenseElementsAttr real, DenseElementsAttr imag, Type type) {
  return zipElements<APFloat>(real, imag, type,
                              [](const APFloat &x, const APFloat &y) { return ComplexAPFloat(x, y); });
}

template <typename In> static DenseElementsAttr convertReal(Attribute operand, Type from, Type resultType) {
  Type to = elementTypeOf(resultType);
  if (auto integer = dyn_cast<IntegerType>(to))
    return mapElements<In>(operand, resultType, [&](const In &x) { return toInteger(x, from, integer); });
  if (auto floatType = dyn_cast<FloatType>(to))
    return mapElements<In>(operand, resultType, [&](const In &x) { return toFloat(x, from, floatType); });
  // The parts are converted by themselves: the imaginary one is 0.
  Type part = cast<ComplexType>(to).getElementType();
  Type partType = cast<RankedTensorType>(resultType).clone(part);
  return joinParts(convertReal<In>(operand, from, partType), splatInteger(partType, 0), resultType);
}

static DenseElementsAttr convertComplex(Attribute operand, Type resultType) {
  Type to = elementTypeOf(resultType), part;
  if (auto integer = dyn_cast<IntegerType>(to))
    return mapElements<ComplexAPFloat>(operand, resultType,
                                       [&](const ComplexAPFloat &x) { return toInteger(x.real(), part, integer); });
  if (auto floatType = dyn_cast<FloatType>(to))
    return mapElements<ComplexAPFloat>(operand, resultType,
                                       [&](const ComplexAPFloat &x) { return toFloat(x.real(), part, floatType); });
  Type partType = cast<RankedTensorType>(resultType).clone(cast<ComplexType>(to).getElementType());
  auto convertPart = [&](const APFloat &x) { return toFloat(x, part, cast<FloatType>(elementTypeOf(partType))); };
  auto real =
      mapElements<ComplexAPFloat>(operand, partType, [&](const ComplexAPFloat &x) { return convertPart(x.real()); });
  auto imag =
      mapElements<ComplexAPFloat>(operand, partType, [&](const ComplexAPFloat &x) { return convertPart(x.imag()); });
  return joinParts(real, imag, resultType);
}

OpFoldResult ConvertOp::fold(FoldAdaptor adaptor) {
  if (OpFoldResult same = ifTyped(getOperand(), getType()))
    return same;
  if (!asFoldable(adaptor.getOperand()))
    return {};
  Type from = elementTypeOf(getOperand());
  if (isa<IntegerType>(from))
    return convertReal<APInt>(adaptor.getOperand(), from, getType());
  if (isa<FloatType>(from))
    return convertReal<APFloat>(adaptor.getOperand(), from, getType());
  return convertComplex(adaptor.getOperand(), getType());
}

/// True if every value of `from`, infinities and NaN included, is a value of `to`.
static bool isLossless(Type from, Type to) {
  if (from == to)
    return true;
  if (auto complex = dyn_cast<ComplexType>(to))
    return isLossless(realTypeOf(from), complex.getElementType());
  if (isa<ComplexType>(from) || to.isInteger(1))
    return false;
  if (from.isInteger(1))
    return !isa<FloatType>(to) || APFloat::semanticsHasZero(cast<FloatType>(to).getFloatSemantics());
  if (auto integer = dyn_cast<IntegerType>(from)) {
    unsigned bits = integer.getWidth() - (integer.isUnsigned() ? 0 : 1);
    if (auto other = dyn_cast<IntegerType>(to))
      return (integer.isUnsigned() || !other.isUnsigned()) && bits <= other.getWidth() - (other.isUnsigned() ? 0 : 1);
    const llvm::fltSemantics &semantics = cast<FloatType>(to).getFloatSemantics();
    return bits <= APFloat::semanticsPrecision(semantics) &&
           static_cast<int>(bits) <= APFloat::semanticsMaxExponent(semantics) &&
           (integer.isUnsigned() || APFloat::semanticsHasSignedRepr(semantics));
  }
  auto other = dyn_cast<FloatType>(to);
  if (!other)
    return false;
  const llvm::fltSemantics &source = cast<FloatType>(from).getFloatSemantics(), &target = other.getFloatSemantics();
  return APFloat::isRepresentableBy(source, target) &&
         (APFloat::semanticsHasNaN(target) || !APFloat::semanticsHasNaN(source)) &&
         (APFloat::semanticsHasInf(target) || !APFloat::semanticsHasInf(source)) && APFloat::semanticsHasZero(target) &&
         APFloat::semanticsHasSignedRepr(target);
}

namespace {
/// xla.convert (xla.convert %x : i8 -> i32) : i32 -> f32  ->  xla.convert %x : i8 -> f32
struct MergeConverts : OpRewritePattern<ConvertOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConvertOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getOperand().getDefiningOp<ConvertOp>();
    if (!inner || !isLossless(elementTypeOf(inner.getOperand()), elementTypeOf(inner.getType())))
      return failure();
    rewriter.replaceOpWithNewOp<ConvertOp>(op, op.getType(), inner.getOperand());
    return success();
  }
};

/// xla.bitcast_convert (xla.bitcast_convert %x : f32 -> i32) : i32 -> ui32  ->  xla.bitcast_convert %x : f32 -> ui32
struct MergeBitcasts : OpRewritePattern<BitcastConvertOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BitcastConvertOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getOperand().getDefiningOp<BitcastConvertOp>();
    if (!inner)
      return failure();
    // Only a chain that keeps the dimensions, or goes back to them, is a bitcast again.
    RankedTensorType from = inner.getOperand().getType(), to = op.getType();
    if (from.getShape() != to.getShape() || bitWidthOf(from.getElementType()) != bitWidthOf(to.getElementType()))
      return failure();
    rewriter.replaceOpWithNewOp<BitcastConvertOp>(op, to, inner.getOperand());
    return success();
  }
};
} // namespace

void ConvertOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<MergeConverts>(context);
}

//===- Bitcast, reduce_precision ----------------------------------------------------------------------------------===//

OpFoldResult BitcastConvertOp::fold(FoldAdaptor adaptor) {
  if (OpFoldResult same = ifTyped(getOperand(), getType()))
    return same;
  Type from = elementTypeOf(getOperand()), to = elementTypeOf(getType());
  if (bitWidthOf(from) != bitWidthOf(to) || isa<ComplexType>(from))
    return {};
  auto fromBits = [&](const APInt &bits) { return APFloat(cast<FloatType>(to).getFloatSemantics(), bits); };
  if (isa<IntegerType>(from) && isa<IntegerType>(to))
    return mapElements<APInt>(adaptor.getOperand(), getType(), [](const APInt &x) { return x; });
  if (isa<IntegerType>(from))
    return mapElements<APInt>(adaptor.getOperand(), getType(), [&](const APInt &x) { return fromBits(x); });
  if (isa<IntegerType>(to))
    return mapElements<APFloat>(adaptor.getOperand(), getType(), [](const APFloat &x) { return x.bitcastToAPInt(); });
  return mapElements<APFloat>(adaptor.getOperand(), getType(),
                              [&](const APFloat &x) { return fromBits(x.bitcastToAPInt()); });
}

void BitcastConvertOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<MergeBitcasts>(context);
}

OpFoldResult ReducePrecisionOp::fold(FoldAdaptor adaptor) {
  const llvm::fltSemantics &semantics = cast<FloatType>(elementTypeOf(getOperand())).getFloatSemantics();
  if (!APFloat::semanticsHasSignedRepr(semantics))
    return {};
  unsigned mantissaBits = APFloat::semanticsPrecision(semantics) - 1;
  unsigned exponentBits = APFloat::semanticsSizeInBits(semantics) - 1 - mantissaBits;
  if (getMantissaBits() >= mantissaBits && getExponentBits() >= exponentBits)
    return ifTyped(getOperand(), getType());
  return {};
}
