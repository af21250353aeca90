// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of scalar forms for complex numbers, with formulas for what the complex dialect has no op for.

#include "mlir_xla/lowering/RealValue.h"
#include "mlir_xla/lowering/linalg/ScalarOps.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::xla;

using P = arith::CmpFPredicate;
static constexpr double kInfinity = std::numeric_limits<double>::infinity();
static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
static constexpr double kPi = 3.14159265358979323846;

namespace {
/// Formulas read as formulas: arithmetic on values of one complex type.
struct Complex {
  ImplicitLocOpBuilder *b;
  Value value;

  ComplexType type() const { return cast<ComplexType>(value.getType()); }
  Complex with(Value v) const { return {b, v}; }
  Complex constant(double re, double im = 0.0) const {
    Type part = type().getElementType();
    return with(complex::ConstantOp::create(*b, type(),
                                            b->getArrayAttr({b->getFloatAttr(part, re), b->getFloatAttr(part, im)})));
  }
  Real re() const { return {b, complex::ReOp::create(*b, value)}; }
  Real im() const { return {b, complex::ImOp::create(*b, value)}; }
  Complex create(Real re, Real im) const { return with(complex::CreateOp::create(*b, type(), re.value, im.value)); }
  Complex operator+(Complex y) const { return with(complex::AddOp::create(*b, value, y.value)); }
  Complex operator*(Complex y) const { return with(complex::MulOp::create(*b, value, y.value)); }
  Complex operator-() const { return with(complex::NegOp::create(*b, value)); }
  /// i z and -i z, which keep infinities and the signs of zeros.
  Complex timesI() const { return create(-im(), re()); }
  Complex timesMinusI() const { return create(im(), -re()); }
};
} // namespace

static Complex select(Value condition, Complex x, Complex y) {
  return x.with(arith::SelectOp::create(*x.b, condition, x.value, y.value));
}

using Form = Value (*)(ImplicitLocOpBuilder &, ValueRange);

template <typename OpT> static Value unary(ImplicitLocOpBuilder &b, ValueRange x) { return OpT::create(b, x[0]); }
template <typename OpT> static Value binary(ImplicitLocOpBuilder &b, ValueRange x) {
  return OpT::create(b, x[0], x[1]);
}
template <typename OpT> static Value part(ImplicitLocOpBuilder &b, ValueRange x) {
  return OpT::create(b, cast<ComplexType>(x[0].getType()).getElementType(), x[0]);
}
/// A function of one complex number, as an entry of the table.
template <Complex (*function)(Complex)> static Value formula(ImplicitLocOpBuilder &b, ValueRange x) {
  return function({&b, x[0]}).value;
}

//===- Parts ------------------------------------------------------------------------------------------------------===//

static bool isF32(Real x) { return x.value.getType().isF32(); }
static Value both(Value x, Value y, ImplicitLocOpBuilder &b) { return arith::AndIOp::create(b, x, y); }
static Value either(Value x, Value y, ImplicitLocOpBuilder &b) { return arith::OrIOp::create(b, x, y); }

/// The larger magnitude of two parts, which is infinite if either of them is; the smaller one is NaN if either is.
static Real largerOf(Real x, Real y) { return x.abs().apply<arith::MaxNumFOp>(y.abs()); }
static Real smallerOf(Real x, Real y) { return x.abs().apply<arith::MinimumFOp>(y.abs()); }

/// x y where zero times anything is zero, with the sign of the product.
static Real productOrZero(Real x, Real y) {
  Real one = x.constant(1.0);
  y = select(x.compare(P::OEQ, 0.0), one.copySign(y), y);
  x = select(y.compare(P::OEQ, 0.0), one.copySign(x), x);
  return x * y;
}

/// The cosine of an angle. Beside an infinite x, which keeps one infinite part, one that is not known counts as 1.
static Real cosineBeside(Real x, Real angle) {
  Value unknown = both(x.abs().compare(P::OEQ, kInfinity), angle.abs().compare(P::UEQ, kInfinity), *x.b);
  return select(unknown, x.constant(1.0), angle.apply<math::CosOp>());
}

/// False for NaN.
static Value isZero(Real x, Real y) { return (x.abs() + y.abs()).compare(P::OEQ, 0.0); }

