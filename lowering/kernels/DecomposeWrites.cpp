// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-decompose-writes`: pad as a choice per element, concatenate as insertions of boxes into one uninitialised
// tensor.

#include "mlir_xla/lowering/kernels/Passes.h"

namespace mlir::xla {
#define GEN_PASS_DEF_DECOMPOSEWRITES
#include "mlir_xla/lowering/kernels/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;

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

/// linalg.generic ins(tensor.concat dim(1) %a, %b) by (i) -> (i, 1)  ->  linalg.generic ins(%b) by (i) -> (i, 0)
///
/// Reads of one of the tensors only, as of a component of the positions of a gather, do not need the others beside it.
static void readPieces(tensor::ConcatOp op) {
  for (OpOperand &use : llvm::make_early_inc_range(op->getUses())) {
    auto reader = dyn_cast<linalg::GenericOp>(use.getOwner());
    if (!reader || !reader.isDpsInput(&use))
      continue;
    AffineMap map = reader.getMatchingIndexingMap(&use);
    auto position = dyn_cast<AffineConstantExpr>(map.getResult(op.getDim()));
    if (!position)
      continue;
    int64_t index = position.getValue();
    for (Value input : op.getInputs()) {
      int64_t size = cast<RankedTensorType>(input.getType()).getDimSize(op.getDim());
      if (index < size) {
        SmallVector<AffineExpr> exprs(map.getResults());
        exprs[op.getDim()] = getAffineConstantExpr(index, op.getContext());
        SmallVector<AffineMap> maps = reader.getIndexingMapsArray();
        maps[use.getOperandNumber()] = AffineMap::get(map.getNumDims(), 0, exprs, op.getContext());
        use.set(input);
        reader.setIndexingMapsAttr(Builder(op.getContext()).getAffineMapArrayAttr(maps));
        break;
      }
      index -= size;
    }
  }
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

/// tensor.pad %a low[..] high[..] {%c}  ->  one generic: inside the source its element, elsewhere %c. Reads that do not
/// happen cost nothing, and one nest compiles faster than a box per side.
static LogicalResult decomposePad(tensor::PadOp op) {
  Value padding = op.getConstantPaddingValue();
  auto type = cast<RankedTensorType>(op.getType());
  if (!padding || !type.hasStaticShape() || llvm::any_of(op.getStaticLow(), ShapedType::isDynamic) ||
      llvm::any_of(op.getStaticHigh(), ShapedType::isDynamic))
    return op.emitOpError("needs static amounts and one padding value at this stage");
  OpBuilder b(op);
  ArrayRef<int64_t> source = op.getSourceType().getShape();
  Value empty = tensor::EmptyOp::create(b, op.getLoc(), type.getShape(), type.getElementType());
  auto element = [&](OpBuilder &body, Location loc) -> Value {
    SmallVector<Value> position;
    Value isInside;
    for (auto [dim, size] : llvm::enumerate(source)) {
      Value index = linalg::IndexOp::create(body, loc, dim);
      if (size != type.getDimSize(dim)) {
        Value low = arith::ConstantIndexOp::create(body, loc, op.getStaticLow()[dim]);
        Value extent = arith::ConstantIndexOp::create(body, loc, size);
        index = arith::SubIOp::create(body, loc, index, low);
        // As unsigned numbers, positions before the source are far behind it.
        Value fits = arith::CmpIOp::create(body, loc, arith::CmpIPredicate::ult, index, extent);
        isInside = isInside ? arith::AndIOp::create(body, loc, isInside, fits).getResult() : fits;
      }
      position.push_back(index);
    }
    auto read = [&](OpBuilder &branch, Location at) {
      scf::YieldOp::create(branch, at, tensor::ExtractOp::create(branch, at, op.getSource(), position).getResult());
    };
    auto pad = [&](OpBuilder &branch, Location at) { scf::YieldOp::create(branch, at, padding); };
    if (!isInside)
      return tensor::ExtractOp::create(body, loc, op.getSource(), position);
    return scf::IfOp::create(body, loc, isInside, read, pad).getResult(0);
  };
  Value result;
  if (op.getSourceType().getNumElements() == 0) {
    result = linalg::FillOp::create(b, op.getLoc(), padding, empty).getResult(0);
  } else {
    SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
    result =
        linalg::GenericOp::create(
            b, op.getLoc(), type, ValueRange(), empty, b.getMultiDimIdentityMap(type.getRank()), iterators,
            [&](OpBuilder &body, Location loc, ValueRange) { linalg::YieldOp::create(body, loc, element(body, loc)); })
            .getResult(0);
  }
  op.replaceAllUsesWith(result);
  op.erase();
  return success();
}

namespace {
struct DecomposeWritesPass : public mlir::xla::impl::DecomposeWritesBase<DecomposeWritesPass> {
  void runOnOperation() override {
    SmallVector<tensor::ConcatOp> concats;
    SmallVector<tensor::PadOp> pads;
    getOperation().walk([&](Operation *op) {
      if (auto concat = dyn_cast<tensor::ConcatOp>(op))
        concats.push_back(concat);
      else if (auto pad = dyn_cast<tensor::PadOp>(op))
        pads.push_back(pad);
    });
    llvm::for_each(concats, readPieces);
    for (tensor::ConcatOp concat : concats) {
      if (concat->use_empty())
        concat.erase();
      else
        decomposeConcat(concat);
    }
    for (tensor::PadOp pad : pads)
      if (failed(decomposePad(pad)))
        return signalPassFailure();
  }
};
} // namespace
