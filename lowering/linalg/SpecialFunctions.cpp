// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/lowering/linalg/SpecialFunctions.h"

#include "mlir_xla/lowering/RealValue.h"
#include "mlir_xla/lowering/xla_rt/XlaRtFunctions.h"

using namespace mlir;
using namespace mlir::xla;

using P = arith::CmpFPredicate;
static constexpr double kPi = 3.14159265358979323846;
static constexpr double kInfinity = std::numeric_limits<double>::infinity();
static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// 1 / (1 + e^-x) on the right and e^x / (1 + e^x) on the left, where e^-x may be infinite before the result vanishes.
Value mlir::xla::emitLogistic(ImplicitLocOpBuilder &b, ValueRange args) {
  Real x{&b, args[0]}, one = x.constant(1.0), e = (-x.abs()).apply<math::ExpOp>(), divisor = e + one;
  Real y = select(x.compare(P::OLT, 0.0), e, one) / divisor;
  // The rounding of the divisor, over the divisor, whose reciprocal is the greater one of the results at x and -x.
  Real rest = (e - (divisor - one)) * (1.0 - y).apply<arith::MaximumFOp>(y);
  return mulAdd(-y, rest, y).value;
}

// erf_inv(x) / x with x^2 = kErfInvCentre + t, on |x| <= 3/4: interpolation at Chebyshev nodes in 60 digits.
static constexpr double kErfInvCentre = 0.28125;
static constexpr double kErfInvNear[] = {
    35.109771658506155,  26.438860271527446, 3.9827186429222396,  3.0663946314100587, 5.528045020102785,
    4.217881312933925,   2.8737336145118215, 2.21491240657681,    1.7405081233621509, 1.3546782266523325,
    1.0598787405828527,  0.8363284706930223, 0.6657669738125332,  0.5355814933901923, 0.43647350446792443,
    0.3615528449294506,  0.3058853099919989, 0.26625172713481055, 0.2412832168260325, 0.23252305015361047,
    0.24893511100365234, 0.3323299940576822, 0.9640216376238271};

