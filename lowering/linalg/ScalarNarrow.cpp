// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The floats of 4, 6 and 8 bits, which no target has: to and from f32 by integer operations on their bits.

#include "mlir_xla/lowering/linalg/ScalarOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::xla;

namespace {
/// What the conversions need to know of a format.
struct Format {
  explicit Format(FloatType type)
      : semantics(type.getFloatSemantics()), width(type.getWidth()),
        mantissa(APFloat::semanticsPrecision(semantics) - 1), minExponent(APFloat::semanticsMinExponent(semantics)),
        isSigned(APFloat::semanticsHasSignedRepr(semantics)), hasInf(APFloat::semanticsHasInf(semantics)),
        hasNaN(APFloat::semanticsHasNaN(semantics)) {}

  int64_t bitsOf(const APFloat &value) const { return value.bitcastToAPInt().getZExtValue(); }
  int64_t largest() const { return bitsOf(APFloat::getLargest(semantics)); }
  int64_t infinity() const { return bitsOf(APFloat::getInf(semantics)); }
  int64_t nan() const { return bitsOf(APFloat::getNaN(semantics)); }
  /// -0 is NaN in the formats whose names end in UZ.
  bool hasNegativeZero() const { return isSigned && !(hasNaN && nan() == signMask()); }
  int64_t signMask() const { return int64_t(1) << (width - 1); }
  /// The exponent field of 1. Without a mantissa there are no subnormals and field 0 is a power of two like others.
  int bias() const { return mantissa == 0 ? -minExponent : 1 - minExponent; }
  int exponentBits() const { return width - mantissa - (isSigned ? 1 : 0); }
  /// 2^x for an exponent x that f32 has as a normal number.
  static double power(int x) { return std::ldexp(1.0, x); }

  const llvm::fltSemantics &semantics;
  int width, mantissa, minExponent;
  bool isSigned, hasInf, hasNaN;
};
} // namespace

static constexpr int kF32Mantissa = 23, kF32Bias = 127;
static constexpr int kF16Mantissa = 10, kF16ExponentBits = 5, kF16Bias = 15;

/// Is a number of `format` one of f16, but for a power of two?
static bool isPartOfHalf(const Format &format) {
  bool hasSameExponents = format.exponentBits() == kF16ExponentBits && format.hasInf;
  return format.isSigned && format.mantissa > 0 && (hasSameExponents || format.exponentBits() < kF16ExponentBits);
}

/// By way of f16. Read as f32, numbers that are subnormal would be so there, too, and a product of one may take a
/// hundred cycles; processors widen those of f16 as fast as others.
static Value extendAsHalf(ImplicitLocOpBuilder &b, Value value, const Format &format) {
  Type i16 = b.getI16Type(), f32 = b.getF32Type();
  int distance = kF16Mantissa - format.mantissa;
  auto constant = [&](int64_t c) { return emitIntConstant(b, i16, APInt(16, c)); };
  auto compare = [&](arith::CmpIPredicate predicate, Value x, int64_t narrow) -> Value {
    return arith::CmpIOp::create(b, predicate, x, constant(narrow << distance));
  };
  Value bits = arith::BitcastOp::create(b, b.getIntegerType(format.width), value);
  bits = arith::ShLIOp::create(b, arith::ExtSIOp::create(b, i16, bits), constant(distance));
  bool hasSameExponents = format.exponentBits() == kF16ExponentBits;
  if (!hasSameExponents) {
    constexpr int64_t sign = 0x8000, infinity = 0x7c00, nan = 0x7e00;
    int64_t magnitudes = (format.signMask() - 1) << distance;
    bits = arith::AndIOp::create(b, bits, constant(sign | magnitudes)); // there are copies of the sign between
    Value isSpecial, magnitude = arith::AndIOp::create(b, bits, constant(magnitudes));
    if (format.hasInf)
      isSpecial = compare(arith::CmpIPredicate::uge, magnitude, format.infinity());
    else if (format.hasNaN)
      isSpecial = format.hasNegativeZero() ? compare(arith::CmpIPredicate::eq, magnitude, format.nan())
                                           : compare(arith::CmpIPredicate::eq, bits, sign >> distance);
    if (isSpecial) {
      Value special = arith::OrIOp::create(b, bits, constant(format.hasInf ? infinity : nan));
      bits = arith::SelectOp::create(b, isSpecial, special, bits);
    }
  }
  Value half = arith::BitcastOp::create(b, b.getF16Type(), bits);
  Value result = arith::ExtFOp::create(b, f32, half);
  if (hasSameExponents)
    return result;
  return arith::MulFOp::create(b, result, emitFloatConstant(b, f32, Format::power(kF16Bias - format.bias())));
}

