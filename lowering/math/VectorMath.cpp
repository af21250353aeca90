// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dispatches elementary functions and narrow float conversions to their expansions. LLVM would take a vector apart and
// call libm for each element; scalars take the same formulas, so that a result does not depend on the vector length.

#include "mlir_xla/lowering/math/VectorMath.h"

#include "mlir_xla/lowering/math/ErrorFunctions.h"
#include "mlir_xla/lowering/math/ExpLog.h"
#include "mlir_xla/lowering/math/Gamma.h"
#include "mlir_xla/lowering/math/Hyperbolic.h"
#include "mlir_xla/lowering/math/PreciseTrigonometry.h"
#include "mlir_xla/lowering/math/Remainder.h"
#include "mlir_xla/lowering/math/Trigonometry.h"
#include "mlir_xla/lowering/math/Zeta.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"
#include "mlir_xla/lowering/xla_rt/XlaRtFunctions.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::xla;

//===- Narrow floats ----------------------------------------------------------------------------------------------===//

/// f32 -> bf16, to nearest even. The target's instruction is rare and the library's function slow.
static Value truncateToBF16(ImplicitLocOpBuilder &b, Value value, Type type, bool hasShortNaNs = false) {
  Real x{&b, value};
  Bits bits = x.bits();
  Bits odd = bits.shiftRight(16) & 1;
  Value half = (bits + odd + 0x7fff).shiftRight(16).value;
  // Rounding could carry a NaN into the sign: keep its upper half and make it quiet.
  if (!hasShortNaNs) {
    Bits quiet = bits.shiftRight(16) | 0x40;
    half = arith::SelectOp::create(b, x.compare(Real::P::UNO, x), quiet.value, half);
  }
  half = arith::TruncIOp::create(b, withElement(type, b.getI16Type()), half);
  return arith::BitcastOp::create(b, type, half);
}

/// Are the lower halves of the NaNs that the f32 `value` may be zero, if those that the target makes are? Those of bf16
/// are, and operations hand them on.
static bool hasShortNaNs(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto extension = dyn_cast_or_null<arith::ExtFOp>(op))
    return extension.getIn().getType().isBF16();
  if (auto constant = dyn_cast_or_null<arith::ConstantOp>(op)) {
    auto number = dyn_cast<FloatAttr>(constant.getValue());
    return number && !number.getValue().isNaN();
  }
  return isa_and_nonnull<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::NegFOp, arith::MaximumFOp,
                         arith::MinimumFOp, math::AbsFOp, math::SqrtOp, math::FmaOp, math::ExpOp>(op) &&
         llvm::all_of(op->getOperands(), hasShortNaNs);
}

/// Is `value` a number that bf16 has: one of that type, what selects among such, or its magnitude or opposite?
static bool isBF16(Value value) {
  Operation *op = value.getDefiningOp();
  auto each = [&](ValueRange values) { return llvm::all_of(values, isBF16); };
  if (auto extension = dyn_cast_or_null<arith::ExtFOp>(op))
    return extension.getIn().getType().isBF16();
  if (isa_and_nonnull<arith::MaximumFOp, arith::MinimumFOp, arith::NegFOp, math::AbsFOp>(op))
    return each(op->getOperands());
  auto select = dyn_cast_or_null<arith::SelectOp>(op);
  return select && each({select.getTrueValue(), select.getFalseValue()});
}

/// The upper half of an f32 of which the lower one is zero.
static Value upperHalf(ImplicitLocOpBuilder &b, Value value, Type type) {
  Value bits = Real{&b, value}.bits().shiftRight(16).value;
  Value half = arith::TruncIOp::create(b, withElement(type, b.getI16Type()), bits);
  return arith::BitcastOp::create(b, type, half);
}

/// f64 -> f32 to odd: a second rounding to fewer bits is then the rounding of the first number.
static Real roundToOdd(Real x) {
  Real single = x.toSingle(), back = single.toDouble();
  Bits bits = single.bits();
  // One below where the magnitude was rounded up; the lowest bit set unless exact.
  Value isUp = back.abs() > x.abs();
  Bits inexact = bits.with(arith::SelectOp::create(*x.b, isUp, (bits - 1).value, bits.value)) | 1;
  Value isInexact = back.compare(Real::P::ONE, x);
  return bits.with(arith::SelectOp::create(*x.b, isInexact, inexact.value, bits.value)).asReal();
}

static Value emitTruncation(ImplicitLocOpBuilder &b, Value value, Type type,
                            BF16Rounding rounding = BF16Rounding::Arithmetic) {
  if (!getElementTypeOrSelf(type).isBF16())
    return {};
  Type from = getElementTypeOrSelf(value.getType());
  if (from.isF64())
    value = roundToOdd({&b, value}).value;
  else if (!from.isF32())
    return {};
  if (rounding == BF16Rounding::Instruction)
    return arith::TruncFOp::create(b, type, value);
  return truncateToBF16(b, value, type);
}

