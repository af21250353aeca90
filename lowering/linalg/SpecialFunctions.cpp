// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/lowering/linalg/SpecialFunctions.h"

#include "mlir_xla/lowering/linalg/RealFormula.h"
#include "mlir_xla/lowering/xla_rt/XlaRtFunctions.h"

using namespace mlir;
using namespace mlir::xla;

static RealFormula fma(RealFormula x, RealFormula y, RealFormula z) {
  return x.with(math::FmaOp::create(*x.b, x.value, y.value, z.value));
}
static RealFormula horner(RealFormula x, ArrayRef<double> coefficients) {
  RealFormula result = x.constant(coefficients[0]);
  for (double coefficient : coefficients.drop_front())
    result = fma(result, x, x.constant(coefficient));
  return result;
}

using P = arith::CmpFPredicate;
static constexpr double kPi = 3.14159265358979323846;
static constexpr double kInfinity = std::numeric_limits<double>::infinity();
static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// erf_inv(x) / x with x^2 = kErfInvCentre + t, on |x| <= 3/4: interpolation at Chebyshev nodes in 60 digits.
static constexpr double kErfInvCentre = 0.28125;
static constexpr double kErfInvNear[] = {
    35.109771658506155,  26.438860271527446, 3.9827186429222396,  3.0663946314100587, 5.528045020102785,
    4.217881312933925,   2.8737336145118215, 2.21491240657681,    1.7405081233621509, 1.3546782266523325,
    1.0598787405828527,  0.8363284706930223, 0.6657669738125332,  0.5355814933901923, 0.43647350446792443,
    0.3615528449294506,  0.3058853099919989, 0.26625172713481055, 0.2412832168260325, 0.23252305015361047,
    0.24893511100365234, 0.3323299940576822, 0.9640216376238271};

// M. Giles, "Approximating the erfinv function", GPU Computing Gems 2 (2012): polynomials in w = -log(1 - x^2).
Value mlir::xla::emitErfInv(ImplicitLocOpBuilder &b, ValueRange args) {
  RealFormula x{&b, args[0]};
  // 1 - x^2 with one rounding.
  RealFormula w = -fma(-x, x, x.constant(1.0)).apply<math::LogOp>();
  RealFormula root = w.apply<math::SqrtOp>();
  RealFormula p = x;
  if (args[0].getType().isF32()) {
    RealFormula central = horner(w - 2.5, {2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06,
                                           0.00021858087, -0.00125372503, -0.00417768164, 0.246640727, 1.50140941});
    RealFormula tail = horner(root - 3.0, {-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844,
                                           0.00573950773, -0.0076224613, 0.00943887047, 1.00167406, 2.83297682});
    p = central.select(w.compare(P::OLT, 5.0), tail);
  } else {
    RealFormula central = horner(
        w - 3.125,
        {-3.6444120640178196996e-21, -1.685059138182016589e-19,  1.2858480715256400167e-18,  1.115787767802518096e-17,
         -1.333171662854620906e-16,  2.0972767875968561637e-17,  6.6376381343583238325e-15,  -4.0545662729752068639e-14,
         -8.1519341976054721522e-14, 2.6335093153082322977e-12,  -1.2975133253453532498e-11, -5.4154120542946279317e-11,
         1.051212273321532285e-09,   -4.1126339803469836976e-09, -2.9070369957882005086e-08, 4.2347877827932403518e-07,
         -1.3654692000834678645e-06, -1.3882523362786468719e-05, 0.0001867342080340571352,   -0.00074070253416626697512,
         -0.0060336708714301490533,  0.24015818242558961693,     1.6536545626831027356});
    RealFormula middle = horner(
        root - 3.25,
        {2.2137376921775787049e-09, 9.0756561938885390979e-08, -2.7517406297064545428e-07, 1.8239629214389227755e-08,
         1.5027403968909827627e-06, -4.013867526981545969e-06, 2.9234449089955446044e-06, 1.2475304481671778723e-05,
         -4.7318229009055733981e-05, 6.8284851459573175448e-05, 2.4031110387097893999e-05, -0.0003550375203628474796,
         0.00095328937973738049703, -0.0016882755560235047313, 0.0024914420961078508066, -0.0037512085075692412107,
         0.005370914553590063617, 1.0052589676941592334, 3.0838856104922207635});
    RealFormula tail =
        horner(root - 5.0, {-2.7109920616438573243e-11, -2.5556418169965252055e-10, 1.5076572693500548083e-09,
                            -3.7894654401267369937e-09, 7.6157012080783393804e-09, -1.4960026627149240478e-08,
                            2.9147953450901080826e-08, -6.7711997758452339498e-08, 2.2900482228026654717e-07,
                            -9.9298272942317002539e-07, 4.5260625972231537039e-06, -1.9681778105531670567e-05,
                            7.5995277030017761139e-05, -0.00021503011930044477347, -0.00013871931833623122026,
                            1.0103004648645343977, 4.8499064014085844221});
    p = central.select(w.compare(P::OLT, 6.25), middle.select(w.compare(P::OLT, 16.0), tail));
    // The logarithm would bring an error of its own.
    RealFormula near = horner(x * x - kErfInvCentre, kErfInvNear);
    p = near.select(x.abs().compare(P::OLE, 0.75), p);
  }
  Value atOne = x.apply<math::AbsFOp>().compare(P::OEQ, 1.0);
  return (x * kInfinity).select(atOne, p * x).value;
}

