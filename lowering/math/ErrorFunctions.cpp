// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The error function and its complement.

#include "mlir_xla/lowering/math/ErrorFunctions.h"

#include "mlir_xla/lowering/math/ExpLog.h"

using namespace mlir;
using namespace mlir::xla;

// erf(x) / x - 1 with x = sqrt(z), on |x| <= 0.93, of which erfc needs 0.5.
static constexpr double kErfNear[] = {8.31687939e-05, -0.000813044491, 0.0051999893, -0.0268589966,
                                      0.11283689,     -0.376126319,    0.128379167};
// -log(erfc(x)) / x - 1 on [0, 4], weighted with erfc(x) x / erf(x).
static constexpr double kLogErfc[] = {-9.391242201672867e-06, 0.00011888900917256251,  -0.0006374545628204942,
                                      0.0016758248675614595,  -0.00016962892550509423, -0.01914777234196663,
                                      0.10277629643678665,    0.6366195678710938,      0.12837916612625122};
// (r - 1 + e^-r) / r^2 on |r| <= log(2) / 2.
static constexpr double kOneLessExp[] = {0.0013730431674048305, -0.008366096764802933, 0.041669510304927826,
                                         -0.1666654795408249, 0.49999991059303284};

// (1 + 2x) e^(x^2) erfc(x) with x = 2.375 (1 + t) / (1 - t), on 0.5 <= x <= 10.1, beyond which f32 has only zero.
static constexpr double kErfc[] = {0.000526653412, -0.000335525175, -0.00385401625, 0.00517848899, 0.0221362702,
                                   -0.0941629448,  0.162283779,     -0.114412188,   -0.116883772,  1.26790773};

// erf(x) / x - 1 with x = sqrt(z), on |x| <= 0.85.
static constexpr double kPreciseErf[] = {6.759519257603756e-11,  -1.1769026546511048e-09, 1.4745948090565165e-08,
                                         -1.636115005978804e-07, 1.6461870018745888e-06,  -1.4925641599796734e-05,
                                         0.00012055332766501479, -0.0008548327019900606,  0.0052239776254045765,
                                         -0.02686617064512888,   0.11283791670955118,     -0.37612638903183754,
                                         0.1283791670955126};
// (1 + 2x) e^(x^2) erfc(x) with x = 3 (1 + t) / (1 - t), on 0.5 <= x <= 28.
static constexpr double kPreciseErfc[] = {8.635681414307825e-09,  7.124245030572795e-08,  -8.42551957399924e-08,
                                          -5.840747551910045e-07, 3.0307407103093377e-07, 3.4525197016153044e-06,
                                          -7.012462973163499e-07, -2.00929833045886e-05,  4.9387975342434404e-06,
                                          0.00012509749095168397, -0.00010515741491655,   -0.0007798319787670749,
                                          0.0018886900308933137,  0.002529391787416037,   -0.023770514892453878,
                                          0.06830802734557402,    -0.11927366341637591,   0.12964515870271817,
                                          -0.04756229435343384,   -0.13562110612458084,   1.2530080582697296};

/// erf(x) / x - 1 for |x| <= 0.84, or 0.5 in f32, by the square of x.
static Real erfOfNear(Real square) {
  return hornerOfPairs(square, square * square,
                       square.isDouble() ? ArrayRef<double>(kPreciseErf) : ArrayRef<double>(kErfNear));
}

/// 1 - e^-p with p = -log(erfc(x)), which is about 1.13 x for small x, so that nothing cancels anywhere: p is
/// n log(2) + r, and the result 1 - 2^-n + 2^-n (r - r^2 / 2 + ...). Without select, and with one use of each constant,
/// it takes 0.75 of the time of two polynomials by pairs of terms, of which one is chosen (measured by AVX2).
Real mlir::xla::emitErf(Real x) {
  // erf(4) rounds to 1.
  Real a = x.abs().atMost(4.0);
  Real p = mulAdd(a, horner(a, kLogErfc), a);
  // 1.5 * 2^23: n is in the low bits then.
  constexpr double kShift = 0x1.8p23;
  Real shifted = mulAdd(p, 1.4426950408889634074, kShift), n = shifted - kShift;
  Real r = mulAdd(n, -0.6931471805599453, p);
  Real power = (x.constant(1.0).bits() - (shifted.bits() << x.mantissa())).asReal();
  Real sum = mulAdd(power, r, 1.0 - power);
  // The square of r by itself may be subnormal.
  return mulAdd(power * r, -(r * horner(r, kOneLessExp)), sum).copySign(x);
}

// Of smaller numbers erf(x) / x is constant. Squares and their errors are not subnormal from here on.
static constexpr double kSmallest32 = 0x1p-13, kSmallest64 = 0x1p-30;

/// erfc(a) from 0.5 up to 10.1, or 28 in f64. The exponent is in two parts: its error is that of the result.
static Real erfcOfMiddle(Real a) {
  ArrayRef<double> coefficients = a.isDouble() ? ArrayRef<double>(kPreciseErfc) : ArrayRef<double>(kErfc);
  double center = a.isDouble() ? 3.0 : 2.375;
  Real t = (a - center) / (a + center), sum = hornerOfPairs(t, t * t, coefficients.drop_back()),
       last = a.constant(coefficients.back());
  Real numerator = mulAdd(sum, t, last);
  Pair divisor = fastTwoSum(a + a, a.constant(1.0)), exponent = -twoProduct(a, a);
  Real quotient = numerator / divisor.high;
  // What the numerator and the quotient lack, as a part of the numerator, is a part of the exponent, too. Numerators
  // are between 1.08 and 1.28.
  Real rest = mulAdd(-quotient, divisor.low, fma(-quotient, divisor.high, numerator)) + fma(sum, t, last - numerator);
  exponent.low = mulAdd(rest, 0.85, exponent.low);
  return emitExpOfPair(exponent, quotient);
}

Real mlir::xla::emitPreciseErf(Real x) {
  // erf(6) rounds to 1.
  Real a = x.abs().atMost(6.0).atLeast(kSmallest64);
  return select(a < 0.84375, mulAdd(x, erfOfNear(a * a), x), 1.0 - erfcOfMiddle(a)).copySign(x);
}

Real mlir::xla::emitErfc(Real x) {
  Real a = x.abs().atMost(x.isDouble() ? 28.0 : 10.1);
  // In f64 another constant costs the usual numbers a tenth of their time without AVX-512.
  if (!x.isDouble())
    a = a.atLeast(kSmallest32);
  Real y = erfcOfMiddle(a);
  Real near = mulAdd(-x, erfOfNear(a * a), 0.5 - x) + 0.5; // of which 0.5 - x is exact, or nearly
  return select(a < 0.5, near, select(x < 0.0, 2.0 - y, y));
}
