// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hyperbolic functions and their inverses.

#include "mlir_xla/lowering/math/Hyperbolic.h"

#include "mlir_xla/lowering/math/ExpLog.h"

#include <limits>

using namespace mlir;
using namespace mlir::xla;

// ((e^(2 r) - 1) / 2 - r) / r^2 on |r| <= log(2) / 4.
static constexpr double kHalfExpm1[] = {0.0446100906, 0.133862481, 0.333331227, 0.666661799, 1.0};
// (tanh(x) / x - 1) / z as P / Q with x = sqrt(z), on |x| <= 5/8.
static constexpr double kTanhP[] = {-0.0001991780435861287, -0.020498799708498872, -0.3333333333333333};
static constexpr double kTanhQ[] = {0.0002065337374875025, 0.02329133187629886, 0.4614963991254931, 1.0};
// (sinh(x) / x - 1) / z with x = sqrt(z), on |x| <= 1.
static constexpr double kSinh32[] = {0.00020362947543617338, 0.00833039078861475, 0.1666671335697174};
static constexpr double kSinh64[] = {7.746178593018827e-13,  1.6057679623801638e-10, 2.5052117695907823e-08,
                                     2.7557319191381816e-06, 0.00019841269841324198, 0.008333333333333299,
                                     0.16666666666666666};

// (atanh(x) / x - 1) / z with x = sqrt(z), on |x| <= 1/2.
static constexpr double kAtanh[] = {0.1751740276813507,  0.05234149843454361, 0.11800476908683777,
                                    0.14225193858146667, 0.20002411305904388, 0.33333301544189453};

// (acosh(1 + t) / sqrt(2 t) - 1) / t on 0 <= t <= 1/2.
static constexpr double kAcosh[] = {-0.000415291462559253, 0.0017624282045289874, -0.00554880453273654,
                                    0.018746748566627502, -0.08333322405815125};

/// The quotient h / (h + 1) of h = (e^(2 a) - 1) / 2, for an f32 a that is not negative.
static Real tanhOfSingle(Real a) {
  // a = n log(2) / 2 + r. The result rounds to 1 from 10 on.
  Real limited = a.atMost(10.0);
  constexpr double shift = 0x1.8p23 + 127;
  Real shifted = mulAdd(limited, 2.8853900817779268, shift), n = shifted - shift;
  Real r = fma(n, -0.34657359027997264, limited), square = normalSquare(r);
  Real power = (shifted.bits() << 23).asReal(), near = mulAdd(square, hornerOfPairs(r, square, kHalfExpm1), r);
  Real half = mulAdd(near, power, mulAdd(power, 0.5, -0.5)), quotient = half / (half + 1.0);
  // The quotient has three roundings; h - h q is closer where h q is small beside h, and where n = 1 and r < 0 cancel.
  Real result = select(half < 0.34375, fma(-half, quotient, half), quotient);
  // No tanh is greater than its argument; that of a small one would be by what the square has more.
  return select(a < result, a, result);
}

Real mlir::xla::emitTanh(Real x) {
  Real a = x.abs();
  if (!x.isDouble())
    return tanhOfSingle(a).withSignOf(x, a);
  Real z = normalSquare(a);
  Value isNear = a < 0.625;
  // The result rounds to 1 from 20 on.
  Real exp = emitNormalExp((a + a).atMost(40.0));
  Real numerator = select(isNear, z * horner(z, kTanhP), x.constant(2.0));
  Real quotient = numerator / select(isNear, horner(z, kTanhQ), exp + 1.0);
  return select(isNear, mulAdd(a, quotient, a), 1.0 - quotient).withSignOf(x, a);
}

Real mlir::xla::emitSinh(Real x) {
  Real a = x.abs(), z = normalSquare(a);
  Real near = mulAddOdd(a, z, a.isDouble() ? horner(z, kSinh64) : horner(z, kSinh32), a);
  // e^a may overflow where its half does not.
  Real half = emitHalfExp(a);
  return select(a < 1.0, near, half - 0.25 / half).withSignOf(x, a);
}