// M. Giles, "Approximating the erfinv function", GPU Computing Gems 2 (2012): polynomials in w = -log(1 - x^2)
// or its root. Those of f64 are interpolations at Chebyshev nodes in 90 digits.
Value mlir::xla::emitErfInv(ImplicitLocOpBuilder &b, ValueRange args) {
  Real x{&b, args[0]};
  // 1 - x^2 with one rounding.
  Real w = -fma(-x, x, x.constant(1.0)).apply<math::LogOp>();
  Real root = w.sqrt();
  Real p = x;
  if (args[0].getType().isF32()) {
    Real central = horner(w - 2.5, {2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087,
                                    -0.00125372503, -0.00417768164, 0.246640727, 1.50140941});
    Real tail = horner(root - 3.0, {-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773,
                                    -0.0076224613, 0.00943887047, 1.00167406, 2.83297682});
    p = select(w.compare(P::OLT, 5.0), central, tail) * x;
  } else {
    constexpr double central[] = {
        1.709610694103583e-20,   -8.57024480464163e-20,   -1.0519418816181753e-18, 1.0685120235620557e-17,
        -6.605110104374192e-18,  -5.062452546654808e-16,  3.941761231859802e-15,   -1.4795686227381334e-15,
        -2.0667868696290834e-13, 1.6202966353206933e-12,  -5.306487980303222e-13,  -8.7027433116069e-11,
        6.851718290160834e-10,   -2.5751133135995777e-10, -3.7141095591958976e-08, 3.0316836331444385e-07,
        -2.4567750573717115e-07, -1.5915959129555383e-05, 0.00015360560313884656,  -0.0004422617088735441,
        -0.006803629584367878,   0.2345132894824637};
    constexpr double middle[] = {-1.3698632049458802e-09, 7.522114443084413e-09,  -1.123305449854622e-08,
                                 -2.047774057324021e-08,  1.2639598024629648e-07, -2.460104052983401e-07,
                                 -2.391255725297337e-08,  1.4819298310668913e-06, -3.987327875503442e-06,
                                 2.9324486013545355e-06,  1.2465476880876368e-05, -4.7320649295457665e-05,
                                 6.828703954945578e-05,   2.403150826222246e-05,  -0.0003550378056598993,
                                 0.0009532893419664781,   -0.0016882755359155155, 0.002491442097940481,
                                 -0.0037512085082124294,  0.005370914553555304,   1.0052589676941652};
    constexpr double tail[] = {
        5.9201865380387075e-12,  -2.0540475972824452e-11, 1.452295963565282e-11,   7.0176385446507e-11,
        -3.8031001892555684e-10, 1.3149907367396244e-09,  -3.5347173992774312e-09, 7.822293236403459e-09,
        -1.5213247021690308e-08, 2.9018239867435462e-08,  -6.75729160733669e-08,   2.290529271917875e-07,
        -9.930254514585372e-07,  4.526052510441992e-06,   -1.9681771201407886e-05, 7.59952780978327e-05,
        -0.00021503011979888932, -0.00013871931838017125, 1.0103004648645448};
    // Each polynomial's last sum is in two parts, so that only the product with x, which is 1 - (1 - x) next to 1, is
    // rounded; what the root lacks is added.
    auto finish = [](Real at, Real slope, Real start) {
      Real sum = mulAdd(at, slope, start);
      return std::pair(sum, fma(at, slope, start - sum));
    };
    Real shifted = w - 3.5625;
    auto [inner, innerRest] = finish(shifted, horner(shifted, central), x.constant(1.7575134690036136));
    Value isMiddle = w.compare(P::OLT, 16.0);
    Real at = root - select(isMiddle, x.constant(3.25), x.constant(5.0));
    Real start = select(isMiddle, x.constant(3.0838856104922208), x.constant(4.849906401408584));
    auto [outer, outerRest] = finish(at, select(isMiddle, horner(at, middle), horner(at, tail)), start);
    Real lack = fma(-root, root, w) / (root + root);
    Real far = outer - mulAdd(outer, 1.0 - x.abs(), -(outerRest + lack));
    // The logarithm would bring an error of its own.
    Real near = horner(x * x - kErfInvCentre, kErfInvNear) * x;
    p = select(x.abs().compare(P::OLE, 0.75), near, fma(x, inner, x * innerRest));
    p = select(w.compare(P::OLT, 6.25), p, far.copySign(x));
  }
  Value atOne = x.abs().compare(P::OEQ, 1.0);
  return select(atOne, x * kInfinity, p).value;
}

//===- The gamma function -----------------------------------------------------------------------------------------===//

// Coefficients are near-minimax: interpolation at Chebyshev nodes in 60 digits.

// sin(pi x) / (pi x) with x = sqrt(z), on 0 <= x <= 1/2.
static constexpr double kSine[] = {2.4502943624559793e-7,  -6.9720996608511992e-6, 0.00014842784141891029,
                                   -0.0023460808954639607, 0.026147847805550961,   -0.19075182412149616,
                                   0.81174242528333929,    -1.6449340668482264,    1.0};
// lgamma(x) / ((x - 1) (x - 2)) - 1/2 = P(x) / Q(x) on 0.625 <= x <= 2.5.
static constexpr double kLgammaP[] = {
    -0.0003978320865335429, -1.7138194674067739, -43.237396950737931, -265.10434665246623, -408.93575479443615,
    292.34828410081309,     889.36288101844832,  470.69679334253937,  71.488648766548891,  2.2050517029404411};
static constexpr double kLgammaQ[] = {3.5442749794072697, 110.29508149903172, 972.89598511425436,
                                      3313.4115633452843, 4814.49213728616,   3010.3986903782402,
                                      754.24207696281178, 62.539215802855566, 1.0};
