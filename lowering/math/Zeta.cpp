// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The Hurwitz zeta function and the derivatives of digamma, which are zeta times a factorial.

#include "mlir_xla/lowering/math/Zeta.h"

#include "mlir_xla/lowering/math/Branches.h"
#include "mlir_xla/lowering/math/ExpLog.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include <limits>

using namespace mlir;
using namespace mlir::xla;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();
static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// B(2k) / (2k)! for k = 1, 2, ...: with 14 of them, what the expansion behind the seventh term leaves out is below
// 2^-53 of the sum, for all s and q.
static constexpr double kEulerMaclaurin[] = {0.08333333333333333,    -0.001388888888888889,   3.306878306878307e-05,
                                             -8.267195767195768e-07, 2.08767569878681e-08,    -5.284190138687493e-10,
                                             1.3382536530684679e-11, -3.3896802963225827e-13, 8.586062056277845e-15,
                                             -2.174868698558062e-16, 5.5090028283602295e-18,  -1.3954464685812522e-19,
                                             3.534707039629467e-21,  -8.953517427037546e-23};
static constexpr int kTerms = 7;
// B(2k) / (2k (2k - 1)): Stirling's series from 8 on.
static constexpr double kStirling[] = {
    -1.3924322169059011,   0.17964437236883057,    -0.029550653594771242, 0.00641025641025641,   -0.0019175269175269176,
    0.0008417508417508417, -0.0005952380952380953, 0.0007936507936507937, -0.002777777777777778, 0.08333333333333333};

/// The sum over n >= 0 of e^logFactor (u + n)^-s for u > 0, s > 1: some terms, and Euler's and Maclaurin's integral,
/// half term and derivatives for the others. Exponents are in two parts: s multiplies the error of a logarithm.
static Real sumOfPowers(Real s, Pair logFactor, Pair u) {
  ImplicitLocOpBuilder &b = *s.b;
  Real zero = s.constant(0.0);
  auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(b, value); };
  // Carries the sum in two parts, the term before this one, and n.
  auto loop = scf::ForOp::create(
      b, index(0), index(kTerms + 1), index(1), ValueRange{zero.value, zero.value, zero.value, zero.value},
      [&](OpBuilder &builder, Location loc, Value, ValueRange carried) {
        ImplicitLocOpBuilder inner(loc, builder);
        auto here = [&](Real x) -> Real { return {&inner, x.value}; };
        Real term{&inner, carried[2]}, n{&inner, carried[3]};
        Pair sum = twoSum({&inner, carried[0]}, term);
        Real low = Real{&inner, carried[1]} + sum.low;
        Pair at = twoSum(here(u.high), n);
        at.low = at.low + here(u.low);
        Pair factor{here(logFactor.high), here(logFactor.low)};
        // The last one times u + n, which may be normal where it is not.
        Real exponent = select(n == kTerms, here(s) - 1.0, here(s));
        term = emitExpOfPair(factor - emitLogPair(at.high, at.low) * exponent);
        scf::YieldOp::create(builder, loc, {sum.high.value, low.value, term.value, (n + 1.0).value});
      });
  Real head = s.with(loop.getResult(0)), low = s.with(loop.getResult(1)), term = s.with(loop.getResult(2));

  Real inverse = 1.0 / (u.high + kTerms);
  Real derivatives = s.constant(kEulerMaclaurin[std::size(kEulerMaclaurin) - 1]);
  for (int k = std::size(kEulerMaclaurin) - 2; k >= 0; --k) {
    Real step = ((s + (2 * k + 1)) * inverse) * ((s + (2 * k + 2)) * inverse);
    derivatives = mulAdd(derivatives, step, kEulerMaclaurin[k]);
  }
  // Next to the error of the last term, that of the factor is small: it is in two parts.
  Real integral = 1.0 / (s - 1.0), integralLow = fma(-integral, s - 1.0, 1.0) * integral;
  Pair factor = twoSum(integral, mulAdd(derivatives, s * inverse, 0.5) * inverse);
  factor.low = factor.low + integralLow;
  Pair tail = twoProduct(term, factor.high);
  tail.low = mulAdd(term, factor.low, tail.low);
  // The derivatives overflow only beside a term that vanishes.
  Value vanishes = term == 0.0;
  tail = select(vanishes, Pair{zero, zero}, tail);
  Pair sum = twoSum(head, tail.high);
  // An infinite sum has no low part.
  return select(sum.high.abs() == kInfinity, sum.high, sum.high + (sum.low + (tail.low + low)));
}

