// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/lowering/linalg/SpecialFunctions.h"

#include "mlir_xla/lowering/linalg/RealFormula.h"

using namespace mlir;
using namespace mlir::xla;

static RealFormula horner(RealFormula x, ArrayRef<double> coefficients) {
  RealFormula result = x.constant(coefficients[0]);
  for (double coefficient : coefficients.drop_front())
    result = result * x + coefficient;
  return result;
}

using P = arith::CmpFPredicate;
static constexpr double kPi = 3.14159265358979323846;
static constexpr double kInfinity = std::numeric_limits<double>::infinity();
static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// M. Giles, "Approximating the erfinv function", GPU Computing Gems 2 (2012): polynomials in w = -log(1 - x^2).
Value mlir::xla::emitErfInv(ImplicitLocOpBuilder &b, ValueRange args) {
  RealFormula x{&b, args[0]};
  // 1 - x^2 as a product, which does not cancel near 1.
  RealFormula w = -((1.0 - x) * (x + 1.0)).apply<math::LogOp>();
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
  }
  Value atOne = x.apply<math::AbsFOp>().compare(P::OEQ, 1.0);
  return (x * kInfinity).select(atOne, p * x).value;
}

// Lanczos' approximation of gamma with g = 7 and nine terms, at z = x - 1 >= -1/2; other x by reflection.
static constexpr double kLanczosG = 7;
static constexpr double kLanczosBase = 0.99999999999980993227684700473478;
static constexpr double kLanczos[] = {676.520368121885098567009190444019, -1259.13921672240287047156078755283,
                                      771.3234287776530788486528258894,   -176.61502916214059906584551354,
                                      12.507343278686904814458936853,     -0.13857109526572011689554707,
                                      9.984369578019570859563e-6,         1.50563273514931155834e-7};

Value mlir::xla::emitLgamma(ImplicitLocOpBuilder &b, ValueRange args) {
  RealFormula x{&b, args[0]};
  Value reflect = x.compare(P::OLT, 0.5);
  RealFormula z = (-x).select(reflect, x - 1.0);
  RealFormula sum = x.constant(kLanczosBase);
  for (auto [i, coefficient] : llvm::enumerate(kLanczos))
    sum = sum + coefficient / (z + (i + 1.0));
  // log(t), with t = z + g + 1/2, keeps its precision for small z through log1p.
  constexpr double half = kLanczosG + 0.5;
  RealFormula t = z + half;
  RealFormula logT = (z / half).apply<math::Log1pOp>() + std::log(half);
  RealFormula direct = (z + 0.5 - t / logT) * logT + (std::log(2 * kPi) / 2) + sum.apply<math::LogOp>();

  // log|gamma(x)| = log(pi / |sin(pi x)|) - log|gamma(1 - x)|; the sine of the fraction is exact enough.
  RealFormula magnitude = x.apply<math::AbsFOp>();
  RealFormula fraction = magnitude - magnitude.apply<math::FloorOp>();
  fraction = (1.0 - fraction).select(fraction.compare(P::OGT, 0.5), fraction);
  RealFormula logSine = (fraction * kPi).apply<math::SinOp>().apply<math::LogOp>();
  RealFormula reflected = (std::log(kPi) - logSine) - direct;
  reflected = (-logSine).select(logSine.apply<math::AbsFOp>().compare(P::OEQ, kInfinity), reflected);
  RealFormula result = reflected.select(reflect, direct);
  return x.constant(kInfinity).select(magnitude.compare(P::OEQ, kInfinity), result).value;
}

Value mlir::xla::emitDigamma(ImplicitLocOpBuilder &b, ValueRange args) {
  RealFormula x{&b, args[0]};
  Value reflect = x.compare(P::OLT, 0.5);
  RealFormula z = (-x).select(reflect, x - 1.0);
  RealFormula numerator = x.constant(0.0), denominator = x.constant(kLanczosBase);
  for (auto [i, coefficient] : llvm::enumerate(kLanczos)) {
    RealFormula term = z + (i + 1.0);
    numerator = numerator - coefficient / (term * term);
    denominator = denominator + coefficient / term;
  }
  constexpr double half = kLanczosG + 0.5;
  RealFormula logT = (z / half).apply<math::Log1pOp>() + std::log(half);
  RealFormula direct = logT + numerator / denominator - kLanczosG / (z + half);

  // psi(x) = psi(1 - x) - pi / tan(pi x), with x reduced to [-1/2, 1/2] where the tangent is accurate.
  RealFormula reduced = x - x.apply<math::RoundEvenOp>();
  RealFormula angle = reduced * kPi;
  RealFormula reflected = direct - angle.apply<math::CosOp>() * kPi / angle.apply<math::SinOp>();
  RealFormula result = reflected.select(reflect, direct);
  // Poles: the non-positive integers.
  Value nonPositive = x.compare(P::OLE, 0.0);
  Value integral = arith::CmpFOp::create(b, P::OEQ, x.value, x.apply<math::FloorOp>().value);
  return x.constant(kNaN).select(arith::AndIOp::create(b, nonPositive, integral), result).value;
}
