// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Trigonometric functions and their inverses.

#include "mlir_xla/lowering/math/Trigonometry.h"

#include "mlir_xla/lowering/math/Branches.h"

#include <limits>

using namespace mlir;
using namespace mlir::xla;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();
static constexpr double kPi = 3.14159265358979323846;
// pi/2 as the sum of two f64.
static constexpr double kHalfPi = 1.5707963267948966, kHalfPiLow = 6.123233995736766e-17;
// The same as the sum of three f32.
static constexpr double kHalfPi32 = 0x1.921fb6p+0, kHalfPiLow32 = -0x1.777a5cp-25,
                        kHalfPiLowest32 = -1.7151245100058819e-15;

//===- Sine, cosine, tangent --------------------------------------------------------------------------------------===//

// (sin(x) / x - 1) / z and (cos(x) - 1 + z / 2) / z^2 with x = sqrt(z), on |x| <= pi/4.
static constexpr double kSin32[] = {-0.000195866058, 0.00833274238, -0.166666642};
static constexpr double kCos32[] = {2.45466545e-05, -0.00138882967, 0.0416666642};
static constexpr double kSin64[] = {-2.480438374989974e-08, 2.7555977373119763e-06, -0.00019841266872067172,
                                    0.008333333331032916, -0.16666666666663815};
static constexpr double kCos64[] = {2.0699704774520154e-09, -2.7556360000924494e-07, 2.480158517886821e-05,
                                    -0.0013888888887244228, 0.041666666666664624};

// Bits of 1 / (2 pi), 29 to a number, so that the product with an f32 is exact. The bits before the 18th make whole
// turns of any f32 from 2^40 on; those after the last are below 2^-62 turns of the largest.
static constexpr double kTurns[] = {406250724 * 0x1p-46,  136991736 * 0x1p-75,  165016701 * 0x1p-104,
                                    161934854 * 0x1p-133, 459445657 * 0x1p-162, 126382600 * 0x1p-191};

namespace {
/// x = quadrant * pi/2 + rest, with the quadrant modulo 4 in its low bits.
struct Angle {
  Bits quadrant;
  Real rest;
};
} // namespace

/// For |x| < 2^40.
static Angle reduceNearAngle(Real x) {
  constexpr double shift = 0x1.8p52;
  // The product with kHalfPi is exact where it is cancelled, so that only kHalfPiLow limits the range.
  Real shifted = mulAdd(x, 2 / kPi, shift);
  Real n = shifted - shift;
  return {shifted.bits(), mulAdd(n, -kHalfPiLow, fma(n, -kHalfPi, x))};
}

/// For |x| >= 2^40, after Payne and Hanek.
static Angle reduceFarAngle(Real x) {
  constexpr double shift = 0x1.8p52;
  SmallVector<Real> turns;
  for (double part : kTurns) {
    Real product = x * part;
    turns.push_back(product - product.roundEven());
  }
  Real sum = turns.back();
  for (Real part : llvm::reverse(ArrayRef<Real>(turns).drop_back()))
    sum = sum + part;
  Real shifted = mulAdd(sum, 4.0, shift);
  Real rest = mulAdd(shifted - shift, -0.25, turns[0]);
  for (Real part : ArrayRef<Real>(turns).drop_front())
    rest = rest + part;
  return {shifted.bits(), rest * (2 * kPi)};
}

/// Large angles are rare: they cost a branch, taken if any lane needs it.
static Angle reduceAngle(Real single) {
  Real x = single.toDouble();
  Value isFar = x.abs().compare(Real::P::OGE, x.constant(0x1p40));
  Angle near = reduceNearAngle(x);
  SmallVector<Value> values = ifAny(*x.b, isFar, {near.quadrant.value, near.rest.value}, [&](ImplicitLocOpBuilder &b) {
    Angle far = reduceFarAngle({&b, x.value});
    Value quadrant = arith::SelectOp::create(b, isFar, far.quadrant.value, near.quadrant.value);
    Value rest = arith::SelectOp::create(b, isFar, far.rest.value, near.rest.value);
    return SmallVector<Value>{quadrant, rest};
  });
  return {near.quadrant.with(values[0]), near.rest.with(values[1])};
}

