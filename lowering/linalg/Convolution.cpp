// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The linear family: convolution, in every form that its attributes allow, as one generic on a padded input.

#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/dialect/ops/reduction/Window.h"
#include "mlir_xla/lowering/linalg/Build.h"
#include "mlir_xla/lowering/linalg/Linear.h"
#include "mlir_xla/lowering/linalg/Patterns.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::xla;

/// The dimension of an operand whose groups become a loop of their own: `dim` of size groups * size is split into
/// (groups, size) unless one of the two is 1. Yields the new tensor and moves the dimensions behind `dim` in `exprs`.
static Value splitGroups(OpBuilder &b, Location loc, Value tensor, int64_t dim, int64_t groups,
                         SmallVectorImpl<AffineExpr> &exprs, AffineExpr groupLoop, AffineExpr withinLoop) {
  auto type = cast<RankedTensorType>(tensor.getType());
  int64_t within = type.getDimSize(dim) / groups;
  if (groups == 1 || within == 1) {
    exprs[dim] = groups == 1 ? withinLoop : groupLoop;
    return tensor;
  }
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = within;
  shape.insert(shape.begin() + dim, groups);
  exprs[dim] = withinLoop;
  exprs.insert(exprs.begin() + dim, groupLoop);
  return buildReshape(b, loc, tensor, shape);
}

