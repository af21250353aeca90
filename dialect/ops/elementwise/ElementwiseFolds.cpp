// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folds of unary and binary ops: identities that hold for every value, and evaluation of constants. Floating-point
// identities keep signed zeros and NaN; a NaN that an operation would newly produce is left to the machine, whose
// choice of sign and payload is visible to total-order comparison.

#include "mlir_xla/dialect/ConstantFolding.h"
#include "mlir_xla/dialect/InferTypes.h"
#include "mlir_xla/dialect/XlaOps.h"

#include <cmath>

using namespace mlir;
using namespace mlir::xla;

static constexpr auto kNearest = APFloat::rmNearestTiesToEven;

static bool isUnsignedElement(Value value) { return classOf(elementTypeOf(value)) & (kUint | kPred); }
static unsigned classOfElements(Value value) { return classOf(elementTypeOf(value)); }

/// Nothing if an operation made a NaN of numbers.
static std::optional<APFloat> unlessNaN(APFloat result) {
  return result.isNaN() ? std::nullopt : std::optional<APFloat>(std::move(result));
}

//===- Unary ------------------------------------------------------------------------------------------------------===//

/// Evaluates integer and floating-point functions; `fn` is called with APInt or APFloat.
template <typename IntFn, typename FloatFn>
static DenseElementsAttr foldUnary(Attribute operand, Type type, IntFn onInt, FloatFn onFloat) {
  DenseElementsAttr elements = asFoldable(operand);
  if (!elements)
    return {};
  if (isa<IntegerType>(elements.getElementType()))
    return mapElements<APInt>(elements, type, [&](const APInt &x) -> std::optional<APInt> { return onInt(x); });
  auto floatType = dyn_cast<FloatType>(elements.getElementType());
  if (floatType && hasUsualArithmetic(floatType))
    return mapElements<APFloat>(elements, type, [&](const APFloat &x) -> std::optional<APFloat> { return onFloat(x); });
  return {};
}
static std::nullopt_t noInt(const APInt &) { return std::nullopt; }
static std::nullopt_t noFloat(const APFloat &) { return std::nullopt; }

/// f(f(x)) = f(x): the operand, if it is an `OpTy` already.
template <typename OpTy> static OpFoldResult foldIdempotent(OpTy op) {
  return op.getOperand().template getDefiningOp<OpTy>() ? ifTyped(op.getOperand(), op.getType()) : OpFoldResult();
}

/// f(f(x)) = x.
template <typename OpTy> static OpFoldResult foldInvolution(OpTy op) {
  auto inner = op.getOperand().template getDefiningOp<OpTy>();
  return inner ? ifTyped(inner.getOperand(), op.getType()) : OpFoldResult();
}

template <typename OpTy> static OpFoldResult foldRounding(OpTy op, Attribute operand, llvm::RoundingMode mode) {
  if (OpFoldResult inner = foldIdempotent(op))
    return inner;
  // APFloat rounds by adding 2^(precision - 1), which f8E3M4 does not reach: in double it does for every format.
  return foldUnary(operand, op.getType(), noInt, [mode](const APFloat &x) {
    if (!x.isFinite())
      return x;
    bool losesInfo;
    APFloat wide = x;
    wide.convert(APFloat::IEEEdouble(), kNearest, &losesInfo);
    wide.roundToIntegral(mode);
    wide.convert(x.getSemantics(), kNearest, &losesInfo);
    return wide;
  });
}

OpFoldResult AbsOp::fold(FoldAdaptor adaptor) {
  if (OpFoldResult inner = foldIdempotent(*this))
    return inner;
  return foldUnary(
      adaptor.getOperand(), getType(), [](const APInt &x) { return x.abs(); },
      [](const APFloat &x) { return llvm::abs(x); });
}

OpFoldResult CeilOp::fold(FoldAdaptor adaptor) {
  return foldRounding(*this, adaptor.getOperand(), llvm::RoundingMode::TowardPositive);
}
OpFoldResult FloorOp::fold(FoldAdaptor adaptor) {
  return foldRounding(*this, adaptor.getOperand(), llvm::RoundingMode::TowardNegative);
}
OpFoldResult RoundOp::fold(FoldAdaptor adaptor) {
  return foldRounding(*this, adaptor.getOperand(), llvm::RoundingMode::NearestTiesToAway);
}
OpFoldResult RoundNearestEvenOp::fold(FoldAdaptor adaptor) {
  return foldRounding(*this, adaptor.getOperand(), llvm::RoundingMode::NearestTiesToEven);
}

