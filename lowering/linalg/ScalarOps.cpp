// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of scalar forms for real element types, the ops that need more than a table entry, and scalar regions.

#include "mlir_xla/lowering/linalg/ScalarOps.h"

#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/lowering/Unsupported.h"
#include "mlir_xla/lowering/linalg/Build.h"
#include "mlir_xla/lowering/linalg/SpecialFunctions.h"
#include "mlir_xla/lowering/xla_rt/XlaRtFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::xla;

//===- Constants --------------------------------------------------------------------------------------------------===//

Value mlir::xla::emitScalarConstant(OpBuilder &b, Location loc, ElementsAttr elements) {
  Type type = signlessElementType(elements.getElementType());
  Attribute value = *elements.value_begin<Attribute>();
  if (isa<ComplexType>(type))
    return complex::ConstantOp::create(b, loc, type, cast<ArrayAttr>(value));
  if (auto integer = dyn_cast<IntegerAttr>(value))
    value = IntegerAttr::get(type, integer.getValue());
  return arith::ConstantOp::create(b, loc, cast<TypedAttr>(value));
}
Value mlir::xla::emitFloatConstant(ImplicitLocOpBuilder &b, Type type, double value) {
  return arith::ConstantOp::create(b, b.getFloatAttr(type, value));
}
Value mlir::xla::emitIntConstant(ImplicitLocOpBuilder &b, Type type, const APInt &value) {
  return arith::ConstantOp::create(b, b.getIntegerAttr(type, value));
}
Value mlir::xla::emitIntConstant(ImplicitLocOpBuilder &b, Type type, int64_t value) {
  return emitIntConstant(b, type,
                         APInt(type.getIntOrFloatBitWidth(), value, /*isSigned=*/true, /*implicitTrunc=*/true));
}

//===- Forms ------------------------------------------------------------------------------------------------------===//

using Form = Value (*)(ImplicitLocOpBuilder &, ValueRange);

template <typename OpT> static Value unary(ImplicitLocOpBuilder &b, ValueRange x) { return OpT::create(b, x[0]); }
template <typename OpT> static Value binary(ImplicitLocOpBuilder &b, ValueRange x) {
  return OpT::create(b, x[0], x[1]);
}
static Value same(ImplicitLocOpBuilder &, ValueRange x) { return x[0]; }
static Value zeroImaginary(ImplicitLocOpBuilder &b, ValueRange x) { return emitFloatConstant(b, x[0].getType(), 0.0); }

static Value squareFloat(ImplicitLocOpBuilder &b, ValueRange x) { return arith::MulFOp::create(b, x[0], x[0]); }
static Value squareInt(ImplicitLocOpBuilder &b, ValueRange x) { return arith::MulIOp::create(b, x[0], x[0]); }

static Value isFinite(ImplicitLocOpBuilder &b, ValueRange x) {
  Value infinity = emitFloatConstant(b, x[0].getType(), std::numeric_limits<double>::infinity());
  return arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, math::AbsFOp::create(b, x[0]), infinity);
}

// Zeros and NaN are not ordered-unequal to zero and stay.
static Value signFloat(ImplicitLocOpBuilder &b, ValueRange x) {
  Value zero = emitFloatConstant(b, x[0].getType(), 0.0), one = emitFloatConstant(b, x[0].getType(), 1.0);
  Value nonZero = arith::CmpFOp::create(b, arith::CmpFPredicate::ONE, x[0], zero);
  return arith::SelectOp::create(b, nonZero, math::CopySignOp::create(b, one, x[0]), x[0]);
}
static Value signSigned(ImplicitLocOpBuilder &b, ValueRange x) {
  Type type = x[0].getType();
  Value zero = emitIntConstant(b, type, 0), one = emitIntConstant(b, type, 1);
  Value top = emitIntConstant(b, type, type.getIntOrFloatBitWidth() - 1);
  Value sign = arith::OrIOp::create(b, arith::ShRSIOp::create(b, x[0], top), one);
  return arith::SelectOp::create(b, arith::CmpIOp::create(b, arith::CmpIPredicate::eq, x[0], zero), zero, sign);
}
static Value signUnsigned(ImplicitLocOpBuilder &b, ValueRange x) {
  return arith::MinUIOp::create(b, x[0], emitIntConstant(b, x[0].getType(), 1));
}