static Real sinOfRest(Real r, Real z, ArrayRef<double> coefficients) {
  return mulAddOdd(r, z, horner(z, coefficients), r);
}
static Real cosOfRest(Real z, ArrayRef<double> coefficients) {
  return mulAdd(z * z, horner(z, coefficients), mulAdd(z, -0.5, 1.0));
}

/// For |x| < 2^16, after Cody and Waite: the first difference is exact, the second one is rounded once, as its product
/// is not, and what the third part takes away counts only where hardly anything is left.
static Angle reduceSmallAngle(Real x) {
  constexpr double shift = 0x1.8p23;
  Real shifted = mulAdd(x, 2 / kPi, shift);
  Real n = shifted - shift;
  Real rest = fma(n, -kHalfPiLow32, fma(n, -kHalfPi32, x));
  return {shifted.bits(), mulAdd(n, -kHalfPiLowest32, rest)};
}

/// The angle in f32, with the quadrant as i32. Large angles are rare, as above.
static Angle reduceToSingle(Real x) {
  Value isLarge = x.abs().compare(Real::P::OGE, x.constant(0x1p16));
  Angle small = reduceSmallAngle(x);
  SmallVector<Value> values =
      ifAny(*x.b, isLarge, {small.quadrant.value, small.rest.value}, [&](ImplicitLocOpBuilder &b) {
        Angle large = reduceAngle({&b, x.value});
        Type i32 = withElement(x.value.getType(), b.getI32Type());
        Value quadrant = arith::TruncIOp::create(b, i32, large.quadrant.value);
        return SmallVector<Value>{arith::SelectOp::create(b, isLarge, quadrant, small.quadrant.value),
                                  arith::SelectOp::create(b, isLarge, large.rest.toSingle().value, small.rest.value)};
      });
  return {small.quadrant.with(values[0]), small.rest.with(values[1])};
}

/// A scalar is often a step of a loop that waits for it: a small angle needs no reduction.
static Angle reduceScalar(Real x) {
  auto branch = scf::IfOp::create(
      *x.b, x.abs() < kPi / 4,
      [&](OpBuilder &b, Location loc) {
        ImplicitLocOpBuilder inner(loc, b);
        scf::YieldOp::create(b, loc, {Bits{&inner, x.bits().value}.constant(0).value, x.value});
      },
      [&](OpBuilder &b, Location loc) {
        ImplicitLocOpBuilder inner(loc, b);
        Angle angle = reduceToSingle({&inner, x.value});
        scf::YieldOp::create(b, loc, {angle.quadrant.value, angle.rest.value});
      });
  return {x.bits().with(branch.getResult(0)), x.with(branch.getResult(1))};
}

/// sin(x + quarterTurns * pi/2).
static Real sinOfShifted(Real x, int64_t quarterTurns) {
  Angle angle = isa<VectorType>(x.value.getType()) ? reduceToSingle(x) : reduceScalar(x);
  Real r = angle.rest, z = normalSquare(r);
  Bits quadrant = angle.quadrant;
  if (quarterTurns)
    quadrant = quadrant + quarterTurns;
  Real sine = select((quadrant & 1).equals(0), sinOfRest(r, z, kSin32), cosOfRest(z, kCos32));
  return (sine.bits() ^ ((quadrant & 2) << 30)).asReal();
}

Real mlir::xla::emitSin(Real x) { return select(x == 0.0, x, sinOfShifted(x, 0)); }
Real mlir::xla::emitCos(Real x) { return sinOfShifted(x, 1); }

Real mlir::xla::emitTan(Real x) {
  Angle angle = reduceAngle(x);
  Real z = angle.rest * angle.rest;
  Real sine = sinOfRest(angle.rest, z, kSin64), cosine = cosOfRest(z, kCos64);
  // tan(r + pi/2) = -cos(r) / sin(r).
  Value isEven = (angle.quadrant & 1).equals(0);
  Real tangent = select(isEven, sine, -cosine) / select(isEven, cosine, sine);
  return select(x == 0.0, x, tangent.toSingle());
}

//===- Inverses ---------------------------------------------------------------------------------------------------===//

// (atan(q) / q - 1) / z with q = sqrt(z), on 0 <= q <= 1.
static constexpr double kAtan[] = {0.00148869194, -0.00914462976, 0.0263050011, -0.048960514, 0.0703191425,
                                   -0.0893182678, 0.110882616,    -0.142840038, 0.199999493,  -0.333333331};
