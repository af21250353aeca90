// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-decompose-writes`: pad and concatenate as insertions of boxes into one uninitialised tensor.

#include "mlir_xla/lowering/kernels/Passes.h"

namespace mlir::xla {
#define GEN_PASS_DEF_XLADECOMPOSEWRITES
#include "mlir_xla/lowering/kernels/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;

/// Rows of fewer elements are not worth a choice each.
static constexpr int64_t kMinRow = 8;

static Value insertBox(OpBuilder &b, Location loc, Value source, Value dest, ArrayRef<int64_t> offsets) {
  auto shape = cast<RankedTensorType>(source.getType()).getShape();
  SmallVector<OpFoldResult> mixedOffsets, sizes, strides;
  for (auto [offset, size] : llvm::zip_equal(offsets, shape)) {
    mixedOffsets.push_back(b.getIndexAttr(offset));
    sizes.push_back(b.getIndexAttr(size));
    strides.push_back(b.getIndexAttr(1));
  }
  return tensor::InsertSliceOp::create(b, loc, source, dest, mixedOffsets, sizes, strides);
}

/// tensor.concat dim(d) %a, %b  ->  insert_slice %b into (insert_slice %a into empty)
static void decomposeConcat(tensor::ConcatOp op) {
  OpBuilder b(op);
  auto type = cast<RankedTensorType>(op.getType());
  Value result = tensor::EmptyOp::create(b, op.getLoc(), type.getShape(), type.getElementType());
  SmallVector<int64_t> offsets(type.getRank(), 0);
  for (Value input : op.getInputs()) {
    auto inputType = cast<RankedTensorType>(input.getType());
    if (inputType.getNumElements() != 0)
      result = insertBox(b, op.getLoc(), input, result, offsets);
    offsets[op.getDim()] += inputType.getDimSize(op.getDim());
  }
  op.replaceAllUsesWith(result);
  op.erase();
}

/// tensor.pad whose innermost dimension keeps its extent  ->  one generic: the element at the clamped position where that
/// is inside, else the padding. Rows are copied or filled whole, so the choice costs nothing; one loop nest compiles
/// faster than a box per side.
static Value padByChoice(OpBuilder &b, tensor::PadOp op, Value padding) {
  auto type = cast<RankedTensorType>(op.getType());
  unsigned rank = type.getRank();
  Value empty = tensor::EmptyOp::create(b, op.getLoc(), type.getShape(), type.getElementType());
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  ArrayRef<int64_t> source = op.getSourceType().getShape();
  return linalg::GenericOp::create(
             b, op.getLoc(), type, ValueRange(), empty, b.getMultiDimIdentityMap(rank), iterators,
             [&](OpBuilder &body, Location loc, ValueRange) {
               SmallVector<Value> position;
               Value isInside;
               for (unsigned dim = 0; dim < rank; ++dim) {
                 Value index = linalg::IndexOp::create(body, loc, dim);
                 if (source[dim] != type.getDimSize(dim)) {
                   auto constant = [&](int64_t value) { return arith::ConstantIndexOp::create(body, loc, value); };
                   index = arith::SubIOp::create(body, loc, index, constant(op.getStaticLow()[dim]));
                   Value fits =
                       arith::CmpIOp::create(body, loc, arith::CmpIPredicate::ult, index, constant(source[dim]));
                   isInside = isInside ? arith::AndIOp::create(body, loc, isInside, fits).getResult() : fits;
                   index = arith::MaxSIOp::create(body, loc, index, constant(0));
                   index = arith::MinSIOp::create(body, loc, index, constant(source[dim] - 1));
                 }
                 position.push_back(index);
               }
               Value element = tensor::ExtractOp::create(body, loc, op.getSource(), position);
               linalg::YieldOp::create(body, loc,
                                       arith::SelectOp::create(body, loc, isInside, element, padding).getResult());
             })
      .getResult(0);
}

/// tensor.pad %a low[..] high[..] {%c}  ->  the boxes of fill around %a, dimension by dimension, then %a itself
static LogicalResult decomposePad(tensor::PadOp op) {
  Value padding = op.getConstantPaddingValue();
  auto type = cast<RankedTensorType>(op.getType());
  if (!padding || !type.hasStaticShape() || llvm::any_of(op.getStaticLow(), ShapedType::isDynamic) ||
      llvm::any_of(op.getStaticHigh(), ShapedType::isDynamic))
    return op.emitOpError("needs static amounts and one padding value at this stage");
  OpBuilder b(op);
  ArrayRef<int64_t> source = op.getSourceType().getShape();
  int64_t rank = type.getRank();
  if (rank > 1 && source.back() == type.getDimSize(rank - 1) && source.back() >= kMinRow && source != type.getShape() &&
      op.getSourceType().getNumElements() != 0) {
    op.replaceAllUsesWith(padByChoice(b, op, padding));
    op.erase();
    return success();
  }
  Value result = tensor::EmptyOp::create(b, op.getLoc(), type.getShape(), type.getElementType());
  // Dimensions already handled are restricted to the source's extent, later ones are whole.
  SmallVector<int64_t> offsets(type.getRank(), 0), sizes(type.getShape());
  auto fill = [&] {
    if (llvm::is_contained(sizes, 0))
      return;
    Value empty = tensor::EmptyOp::create(b, op.getLoc(), sizes, type.getElementType());
    Value box = linalg::FillOp::create(b, op.getLoc(), padding, empty).getResult(0);
    result = insertBox(b, op.getLoc(), box, result, offsets);
  };
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    int64_t low = op.getStaticLow()[dim], high = op.getStaticHigh()[dim];
    offsets[dim] = 0, sizes[dim] = low;
    fill();
    offsets[dim] = low + source[dim], sizes[dim] = high;
    fill();
    offsets[dim] = low, sizes[dim] = source[dim];
  }
  if (op.getSourceType().getNumElements() != 0)
    result = insertBox(b, op.getLoc(), op.getSource(), result, offsets);
  op.replaceAllUsesWith(result);
  op.erase();
  return success();
}

namespace {
struct XlaDecomposeWritesPass : public mlir::xla::impl::XlaDecomposeWritesBase<XlaDecomposeWritesPass> {
  void runOnOperation() override {
    SmallVector<tensor::ConcatOp> concats;
    SmallVector<tensor::PadOp> pads;
    getOperation().walk([&](Operation *op) {
      if (auto concat = dyn_cast<tensor::ConcatOp>(op))
        concats.push_back(concat);
      else if (auto pad = dyn_cast<tensor::PadOp>(op))
        pads.push_back(pad);
    });
    llvm::for_each(concats, decomposeConcat);
    for (tensor::PadOp pad : pads)
      if (failed(decomposePad(pad)))
        return signalPassFailure();
  }
};
} // namespace