static Value negateInt(ImplicitLocOpBuilder &b, ValueRange x) {
  return arith::SubIOp::create(b, emitIntConstant(b, x[0].getType(), 0), x[0]);
}
static Value notInt(ImplicitLocOpBuilder &b, ValueRange x) {
  return arith::XOrIOp::create(b, x[0], emitIntConstant(b, x[0].getType(), -1));
}
// The sum of predicates is their logical or.
static Value addUnsigned(ImplicitLocOpBuilder &b, ValueRange x) {
  if (x[0].getType().isInteger(1))
    return arith::OrIOp::create(b, x[0], x[1]);
  return arith::AddIOp::create(b, x[0], x[1]);
}

// Hardware division traps on a zero divisor and on INT_MIN / -1. Both divide by 1 instead, as everything is that is
// divided by -1: which divisor is taken then does not depend on the dividend. By -1, quotients are negative (INT_MIN
// wraps) and remainders 0, as by 1; what a zero divisor leaves is selected.
template <typename DivOp, bool isSigned, bool isRemainder>
static Value divideInt(ImplicitLocOpBuilder &b, ValueRange x) {
  Type type = x[0].getType();
  unsigned width = type.getIntOrFloatBitWidth();
  auto divisorIs = [&](const APInt &constant) -> Value {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, x[1], emitIntConstant(b, type, constant));
  };
  Value byZero = divisorIs(APInt::getZero(width)), guard = byZero, byMinusOne;
  if (isSigned) {
    byMinusOne = divisorIs(APInt::getAllOnes(width));
    guard = arith::OrIOp::create(b, byZero, byMinusOne);
  }
  Value divisor = arith::SelectOp::create(b, guard, emitIntConstant(b, type, 1), x[1]);
  Value result = DivOp::create(b, x[0], divisor);
  if (isSigned && !isRemainder)
    result = arith::SelectOp::create(b, byMinusOne, negateInt(b, x[0]), result);
  Value atZero = isRemainder ? Value(x[0]) : emitIntConstant(b, type, -1);
  return arith::SelectOp::create(b, byZero, atZero, result);
}

// Square and multiply over the bits of the exponent. A negative exponent leaves 1 of 1, +-1 of -1 and 0 of the rest.
template <bool isSigned> static Value powerInt(ImplicitLocOpBuilder &b, ValueRange x) {
  Type type = x[0].getType();
  unsigned width = type.getIntOrFloatBitWidth();
  Value zero = emitIntConstant(b, type, 0), one = emitIntConstant(b, type, 1);
  Value result = one, base = x[0];
  unsigned bits = isSigned ? width - 1 : width;
  for (unsigned i = 0; i < bits; ++i) {
    Value bit = arith::AndIOp::create(b, x[1], emitIntConstant(b, type, APInt::getOneBitSet(width, i)));
    Value isSet = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, bit, zero);
    result = arith::SelectOp::create(b, isSet, arith::MulIOp::create(b, result, base), result);
    if (i + 1 < bits)
      base = arith::MulIOp::create(b, base, base);
  }
  if (!isSigned)
    return result;
  // For x = +-1 the powers above only depend on the exponent's lowest bit, whatever its sign.
  Value negative = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, x[1], zero);
  Value magnitude = math::AbsIOp::create(b, x[0]);
  Value isUnit = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, magnitude, one);
  Value odd = arith::TruncIOp::create(b, b.getI1Type(), x[1]);
  Value unit = arith::SelectOp::create(b, odd, x[0], one);
  Value ofNegative = arith::SelectOp::create(b, isUnit, unit, zero);
  return arith::SelectOp::create(b, negative, ofNegative, result);
}

