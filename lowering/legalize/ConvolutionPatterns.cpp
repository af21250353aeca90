// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A convolution walks its window forwards or backwards, so that a reverse of the kernel before it is free. The gradient
// of an input has one.

#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/lowering/legalize/SimplifyPatterns.h"

using namespace mlir;
using namespace mlir::xla;

namespace {

/// convolution(%x, reverse(%w, spatial dims))  ->  convolution(%x, %w) with `reverse` of those dims turned around
struct FoldReverseIntoConvolution : OpRewritePattern<ConvolutionOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConvolutionOp op, PatternRewriter &rewriter) const override {
    auto reverse = op.getRhs().getDefiningOp<ReverseOp>();
    if (!reverse)
      return rewriter.notifyMatchFailure(op, "the kernel is not reversed");
    ArrayRef<int64_t> spatial = op.getDimensionNumbers().getKernelSpatialDimensions();
    SmallVector<bool> reversal(spatial.size(), false);
    if (std::optional<ArrayRef<bool>> given = op.getWindowReversal())
      reversal.assign(given->begin(), given->end());
    for (int64_t dim : reverse.getDimensions()) {
      const int64_t *place = llvm::find(spatial, dim);
      if (place == spatial.end())
        return rewriter.notifyMatchFailure(op, "features are reversed");
      reversal[place - spatial.begin()] ^= true;
    }
    rewriter.modifyOpInPlace(op, [&] {
      op.getRhsMutable().assign(reverse.getOperand());
      if (llvm::is_contained(reversal, true))
        op.setWindowReversal(reversal);
      else
        op.removeWindowReversalAttr();
    });
    return success();
  }
};

} // namespace

void mlir::xla::populateConvolutionFolds(RewritePatternSet &patterns) {
  patterns.add<FoldReverseIntoConvolution>(patterns.getContext());
}
