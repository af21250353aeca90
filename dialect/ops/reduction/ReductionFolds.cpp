// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Canonicalisation of the reduction family: reductions of no or one element per result, and of splats. Only the order
// of evaluation that every permitted one agrees with may be assumed, so values are folded only where they are exact.

#include "mlir_xla/dialect/ConstantFolding.h"
#include "mlir_xla/dialect/InferTypes.h"
#include "mlir_xla/dialect/Regions.h"
#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/dialect/ops/reduction/ReductionComputation.h"
#include "mlir_xla/dialect/ops/reduction/Window.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/APSInt.h"

using namespace mlir;
using namespace mlir::xla;

namespace {

/// The number of elements reduced into each result; none if not static.
static std::optional<int64_t> getReducedCount(ReduceOp op) {
  auto type = cast<RankedTensorType>(op.getInputs()[0].getType());
  int64_t count = 1;
  for (int64_t dim : op.getDimensions()) {
    if (type.isDynamicDim(dim) || llvm::MulOverflow(count, type.getDimSize(dim), count))
      return std::nullopt;
  }
  return count;
}

/// The body's op if it is a single elementwise one.
static Operation *getElementwiseBody(Region &body) {
  Operation *op = getSingleBinaryOp(body);
  return op && op->hasTrait<IsElementwise>() && op->getResult(0).getType() == op->getOperand(0).getType() ? op
                                                                                                          : nullptr;
}

/// op(broadcast(init), x), of the type of x.
static Value applyOnce(PatternRewriter &rewriter, Location loc, Operation *scalarOp, Value init, Value x) {
  Value inits = BroadcastInDimOp::create(rewriter, loc, x.getType(), init, ArrayRef<int64_t>());
  OperationState state(loc, scalarOp->getName(), {inits, x}, x.getType(), scalarOp->getAttrs());
  return rewriter.create(state)->getResult(0);
}

/// xla.reduce(%x init: %i) across dimensions = [1] : (tensor<4x0xf32>, ..)  ->  xla.broadcast_in_dim %i
struct ReduceNothing : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReduceOp op, PatternRewriter &rewriter) const override {
    if (getReducedCount(op) != 0 || !llvm::all_of(op.getResultTypes(), isPlainStatic))
      return failure();
    SmallVector<Value> results;
    for (auto [init, type] : llvm::zip_equal(op.getInitValues(), op.getResultTypes()))
      results.push_back(BroadcastInDimOp::create(rewriter, op.getLoc(), type, init, ArrayRef<int64_t>()));
    rewriter.replaceOp(op, results);
    return success();
  }
};

/// xla.reduce(%x init: %i) applies xla.add across dimensions = [1] : (tensor<4x1xf32>, ..)
///   ->  xla.add (broadcast %i), (reshape %x) : tensor<4xf32>
struct ReduceOneElement : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReduceOp op, PatternRewriter &rewriter) const override {
    Operation *scalarOp = getElementwiseBody(op.getBody());
    if (!scalarOp || getReducedCount(op) != 1 || !isPlainStatic(op.getResult(0).getType()))
      return failure();
    Value x = op.getInputs()[0];
    if (x.getType() != op.getResult(0).getType())
      x = ReshapeOp::create(rewriter, op.getLoc(), op.getResult(0).getType(), x);
    rewriter.replaceOp(op, applyOnce(rewriter, op.getLoc(), scalarOp, op.getInitValues()[0], x));
    return success();
  }
};

/// True if every partial sum of `count` times `value`, starting from zero, is exact: they are multiples of the lowest
/// set bit of `value` and fit the mantissa.
static bool areSumsExact(const APFloat &value, int64_t count) {
  if (!value.isFinite())
    return false;
  if (value.isZero())
    return true;
  const llvm::fltSemantics &semantics = value.getSemantics();
  unsigned precision = APFloat::semanticsPrecision(semantics);
  if (precision > 53 || value.isDenormal())
    return false;
  // The mantissa as an odd integer, below 2^precision.
  int exponent;
  APFloat fraction = frexp(value, exponent, APFloat::rmNearestTiesToEven);
  APFloat scaled = scalbn(abs(fraction), precision, APFloat::rmNearestTiesToEven);
  APSInt mantissa(64, /*isUnsigned=*/false);
  bool exact;
  if (scaled.convertToInteger(mantissa, APFloat::rmTowardZero, &exact) != APFloat::opOK || mantissa.isZero())
    return false;
  int64_t odd = mantissa.getSExtValue() >> llvm::countr_zero(static_cast<uint64_t>(mantissa.getSExtValue()));
  int64_t sum;
  return !llvm::MulOverflow(odd, count, sum) && sum <= (int64_t(1) << precision);
}

