// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The remainder of a division of floats, 53 bits of the quotient at a time: what a quotient of that many bits leaves of
// its dividend is a number of the type.

#include "mlir_xla/lowering/math/Remainder.h"

#include "mlir_xla/lowering/math/Branches.h"

#include <limits>

using namespace mlir;
using namespace mlir::xla;

/// x less a whole multiple of y, exactly. If x / y is below 2^53, the result is less than y in size, otherwise 2^-53 of
/// x.
static Real reduceOnce(Real x, Real y) { return fma(-(x / y).roundEven(), y, x); }

/// x less a whole multiple of y > 0 until it is less than y in size.
static Real reduceAll(Real x, Real y) {
  ImplicitLocOpBuilder &b = *x.b;
  // The quotient of a huge dividend and a tiny divisor would be infinite: multiples of the divisor come first.
  Real multiple = y * 0x1p550, largest = multiple * 0x1p550;
  auto loop = scf::WhileOp::create(
      b, TypeRange{x.value.getType()}, ValueRange{x.value},
      [&](OpBuilder &builder, Location loc, ValueRange carried) {
        ImplicitLocOpBuilder inner(loc, builder);
        Value isLeft = Real{&inner, carried[0]}.abs().compare(Real::P::OGE, {&inner, y.value});
        scf::ConditionOp::create(builder, loc, anyLane(inner, isLeft), carried);
      },
      [&](OpBuilder &builder, Location loc, ValueRange carried) {
        ImplicitLocOpBuilder inner(loc, builder);
        auto here = [&](Real value) -> Real { return {&inner, value.value}; };
        Real rest{&inner, carried[0]}, size = rest.abs();
        Real divisor = select(size.compare(Real::P::OGE, here(multiple)), here(multiple), here(y));
        divisor = select(size.compare(Real::P::OGE, here(largest)), here(largest), divisor);
        scf::YieldOp::create(builder, loc, reduceOnce(rest, divisor).value);
      });
  return x.with(loop.getResult(0));
}

Real mlir::xla::emitRemainder(Real x, Real y) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Real a = x.abs(), divisor = y.abs();
  Value isRegular = both(x, a < infinity, divisor > 0.0);
  // A product that overflows is large enough.
  Value isFar = both(x, isRegular, a.compare(Real::P::OGE, divisor * 0x1p53));
  Real rest = select(a < divisor, a, reduceOnce(a, divisor));
  Value result = ifAny(*x.b, isFar, rest.value, [&](ImplicitLocOpBuilder &inner) -> SmallVector<Value> {
    // Other lanes get what needs no loop.
    Real zero = Real{&inner, x.value}.constant(0.0), one = zero.constant(1.0);
    Real far = reduceAll(select(isFar, {&inner, a.value}, zero), select(isFar, {&inner, divisor.value}, one));
    return {select(isFar, far, {&inner, rest.value}).value};
  })[0];
  rest = x.with(result);
  rest = select(rest < 0.0, rest + divisor, rest).copySign(x);
  return select(isRegular, rest, x.constant(std::numeric_limits<double>::quiet_NaN()));
}