/// |x + iy|, infinite if either part is, even if the other one is NaN (C99's hypot).
static Real hypot(Complex z) {
  Real modulus{z.b, complex::AbsOp::create(*z.b, z.type().getElementType(), z.value)};
  return select(largerOf(z.re(), z.im()).compare(P::OEQ, kInfinity), modulus.constant(kInfinity), modulus);
}

/// log|x + iy|, with an absolute error of one rounding: little is left of it where the modulus is close to 1.
static Real roughLogModulus(Real x, Real y) {
  Real large = largerOf(x, y), small = smallerOf(x, y);
  Real ratio = select(small.compare(P::OEQ, large), x.constant(1.0), small / large);
  Real result = large.apply<math::LogOp>() + (ratio * ratio).apply<math::Log1pOp>() * 0.5;
  return select(large.compare(P::OEQ, kInfinity), large, result);
}

/// log|x + iy|, where `excess` is x^2 + y^2 - 1, computed without cancellation.
static Real logModulus(Real x, Real y, Real excess) {
  Real large = largerOf(x, y);
  Value nearOne = both(large.compare(P::OGE, 0.5), large.compare(P::OLE, 2.0), *x.b);
  return select(nearOne, excess.apply<math::Log1pOp>() * 0.5, roughLogModulus(x, y));
}

/// A function of two complex numbers as an entry of the table, computed in f64, from which f32 are rounded.
template <Complex (*function)(Complex, Complex)> static Value inDouble(ImplicitLocOpBuilder &b, ValueRange x) {
  auto type = cast<ComplexType>(x[0].getType());
  if (!type.getElementType().isF32())
    return function({&b, x[0]}, {&b, x[1]}).value;
  auto widened = [&](Value value) -> Complex {
    Complex z{&b, value};
    Value re = arith::ExtFOp::create(b, b.getF64Type(), z.re().value);
    Value im = arith::ExtFOp::create(b, b.getF64Type(), z.im().value);
    return z.with(complex::CreateOp::create(b, ComplexType::get(b.getF64Type()), re, im));
  };
  Complex wide = function(widened(x[0]), widened(x[1]));
  Value re = arith::TruncFOp::create(b, b.getF32Type(), wide.re().value);
  Value im = arith::TruncFOp::create(b, b.getF32Type(), wide.im().value);
  return complex::CreateOp::create(b, type, re, im);
}

//===- Arithmetic -------------------------------------------------------------------------------------------------===//

static Value emitAbs(ImplicitLocOpBuilder &b, ValueRange x) { return hypot({&b, x[0]}).value; }

// The real part as a product overflows only if the result does.
static Complex squareOf(Complex z) {
  Real re = z.re(), im = z.im(), product = re * im;
  return z.create(productOrZero(re - im, re + im), product + product);
}

// Half of both, where the sum of the parts of either may overflow.
static Complex quotientOf(Complex x, Complex y) {
  Real sum = (x.re().abs() + x.im().abs()) + (y.re().abs() + y.im().abs());
  const llvm::fltSemantics &semantics = cast<FloatType>(sum.value.getType()).getFloatSemantics();
  double limit = std::ldexp(1.0, APFloat::semanticsMaxExponent(semantics) - 1);
  Real scale = select(sum.compare(P::OGE, limit), sum.constant(0.5), sum.constant(1.0));
  auto scaled = [&](Complex z) { return z.create(z.re() * scale, z.im() * scale); };
  return x.with(complex::DivOp::create(*x.b, scaled(x).value, scaled(y).value));
}
static Value emitDivide(ImplicitLocOpBuilder &b, ValueRange x) {
  return quotientOf(Complex{&b, x[0]}, Complex{&b, x[1]}).value;
}

// z / |z| does not depend on the size of z: parts of at most 1 neither overflow nor lose bits.
static Complex signOf(Complex z) {
  Real re = z.re(), im = z.im(), large = largerOf(re, im);
  Value vanishes = isZero(re, im);
  Real divisor = select(vanishes, large.constant(1.0), large);
  Real x = re / divisor, y = im / divisor;
  Real modulus = (x * x + y * y).sqrt();
  return select(vanishes, z, z.create(x / modulus, y / modulus));
}

