// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Trigonometric functions of f64 and their inverses.

#include "mlir_xla/lowering/math/PreciseTrigonometry.h"

#include "mlir_xla/lowering/math/Branches.h"
#include "mlir_xla/lowering/math/Pair.h"

using namespace mlir;
using namespace mlir::xla;

// pi/2 as the sum of three f64.
static constexpr double kHalfPi = 1.5707963267948966, kHalfPiLow = 6.123233995736766e-17,
                        kHalfPiLowest = -1.4973849048591698e-33;
static constexpr double kTwoOverPi = 0.6366197723675814;
/// Adding it rounds to an integer, which the low bits then hold.
static constexpr double kShift = 0x1.8p52;

//===- Reduction --------------------------------------------------------------------------------------------------===//

namespace {
/// x = quadrant * pi/2 + rest, with the quadrant modulo 4 in its low bits.
struct Angle {
  Bits quadrant;
  Pair rest;
};
} // namespace

// From here on angles are far: kHalfPi and what follows it are no longer enough bits.
static constexpr double kFar = 0x1p40;

/// For |x| < kFar.
static Angle reduceNear(Real x) {
  Real shifted = mulAdd(x, kTwoOverPi, kShift), n = shifted - kShift;
  // Exact, as the difference is below 1 and a multiple of 2^-53: so fastTwoSum() is exact, too, in either order.
  Real rest = fma(n, -kHalfPi, x);
  Pair product = twoProduct(n, n.constant(-kHalfPiLow)), sum = fastTwoSum(rest, product.high);
  return {shifted.bits(), {sum.high, mulAdd(n, -kHalfPiLowest, sum.low + product.low)}};
}

// Bits of 1 / (2 pi), 53 to a number: the k-th one times 2^(-53 k).
static constexpr double kTurns[] = {
    0x517cc1b727220p-53,  0x1529fc2757d1f5p-53, 0x69bb81b6c52b3p-53,  0x4f10e4107f945p-53,  0x11d5ef5de2b0dbp-53,
    0x1246e3a424dd2ep-53, 0xc925dd413a3p-53,    0x4873f877ac72cp-53,  0x94d39f74411afp-53,  0x152ebb4484e99cp-53,
    0xe04d68befc827p-53,  0x64758e60d4ce7p-53,  0x1a4e422fc5defcp-53, 0x1283b1ff897ffdp-53, 0x1c0b301fde5e23p-53,
    0x2d6829b47db4dp-53,  0x13f6793e584dbap-53, 0xf463f669e5feap-53,  0x5aea4f758fd7cp-53,  0x17c5ecf41ce7dep-53,
    0x529497535fdafp-53,  0x1b11f8d5d08560p-53, 0x6608df8f6d757p-53};
/// How many of them make a product: no f64 is closer than 2^-62 turns to a multiple of pi/2.
static constexpr int kWindow = 5;

/// kTurns[first + k] for k < kWindow and the first one in the low bits of `first`, at most 18.
static SmallVector<Real> turnsFrom(Real x, Bits first) {
  SmallVector<Real> parts;
  for (double part : kTurns)
    parts.push_back(x.constant(part));
  for (int step = 16; step > 0; step /= 2) {
    Value isFurther = (first & step).equals(step);
    SmallVector<Real> moved;
    for (int k = 0; k < step - 1 + kWindow; ++k) {
      Real stays = parts[std::min<size_t>(k, parts.size() - 1)];
      moved.push_back(k + step < static_cast<int>(parts.size()) ? select(isFurther, parts[k + step], stays) : stays);
    }
    parts = moved;
  }
  return parts;
}

/// The sum of numbers that become smaller, and what each addition loses in their places.
static Real sumInto(MutableArrayRef<Real> numbers) {
  Real sum = numbers[0];
  for (size_t i = 1; i < numbers.size(); ++i) {
    Pair next = twoSum(sum, numbers[i]);
    sum = next.high;
    numbers[i] = next.low;
  }
  return sum;
}

