// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape family: constants, and ops that move elements, as indexing maps, reshapes, slices and padding.

#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/lowering/Unsupported.h"
#include "mlir_xla/lowering/linalg/Build.h"
#include "mlir_xla/lowering/linalg/Patterns.h"
#include "mlir_xla/lowering/linalg/ScalarOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace mlir::xla;

/// An elementwise generic that copies `operand` through `map`.
static Value buildMove(OpBuilder &b, Location loc, RankedTensorType type, Value operand, AffineMap map) {
  return buildElementwise(b, loc, type, operand, map,
                          [](OpBuilder &, Location, ValueRange x) { return SmallVector<Value>{x[0]}; });
}

namespace {

/// xla.constant  ->  arith.constant with signless elements
struct ConstantLowering : OpConversionPattern<ConstantOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ConstantOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    auto type = signlessTensorType(cast<RankedTensorType>(op.getType()));
    ElementsAttr value = op.getValue();
    if (auto dense = dyn_cast<DenseElementsAttr>(value)) {
      if (dense.getElementType() != type.getElementType())
        dense = dense.bitcast(type.getElementType());
      if (dense.getType() != type)
        dense = dense.reshape(type);
      value = dense;
    } else if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
      if (resource.getType() != type)
        value = DenseResourceElementsAttr::get(type, resource.getRawHandle());
    } else {
      return unsupported(op.emitOpError("cannot be compiled: only dense constants can"));
    }
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, cast<TypedAttr>(value));
    return success();
  }
};

/// xla.iota dim = 1  ->  linalg.generic { linalg.index 1, converted }
struct IotaLowering : OpConversionPattern<IotaOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(IotaOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getType());
    int64_t dimension = op.getIotaDimension();
    Type elementType = type.getElementType();
    // Indices below 2^24 are exact in f32, from which a narrow float is rounded once.
    int64_t size = type.getDimSize(dimension);
    bool viaF32 = isa<FloatType>(elementType) && elementType.getIntOrFloatBitWidth() < 32 && size <= (1 << 24);
    Value result = buildElementwise(
        rewriter, op.getLoc(), type, ValueRange(), [&](OpBuilder &b, Location loc, ValueRange) -> SmallVector<Value> {
          Type intType = size <= std::numeric_limits<int32_t>::max() ? b.getI32Type() : b.getI64Type();
          Value index = linalg::IndexOp::create(b, loc, dimension);
          Value number = arith::IndexCastOp::create(b, loc, intType, index);
          if (viaF32)
            number = arith::SIToFPOp::create(b, loc, b.getF32Type(), number);
          return {emitScalarConvert(b, loc, number, number.getType(), elementType)};
        });
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// xla.broadcast_in_dim  ->  linalg.generic with the map to the operand's dimensions, 0 where they are expanded;
/// a reshape where nothing is duplicated.
struct BroadcastInDimLowering : OpConversionPattern<BroadcastInDimOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(BroadcastInDimOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto source = cast<RankedTensorType>(adaptor.getOperand().getType());
    auto type = cast<RankedTensorType>(op.getType());
    ArrayRef<int64_t> dims = op.getBroadcastDimensions();
    if (source.getNumElements() == type.getNumElements() && llvm::is_sorted(dims)) {
      rewriter.replaceOp(op, buildReshape(rewriter, op.getLoc(), adaptor.getOperand(), type.getShape()));
      return success();
    }
    SmallVector<AffineExpr> exprs;
    for (auto [d, target] : llvm::enumerate(dims)) {
      bool expanded = source.getDimSize(d) == 1 && type.getDimSize(target) != 1;
      exprs.push_back(expanded ? rewriter.getAffineConstantExpr(0) : rewriter.getAffineDimExpr(target));
    }
    rewriter.replaceOp(op, buildMove(rewriter, op.getLoc(), type, adaptor.getOperand(),
                                     AffineMap::get(type.getRank(), 0, exprs, op.getContext())));
    return success();
  }
};

/// xla.reshape  ->  tensor.collapse_shape, tensor.expand_shape
struct ReshapeLowering : OpConversionPattern<ReshapeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ReshapeOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getType());
    rewriter.replaceOp(op, buildReshape(rewriter, op.getLoc(), adaptor.getOperand(), type.getShape()));
    return success();
  }
};