// lgamma(x) - (x - 1/2) (log(x) - 1) - (log(2 pi) - 1) / 2 over 1/x, with x = 1 / sqrt(z), from 4 on.
static constexpr double kStirling[] = {0.036867391144705351,   -0.018529842349409912,  0.0058428302198165237,
                                       -0.0018988790775843355, 0.00084137414388151422, -0.00059523370859142222,
                                       0.00079365076762919374, -0.0027777777777176055, 0.083333333333333315};
// psi(x) / (x - x0) - 1 = P(x) / Q(x) on kPsiLowest <= x <= 2; psi(x0) = 0 with x0 as the sum of two numbers.
static constexpr double kPsiLowest = 0.6875;
static constexpr double kPsiP[] = {-0.9904807483644396, -38.10624600477014, -346.7884702376028, -911.2375450851964,
                                   18.794477921401903,  1990.807627693606,  1155.6002203007088};
static constexpr double kPsiQ[] = {1.0,
                                   42.83138598853725,
                                   481.38092990279193,
                                   1998.6356178361143,
                                   3248.0632487375624,
                                   1689.0623645208034,
                                   4.937316679725566e-06};
static constexpr double kPsiRoot = 1.4616321449683622, kPsiRootLow = 9.549995429965697e-17;
// (log(x) - 1 / (2 x) - psi(x)) x^2 with x = 1 / sqrt(z), from 3 on.
static constexpr double kPsiFar[] = {4.15409568940603,     -3.2200812668413126,   1.2213863296286607,
                                     -0.32525222437397994, 0.07768996902561713,   -0.020904992716699745,
                                     0.007571670662698111, -0.004166613154056894, 0.003968253600942064,
                                     -0.0083333333323328,  0.08333333333333287};
/// From here on the asymptotic series are good enough; below, steps of 1 lead to where the quotients are.
static constexpr int kLgammaFar = 4, kPsiFrom = 3;

/// The logarithm of x >= 0 rounded and, if `precise`, what the rounding took away: a multiple of log(2) is exact, and
/// the rest is small.
static std::pair<Real, Real> logInParts(Real x, bool precise) {
  if (!precise)
    return {x.apply<math::LogOp>(), x.constant(0.0)};
  ImplicitLocOpBuilder &b = *x.b;
  auto integer = [&](int64_t value) -> Value { return arith::ConstantIntOp::create(b, b.getI64Type(), value); };
  auto asReal = [&](Value bits) { return x.with(arith::BitcastOp::create(b, b.getF64Type(), bits)); };
  // x = 2^e m with m in [sqrt(1/2), sqrt(2)); of what may be subnormal or infinite, m is all.
  Value usual = arith::AndIOp::create(b, x.compare(P::OGE, 0x1p-1000), x.compare(P::OLT, 0x1p1000));
  Value bits = arith::BitcastOp::create(b, b.getI64Type(), x.value);
  Value exponent = arith::AndIOp::create(b, arith::SubIOp::create(b, bits, integer(0x3fe6a09e667f3bcd)),
                                         integer(-(int64_t(1) << 52)));
  exponent = arith::SelectOp::create(b, usual, exponent, integer(0));
  Real m = x * asReal(arith::SubIOp::create(b, integer(int64_t(1023) << 52), exponent));
  // An integer plus the bits of 1.5 * 2^52 is those of their sum.
  Value count = arith::ShRSIOp::create(b, exponent, integer(52));
  Real e = asReal(arith::AddIOp::create(b, count, integer(0x4338000000000000))) - 0x1.8p52;
  constexpr double log2 = 6.93147180369123816490e-01, log2Low = 1.90821492927058770002e-10;
  Real high = e * log2, rest = mulAdd(e, x.constant(log2Low), m.apply<math::LogOp>()), sum = high + rest;
  return {sum, select(usual, (high - sum) + rest, x.constant(0.0))};
}

/// sin(pi x) / pi for |x| <= 1/2.
static Real sineOfTurn(Real x) { return x * horner(x * x, kSine); }