OpFoldResult NegOp::fold(FoldAdaptor adaptor) {
  if (OpFoldResult inner = foldInvolution(*this))
    return inner;
  if (classOfElements(getOperand()) == kComplex)
    return mapElements<ComplexAPFloat>(adaptor.getOperand(), getType(), [](const ComplexAPFloat &x) {
      return ComplexAPFloat(llvm::neg(x.real()), llvm::neg(x.imag()));
    });
  return foldUnary(
      adaptor.getOperand(), getType(), [](const APInt &x) { return -x; },
      [](const APFloat &x) { return llvm::neg(x); });
}

OpFoldResult SignOp::fold(FoldAdaptor adaptor) {
  if (classOfElements(getOperand()) & (kSint | kFloat))
    if (OpFoldResult inner = foldIdempotent(*this))
      return inner;
  return foldUnary(
      adaptor.getOperand(), getType(),
      [](const APInt &x) {
        return APInt(x.getBitWidth(),
                     x.isNegative() ? -1
                     : x.isZero()   ? 0
                                    : 1,
                     /*isSigned=*/true,
                     /*implicitTrunc=*/true);
      },
      [](const APFloat &x) { return x.isNaN() || x.isZero() ? x : APFloat::getOne(x.getSemantics(), x.isNegative()); });
}

OpFoldResult SquareOp::fold(FoldAdaptor adaptor) {
  return foldUnary(
      adaptor.getOperand(), getType(), [](const APInt &x) { return x * x; },
      [](const APFloat &x) { return unlessNaN(x * x); });
}

OpFoldResult SqrtOp::fold(FoldAdaptor adaptor) {
  return foldUnary(adaptor.getOperand(), getType(), noInt, [](const APFloat &x) -> std::optional<APFloat> {
    // The square root of a double, rounded to at most 24 bits, is the correctly rounded one: 53 >= 2 * 24 + 2.
    bool isDouble = &x.getSemantics() == &APFloat::IEEEdouble();
    if (!isDouble && APFloat::semanticsPrecision(x.getSemantics()) > 24)
      return std::nullopt;
    if (x.isNaN() || (x.isNegative() && !x.isZero()))
      return std::nullopt;
    bool losesInfo;
    APFloat wide = x;
    wide.convert(APFloat::IEEEdouble(), kNearest, &losesInfo);
    APFloat root(std::sqrt(wide.convertToDouble()));
    root.convert(x.getSemantics(), kNearest, &losesInfo);
    return root;
  });
}

OpFoldResult NotOp::fold(FoldAdaptor adaptor) {
  if (OpFoldResult inner = foldInvolution(*this))
    return inner;
  return foldUnary(adaptor.getOperand(), getType(), [](const APInt &x) { return ~x; }, noFloat);
}

OpFoldResult PopulationCountOp::fold(FoldAdaptor adaptor) {
  return foldUnary(
      adaptor.getOperand(), getType(),
      [](const APInt &x) { return APInt(x.getBitWidth(), x.popcount(), false, /*implicitTrunc=*/true); }, noFloat);
}

OpFoldResult ClzOp::fold(FoldAdaptor adaptor) {
  return foldUnary(
      adaptor.getOperand(), getType(),
      [](const APInt &x) { return APInt(x.getBitWidth(), x.countl_zero(), false, /*implicitTrunc=*/true); }, noFloat);
}

OpFoldResult IsFiniteOp::fold(FoldAdaptor adaptor) {
  return mapElements<APFloat>(adaptor.getOperand(), getType(), [](const APFloat &x) { return APInt(1, x.isFinite()); });
}

//===- Complex parts ----------------------------------------------------------------------------------------------===//

OpFoldResult RealOp::fold(FoldAdaptor adaptor) {
  if (classOfElements(getOperand()) == kFloat)
    return ifTyped(getOperand(), getType());
  if (auto complex = getOperand().getDefiningOp<ComplexOp>())
    return ifTyped(complex.getLhs(), getType());
  return mapElements<ComplexAPFloat>(adaptor.getOperand(), getType(), [](const ComplexAPFloat &x) { return x.real(); });
}

