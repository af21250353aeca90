// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folds and canonicalisation of compare, select and clamp.

#include "mlir_xla/dialect/ConstantFolding.h"
#include "mlir_xla/dialect/InferTypes.h"
#include "mlir_xla/dialect/XlaOps.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::xla;

//===- Compare ----------------------------------------------------------------------------------------------------===//

/// The truth of `x direction y` given how x compares to y (-1, 0, 1).
static bool holds(ComparisonDirection direction, int order) {
  switch (direction) {
  case ComparisonDirection::EQ:
    return order == 0;
  case ComparisonDirection::NE:
    return order != 0;
  case ComparisonDirection::GE:
    return order >= 0;
  case ComparisonDirection::GT:
    return order > 0;
  case ComparisonDirection::LE:
    return order <= 0;
  case ComparisonDirection::LT:
    return order < 0;
  }
  llvm_unreachable("unknown direction");
}

static int compareInts(const APInt &x, const APInt &y, bool isUnsigned) {
  if (x == y)
    return 0;
  return (isUnsigned ? x.ult(y) : x.slt(y)) ? -1 : 1;
}

/// What no element of an integer tensor is below and above, if known.
struct Bounds {
  std::optional<APInt> lower, upper;
};

/// Of maxima and minima with constants.
static Bounds boundsOf(Value value) {
  auto limit = [](Operation *op) -> std::optional<APInt> {
    APInt splat;
    for (Value operand : op->getOperands())
      if (matchPattern(operand, m_ConstantInt(&splat)))
        return splat;
    return std::nullopt;
  };
  if (auto maximum = value.getDefiningOp<MaxOp>())
    return {limit(maximum), std::nullopt};
  if (auto minimum = value.getDefiningOp<MinOp>())
    return {std::nullopt, limit(minimum)};
  return {};
}

/// The key of a float in total order: its bits as a signed integer, those of negative numbers mirrored.
static APInt totalOrderKey(const APFloat &x) {
  APInt bits = x.bitcastToAPInt();
  if (bits.isNegative())
    bits ^= APInt::getSignedMaxValue(bits.getBitWidth());
  return bits;
}

static bool compareFloats(ComparisonDirection direction, const APFloat &x, const APFloat &y) {
  switch (x.compare(y)) {
  case APFloat::cmpUnordered:
    return direction == ComparisonDirection::NE;
  case APFloat::cmpLessThan:
    return holds(direction, -1);
  case APFloat::cmpEqual:
    return holds(direction, 0);
  case APFloat::cmpGreaterThan:
    return holds(direction, 1);
  }
  llvm_unreachable("unknown order");
}

OpFoldResult CompareOp::fold(FoldAdaptor adaptor) {
  ComparisonDirection direction = getComparisonDirection();
  unsigned elements = classOf(elementTypeOf(getLhs()));
  // x == x holds unless x may be NaN.
  bool reflexive = (elements & (kInt | kPred)) || isTotalOrder();
  if (getLhs() == getRhs() && reflexive)
    return splatInteger(getType(), holds(direction, 0));
  auto toBool = [](bool value) { return APInt(1, value); };
  if (elements & (kInt | kPred)) {
    bool isUnsigned = elements & (kUint | kPred);
    // max(x, 0) < 0 is false.
    APInt constant;
    if (matchPattern(getRhs(), m_ConstantInt(&constant))) {
      Bounds bounds = boundsOf(getLhs());
      int least = bounds.lower ? compareInts(*bounds.lower, constant, isUnsigned) : -1;
      int most = bounds.upper ? compareInts(*bounds.upper, constant, isUnsigned) : 1;
      bool truth = holds(direction, least);
      if (llvm::all_of(llvm::seq_inclusive(least, most), [&](int order) { return holds(direction, order) == truth; }))
        return splatInteger(getType(), truth);
    }
    return zipElements<APInt>(adaptor.getLhs(), adaptor.getRhs(), getType(), [&](const APInt &x, const APInt &y) {
      return toBool(holds(direction, compareInts(x, y, isUnsigned)));
    });
  }
  if (elements == kFloat) {
    bool total = isTotalOrder();
    return zipElements<APFloat>(adaptor.getLhs(), adaptor.getRhs(), getType(), [&](const APFloat &x, const APFloat &y) {
      return toBool(total ? holds(direction, compareInts(totalOrderKey(x), totalOrderKey(y), false))
                          : compareFloats(direction, x, y));
    });
  }
  return {};
}

namespace {
/// xla.compare LT, %constant, %x  ->  xla.compare GT, %x, %constant
struct MoveComparedConstantRight : OpRewritePattern<CompareOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CompareOp op, PatternRewriter &rewriter) const override {
    if (!matchPattern(op.getLhs(), m_Constant()) || matchPattern(op.getRhs(), m_Constant()))
      return failure();
    ComparisonDirection direction = op.getComparisonDirection(), mirrored = direction;
    switch (direction) {
    case ComparisonDirection::EQ:
    case ComparisonDirection::NE:
      break;
    case ComparisonDirection::GE:
      mirrored = ComparisonDirection::LE;
      break;
    case ComparisonDirection::GT:
      mirrored = ComparisonDirection::LT;
      break;
    case ComparisonDirection::LE:
      mirrored = ComparisonDirection::GE;
      break;
    case ComparisonDirection::LT:
      mirrored = ComparisonDirection::GT;
      break;
    }
    rewriter.replaceOpWithNewOp<CompareOp>(op, op.getType(), op.getRhs(), op.getLhs(), mirrored,
                                           op.getCompareTypeAttr());
    return success();
  }
};