/// log|gamma(x)|, infinite at the poles.
static Real lgammaOf(Real x, bool precise) {
  // log|gamma(x)| = log|pi / sin(pi x)| - log gamma(1 - x) on the left, log gamma(1 + x) - log(x) next to 0.
  constexpr double lowest = 0.625, highest = 2.5;
  Value isSmall = x.compare(P::OLT, lowest), isPositive = x.compare(P::OGT, 0.0);
  Real z = select(isSmall, x.abs() + 1.0, x);

  // gamma(z) = (z - 1) (z - 2) ... y gamma(y); both logarithms vanish at 1 and 2 only, where their sum has one term.
  Real y = z, product = x.constant(1.0);
  for (int i = 0; i < kLgammaFar - 2; ++i) {
    Value isLarge = y.compare(P::OGE, highest);
    y = select(isLarge, y - 1.0, y);
    product = select(isLarge, product * y, product);
  }
  Value isFar = z.compare(P::OGE, kLgammaFar);
  Real magnitude = x.abs(), fraction = magnitude - magnitude.roundEven();
  Real divisor = select(isPositive, x, sineOfTurn(fraction).abs());
  // For the precise result, nothing is reflected that has a product or is far: one logarithm does.
  Real argument = select(isFar, z, product);
  auto [log, logLow] = logInParts(precise ? select(isSmall, divisor, argument) : argument, precise);
  // P / Q, or 1 / z.
  Real quotient = select(isFar, x.constant(1.0), horner(y, kLgammaP)) / select(isFar, z, horner(y, kLgammaQ));
  // (y - 1) (y - 2) in two parts.
  Real first = y - 1.0, second = y - 2.0, secondLow = y - (second + 2.0), factor = first * second;
  Real factorLow = mulAdd(first, secondLow, fma(first, second, -factor));
  Real base = mulAdd(factor, x.constant(0.5), mulAdd(factor, quotient, factorLow * (quotient + 0.5)));
  Real near = (base + logLow) + log;
  Real correction = mulAdd(horner(quotient * quotient, kStirling), quotient, x.constant(std::log(2 * kPi) / 2 - 0.5));
  Real distance = z - 0.5;
  Real direct = select(isFar, mulAdd(distance, log - 1.0, mulAdd(distance, logLow, correction)), near);

  Real stepped = precise ? (select(isPositive, base, -base) - logLow) - log
                         : select(isPositive, direct, -direct) - divisor.apply<math::LogOp>();
  Real result = select(isSmall, stepped, direct);
  // Poles are infinite before anything is taken away from them, and so is minus infinity.
  Value atPole = fraction.compare(P::OEQ, 0.0);
  Value isPole = arith::AndIOp::create(*x.b, x.compare(P::OLE, 0.0), atPole);
  Value isInfinite = magnitude.compare(P::OEQ, kInfinity);
  return select(arith::OrIOp::create(*x.b, isPole, isInfinite), x.constant(kInfinity), result);
}

/// The derivative of lgamma; NaN at the poles.
static Real digammaOf(Real x, bool precise) {
  // Between this limit and 0, psi(x + 1) - 1 / x has all digits.
  Value reflect = x.compare(P::OLT, -0x1p-10);
  Real z = select(reflect, 1.0 - x, x);

  // psi(z) = psi(z - 1) + 1 / (z - 1), or psi(z + 1) - 1 / z.
  Value isSmall = z.compare(P::OLT, kPsiLowest), isLarge = z.compare(P::OGT, 2.0);
  Value isFar = z.compare(P::OGE, kPsiFrom);
  Real y = select(isSmall, z + 1.0, select(isLarge, z - 1.0, z));
  Real one = x.constant(1.0), numerator = select(isSmall, -one, select(isLarge, one, x.constant(0.0)));
  Real divisor = select(isFar, z, select(isSmall, z, y));
  Real inverse = one / divisor, quotient = numerator * inverse;
  // Next to 1 and 2 the terms are larger than their sum: both are in two parts.
  Real rest = fma(-quotient, divisor, numerator) * inverse;
  Real factor = y - kPsiRoot, slope = horner(y, kPsiP) / horner(y, kPsiQ), rootLow = x.constant(-kPsiRootLow);
  Real share = mulAdd(factor, slope, mulAdd(slope, rootLow, rootLow)), psi = factor + share;
  Real psiRest = (factor - psi) + share;
  Real sum = quotient + psi;
  Real near = select(sum.abs().compare(P::OLT, kInfinity), sum + (((quotient - sum) + psi) + (psiRest + rest)), sum);
  auto [log, logLow] = logInParts(z, precise);
  Real far = log + (logLow - mulAdd(horner(inverse * inverse, kPsiFar), inverse, x.constant(0.5)) * inverse);
  Real direct = select(isFar, far, near);

  // psi(x) = psi(1 - x) - pi / tan(pi x), with x reduced to [-1/2, 1/2].
  Real reduced = x - x.roundEven();
  Real reflected = direct - sineOfTurn(0.5 - reduced.abs()) * kPi / sineOfTurn(reduced);
  Real result = select(reflect, reflected, direct);
  Value isPole = arith::AndIOp::create(*x.b, x.compare(P::OLE, 0.0), reduced.compare(P::OEQ, 0.0));
  return select(isPole, x.constant(kNaN), result);
}