// sqrt((|x| + |z|) / 2) and y over twice that, in the order that depends on the sign of x. Small and large numbers are
// scaled by a power of 4, so that |z| neither overflows nor loses bits.
static Complex sqrtOf(Complex z) {
  Real re = z.re(), im = z.im(), large = largerOf(re, im);
  const llvm::fltSemantics &semantics = cast<FloatType>(re.value.getType()).getFloatSemantics();
  int maxExponent = APFloat::semanticsMaxExponent(semantics), shift = maxExponent / 4 * 2;
  Value isLarge = large.compare(P::OGE, std::ldexp(1.0, maxExponent - 2));
  Value isSmall = large.compare(P::OLT, std::ldexp(1.0, -shift));
  auto choose = [&](double ifLarge, double ifSmall) {
    return select(isLarge, re.constant(ifLarge), select(isSmall, re.constant(ifSmall), re.constant(1.0)));
  };
  Real scale = choose(0.25, std::ldexp(1.0, shift)), unscale = choose(2.0, std::ldexp(1.0, -shift / 2));
  Real x = re * scale, y = im * scale;
  Real root = ((x.abs() + hypot(z.create(x, y))) * 0.5).sqrt();
  Real other = y.abs() / (root * 2.0);
  root = root * unscale;
  other = other * unscale;
  Value left = re.compare(P::OLT, 0.0);
  Real real = select(left, other, root), imaginary = select(left, root, other).copySign(im);
  // Zero; an infinite part.
  Value vanishes = isZero(re, im);
  Value imInfinite = im.abs().compare(P::OEQ, kInfinity);
  Value flat = both(re.abs().compare(P::OEQ, kInfinity), im.abs().compare(P::OLT, kInfinity), *z.b);
  Real zero = re.constant(0.0), infinity = re.constant(kInfinity);
  real = select(both(flat, left, *z.b), zero, real);
  imaginary = select(flat, select(left, infinity, zero).copySign(im), imaginary);
  real = select(imInfinite, infinity, select(vanishes, zero, real));
  imaginary = select(either(vanishes, imInfinite, *z.b), im, imaginary);
  return z.create(real, imaginary);
}
static Complex rsqrtOf(Complex z) { return z.with(complex::DivOp::create(*z.b, z.constant(1).value, sqrtOf(z).value)); }

// The cube root of the modulus and a third of the angle. The modulus is taken of parts of at most 1, which neither
// overflows nor loses bits of small numbers.
static Complex cbrtOf(Complex z) {
  Real re = z.re(), im = z.im(), large = largerOf(re, im);
  Value usual = both(large.compare(P::OGT, 0.0), large.compare(P::OLT, kInfinity), *z.b);
  Real scale = select(usual, large, large.constant(1.0));
  Real root = hypot(z.create(re / scale, im / scale)).apply<math::CbrtOp>() * scale.apply<math::CbrtOp>();
  Real angle = im.apply<math::Atan2Op>(re) / 3.0;
  return z.create(productOrZero(angle.apply<math::CosOp>(), root), productOrZero(angle.apply<math::SinOp>(), root));
}

//===- Exponential functions --------------------------------------------------------------------------------------===//

// e^x (cos y + i sin y), with e^x in two halves because the product may be finite where e^x is not.
static Complex expOf(Complex z) {
  Real re = z.re(), im = z.im(), half = (re * 0.5).apply<math::ExpOp>();
  Real real = half * im.apply<math::CosOp>() * half, imaginary = half * im.apply<math::SinOp>() * half;
  imaginary = select(im.compare(P::OEQ, 0.0), im, imaginary);
  // An angle without meaning at infinity: 0 on the left, infinity with an unknown imaginary part on the right.
  Value unknown = both(re.abs().compare(P::OEQ, kInfinity), im.abs().compare(P::UEQ, kInfinity), *z.b);
  return z.create(select(unknown, half, real), select(unknown, half * 0.0, imaginary));
}