/// bf16 -> f32.
static Real extendFromBF16(ImplicitLocOpBuilder &b, Value value, Type type) {
  // What was an upper half just now need not be moved there and back.
  Value wide;
  APInt distance;
  auto isHalf = m_Op<arith::BitcastOp>(
      m_Op<arith::TruncIOp>(m_Op<arith::ShRUIOp>(matchers::m_Any(&wide), m_ConstantInt(&distance))));
  if (matchPattern(value, isHalf) && distance == 16)
    return (Bits{&b, wide} & ~0xffff).asReal();
  Value narrow = arith::BitcastOp::create(b, withElement(type, b.getI16Type()), value);
  return (Bits{&b, arith::ExtUIOp::create(b, withElement(type, b.getI32Type()), narrow)} << 16).asReal();
}

static Value emitExtension(ImplicitLocOpBuilder &b, Value value, Type type) {
  if (!getElementTypeOrSelf(value.getType()).isBF16())
    return {};
  Real single = extendFromBF16(b, value, type);
  return getElementTypeOrSelf(type).isF64() ? single.toDouble().value : single.value;
}

static Value widen(ImplicitLocOpBuilder &b, Value value) {
  Type type = withElement(value.getType(), b.getF32Type());
  Value bf16 = emitExtension(b, value, type);
  return bf16 ? bf16 : arith::ExtFOp::create(b, type, value);
}
static Value narrow(ImplicitLocOpBuilder &b, Value value, Type type) {
  Value bf16 = emitTruncation(b, value, type);
  return bf16 ? bf16 : arith::TruncFOp::create(b, type, value);
}

//===- Functions --------------------------------------------------------------------------------------------------===//

using Function = Real (*)(Real);

/// f32 in f64, for functions that are rarely the bottleneck: simple formulas are then as good as correctly rounded.
static Value inDouble(Real x, Function function) { return function(x.toDouble()).toSingle().value; }

static constexpr double kLog2E = 1.4426950408889634074, kLog10E = 0.43429448190325182765;

/// A weight of a softmax, of which `--xla-mark-weights` sets this flag alone, or any exponential.
static Value emitExpOf(math::ExpOp op, Real x) {
  bool isWeight = op.getFastmath() == arith::FastMathFlags::afn;
  return (isWeight ? emitWeight(x, op->hasAttr(XlaRtDialect::kMasked)) : emitExp(x)).value;
}

static Value emitSingle(Operation *op, Real x, std::optional<Real> y) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](math::ExpOp exp) { return emitExpOf(exp, x); })
      .Case([&](math::Exp2Op) { return emitExp2(x).value; })
      .Case([&](math::ExpM1Op) { return emitExpm1(x).value; })
      .Case([&](math::LogOp) { return emitLog(x).value; })
      .Case([&](math::Log1pOp) { return emitLog1p(x).value; })
      .Case([&](math::Log2Op) { return (emitLog(x.toDouble()) * kLog2E).toSingle().value; })
      .Case([&](math::Log10Op) { return (emitLog(x.toDouble()) * kLog10E).toSingle().value; })
      .Case([&](math::PowFOp) { return emitPow(x.toDouble(), y->toDouble()).toSingle().value; })
      .Case([&](math::CbrtOp) { return inDouble(x, emitCbrt); })
      .Case([&](math::SinOp) { return emitSin(x).value; })
      .Case([&](math::CosOp) { return emitCos(x).value; })
      .Case([&](math::TanOp) { return emitTan(x).value; })
      .Case([&](math::AtanOp) { return emitAtan(x).value; })
      .Case([&](math::Atan2Op) { return emitAtan2(x, *y).value; })
      .Case([&](math::AsinOp) { return inDouble(x, emitPreciseAsin); })
      .Case([&](math::AcosOp) { return inDouble(x, emitPreciseAcos); })
      .Case([&](math::TanhOp) { return emitTanh(x).value; })
      .Case([&](math::SinhOp) { return emitSinh(x).value; })
      .Case([&](math::CoshOp) { return emitCosh(x).value; })
      .Case([&](math::AsinhOp) { return emitAsinh(x).value; })
      .Case([&](math::AcoshOp) { return emitAcosh(x).value; })
      .Case([&](math::AtanhOp) { return emitAtanh(x).value; })
      .Case([&](math::ErfOp) { return emitErf(x).value; })
      .Case([&](math::ErfcOp) { return emitErfc(x).value; })
      .Case([&](arith::RemFOp) { return emitRemainder(x.toDouble(), y->toDouble()).toSingle().value; })
      .Case([&](rt::ZetaOp) { return emitZeta(x.toDouble(), y->toDouble()).toSingle().value; })
      .Case([&](rt::PolygammaOp) { return emitPolygamma(x.toDouble(), y->toDouble()).toSingle().value; })
      .Default(Value());
}

