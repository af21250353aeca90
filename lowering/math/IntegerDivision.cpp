// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers of up to 32 bits are divided as floats of more than twice as many, or nearly: processors have no division of
// vectors of integers, and LLVM would take them apart.
//
// A quotient that is no whole number n but just below one is n - 1/b at most, which is less than n by a part of 1/(n b)
// or more: of 2^-32 for 32 bits, where f64 rounds by a part of 2^-53, and of 2^-16 for 16 bits, where f32 rounds by
// 2^-24. So no rounding reaches n, and a whole quotient is exact. A reciprocal is made larger by a part that is more
// than all roundings and less than that: whole quotients stay above n, others stay below.

#include "mlir_xla/lowering/math/IntegerDivision.h"

#include "mlir_xla/lowering/math/RealValue.h"

using namespace mlir;
using namespace mlir::xla;

bool mlir::xla::dividesInFloats(Operation *op) {
  if (!isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op))
    return false;
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  return type.isInteger(8) || type.isInteger(16) || type.isInteger(32);
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

Value mlir::xla::emitReciprocal(ImplicitLocOpBuilder &b, Operation *op, Value divisor) {
  Real real = asReal(b, op, divisor);
  return (real.constant(1.0) / real * (real.isDouble() ? 1 + 0x1p-50 : 1 + 0x1p-21)).value;
}

Value mlir::xla::emitDivision(ImplicitLocOpBuilder &b, Operation *op, Value dividend, Value divisor, Value reciprocal) {
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