// e^x cos(y) - 1 = expm1(x) cos(y) - 2 sin(y / 2)^2, which does not cancel near 0; nothing cancels far from there.
static Complex expm1Of(Complex z) {
  Complex exp = expOf(z);
  Real re = z.re(), im = z.im(), sine = (im * 0.5).apply<math::SinOp>();
  Real real = re.apply<math::ExpM1Op>() * im.apply<math::CosOp>() - sine * sine * 2.0;
  return z.create(select(re.abs().compare(P::OGT, isF32(re) ? 20.0 : 40.0), exp.re() - 1.0, real), exp.im());
}

static Complex logOf(Complex z) {
  Real re = z.re(), im = z.im(), large = largerOf(re, im), small = smallerOf(re, im);
  Real excess = (large - 1.0) * (large + 1.0) + small * small;
  return z.create(logModulus(re, im, excess), im.apply<math::Atan2Op>(re));
}

static Complex log1pOf(Complex z) {
  Real re = z.re(), im = z.im(), sum = re + 1.0;
  Real excess = re * (re + 2.0) + im * im;
  return z.create(logModulus(sum, im, excess), im.apply<math::Atan2Op>(sum));
}

// 1 / (1 + e^-z) on the right, e^z / (1 + e^z) on the left: neither exponential is larger than 1.
static Complex logisticOf(Complex z) {
  Value left = z.re().compare(P::OLT, 0.0);
  Complex exp = expOf(select(left, z, -z));
  Complex one = z.constant(1);
  return z.with(complex::DivOp::create(*z.b, select(left, exp, one).value, (exp + one).value));
}

/// x^|n| for a whole n of at most 15, by squares: products of small whole numbers are exact, e^(n log(x)) is not.
static Complex wholePowerOf(Complex x, Real n) {
  // From the highest bit down.
  Real rest = n.abs();
  Value isSet = rest.compare(P::OGE, 8.0);
  Complex product = select(isSet, x, x.constant(1));
  for (double bit : {4.0, 2.0, 1.0}) {
    rest = select(isSet, rest - 2 * bit, rest);
    isSet = rest.compare(P::OGE, bit);
    product = product * product;
    product = select(isSet, product * x, product);
  }
  return product;
}

/// e^(y log(x)) for x other than 0.
static Complex generalPowerOf(Complex x, Complex y) {
  Complex log = logOf(x);
  Real c = y.re(), d = y.im(), theta = log.im(), spin = productOrZero(d, log.re());
  // Multiples of the angle of an x on an axis or a diagonal are known exactly: whole quarter turns are done apart.
  Real quarters = theta * (2 / kPi);
  Value isOnAxis = (quarters * 2.0).compare(P::OEQ, (quarters * 2.0).roundEven());
  quarters = productOrZero(c, quarters);
  Real whole = quarters.roundEven(), zero = c.constant(0.0);
  Real angle = select(isOnAxis, (quarters - whole) * (kPi / 2), c * theta) + spin;
  Real turn = select(isOnAxis, whole - (whole * 0.25).roundEven() * 4.0, zero);

  // |x|^Re(y) keeps more digits than the exponential of a large logarithm, but it, or |x|, overflows where the result
  // does not: then that in two halves.
  Real decay = -productOrZero(d, theta), growth = productOrZero(c, log.re()) + decay;
  Real modulus = hypot(x).apply<math::PowFOp>(c) * decay.apply<math::ExpOp>();
  Real half = (growth * 0.5).apply<math::ExpOp>(), one = c.constant(1.0);
  Value inRange = both(modulus.compare(P::OGT, 0.0), modulus.compare(P::OLT, kInfinity), *x.b);
  Value isWhole = both(inRange, angle.abs().compare(P::OLT, kInfinity), *x.b);
  Real first = select(isWhole, modulus, half), second = select(isWhole, one, half);
  auto scaled = [&](Real part) { return productOrZero(productOrZero(part, first), second); };
  Complex power = x.create(scaled(cosineBeside(growth, angle)), scaled(angle.apply<math::SinOp>()));
  Complex quarter = x.create(-(power.im() * turn), power.re() * turn);
  Value isOdd = turn.abs().compare(P::OEQ, 1.0), isHalf = turn.abs().compare(P::OEQ, 2.0);
  return select(isOdd, quarter, select(isHalf, -power, power));
}