/// For |x| >= kFar, after Payne and Hanek: what is a multiple of a turn has no part in the product with 1 / (2 pi).
static Angle reduceFar(Real x) {
  // The unit in the last place of x is 2^u. Products with parts before the u / 53-th one are whole turns.
  Bits shift = x.constant(kShift).bits();
  Real exponent = (x.abs().bits().shiftRight(52) + shift).asReal() - kShift; // u + 1075
  Real first = ((exponent - 1101.0) * (1.0 / 53)).atLeast(0.0) + kShift;
  SmallVector<Real> turns = turnsFrom(x, first.bits());
  Real scale = (mulAdd(first - kShift, -53.0, kShift + 1023).bits() << 52).asReal();
  Real factor = x * scale;
  SmallVector<Real> parts;
  for (int k = 0; k < kWindow; ++k) {
    Pair product = twoProduct(factor, turns[k]);
    if (k < 2)
      product = {product.high - product.high.roundEven(), product.low - product.low.roundEven()};
    parts.push_back(product.high);
    if (k + 1 < kWindow)
      parts.push_back(product.low);
    factor = factor * 0x1p-53;
  }
  Real sum = sumInto(parts);
  Real quarters = mulAdd(sum, 4.0, kShift);
  parts[0] = mulAdd(quarters - kShift, -0.25, sum);
  // Much may have been cancelled: the parts that were lost are added once more.
  sum = sumInto(parts);
  Real low = parts.back();
  for (Real part : llvm::reverse(ArrayRef<Real>(parts).drop_front().drop_back()))
    low = low + part;
  Pair turn{x.constant(4 * kHalfPi), x.constant(4 * kHalfPiLow)};
  return {quarters.bits(), fastTwoSum(sum, low) * turn};
}

/// The reduction of the same number before, or null: complex functions need sines and cosines of one angle, and LLVM
/// does not merge branches.
static scf::IfOp earlierReduction(Real x) {
  Block *block = x.b->getInsertionBlock();
  Block::iterator here = x.b->getInsertionPoint();
  for (Operation *user : x.value.getUsers()) {
    auto branch = dyn_cast_or_null<scf::IfOp>(user->getParentOp());
    if (!branch || branch->getBlock() != block || branch.getNumResults() != 3)
      continue;
    // What reduceNear() begins with.
    auto quadrant = branch.elseYield().getOperand(0).getDefiningOp<arith::BitcastOp>();
    auto shifted = quadrant ? quadrant.getIn().getDefiningOp<math::FmaOp>() : math::FmaOp();
    if (shifted && shifted.getA() == x.value && (here == block->end() || branch->isBeforeInBlock(&*here)))
      return branch;
  }
  return {};
}

static Angle reduce(Real x) {
  ImplicitLocOpBuilder &b = *x.b;
  if (scf::IfOp earlier = earlierReduction(x))
    return {Bits{&b, earlier.getResult(0)}, {x.with(earlier.getResult(1)), x.with(earlier.getResult(2))}};
  Angle near = reduceNear(x);
  Value isFar = x.abs().compare(Real::P::OGE, x.constant(kFar));
  SmallVector<Value> values = {near.quadrant.value, near.rest.high.value, near.rest.low.value};
  values = ifAny(b, isFar, values, [&](ImplicitLocOpBuilder &inner) {
    Angle far = reduceFar({&inner, x.value});
    SmallVector<Value> chosen = {far.quadrant.value, far.rest.high.value, far.rest.low.value};
    for (auto [value, other] : llvm::zip_equal(chosen, values))
      value = arith::SelectOp::create(inner, isFar, value, other);
    return chosen;
  });
  return {near.quadrant.with(values[0]), {x.with(values[1]), x.with(values[2])}};
}

//===- Sine, cosine, tangent --------------------------------------------------------------------------------------===//

// (sin(x) / x - 1) / z and (cos(x) - 1 + z / 2) / z^2 with x = sqrt(z), on |x| <= pi/4.
static constexpr double kSin[] = {1.5895272668763435e-10,  -2.5050728740116815e-08, 2.755731347751039e-06,
                                  -0.00019841269829078777, 0.008333333333321286,    -0.16666666666666627};
static constexpr double kCos[] = {-1.1382605136893322e-11, 2.08761458895806e-09,   -2.7557317269911896e-07,
                                  2.4801587298762182e-05,  -0.0013888888888887395, 0.041666666666666664};

namespace {
/// The sine and cosine of the rest: the larger parts are some bits longer than the smaller ones.
struct Circle {
  Pair sine, cosine;
};
} // namespace

static Circle circleOf(Pair rest) {
  Real x = rest.high, z = normalSquare(x), half = z * 0.5, cosine = 1.0 - half;
  Real sineLow = mulAddOdd(x, z, horner(z, kSin), mulAdd(-half, rest.low, rest.low));
  Real cosineLow = ((1.0 - cosine) - half) + mulAdd(z * z, horner(z, kCos), -(x * rest.low));
  return {{x, sineLow}, {cosine, cosineLow}};
}

