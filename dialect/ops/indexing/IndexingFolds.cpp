// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Canonicalisation of the indexing family: gathers whose slices are known.

#include "mlir_xla/dialect/XlaOps.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::xla;

namespace {

/// The clamped start of every slice of `op` if there is only one, constant index vector, or if slices are as large as
/// the operand so that clamping decides.
static FailureOr<SmallVector<int64_t>> getConstantStart(GatherOp op) {
  RankedTensorType operand = op.getOperand().getType(), indices = op.getStartIndices().getType();
  SmallVector<int64_t> start(operand.getRank(), 0);
  if (ArrayRef(op.getSliceSizes()) == operand.getShape())
    return start;
  DenseIntElementsAttr values;
  ArrayRef<int64_t> map = op.getDimensionNumbers().getStartIndexMap();
  if (indices.getNumElements() != static_cast<int64_t>(map.size()) ||
      !matchPattern(op.getStartIndices(), m_Constant(&values)))
    return failure();
  bool isUnsigned = indices.getElementType().isUnsignedInteger();
  for (auto [dim, value] : llvm::zip_equal(map, values.getValues<APInt>())) {
    int64_t limit = operand.getDimSize(dim) - op.getSliceSizes()[dim];
    // A 64-bit index that does not fit is beyond any limit.
    int64_t index =
        isUnsigned ? static_cast<int64_t>(std::min<uint64_t>(value.getZExtValue(), limit)) : value.getSExtValue();
    start[dim] = std::clamp<int64_t>(index, 0, limit);
  }
  return start;
}

/// gather of whole operands, or with a single constant index vector  ->  broadcast_in_dim (reshape (slice %operand))
struct GatherToSlice : OpRewritePattern<GatherOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(GatherOp op, PatternRewriter &rewriter) const override {
    GatherDimensionNumbersAttr numbers = op.getDimensionNumbers();
    RankedTensorType operand = op.getOperand().getType(), result = op.getType();
    if (!operand.hasStaticShape() || !op.getStartIndices().getType().hasStaticShape() || operand.getEncoding() ||
        result.getEncoding() || !result.hasStaticShape() || !numbers.getOperandBatchingDims().empty())
      return failure();
    FailureOr<SmallVector<int64_t>> start = getConstantStart(op);
    if (failed(start))
      return failure();

    Value value = op.getOperand();
    ArrayRef<int64_t> sizes = op.getSliceSizes();
    if (sizes != operand.getShape()) {
      SmallVector<int64_t> limit, strides(sizes.size(), 1);
      for (auto [first, size] : llvm::zip_equal(*start, sizes))
        limit.push_back(first + size);
      value = SliceOp::create(rewriter, op.getLoc(), RankedTensorType::get(sizes, operand.getElementType()), value,
                              ArrayRef<int64_t>(*start), limit, strides);
    }
    auto reshapeTo = [&](ArrayRef<int64_t> shape) {
      auto type = RankedTensorType::get(shape, operand.getElementType());
      return value.getType() == type ? value : ReshapeOp::create(rewriter, op.getLoc(), type, value).getResult();
    };
    if (cast<RankedTensorType>(value.getType()).getNumElements() == result.getNumElements()) {
      rewriter.replaceOp(op, reshapeTo(result.getShape()));
      return success();
    }
    SmallVector<int64_t> shape;
    for (auto [dim, size] : llvm::enumerate(sizes))
      if (!llvm::is_contained(numbers.getCollapsedSliceDims(), static_cast<int64_t>(dim)))
        shape.push_back(size);
    rewriter.replaceOpWithNewOp<BroadcastInDimOp>(op, result, reshapeTo(shape), numbers.getOffsetDims());
    return success();
  }
};

} // namespace

void GatherOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<GatherToSlice>(context);
}