// Amounts of at least the bit width are poison to arith: guarded, or clamped for the arithmetic shift.
template <typename ShiftOp> static Value shiftLogical(ImplicitLocOpBuilder &b, ValueRange x) {
  Type type = x[0].getType();
  Value width = emitIntConstant(b, type, type.getIntOrFloatBitWidth());
  Value inRange = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, x[1], width);
  return arith::SelectOp::create(b, inRange, ShiftOp::create(b, x[0], x[1]), emitIntConstant(b, type, 0));
}
static Value shiftArithmetic(ImplicitLocOpBuilder &b, ValueRange x) {
  Type type = x[0].getType();
  Value last = emitIntConstant(b, type, type.getIntOrFloatBitWidth() - 1);
  return arith::ShRSIOp::create(b, x[0], arith::MinUIOp::create(b, x[1], last));
}

// In integers of twice the width; those of 64 bits by their halves, whose products fit.
template <bool isSigned> static Value mulHigh(ImplicitLocOpBuilder &b, ValueRange x) {
  Type type = x[0].getType();
  unsigned width = type.getIntOrFloatBitWidth();
  if (width < 64) {
    Type wide = b.getIntegerType(2 * width);
    auto widen = [&](Value value) -> Value {
      return isSigned ? Value(arith::ExtSIOp::create(b, wide, value)) : arith::ExtUIOp::create(b, wide, value);
    };
    Value product = arith::MulIOp::create(b, widen(x[0]), widen(x[1]));
    return arith::TruncIOp::create(b, type, arith::ShRUIOp::create(b, product, emitIntConstant(b, wide, width)));
  }
  Value half = emitIntConstant(b, type, 32), lowBits = emitIntConstant(b, type, 0xffffffff);
  auto low = [&](Value value) -> Value { return arith::AndIOp::create(b, value, lowBits); };
  auto high = [&](Value value) -> Value { return arith::ShRUIOp::create(b, value, half); };
  auto add = [&](Value lhs, Value rhs) -> Value { return arith::AddIOp::create(b, lhs, rhs); };
  auto mul = [&](Value lhs, Value rhs) -> Value { return arith::MulIOp::create(b, lhs, rhs); };
  Value lowLow = mul(low(x[0]), low(x[1])), lowHigh = mul(low(x[0]), high(x[1]));
  Value highLow = mul(high(x[0]), low(x[1])), highHigh = mul(high(x[0]), high(x[1]));
  Value middle = add(high(lowLow), add(low(lowHigh), low(highLow)));
  Value result = add(add(highHigh, high(middle)), add(high(lowHigh), high(highLow)));
  if (!isSigned)
    return result;
  // A negative factor was taken as 2^64 more than it is.
  Value top = emitIntConstant(b, type, 63);
  for (auto [factor, other] : {std::pair(x[0], x[1]), std::pair(x[1], x[0])}) {
    Value excess = arith::AndIOp::create(b, arith::ShRSIOp::create(b, factor, top), other);
    result = arith::SubIOp::create(b, result, excess);
  }
  return result;
}

namespace {
/// The forms of one op by element class; PRED takes the unsigned one. Null: no such form.
struct Forms {
  Form floating, signedInt, unsignedInt;
};
} // namespace