/// xla.transpose dims = [1, 0]  ->  linalg.generic with the map (d0, d1) -> (d1, d0)
struct TransposeLowering : OpConversionPattern<TransposeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(TransposeOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getType());
    SmallVector<int64_t> inverse(type.getRank());
    for (auto [d, source] : llvm::enumerate(op.getPermutation()))
      inverse[source] = d;
    rewriter.replaceOp(op, buildMove(rewriter, op.getLoc(), type, adaptor.getOperand(),
                                     buildDimsMap(op.getContext(), type.getRank(), inverse)));
    return success();
  }
};

/// xla.reverse dims = [1]  ->  linalg.generic with the map (d0, d1) -> (d0, N - 1 - d1)
struct ReverseLowering : OpConversionPattern<ReverseOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ReverseOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getType());
    SmallVector<AffineExpr> exprs;
    for (int64_t d = 0; d < type.getRank(); ++d) {
      AffineExpr expr = rewriter.getAffineDimExpr(d);
      bool reversed = llvm::is_contained(op.getDimensions(), d);
      exprs.push_back(reversed ? rewriter.getAffineConstantExpr(type.getDimSize(d) - 1) - expr : expr);
    }
    rewriter.replaceOp(op, buildMove(rewriter, op.getLoc(), type, adaptor.getOperand(),
                                     AffineMap::get(type.getRank(), 0, exprs, op.getContext())));
    return success();
  }
};

/// xla.concatenate  ->  tensor.concat of the operands that have elements
struct ConcatenateLowering : OpConversionPattern<ConcatenateOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ConcatenateOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> inputs = llvm::filter_to_vector(
        adaptor.getInputs(), [](Value input) { return cast<RankedTensorType>(input.getType()).getNumElements() != 0; });
    if (inputs.empty())
      inputs.assign(1, adaptor.getInputs().front());
    auto type = signlessTensorType(cast<RankedTensorType>(op.getType()));
    if (type.getNumElements() == 0)
      rewriter.replaceOpWithNewOp<tensor::EmptyOp>(op, type.getShape(), type.getElementType());
    else if (inputs.size() == 1)
      rewriter.replaceOp(op, inputs.front());
    else
      rewriter.replaceOpWithNewOp<tensor::ConcatOp>(op, type, static_cast<uint64_t>(op.getDimension()), inputs);
    return success();
  }
};

/// xla.pad  ->  tensor.pad, tensor.extract_slice for negative amounts, a strided tensor.insert_slice for interior ones
struct PadLowering : OpConversionPattern<PadOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(PadOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Value scalar = buildScalar(rewriter, op.getLoc(), adaptor.getPaddingValue());
    rewriter.replaceOp(op, buildPad(rewriter, op.getLoc(), adaptor.getOperand(), scalar, op.getEdgePaddingLow(),
                                    op.getEdgePaddingHigh(), op.getInteriorPadding()));
    return success();
  }
};

/// xla.slice  ->  tensor.extract_slice
struct SliceLowering : OpConversionPattern<SliceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(SliceOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getType());
    rewriter.replaceOp(op, buildSlice(rewriter, op.getLoc(), adaptor.getOperand(), op.getStartIndices(),
                                      type.getShape(), op.getStrides()));
    return success();
  }
};

/// xla.get_dimension_size  ->  arith.constant: every size is static here
struct GetDimensionSizeLowering : OpConversionPattern<GetDimensionSizeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(GetDimensionSizeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto operand = cast<RankedTensorType>(op.getOperand().getType());
    auto type = signlessTensorType(cast<RankedTensorType>(op.getType()));
    Attribute size = rewriter.getIntegerAttr(type.getElementType(), operand.getDimSize(op.getDimension()));
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, DenseElementsAttr::get(type, size));
    return success();
  }
};

} // namespace

void mlir::xla::populateShapePatterns(const TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ConstantLowering, IotaLowering, BroadcastInDimLowering, ReshapeLowering, TransposeLowering,
               ReverseLowering, ConcatenateLowering, PadLowering, SliceLowering, GetDimensionSizeLowering>(
      converter, patterns.getContext());
}
