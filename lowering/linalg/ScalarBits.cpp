// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalar ops that depend on the bits of a number: conversions, rounding to a narrow format, the total order of floats.

#include "mlir_xla/lowering/linalg/Build.h"
#include "mlir_xla/lowering/linalg/ScalarOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::xla;

static Value emitBits(ImplicitLocOpBuilder &b, Value value) {
  return arith::BitcastOp::create(b, b.getIntegerType(value.getType().getIntOrFloatBitWidth()), value);
}

// key = s xor ((s >> (width - 1)) & max): negative numbers in reverse, ordered as signed integers.
Value mlir::xla::emitTotalOrderKey(ImplicitLocOpBuilder &b, Value value) {
  Value bits = emitBits(b, value);
  Type type = bits.getType();
  unsigned width = type.getIntOrFloatBitWidth();
  Value sign = arith::ShRSIOp::create(b, bits, emitIntConstant(b, type, width - 1));
  Value flip = arith::AndIOp::create(b, sign, emitIntConstant(b, type, APInt::getSignedMaxValue(width)));
  return arith::XOrIOp::create(b, bits, flip);
}

Value mlir::xla::emitReducePrecision(ImplicitLocOpBuilder &b, Value value, unsigned exponentBits,
                                     unsigned mantissaBits) {
  auto type = cast<FloatType>(value.getType());
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  unsigned width = type.getWidth();
  unsigned sourceMantissa = llvm::APFloat::semanticsPrecision(semantics) - 1;
  unsigned sourceExponent = width - 1 - sourceMantissa;
  Value bits = emitBits(b, value);
  Type intType = bits.getType();
  auto constant = [&](const APInt &c) { return emitIntConstant(b, intType, c); };

  if (mantissaBits < sourceMantissa) {
    // Add just under half of the last kept bit, plus that bit itself (ties to even); the carry may reach the exponent.
    unsigned dropped = sourceMantissa - mantissaBits;
    APInt lastKept = APInt::getOneBitSet(width, dropped);
    Value kept = arith::AndIOp::create(b, bits, constant(lastKept));
    Value odd = arith::ShRUIOp::create(b, kept, emitIntConstant(b, intType, dropped));
    Value bias = arith::AddIOp::create(b, odd, constant(lastKept.lshr(1) - 1));
    bits = arith::AndIOp::create(b, arith::AddIOp::create(b, bits, bias), constant(~(lastKept - 1)));
  }
  if (exponentBits < sourceExponent) {
    APInt signMask = APInt::getSignMask(width);
    APInt exponentMask = APInt::getLowBitsSet(width, width - 1) & ~APInt::getLowBitsSet(width, sourceMantissa);
    uint64_t sourceBias = (uint64_t(1) << (sourceExponent - 1)) - 1, bias = (uint64_t(1) << (exponentBits - 1)) - 1;
    Value sign = arith::AndIOp::create(b, bits, constant(signMask));
    Value exponent = arith::AndIOp::create(b, bits, constant(exponentMask));
    Value overflow = arith::CmpIOp::create(b, arith::CmpIPredicate::ugt, exponent,
                                           constant(APInt(width, sourceBias + bias) << sourceMantissa));
    Value underflow = arith::CmpIOp::create(b, arith::CmpIPredicate::ule, exponent,
                                            constant(APInt(width, sourceBias - bias) << sourceMantissa));
    Value infinity = arith::OrIOp::create(b, sign, constant(exponentMask));
    bits = arith::SelectOp::create(b, overflow, infinity, bits);
    bits = arith::SelectOp::create(b, underflow, sign, bits);
  }
  Value rounded = arith::BitcastOp::create(b, type, bits);
  Value compared = width < 32 ? emitWidenToF32(b, value) : value; // processors compare no narrower ones
  Value isNaN = arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, compared, compared);
  return arith::SelectOp::create(b, isNaN, value, rounded);
}

