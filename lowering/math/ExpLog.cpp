// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exponentials, logarithms and powers.

#include "mlir_xla/lowering/math/ExpLog.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <limits>

using namespace mlir;
using namespace mlir::xla;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();
static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
static constexpr double kLog2E = 1.4426950408889634074;

//===- Exponentials -----------------------------------------------------------------------------------------------===//

// (e^r - 1 - r) / r^2 on |r| <= log(2) / 2.
static constexpr double kExp32[] = {0.0013926184, 0.00836317893, 0.0416665561, 0.166665763, 0.5};
static constexpr double kExp64[] = {2.510038549551032e-08,  2.7620088445409746e-07,
                                    2.7557268459997064e-06, 2.4801521295954376e-05,
                                    0.00019841269863053618, 0.0013888888917213717,
                                    0.008333333333330062,   0.04166666666662413,
                                    0.16666666666666669,    0.5};
// (2^r - 1) / r on |r| <= 1/2.
static constexpr double kExp2Of32[] = {0.000154531634, 0.00133908633, 0.00961808302,
                                       0.0555035695,   0.240226507,   0.693147182};
static constexpr double kExp2Of64[] = {4.4549605981865186e-10, 7.072585949269223e-09, 1.0178062445845774e-07,
                                       1.321544258792169e-06,  1.525273382983612e-05, 0.0001540353044173605,
                                       0.0013333558146416936,  0.009618129107606888,  0.0555041086648216,
                                       0.24022650695910097,    0.6931471805599453};

// The largest numbers whose exponentials are subnormal.
static constexpr double kTiny32 = -0x1.5d58ap+6, kTiny64 = -0x1.6232bdd7abcd3p+9;

static ArrayRef<double> expCoefficients(Real x) {
  return x.isDouble() ? ArrayRef<double>(kExp64) : ArrayRef<double>(kExp32);
}

namespace {
/// x = n log(2) + r: `shifted` holds n + offset in the low bits of its mantissa.
struct Reduced {
  Real shifted, n, r;
};
} // namespace

/// 1.5 * 2^mantissa: adding it rounds to an integer, which the low bits then hold.
static double roundingShift(Real x) { return 1.5 * static_cast<double>(int64_t(1) << x.mantissa()); }

static Reduced reduce(Real x, int64_t offset) {
  double shift = roundingShift(x) + static_cast<double>(offset);
  Real shifted = mulAdd(x, kLog2E, shift);
  Real n = shifted - shift;
  // log(2) as the sum of two numbers of the type.
  double high = x.isDouble() ? 0.6931471805599453 : 0x1.62e43p-1;
  double low = x.isDouble() ? 2.3190468138462996e-17 : -1.9046543e-09;
  return {shifted, n, mulAdd(n, -low, fma(n, -high, x))};
}

/// y * 2^(n + exponent), where `shifted` holds n + 2 * bias: in two factors, of which neither over- nor underflows.
static Real scaleTwice(Real y, Real shifted, int64_t exponent = 0) {
  Bits sum = shifted.bits(), half = sum.shiftRight(1), rest = sum - half;
  if (exponent)
    rest = rest + exponent;
  return y * (half << y.mantissa()).asReal() * (rest << y.mantissa()).asReal();
}

/// y * 2^n by the instruction of AVX-512, the only vectors of 512 bits. Intel's processors take a hundred cycles for a
/// subnormal result. So where `isTiny` says that it is one, it is computed as a multiple of the smallest number, which
/// an addition rounds to an integer: its bits.
static Real scaleByInstruction(Real y, Real n, Value isTiny) {
  ImplicitLocOpBuilder &b = *y.b;
  int64_t mantissa = y.mantissa();
  n = select(isTiny, n + static_cast<double>(y.bias() - 1 + mantissa), n);
  auto name =
      b.getStringAttr(y.isDouble() ? "llvm.x86.avx512.mask.scalef.pd.512" : "llvm.x86.avx512.mask.scalef.ps.512");
  Type maskType = b.getIntegerType(y.isDouble() ? 8 : 16);
  Value allLanes = arith::ConstantOp::create(b, b.getIntegerAttr(maskType, -1));
  Value currentRounding = arith::ConstantOp::create(b, b.getI32IntegerAttr(4));
  Real scaled = y.with(LLVM::CallIntrinsicOp::create(b, y.value.getType(), name,
                                                     ValueRange{y.value, n.value, y.value, allLanes, currentRounding})
                           .getResults());
  Real unit = y.constant(static_cast<double>(int64_t(1) << mantissa));
  Bits bits = scaled.bits(), tiny = (scaled + unit).bits() - unit.bits();
  return bits.with(arith::SelectOp::create(b, isTiny, tiny.value, bits.value)).asReal();
}

