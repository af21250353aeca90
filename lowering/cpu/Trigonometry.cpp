// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Trigonometric functions and their inverses.

#include "mlir_xla/lowering/cpu/ElementaryFunctions.h"

#include <limits>

using namespace mlir;
using namespace mlir::xla;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();
static constexpr double kPi = 3.14159265358979323846;
// pi/2 as the sum of two f64.
static constexpr double kHalfPi = 1.5707963267948966, kHalfPiLow = 6.123233995736766e-17;

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
/// x = quadrant * pi/2 + rest, in f64, with the quadrant modulo 4 in its low bits.
struct Angle {
  Bits quadrant;
  Real rest;
};
} // namespace

static Angle reduceAngle(Real single) {
  constexpr double shift = 0x1.8p52;
  Real x = single.toDouble();
  // The product with kHalfPi is exact where it is cancelled, so that only kHalfPiLow limits the range.
  Real shifted = fma(x, 2 / kPi, shift);
  Real n = shifted - shift;
  Real rest = fma(n, -kHalfPiLow, fma(n, -kHalfPi, x));

  SmallVector<Real> turns;
  for (double part : kTurns) {
    Real product = x * part;
    turns.push_back(product - product.roundEven());
  }
  Real sum = turns.back();
  for (Real part : llvm::reverse(ArrayRef<Real>(turns).drop_back()))
    sum = sum + part;
  Real farShifted = fma(sum, 4.0, shift);
  Real farRest = fma(farShifted - shift, -0.25, turns[0]);
  for (Real part : ArrayRef<Real>(turns).drop_front())
    farRest = farRest + part;

  Value isNear = x.abs() < 0x1p40;
  return {select(isNear, shifted, farShifted).bits(), select(isNear, rest, farRest * (2 * kPi))};
}

static Real sinOfRest(Real r, Real z, ArrayRef<double> coefficients) { return fma(r * z, horner(z, coefficients), r); }
static Real cosOfRest(Real z, ArrayRef<double> coefficients) {
  return fma(z * z, horner(z, coefficients), fma(z, -0.5, 1.0));
}

/// sin(x + quarterTurns * pi/2).
static Real sinOfShifted(Real x, int64_t quarterTurns) {
  Angle angle = reduceAngle(x);
  Real r = angle.rest.toSingle(), z = r * r;
  Bits quadrant = x.bits().with(
      arith::TruncIOp::create(*x.b, withElement(x.value.getType(), x.b->getI32Type()), angle.quadrant.value));
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

// atan(q) / q with q = sqrt(z), on 0 <= q <= 1.
static constexpr double kAtan[] = {-8.26799581633715e-06,  9.978410811953032e-05,
                                   -0.0005727925781292097, 0.002090633535263676,
                                   -0.005484778971809356,  0.011122014669752633,
                                   -0.018386836817918875,  0.0259471057039563,
                                   -0.03264116292977077,   0.038129809754225044,
                                   -0.042828645702794474,  0.0474370596643217,
                                   -0.05259103789485882,   0.05881647236717415,
                                   -0.06666572806289763,   0.07692298432985685,
                                   -0.09090908440338843,   0.11111111080383854,
                                   -0.14285714284820428,   0.19999999999986157,
                                   -0.3333333333333325,    1.0};

Real mlir::xla::emitAtan2(Real y, Real x) {
  Real ay = y.abs(), ax = x.abs();
  Value isSteep = ay > ax;
  Real large = select(isSteep, ay, ax), small = select(isSteep, ax, ay);
  Real ratio = small / large;
  // 0 / 0 stands for the angle 0, inf / inf for pi/4; NaN is not equal.
  Value isZero = large == 0.0, isInfinite = small == kInfinity;
  ratio = select(isZero, x.constant(0.0), select(isInfinite, x.constant(1.0), ratio));
  Real z = ratio * ratio;
  Real angle = ratio * horner(z, kAtan);
  angle = select(isSteep, kHalfPi - (angle - kHalfPiLow), angle);
  Value isLeft = x.constant(1.0).copySign(x) < 0.0;
  angle = select(isLeft, kPi - (angle - 2 * kHalfPiLow), angle);
  // A NaN x would be lost where the comparison chose it as the smaller of none.
  angle = select(x.compare(Real::P::UNO, y), x + y, angle);
  return select(x.compare(Real::P::UNO, y), angle, angle.copySign(y));
}

Real mlir::xla::emitAtan(Real x) { return emitAtan2(x, x.constant(1.0)); }

Real mlir::xla::emitAsin(Real x) { return emitAtan2(x, ((1.0 - x) * (x + 1.0)).sqrt()); }
Real mlir::xla::emitAcos(Real x) { return emitAtan2(((1.0 - x) * (x + 1.0)).sqrt(), x); }
