// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers of up to 32 bits are divided as floats of more than twice as many, or nearly: processors have no division of
// vectors of integers, and LLVM would take them apart.
//
// A quotient that is no whole number n but just below one is n - 1/b at most, which is less than n by a part of 1/(n b)
// or more: of 2^-32 for 32 bits, where f64 rounds by a part of 2^-53, and of 2^-16 for 16 bits, where f32 rounds by
// 2^-24. So no rounding reaches n, and a whole quotient is exact. A reciprocal is made larger by a part that is more
// than all roundings and less than that: whole quotients stay above n, others stay below.

#include "mlir_xla/lowering/math/IntegerDivision.h"

#include "mlir_xla/lowering/RealValue.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::xla;

bool mlir::xla::dividesInFloats(Operation *op, Value divisor, unsigned lanes) {
  if (!isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op))
    return false;
  // Constants are divided by as LLVM does: it multiplies, and shifts; but the highest 64 bits of a product of vectors
  // take longer.
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  APInt constant;
  bool isConstant = matchPattern(divisor, m_ConstantInt(&constant));
  if (type.isInteger(64))
    return lanes * 64 == 512 && !(isConstant && constant.abs().isPowerOf2());
  return !isConstant && (type.isInteger(8) || type.isInteger(16) || type.isInteger(32));
}

static bool isSigned(Operation *op) { return isa<arith::DivSIOp, arith::RemSIOp>(op); }

static Real asReal(ImplicitLocOpBuilder &b, Operation *op, Value integer) {
  Type shape = integer.getType();
  bool isWide = getElementTypeOrSelf(shape).isInteger(32);
  Type real = withElement(shape, isWide ? b.getF64Type() : b.getF32Type());
  if (isSigned(op))
    return {&b, arith::SIToFPOp::create(b, real, integer)};
  return {&b, arith::UIToFPOp::create(b, real, integer)};
}

static bool isLong(Value integer) { return getElementTypeOrSelf(integer.getType()).isInteger(64); }

/// All bits are the sign's.
static Bits signOf(Bits integer) { return integer.shiftRightSigned(63); }
static Bits negateIf(Bits sign, Bits integer) { return (integer ^ sign) - sign; }

/// Of a magnitude.
static Real longReciprocal(Bits divisor) {
  ImplicitLocOpBuilder &b = *divisor.b;
  Real real{&b, arith::UIToFPOp::create(b, withElement(divisor.value.getType(), b.getF64Type()), divisor.value)};
  return real.constant(1.0) / real * (1 - 0x1p-50);
}

static Value divideLong(ImplicitLocOpBuilder &b, Operation *op, Value dividend, Value divisor, Value reciprocal) {
  Bits x{&b, dividend}, y{&b, divisor}, signOfX, signOfY;
  if (isSigned(op)) {
    signOfX = signOf(x);
    signOfY = signOf(y);
    x = negateIf(signOfX, x);
    y = negateIf(signOfY, y);
  }
  Real factor = reciprocal ? Real{&b, reciprocal} : longReciprocal(y);
  auto product = [&](Bits lhs, Bits rhs) { return lhs.with(arith::MulIOp::create(b, lhs.value, rhs.value)); };
  auto quotientOf = [&](Bits integer) {
    Real real = factor.with(arith::UIToFPOp::create(b, factor.value.getType(), integer.value));
    return integer.with(arith::FPToUIOp::create(b, integer.value.getType(), (real * factor).value));
  };
  Bits quotient = quotientOf(x), rest = x - product(quotient, y), more = quotientOf(rest);
  quotient = quotient + more;
  rest = rest - product(more, y);
  Value isMore = arith::CmpIOp::create(b, arith::CmpIPredicate::uge, rest.value, y.value);
  bool isQuotient = isa<arith::DivSIOp, arith::DivUIOp>(op);
  Bits result = isQuotient ? quotient : rest, corrected = isQuotient ? quotient + 1 : rest - y;
  result.value = arith::SelectOp::create(b, isMore, corrected.value, result.value);
  if (isSigned(op))
    result = negateIf(isQuotient ? signOfX ^ signOfY : signOfX, result);
  return result.value;
}

Value mlir::xla::emitReciprocal(ImplicitLocOpBuilder &b, Operation *op, Value divisor) {
  if (isLong(divisor)) {
    Bits y{&b, divisor};
    return longReciprocal(isSigned(op) ? negateIf(signOf(y), y) : y).value;
  }
  Real real = asReal(b, op, divisor);
  return (real.constant(1.0) / real * (real.isDouble() ? 1 + 0x1p-50 : 1 + 0x1p-21)).value;
}

Value mlir::xla::emitDivision(ImplicitLocOpBuilder &b, Operation *op, Value dividend, Value divisor, Value reciprocal) {
  if (isLong(dividend))
    return divideLong(b, op, dividend, divisor, reciprocal);
  Real real = asReal(b, op, dividend);
  real = reciprocal ? real * Real{&b, reciprocal} : real / asReal(b, op, divisor);
  // Quotients of narrow integers fit into 32 bits, whatever their signs.
  Type wide = withElement(dividend.getType(), b.getI32Type());
  Value quotient = isSigned(op) ? arith::FPToSIOp::create(b, wide, real.value).getResult()
                                : arith::FPToUIOp::create(b, wide, real.value).getResult();
  if (wide != dividend.getType())
    quotient = arith::TruncIOp::create(b, dividend.getType(), quotient);
  if (isa<arith::DivSIOp, arith::DivUIOp>(op))
    return quotient;
  return arith::SubIOp::create(b, dividend, arith::MulIOp::create(b, quotient, divisor));
}