// The same, on 0 <= q <= 0.5464.
static constexpr double kPreciseAtan[] = {
    -0.004801801088148702, 0.0159267725998536,   -0.028031191669645288, 0.03685093133319335,  -0.04267682941553798,
    0.04746968399535013,   -0.05261121133784083, 0.058821515766044594,  -0.06666652504501636, 0.07692307005921817,
    -0.09090909069112679,  0.11111111110692971,  -0.14285714285710074,  0.19999999999999984,  -0.3333333333333333};

static Real atanOf(Real ratio, ArrayRef<double> polynomial) {
  Real z = normalSquare(ratio);
  return mulAddOdd(ratio, z, hornerOfPairs(z, z * z, polynomial), ratio);
}

/// The angle of a point, given that to the nearest axis. With one rounding, and exact on the axis.
static Real fromNearestAxis(Real angle, Value isSteep, Real y, Real x) {
  Value isLeft = x.constant(1.0).copySign(x) < 0.0;
  auto axis = [&](double steep) {
    return select(isSteep, x.constant(steep), select(isLeft, x.constant(2 * steep), x.constant(0.0)));
  };
  angle = select(arith::XOrIOp::create(*x.b, isSteep, isLeft), -angle, angle);
  angle = axis(x.isDouble() ? kHalfPi : kHalfPi32) + (angle + axis(x.isDouble() ? kHalfPiLow : kHalfPiLow32));
  return select(x.compare(Real::P::UNO, y), x + y, angle.copySign(y));
}

Real mlir::xla::emitAtan2(Real y, Real x) {
  Real ay = y.abs(), ax = x.abs(), zero = x.constant(0.0), one = x.constant(1.0);
  Value isSteep = ay > ax;
  Real large = select(isSteep, ay, ax), small = select(isSteep, ax, ay);
  // 0 / 0 stands for the angle 0, and both infinite for the diagonal.
  Real ratio = select(large == 0.0, zero, select(small == kInfinity, one, small / large));
  return fromNearestAxis(atanOf(ratio, kAtan), isSteep, y, x);
}

Real mlir::xla::emitAtan(Real x) {
  Real a = x.abs(), one = x.constant(1.0);
  Value isSteep = a > one;
  Real angle = atanOf(select(isSteep, one, a) / select(isSteep, a, one), kAtan);
  return select(isSteep, (kHalfPiLow32 - angle) + kHalfPi32, angle).withSignOf(x, a);
}

// From here on atan(q) is pi/4 + atan((q - 1) / (q + 1)): beyond tan(1/2) the result has the same digits as the two
// numbers that it is the difference of.
static constexpr double kWide = 0.5463024898437905;

static Real preciseRatio(Value isWide, Real small, Real large) {
  return select(isWide, small - large, small) / select(isWide, small + large, large);
}

static Real preciseAngle(Value isWide, Real ratio) {
  Real angle = atanOf(ratio, kPreciseAtan);
  return select(isWide, (angle + kHalfPiLow / 2) + kHalfPi / 2, angle);
}

Real mlir::xla::emitPreciseAtan2(Real y, Real x) {
  Real ay = y.abs(), ax = x.abs();
  Value isSteep = ay > ax;
  Real large = select(isSteep, ay, ax), small = select(isSteep, ax, ay);
  Value isZero = large == 0.0, isDiagonal = both(x, small == kInfinity, large == kInfinity);
  // Their sum must not overflow.
  Real scale = select(large > 0x1p1020, large.constant(0.25), large.constant(1.0));
  large = large * scale;
  small = small * scale;
  Value isWide = either(x, isDiagonal, small > large * kWide);
  // 0 / 0 stands for the angle 0, and both infinite for pi/4.
  Real ratio = select(either(x, isZero, isDiagonal), x.constant(0.0), preciseRatio(isWide, small, large));
  return fromNearestAxis(preciseAngle(isWide, ratio), isSteep, y, x);
}

Real mlir::xla::emitPreciseAtan(Real x) {
  Real a = x.abs(), one = x.constant(1.0);
  Value isSteep = a > one;
  Real large = select(isSteep, a, one), small = select(isSteep, one, a);
  Value isWide = small > large * kWide;
  Real angle = preciseAngle(isWide, preciseRatio(isWide, small, large));
  return select(isSteep, (kHalfPiLow - angle) + kHalfPi, angle).withSignOf(x, a);
}