/// The sum of e^logFactor (q + n)^-s over n >= 0 for s > 1 and any q, with the special values of zeta.
static Real zetaTimes(Pair logFactor, Real s, Real q) {
  ImplicitLocOpBuilder &b = *s.b;
  Real zero = s.constant(0.0), one = s.constant(1.0), half = s * 0.5;
  Value isWhole = s.roundEven() == s, isEven = half.roundEven() == half;
  // A whole s allows a negative q = f - N with f in (0, 1): the sum from f on and, with the sign of (-1)^s, from 1 - f
  // up to 1 - q. Both numbers are exact on the side that is nearer.
  Value isNegative = q < 0.0, isAny = anyLane(b, isNegative);
  Real rest = q - q.roundEven();
  Value isAbove = rest > 0.0;
  Pair near{rest.abs(), zero}, far = fastTwoSum(one, -rest.abs()), unused{one, zero};
  Pair up = select(isNegative, select(isAbove, near, far), Pair{q, zero});
  Pair down = select(isNegative, select(isAbove, far, near), unused);
  Pair beyond = select(isNegative, twoSum(one, -q), unused);
  Real sign = select(isNegative, select(isEven, one, -one), zero);

  auto index = [&](int64_t value) -> Value { return arith::ConstantIntOp::create(b, value, 64); };
  // One turn, or three if any lane needs them. Carries where the sum of this turn begins and what it is multiplied by,
  // those of the next turn, and the result.
  Value turns = arith::SelectOp::create(b, isAny, index(3), index(1));
  SmallVector<Value> first;
  for (Real each : {up.high, up.low, one, down.high, down.low, sign, zero})
    first.push_back(each.value);
  auto loop = scf::ForOp::create(
      b, index(0), turns, index(1), first, [&](OpBuilder &builder, Location loc, Value, ValueRange carried) {
        ImplicitLocOpBuilder inner(loc, builder);
        auto here = [&](Value value) -> Real { return {&inner, value}; };
        Real factor = here(carried[2]), next = here(carried[5]), result = here(carried[6]);
        Real sum = sumOfPowers(here(s.value), {here(logFactor.high.value), here(logFactor.low.value)},
                               {here(carried[0]), here(carried[1])});
        result = select(factor == 0.0, result, mulAdd(factor, sum, result));
        scf::YieldOp::create(
            builder, loc,
            {carried[3], carried[4], carried[5], beyond.high.value, beyond.low.value, (-next).value, result.value});
      });
  loop->setAttr(XlaRtDialect::kNonEmpty, b.getUnitAttr());
  Real result = s.with(loop.getResult(6)), nan = s.constant(kNaN), infinity = s.constant(kInfinity);

  Value isPole = both(s, q.compare(Real::P::OLE, zero), q.roundEven() == q);
  Value hasSum = both(s, both(s, s > 1.0, s < kInfinity), q < kInfinity);
  hasSum = both(s, hasSum, either(s, isWhole, q > 0.0));
  result = select(hasSum, result, nan);
  result = select(isPole, select(both(s, isEven, s.abs() < kInfinity), infinity, nan), result);
  return select(s == 1.0, infinity, result);
}

Real mlir::xla::emitZeta(Real s, Real q) {
  Real zero = s.constant(0.0);
  return zetaTimes({zero, zero}, s, q);
}

/// log((s - 1)!) for a whole s of at least 1.
static Pair logFactorial(Real s) {
  // (s - 1)! = (s + 7)! / (s (s + 1) ... (s + 7)), whose divisor is exact.
  Value isSmall = s < 8.0;
  Real z = select(isSmall, s + 8.0, s), product = s.constant(1.0);
  for (int i = 0; i < 8; ++i)
    product = product * (s + i);
  product = select(isSmall, product, s.constant(1.0));
  Real inverse = 1.0 / z;
  Pair log = emitLogPair(z) * (z - 0.5) + -z;
  // log(2 pi) / 2.
  log = log + Pair{s.constant(0.9189385332046728), s.constant(-3.878294158067242e-17)};
  log = log + horner(inverse * inverse, kStirling) * inverse;
  return log - emitLogPair(product);
}

Real mlir::xla::emitPolygamma(Real n, Real x) {
  Real s = n + 1.0, half = s * 0.5;
  Real result = zetaTimes(logFactorial(s), s, x);
  return select(half.roundEven() == half, result, -result);
}
