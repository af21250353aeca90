// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops' own canonicalizations together with rewrites between neighbours that pay off before lowering.

#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/dialect/ops/reduction/ReductionComputation.h"
#include "mlir_xla/lowering/legalize/Build.h"
#include "mlir_xla/lowering/legalize/Passes.h"
#include "mlir_xla/lowering/legalize/SimplifyPatterns.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::xla {
#define GEN_PASS_DEF_SIMPLIFY
#include "mlir_xla/lowering/legalize/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;
using namespace mlir::xla;

namespace {

/// broadcast_in_dim(reshape(%x)) that only adds dimensions of size 1  ->  broadcast_in_dim(%x)
struct MergeReshapeIntoBroadcast : OpRewritePattern<BroadcastInDimOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BroadcastInDimOp op, PatternRewriter &rewriter) const override {
    auto reshape = op.getOperand().getDefiningOp<ReshapeOp>();
    if (!reshape)
      return failure();
    ArrayRef<int64_t> from = cast<RankedTensorType>(reshape.getOperand().getType()).getShape();
    ArrayRef<int64_t> to = cast<RankedTensorType>(reshape.getType()).getShape();
    SmallVector<int64_t> dims;
    size_t next = 0;
    for (auto [d, size] : llvm::enumerate(to)) {
      if (next < from.size() && from[next] == size) {
        dims.push_back(op.getBroadcastDimensions()[d]);
        ++next;
      } else if (size != 1) {
        return failure();
      }
    }
    if (next != from.size() || from.size() == to.size())
      return failure();
    rewriter.replaceOpWithNewOp<BroadcastInDimOp>(op, op.getType(), reshape.getOperand(), dims);
    return success();
  }
};

/// gather of a single slice (no batch dimensions)  ->  dynamic_slice, reshape
struct GatherToDynamicSlice : OpRewritePattern<GatherOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(GatherOp op, PatternRewriter &rewriter) const override {
    GatherDimensionNumbersAttr dims = op.getDimensionNumbers();
    auto operand = cast<RankedTensorType>(op.getOperand().getType());
    auto indices = cast<RankedTensorType>(op.getStartIndices().getType());
    auto type = cast<RankedTensorType>(op.getType());
    int64_t components = dims.getStartIndexMap().size();
    if (!operand.hasStaticShape() || !type.hasStaticShape() || !dims.getOperandBatchingDims().empty() ||
        !indices.hasStaticShape() || indices.getNumElements() != components || components == 0)
      return failure();
    Location loc = op.getLoc();
    auto scalar = RankedTensorType::get({}, indices.getElementType());
    auto vector = RankedTensorType::get({components}, indices.getElementType());
    auto element = RankedTensorType::get({1}, indices.getElementType());
    Value flat = ReshapeOp::create(rewriter, loc, vector, op.getStartIndices());
    Value zero = ConstantOp::create(
        rewriter, loc, scalar, DenseElementsAttr::get(scalar, rewriter.getIntegerAttr(scalar.getElementType(), 0)));
    SmallVector<Value> starts(operand.getRank(), zero);
    for (auto [k, d] : llvm::enumerate(dims.getStartIndexMap())) {
      int64_t begin = k;
      Value part = SliceOp::create(rewriter, loc, element, flat, rewriter.getDenseI64ArrayAttr({begin}),
                                   rewriter.getDenseI64ArrayAttr({begin + 1}), rewriter.getDenseI64ArrayAttr({1}));
      starts[d] = ReshapeOp::create(rewriter, loc, scalar, part);
    }
    auto sliceType = RankedTensorType::get(op.getSliceSizes(), operand.getElementType());
    Value slice = DynamicSliceOp::create(rewriter, loc, sliceType, op.getOperand(), starts, op.getSliceSizes());
    // Offset dimensions keep their order, so that dropping the collapsed ones and adding batch dimensions of size 1 is
    // a reshape.
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, type, slice);
    return success();
  }
};

