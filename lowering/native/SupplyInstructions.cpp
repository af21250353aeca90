// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What processors without AVX2 have no instructions for, and LLVM would call a library for, element by element: fused
// multiply-adds, which become two operations where two roundings are allowed and otherwise what one rounding takes, and
// conversions of f16.

#include "mlir_xla/lowering/math/Pair.h"
#include "mlir_xla/lowering/native/Passes.h"

#include "llvm/ADT/TypeSwitch.h"

namespace mlir::xla {
#define GEN_PASS_DEF_SUPPLYINSTRUCTIONS
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
  Real one = x.constant(1.0), down = select(isLarge, x.constant(0x1p-515), one);
  x = x * down;
  y = y * down;
  Real product = x * y;
  Pair sum = twoSum(product, z * down * down);
  Real low = sum.low + errorOf(product, x, y);
  // A zero keeps its sign, and what is infinite or NaN has no low part.
  Real result = select(low.compare(Real::P::ONE, x.constant(0.0)), sum.high + low, sum.high);
  Real up = select(isLarge, x.constant(0x1p515), one);
  return result * up * up;
}

/// The product is exact. The sum is rounded to 53 bits before 24, so the result is within 0.5 + 2^-30 ulp, and exact if
/// it can be.
Real fmaOfSingle(Real x, Real y, Real z) { return (x.toDouble() * y.toDouble() + z.toDouble()).toSingle(); }

Value supplyFma(ImplicitLocOpBuilder &b, math::FmaOp op) {
  Real x{&b, op.getA()}, y{&b, op.getB()}, z{&b, op.getC()};
  if (bitEnumContainsAny(op.getFastmath(), arith::FastMathFlags::contract))
    return (x * y + z).value;
  if (x.isDouble())
    return fmaOfDouble(x, y, z).value;
  return x.element().isF32() ? fmaOfSingle(x, y, z).value : Value();
}

Bits select(Value condition, Bits x, Bits y) {
  return x.with(arith::SelectOp::create(*x.b, condition, x.value, y.value));
}

constexpr int64_t kInfinity16 = 0x7c00, kSign16 = 0x8000;
constexpr int kMoreMantissa = 13, kMoreBias = 112; // than f16 has, in f32

/// f16 -> f32. A subnormal number is a multiple of 2^-24: with the exponent of 2^-14, it is that much more than 2^-14.
Value supplyExtension(ImplicitLocOpBuilder &b, arith::ExtFOp op) {
  if (!getElementTypeOrSelf(op.getIn().getType()).isF16() || !getElementTypeOrSelf(op.getType()).isF32())
    return {};
  Value narrow = arith::BitcastOp::create(b, withElement(op.getType(), b.getI16Type()), op.getIn());
  Bits bits{&b, arith::ExtUIOp::create(b, withElement(op.getType(), b.getI32Type()), narrow)};
  Bits magnitude = bits & (kSign16 - 1), sign = (bits & kSign16) << 16;
  Bits normal = (magnitude << kMoreMantissa) + (int64_t(kMoreBias) << 23);
  Bits special = normal + (int64_t(kMoreBias) << 23);
  Bits subnormal = ((normal + (int64_t(1) << 23)).asReal() - 0x1p-14).bits();
  Bits result = select(magnitude.isLess(kInfinity16), select(magnitude.isLess(0x400), subnormal, normal), special);
  return result.with(arith::OrIOp::create(b, result.value, sign.value)).asReal().value;
}

/// f32 -> f16, to nearest even. Adding 1/2 rounds what is subnormal then to a multiple of 2^-24.
Value supplyTruncation(ImplicitLocOpBuilder &b, arith::TruncFOp op) {
  if (!getElementTypeOrSelf(op.getIn().getType()).isF32() || !getElementTypeOrSelf(op.getType()).isF16())
    return {};
  Bits bits = Real{&b, op.getIn()}.bits(), magnitude = bits & 0x7fffffff, upper = magnitude.shiftRight(kMoreMantissa);
  Bits sign = bits.shiftRight(16) & kSign16;
  Bits normal = (magnitude + (upper & 1) + (0xfff - (int64_t(kMoreBias) << 23))).shiftRight(kMoreMantissa);
  Bits subnormal = (magnitude.asReal() + 0.5).bits() - (int64_t(126) << 23);
  // From 2^16 on it is infinite, unless it is NaN.
  Bits nan = (upper & 0x3ff) | 0x7e00;
  Bits special = select(magnitude.isLess(0x7f800001), bits.constant(kInfinity16), nan);
  Bits result = select(magnitude.isLess(int64_t(kMoreBias + 1) << 23), subnormal,
                       select(magnitude.isLess(int64_t(127 + 16) << 23), normal, special));
  result = result.with(arith::OrIOp::create(b, result.value, sign.value));
  Value half = arith::TruncIOp::create(b, withElement(op.getType(), b.getI16Type()), result.value);
  return arith::BitcastOp::create(b, op.getType(), half);
}

struct SupplyInstructionsPass : impl::SupplyInstructionsBase<SupplyInstructionsPass> {
  using SupplyInstructionsBase::SupplyInstructionsBase;

  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if ((!fma && isa<math::FmaOp>(op)) || (!f16c && isa<arith::ExtFOp, arith::TruncFOp>(op)))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      ImplicitLocOpBuilder b(op->getLoc(), op);
      Value value = llvm::TypeSwitch<Operation *, Value>(op)
                        .Case([&](math::FmaOp fma) { return supplyFma(b, fma); })
                        .Case([&](arith::ExtFOp extension) { return supplyExtension(b, extension); })
                        .Case([&](arith::TruncFOp truncation) { return supplyTruncation(b, truncation); });
      if (!value)
        continue;
      op->getResult(0).replaceAllUsesWith(value);
      op->erase();
    }
  }
};

} // namespace
} // namespace mlir::xla
