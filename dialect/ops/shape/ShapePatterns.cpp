// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Canonicalisation of the shape family: chains of one op become one op, and the more general ops become simpler ones
// where attributes or constants allow it.

#include "mlir_xla/dialect/ConstantFolding.h"
#include "mlir_xla/dialect/InferTypes.h"
#include "mlir_xla/dialect/XlaOps.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::xla;

//===- Broadcasting -----------------------------------------------------------------------------------------------===//

namespace {
/// xla.broadcast_in_dim (xla.broadcast_in_dim %x, dims = [0]), dims = [1]  ->  xla.broadcast_in_dim %x, dims = [1]
struct MergeBroadcasts : OpRewritePattern<BroadcastInDimOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BroadcastInDimOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getOperand().getDefiningOp<BroadcastInDimOp>();
    if (!inner)
      return failure();
    auto dims = llvm::map_to_vector(inner.getBroadcastDimensions(),
                                    [&](int64_t dim) { return op.getBroadcastDimensions()[dim]; });
    rewriter.replaceOpWithNewOp<BroadcastInDimOp>(op, op.getType(), inner.getOperand(), dims);
    return success();
  }
};

/// xla.broadcast %x, sizes = [2]  ->  xla.broadcast_in_dim %x, dims = [1]
struct BroadcastToBroadcastInDim : OpRewritePattern<BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BroadcastOp op, PatternRewriter &rewriter) const override {
    int64_t added = op.getBroadcastSizes().size();
    auto dims = llvm::to_vector(llvm::seq<int64_t>(added, op.getType().getRank()));
    rewriter.replaceOpWithNewOp<BroadcastInDimOp>(op, op.getType(), op.getOperand(), dims);
    return success();
  }
};
} // namespace

void BroadcastInDimOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<MergeBroadcasts>(context);
}
void BroadcastOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<BroadcastToBroadcastInDim>(context);
}

//===- Broadcast scalars ------------------------------------------------------------------------------------------===//

namespace {
/// xla.reshape (xla.broadcast_in_dim %scalar, dims = [])  ->  xla.broadcast_in_dim %scalar, dims = []
/// The same for any op that only moves elements of its first operand.
template <typename OpTy> struct RearrangedScalar : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    auto broadcast = op.getOperand().template getDefiningOp<BroadcastInDimOp>();
    if (!broadcast || broadcast.getOperand().getType().getRank() != 0 || !op.getType().hasStaticShape())
      return failure();
    rewriter.replaceOpWithNewOp<BroadcastInDimOp>(op, op.getType(), broadcast.getOperand(), ArrayRef<int64_t>());
    return success();
  }
};
} // namespace

//===- Rearrangement ----------------------------------------------------------------------------------------------===//

namespace {
/// xla.reshape (xla.reshape %x)  ->  xla.reshape %x
struct MergeReshapes : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReshapeOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getOperand().getDefiningOp<ReshapeOp>();
    if (!inner)
      return failure();
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), inner.getOperand());
    return success();
  }
};

/// xla.transpose (xla.transpose %x, dims = [1, 2, 0]), dims = [0, 2, 1]  ->  xla.transpose %x, dims = [1, 0, 2]
struct MergeTransposes : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getOperand().getDefiningOp<TransposeOp>();
    if (!inner)
      return failure();
    auto permutation =
        llvm::map_to_vector(op.getPermutation(), [&](int64_t dim) { return inner.getPermutation()[dim]; });
    rewriter.replaceOpWithNewOp<TransposeOp>(op, op.getType(), inner.getOperand(), permutation);
    return success();
  }
};

/// xla.reverse %x, dims = [0, 1] : tensor<1x4xf32>  ->  xla.reverse %x, dims = [1] : tensor<1x4xf32>
struct DropUnitDimsOfReverse : OpRewritePattern<ReverseOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReverseOp op, PatternRewriter &rewriter) const override {
    SmallVector<int64_t> dims;
    llvm::copy_if(op.getDimensions(), std::back_inserter(dims),
                  [&](int64_t dim) { return op.getType().getDimSize(dim) != 1; });
    if (dims.size() == op.getDimensions().size())
      return failure();
    rewriter.modifyOpInPlace(op, [&] { op.setDimensions(dims); });
    return success();
  }
};

/// xla.reverse (xla.concatenate %x, %y, dim = 0), dims = [0]
///   ->  xla.concatenate (xla.reverse %y, dims = [0]), (xla.reverse %x, dims = [0]), dim = 0
struct ReverseOfConcatenate : OpRewritePattern<ReverseOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReverseOp op, PatternRewriter &rewriter) const override {
    constexpr size_t mostParts = 4; // each is an op of its own
    auto concatenate = op.getOperand().getDefiningOp<ConcatenateOp>();
    if (!concatenate || !concatenate->hasOneUse() || concatenate.getInputs().size() > mostParts)
      return failure();
    SmallVector<Value> parts;
    for (Value input : concatenate.getInputs())
      parts.push_back(ReverseOp::create(rewriter, op.getLoc(), input.getType(), input, op.getDimensions()));
    if (llvm::is_contained(op.getDimensions(), concatenate.getDimension()))
      std::reverse(parts.begin(), parts.end());
    rewriter.replaceOpWithNewOp<ConcatenateOp>(op, op.getType(), parts, concatenate.getDimension());
    return success();
  }
};
} // namespace

void ReshapeOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<MergeReshapes, RearrangedScalar<ReshapeOp>>(context);
}
void TransposeOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<MergeTransposes, RearrangedScalar<TransposeOp>>(context);
}
void ReverseOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<DropUnitDimsOfReverse, ReverseOfConcatenate, RearrangedScalar<ReverseOp>>(context);
}

//===- Joining and padding ----------------------------------------------------------------------------------------===//

namespace {
/// xla.concatenate %x, %empty, dim = 0  ->  %x
struct DropEmptyConcatenateInputs : OpRewritePattern<ConcatenateOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConcatenateOp op, PatternRewriter &rewriter) const override {
    SmallVector<Value> inputs;
    llvm::copy_if(op.getInputs(), std::back_inserter(inputs), [&](Value input) {
      return cast<RankedTensorType>(input.getType()).getDimSize(op.getDimension()) != 0;
    });
    if (inputs.empty() || inputs.size() == op.getInputs().size())
      return failure();
    rewriter.replaceOpWithNewOp<ConcatenateOp>(op, op.getType(), inputs, op.getDimension());
    return success();
  }
};

/// xla.concatenate (xla.concatenate %x, %y, dim = 0), %z, dim = 0  ->  xla.concatenate %x, %y, %z, dim = 0
struct MergeConcatenates : OpRewritePattern<ConcatenateOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConcatenateOp op, PatternRewriter &rewriter) const override {
    SmallVector<Value> inputs;
    for (Value input : op.getInputs()) {
      auto inner = input.getDefiningOp<ConcatenateOp>();
      if (inner && inner->hasOneUse() && inner.getDimension() == op.getDimension())
        llvm::append_range(inputs, inner.getInputs());
      else
        inputs.push_back(input);
    }
    if (inputs.size() == op.getInputs().size())
      return failure();
    rewriter.replaceOpWithNewOp<ConcatenateOp>(op, op.getType(), inputs, op.getDimension());
    return success();
  }
};

/// xla.pad %x, %v, low = [-1], high = [-2], interior = [0]  ->  xla.slice %x [1:n-2]
struct CroppingPadToSlice : OpRewritePattern<PadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(PadOp op, PatternRewriter &rewriter) const override {
    RankedTensorType type = op.getOperand().getType();
    auto isNotPositive = [](int64_t amount) { return amount <= 0; };
    if (!type.hasStaticShape() || !llvm::all_of(op.getEdgePaddingLow(), isNotPositive) ||
        !llvm::all_of(op.getEdgePaddingHigh(), isNotPositive) ||
        !llvm::all_of(op.getInteriorPadding(), [](int64_t amount) { return amount == 0; }))
      return failure();
    SmallVector<int64_t> start, limit;
    for (auto [size, low, high] : llvm::zip_equal(type.getShape(), op.getEdgePaddingLow(), op.getEdgePaddingHigh())) {
      start.push_back(-low);
      limit.push_back(size + high);
    }
    rewriter.replaceOpWithNewOp<SliceOp>(op, op.getType(), op.getOperand(), start, limit,
                                         SmallVector<int64_t>(start.size(), 1));
    return success();
  }
};

/// xla.pad (tensor<0xf32>), %v, low = [1], high = [1], interior = [0]  ->  xla.broadcast_in_dim %v, dims = []
struct PadOfNothing : OpRewritePattern<PadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(PadOp op, PatternRewriter &rewriter) const override {
    RankedTensorType type = op.getOperand().getType();
    if (!type.hasStaticShape() || type.getNumElements() != 0)
      return failure();
    rewriter.replaceOpWithNewOp<BroadcastInDimOp>(op, op.getType(), op.getPaddingValue(), ArrayRef<int64_t>());
    return success();
  }
};
} // namespace

void ConcatenateOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<DropEmptyConcatenateInputs, MergeConcatenates>(context);
}
void PadOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<CroppingPadToSlice, PadOfNothing>(context);
}

//===- Slicing ----------------------------------------------------------------------------------------------------===//