/// An f32 is computed in f64: where terms cancel, the digits that are left are still more than it has.
static Value inDouble(ImplicitLocOpBuilder &b, Value x, Real (*function)(Real, bool precise)) {
  if (!x.getType().isF32())
    return function({&b, x}, /*precise=*/true).value;
  Value wide = arith::ExtFOp::create(b, b.getF64Type(), x);
  return arith::TruncFOp::create(b, x.getType(), function({&b, wide}, /*precise=*/false).value);
}
/// Next to its negative zeros, an f64 needs more digits than it has.
template <typename LeftOp>
static Value withLeft(ImplicitLocOpBuilder &b, Value x, Real (*function)(Real, bool precise)) {
  Value result = inDouble(b, x, function);
  return x.getType().isF64() ? Value(LeftOp::create(b, x, result)) : result;
}
Value mlir::xla::emitLgamma(ImplicitLocOpBuilder &b, ValueRange args) {
  return withLeft<rt::LgammaLeftOp>(b, args[0], lgammaOf);
}
Value mlir::xla::emitDigamma(ImplicitLocOpBuilder &b, ValueRange args) {
  return withLeft<rt::DigammaLeftOp>(b, args[0], digammaOf);
}

Value mlir::xla::emitPolygamma(ImplicitLocOpBuilder &b, ValueRange args) {
  Real n{&b, args[0]}, x{&b, args[1]};
  Real result = n.with(rt::PolygammaOp::create(b, n.value, x.value));
  Value isWhole = n.compare(P::OEQ, n.roundEven()), isAbove = n.compare(P::OGE, 0.0);
  result = select(arith::AndIOp::create(b, isWhole, isAbove), result, n.constant(kNaN));
  return select(n.compare(P::OEQ, 0.0), n.with(emitDigamma(b, args[1])), result).value;
}

//===- Bessel functions -------------------------------------------------------------------------------------------===//

// I1(x) / x with x = sqrt(z), on 0 <= x <= 5: beyond, the rounding of z costs more digits than there are.
static constexpr double kBesselNear[] = {1.2480047285221447e-26,
                                         6.049501398536937e-24,
                                         3.299821430836282e-21,
                                         1.44823669856025e-18,
                                         5.214465525958662e-16,
                                         1.5017542234403807e-13,
                                         3.363930611809712e-11,
                                         5.651403354042183e-09,
                                         6.781684027867613e-07,
                                         5.425347222220255e-05,
                                         0.002604166666666689,
                                         0.06249999999999999,
                                         0.5};