Real mlir::xla::emitCosh(Real x) {
  Real half = emitHalfExp(x.abs());
  return half + 0.25 / half;
}

Real mlir::xla::emitAtanh(Real x) {
  Real a = x.abs(), far = emitLog1p((a + a) / (1.0 - a)) * 0.5;
  if (x.isDouble())
    return far.copySign(x);
  // Here the difference, the quotient and the logarithm would be rounded by 2 ulp together.
  Real z = normalSquare(a), near = mulAddOdd(a, z, horner(z, kAtanh), a);
  return select(a < 0.5, near, far).copySign(x);
}

// From here on squares count for nothing beside or in a root, and may overflow: log(2) is missing.
static constexpr double kLargeRoot = 4096.0;

/// log(1 + u), where u is a number of the size of `large`, or log(2 large).
static Real logOfRoot(Value isLarge, Real large, Real u) {
  return emitLog1p(select(isLarge, large - 1.0, u)) + select(isLarge, u.constant(0.6931471805599453), u.constant(0.0));
}

Real mlir::xla::emitAsinh(Real x) {
  // log(a + root) as log1p(a + (root - 1)); root - 1 = a^2 / (root + 1) does not cancel.
  Real a = x.abs(), root = mulAdd(a, a, 1.0).sqrt();
  return logOfRoot(a > kLargeRoot, a, mulAdd(a, a / (root + 1.0), a)).copySign(x);
}

Real mlir::xla::emitAcosh(Real x) {
  Real t = x - 1.0;
  // Below -1 the square is positive again.
  t = select(t < 0.0, t.constant(std::numeric_limits<double>::quiet_NaN()), t);
  Value isNear = t < 0.5;
  Real twice = t + t, root = select(isNear, twice, mulAdd(t, t, twice)).sqrt();
  // Here the roundings of root, sum and logarithm would be 2 ulp together.
  Real near = mulAdd(root * t, horner(t, kAcosh), root);
  return select(isNear, near, logOfRoot(x > kLargeRoot, x, t + root));
}

//===- Inverses of f64 --------------------------------------------------------------------------------------------===//

/// log(a + sqrt(a^2 + c)) for c = 1 or -1 and a >= 0 that is at least sqrt(-c), in two parts.
static Real logOfHyperbola(Real a, double c) {
  // From here on the root is a itself, and the square may overflow: log(2) is missing.
  Value isLarge = a > 0x1p30;
  Real limited = select(isLarge, a.constant(2.0), a);
  Pair square = twoProduct(limited, limited), sum = twoSum(square.high, a.constant(c));
  Real low = sum.low + square.low, root = sum.high.sqrt();
  Real rest = (fma(-root, root, sum.high) + low) / select(root == 0.0, root.constant(1.0), root + root);
  Pair argument = twoSum(limited, root);
  argument.low = argument.low + rest;
  argument = fastTwoSum(argument.high, argument.low);
  Real zero = a.constant(0.0);
  Pair log = emitLogPair(select(isLarge, a, argument.high), select(isLarge, zero, argument.low));
  log = log + select(isLarge, Pair{a.constant(0.6931471805599453), a.constant(2.3190468138462996e-17)}, {zero, zero});
  return log.high;
}

Real mlir::xla::emitPreciseAsinh(Real x) {
  Real a = x.abs();
  // asinh(a) = a - a^3 / 6 + ...; NaN is no small or finite number.
  constexpr double small = 0x1p-28;
  Value isRegular = both(x, a > small, a < std::numeric_limits<double>::infinity());
  return select(isRegular, logOfHyperbola(a.atLeast(small), 1.0).copySign(x), x);
}

Real mlir::xla::emitPreciseAcosh(Real x) {
  Real special = select(x < 1.0, x.constant(std::numeric_limits<double>::quiet_NaN()), x);
  Value isRegular = both(x, x.compare(Real::P::OGE, x.constant(1.0)), x < std::numeric_limits<double>::infinity());
  return select(isRegular, logOfHyperbola(x, -1.0), special);
}