//===- The gamma function -----------------------------------------------------------------------------------------===//

// Coefficients are near-minimax: interpolation at Chebyshev nodes in 60 digits.

// sin(pi x) / (pi x) with x = sqrt(z), on 0 <= x <= 1/2.
static constexpr double kSine[] = {2.4502943624559793e-7,  -6.9720996608511992e-6, 0.00014842784141891029,
                                   -0.0023460808954639607, 0.026147847805550961,   -0.19075182412149616,
                                   0.81174242528333929,    -1.6449340668482264,    1.0};
// lgamma(x) / ((x - 1) (x - 2)) - 1/2 = P(x) / Q(x) on 0.625 <= x <= 2.375.
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
// psi(x) / (x - x0) - 1 = P(x) / Q(x) on 1 <= x <= 2; psi(x0) = 0 with x0 as the sum of two numbers.
static constexpr double kPsiP[] = {-0.99095363134405035, -39.888313731960437, -376.52736290257798, -1020.692344199426,
                                   -10.525407113324555,  2224.0840066801243,  1303.5654898498815};
static constexpr double kPsiQ[] = {1.0,
                                   44.659296766730641,
                                   518.30800638242408,
                                   2201.83742176441,
                                   3632.3369433655985,
                                   1905.3329153720449,
                                   2.772085599382181e-5};
static constexpr double kPsiRoot = 1.4616321449683622, kPsiRootLow = 9.549995429965697e-17;
// (log(x) - 1 / (2 x) - psi(x)) x^2 with x = 1 / sqrt(z), from 4 on.
static constexpr double kPsiFar[] = {0.53653199537122065,   -0.25668496075487657,   0.073928215752619153,
                                     -0.020787300608348224, 0.0075696288064027832,  -0.0041665955972568641,
                                     0.0039682535477335882, -0.0083333333323621951, 0.083333333333332954};
/// From here on the asymptotic series are good enough; below, steps of 1 lead to where the quotients are.
static constexpr int kFar = 4;

/// sin(pi x) / pi for |x| <= 1/2.
static RealFormula sineOfTurn(RealFormula x) { return x * horner(x * x, kSine); }