static const llvm::StringMap<Forms> &getForms() {
  static const llvm::StringMap<Forms> forms = {
      {"abs", {unary<math::AbsFOp>, unary<math::AbsIOp>, same}},
      {"acos", {unary<math::AcosOp>, nullptr, nullptr}},
      {"acosh", {unary<math::AcoshOp>, nullptr, nullptr}},
      {"add", {binary<arith::AddFOp>, binary<arith::AddIOp>, addUnsigned}},
      {"and", {nullptr, binary<arith::AndIOp>, binary<arith::AndIOp>}},
      {"asin", {unary<math::AsinOp>, nullptr, nullptr}},
      {"asinh", {unary<math::AsinhOp>, nullptr, nullptr}},
      {"atan", {unary<math::AtanOp>, nullptr, nullptr}},
      {"atan2", {binary<math::Atan2Op>, nullptr, nullptr}},
      {"atanh", {unary<math::AtanhOp>, nullptr, nullptr}},
      {"bessel_i1e", {emitBesselI1e, nullptr, nullptr}},
      {"cbrt", {unary<math::CbrtOp>, nullptr, nullptr}},
      {"ceil", {unary<math::CeilOp>, nullptr, nullptr}},
      {"conj", {same, nullptr, nullptr}},
      {"cosh", {unary<math::CoshOp>, nullptr, nullptr}},
      {"cosine", {unary<math::CosOp>, nullptr, nullptr}},
      {"count_leading_zeros", {nullptr, unary<math::CountLeadingZerosOp>, unary<math::CountLeadingZerosOp>}},
      {"digamma", {emitDigamma, nullptr, nullptr}},
      {"divide",
       {binary<arith::DivFOp>, divideInt<arith::DivSIOp, true, false>, divideInt<arith::DivUIOp, false, false>}},
      {"erf", {unary<math::ErfOp>, nullptr, nullptr}},
      {"erf_inv", {emitErfInv, nullptr, nullptr}},
      {"erfc", {unary<math::ErfcOp>, nullptr, nullptr}},
      {"exponential", {unary<math::ExpOp>, nullptr, nullptr}},
      {"exponential_minus_one", {unary<math::ExpM1Op>, nullptr, nullptr}},
      {"floor", {unary<math::FloorOp>, nullptr, nullptr}},
      {"imag", {zeroImaginary, nullptr, nullptr}},
      {"is_finite", {isFinite, nullptr, nullptr}},
      {"lgamma", {emitLgamma, nullptr, nullptr}},
      {"log", {unary<math::LogOp>, nullptr, nullptr}},
      {"log_plus_one", {unary<math::Log1pOp>, nullptr, nullptr}},
      {"logistic", {emitLogistic, nullptr, nullptr}},
      {"maximum", {binary<arith::MaximumFOp>, binary<arith::MaxSIOp>, binary<arith::MaxUIOp>}},
      {"minimum", {binary<arith::MinimumFOp>, binary<arith::MinSIOp>, binary<arith::MinUIOp>}},
      {"mulhi", {nullptr, mulHigh<true>, mulHigh<false>}},
      {"multiply", {binary<arith::MulFOp>, binary<arith::MulIOp>, binary<arith::MulIOp>}},
      {"negate", {unary<arith::NegFOp>, negateInt, negateInt}},
      {"not", {nullptr, notInt, notInt}},
      {"or", {nullptr, binary<arith::OrIOp>, binary<arith::OrIOp>}},
      {"polygamma", {emitPolygamma, nullptr, nullptr}},
      {"popcnt", {nullptr, unary<math::CtPopOp>, unary<math::CtPopOp>}},
      {"power", {binary<math::PowFOp>, powerInt<true>, powerInt<false>}},
      {"real", {same, nullptr, nullptr}},
      {"remainder",
       {binary<arith::RemFOp>, divideInt<arith::RemSIOp, true, true>, divideInt<arith::RemUIOp, false, true>}},
      {"round_nearest_afz", {unary<math::RoundOp>, nullptr, nullptr}},
      {"round_nearest_even", {unary<math::RoundEvenOp>, nullptr, nullptr}},
      {"rsqrt", {unary<math::RsqrtOp>, nullptr, nullptr}},
      {"shift_left", {nullptr, shiftLogical<arith::ShLIOp>, shiftLogical<arith::ShLIOp>}},
      {"shift_right_arithmetic", {nullptr, shiftArithmetic, shiftArithmetic}},
      {"shift_right_logical", {nullptr, shiftLogical<arith::ShRUIOp>, shiftLogical<arith::ShRUIOp>}},
      {"sign", {signFloat, signSigned, signUnsigned}},
      {"sine", {unary<math::SinOp>, nullptr, nullptr}},
      {"sinh", {unary<math::SinhOp>, nullptr, nullptr}},
      {"sqrt", {unary<math::SqrtOp>, nullptr, nullptr}},
      {"square", {squareFloat, squareInt, squareInt}},
      {"subtract", {binary<arith::SubFOp>, binary<arith::SubIOp>, binary<arith::SubIOp>}},
      {"tan", {unary<math::TanOp>, nullptr, nullptr}},
      {"tanh", {unary<math::TanhOp>, nullptr, nullptr}},
      {"xor", {nullptr, binary<arith::XOrIOp>, binary<arith::XOrIOp>}},
      {"zeta", {binary<rt::ZetaOp>, nullptr, nullptr}},
  };
  return forms;
}