/// xla.not (xla.compare EQ, %x, %y)  ->  xla.compare NE, %x, %y
struct NegateComparison : OpRewritePattern<NotOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(NotOp op, PatternRewriter &rewriter) const override {
    auto compare = op.getOperand().getDefiningOp<CompareOp>();
    if (!compare || !compare->hasOneUse())
      return failure();
    // GE is not the contrary of LT where NaN is possible, NE is that of EQ always.
    bool ordered = !(classOf(elementTypeOf(compare.getLhs())) & (kFloat | kComplex)) || compare.isTotalOrder();
    ComparisonDirection contrary;
    switch (compare.getComparisonDirection()) {
    case ComparisonDirection::EQ:
      contrary = ComparisonDirection::NE;
      break;
    case ComparisonDirection::NE:
      contrary = ComparisonDirection::EQ;
      break;
    case ComparisonDirection::GE:
      contrary = ComparisonDirection::LT;
      break;
    case ComparisonDirection::GT:
      contrary = ComparisonDirection::LE;
      break;
    case ComparisonDirection::LE:
      contrary = ComparisonDirection::GT;
      break;
    case ComparisonDirection::LT:
      contrary = ComparisonDirection::GE;
      break;
    }
    if (!ordered && contrary != ComparisonDirection::NE && contrary != ComparisonDirection::EQ)
      return failure();
    rewriter.replaceOpWithNewOp<CompareOp>(op, op.getType(), compare.getLhs(), compare.getRhs(), contrary,
                                           compare.getCompareTypeAttr());
    return success();
  }
};
} // namespace

void CompareOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<MoveComparedConstantRight>(context);
}

void NotOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<NegateComparison>(context);
}

//===- Select -----------------------------------------------------------------------------------------------------===//

OpFoldResult SelectOp::fold(FoldAdaptor adaptor) {
  if (getOnTrue() == getOnFalse())
    return ifTyped(getOnTrue(), getType());
  if (std::optional<APInt> pred = splatOf<APInt>(adaptor.getPred()))
    return ifTyped(pred->isOne() ? getOnTrue() : getOnFalse(), getType());
  // select %p, true, false = %p.
  if (elementTypeOf(getType()).isInteger(1) && isSplatAllOnes(adaptor.getOnTrue()) && isSplatZero(adaptor.getOnFalse()))
    return ifTyped(getPred(), getType());
  DenseElementsAttr pred = asFoldable(adaptor.getPred()), onTrue = asFoldable(adaptor.getOnTrue()),
                    onFalse = asFoldable(adaptor.getOnFalse());
  if (!pred || !onTrue || !onFalse)
    return {};
  // Elements are copied in row-major order, so that positions can be counted.
  auto choices = llvm::to_vector(pred.getValues<bool>());
  int64_t position = 0;
  return copyElements({onTrue, onFalse}, getType(), [&](ArrayRef<int64_t>) {
    int64_t i = position++;
    return std::pair<size_t, int64_t>(choices[i] ? 0 : 1, i);
  });
}

namespace {
/// xla.select (xla.not %p), %x, %y  ->  xla.select %p, %y, %x
struct SwapSelectOfNot : OpRewritePattern<SelectOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SelectOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getPred().getDefiningOp<NotOp>();
    if (!inner)
      return failure();
    rewriter.replaceOpWithNewOp<SelectOp>(op, op.getType(), inner.getOperand(), op.getOnFalse(), op.getOnTrue());
    return success();
  }
};

/// xla.select (xla.broadcast_in_dim %scalar), %x, %y  ->  xla.select %scalar, %x, %y
struct SelectByScalar : OpRewritePattern<SelectOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SelectOp op, PatternRewriter &rewriter) const override {
    auto broadcast = op.getPred().getDefiningOp<BroadcastInDimOp>();
    if (!broadcast || broadcast.getOperand().getType().getRank() != 0)
      return failure();
    rewriter.replaceOpWithNewOp<SelectOp>(op, op.getType(), broadcast.getOperand(), op.getOnTrue(), op.getOnFalse());
    return success();
  }
};
} // namespace

void SelectOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<SwapSelectOfNot, SelectByScalar>(context);
}

//===- Clamp ------------------------------------------------------------------------------------------------------===//

OpFoldResult ClampOp::fold(FoldAdaptor adaptor) {
  DenseElementsAttr min = asFoldable(adaptor.getMin()), operand = asFoldable(adaptor.getOperand()),
                    max = asFoldable(adaptor.getMax());
  RankedTensorType type = getType();
  if (!min || !operand || !max || !type.hasStaticShape())
    return {};
  // Scalar bounds are splats of the operand's shape.
  if (min.isSplat())
    min = min.resizeSplat(type);
  if (max.isSplat())
    max = max.resizeSplat(type);
  if (isa<IntegerType>(type.getElementType())) {
    bool isUnsigned = classOf(type.getElementType()) & (kUint | kPred);
    auto larger = [isUnsigned](const APInt &x, const APInt &y) {
      return isUnsigned ? llvm::APIntOps::umax(x, y) : llvm::APIntOps::smax(x, y);
    };
    auto smaller = [isUnsigned](const APInt &x, const APInt &y) {
      return isUnsigned ? llvm::APIntOps::umin(x, y) : llvm::APIntOps::smin(x, y);
    };
    return zipElements<APInt>(zipElements<APInt>(operand, min, type, larger), max, type, smaller);
  }
  auto larger = [](const APFloat &x, const APFloat &y) { return llvm::maximum(x, y); };
  auto smaller = [](const APFloat &x, const APFloat &y) { return llvm::minimum(x, y); };
  return zipElements<APFloat>(zipElements<APFloat>(operand, min, type, larger), max, type, smaller);
}