/// log|gamma(x)|, infinite at the poles.
static RealFormula lgammaOf(RealFormula x) {
  // log|gamma(x)| = log|pi / sin(pi x)| - log gamma(1 - x) on the left, log gamma(1 + x) - log(x) next to 0.
  constexpr double lowest = 0.625, highest = 2.375;
  Value isSmall = x.compare(P::OLT, lowest), isPositive = x.compare(P::OGT, 0.0);
  RealFormula z = (x.abs() + 1.0).select(isSmall, x);

  // gamma(z) = (z - 1) (z - 2) ... y gamma(y); both logarithms vanish at 1 and 2 only, where their sum has one term.
  RealFormula y = z, product = x.constant(1.0);
  for (int i = 0; i < kFar - 2; ++i) {
    Value isLarge = y.compare(P::OGE, highest);
    y = (y - 1.0).select(isLarge, y);
    product = (product * y).select(isLarge, product);
  }
  Value isFar = z.compare(P::OGE, kFar);
  RealFormula log = z.select(isFar, product).apply<math::LogOp>();
  // P / Q, or 1 / z.
  RealFormula quotient = x.constant(1.0).select(isFar, horner(y, kLgammaP)) / z.select(isFar, horner(y, kLgammaQ));
  RealFormula factor = (y - 1.0) * (y - 2.0);
  RealFormula near = fma(factor, quotient, factor * 0.5) + log;
  RealFormula correction =
      fma(horner(quotient * quotient, kStirling), quotient, x.constant(std::log(2 * kPi) / 2 - 0.5));
  RealFormula direct = fma(z - 0.5, log - 1.0, correction).select(isFar, near);

  RealFormula magnitude = x.abs(), fraction = magnitude - magnitude.apply<math::RoundEvenOp>();
  RealFormula divisor = x.select(isPositive, sineOfTurn(fraction).abs());
  RealFormula stepped = direct.select(isPositive, -direct) - divisor.apply<math::LogOp>();
  RealFormula result = stepped.select(isSmall, direct);
  // Poles are infinite before anything is taken away from them, and so is minus infinity.
  Value atPole = fraction.compare(P::OEQ, 0.0);
  Value isPole = arith::AndIOp::create(*x.b, x.compare(P::OLE, 0.0), atPole);
  Value isInfinite = magnitude.compare(P::OEQ, kInfinity);
  return x.constant(kInfinity).select(arith::OrIOp::create(*x.b, isPole, isInfinite), result);
}

/// The derivative of lgamma; NaN at the poles.
static RealFormula digammaOf(RealFormula x) {
  Value reflect = x.compare(P::OLT, 0.0);
  RealFormula z = (1.0 - x).select(reflect, x);

  // psi(z) = psi(y) + 1 / (z - 1) + 1 / (z - 2) + ... + 1 / y, or psi(z + 1) - 1 / z, with the sum as one quotient.
  Value isSmall = z.compare(P::OLT, 1.0);
  RealFormula y = (z + 1.0).select(isSmall, z);
  RealFormula numerator = x.constant(-1.0).select(isSmall, x.constant(0.0));
  RealFormula denominator = z.select(isSmall, x.constant(1.0));
  for (int i = 0; i < kFar - 2; ++i) {
    Value isLarge = y.compare(P::OGE, 2.0);
    y = (y - 1.0).select(isLarge, y);
    numerator = (numerator * y + denominator).select(isLarge, numerator);
    denominator = (denominator * y).select(isLarge, denominator);
  }
  RealFormula factor = (y - kPsiRoot) - kPsiRootLow;
  Value isFar = z.compare(P::OGE, kFar);
  // The sum, or 1 / z.
  RealFormula quotient = x.constant(1.0).select(isFar, numerator) / z.select(isFar, denominator);
  RealFormula near = fma(factor, horner(y, kPsiP) / horner(y, kPsiQ), factor) + quotient;
  RealFormula far =
      z.apply<math::LogOp>() - fma(horner(quotient * quotient, kPsiFar), quotient, x.constant(0.5)) * quotient;
  RealFormula direct = far.select(isFar, near);

  // psi(x) = psi(1 - x) - pi / tan(pi x), with x reduced to [-1/2, 1/2].
  RealFormula reduced = x - x.apply<math::RoundEvenOp>();
  RealFormula reflected = direct - sineOfTurn(0.5 - reduced.abs()) * kPi / sineOfTurn(reduced);
  RealFormula result = reflected.select(reflect, direct);
  Value isPole = arith::AndIOp::create(*x.b, x.compare(P::OLE, 0.0), reduced.compare(P::OEQ, 0.0));
  return x.constant(kNaN).select(isPole, result);
}