//===- Ops with attributes or mixed types -------------------------------------------------------------------------===//

static Value emitCompare(ImplicitLocOpBuilder &b, CompareOp op, Type type, Value lhs, Value rhs) {
  ComparisonDirection direction = op.getComparisonDirection();
  if (isa<ComplexType>(type)) {
    if (direction == ComparisonDirection::EQ)
      return complex::EqualOp::create(b, lhs, rhs);
    return complex::NotEqualOp::create(b, lhs, rhs);
  }
  if (isa<FloatType>(type) && !op.isTotalOrder()) {
    static constexpr arith::CmpFPredicate predicates[] = {arith::CmpFPredicate::OEQ, arith::CmpFPredicate::UNE,
                                                          arith::CmpFPredicate::OGE, arith::CmpFPredicate::OGT,
                                                          arith::CmpFPredicate::OLE, arith::CmpFPredicate::OLT};
    return arith::CmpFOp::create(b, predicates[static_cast<int>(direction)], lhs, rhs);
  }
  bool isUnsigned = type.isUnsignedInteger() || type.isInteger(1);
  if (isa<FloatType>(type)) {
    lhs = emitTotalOrderKey(b, lhs);
    rhs = emitTotalOrderKey(b, rhs);
  }
  using P = arith::CmpIPredicate;
  static constexpr P signedPredicates[] = {P::eq, P::ne, P::sge, P::sgt, P::sle, P::slt};
  static constexpr P unsignedPredicates[] = {P::eq, P::ne, P::uge, P::ugt, P::ule, P::ult};
  return arith::CmpIOp::create(b, (isUnsigned ? unsignedPredicates : signedPredicates)[static_cast<int>(direction)],
                               lhs, rhs);
}

static Value emitClamp(ImplicitLocOpBuilder &b, Type type, ValueRange x) {
  const Forms &max = getForms().at("maximum"), &min = getForms().at("minimum");
  auto pick = [&](const Forms &forms) {
    return isa<FloatType>(type) ? forms.floating
                                : (type.isUnsignedInteger() || type.isInteger(1) ? forms.unsignedInt : forms.signedInt);
  };
  Value raised = pick(max)(b, {x[1], x[0]});
  return pick(min)(b, {raised, x[2]});
}

/// The scalar form without regard to narrow floats, or null.
static Value emitReal(ImplicitLocOpBuilder &b, Operation *op, Type type, ValueRange x) {
  if (auto compare = dyn_cast<CompareOp>(op))
    return emitCompare(b, compare, type, x[0], x[1]);
  if (isa<ClampOp>(op))
    return isa<ComplexType>(type) ? Value() : emitClamp(b, type, x);
  auto forms = getForms().find(op->getName().stripDialect());
  if (forms == getForms().end())
    return {};
  Form form = isa<FloatType>(type)                            ? forms->second.floating
              : type.isUnsignedInteger() || type.isInteger(1) ? forms->second.unsignedInt
                                                              : forms->second.signedInt;
  return form ? form(b, x) : Value();
}