namespace {

/// xla.convolution  ->  linalg.generic over (result dims.., input features, window) that reads the padded, dilated
/// input at d_out * stride + d_k * dilation. Groups are a loop of their own, over tensors whose grouped dimensions are
/// split.
struct ConvolutionLowering : OpConversionPattern<ConvolutionOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(ConvolutionOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ConvDimensionNumbersAttr dims = op.getDimensionNumbers();
    auto rhsType = cast<RankedTensorType>(adaptor.getRhs().getType());
    auto type = cast<RankedTensorType>(op.getType());
    if (type.getNumElements() == 0) {
      rewriter.replaceOpWithNewOp<tensor::EmptyOp>(op, type.getShape(), signlessElementType(type.getElementType()));
      return success();
    }
    int64_t rank = type.getRank(), spatialRank = dims.getInputSpatialDimensions().size();
    SmallVector<int64_t> kernelSizes;
    for (int64_t d : dims.getKernelSpatialDimensions())
      kernelSizes.push_back(rhsType.getDimSize(d));
    SmallVector<WindowDimension> window =
        getVerifiedWindow({kernelSizes, op.getWindowStrides(), op.getPaddingAttr(), op.getLhsDilation(),
                           op.getRhsDilation(), op.getWindowReversal()});

    Type inputElement = getElementTypeOrSelf(adaptor.getLhs().getType());
    SmallVector<int64_t> low(rank, 0), high(rank, 0), interior(rank, 0);
    for (auto [d, w] : llvm::zip(dims.getInputSpatialDimensions(), window)) {
      low[d] = w.padLow;
      high[d] = w.padHigh;
      interior[d] = w.baseDilation - 1;
    }
    Value lhs = buildPad(rewriter, loc, adaptor.getLhs(), buildZero(rewriter, loc, inputElement), low, high, interior);
    Value rhs = reverseKernel(rewriter, loc, adaptor.getRhs(), dims, window);

    int64_t features = op.getFeatureGroupCount(), batches = op.getBatchGroupCount(), groups = features * batches;
    int64_t outFeatures = type.getDimSize(dims.getOutputFeatureDimension()) / groups;
    int64_t inFeatures = rhsType.getDimSize(dims.getKernelInputFeatureDimension());

    // The loops: the result's dimensions, in which a group loop stands before the features that it splits; then the
    // sums over input features and window. Loops of size 1 among the sums are dropped.
    bool splitsResult = groups > 1 && outFeatures > 1;
    int64_t loop = 0;
    SmallVector<int64_t> resultShape;
    SmallVector<AffineExpr> outLoops(rank);
    AffineExpr zero = rewriter.getAffineConstantExpr(0), group = zero, outFeature = zero;
    for (int64_t d = 0; d < rank; ++d) {
      if (d == dims.getOutputFeatureDimension() && groups > 1) {
        group = rewriter.getAffineDimExpr(loop++);
        resultShape.push_back(groups);
        if (splitsResult) {
          outFeature = rewriter.getAffineDimExpr(loop++);
          resultShape.push_back(outFeatures);
        }
        continue;
      }
      outLoops[d] = rewriter.getAffineDimExpr(loop++);
      resultShape.push_back(type.getDimSize(d));
      if (d == dims.getOutputFeatureDimension())
        outFeature = outLoops[d];
    }
    int64_t resultRank = loop;
    AffineExpr inFeature = inFeatures == 1 ? zero : rewriter.getAffineDimExpr(loop++);
    SmallVector<AffineExpr> lhsExprs(rank), rhsExprs(rank);
    for (int64_t i = 0; i < spatialRank; ++i) {
      const WindowDimension &w = window[i];
      AffineExpr position = outLoops[dims.getOutputSpatialDimensions()[i]] * w.stride, kernel = zero;
      if (w.size > 1) {
        kernel = rewriter.getAffineDimExpr(loop++);
        position = position + kernel * w.windowDilation;
      }
      lhsExprs[dims.getInputSpatialDimensions()[i]] = position;
      rhsExprs[dims.getKernelSpatialDimensions()[i]] = kernel;
    }
    AffineExpr batch = outLoops[dims.getOutputBatchDimension()];
    int64_t batchDim = dims.getInputBatchDimension(), featureDim = dims.getInputFeatureDimension();
    lhsExprs[batchDim] = batch;
    lhsExprs[featureDim] = inFeature;
    rhsExprs[dims.getKernelInputFeatureDimension()] = inFeature;
    if (features > 1)
      lhs = splitGroups(rewriter, loc, lhs, featureDim, features, lhsExprs, group, inFeature);
    if (batches > 1)
      lhs = splitGroups(rewriter, loc, lhs, batchDim, batches, lhsExprs, group, batch);
    rhs = splitGroups(rewriter, loc, rhs, dims.getKernelOutputFeatureDimension(), groups, rhsExprs, group, outFeature);

    MLIRContext *context = op.getContext();
    Value result =
        buildContraction(rewriter, loc, lhs, rhs, getElementTypeOrSelf(op.getLhs().getType()),
                         getElementTypeOrSelf(op.getRhs().getType()), resultShape, type.getElementType(),
                         AffineMap::get(loop, 0, lhsExprs, context), AffineMap::get(loop, 0, rhsExprs, context),
                         buildDimsMap(context, loop, llvm::to_vector(llvm::seq<int64_t>(0, resultRank))));
    rewriter.replaceOp(op, buildReshape(rewriter, loc, result, type.getShape()));
    return success();
  }

  /// The kernel with its reversed dimensions flipped. A map with `K - 1 - k` would not determine k's extent.
  static Value reverseKernel(OpBuilder &b, Location loc, Value rhs, ConvDimensionNumbersAttr dims,
                             ArrayRef<WindowDimension> window) {
    if (llvm::none_of(window, [](const WindowDimension &w) { return w.reversal && w.size > 1; }))
      return rhs;
    auto type = cast<RankedTensorType>(rhs.getType());
    SmallVector<AffineExpr> exprs;
    for (int64_t d = 0; d < type.getRank(); ++d)
      exprs.push_back(b.getAffineDimExpr(d));
    for (auto [d, w] : llvm::zip(dims.getKernelSpatialDimensions(), window))
      if (w.reversal)
        exprs[d] = b.getAffineConstantExpr(w.size - 1) - exprs[d];
    return buildElementwise(b, loc, type, rhs, AffineMap::get(type.getRank(), 0, exprs, b.getContext()),
                            [](OpBuilder &, Location, ValueRange x) { return SmallVector<Value>{x[0]}; });
  }
};

} // namespace

void mlir::xla::populateConvolutionPatterns(const TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ConvolutionLowering>(converter, patterns.getContext());
}