Value mlir::xla::emitExtendNarrowFloat(ImplicitLocOpBuilder &b, Value value) {
  Format format(cast<FloatType>(value.getType()));
  if (isPartOfHalf(format))
    return extendAsHalf(b, value, format);
  Type i32 = b.getI32Type(), f32 = b.getF32Type();
  auto constant = [&](int64_t c) { return emitIntConstant(b, i32, c); };
  auto equals = [&](Value x, int64_t c) -> Value {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, x, constant(c));
  };
  Value narrow = arith::BitcastOp::create(b, b.getIntegerType(format.width), value);
  Value bits = arith::ExtUIOp::create(b, i32, narrow);
  Value magnitude = bits;
  if (format.isSigned)
    magnitude = arith::AndIOp::create(b, bits, constant(format.signMask() - 1));

  Value result;
  if (format.mantissa == 0) {
    // Powers of two only, from 2^-127, which is subnormal in f32.
    Value shifted = arith::ShLIOp::create(b, magnitude, constant(kF32Mantissa));
    Value smallest = constant(int64_t(1) << (kF32Mantissa - 1));
    result = arith::SelectOp::create(b, equals(magnitude, 0), smallest, shifted);
    result = arith::BitcastOp::create(b, f32, result);
  } else {
    // Read as f32 the number is too small by the difference of the biases; the product also normalizes subnormals.
    Value shifted = arith::ShLIOp::create(b, magnitude, constant(kF32Mantissa - format.mantissa));
    Value scaled = arith::BitcastOp::create(b, f32, shifted);
    result = arith::MulFOp::create(b, scaled, emitFloatConstant(b, f32, Format::power(kF32Bias - format.bias())));
  }
  auto select = [&](Value condition, double special) {
    result = arith::SelectOp::create(b, condition, emitFloatConstant(b, f32, special), result);
  };
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (format.hasInf) {
    select(equals(magnitude, format.infinity()), std::numeric_limits<double>::infinity());
    select(arith::CmpIOp::create(b, arith::CmpIPredicate::ugt, magnitude, constant(format.infinity())), nan);
  } else if (format.hasNaN) {
    select(format.hasNegativeZero() ? equals(magnitude, format.nan()) : equals(bits, format.nan()), nan);
  }
  if (!format.isSigned)
    return result;
  Value sign = arith::AndIOp::create(b, bits, constant(format.signMask()));
  sign = arith::ShLIOp::create(b, sign, constant(32 - format.width));
  Value signedBits = arith::OrIOp::create(b, arith::BitcastOp::create(b, i32, result), sign);
  return arith::BitcastOp::create(b, f32, signedBits);
}

