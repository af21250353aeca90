// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Formulas that read as formulas: arithmetic on floats, scalar or vector, and on the bit patterns of f32 and f64.

#ifndef MLIR_XLA_LOWERING_REALVALUE_H
#define MLIR_XLA_LOWERING_REALVALUE_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"

namespace mlir::xla {

inline Type withElement(Type shape, Type element) {
  if (auto vector = dyn_cast<VectorType>(shape))
    return VectorType::get(vector.getShape(), element, vector.getScalableDims());
  return element;
}

inline Value splatConstant(ImplicitLocOpBuilder &b, Type type, TypedAttr element) {
  if (auto vector = dyn_cast<VectorType>(type))
    return arith::ConstantOp::create(b, DenseElementsAttr::get(vector, ArrayRef<Attribute>{element}));
  return arith::ConstantOp::create(b, element);
}

struct Real;

/// The bit pattern of a Real of 32 or 64 bits, as a signless integer of its width.
struct Bits {
  ImplicitLocOpBuilder *b;
  Value value;

  Bits with(Value v) const { return {b, v}; }
  Bits constant(int64_t c) const {
    Type element = getElementTypeOrSelf(value.getType());
    return with(splatConstant(
        *b, value.getType(),
        b->getIntegerAttr(element, APInt(element.getIntOrFloatBitWidth(), c, true, /*implicitTrunc=*/true))));
  }
  Bits operator+(Bits y) const { return with(arith::AddIOp::create(*b, value, y.value)); }
  Bits operator-(Bits y) const { return with(arith::SubIOp::create(*b, value, y.value)); }
  Bits operator|(Bits y) const { return with(arith::OrIOp::create(*b, value, y.value)); }
  Bits operator^(Bits y) const { return with(arith::XOrIOp::create(*b, value, y.value)); }
  Bits operator+(int64_t c) const { return *this + constant(c); }
  Bits operator-(int64_t c) const { return *this - constant(c); }
  Bits operator&(int64_t c) const { return with(arith::AndIOp::create(*b, value, constant(c).value)); }
  Bits operator|(int64_t c) const { return with(arith::OrIOp::create(*b, value, constant(c).value)); }
  Bits operator<<(int64_t c) const { return with(arith::ShLIOp::create(*b, value, constant(c).value)); }
  Bits shiftRight(int64_t c) const { return with(arith::ShRUIOp::create(*b, value, constant(c).value)); }
  Bits shiftRightSigned(int64_t c) const { return with(arith::ShRSIOp::create(*b, value, constant(c).value)); }
  Bits max(Bits y) const { return with(arith::MaxSIOp::create(*b, value, y.value)); }
  Bits max(int64_t c) const { return max(constant(c)); }
  Value equals(int64_t c) const {
    return arith::CmpIOp::create(*b, arith::CmpIPredicate::eq, value, constant(c).value);
  }
  Value isLess(int64_t c) const {
    return arith::CmpIOp::create(*b, arith::CmpIPredicate::slt, value, constant(c).value);
  }
  inline Real asReal() const;
};

struct Real {
  using P = arith::CmpFPredicate;
  ImplicitLocOpBuilder *b;
  Value value;

  Type element() const { return getElementTypeOrSelf(value.getType()); }
  bool isDouble() const { return element().isF64(); }
  /// Bits of the mantissa and the exponent's bias.
  int64_t mantissa() const { return isDouble() ? 52 : 23; }
  int64_t bias() const { return isDouble() ? 1023 : 127; }

  Real with(Value v) const { return {b, v}; }
  Real constant(double c) const { return with(splatConstant(*b, value.getType(), b->getFloatAttr(element(), c))); }

  Real operator+(Real y) const { return with(arith::AddFOp::create(*b, value, y.value)); }
  Real operator-(Real y) const { return with(arith::SubFOp::create(*b, value, y.value)); }
  Real operator*(Real y) const { return with(arith::MulFOp::create(*b, value, y.value)); }
  Real operator/(Real y) const { return with(arith::DivFOp::create(*b, value, y.value)); }
  Real operator+(double c) const { return *this + constant(c); }
  Real operator-(double c) const { return *this - constant(c); }
  Real operator*(double c) const { return *this * constant(c); }
  Real operator/(double c) const { return *this / constant(c); }
  Real operator-() const { return with(arith::NegFOp::create(*b, value)); }
  template <typename OpT> Real apply() const { return with(OpT::create(*b, value)); }
  template <typename OpT> Real apply(Real y) const { return with(OpT::create(*b, value, y.value)); }

  Value compare(P predicate, Real y) const { return arith::CmpFOp::create(*b, predicate, value, y.value); }
  Value compare(P predicate, double c) const { return compare(predicate, constant(c)); }
  Value operator<(Real y) const { return compare(P::OLT, y); }
  Value operator>(Real y) const { return compare(P::OGT, y); }
  Value operator==(Real y) const { return compare(P::OEQ, y); }
  Value operator<(double c) const { return *this < constant(c); }
  Value operator>(double c) const { return *this > constant(c); }
  Value operator==(double c) const { return *this == constant(c); }