//===- Dispatch ---------------------------------------------------------------------------------------------------===//

bool mlir::xla::hasScalarForm(Operation *op) {
  if (auto bitcast = dyn_cast<BitcastConvertOp>(op))
    return cast<RankedTensorType>(bitcast.getOperand().getType()).getRank() ==
           cast<RankedTensorType>(bitcast.getType()).getRank();
  return isa<CompareOp, ClampOp, SelectOp, ConvertOp, ComplexOp, NextAfterOp, ReducePrecisionOp>(op) ||
         (isa_and_nonnull<XlaDialect>(op->getDialect()) && getForms().contains(op->getName().stripDialect()));
}

Value mlir::xla::emitScalarOp(OpBuilder &builder, Operation *op, ValueRange x) {
  ImplicitLocOpBuilder b(op->getLoc(), builder);
  Type resultType = getElementTypeOrSelf(op->getResult(0).getType());
  if (isa<SelectOp>(op))
    return arith::SelectOp::create(b, x[0], x[1], x[2]);
  Type type = getElementTypeOrSelf(op->getOperand(0).getType());
  if (isa<ConvertOp>(op))
    return emitScalarConvert(b, op->getLoc(), x[0], type, resultType);
  if (isa<ComplexOp>(op))
    return complex::CreateOp::create(b, resultType, x[0], x[1]);
  if (isa<BitcastConvertOp>(op)) {
    Type target = signlessElementType(resultType);
    return x[0].getType() == target ? x[0] : Value(arith::BitcastOp::create(b, target, x[0]));
  }
  if (auto reduce = dyn_cast<ReducePrecisionOp>(op))
    return emitReducePrecision(b, x[0], reduce.getExponentBits(), reduce.getMantissaBits());
  if (isa<NextAfterOp>(op))
    return emitNextAfter(b, x[0], x[1]);

  Value result;
  auto compare = dyn_cast<CompareOp>(op);
  bool totalOrder = compare && compare.isTotalOrder();
  if (isa<ComplexType>(type) && !compare) {
    result = emitComplexOp(b, op->getName().stripDialect(), x);
  } else if (isa<FloatType>(type) && type.getIntOrFloatBitWidth() < 32 && !totalOrder) {
    // Narrow floats compute in f32, which holds their sums, products and quotients exactly enough to round once. Where
    // the type has no zero, products that f32 has not either still round to the smallest number: they take f64, as do
    // functions that compute in f64 anyway.
    bool hasZero = APFloat::semanticsHasZero(cast<FloatType>(type).getFloatSemantics());
    Type wide =
        hasZero && !isa<LgammaOp, DigammaOp, BesselI1eOp, ZetaOp, PolygammaOp>(op) ? b.getF32Type() : b.getF64Type();
    SmallVector<Value> widened =
        llvm::map_to_vector(x, [&](Value value) { return emitScalarConvert(b, op->getLoc(), value, type, wide); });
    result = emitReal(b, op, wide, widened);
    if (result && isa<FloatType>(resultType))
      result = emitScalarConvert(b, op->getLoc(), result, wide, resultType);
  } else {
    result = emitReal(b, op, type, x);
  }
  if (!result)
    unsupported(op->emitOpError("has no scalar form for element type ") << type);
  return result;
}

//===- Regions ----------------------------------------------------------------------------------------------------===//

bool mlir::xla::isComputedIn(Region &region, Value value) {
  Region *around = value.getParentRegion();
  return around && region.isAncestor(around);
}

SmallVector<Value> mlir::xla::getScalarCaptures(Region &region) {
  SmallVector<Value> captures;
  region.walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (!isComputedIn(region, operand) && !operand.getDefiningOp<ConstantOp>() &&
          !llvm::is_contained(captures, operand))
        captures.push_back(operand);
  });
  return captures;
}