namespace {
/// y * 2^n as bits, of which one is right: of a normal number, or of a subnormal one, which are how many of the
/// smallest number it is and come from an addition. Processors may take a hundred cycles for a product that is
/// subnormal.
struct ScaledBits {
  Bits normal, subnormal;
};
} // namespace

static ScaledBits scaleBits(Real y, Real shifted) {
  int64_t mantissa = y.mantissa(), bias = y.bias();
  Bits power = shifted.bits() << mantissa;
  Real unit = y.constant(static_cast<double>(int64_t(1) << mantissa));
  Real count = mulAdd(y, (power + ((bias + bias - 1 + mantissa) << mantissa)).asReal(), unit);
  return {y.bits() + power, count.bits() - unit.bits()};
}

/// y * 2^n for y next to 1 and n in the low bits of `shifted`, rounded once; infinite for an `x` beyond `largest`. For
/// a normal number the count is the smaller one: of the factor's exponent, the highest bit is lost.
static Real scaleInBits(Real y, Real shifted, Real x, double largest) {
  auto [normal, subnormal] = scaleBits(y, shifted);
  // NaN is not at most anything.
  return select(x.compare(Real::P::OLE, x.constant(largest)), normal.max(subnormal).asReal(), x + kInfinity);
}

/// Does the processor scale by powers of two? Of numbers that were not widened.
static bool hasScaling(Real x) {
  auto type = dyn_cast<VectorType>(x.value.getType());
  return type && type.getNumElements() * type.getElementTypeBitWidth() == 512;
}

static Real expOf(Real x, bool scales) {
  // Beyond these the result is 0 or infinite.
  Real limited = x.atLeast(x.isDouble() ? -746.0 : -105.0);
  if (scales)
    limited = limited.atMost(x.isDouble() ? 711.0 : 90.0);
  auto [shifted, n, r] = reduce(limited, 0);
  Real y = fma(mulAdd(horner(r, expCoefficients(x)), r, 1.0), r, 1.0);
  if (!scales)
    return scaleInBits(y, shifted, x, x.isDouble() ? 0x1.62e42fefa39efp+9 : 0x1.62e42ep+6);
  return scaleByInstruction(y, n, limited.compare(Real::P::OLE, x.constant(x.isDouble() ? kTiny64 : kTiny32)));
}

Real mlir::xla::emitExp(Real x) { return expOf(x, hasScaling(x)); }
/// The same for numbers that were f32: vectors of them may be longer than the processor's.
static Real expOfWidened(Real x) { return expOf(x, false); }

Real mlir::xla::emitHalfExp(Real x) {
  x = x.atMost(x.isDouble() ? 711.0 : 90.0);
  auto [shifted, n, r] = reduce(x, 2 * x.bias());
  Real y = mulAdd(mulAdd(horner(r, expCoefficients(x)), r, 1.0), r, 1.0);
  return scaleTwice(y, shifted, -1);
}

Real mlir::xla::emitExpOfPair(Pair x, Real factor) {
  auto [shifted, n, r] = reduce(x.high, 0);
  r = r + x.low;
  Real y = mulAdd(mulAdd(horner(r, expCoefficients(r)) * r, r, r), factor, factor);
  auto [normal, subnormal] = scaleBits(y, shifted);
  Real result = select(normal.isLess(int64_t(1) << y.mantissa()), subnormal.asReal(), normal.asReal());
  return select(x.high.compare(Real::P::ORD, x.high), result, x.high);
}

