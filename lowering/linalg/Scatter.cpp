// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The indexing family, writing: scatter, whose dimension numbers become one start and one step for each dimension.

#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/lowering/linalg/Build.h"
#include "mlir_xla/lowering/linalg/Patterns.h"
#include "mlir_xla/lowering/linalg/ScalarOps.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::xla;

/// The value of all elements of a constant. Null if there is none, or if it is no number.
static TypedAttr getSplat(Value value) {
  SplatElementsAttr splat;
  if (!matchPattern(value, m_Constant(&splat)))
    return {};
  Type element = splat.getElementType();
  if (isa<FloatType>(element))
    return splat.getSplatValue<FloatAttr>();
  if (isa<IntegerType>(element))
    return IntegerAttr::get(signlessElementType(element), splat.getSplatValue<APInt>());
  return {};
}

/// The value of all elements of the input, if it is a constant and batches have parts of their own of it, which are in
/// the caches of those who update them if they write this value there. Null otherwise.
static TypedAttr getInit(ScatterOp op, ArrayRef<int64_t> updateShape, ArrayRef<int64_t> steps) {
  ScatterDimensionNumbersAttr dims = op.getScatterDimensionNumbers();
  if (op.getInputs().size() != 1 || dims.getInputBatchingDims().empty() || op.getUniqueIndices())
    return {};
  // Whoever updates a part owns all of it.
  for (auto [d, size] : llvm::enumerate(cast<RankedTensorType>(op.getInputs()[0].getType()).getShape()))
    if (!llvm::is_contained(dims.getScatterDimsToOperandDims(), d) &&
        (steps[d] < 0 ? 1 : updateShape[steps[d]]) != size)
      return {};
  return getSplat(op.getInputs()[0]);
}

namespace {

/// xla.scatter(%x, %i, %u)  ->  xla_rt.scatter indices(%i) updates(%u) outs(%x) starts = [..] steps = [..] {...}
struct ScatterLowering : OpConversionPattern<ScatterOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ScatterOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ScatterDimensionNumbersAttr dims = op.getScatterDimensionNumbers();
    auto inputType = cast<RankedTensorType>(adaptor.getInputs().front().getType());
    auto updateType = cast<RankedTensorType>(adaptor.getUpdates().front().getType());
    if (inputType.getNumElements() == 0 || updateType.getNumElements() == 0) {
      rewriter.replaceOp(op, adaptor.getInputs());
      return success();
    }

    SmallVector<int64_t> batch, starts(inputType.getRank(), -1), steps(inputType.getRank(), -1);
    for (int64_t d = 0; d < updateType.getRank(); ++d)
      if (!llvm::is_contained(dims.getUpdateWindowDims(), d))
        batch.push_back(d);
    for (auto [component, d] : llvm::enumerate(dims.getScatterDimsToOperandDims()))
      starts[d] = component;
    const int64_t *window = dims.getUpdateWindowDims().begin();
    for (int64_t d = 0; d < inputType.getRank(); ++d)
      if (!llvm::is_contained(dims.getInsertedWindowDims(), d) && !llvm::is_contained(dims.getInputBatchingDims(), d))
        steps[d] = *window++;
    for (auto [d, indicesDim] : llvm::zip_equal(dims.getInputBatchingDims(), dims.getScatterIndicesBatchingDims()))
      steps[d] = batch[indicesDim - (indicesDim > dims.getIndexVectorDim() ? 1 : 0)];

    Region &region = op.getUpdateComputation();
    SmallVector<Value> captures = getScalarCaptures(region), scalars;
    for (Value capture : captures)
      scalars.push_back(rewriter.getRemappedValue(capture));
    TypedAttr init = getInit(op, updateType.getShape(), steps);
    SmallVector<Value> outs(adaptor.getInputs());
    if (init)
      outs[0] = tensor::EmptyOp::create(rewriter, loc, inputType.getShape(), inputType.getElementType());
    SmallVector<Value> updates(adaptor.getUpdates());
    TypedAttr update = updates.size() == 1 ? getSplat(op.getUpdates()[0]) : TypedAttr();
    if (update)
      updates[0] = tensor::EmptyOp::create(rewriter, loc, updateType.getShape(), updateType.getElementType());
    bool isUnsigned = getElementTypeOrSelf(op.getScatterIndices().getType()).isUnsignedInteger();
    auto scatter = rt::ScatterOp::create(rewriter, loc, adaptor.getInputs().getTypes(), adaptor.getScatterIndices(),
                                         updates, scalars, outs, starts, steps, batch, dims.getIndexVectorDim(),
                                         isUnsigned, op.getUniqueIndices(), op.getIndicesAreSorted(), init, update,
                                         /*ordered=*/IntegerAttr(), /*dealt=*/false);
    OpBuilder::InsertionGuard guard(rewriter);
    Block *body = rewriter.createBlock(&scatter.getCombiner());
    for (ValueRange values : {adaptor.getInputs(), adaptor.getUpdates(), ValueRange(scalars)})
      for (Value value : values)
        body->addArgument(getElementTypeOrSelf(value.getType()), loc);
    ValueRange arguments = body->getArguments(), captured = arguments.take_back(captures.size());
    auto capture = [&](Value value) { return captured[llvm::find(captures, value) - captures.begin()]; };
    SmallVector<Value> combined;
    if (failed(emitScalarRegion(rewriter, region, arguments.drop_back(captures.size()), capture, combined)))
      return failure();
    rt::YieldOp::create(rewriter, loc, combined);
    rewriter.replaceOp(op, scatter.getResults());
    return success();
  }
};

} // namespace

void mlir::xla::populateScatterPatterns(const TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ScatterLowering>(converter, patterns.getContext());
}