static Complex powerOf(Complex x, Complex y) {
  Real c = y.re();
  Value isReal = y.im().compare(P::OEQ, 0.0);
  auto isExponent = [&](double value) { return both(isReal, c.compare(P::OEQ, value), *x.b); };
  Complex result = generalPowerOf(x, y);

  Complex whole = wholePowerOf(x, c);
  Real re = whole.re(), im = whole.im(), norm = re * re + im * im;
  whole = select(c.compare(P::OLT, 0.0), x.create(re / norm, -(im / norm)), whole);
  const llvm::fltSemantics &semantics = cast<FloatType>(c.value.getType()).getFloatSemantics();
  double smallest = APFloat::getSmallestNormalized(semantics).convertToDouble();
  Value inRange = both(norm.compare(P::OGT, smallest), norm.compare(P::OLT, kInfinity), *x.b);
  Value isWhole = both(c.abs().compare(P::OLE, 15.0), c.compare(P::OEQ, c.roundEven()), *x.b);
  result = select(both(both(isReal, isWhole, *x.b), inRange, *x.b), whole, result);
  result = select(isExponent(1.0), x, result);

  // 0, or the infinity of a pole, for exponents on either side; e^(y log(0)) has no angle.
  Value isBaseZero = isZero(x.re(), x.im());
  result = select(both(isBaseZero, c.compare(P::OGT, 0.0), *x.b), x.constant(0), result);
  result = select(both(isBaseZero, c.compare(P::OLT, 0.0), *x.b), x.constant(kInfinity, kNaN), result);
  result = select(c.compare(P::UNO, y.im()), x.constant(kNaN, kNaN), result);
  return select(isExponent(0.0), x.constant(1), result);
}

//===- Trigonometric and hyperbolic functions ---------------------------------------------------------------------===//

/// c cosh(x) + i s sinh(x). Where cosh and |sinh| are e^|x| / 2, that is applied in two halves.
static Complex scaledByCosh(Complex z, Real x, Real c, Real s) {
  Real magnitude = x.abs(), half = (magnitude * 0.5).apply<math::ExpOp>();
  Value isLarge = magnitude.compare(P::OGT, isF32(x) ? 20.0 : 40.0);
  Real real = productOrZero(c, half * 0.5), imaginary = productOrZero(s, (half * 0.5).copySign(x));
  real = select(isLarge, productOrZero(real, half), productOrZero(c, x.apply<math::CoshOp>()));
  imaginary = select(isLarge, productOrZero(imaginary, half), productOrZero(s, x.apply<math::SinhOp>()));
  return z.create(real, imaginary);
}
static Complex coshOf(Complex z) {
  Real re = z.re(), im = z.im();
  return scaledByCosh(z, re, cosineBeside(re, im), im.apply<math::SinOp>());
}
static Complex sinOf(Complex z) {
  Real re = z.re(), im = z.im();
  return scaledByCosh(z, im, re.apply<math::SinOp>(), cosineBeside(im, re));
}
static Complex cosOf(Complex z) { return coshOf(z.timesI()); }
static Complex sinhOf(Complex z) { return sinOf(z.timesI()).timesMinusI(); }

// W. Kahan, "Branch Cuts for Complex Elementary Functions" (1987): with t = tan(y) and s = sinh(x),
// ((1 + t^2) cosh(x) s + i t) / (1 + (1 + t^2) s^2); far from 0 the real part is 1 up to rounding.
static Complex tanhOf(Complex z) {
  Real re = z.re(), im = z.im(), magnitude = re.abs();
  Real t = im.apply<math::TanOp>(), s = re.apply<math::SinhOp>(), beta = t * t + 1.0;
  Real denominator = beta * s * s + 1.0;
  Real real = beta * re.apply<math::CoshOp>() * s / denominator, imaginary = t / denominator;
  Value isLarge = magnitude.compare(P::OGT, isF32(re) ? 11.0 : 22.0);
  Real decay = (magnitude * -2.0).apply<math::ExpOp>();
  Real sines = im.apply<math::SinOp>() * im.apply<math::CosOp>() * 4.0;
  // Only infinity has a tangent without an angle: 0 sines is NaN if there is none.
  Real one = re.constant(1.0), zero = re.constant(0.0);
  Value isInfinite = magnitude.compare(P::OEQ, kInfinity);
  real = select(isLarge, select(isInfinite, one, sines * 0.0 + 1.0).copySign(re), real);
  imaginary = select(isLarge, select(isInfinite, zero.copySign(sines), decay * sines), imaginary);
  return z.create(select(re.compare(P::OEQ, 0.0), re, real), select(im.compare(P::OEQ, 0.0), im, imaginary));
}
static Complex tanOf(Complex z) { return tanhOf(z.timesI()).timesMinusI(); }