// Floats of one sign are ordered as their bits are: a step away from zero adds one, a step towards zero subtracts one.
Value mlir::xla::emitNextAfter(ImplicitLocOpBuilder &b, Value from, Value towards) {
  auto type = cast<FloatType>(from.getType());
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  unsigned width = type.getWidth();
  Value bits = emitBits(b, from);
  Type intType = bits.getType();
  bool isNarrow = width < 32;
  Value x = isNarrow ? emitWidenToF32(b, from) : from, y = isNarrow ? emitWidenToF32(b, towards) : towards;
  Value zero = emitFloatConstant(b, x.getType(), 0.0);
  using P = arith::CmpFPredicate;
  auto compare = [&](P predicate, Value lhs, Value rhs) { return arith::CmpFOp::create(b, predicate, lhs, rhs); };

  Value inwards = arith::XOrIOp::create(b, compare(P::OLT, y, x), compare(P::OLT, x, zero));
  Value step = arith::SelectOp::create(b, inwards, emitIntConstant(b, intType, -1), emitIntConstant(b, intType, 1));
  Value next = arith::AddIOp::create(b, bits, step);
  if (APFloat::semanticsHasSignedRepr(semantics)) {
    // Zero of either sign steps to the smallest number of the sign of `towards`.
    Value sign = emitIntConstant(b, intType, APInt::getSignMask(width));
    Value smallest =
        arith::OrIOp::create(b, arith::AndIOp::create(b, emitBits(b, towards), sign), emitIntConstant(b, intType, 1));
    next = arith::SelectOp::create(b, compare(P::OEQ, x, zero), smallest, next);
    // Where the bits of -0 mean NaN, a step from below arrives at 0.
    if (APFloat::semanticsHasNaN(semantics) && APFloat::getNaN(semantics).bitcastToAPInt().isSignMask()) {
      Value minusZero = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, next, sign);
      next = arith::SelectOp::create(b, minusZero, emitIntConstant(b, intType, 0), next);
    }
  }
  Value result = arith::BitcastOp::create(b, type, next);
  result = arith::SelectOp::create(b, compare(P::UEQ, x, y), towards, result);
  return arith::SelectOp::create(b, compare(P::UNO, x, x), from, result);
}

//===- Conversions ------------------------------------------------------------------------------------------------===//

// f64 -> f32 that keeps an inexact result odd: rounding that once more to fewer bits is rounding the f64 once.
static Value emitRoundToOdd(ImplicitLocOpBuilder &b, Value value) {
  Type f64 = value.getType(), i32 = b.getI32Type();
  Value nearest = arith::TruncFOp::create(b, b.getF32Type(), value);
  Value back = math::AbsFOp::create(b, arith::ExtFOp::create(b, f64, nearest));
  Value magnitude = math::AbsFOp::create(b, value);
  Value bits = emitBits(b, nearest);
  Value one = emitIntConstant(b, i32, 1);
  Value even = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, arith::AndIOp::create(b, bits, one),
                                     emitIntConstant(b, i32, 0));
  Value above = arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, back, magnitude);
  Value below = arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, back, magnitude);
  Value neighbour =
      arith::SelectOp::create(b, above, arith::SubIOp::create(b, bits, one), arith::AddIOp::create(b, bits, one));
  Value adjust = arith::AndIOp::create(b, even, arith::OrIOp::create(b, above, below));
  bits = arith::SelectOp::create(b, adjust, neighbour, bits);
  return arith::BitcastOp::create(b, b.getF32Type(), bits);
}

/// The same for a whole number, which is no small number of f32: what f32 has no bits for is dropped, and the last bit
/// that it has is set where any of that is.
static Value emitWholeToOdd(ImplicitLocOpBuilder &b, Value value) {
  constexpr unsigned width = 64, dropped = 53 - 24;
  auto constant = [&](const APInt &number) { return emitIntConstant(b, b.getI64Type(), number); };
  Value bits = emitBits(b, value), zero = constant(APInt::getZero(width));
  Value rest = arith::AndIOp::create(b, bits, constant(APInt::getLowBitsSet(width, dropped)));
  Value odd =
      arith::OrIOp::create(b, arith::SubIOp::create(b, bits, rest), constant(APInt::getOneBitSet(width, dropped)));
  Value isExact = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, rest, zero);
  bits = arith::SelectOp::create(b, isExact, bits, odd);
  return arith::TruncFOp::create(b, b.getF32Type(), arith::BitcastOp::create(b, value.getType(), bits));
}