Value mlir::xla::emitTruncateToNarrowFloat(ImplicitLocOpBuilder &b, Value value, Type to) {
  Format format(cast<FloatType>(to));
  Type i32 = b.getI32Type(), f32 = b.getF32Type();
  auto constant = [&](int64_t c) { return emitIntConstant(b, i32, c); };
  using P = arith::CmpIPredicate;
  Value bits = arith::BitcastOp::create(b, i32, value);
  Value magnitude = arith::AndIOp::create(b, bits, constant(0x7fffffff));

  // Normal numbers: add just under half of the last kept bit and that bit itself (ties to even), then move the
  // exponent. Without a mantissa the last kept bit is the leading one, which is always set.
  int dropped = kF32Mantissa - format.mantissa;
  Value odd = constant(1);
  if (format.mantissa > 0)
    odd = arith::AndIOp::create(b, arith::ShRUIOp::create(b, magnitude, constant(dropped)), odd);
  Value half = constant((int64_t(1) << (dropped - 1)) - 1);
  Value rounded = arith::AddIOp::create(b, magnitude, arith::AddIOp::create(b, odd, half));
  Value normal = arith::SubIOp::create(b, arith::ShRUIOp::create(b, rounded, constant(dropped)),
                                       constant(int64_t(kF32Bias - format.bias()) << format.mantissa));
  Value result = normal;
  if (format.mantissa > 0) {
    // Subnormal ones: an f32 addition rounds to a multiple of the smallest subnormal number and leaves it in the low
    // bits.
    double magic = Format::power(format.minExponent - format.mantissa + kF32Mantissa);
    Value sum = arith::AddFOp::create(b, arith::BitcastOp::create(b, f32, magnitude), emitFloatConstant(b, f32, magic));
    Value subnormal = arith::SubIOp::create(b, arith::BitcastOp::create(b, i32, sum),
                                            constant(llvm::bit_cast<int32_t>(static_cast<float>(magic))));
    int64_t minNormal = int64_t(format.minExponent + kF32Bias) << kF32Mantissa;
    Value isSubnormal = arith::CmpIOp::create(b, P::ult, magnitude, constant(minNormal));
    result = arith::SelectOp::create(b, isSubnormal, subnormal, normal);
  } else {
    // What is closer to the smallest number, 2^-127, than to the next one, which is f32's smallest normal number.
    Value isSmallest = arith::CmpIOp::create(b, P::ult, magnitude, constant(int64_t(3) << (kF32Mantissa - 2)));
    result = arith::SelectOp::create(b, isSmallest, constant(0), result);
  }

  // What rounds beyond the largest number is infinite; NaN without infinities; the largest number without either. A
  // format without NaN has -0 for it.
  int64_t beyond = format.hasInf ? format.infinity() : format.hasNaN ? format.nan() : format.largest();
  Value nan = constant(format.hasNaN ? format.nan() : format.signMask());
  Value overflow = arith::CmpIOp::create(b, P::sgt, result, constant(format.largest()));
  Value isInf = arith::CmpIOp::create(b, P::uge, magnitude, constant(0x7f800000));
  overflow = arith::OrIOp::create(b, overflow, isInf);
  result = arith::SelectOp::create(b, overflow, constant(beyond), result);
  Value isNaN = arith::CmpIOp::create(b, P::ugt, magnitude, constant(0x7f800000));
  if (!format.isSigned) {
    // The format without a sign has no zero either: only positive numbers are left.
    Value isPositive = arith::CmpIOp::create(b, P::sgt, bits, constant(0));
    isNaN = arith::OrIOp::create(b, isNaN, arith::XOrIOp::create(b, isPositive, emitIntConstant(b, b.getI1Type(), 1)));
  }
  result = arith::SelectOp::create(b, isNaN, nan, result);
  if (format.isSigned) {
    Value sign =
        arith::ShRUIOp::create(b, arith::AndIOp::create(b, bits, constant(0x80000000LL)), constant(32 - format.width));
    Value withSign = arith::OrIOp::create(b, result, sign);
    if (format.hasNegativeZero()) {
      result = withSign;
    } else {
      Value isZero = arith::CmpIOp::create(b, P::eq, result, constant(0));
      result = arith::SelectOp::create(b, isZero, result, withSign);
    }
  }
  Value narrow = arith::TruncIOp::create(b, b.getIntegerType(format.width), result);
  return arith::BitcastOp::create(b, to, narrow);
}

Value mlir::xla::emitWidenToF32(ImplicitLocOpBuilder &b, Value value) {
  if (value.getType().getIntOrFloatBitWidth() < 16)
    return emitExtendNarrowFloat(b, value);
  return arith::ExtFOp::create(b, b.getF32Type(), value);
}

Value mlir::xla::emitNarrowFromF32(ImplicitLocOpBuilder &b, Value value, Type to) {
  if (to.getIntOrFloatBitWidth() < 16)
    return emitTruncateToNarrowFloat(b, value, to);
  return arith::TruncFOp::create(b, to, value);
}