// sqrt(x) e^-x I1(x) with x = 10 / (1 + t), from 5 on.
static constexpr double kBesselFar[] = {
    -2.1081679559251303e-08, -1.7122052499843363e-08, 2.0562969085543327e-07,  1.253556330609929e-07,
    -9.234115625604362e-07,  -3.794474273021412e-07,  2.52457134276778e-06,    5.360267454806894e-07,
    -4.669073862905946e-06,  -2.8155123934925674e-08, 6.096924060527016e-06,   -1.3793948849755507e-06,
    -5.5825201907379504e-06, 3.0055470485432995e-06,  3.1631536106661937e-06,  -3.7642454100277717e-06,
    -1.0576134870724023e-07, 3.2350711121381523e-06,  -2.3064014029795536e-06, -1.9581160975602104e-06,
    3.7303972339562023e-06,  8.769387671367911e-07,   -4.694821117520134e-06,  -1.066279551886397e-06,
    5.662813445810066e-06,   4.667662696018724e-06,   -2.9353806963144734e-06, -1.151918855378619e-05,
    -2.534533598645846e-05,  -8.766154930839176e-05,  -0.0006433601986309634,  -0.016049245647939133,
    0.3834662683541797};

// The same for f32, which has fewer digits.
static constexpr double kBesselNear32[] = {7.111742178660795e-16, 1.4084911033924639e-13, 3.388054048350181e-11,
                                           5.647802080453314e-09, 6.781998263415484e-07,  5.425331865846451e-05,
                                           0.0026041670418280424, 0.062499999647684906,   0.5000000000543879};
static constexpr double kBesselFar32[] = {4.559516532944988e-07,   8.696034123814401e-08,   -2.104656681322533e-06,
                                          -8.910214332485964e-07,  4.4594114337965814e-06,  4.663792499731771e-06,
                                          -2.6317598864020886e-06, -1.1526248467465294e-05, -2.5380409357295265e-05,
                                          -8.76603337705251e-05,   -0.0006433589856738959,  -0.016049245695133024,
                                          0.3834662683541797};

static Real besselI1eOf(Real x, bool precise) {
  constexpr double limit = 5;
  Real a = x.abs();
  Value isFar = a.compare(P::OGT, limit);
  // NaN is near.
  Real small = select(isFar, a.constant(limit), a), large = select(isFar, a, a.constant(limit));
  Real z = small * small, decay = (-small).apply<math::ExpOp>();
  Real t = 2 * limit / large - 1.0, root = large.sqrt();
  Real numerator = horner(t, precise ? ArrayRef<double>(kBesselFar) : ArrayRef<double>(kBesselFar32));
  if (!precise)
    return select(isFar, numerator / root, horner(z, kBesselNear32) * decay * small).copySign(x);

  // Of e^-a I1(a) = a series(a^2) e^-a, only the exponential and the last product are rounded: the polynomial's last
  // sum and the product with the exponential are in two parts, and the derivative makes up for the rounding of a^2.
  Real slope = x.constant(kBesselNear[0]), derivative = x.constant(0.0);
  ArrayRef<double> coefficients = kBesselNear;
  for (double coefficient : coefficients.drop_front().drop_back()) {
    derivative = mulAdd(derivative, z, slope);
    slope = mulAdd(slope, z, x.constant(coefficient));
  }
  derivative = mulAdd(derivative, z, slope);
  Real start = x.constant(coefficients.back()), series = mulAdd(slope, z, start);
  Real seriesLow = mulAdd(derivative, fma(small, small, -z), fma(slope, z, start - series));
  Real product = series * decay, low = mulAdd(seriesLow, decay, fma(series, decay, -product));
  Real near = fma(small, product, small * low);
  // The quotient by the root, with what the root and the quotient lack; infinity is no number to compute with.
  Real inverse = 1.0 / root, quotient = numerator * inverse;
  Real lack = fma(-root, root, large) * inverse * 0.5;
  Real rest = fma(-quotient, root, numerator) - quotient * lack;
  Real far = select(large.compare(P::OLT, kInfinity), mulAdd(rest, inverse, quotient), quotient);
  return select(isFar, far, near).copySign(x);
}
Value mlir::xla::emitBesselI1e(ImplicitLocOpBuilder &b, ValueRange args) { return inDouble(b, args[0], besselI1eOf); }