//===- Their inverses ---------------------------------------------------------------------------------------------===//

/// Where 1 is nothing beside z^2: there the inverses are log(2 |z|) and an angle, and products of roots may overflow.
static Value isFar(Complex z) {
  Real large = largerOf(z.re(), z.im());
  return large.compare(P::OGT, isF32(large) ? 1e5 : 1e10);
}
static Real logOfTwice(Complex z) { return roughLogModulus(z.re(), z.im()) + std::log(2.0); }

/// Where z^2 is nothing beside 1: there the arc sine is z. False for NaN, like the next one.
static Value isTiny(Complex z) {
  Real sum = z.re().abs() + z.im().abs();
  return sum.compare(P::OLT, isF32(sum) ? 1e-4 : 1e-8);
}
static Value isImaginary(Complex z) { return z.re().compare(P::OEQ, 0.0); }

// Also Kahan's: the parts of sqrt(1 - z) and sqrt(1 + z) combine without cancellation.
static Complex asinOf(Complex z) {
  Real re = z.re(), im = z.im();
  Complex a = sqrtOf(z.create(1.0 - re, -im)), b = sqrtOf(z.create(re + 1.0, im));
  Real cosine = a.re() * b.re() - a.im() * b.im();
  Complex near = z.create(re.apply<math::Atan2Op>(cosine), (a.re() * b.im() - a.im() * b.re()).apply<math::AsinhOp>());
  Complex far = z.create(re.apply<math::Atan2Op>(im.abs()), logOfTwice(z).copySign(im));
  Complex result = select(isTiny(z), z, select(isFar(z), far, near));
  return z.create(select(isImaginary(z), re, result.re()), result.im());
}
static Complex acosOf(Complex z) {
  Real re = z.re(), im = z.im();
  Complex a = sqrtOf(z.create(1.0 - re, -im)), b = sqrtOf(z.create(re + 1.0, im));
  Complex near =
      z.create(a.re().apply<math::Atan2Op>(b.re()) * 2.0, (b.re() * a.im() - b.im() * a.re()).apply<math::AsinhOp>());
  Complex far = z.create(im.abs().apply<math::Atan2Op>(re), logOfTwice(z).copySign(-im));
  Complex result = select(isFar(z), far, near);
  return z.create(select(isImaginary(z), re.constant(kPi / 2), result.re()), select(isTiny(z), -im, result.im()));
}
static Complex asinhOf(Complex z) { return asinOf(z.timesI()).timesMinusI(); }
static Complex acoshOf(Complex z) {
  Real re = z.re(), im = z.im();
  Complex a = sqrtOf(z.create(re - 1.0, im)), b = sqrtOf(z.create(re + 1.0, im));
  Complex near =
      z.create((a.re() * b.re() + a.im() * b.im()).apply<math::AsinhOp>(), a.im().apply<math::Atan2Op>(b.re()) * 2.0);
  Complex result = select(isFar(z), z.create(logOfTwice(z), im.apply<math::Atan2Op>(re)), near);
  return z.create(select(isTiny(z), im.abs(), result.re()),
                  select(isImaginary(z), re.constant(kPi / 2).copySign(im), result.im()));
}