/// sin(x + quarterTurns * pi/2).
static Real sinOfShifted(Real x, int64_t quarterTurns) {
  Angle angle = reduce(x);
  Bits quadrant = quarterTurns ? angle.quadrant + quarterTurns : angle.quadrant;
  Circle circle = circleOf(angle.rest);
  Pair sine = select((quadrant & 1).equals(0), circle.sine, circle.cosine);
  return ((sine.high + sine.low).bits() ^ ((quadrant & 2) << 62)).asReal();
}

Real mlir::xla::emitPreciseSin(Real x) { return select(x == 0.0, x, sinOfShifted(x, 0)); }
Real mlir::xla::emitPreciseCos(Real x) { return sinOfShifted(x, 1); }

Real mlir::xla::emitPreciseTan(Real x) {
  Angle angle = reduce(x);
  auto [sine, cosine] = circleOf(angle.rest);
  sine = fastTwoSum(sine.high, sine.low);
  cosine = fastTwoSum(cosine.high, cosine.low);
  // tan(r + pi/2) = -cos(r) / sin(r).
  Value isEven = (angle.quadrant & 1).equals(0);
  Pair numerator = select(isEven, sine, -cosine), divisor = select(isEven, cosine, sine);
  Real inverse = 1.0 / divisor.high, quotient = numerator.high * inverse;
  Real left = mulAdd(-quotient, divisor.low, fma(-quotient, divisor.high, numerator.high) + numerator.low);
  return select(x == 0.0, x, mulAdd(left, inverse, quotient));
}

//===- Inverses ---------------------------------------------------------------------------------------------------===//

// (asin(x) / x - 1) / z with x = sqrt(z), on |x| <= 1/2.
static constexpr double kAsin[] = {
    0.0325560737029943,   -0.02088994664625855, 0.021636270584637563, 0.0037326700936198376, 0.010774283971486217,
    0.011399756196831649, 0.013980751967660332, 0.017351613964855135, 0.022372215160879377,  0.030381942687691527,
    0.044642857175458024, 0.07499999999969197,  0.1666666666666677};

namespace {
/// Of a near x, its arcsine; otherwise half of the arccosine of |x|.
struct Arc {
  Value isNear;
  Pair angle;
};
} // namespace

static Arc arcOf(Real x) {
  Real a = x.abs();
  Value isNear = a.compare(Real::P::OLE, a.constant(0.5));
  // acos(a) = 2 asin(sqrt((1 - a) / 2)), whose argument is in two parts.
  Real square = select(isNear, normalSquare(x), mulAdd(a, -0.5, 0.5)), root = square.sqrt();
  Real rest = fma(-root, root, square) / select(root == 0.0, root.constant(1.0), root + root);
  Real sine = select(isNear, x, root), low = select(isNear, x.constant(0.0), rest);
  return {isNear, {sine, mulAddOdd(sine, square, hornerOfPairs(square, square * square, kAsin), low)}};
}

Real mlir::xla::emitPreciseAsin(Real x) {
  auto [isNear, angle] = arcOf(x);
  Pair far = fastTwoSum(x.constant(kHalfPi), -(angle.high + angle.high));
  Real farLow = far.low + mulAdd(angle.low, -2.0, kHalfPiLow);
  return select(isNear, angle.high + angle.low, far.high + farLow).copySign(x);
}

Real mlir::xla::emitPreciseAcos(Real x) {
  auto [isNear, angle] = arcOf(x);
  // From pi/2 the arcsine is taken once; of a negative number the other angle is taken twice from pi.
  Value isLeft = x < 0.0;
  Real base = select(isNear, x.constant(kHalfPi), select(isLeft, x.constant(2 * kHalfPi), x.constant(0.0)));
  Real baseLow = select(isNear, x.constant(kHalfPiLow), select(isLeft, x.constant(2 * kHalfPiLow), x.constant(0.0)));
  Real factor = select(isNear, x.constant(-1.0), select(isLeft, x.constant(-2.0), x.constant(2.0)));
  // With a base of 0 the sum is exact, too.
  Pair sum = fastTwoSum(base, factor * angle.high);
  return sum.high + (sum.low + mulAdd(factor, angle.low, baseLow));
}