OpFoldResult ImagOp::fold(FoldAdaptor adaptor) {
  if (classOfElements(getOperand()) == kFloat)
    return splatInteger(getType(), 0);
  if (auto complex = getOperand().getDefiningOp<ComplexOp>())
    return ifTyped(complex.getRhs(), getType());
  return mapElements<ComplexAPFloat>(adaptor.getOperand(), getType(), [](const ComplexAPFloat &x) { return x.imag(); });
}

OpFoldResult ConjOp::fold(FoldAdaptor adaptor) {
  if (classOfElements(getOperand()) == kFloat)
    return ifTyped(getOperand(), getType());
  if (OpFoldResult inner = foldInvolution(*this))
    return inner;
  return mapElements<ComplexAPFloat>(adaptor.getOperand(), getType(), [](const ComplexAPFloat &x) {
    return ComplexAPFloat(x.real(), llvm::neg(x.imag()));
  });
}

OpFoldResult ComplexOp::fold(FoldAdaptor adaptor) {
  auto real = getLhs().getDefiningOp<RealOp>();
  auto imag = getRhs().getDefiningOp<ImagOp>();
  if (real && imag && real.getOperand() == imag.getOperand())
    return ifTyped(real.getOperand(), getType());
  return zipElements<APFloat>(adaptor.getLhs(), adaptor.getRhs(), getType(),
                              [](const APFloat &x, const APFloat &y) { return ComplexAPFloat(x, y); });
}

//===- Binary -----------------------------------------------------------------------------------------------------===//

template <typename IntFn, typename FloatFn>
static DenseElementsAttr foldBinary(Attribute lhs, Attribute rhs, Type type, IntFn onInt, FloatFn onFloat) {
  Type element = elementTypeOf(type);
  if (isa<IntegerType>(element))
    return zipElements<APInt>(lhs, rhs, type,
                              [&](const APInt &x, const APInt &y) -> std::optional<APInt> { return onInt(x, y); });
  auto floatType = dyn_cast<FloatType>(element);
  if (floatType && hasUsualArithmetic(floatType))
    return zipElements<APFloat>(
        lhs, rhs, type, [&](const APFloat &x, const APFloat &y) -> std::optional<APFloat> { return onFloat(x, y); });
  return {};
}
static std::nullopt_t noFloats(const APFloat &, const APFloat &) { return std::nullopt; }

/// A floating-point splat of zero with the given sign: the neutral element of an addition or subtraction.
static bool isSplatFloatZero(Attribute attr, bool negative) {
  std::optional<APFloat> value = splatOf<APFloat>(attr);
  return value && value->isZero() && value->isNegative() == negative;
}

OpFoldResult AddOp::fold(FoldAdaptor adaptor) {
  // x + -0.0 = x for every x; x + 0.0 would lose the sign of -0.0.
  if (isSplatZero(adaptor.getRhs()) || isSplatFloatZero(adaptor.getRhs(), /*negative=*/true))
    if (OpFoldResult lhs = ifTyped(getLhs(), getType()))
      return lhs;
  bool isPred = classOfElements(getLhs()) == kPred;
  return foldBinary(
      adaptor.getLhs(), adaptor.getRhs(), getType(),
      [isPred](const APInt &x, const APInt &y) { return isPred ? x | y : x + y; },
      [](const APFloat &x, const APFloat &y) { return unlessNaN(x + y); });
}

OpFoldResult SubtractOp::fold(FoldAdaptor adaptor) {
  if (isSplatZero(adaptor.getRhs()) || isSplatFloatZero(adaptor.getRhs(), /*negative=*/false))
    if (OpFoldResult lhs = ifTyped(getLhs(), getType()))
      return lhs;
  if (getLhs() == getRhs() && (classOfElements(getLhs()) & kInt))
    return splatInteger(getType(), 0);
  return foldBinary(
      adaptor.getLhs(), adaptor.getRhs(), getType(), [](const APInt &x, const APInt &y) { return x - y; },
      [](const APFloat &x, const APFloat &y) { return unlessNaN(x - y); });
}

