// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fused multiply-adds for processors without: two operations where two roundings are allowed, and otherwise what one
// rounding takes.

#include "mlir_xla/lowering/math/Pair.h"
#include "mlir_xla/lowering/native/Passes.h"

namespace mlir::xla {
#define GEN_PASS_DEF_SPLITFMA
#include "mlir_xla/lowering/native/Passes.h.inc"

namespace {

/// An f64 as the sum of two numbers of few enough bits that their products with others are exact.
struct Halves {
  Real high, low;
};

/// 26 bits and 27 that have the same sign.
Halves cut(Real x) {
  Real high = (x.bits() & ~((int64_t(1) << 27) - 1)).asReal();
  return {high, x - high};
}

/// 26 bits and 26. By integers: Veltkamp's product overflows for x from 2^996 on, this sum from 2^1024 - 2^997 on.
Halves cutToNearest(Real x) {
  Real high = ((x.bits() + (int64_t(1) << 26)) & ~((int64_t(1) << 27) - 1)).asReal();
  return {high, x - high};
}

/// x * y - product, where `product` is x * y rounded: T. J. Dekker (1971).
Real errorOf(Real product, Real x, Real y) {
  Halves a = cut(x), b = cutToNearest(y);
  return ((a.high * b.high - product) + a.high * b.low + a.low * b.high) + a.low * b.low;
}

/// Whether z is -(x * y), rounded.
bool isOppositeOfProduct(Value z, Value x, Value y) {
  auto negation = z.getDefiningOp<arith::NegFOp>();
  auto product = negation ? negation.getOperand().getDefiningOp<arith::MulFOp>() : arith::MulFOp();
  return product &&
         ((product.getLhs() == x && product.getRhs() == y) || (product.getLhs() == y && product.getRhs() == x));
}

/// The sum of product and z, and of what both have lost, is rounded once, but for the digits of the latter beyond 53:
/// the result is within 0.5 + 2^-52 ulp, and exact if it can be. Products below 2^-969 have subnormal errors.
Real fmaOfDouble(Real x, Real y, Real z) {
  if (isOppositeOfProduct(z.value, x.value, y.value))
    return errorOf(-z, x, y);
  // A product may be infinite where the sum is not.
  Value isLarge = (x * y).abs() > 0x1p1000;
  Real one = x.constant(1.0), down = select(isLarge, x.constant(0x1p-60), one);
  x = x * down;
  Real product = x * y;
  Pair sum = twoSum(product, z * down);
  Real low = sum.low + errorOf(product, x, y);
  // A zero keeps its sign, and what is infinite or NaN has no low part.
  Real result = select(low.compare(Real::P::ONE, x.constant(0.0)), sum.high + low, sum.high);
  return result * select(isLarge, x.constant(0x1p60), one);
}

/// The product is exact. The sum is rounded to 53 bits before 24, so the result is within 0.5 + 2^-30 ulp, and exact if
/// it can be.
Real fmaOfSingle(Real x, Real y, Real z) { return (x.toDouble() * y.toDouble() + z.toDouble()).toSingle(); }

struct SplitFmaPass : impl::SplitFmaBase<SplitFmaPass> {
  void runOnOperation() override {
    SmallVector<math::FmaOp> ops;
    getOperation().walk([&](math::FmaOp op) { ops.push_back(op); });
    for (math::FmaOp op : ops) {
      ImplicitLocOpBuilder b(op.getLoc(), op);
      Real x{&b, op.getA()}, y{&b, op.getB()}, z{&b, op.getC()};
      bool contracts = bitEnumContainsAny(op.getFastmath(), arith::FastMathFlags::contract);
      if (!contracts && !x.element().isF32() && !x.element().isF64())
        continue;
      Real result = contracts ? x * y + z : x.isDouble() ? fmaOfDouble(x, y, z) : fmaOfSingle(x, y, z);
      op.replaceAllUsesWith(result.value);
      op.erase();
    }
  }
};

} // namespace
} // namespace mlir::xla
