// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans: a cumulative reduction where that is what the body is, and else a loop over the slices.

#include "mlir_xla/dialect/Regions.h"
#include "mlir_xla/dialect/ops/reduction/ReductionComputation.h"
#include "mlir_xla/lowering/legalize/Build.h"
#include "mlir_xla/lowering/legalize/CompositePatterns.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::xla;

namespace {

/// xla.scan(%x) inits (%c) { one commutative op of both, given twice }, associative  ->  that op of %c and a cumulative
/// xla.reduce_window of %x; the last carry is a slice of it
struct ScanToReduceWindow : OpRewritePattern<ScanOp> {
  ScanToReduceWindow(MLIRContext *context) : OpRewritePattern(context, /*benefit=*/2) {}
  LogicalResult matchAndRewrite(ScanOp op, PatternRewriter &rewriter) const override {
    if (op.getInputs().size() != 1 || op.getInits().size() != 1 || op.getOutputs().size() != 1)
      return failure();
    auto type = cast<RankedTensorType>(op.getInputs()[0].getType());
    Block &body = op.getBody().front();
    Operation *combiner = &body.front();
    Operation *end = body.getTerminator();
    if (combiner->getNextNode() != end || combiner->getNumOperands() != 2 || combiner->getNumResults() != 1 ||
        op.getOutputs()[0].getType() != type || !type.hasStaticShape() || op.getCount() == 0 ||
        op.getInits()[0].getType() != body.getArgument(0).getType() ||
        !llvm::is_contained(combiner->getOperands(), body.getArgument(0)) ||
        !llvm::is_contained(combiner->getOperands(), body.getArgument(1)) ||
        llvm::any_of(end->getOperands(), [&](Value value) { return value != combiner->getResult(0); }))
      return failure();
    Type element = type.getElementType();
    bool isExact = !isa<FloatType>(element) || isa<MaxOp, MinOp>(combiner);
    Attribute identity = getIdentity(combiner, element);
    if (!identity || !(isExact || op.getIsAssociative().value_or(false)))
      return failure();

    TensorBuilder b(op.getLoc(), rewriter);
    int64_t dim = op.getDimension(), size = op.getCount(), rank = type.getRank();
    auto scalar = RankedTensorType::get({}, element);
    Value init = ConstantOp::create(b, scalar, DenseElementsAttr::get(scalar, identity));
    SmallVector<int64_t> window(rank, 1), padding(2 * rank, 0);
    window[dim] = size;
    padding[2 * dim + op.getIsReverse()] = size - 1;
    OperationState state(op.getLoc(), ReduceWindowOp::getOperationName(), {op.getInputs()[0], init}, TypeRange{type});
    state.addAttribute("window_dimensions", b.getDenseI64ArrayAttr(window));
    state.addAttribute("padding", DenseIntElementsAttr::get(RankedTensorType::get({rank, 2}, b.getI64Type()), padding));
    state.addRegion();
    auto cumulative = cast<ReduceWindowOp>(b.create(state));
    {
      OpBuilder::InsertionGuard guard(b);
      buildSingleBinaryOp(b, op.getLoc(), cumulative.getBody(), combiner->getName(), element);
    }
    SmallVector<int64_t> others;
    for (int64_t d = 0; d < rank; ++d)
      if (d != dim)
        others.push_back(d);
    Value spread = BroadcastInDimOp::create(b, type, op.getInits()[0], others);
    Value all = b.binary(combiner->getName().stripDialect(), spread, cumulative.getResult(0));
    SmallVector<int64_t> starts(rank, 0), limits(type.getShape()), strides(rank, 1);
    starts[dim] = op.getIsReverse() ? 0 : size - 1;
    limits[dim] = starts[dim] + 1;
    SmallVector<int64_t> sliced(type.getShape());
    sliced[dim] = 1;
    Value last = SliceOp::create(b, RankedTensorType::get(sliced, element), all, b.getDenseI64ArrayAttr(starts),
                                 b.getDenseI64ArrayAttr(limits), b.getDenseI64ArrayAttr(strides));
    rewriter.replaceOp(op, {all, b.reshape(last, without(type.getShape(), dim))});
    return success();
  }
};

/// xla.scan(%x) inits (%c)  ->  xla.while(%i = 0, %c, %outputs) { body of slices; dynamic_update_slice }
struct ScanToWhile : OpRewritePattern<ScanOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ScanOp op, PatternRewriter &rewriter) const override {
    for (Type type : llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes()))
      if (!cast<RankedTensorType>(type).hasStaticShape())
        return failure();
    TensorBuilder b(op.getLoc(), rewriter);
    int64_t dim = op.getDimension(), count = op.getCount();
    SmallVector<Value> inits(op.getInits());
    for (Value output : op.getOutputs()) {
      RankedTensorType type = b.typeOf(output);
      auto scalar = type.clone(ArrayRef<int64_t>());
      Value zero = ConstantOp::create(b, scalar, cast<ElementsAttr>(b.getZeroAttr(scalar)));
      inits.push_back(b.broadcast(zero, type.getShape(), {}));
    }
    size_t carried = op.getInits().size();
    if (count == 0) {
      SmallVector<Value> results(ArrayRef(inits).drop_front(carried));
      results.append(inits.begin(), inits.begin() + carried);
      rewriter.replaceOp(op, results);
      return success();
    }
    Block &body = op.getBody().front();
    auto iteration = [&](Value i, ValueRange values) {
      Value at = op.getIsReverse() ? b.sub(b.index(count - 1), i) : i;
      auto startsOf = [&](RankedTensorType type) {
        SmallVector<Value> starts(type.getRank(), b.index(0));
        starts[dim] = at;
        return starts;
      };
      IRMapping mapping;
      for (auto [argument, input] : llvm::zip(body.getArguments(), op.getInputs())) {
        RankedTensorType type = b.typeOf(input);
        SmallVector<int64_t> sizes(type.getShape());
        sizes[dim] = 1;
        mapping.map(argument, b.reshape(b.dynamicSlice(input, startsOf(type), sizes), without(type.getShape(), dim)));
      }
      mapping.map(body.getArguments().drop_front(op.getInputs().size()), values.take_front(carried));
      for (Operation &nested : body.without_terminator())
        b.clone(nested, mapping);
      SmallVector<Value> returned;
      for (Value value : body.getTerminator()->getOperands())
        returned.push_back(mapping.lookupOrDefault(value));
      size_t outputs = op.getOutputs().size();
      SmallVector<Value> next(ArrayRef(returned).drop_front(outputs));
      for (size_t o = 0; o < outputs; ++o) {
        Value whole = values[carried + o];
        SmallVector<int64_t> sizes(b.typeOf(whole).getShape());
        sizes[dim] = 1;
        next.push_back(b.dynamicUpdateSlice(whole, b.reshape(returned[o], sizes), startsOf(b.typeOf(whole))));
      }
      return next;
    };
    SmallVector<Value> last = b.countedLoop(b.index(0), b.index(count), b.index(1), inits, iteration);
    SmallVector<Value> results(ArrayRef(last).drop_front(carried));
    results.append(last.begin(), last.begin() + carried);
    rewriter.replaceOp(op, results);
    return success();
  }
};

} // namespace

void mlir::xla::populateScanPatterns(RewritePatternSet &patterns) {
  patterns.add<ScanToReduceWindow, ScanToWhile>(patterns.getContext());
}