/// The branches of xla.if and xla.case from number `first` on, as a chain of scf.if; `lookup` knows the values around.
static LogicalResult emitScalarBranches(OpBuilder &b, Operation *op, unsigned first, Value selector,
                                        function_ref<Value(Value)> lookup, SmallVectorImpl<Value> &results) {
  Location loc = op->getLoc();
  if (first + 1 == op->getNumRegions())
    return emitScalarRegion(b, op->getRegion(first), {}, lookup, results);
  Value chosen = selector;
  if (isa<CaseOp>(op)) {
    Value number = arith::ConstantOp::create(b, loc, b.getIntegerAttr(selector.getType(), first));
    chosen = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, selector, number);
  }
  SmallVector<Type> types;
  for (Type type : op->getResultTypes())
    types.push_back(signlessElementType(getElementTypeOrSelf(type)));
  auto branch = scf::IfOp::create(b, loc, types, chosen, /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Value> yes, no;
  b.setInsertionPointToEnd(branch.thenBlock());
  if (failed(emitScalarRegion(b, op->getRegion(first), {}, lookup, yes)))
    return failure();
  scf::YieldOp::create(b, loc, yes);
  b.setInsertionPointToEnd(branch.elseBlock());
  if (failed(emitScalarBranches(b, op, first + 1, selector, lookup, no)))
    return failure();
  scf::YieldOp::create(b, loc, no);
  llvm::append_range(results, branch.getResults());
  return success();
}

LogicalResult mlir::xla::emitScalarRegion(OpBuilder &b, Region &region, ValueRange arguments,
                                          function_ref<Value(Value)> capture, SmallVectorImpl<Value> &results) {
  IRMapping scalars;
  scalars.map(region.getArguments(), arguments);
  auto lookup = [&](Value value) {
    if (Value scalar = scalars.lookupOrNull(value))
      return scalar;
    auto constant = value.getDefiningOp<ConstantOp>();
    Value scalar = constant ? emitScalarConstant(b, constant.getLoc(), constant.getValue()) : capture(value);
    scalars.map(value, scalar);
    return scalar;
  };
  for (Operation &op : region.front()) {
    bool isScalar = llvm::all_of(llvm::concat<const Type>(op.getOperandTypes(), op.getResultTypes()), [](Type type) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      return tensor && tensor.getRank() == 0;
    });
    if (!isScalar)
      return unsupported(op.emitOpError("in a scalar computation: only scalar operands and results can be compiled"));
    if (isa<ReturnOp>(op)) {
      for (Value operand : op.getOperands())
        results.push_back(lookup(operand));
      return success();
    }
    SmallVector<Value> operands = llvm::map_to_vector(op.getOperands(), lookup);
    if (llvm::is_contained(operands, Value()))
      return failure();
    if (isa<ConstantOp>(op)) {
      Value constant = emitScalarConstant(b, op.getLoc(), cast<ConstantOp>(op).getValue());
      scalars.map(op.getResult(0), constant);
    } else if (isa<ReshapeOp, BroadcastInDimOp, TransposeOp>(op)) {
      scalars.map(op.getResult(0), operands[0]);
    } else if (hasScalarForm(&op)) {
      Value result = emitScalarOp(b, &op, operands);
      if (!result)
        return failure();
      scalars.map(op.getResult(0), result);
    } else if (isa<OptimizationBarrierOp>(op)) {
      scalars.map(op.getResults(), operands);
    } else if (auto map = dyn_cast<MapOp>(op)) {
      SmallVector<Value> mapped;
      if (failed(emitScalarRegion(b, map.getComputation(), operands, lookup, mapped)))
        return failure();
      scalars.map(op.getResults(), mapped);
    } else if (isa<IfOp, CaseOp>(op)) {
      SmallVector<Value> chosen;
      if (failed(emitScalarBranches(b, &op, 0, operands[0], lookup, chosen)))
        return failure();
      scalars.map(op.getResults(), chosen);
    } else {
      return unsupported(op.emitOpError("in a scalar computation: has no scalar form"));
    }
  }
  return failure();
}
