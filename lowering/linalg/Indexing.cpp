// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The indexing family: slices, updates and gathers at positions that are known at run time.

#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/lowering/legalize/Ranges.h"
#include "mlir_xla/lowering/linalg/Build.h"
#include "mlir_xla/lowering/linalg/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::xla;

static Value buildClamp(OpBuilder &b, Location loc, Value integer, bool isUnsigned, int64_t limit) {
  Value last = buildIndex(b, loc, limit);
  if (isUnsigned) {
    Value index = arith::IndexCastUIOp::create(b, loc, b.getIndexType(), integer);
    return arith::MinUIOp::create(b, loc, index, last);
  }
  Value index = arith::IndexCastOp::create(b, loc, b.getIndexType(), integer);
  index = arith::MaxSIOp::create(b, loc, index, buildIndex(b, loc, 0));
  return arith::MinSIOp::create(b, loc, index, last);
}

/// The converted value of an integer scalar tensor as an index in [0, limit], clamped in its signedness unless it is
/// known to be inside.
static OpFoldResult buildClampedIndex(OpBuilder &b, Location loc, Value scalarTensor, bool isUnsigned, int64_t limit,
                                      bool isInside) {
  if (limit == 0)
    return b.getIndexAttr(0);
  DenseIntElementsAttr constant;
  if (matchPattern(scalarTensor, m_Constant(&constant))) {
    APInt value = *constant.value_begin<APInt>();
    if (isUnsigned)
      return b.getIndexAttr(value.getLimitedValue(limit));
    return b.getIndexAttr(std::clamp<int64_t>(value.getSExtValue(), 0, limit));
  }
  Value integer = tensor::ExtractOp::create(b, loc, scalarTensor, ValueRange{});
  if (isInside && isUnsigned)
    return arith::IndexCastUIOp::create(b, loc, b.getIndexType(), integer).getResult();
  if (isInside)
    return arith::IndexCastOp::create(b, loc, b.getIndexType(), integer).getResult();
  return buildClamp(b, loc, integer, isUnsigned, limit);
}

/// On a slice that is being converted, for each dimension.
static constexpr StringLiteral kStartsInside = "starts_inside";

/// Of each start of a window whether it is known to be inside: what tells is gone when the operation is converted.
void mlir::xla::noteStartsInside(Operation *program) {
  auto note = [](Operation *op, ValueRange starts, ArrayRef<int64_t> shape, ArrayRef<int64_t> sizes) {
    auto inside = llvm::map_to_vector(llvm::enumerate(starts), [&](auto start) {
      std::optional<IntegerRange> range = rangeOf(start.value());
      return range && range->least >= 0 && range->greatest <= shape[start.index()] - sizes[start.index()];
    });
    op->setAttr(kStartsInside, DenseBoolArrayAttr::get(op->getContext(), inside));
  };
  auto shapeOf = [](Value value) { return cast<RankedTensorType>(value.getType()).getShape(); };
  program->walk([&](Operation *op) {
    if (auto slice = dyn_cast<DynamicSliceOp>(op))
      note(op, slice.getStartIndices(), shapeOf(slice.getOperand()), slice.getSliceSizes());
    else if (auto update = dyn_cast<DynamicUpdateSliceOp>(op))
      note(op, update.getStartIndices(), shapeOf(update.getOperand()), shapeOf(update.getUpdate()));
  });
}

/// The clamped start of a window of `sizes` in a tensor of `shape`.
static SmallVector<OpFoldResult> buildStarts(OpBuilder &b, Operation *op, ValueRange converted, ValueRange original,
                                             ArrayRef<int64_t> shape, ArrayRef<int64_t> sizes) {
  auto inside = op->getAttrOfType<DenseBoolArrayAttr>(kStartsInside);
  SmallVector<OpFoldResult> starts;
  for (auto [d, start] : llvm::enumerate(converted))
    starts.push_back(buildClampedIndex(b, op->getLoc(), start,
                                       getElementTypeOrSelf(original[d].getType()).isUnsignedInteger(),
                                       shape[d] - sizes[d], inside && inside[d]));
  return starts;
}

namespace {

/// xla.dynamic_slice %x, %i  ->  tensor.extract_slice %x[clamp(tensor.extract %i)]
struct DynamicSliceLowering : OpConversionPattern<DynamicSliceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(DynamicSliceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto operand = cast<RankedTensorType>(adaptor.getOperand().getType());
    auto type = signlessTensorType(cast<RankedTensorType>(op.getType()));
    // An empty slice may begin behind the last element, where extract_slice may not.
    if (type.getNumElements() == 0) {
      rewriter.replaceOpWithNewOp<tensor::EmptyOp>(op, type.getShape(), type.getElementType());
      return success();
    }
    auto starts =
        buildStarts(rewriter, op, adaptor.getStartIndices(), op.getStartIndices(), operand.getShape(), type.getShape());
    SmallVector<OpFoldResult> ones(type.getRank(), rewriter.getIndexAttr(1));
    rewriter.replaceOpWithNewOp<tensor::ExtractSliceOp>(op, type, adaptor.getOperand(), starts,
                                                        getAsIndexOpFoldResult(op.getContext(), type.getShape()), ones);
    return success();
  }
};

