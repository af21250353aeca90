// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that are defined by others: here batch normalization, dot, broadcast, linear systems in narrow floats.

#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/dialect/ops/reduction/ReductionComputation.h"
#include "mlir_xla/lowering/legalize/CompositePatterns.h"
#include "mlir_xla/lowering/legalize/Passes.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::xla {
#define GEN_PASS_DEF_DECOMPOSECOMPOSITES
#include "mlir_xla/lowering/legalize/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;
using namespace mlir::xla;

namespace {

/// Builds the formulas of batch normalization over one operand's shape, in f32 for narrower types.
class FeatureMath {
public:
  FeatureMath(PatternRewriter &rewriter, Location loc, RankedTensorType type, int64_t featureIndex)
      : b(rewriter), loc(loc), element(type.getElementType()), shape(type.getShape()), feature(featureIndex) {
    wide = element.getIntOrFloatBitWidth() < 32 ? Type(b.getF32Type()) : element;
  }

  Value widen(Value value) { return convert(value, wide); }
  Value narrow(Value value) { return convert(value, element); }

  Value add(Value x, Value y) { return AddOp::create(b, loc, x.getType(), x, y); }
  Value sub(Value x, Value y) { return SubtractOp::create(b, loc, x.getType(), x, y); }
  Value mul(Value x, Value y) { return MulOp::create(b, loc, x.getType(), x, y); }
  Value div(Value x, Value y) { return DivOp::create(b, loc, x.getType(), x, y); }

  Value constant(double value) {
    auto type = RankedTensorType::get({shape[feature]}, wide);
    return ConstantOp::create(b, loc, type, DenseElementsAttr::get(type, b.getFloatAttr(wide, value)));
  }
  /// One value per feature -> the operand's shape.
  Value spread(Value perFeature) {
    return BroadcastInDimOp::create(b, loc, RankedTensorType::get(shape, wide), perFeature,
                                    b.getDenseI64ArrayAttr({feature}));
  }
  /// The sum over all dimensions but the feature's.
  Value sum(Value x) {
    auto scalar = RankedTensorType::get({}, wide);
    Value zero = ConstantOp::create(b, loc, scalar, DenseElementsAttr::get(scalar, b.getZeroAttr(wide)));
    SmallVector<int64_t> dims;
    for (int64_t d = 0, rank = shape.size(); d < rank; ++d)
      if (d != feature)
        dims.push_back(d);
    auto type = RankedTensorType::get({shape[feature]}, wide);
    auto reduce = ReduceOp::create(b, loc, TypeRange{type}, ValueRange{x}, ValueRange{zero}, dims);
    OpBuilder::InsertionGuard guard(b);
    buildSingleBinaryOp(b, loc, reduce.getBody(), OperationName("xla.add", b.getContext()), wide);
    return reduce.getResult(0);
  }
  Value mean(Value x) {
    double count = 1;
    for (int64_t d = 0, rank = shape.size(); d < rank; ++d)
      if (d != feature)
        count *= shape[d];
    return div(sum(x), constant(count));
  }
  /// sqrt(variance + epsilon)
  Value deviation(Value variance, const APFloat &epsilon) {
    Value shifted = add(variance, constant(epsilon.convertToDouble()));
    return SqrtOp::create(b, loc, shifted.getType(), shifted, ResultAccuracyAttr());
  }
  /// scale * (x - mean) / deviation + offset
  Value normalize(Value x, Value mean, Value deviation, Value scale, Value offset) {
    Value centered = sub(x, spread(mean));
    return add(mul(centered, spread(div(scale, deviation))), spread(offset));
  }

private:
  Value convert(Value value, Type to) {
    auto type = cast<RankedTensorType>(value.getType());
    if (type.getElementType() == to)
      return value;
    return ConvertOp::create(b, loc, RankedTensorType::get(type.getShape(), to), value);
  }

  PatternRewriter &b;
  Location loc;
  Type element, wide;
  ArrayRef<int64_t> shape;
  int64_t feature;
};

/// xla.batch_norm_inference  ->  scale * (x - mean) / sqrt(variance + epsilon) + offset
struct DecomposeBatchNormInference : OpRewritePattern<BatchNormInferenceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BatchNormInferenceOp op, PatternRewriter &rewriter) const override {
    FeatureMath m(rewriter, op.getLoc(), cast<RankedTensorType>(op.getOperand().getType()), op.getFeatureIndex());
    Value deviation = m.deviation(m.widen(op.getVariance()), op.getEpsilon());
    Value y = m.normalize(m.widen(op.getOperand()), m.widen(op.getMean()), deviation, m.widen(op.getScale()),
                          m.widen(op.getOffset()));
    rewriter.replaceOp(op, m.narrow(y));
    return success();
  }
};