// log1p(4 x / |1 - z|^2) / 4, or log(2 / |1 - z|) / 2 at the pole, and half the angle of 1 - |z|^2 + 2 i y.
static Complex atanhOf(Complex z) {
  Real re = z.re(), im = z.im(), x = re.abs(), y = im.abs(), toOne = 1.0 - x;
  Real distance = hypot(z.create(toOne, y));
  Real general = (x / distance * 4.0 / distance).apply<math::Log1pOp>() * 0.25;
  Real atPole = (std::log(2.0) - distance.apply<math::LogOp>()) * 0.5;
  Real real = select(distance.compare(P::OLT, isF32(re) ? 1e-8 : 1e-17), atPole, general);
  Real angle = im.apply<math::Atan2Op>((toOne * (x + 1.0) - y * y) * 0.5);
  // At infinity neither quotient has a value.
  Value infinite = largerOf(re, im).compare(P::OEQ, kInfinity);
  real = select(infinite, re.constant(0.0), real);
  angle = select(both(infinite, im.compare(P::ORD, im), *z.b), re.constant(kPi).copySign(im), angle);
  return z.create(select(isImaginary(z), re, real.copySign(re)), angle * 0.5);
}
static Complex atanOf(Complex z) { return atanhOf(z.timesI()).timesMinusI(); }

// -i log((x + i y) / sqrt(x^2 + y^2)). The angle does not depend on the size: parts of at most 1 have squares that do
// not overflow.
static Complex atan2Of(Complex lhs, Complex rhs) {
  Real large = largerOf(largerOf(lhs.re(), lhs.im()), largerOf(rhs.re(), rhs.im()));
  Value usual = both(large.compare(P::OGT, 0.0), large.compare(P::OLT, kInfinity), *lhs.b);
  Real divisor = select(usual, large, large.constant(1.0));
  auto scaled = [&](Complex z) { return z.create(z.re() / divisor, z.im() / divisor); };
  Complex y = scaled(lhs), x = scaled(rhs);
  return logOf(quotientOf(x + y.timesI(), sqrtOf(squareOf(x) + squareOf(y)))).timesMinusI();
}

//===- The table --------------------------------------------------------------------------------------------------===//

// By the real parts and, where these are equal, by the imaginary ones. A NaN that decides is the result: like the
// extremum of real numbers, this does not depend on the order of the operands.
template <typename ExtremumOp, P wins> static Value extremum(ImplicitLocOpBuilder &b, ValueRange x) {
  Complex l{&b, x[0]}, r{&b, x[1]};
  Real lre = l.re(), rre = r.re(), lim = l.im(), rim = r.im(), re = lre.apply<ExtremumOp>(rre);
  Real im = select(lre.compare(wins, rre), lim, rim);
  im = select(lre.compare(P::OEQ, rre), lim.apply<ExtremumOp>(rim), im);
  return l.create(re, select(lre.compare(P::UNO, rre), re, im)).value;
}

Value mlir::xla::emitComplexOp(ImplicitLocOpBuilder &b, StringRef mnemonic, ValueRange operands) {
  static const llvm::StringMap<Form> forms = {
      {"abs", emitAbs},
      {"acos", formula<acosOf>},
      {"acosh", formula<acoshOf>},
      {"add", binary<complex::AddOp>},
      {"asin", formula<asinOf>},
      {"asinh", formula<asinhOf>},
      {"atan", formula<atanOf>},
      {"atan2", inDouble<atan2Of>},
      {"atanh", formula<atanhOf>},
      {"cbrt", formula<cbrtOf>},
      {"conj", unary<complex::ConjOp>},
      {"cosh", formula<coshOf>},
      {"cosine", formula<cosOf>},
      {"divide", emitDivide},
      {"exponential", formula<expOf>},
      {"exponential_minus_one", formula<expm1Of>},
      {"imag", part<complex::ImOp>},
      {"log", formula<logOf>},
      {"log_plus_one", formula<log1pOf>},
      {"logistic", formula<logisticOf>},
      {"maximum", extremum<arith::MaximumFOp, P::OGT>},
      {"minimum", extremum<arith::MinimumFOp, P::OLT>},
      {"multiply", binary<complex::MulOp>},
      {"negate", unary<complex::NegOp>},
      {"power", inDouble<powerOf>},
      {"real", part<complex::ReOp>},
      {"rsqrt", formula<rsqrtOf>},
      {"sign", formula<signOf>},
      {"sine", formula<sinOf>},
      {"sinh", formula<sinhOf>},
      {"sqrt", formula<sqrtOf>},
      {"square", formula<squareOf>},
      {"subtract", binary<complex::SubOp>},
      {"tan", formula<tanOf>},
      {"tanh", formula<tanhOf>},
  };
  auto form = forms.find(mnemonic);
  return form == forms.end() ? Value() : form->second(b, operands);
}