/// What `op` gives for `count` >= 1 elements `value` and the initial value `init`, whatever the order; null if open.
static TypedAttr reduceSplat(Operation *op, Attribute init, Attribute value, int64_t count) {
  if (auto integer = dyn_cast<IntegerAttr>(value)) {
    APInt start = cast<IntegerAttr>(init).getValue(), element = integer.getValue(), result = start;
    bool isUnsigned = integer.getType().isUnsignedInteger() || element.getBitWidth() == 1;
    if (isa<AddOp>(op) && element.getBitWidth() > 1)
      result = start + element * APInt(64, count).zextOrTrunc(element.getBitWidth());
    else if (isa<AndOp>(op) || (isa<MulOp, MinOp>(op) && element.getBitWidth() == 1))
      result = start & element;
    else if (isa<OrOp>(op) || (isa<AddOp, MaxOp>(op) && element.getBitWidth() == 1))
      result = start | element;
    else if (isa<MaxOp>(op))
      result = isUnsigned ? llvm::APIntOps::umax(start, element) : llvm::APIntOps::smax(start, element);
    else if (isa<MinOp>(op))
      result = isUnsigned ? llvm::APIntOps::umin(start, element) : llvm::APIntOps::smin(start, element);
    else
      return {};
    return IntegerAttr::get(integer.getType(), result);
  }
  auto number = dyn_cast<FloatAttr>(value);
  if (!number)
    return {};
  APFloat start = cast<FloatAttr>(init).getValue(), element = number.getValue();
  if (isa<MaxOp>(op))
    return FloatAttr::get(number.getType(), maximum(start, element));
  if (isa<MinOp>(op))
    return FloatAttr::get(number.getType(), minimum(start, element));
  if (!isa<AddOp>(op) || !start.isZero() || element.isZero() || !areSumsExact(element, count))
    return {};
  bool exact;
  APFloat times(APFloat::IEEEdouble(), std::to_string(count));
  if (times.convert(element.getSemantics(), APFloat::rmNearestTiesToEven, &exact) != APFloat::opOK ||
      element.multiply(times, APFloat::rmNearestTiesToEven) != APFloat::opOK)
    return {};
  return FloatAttr::get(number.getType(), element);
}

/// xla.reduce(dense<1.0> init: 0.0) applies xla.add across 12 elements  ->  dense<12.0>
struct ReduceOfSplat : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReduceOp op, PatternRewriter &rewriter) const override {
    Operation *scalarOp = getSingleBinaryOp(op.getBody());
    std::optional<int64_t> count = getReducedCount(op);
    DenseElementsAttr input, init;
    if (!scalarOp || !count || *count < 1 || !isPlainStatic(op.getResult(0).getType()) ||
        !matchPattern(op.getInputs()[0], m_Constant(&input)) || !input.isSplat() ||
        !matchPattern(op.getInitValues()[0], m_Constant(&init)) || isa<ComplexType>(input.getElementType()))
      return failure();
    TypedAttr value = reduceSplat(scalarOp, init.getSplatValue<Attribute>(), input.getSplatValue<Attribute>(), *count);
    if (!value)
      return failure();
    auto type = cast<RankedTensorType>(op.getResult(0).getType());
    rewriter.replaceOpWithNewOp<ConstantOp>(op, type, DenseElementsAttr::get(type, Attribute(value)));
    return success();
  }
};

/// "xla.reduce_window"(%x, %i) <{window_dimensions = [1, 1]}> ({ xla.add })  ->  xla.add (broadcast %i), %x
struct ReduceWindowOfOne : OpRewritePattern<ReduceWindowOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReduceWindowOp op, PatternRewriter &rewriter) const override {
    Operation *scalarOp = getElementwiseBody(op.getBody());
    auto isTrivial = [](const WindowDimension &dim) { return dim.isTrivial(); };
    if (!scalarOp ||
        !llvm::all_of(getVerifiedWindow({op.getWindowDimensions(), op.getWindowStrides(), op.getPaddingAttr(),
                                         op.getBaseDilations(), op.getWindowDilations()}),
                      isTrivial) ||
        op.getInputs()[0].getType() != op.getResult(0).getType() || !isPlainStatic(op.getResult(0).getType()))
      return failure();
    rewriter.replaceOp(op, applyOnce(rewriter, op.getLoc(), scalarOp, op.getInitValues()[0], op.getInputs()[0]));
    return success();
  }
};

} // namespace

void ReduceOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<ReduceNothing, ReduceOneElement, ReduceOfSplat>(context);
}

void ReduceWindowOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<ReduceWindowOfOne>(context);
}