/// reduce(%x : bf16) applies maximum  ->  convert(reduce(convert(%x) : f32) applies maximum)
/// An extremum is one of the elements, so that no step rounds, and f32 has an instruction for it.
struct WidenExtremum : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReduceOp op, PatternRewriter &rewriter) const override {
    Operation *combiner = getSingleBinaryOp(op.getBody());
    if (op.getInputs().size() != 1 || !isa_and_nonnull<MaxOp, MinOp>(combiner))
      return failure();
    auto type = dyn_cast<RankedTensorType>(op.getResultTypes()[0]);
    auto element = type ? dyn_cast<FloatType>(type.getElementType()) : FloatType();
    if (!element || (!element.isBF16() && !element.isF16()))
      return failure();
    TensorBuilder b(op.getLoc(), rewriter);
    Value input = b.convert(op.getInputs()[0], b.getF32Type()), init = b.convert(op.getInitValues()[0], b.getF32Type());
    auto wide = ReduceOp::create(b, TypeRange{type.clone(b.getF32Type())}, ValueRange{input}, ValueRange{init},
                                 op.getDimensions());
    {
      OpBuilder::InsertionGuard guard(rewriter);
      buildSingleBinaryOp(rewriter, op.getLoc(), wide.getBody(), combiner->getName(), b.getF32Type());
    }
    rewriter.replaceOp(op, b.convert(wide.getResult(0), element));
    return success();
  }
};

/// Is `type` a float of 8 bits or less whose numbers are normal ones of bf16?
bool isBelowBF16(Type type) {
  auto element = dyn_cast<FloatType>(cast<ShapedType>(type).getElementType());
  return element && element.getWidth() <= 8 && !isa<Float8E8M0FNUType>(element);
}

/// xla.dot_general %a, %b : f8, f8  ->  xla.dot_general (xla.convert %a), (xla.convert %b) : bf16, bf16
/// Each factor is widened once, by a dozen operations, and not in each product; processors have instructions for bf16.
template <typename OpT> struct WidenNarrowFactors : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op, PatternRewriter &rewriter) const override {
    Value lhs = op.getLhs(), rhs = op.getRhs();
    if (!isBelowBF16(lhs.getType()) || !isBelowBF16(rhs.getType()))
      return failure();
    auto convert = [&](Value value, Type element) -> Value {
      return ConvertOp::create(rewriter, op.getLoc(), cast<RankedTensorType>(value.getType()).clone(element), value);
    };
    auto type = cast<RankedTensorType>(op.getType());
    Type element = type.getElementType();
    bool isNarrow = element.getIntOrFloatBitWidth() < 16;
    Type sum = isNarrow ? Type(rewriter.getF32Type()) : element;
    OperationState state(op.getLoc(), op->getName(),
                         {convert(lhs, rewriter.getBF16Type()), convert(rhs, rewriter.getBF16Type())},
                         TypeRange(type.clone(sum)), op->getAttrDictionary().getValue());
    Value wide = rewriter.create(state)->getResult(0);
    rewriter.replaceOp(op, isNarrow ? convert(wide, element) : wide);
    return success();
  }
};

struct SimplifyPass : xla::impl::SimplifyBase<SimplifyPass> {
  using SimplifyBase::SimplifyBase;
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    for (RegisteredOperationName op : context->getRegisteredOperations())
      if (isa<XlaDialect>(op.getDialect()))
        op.getCanonicalizationPatterns(set, context);
    set.add<MergeReshapeIntoBroadcast, GatherToDynamicSlice, WidenExtremum, WidenNarrowFactors<DotGeneralOp>,
            WidenNarrowFactors<ConvolutionOp>>(context);
    populateConstantOperandPatterns(set);
    populateConvolutionFolds(set);
    populateTransposePatterns(set, device);
    populateTransformPatterns(set);
    populateUnitDimPatterns(set);
    populateConcatenatePatterns(set, device);
    populateStackedReductionPatterns(set);
    populateWindowPatterns(set);
    populateRangePatterns(set);
    populateIotaPatterns(set);
    patterns = FrozenRewritePatternSet(std::move(set));
    return success();
  }

  void runOnOperation() override {
    GreedyRewriteConfig config;
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    if (failed(applyPatternsGreedily(getOperation(), patterns, config)))
      return signalPassFailure();
    if (simplifyLoops(getOperation(), sinksProducts, device) &&
        failed(applyPatternsGreedily(getOperation(), patterns, config)))
      signalPassFailure();
  }

  FrozenRewritePatternSet patterns;
};

} // namespace