  Real abs() const { return apply<math::AbsFOp>(); }
  Real sqrt() const { return apply<math::SqrtOp>(); }
  Real roundEven() const { return apply<math::RoundEvenOp>(); }
  /// Of a number that is not negative, with the sign of `x`, whose magnitude is at hand.
  inline Real withSignOf(Real x, Real magnitude) const;
  Real copySign(Real sign) const { return apply<math::CopySignOp>(sign); }
  /// NaN stays NaN.
  inline Real atMost(double c) const;
  inline Real atLeast(double c) const;

  Bits bits() const {
    Type integer = b->getIntegerType(element().getIntOrFloatBitWidth());
    return {b, arith::BitcastOp::create(*b, withElement(value.getType(), integer), value)};
  }
  Real toDouble() const {
    return with(arith::ExtFOp::create(*b, withElement(value.getType(), b->getF64Type()), value));
  }
  Real toSingle() const {
    return with(arith::TruncFOp::create(*b, withElement(value.getType(), b->getF32Type()), value));
  }
};

/// x * y + z with one rounding: what a product or a difference has lost is computed so.
inline Real fma(Real x, Real y, Real z) { return x.with(math::FmaOp::create(*x.b, x.value, y.value, z.value)); }
inline Real fma(Real x, Real y, double z) { return fma(x, y, x.constant(z)); }
inline Real fma(Real x, double y, Real z) { return fma(x, x.constant(y), z); }
inline Real fma(Real x, double y, double z) { return fma(x, x.constant(y), x.constant(z)); }
/// x * y + z with one rounding or two, whichever the processor is faster at: products that are small beside the sum, or
/// exact.
inline Real mulAdd(Real x, Real y, Real z) {
  return x.with(math::FmaOp::create(*x.b, x.value, y.value, z.value, arith::FastMathFlags::contract));
}
inline Real mulAdd(Real x, Real y, double z) { return mulAdd(x, y, x.constant(z)); }
inline Real mulAdd(Real x, double y, Real z) { return mulAdd(x, x.constant(y), z); }
inline Real mulAdd(Real x, double y, double z) { return mulAdd(x, x.constant(y), x.constant(z)); }
inline Real operator-(double c, Real x) { return x.constant(c) - x; }
inline Real operator/(double c, Real x) { return x.constant(c) / x; }
/// x where the condition holds, else y.
inline Real select(Value condition, Real x, Real y) {
  return x.with(arith::SelectOp::create(*x.b, condition, x.value, y.value));
}
inline Real Real::atMost(double c) const { return select(*this > c, constant(c), *this); }
inline Real Real::atLeast(double c) const { return select(*this < c, constant(c), *this); }
inline Value both(Real at, Value x, Value y) { return arith::AndIOp::create(*at.b, x, y); }
inline Value either(Real at, Value x, Value y) { return arith::OrIOp::create(*at.b, x, y); }

inline Real Bits::asReal() const {
  Type integer = getElementTypeOrSelf(value.getType());
  Type real = integer.isInteger(64) ? Type(b->getF64Type()) : Type(b->getF32Type());
  return {b, arith::BitcastOp::create(*b, withElement(value.getType(), real), value)};
}

/// x * x and a little more, for polynomials that are added to a number near 1: neither this nor its square is
/// subnormal, which takes processors up to a hundred cycles.
inline Real normalSquare(Real x) { return mulAdd(x, x, x.isDouble() ? 0x1p-120 : 0x1p-60); }

/// x * square * polynomial + rest, given a normal square: in f64, whose exponents suffice for that, by the product that
/// need not wait, and in f32 without that of two small numbers.
inline Real mulAddOdd(Real x, Real square, Real polynomial, Real rest) {
  return x.isDouble() ? mulAdd(x * square, polynomial, rest) : mulAdd(square * polynomial, x, rest);
}

inline Real Real::withSignOf(Real x, Real magnitude) const { return (bits() | (x.bits() ^ magnitude.bits())).asReal(); }

/// The polynomial with the given coefficients, highest degree first.
inline Real horner(Real x, ArrayRef<double> coefficients) {
  Real result = x.constant(coefficients[0]);
  for (double coefficient : coefficients.drop_front())
    result = mulAdd(result, x, coefficient);
  return result;
}

/// The same in as many operations, given the square of x: pairs of terms, which do not wait for each other, by Horner's
/// rule in the square. That is half of the wait.
inline Real hornerOfPairs(Real x, Real square, ArrayRef<double> coefficients) {
  bool isOdd = coefficients.size() % 2 != 0;
  Real result = isOdd ? x.constant(coefficients[0]) : mulAdd(x, coefficients[0], coefficients[1]);
  for (size_t i = isOdd ? 1 : 2; i < coefficients.size(); i += 2)
    result = mulAdd(result, square, mulAdd(x, coefficients[i], coefficients[i + 1]));
  return result;
}

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_REALVALUE_H