/// An integer that `real` represents exactly, and that every type of at most half as many bits rounds to the same
/// number: bits that `real` has no room for are replaced by one below those that it has, where any of them is set.
static Value emitSticky(ImplicitLocOpBuilder &b, Value integer, FloatType real, bool isUnsigned) {
  using P = arith::CmpIPredicate;
  Type type = integer.getType();
  unsigned width = type.getIntOrFloatBitWidth(), precision = real.getFPMantissaWidth();
  auto constant = [&](const APInt &value) { return emitIntConstant(b, type, value); };
  unsigned dropped = width - precision + isUnsigned;
  Value zero = constant(APInt::getZero(width)), ones = constant(APInt::getLowBitsSet(width, dropped));
  Value rest = arith::AndIOp::create(b, integer, ones);
  Value sticky = arith::SelectOp::create(b, arith::CmpIOp::create(b, P::ne, rest, zero),
                                         constant(APInt::getOneBitSet(width, dropped - 1)), zero);
  Value marked = arith::OrIOp::create(b, arith::SubIOp::create(b, integer, rest), sticky);
  // Magnitudes up to 2^precision are exact as they are.
  Value exact = constant(APInt::getOneBitSet(width, precision));
  Value isLarge = isUnsigned ? arith::CmpIOp::create(b, P::ugt, integer, exact)
                             : arith::CmpIOp::create(b, P::ugt, arith::AddIOp::create(b, integer, exact),
                                                     constant(APInt::getOneBitSet(width, precision + 1)));
  return arith::SelectOp::create(b, isLarge, marked, integer);
}

/// The upper half of an f32 of which the lower one is zero.
static Value emitUpperHalf(ImplicitLocOpBuilder &b, Value value) {
  Value bits = arith::BitcastOp::create(b, b.getI32Type(), value);
  bits = arith::ShRUIOp::create(b, bits, emitIntConstant(b, b.getI32Type(), 16));
  return arith::BitcastOp::create(b, b.getBF16Type(), arith::TruncIOp::create(b, b.getI16Type(), bits));
}

static Value emitFloatToFloat(ImplicitLocOpBuilder &b, Value value, Type to) {
  // Everything narrower than f32 goes through it.
  bool isBelow16 = value.getType().getIntOrFloatBitWidth() < 16;
  if (value.getType().getIntOrFloatBitWidth() < 32)
    value = emitWidenToF32(b, value);
  if (isBelow16 && to.isBF16()) // which has all these numbers
    return emitUpperHalf(b, value);
  if (to.getIntOrFloatBitWidth() < 32) {
    if (value.getType().isF64())
      value = emitRoundToOdd(b, value);
    return emitNarrowFromF32(b, value, to);
  }
  unsigned from = value.getType().getIntOrFloatBitWidth(), width = to.getIntOrFloatBitWidth();
  if (from < width)
    return arith::ExtFOp::create(b, to, value);
  if (from > width)
    return arith::TruncFOp::create(b, to, value);
  return value;
}