OpFoldResult MulOp::fold(FoldAdaptor adaptor) {
  bool isPred = classOfElements(getLhs()) == kPred;
  if (isSplatOne(adaptor.getRhs()) || (isPred && isSplatAllOnes(adaptor.getRhs())))
    if (OpFoldResult lhs = ifTyped(getLhs(), getType()))
      return lhs;
  if (isSplatZero(adaptor.getRhs()))
    if (DenseElementsAttr zero = splatInteger(getType(), 0))
      return zero;
  return foldBinary(
      adaptor.getLhs(), adaptor.getRhs(), getType(), [](const APInt &x, const APInt &y) { return x * y; },
      [](const APFloat &x, const APFloat &y) { return unlessNaN(x * y); });
}

OpFoldResult DivOp::fold(FoldAdaptor adaptor) {
  if (isSplatOne(adaptor.getRhs()))
    if (OpFoldResult lhs = ifTyped(getLhs(), getType()))
      return lhs;
  bool isUnsigned = isUnsignedElement(getLhs());
  return foldBinary(
      adaptor.getLhs(), adaptor.getRhs(), getType(),
      [isUnsigned](const APInt &x, const APInt &y) {
        if (y.isZero())
          return APInt::getAllOnes(x.getBitWidth());
        return isUnsigned ? x.udiv(y) : x.sdiv(y);
      },
      [](const APFloat &x, const APFloat &y) { return unlessNaN(x / y); });
}

OpFoldResult RemOp::fold(FoldAdaptor adaptor) {
  bool isUnsigned = isUnsignedElement(getLhs());
  if ((classOfElements(getLhs()) & kInt) && isSplatOne(adaptor.getRhs()))
    if (DenseElementsAttr zero = splatInteger(getType(), 0))
      return zero;
  return foldBinary(
      adaptor.getLhs(), adaptor.getRhs(), getType(),
      [isUnsigned](const APInt &x, const APInt &y) {
        if (y.isZero())
          return x;
        return isUnsigned ? x.urem(y) : x.srem(y);
      },
      [](APFloat x, const APFloat &y) {
        x.mod(y);
        return unlessNaN(x);
      });
}

OpFoldResult PowOp::fold(FoldAdaptor adaptor) {
  if (isSplatOne(adaptor.getRhs()))
    if (OpFoldResult lhs = ifTyped(getLhs(), getType()))
      return lhs;
  std::optional<APFloat> exponent = splatOf<APFloat>(adaptor.getRhs());
  if (isSplatZero(adaptor.getRhs()) || (exponent && exponent->isZero()))
    return splatInteger(getType(), 1);
  bool isUnsigned = isUnsignedElement(getLhs());
  return foldBinary(
      adaptor.getLhs(), adaptor.getRhs(), getType(),
      [isUnsigned](const APInt &base, const APInt &exponent) -> std::optional<APInt> {
        if (!isUnsigned && exponent.isNegative())
          return std::nullopt;
        // Square and multiply, most significant bit first.
        APInt result(base.getBitWidth(), 1);
        for (unsigned bit = exponent.getActiveBits(); bit-- > 0;) {
          result *= result;
          if (exponent[bit])
            result *= base;
        }
        return result;
      },
      noFloats);
}

using IntegerChoice = const APInt &(*)(const APInt &, const APInt &);
using FloatChoice = APFloat (*)(const APFloat &, const APFloat &);

/// The extremum of x and x is x, as is the maximum of x and -inf, the minimum of x and inf.
template <typename OpTy>
static OpFoldResult foldExtremum(OpTy op, typename OpTy::FoldAdaptor adaptor, IntegerChoice ofSigned,
                                 IntegerChoice ofUnsigned, FloatChoice ofFloats) {
  std::optional<APFloat> bound = splatOf<APFloat>(adaptor.getRhs());
  bool isNeutral = bound && bound->isInfinity() && bound->isNegative() == std::is_same_v<OpTy, MaxOp>;
  if (op.getLhs() == op.getRhs() || isNeutral)
    if (OpFoldResult lhs = ifTyped(op.getLhs(), op.getType()))
      return lhs;
  IntegerChoice ofIntegers = isUnsignedElement(op.getLhs()) ? ofUnsigned : ofSigned;
  return foldBinary(
      adaptor.getLhs(), adaptor.getRhs(), op.getType(),
      [&](const APInt &x, const APInt &y) -> APInt { return ofIntegers(x, y); }, ofFloats);
}