namespace {
/// xla.slice (xla.slice %x [2:10:2]) [1:3]  ->  xla.slice %x [4:8:2]
struct MergeSlices : OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SliceOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getOperand().getDefiningOp<SliceOp>();
    if (!inner)
      return failure();
    SmallVector<int64_t> start, limit, strides;
    for (auto [from, step, size, innerFrom, innerStep] :
         llvm::zip_equal(op.getStartIndices(), op.getStrides(), op.getType().getShape(), inner.getStartIndices(),
                         inner.getStrides())) {
      start.push_back(innerFrom + from * innerStep);
      strides.push_back(step * innerStep);
      // One past the last element, which exists in the operand of the inner slice.
      limit.push_back(size == 0 ? start.back() : start.back() + (size - 1) * strides.back() + 1);
    }
    for (auto [dim, from, to, size] : llvm::enumerate(start, limit, inner.getOperand().getType().getShape()))
      if (from > to || (!ShapedType::isDynamic(size) && to > size))
        return failure();
    rewriter.replaceOpWithNewOp<SliceOp>(op, op.getType(), inner.getOperand(), start, limit, strides);
    return success();
  }
};

/// xla.slice (xla.concatenate %x, %y, dim = 0) [5:6] with 4 elements in %x  ->  xla.slice %y [1:2]
struct SliceOfConcatenate : OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SliceOp op, PatternRewriter &rewriter) const override {
    auto concatenate = op.getOperand().getDefiningOp<ConcatenateOp>();
    if (!concatenate)
      return failure();
    int64_t dim = concatenate.getDimension(), from = op.getStartIndices()[dim], to = op.getLimitIndices()[dim];
    int64_t begin = 0;
    for (Value input : concatenate.getInputs()) {
      int64_t size = cast<RankedTensorType>(input.getType()).getDimSize(dim);
      if (ShapedType::isDynamic(size))
        return failure();
      if (from >= begin && to <= begin + size) {
        SmallVector<int64_t> start(op.getStartIndices()), limit(op.getLimitIndices());
        start[dim] -= begin;
        limit[dim] -= begin;
        rewriter.replaceOpWithNewOp<SliceOp>(op, op.getType(), input, start, limit, op.getStrides());
        return success();
      }
      begin += size;
    }
    return failure();
  }
};

/// xla.slice (xla.pad %x, %v, low = [2], high = [1], interior = [0]) [3:5]  ->  xla.slice %x [1:3]
struct SliceOfPad : OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SliceOp op, PatternRewriter &rewriter) const override {
    auto pad = op.getOperand().getDefiningOp<PadOp>();
    if (!pad || llvm::any_of(pad.getInteriorPadding(), [](int64_t amount) { return amount != 0; }))
      return failure();
    SmallVector<int64_t> start, limit;
    for (auto [from, step, sliced, low, size] :
         llvm::zip_equal(op.getStartIndices(), op.getStrides(), op.getType().getShape(), pad.getEdgePaddingLow(),
                         pad.getOperand().getType().getShape())) {
      if (sliced == 0 || ShapedType::isDynamic(size) || ShapedType::isDynamic(sliced))
        return failure();
      start.push_back(from - low);
      limit.push_back(from - low + (sliced - 1) * step + 1);
      if (start.back() < 0 || limit.back() > size)
        return failure();
    }
    rewriter.replaceOpWithNewOp<SliceOp>(op, op.getType(), pad.getOperand(), start, limit, op.getStrides());
    return success();
  }
};

/// xla.dynamic_slice %x, %c2, sizes = [3]  ->  xla.slice %x [2:5]
struct StaticDynamicSlice : OpRewritePattern<DynamicSliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DynamicSliceOp op, PatternRewriter &rewriter) const override {
    SmallVector<int64_t> start, limit;
    for (auto [index, size, slice] :
         llvm::zip_equal(op.getStartIndices(), op.getOperand().getType().getShape(), op.getSliceSizes())) {
      DenseElementsAttr constant;
      if (ShapedType::isDynamic(size))
        return failure();
      // Where the slice has the full size, the start is 0 whatever the index.
      int64_t from = 0;
      if (slice != size) {
        if (!matchPattern(index, m_Constant(&constant)))
          return failure();
        auto value = constant.getSplatValue<APInt>();
        APInt bound(64, size - slice);
        // In the signedness of the index: an unsigned one is never negative.
        if (elementTypeOf(index).isUnsignedInteger())
          from = value.zext(64).ugt(bound) ? size - slice : value.zext(64).getSExtValue();
        else
          from = std::clamp<int64_t>(value.getSExtValue(), 0, size - slice);
      }
      start.push_back(from);
      limit.push_back(from + slice);
    }
    rewriter.replaceOpWithNewOp<SliceOp>(op, op.getType(), op.getOperand(), start, limit,
                                         SmallVector<int64_t>(start.size(), 1));
    return success();
  }
};
} // namespace

void SliceOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<MergeSlices, SliceOfConcatenate, SliceOfPad, RearrangedScalar<SliceOp>>(context);
}
void DynamicSliceOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<StaticDynamicSlice, RearrangedScalar<DynamicSliceOp>>(context);
}