/// xla.dynamic_update_slice %x, %u, %i  ->  tensor.insert_slice %u into %x[clamp(tensor.extract %i)]
struct DynamicUpdateSliceLowering : OpConversionPattern<DynamicUpdateSliceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(DynamicUpdateSliceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto operand = cast<RankedTensorType>(adaptor.getOperand().getType());
    auto update = cast<RankedTensorType>(adaptor.getUpdate().getType());
    if (update.getNumElements() == 0) {
      rewriter.replaceOp(op, adaptor.getOperand());
      return success();
    }
    auto starts = buildStarts(rewriter, op, adaptor.getStartIndices(), op.getStartIndices(), operand.getShape(),
                              update.getShape());
    SmallVector<OpFoldResult> ones(update.getRank(), rewriter.getIndexAttr(1));
    rewriter.replaceOpWithNewOp<tensor::InsertSliceOp>(op, adaptor.getUpdate(), adaptor.getOperand(), starts,
                                                       getAsIndexOpFoldResult(op.getContext(), update.getShape()),
                                                       ones);
    return success();
  }
};

/// xla.gather %x, %i  ->  linalg.generic ins(%i component by component) { tensor.extract %x[clamp(component), ..] }
struct GatherLowering : OpConversionPattern<GatherOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(GatherOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    GatherDimensionNumbersAttr dims = op.getDimensionNumbers();
    auto operandType = cast<RankedTensorType>(adaptor.getOperand().getType());
    auto indicesType = cast<RankedTensorType>(adaptor.getStartIndices().getType());
    auto type = cast<RankedTensorType>(op.getType());
    bool isUnsigned = getElementTypeOrSelf(op.getStartIndices().getType()).isUnsignedInteger();

    // Result dimensions that run over start_indices, in the order of its dimensions without the index vector.
    SmallVector<int64_t> batchDims;
    for (int64_t d = 0; d < type.getRank(); ++d)
      if (!llvm::is_contained(dims.getOffsetDims(), d))
        batchDims.push_back(d);
    auto batchDimOf = [&](int64_t indicesDim) {
      return batchDims[indicesDim - (indicesDim > dims.getIndexVectorDim() ? 1 : 0)];
    };

    // One input per component of the index vector.
    SmallVector<Value> inputs;
    SmallVector<AffineMap> maps;
    for (int64_t component = 0, e = dims.getStartIndexMap().size(); component < e; ++component) {
      SmallVector<AffineExpr> exprs;
      for (int64_t d = 0; d < indicesType.getRank(); ++d)
        exprs.push_back(d == dims.getIndexVectorDim() ? rewriter.getAffineConstantExpr(component)
                                                      : rewriter.getAffineDimExpr(batchDimOf(d)));
      inputs.push_back(adaptor.getStartIndices());
      maps.push_back(AffineMap::get(type.getRank(), 0, exprs, op.getContext()));
    }

    Value result =
        buildElementwise(rewriter, op.getLoc(), type, inputs, maps, [&](OpBuilder &b, Location loc, ValueRange start) {
          SmallVector<Value> position;
          unsigned offset = 0;
          for (int64_t d = 0; d < operandType.getRank(); ++d) {
            Value index;
            auto mapped = llvm::find(dims.getStartIndexMap(), d) - dims.getStartIndexMap().begin();
            auto batching = llvm::find(dims.getOperandBatchingDims(), d) - dims.getOperandBatchingDims().begin();
            int64_t limit = operandType.getDimSize(d) - op.getSliceSizes()[d];
            if (mapped < static_cast<int64_t>(dims.getStartIndexMap().size()) && limit > 0)
              index = buildClamp(b, loc, start[mapped], isUnsigned, limit);
            if (batching < static_cast<int64_t>(dims.getOperandBatchingDims().size()))
              index = linalg::IndexOp::create(b, loc, batchDimOf(dims.getStartIndicesBatchingDims()[batching]));
            else if (!llvm::is_contained(dims.getCollapsedSliceDims(), d)) {
              int64_t resultDim = dims.getOffsetDims()[offset++];
              if (type.getDimSize(resultDim) != 1 || !index) {
                Value within = linalg::IndexOp::create(b, loc, resultDim);
                index = index ? Value(arith::AddIOp::create(b, loc, index, within)) : within;
              }
            }
            position.push_back(index ? index : buildIndex(b, loc, 0));
          }
          return SmallVector<Value>{tensor::ExtractOp::create(b, loc, adaptor.getOperand(), position)};
        });
    rewriter.replaceOp(op, result);
    return success();
  }
};

} // namespace

void mlir::xla::populateIndexingPatterns(const TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<DynamicSliceLowering, DynamicUpdateSliceLowering, GatherLowering>(converter, patterns.getContext());
}