/// An f32 is computed in f64: where terms cancel, the digits that are left are still more than it has.
static Value inDouble(ImplicitLocOpBuilder &b, Value x, RealFormula (*function)(RealFormula)) {
  if (!x.getType().isF32())
    return function({&b, x}).value;
  Value wide = arith::ExtFOp::create(b, b.getF64Type(), x);
  return arith::TruncFOp::create(b, x.getType(), function({&b, wide}).value);
}
Value mlir::xla::emitLgamma(ImplicitLocOpBuilder &b, ValueRange args) { return inDouble(b, args[0], lgammaOf); }
Value mlir::xla::emitDigamma(ImplicitLocOpBuilder &b, ValueRange args) { return inDouble(b, args[0], digammaOf); }

Value mlir::xla::emitPolygamma(ImplicitLocOpBuilder &b, ValueRange args) {
  RealFormula n{&b, args[0]}, x{&b, args[1]};
  RealFormula result = n.with(rt::PolygammaOp::create(b, n.value, x.value));
  Value isWhole = n.compare(P::OEQ, n.apply<math::RoundEvenOp>()), isAbove = n.compare(P::OGE, 0.0);
  result = result.select(arith::AndIOp::create(b, isWhole, isAbove), n.constant(kNaN));
  return n.with(emitDigamma(b, args[1])).select(n.compare(P::OEQ, 0.0), result).value;
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
    4.310545131882377e-08,  -9.56047993844119e-09,   -3.579619748125626e-07,  1.0121639465421728e-07,
    1.3511909534682785e-06, -4.875162957333245e-07,  -3.0520310857183815e-06, 1.4228185298106598e-06,
    4.537508484463275e-06,  -2.822781569682221e-06,  -4.502290895663258e-06,  4.040280978600536e-06,
    2.620100258128522e-06,  -4.304626545770083e-06,  9.203614315957265e-08,   3.4404626639772817e-06,
    -2.357942914839385e-06, -2.0142690418143376e-06, 3.739769444704607e-06,   8.877224498112452e-07,
    -4.695962655594847e-06, -1.0676780208217842e-06, 5.662900693202048e-06,   4.66777766816417e-06,
    -2.935384452841196e-06, -1.1519193949174852e-05, -2.5345335911680577e-05, -8.766154918927306e-05,
    -0.0006433601986313982, -0.01604924564793992,    0.3834662683541797};

static RealFormula besselI1eOf(RealFormula x) {
  constexpr double limit = 5;
  RealFormula a = x.abs();
  Value isFar = a.compare(P::OGT, limit);
  // NaN is near.
  RealFormula small = a.constant(limit).select(isFar, a), large = a.select(isFar, a.constant(limit));
  // The product of the first two is in two parts.
  RealFormula series = horner(small * small, kBesselNear), decay = (-small).apply<math::ExpOp>();
  RealFormula product = series * decay, low = fma(series, decay, -product);
  RealFormula near = fma(small, product, small * low);
  RealFormula t = 2 * limit / large - 1.0;
  RealFormula far = horner(t, kBesselFar) / large.apply<math::SqrtOp>();
  return far.select(isFar, near).withSignOf(x);
}
Value mlir::xla::emitBesselI1e(ImplicitLocOpBuilder &b, ValueRange args) { return inDouble(b, args[0], besselI1eOf); }