// Truncates; NaN gives 0 and what is out of range the nearest end of it.
static Value emitFloatToInt(ImplicitLocOpBuilder &b, Value value, Type to, bool isUnsigned) {
  if (value.getType().getIntOrFloatBitWidth() < 32)
    value = emitWidenToF32(b, value);
  Type from = value.getType();
  unsigned width = to.getIntOrFloatBitWidth();
  // Both are powers of two (or -1), hence exact. For wide types the float below `limit` is far from it, which is fine.
  Value lowest = emitFloatConstant(b, from, isUnsigned ? -1.0 : -std::ldexp(1.0, width - 1));
  Value limit = emitFloatConstant(b, from, std::ldexp(1.0, isUnsigned ? width : width - 1));
  Value zero = emitFloatConstant(b, from, 0.0);
  Value aboveLowest =
      arith::CmpFOp::create(b, isUnsigned ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OGE, value, lowest);
  Value belowLimit = arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, value, limit);
  Value inRange = arith::AndIOp::create(b, aboveLowest, belowLimit);
  Value safe = arith::SelectOp::create(b, inRange, value, zero);
  // Vector units convert to 32 bits and more.
  Type wide = width < 32 ? Type(b.getI32Type()) : to;
  Value result;
  if (isUnsigned && width >= 32)
    result = arith::FPToUIOp::create(b, wide, safe);
  else
    result = arith::FPToSIOp::create(b, wide, safe);
  if (wide != to)
    result = arith::TruncIOp::create(b, to, result);
  Value tooLarge = arith::CmpFOp::create(b, arith::CmpFPredicate::OGE, value, limit);
  APInt largest = isUnsigned ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width);
  result = arith::SelectOp::create(b, tooLarge, emitIntConstant(b, to, largest), result);
  if (isUnsigned)
    return result;
  Value tooSmall = arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, value, lowest);
  return arith::SelectOp::create(b, tooSmall, emitIntConstant(b, to, APInt::getSignedMinValue(width)), result);
}

static Value emitToPred(ImplicitLocOpBuilder &b, Value value) {
  Type type = value.getType();
  if (isa<FloatType>(type)) {
    if (type.getIntOrFloatBitWidth() < 32)
      value = emitWidenToF32(b, value);
    return arith::CmpFOp::create(b, arith::CmpFPredicate::UNE, value, emitFloatConstant(b, value.getType(), 0.0));
  }
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, value, emitIntConstant(b, type, 0));
}

Value mlir::xla::emitScalarConvert(OpBuilder &builder, Location loc, Value value, Type from, Type to) {
  ImplicitLocOpBuilder b(loc, builder);
  if (from == to)
    return value;
  if (auto complexTo = dyn_cast<ComplexType>(to)) {
    Type part = complexTo.getElementType();
    Value re = value, im;
    if (auto complexFrom = dyn_cast<ComplexType>(from)) {
      re = emitScalarConvert(b, loc, complex::ReOp::create(b, value), complexFrom.getElementType(), part);
      im = emitScalarConvert(b, loc, complex::ImOp::create(b, value), complexFrom.getElementType(), part);
    } else {
      re = emitScalarConvert(b, loc, value, from, part);
      im = emitFloatConstant(b, part, 0.0);
    }
    return complex::CreateOp::create(b, to, re, im);
  }
  if (auto complexFrom = dyn_cast<ComplexType>(from)) {
    return emitScalarConvert(b, loc, complex::ReOp::create(b, value), complexFrom.getElementType(), to);
  }
  if (to.isInteger(1))
    return emitToPred(b, value);
  Type target = signlessElementType(to);
  if (isa<FloatType>(from))
    return isa<FloatType>(to) ? emitFloatToFloat(b, value, to)
                              : emitFloatToInt(b, value, target, to.isUnsignedInteger());

  bool isUnsigned = from.isUnsignedInteger() || from.isInteger(1);
  unsigned width = from.getIntOrFloatBitWidth(), targetWidth = target.getIntOrFloatBitWidth();
  if (isa<FloatType>(to)) {
    // Narrow floats are rounded once, from f32 or f64, which have the integer or what rounds as it does.
    FloatType wide = targetWidth >= 32 ? cast<FloatType>(to) : width > 32 ? FloatType(b.getF64Type()) : b.getF32Type();
    if (targetWidth < 32 && width >= wide.getFPMantissaWidth())
      value = emitSticky(b, value, wide, isUnsigned);
    Value number;
    if (isUnsigned)
      number = arith::UIToFPOp::create(b, wide, value);
    else
      number = arith::SIToFPOp::create(b, wide, value);
    if (wide.isF64() && wide != to)
      number = emitWholeToOdd(b, number);
    return wide == to ? number : emitFloatToFloat(b, number, to);
  }
  if (targetWidth < width)
    return arith::TruncIOp::create(b, target, value);
  if (targetWidth == width)
    return value;
  if (isUnsigned)
    return arith::ExtUIOp::create(b, target, value);
  return arith::ExtSIOp::create(b, target, value);
}