OpFoldResult MaxOp::fold(FoldAdaptor adaptor) {
  return foldExtremum(*this, adaptor, llvm::APIntOps::smax, llvm::APIntOps::umax, llvm::maximum);
}
OpFoldResult MinOp::fold(FoldAdaptor adaptor) {
  return foldExtremum(*this, adaptor, llvm::APIntOps::smin, llvm::APIntOps::umin, llvm::minimum);
}

//===- Bits -------------------------------------------------------------------------------------------------------===//

OpFoldResult AndOp::fold(FoldAdaptor adaptor) {
  if (getLhs() == getRhs() || isSplatAllOnes(adaptor.getRhs()))
    if (OpFoldResult lhs = ifTyped(getLhs(), getType()))
      return lhs;
  if (isSplatZero(adaptor.getRhs()))
    if (DenseElementsAttr zero = splatInteger(getType(), 0))
      return zero;
  return foldBinary(
      adaptor.getLhs(), adaptor.getRhs(), getType(), [](const APInt &x, const APInt &y) { return x & y; }, noFloats);
}

OpFoldResult OrOp::fold(FoldAdaptor adaptor) {
  if (getLhs() == getRhs() || isSplatZero(adaptor.getRhs()))
    if (OpFoldResult lhs = ifTyped(getLhs(), getType()))
      return lhs;
  if (isSplatAllOnes(adaptor.getRhs()))
    if (DenseElementsAttr ones = splatInteger(getType(), -1))
      return ones;
  return foldBinary(
      adaptor.getLhs(), adaptor.getRhs(), getType(), [](const APInt &x, const APInt &y) { return x | y; }, noFloats);
}

OpFoldResult XorOp::fold(FoldAdaptor adaptor) {
  if (isSplatZero(adaptor.getRhs()))
    if (OpFoldResult lhs = ifTyped(getLhs(), getType()))
      return lhs;
  if (getLhs() == getRhs())
    if (DenseElementsAttr zero = splatInteger(getType(), 0))
      return zero;
  return foldBinary(
      adaptor.getLhs(), adaptor.getRhs(), getType(), [](const APInt &x, const APInt &y) { return x ^ y; }, noFloats);
}

/// x shifted by 0 is x, 0 shifted is 0; `fn` gets amounts below the bit width, larger ones give `overflow(x)`.
template <typename OpTy, typename Fn, typename OverflowFn>
static OpFoldResult foldShift(OpTy op, typename OpTy::FoldAdaptor adaptor, Fn fn, OverflowFn overflow) {
  if (isSplatZero(adaptor.getRhs()) || isSplatZero(adaptor.getLhs()))
    if (OpFoldResult lhs = ifTyped(op.getLhs(), op.getType()))
      return lhs;
  return foldBinary(
      adaptor.getLhs(), adaptor.getRhs(), op.getType(),
      [&](const APInt &x, const APInt &y) {
        return y.uge(x.getBitWidth()) ? overflow(x) : fn(x, static_cast<unsigned>(y.getZExtValue()));
      },
      noFloats);
}

static APInt shiftToZero(const APInt &x) { return APInt::getZero(x.getBitWidth()); }

OpFoldResult ShiftLeftOp::fold(FoldAdaptor adaptor) {
  return foldShift(*this, adaptor, [](const APInt &x, unsigned amount) { return x.shl(amount); }, shiftToZero);
}
OpFoldResult ShiftRightLogicalOp::fold(FoldAdaptor adaptor) {
  return foldShift(*this, adaptor, [](const APInt &x, unsigned amount) { return x.lshr(amount); }, shiftToZero);
}
OpFoldResult ShiftRightArithmeticOp::fold(FoldAdaptor adaptor) {
  return foldShift(
      *this, adaptor, [](const APInt &x, unsigned amount) { return x.ashr(amount); },
      [](const APInt &x) { return x.ashr(x.getBitWidth() - 1); });
}