Real mlir::xla::emitExpOfPair(Pair x) {
  Value inRange = x.high.abs() < 760.0;
  auto [shifted, n, r] = reduce(x.high.atMost(760.0).atLeast(-760.0), 2 * x.high.bias());
  r = r + select(inRange, x.low, x.low.constant(0.0));
  Real y = mulAdd(mulAdd(horner(r, kExp64), r, 1.0), r, 1.0);
  return scaleTwice(y, shifted);
}

Real mlir::xla::emitNormalExp(Real x) {
  auto [shifted, n, r] = reduce(x, x.bias());
  Real y = mulAdd(mulAdd(horner(r, expCoefficients(x)), r, 1.0), r, 1.0);
  return y * (shifted.bits() << x.mantissa()).asReal();
}

Real mlir::xla::emitWeight(Real x, bool isMasked) {
  Real zero = x.constant(0.0);
  auto counts = [&] { return x.compare(Real::P::UGT, x.constant(x.isDouble() ? kTiny64 : kTiny32)); }; // or is NaN
  if (!isMasked || !isa<VectorType>(x.value.getType()))
    return select(counts(), emitNormalExp(x), zero);
  ImplicitLocOpBuilder &b = *x.b;
  Value any = vector::ReductionOp::create(b, vector::CombiningKind::OR, counts());
  auto branch = scf::IfOp::create(b, x.value.getType(), any, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  // Without AVX-512, comparing again takes less than to carry lanes of a bit from one block of code to another.
  scf::YieldOp::create(b, select(counts(), emitNormalExp(x), zero).value);
  b.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(b, zero.value);
  return x.with(branch.getResult(0));
}

Real mlir::xla::emitExp2(Real x) {
  Real limited = x.atLeast(x.isDouble() ? -1080.0 : -152.0);
  if (hasScaling(x))
    limited = limited.atMost(x.isDouble() ? 1025.0 : 129.0);
  double shift = roundingShift(x);
  Real shifted = limited + shift, n = shifted - shift, r = limited - n;
  Real y = mulAdd(x.isDouble() ? horner(r, kExp2Of64) : horner(r, kExp2Of32), r, 1.0);
  if (!hasScaling(x))
    return scaleInBits(y, shifted, x, x.isDouble() ? 0x1.fffffffffffffp+9 : 0x1.fffffep+6);
  return scaleByInstruction(y, n, limited < static_cast<double>(1 - x.bias()));
}

Real mlir::xla::emitExpm1(Real x) {
  Real limited = x.atMost(x.isDouble() ? 710.0 : 89.0).atLeast(x.isDouble() ? -40.0 : -20.0);
  // 2^(n - 1), as 2^n may overflow where the result does not.
  auto [shifted, n, r] = reduce(limited, x.bias() - 1);
  // A square that is not subnormal. What it has more is nothing beside any r for which the sum is more than that.
  double more = x.isDouble() ? 0x1p-200 : 0x1p-80;
  Real square = mulAdd(r, r, more), near = mulAdd(square, hornerOfPairs(r, square, expCoefficients(x)), r);
  Real scale = (shifted.bits() << x.mantissa()).asReal();
  Real far = mulAdd(scale, near, scale - 0.5);
  // Smaller numbers are the results themselves, and 0 with its sign.
  near = select(square == more, x, near);
  return select(n == 0.0, near, far + far);
}

//===- Logarithms -------------------------------------------------------------------------------------------------===//

// (log(1 + f) - f + f^2 / 2) / f^3 on sqrt(1/2) <= 1 + f <= sqrt(2).
static constexpr double kLog32[] = {0.0697161183, -0.114797339, 0.116854198, -0.124256872, 0.142490581,
                                    -0.166678026, 0.200007156,  -0.24999997, 0.333333313};
// (2 atanh(s) / s - 2) / z with s = sqrt(z) = f / (2 + f), on the same f.
static constexpr double kLog64[] = {0.1461703754879165, 0.1533167403016786, 0.18182890556695602, 0.2222221111514416,
                                    0.2857142862609589, 0.3999999999989924, 0.666666666666667};

/// log(u + correction) for a positive normal u; with a correction to u = 1 in f32, it is not to be tiny. What it
/// returns for others is up to the caller.
static Real logOfNormal(Real u, std::optional<Real> correction, std::optional<Real> exponentBias) {
  bool isDouble = u.isDouble();
  int64_t mantissa = u.mantissa();
  // u = 2^e m with m in [sqrt(1/2), sqrt(2)).
  int64_t lowest = isDouble ? 0x3fe6a09e667f3bcd : 0x3f3504f3;
  Bits bits = u.bits();
  Bits exponent = (bits - lowest) & -(int64_t(1) << mantissa);
  Real f = (bits - exponent).asReal() - 1.0;
  if (correction) {
    Bits inverse = (exponent.constant(0) - exponent + (u.bias() << mantissa)).max(0);
    f = mulAdd(*correction, inverse.asReal(), f);
  }
  // A small integer in the low bits of 1.5 * 2^mantissa: conversions of 64-bit integers are not everywhere.
  double shift = roundingShift(u);
  Bits shiftBits = u.constant(shift).bits();
  Real e = (exponent.shiftRightSigned(mantissa) + shiftBits).asReal() - shift;
  if (exponentBias)
    e = e + *exponentBias;
  // log(2) in two parts, the first of so few bits that its multiples by e are exact.
  if (!isDouble) {
    // Squares may be subnormal with a correction. Cubes of what is small may be, which takes processors a hundred
    // cycles.
    Real square = correction ? normalSquare(f) : f * f;
    Real y = square * fma(f, hornerOfPairs(f, square, kLog32), -0.5);
    y = mulAdd(e, -2.12194440e-4, y);
    return mulAdd(e, 0.693359375, f + y);
  }
  constexpr double log2 = 6.93147180369123816490e-01, log2Low = 1.90821492927058770002e-10;
  Real s = f / (f + 2.0), z = correction ? normalSquare(s) : s * s, polynomial = hornerOfPairs(z, z * z, kLog64);
  // f - f^2 / 2 + s (f^2 / 2 + z P(z)): with a correction without the square on its own, which waits longer.
  if (correction) {
    Real half = f * 0.5, tail = mulAdd(s, mulAdd(half, f, z * polynomial), e * log2Low);
    return mulAdd(e, log2, f + mulAdd(-half, f, tail));
  }
  Real half = f * f * 0.5, tail = mulAdd(s, mulAdd(z, polynomial, half), e * log2Low);
  return mulAdd(e, log2, f - (half - tail));
}

/// `log` of a positive finite x, and what other numbers have instead.
static Real logOfAny(Real x, Real log) {
  // Infinity and NaN are their own logarithms.
  Real special = select(x == 0.0, x.constant(-kInfinity), select(x < 0.0, x.constant(kNaN), x));
  return select(both(x, x > 0.0, x < kInfinity), log, special);
}

Real mlir::xla::emitLog(Real x) {
  double smallestNormal = x.isDouble() ? 0x1p-1022 : 0x1p-126;
  double scale = x.isDouble() ? 0x1p54 : 0x1p25;
  Value isDenormal = x < smallestNormal;
  Real normal = select(isDenormal, x * scale, x);
  Real bias = select(isDenormal, x.constant(x.isDouble() ? -54 : -25), x.constant(0));
  Real log = logOfNormal(normal, {}, bias);
  return logOfAny(x, log);
}

// (2 atanh(s) / s - 2 - 2 z / 3) / z^2 with s = sqrt(z), on the f of kLog64.
static constexpr double kLogPair[] = {0.10762291418628644, 0.10456341945425285, 0.11766812466114947,
                                      0.13333296549572363, 0.15384615760977463, 0.18181818179658246,
                                      0.22222222222228424, 0.28571428571428564, 0.4};

Pair mlir::xla::emitLogPair(Real x, std::optional<Real> xLow) {
  Value isDenormal = x < 0x1p-1022;
  Real u = select(isDenormal, x * 0x1p54, x);
  Bits bits = u.bits();
  Bits exponent = (bits - 0x3fe6a09e667f3bcd) & -(int64_t(1) << 52);
  Real f = (bits - exponent).asReal() - 1.0;
  double shift = roundingShift(u);
  Real e = (exponent.shiftRightSigned(52) + u.constant(shift).bits()).asReal() - shift;
  e = e + select(isDenormal, u.constant(-54.0), u.constant(0.0));

  // s = f / (2 + f) in two parts, with one division.
  Pair divisor = fastTwoSum(u.constant(2.0), f);
  Real inverse = 1.0 / divisor.high, quotient = f * inverse;
  Real rest = mulAdd(-quotient, divisor.low, fma(-quotient, divisor.high, f));
  Pair s{quotient, rest * inverse};
  // 2 s + s^3 (2 / 3 + z P(z)), z = s^2.
  Pair z = s * s;
  Pair factor = fastTwoSum(u.constant(2.0 / 3), z.high * horner(z.high, kLogPair));
  factor.low = factor.low + 3.7007434154171885e-17;
  Pair cube = s * z * factor;
  Pair sum = fastTwoSum(s.high + s.high, cube.high);
  Real low = sum.low + (cube.low + (s.low + s.low));
  if (xLow)
    low = low + *xLow / u;
  // The first part of log(2) has so few bits that its multiples by e are exact.
  Pair total = fastTwoSum(e * 6.93147180369123816490e-01, sum.high);
  return fastTwoSum(total.high, total.low + mulAdd(e, 1.90821492927058770002e-10, low));
}

Real mlir::xla::emitPreciseLog2(Real x) {
  Pair inverse{x.constant(kLog2E), x.constant(2.0355273740931033e-17)};
  return logOfAny(x, (emitLogPair(x) * inverse).high);
}
Real mlir::xla::emitPreciseLog10(Real x) {
  Pair inverse{x.constant(0.4342944819032518), x.constant(1.098319650216765e-17)};
  return logOfAny(x, (emitLogPair(x) * inverse).high);
}

Real mlir::xla::emitLog1p(Real x) {
  // 1 + x = u + correction exactly.
  Real u = x + 1.0, back = u - 1.0;
  Real correction = (x - back) + (1.0 - (u - back));
  Real log = logOfNormal(u, correction, {});
  // In f32 half of the square of a small number is nothing beside it, and what a normal square has more should be.
  Value isLarge = x.isDouble() ? x.compare(Real::P::ONE, x.constant(0.0)) : x.abs() > 0x1p-26;
  log = select(both(x, x < kInfinity, isLarge), log, x);
  Real left = select(x == -1.0, x.constant(-kInfinity), x.constant(kNaN));
  return select(x.compare(Real::P::OLE, x.constant(-1.0)), left, log);
}

//===- Powers -----------------------------------------------------------------------------------------------------===//

/// x^y, where `power` is |x|^y for finite y and |x| other than 0 and infinity, or its limit.
static Real powerOfAny(Real x, Real y, Real power) {
  Real magnitude = x.abs();
  // Of |x| = 1, also with an infinite y.
  power = select(both(x, magnitude == 1.0, y == y), x.constant(1.0), power);
  // Infinite y count as even integers.
  Real half = y * 0.5;
  Value isInteger = y.roundEven() == y;
  Value isOdd = both(x, isInteger, half.roundEven().compare(Real::P::UNE, half));
  power = select(isOdd, power.copySign(x), power);
  Value isNegative = both(x, x < 0.0, magnitude < kInfinity);
  Value isReal = either(x, isInteger, y.compare(Real::P::UNO, y));
  Value isFraction = arith::XOrIOp::create(*x.b, isReal, splatConstant(*x.b, isReal.getType(), x.b->getBoolAttr(true)));
  power = select(both(x, isNegative, isFraction), x.constant(kNaN), power);
  return select(either(x, x == 1.0, y == 0.0), x.constant(1.0), power);
}

Real mlir::xla::emitPow(Real x, Real y) { return powerOfAny(x, y, expOfWidened(y * emitLog(x.abs()))); }

Real mlir::xla::emitPrecisePow(Real x, Real y) {
  Real magnitude = x.abs();
  // Beyond 2^100 the power of everything but 1 is infinite or 0, and products must not be infinite.
  Real power = emitExpOfPair(emitLogPair(magnitude) * y.atMost(0x1p100).atLeast(-0x1p100));
  // Of 0, infinity and NaN, which have no logarithm here.
  Value isRegular = both(x, magnitude > 0.0, magnitude < kInfinity);
  Value grows = arith::XOrIOp::create(*x.b, magnitude == kInfinity, y < 0.0);
  Real limit = select(grows, x.constant(kInfinity), x.constant(0.0));
  limit = select(x.compare(Real::P::UNO, y), x + y, limit);
  return powerOfAny(x, y, select(isRegular, power, limit));
}

namespace {
/// Of a normal positive f64 below 2^1000, both to 47 bits: the root, and 1 / (3 root^2).
struct CubeRoot {
  Real root, inverseSlope;
};
} // namespace

/// By multiplications alone: there is one step, whose terms do not wait for each other.
static CubeRoot cubeRoot(Real x) {
  // A constant less a third of the upper half of the bits is nearly that of y = 1 / root, which then has 3 bits (W.
  // Kahan, Computing a real cube root, 1991; the constant makes the largest and the least h equal). Its sign bit makes
  // it -y, so that nothing is negated below.
  Bits upper = x.bits().shiftRight(32);
  Bits third = upper.with(arith::MulIOp::create(*x.b, upper.value, upper.constant(0x55555556).value)).shiftRight(32);
  Real minusY = ((third.constant(0xd53ee8b4) - third) << 32).asReal();
  // root = x y^2 (1 - h)^(-2/3), with h = 1 - x y^3 and |h| < 0.1024. The polynomial is Chebyshev's of that interval.
  Real square = minusY * minusY, estimate = x * square, h = mulAdd(x * minusY, square, 1.0), h2 = h * h, h4 = h2 * h2;
  Real low = mulAdd(mulAdd(h, 0.45267489626648044, 0.49382715961669493), h2,
                    mulAdd(h, 0.5555555555560029, 0.6666666666671268));
  Real middle = mulAdd(mulAdd(h, 0.36409016042327375, 0.37992165131144023), h2,
                       mulAdd(h, 0.39902499383514645, 0.422497038485603));
  Real high = mulAdd(h, 0.3483898588181102, 0.3603471684035355);
  Real sum = mulAdd(h4, mulAdd(h4, high, middle), low);
  // 1 / root^2 = y^2 (1 - h)^(-2/3).
  return {mulAdd(estimate * h, sum, estimate), square * mulAdd(h * sum, 1.0 / 3, 1.0 / 3)};
}

Real mlir::xla::emitCbrt(Real x) {
  Real magnitude = x.abs(), root = cubeRoot(magnitude).root;
  // 0, infinity and NaN are their own roots.
  return select(both(x, magnitude > 0.0, magnitude < kInfinity), root.copySign(x), x);
}

Real mlir::xla::emitPreciseCbrt(Real x) {
  Real magnitude = x.abs();
  // Cubes of the roots of small numbers would lose bits, and those of large ones be infinite.
  Value isSmall = magnitude < 0x1p-900, isLarge = magnitude > 0x1p900;
  Real one = x.constant(1.0);
  Real scaled = magnitude * select(isSmall, x.constant(0x1p300), select(isLarge, x.constant(0x1p-300), one));
  // A step of Newton's method, with the cube in two parts.
  auto [root, inverseSlope] = cubeRoot(scaled);
  Pair cube = twoProduct(root, root) * root;
  Real excess = (cube.high - scaled) + cube.low;
  root = mulAdd(-excess, inverseSlope, root);
  root = root * select(isSmall, x.constant(0x1p-100), select(isLarge, x.constant(0x1p100), one));
  // 0, infinity and NaN are their own roots.
  return select(both(x, magnitude > 0.0, magnitude < kInfinity), root.copySign(x), x);
}