static Value emitDouble(Operation *op, Real x, std::optional<Real> y) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](math::ExpOp exp) { return emitExpOf(exp, x); })
      .Case([&](math::Exp2Op) { return emitExp2(x).value; })
      .Case([&](math::ExpM1Op) { return emitExpm1(x).value; })
      .Case([&](math::LogOp) { return emitLog(x).value; })
      .Case([&](math::Log1pOp) { return emitLog1p(x).value; })
      .Case([&](math::Log2Op) { return emitPreciseLog2(x).value; })
      .Case([&](math::Log10Op) { return emitPreciseLog10(x).value; })
      .Case([&](math::CbrtOp) { return emitPreciseCbrt(x).value; })
      .Case([&](math::SinOp) { return emitPreciseSin(x).value; })
      .Case([&](math::CosOp) { return emitPreciseCos(x).value; })
      .Case([&](math::TanOp) { return emitPreciseTan(x).value; })
      .Case([&](math::AsinOp) { return emitPreciseAsin(x).value; })
      .Case([&](math::AcosOp) { return emitPreciseAcos(x).value; })
      .Case([&](math::AtanOp) { return emitPreciseAtan(x).value; })
      .Case([&](math::Atan2Op) { return emitPreciseAtan2(x, *y).value; })
      .Case([&](math::ErfOp) { return emitPreciseErf(x).value; })
      .Case([&](math::ErfcOp) { return emitErfc(x).value; })
      .Case([&](math::TanhOp) { return emitTanh(x).value; })
      .Case([&](math::SinhOp) { return emitSinh(x).value; })
      .Case([&](math::CoshOp) { return emitCosh(x).value; })
      .Case([&](math::AsinhOp) { return emitPreciseAsinh(x).value; })
      .Case([&](math::AcoshOp) { return emitPreciseAcosh(x).value; })
      .Case([&](math::AtanhOp) { return emitAtanh(x).value; })
      .Case([&](arith::RemFOp) { return emitRemainder(x, *y).value; })
      .Case([&](math::PowFOp) { return emitPrecisePow(x, *y).value; })
      .Case([&](rt::ZetaOp) { return emitZeta(x, *y).value; })
      .Case([&](rt::PolygammaOp) { return emitPolygamma(x, *y).value; })
      .Case([&](rt::LgammaLeftOp) { return emitLgammaLeft(x, *y).value; })
      .Case([&](rt::DigammaLeftOp) { return emitDigammaLeft(x, *y).value; })
      .Default(Value());
}

Value mlir::xla::emitScalarMath(ImplicitLocOpBuilder &b, Operation *op, Type type, ValueRange operands,
                                BF16Rounding rounding) {
  if (isa<arith::TruncFOp>(op) && getElementTypeOrSelf(type).isBF16() && isBF16(op->getOperand(0)))
    return upperHalf(b, operands[0], type);
  if (isa<arith::TruncFOp>(op) && getElementTypeOrSelf(type).isBF16() && rounding == BF16Rounding::OfShortNaNs &&
      hasShortNaNs(op->getOperand(0)))
    return truncateToBF16(b, operands[0], type, /*hasShortNaNs=*/true);
  if (isa<arith::TruncFOp>(op))
    return emitTruncation(b, operands[0], type, rounding);
  if (isa<arith::ExtFOp>(op))
    return emitExtension(b, operands[0], type);
  if (!isa<arith::RemFOp, rt::ZetaOp, rt::PolygammaOp, rt::LgammaLeftOp, rt::DigammaLeftOp>(op) &&
      (!isa_and_nonnull<math::MathDialect>(op->getDialect()) || operands.empty()))
    return {};
  if (!llvm::all_of(operands.getTypes(), [](Type t) { return isa<FloatType>(getElementTypeOrSelf(t)); }))
    return {};

  Type element = getElementTypeOrSelf(operands[0].getType());
  SmallVector<Value> values(operands);
  bool isNarrow = element.isBF16() || element.isF16();
  if (!isNarrow && !element.isF32() && !element.isF64())
    return {};
  if (isNarrow)
    for (Value &value : values)
      value = widen(b, value);
  Real x{&b, values[0]};
  std::optional<Real> y;
  if (values.size() > 1)
    y = Real{&b, values[1]};
  Value result = element.isF64() ? emitDouble(op, x, y) : emitSingle(op, x, y);
  return result && isNarrow ? narrow(b, result, type) : result;
}

void mlir::xla::cloneWithMath(ImplicitLocOpBuilder &b, Operation &op, IRMapping &mapping) {
  SmallVector<Operation *> copies;
  b.clone(op, mapping)->walk([&](Operation *copy) { copies.push_back(copy); });
  for (Operation *copy : copies) {
    if (copy->getNumResults() != 1 || copy->getNumOperands() == 0)
      continue;
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(copy);
    Value value = emitScalarMath(b, copy, copy->getResult(0).getType(), copy->getOperands());
    if (!value)
      continue;
    if (copy == copies.back())
      mapping.map(op.getResult(0), value);
    copy->getResult(0).replaceAllUsesWith(value);
    copy->erase();
  }
}