/// xla.batch_norm_training  ->  the same with mean(x) and mean((x - mean)^2), which are results too
struct DecomposeBatchNormTraining : OpRewritePattern<BatchNormTrainingOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BatchNormTrainingOp op, PatternRewriter &rewriter) const override {
    FeatureMath m(rewriter, op.getLoc(), cast<RankedTensorType>(op.getOperand().getType()), op.getFeatureIndex());
    Value x = m.widen(op.getOperand());
    Value mean = m.mean(x);
    Value centered = m.sub(x, m.spread(mean));
    Value variance = m.mean(m.mul(centered, centered));
    Value y =
        m.normalize(x, mean, m.deviation(variance, op.getEpsilon()), m.widen(op.getScale()), m.widen(op.getOffset()));
    rewriter.replaceOp(op, {m.narrow(y), m.narrow(mean), m.narrow(variance)});
    return success();
  }
};

/// xla.batch_norm_grad  ->  dx = scale / s * (dy - mean(dy) - c * (x - mean)), with s = sqrt(variance + epsilon) and
/// c = mean(dy * (x - mean)) / (variance + epsilon); dscale = sum(dy * (x - mean)) / s; doffset = sum(dy)
struct DecomposeBatchNormGrad : OpRewritePattern<BatchNormGradOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BatchNormGradOp op, PatternRewriter &rewriter) const override {
    FeatureMath m(rewriter, op.getLoc(), cast<RankedTensorType>(op.getOperand().getType()), op.getFeatureIndex());
    Value dy = m.widen(op.getGradOutput()), variance = m.widen(op.getVariance());
    Value centered = m.sub(m.widen(op.getOperand()), m.spread(m.widen(op.getMean())));
    Value deviation = m.deviation(variance, op.getEpsilon());
    Value product = m.mul(dy, centered);
    Value shifted = m.add(variance, m.constant(op.getEpsilon().convertToDouble()));
    Value c = m.div(m.mean(product), shifted);
    Value inner = m.sub(m.sub(dy, m.spread(m.mean(dy))), m.mul(m.spread(c), centered));
    Value dx = m.mul(m.spread(m.div(m.widen(op.getScale()), deviation)), inner);
    Value dscale = m.div(m.sum(product), deviation);
    rewriter.replaceOp(op, {m.narrow(dx), m.narrow(dscale), m.narrow(m.sum(dy))});
    return success();
  }
};

/// xla.dot %a, %b  ->  xla.dot_general %a, %b, contracting_dims = [rank(a) - 1] x [0]
struct DecomposeDot : OpRewritePattern<DotOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DotOp op, PatternRewriter &rewriter) const override {
    int64_t contracted = cast<RankedTensorType>(op.getLhs().getType()).getRank() - 1;
    auto dims = DotDimensionNumbersAttr::get(op.getContext(), {}, {}, {contracted}, {0});
    rewriter.replaceOpWithNewOp<DotGeneralOp>(op, op.getType(), op.getLhs(), op.getRhs(), dims,
                                              op.getPrecisionConfigAttr(), DotAlgorithmAttr());
    return success();
  }
};

/// xla.broadcast %x, sizes = [2]  ->  xla.broadcast_in_dim %x, dims = [1, ..]
struct DecomposeBroadcast : OpRewritePattern<BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BroadcastOp op, PatternRewriter &rewriter) const override {
    int64_t added = op.getBroadcastSizes().size();
    int64_t rank = cast<RankedTensorType>(op.getType()).getRank();
    rewriter.replaceOpWithNewOp<BroadcastInDimOp>(
        op, op.getType(), op.getOperand(),
        rewriter.getDenseI64ArrayAttr(llvm::to_vector(llvm::seq<int64_t>(added, rank))));
    return success();
  }
};

/// xla.cholesky %a : bf16  ->  xla.convert, xla.cholesky : f32, xla.convert
template <typename OpT> struct WidenNarrowFloats : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op, PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getType());
    if (!isa<FloatType>(type.getElementType()) || type.getElementType().getIntOrFloatBitWidth() >= 32)
      return failure();
    Location loc = op.getLoc();
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      auto from = cast<RankedTensorType>(operand.getType());
      operands.push_back(
          ConvertOp::create(rewriter, loc, RankedTensorType::get(from.getShape(), rewriter.getF32Type()), operand));
    }
    auto wide = RankedTensorType::get(type.getShape(), rewriter.getF32Type());
    OperationState state(loc, op->getName(), operands, TypeRange(wide), op->getAttrDictionary().getValue());
    rewriter.replaceOpWithNewOp<ConvertOp>(op, type, rewriter.create(state)->getResult(0));
    return success();
  }
};

struct DecomposeCompositesPass : xla::impl::DecomposeCompositesBase<DecomposeCompositesPass> {
  using Base::Base;
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    set.add<DecomposeBatchNormInference, DecomposeBatchNormTraining, DecomposeBatchNormGrad, DecomposeDot,
            DecomposeBroadcast, WidenNarrowFloats<CholeskyOp>, WidenNarrowFloats<TriangularSolveOp>>(context);
    populateRandomNumberPatterns(set);
    populateRaggedDotPatterns(set);
    populateScanPatterns(set);
    populateScatterPatterns(set, device);
    patterns = FrozenRewritePatternSet(std::move(set));
    return success();
  }
  void runOnOperation() override { walkAndApplyPatterns(getOperation(), patterns); }

  FrozenRewritePatternSet patterns;
};

} // namespace
