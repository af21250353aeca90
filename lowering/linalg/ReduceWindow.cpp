// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reduction family with windows: reduce_window, whose cumulative form is a scan.

#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/dialect/ops/reduction/ReductionComputation.h"
#include "mlir_xla/dialect/ops/reduction/Window.h"
#include "mlir_xla/lowering/linalg/Build.h"
#include "mlir_xla/lowering/linalg/Patterns.h"
#include "mlir_xla/lowering/linalg/Reduction.h"
#include "mlir_xla/lowering/linalg/ScalarOps.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::xla;

/// A window that for each position covers all elements up to it (or, reversed, from it on).
struct Scan {
  int64_t dimension;
  bool reversed;
};

static std::optional<Scan> matchScan(ReduceWindowOp op, ArrayRef<WindowDimension> window) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(op.getInputs().front().getType()).getShape();
  std::optional<Scan> scan;
  for (auto [d, w] : llvm::enumerate(window)) {
    if (w.isTrivial() && w.padLow == 0 && w.padHigh == 0)
      continue;
    int64_t size = shape[d];
    bool forward = w.padLow == size - 1 && w.padHigh == 0, reversed = w.padLow == 0 && w.padHigh == size - 1;
    bool whole = w.size == size && w.stride == 1 && w.baseDilation == 1 && w.windowDilation == 1;
    if (scan || !whole || !(forward || reversed))
      return std::nullopt;
    scan = Scan{static_cast<int64_t>(d), !forward};
  }
  return scan;
}

/// The operation on f32 for a body that is one operation on narrower floats; null for other bodies. A sum is rounded
/// once, when it is stored, and not at every step.
static Value emitWide(OpBuilder &b, Location loc, Operation *body, Value earlier, Value later) {
  return llvm::TypeSwitch<Operation *, Value>(body)
      .Case([&](AddOp) { return arith::AddFOp::create(b, loc, earlier, later); })
      .Case([&](MulOp) { return arith::MulFOp::create(b, loc, earlier, later); })
      .Case([&](MaxOp) { return arith::MaximumFOp::create(b, loc, earlier, later); })
      .Case([&](MinOp) { return arith::MinimumFOp::create(b, loc, earlier, later); })
      .Default([](Operation *) { return Value(); });
}

static Value convert(OpBuilder &b, Location loc, Value tensor, Type from, Type to) {
  auto type = cast<RankedTensorType>(tensor.getType()).clone(signlessElementType(to));
  return buildElementwise(b, loc, type, tensor, [&](OpBuilder &body, Location at, ValueRange x) -> SmallVector<Value> {
    return {emitScalarConvert(body, at, x[0], from, to)};
  });
}

/// xla.reduce_window over all elements up to each position  ->  xla_rt.scan
static FailureOr<SmallVector<Value>> buildScan(ConversionPatternRewriter &rewriter, ReduceWindowOp op,
                                               ReduceWindowOp::Adaptor adaptor, Scan scan) {
  Location loc = op.getLoc();
  Region &region = op.getBody();
  SmallVector<Value> inputs(adaptor.getInputs()), initial, outs, captured;
  Type element = cast<RankedTensorType>(inputs[0].getType()).getElementType();
  Operation *single = getSingleBinaryOp(region);
  bool wide = single && isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32 &&
              isa<AddOp, MulOp, MaxOp, MinOp>(single);
  SmallVector<Value> captures = getScalarCaptures(region);
  for (Value capture : captures)
    captured.push_back(buildScalar(rewriter, loc, rewriter.getRemappedValue(capture)));
  for (auto [input, init] : llvm::zip_equal(inputs, adaptor.getInitValues())) {
    Value first = buildScalar(rewriter, loc, init);
    if (wide) {
      input = convert(rewriter, loc, input, element, rewriter.getF32Type());
      first = emitScalarConvert(rewriter, loc, first, element, rewriter.getF32Type());
    }
    auto type = cast<RankedTensorType>(input.getType());
    SmallVector<int64_t> others(type.getShape());
    others.erase(others.begin() + scan.dimension);
    initial.push_back(buildFill(rewriter, loc, RankedTensorType::get(others, type.getElementType()), first));
    outs.push_back(tensor::EmptyOp::create(rewriter, loc, type.getShape(), type.getElementType()));
  }
  auto result = rt::ScanOp::create(rewriter, loc, TypeRange(ValueRange(outs)), inputs, initial, outs,
                                   static_cast<uint64_t>(scan.dimension), scan.reversed);
  OpBuilder::InsertionGuard guard(rewriter);
  Block *body = rewriter.createBlock(&result.getCombiner());
  for (unsigned side = 0; side < 2; ++side)
    for (Value input : inputs)
      body->addArgument(getElementTypeOrSelf(input.getType()), loc);
  SmallVector<Value> combined;
  if (wide) {
    combined.push_back(emitWide(rewriter, loc, single, body->getArgument(0), body->getArgument(1)));
  } else {
    auto capture = [&](Value value) { return captured[llvm::find(captures, value) - captures.begin()]; };
    if (failed(emitScalarRegion(rewriter, region, body->getArguments(), capture, combined)))
      return failure();
  }
  rt::YieldOp::create(rewriter, loc, combined);
  rewriter.setInsertionPointAfter(result);
  if (!wide)
    return SmallVector<Value>(result.getResults());
  return SmallVector<Value>{convert(rewriter, loc, result.getResult(0), rewriter.getF32Type(), element)};
}

namespace {

/// xla.reduce_window  ->  linalg.generic over the result and the window that reads the padded input at
/// d_result * stride + d_window * dilation
struct ReduceWindowLowering : OpConversionPattern<ReduceWindowOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ReduceWindowOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    MLIRContext *context = op.getContext();
    // A window that fits nowhere leaves an empty result.
    if (cast<RankedTensorType>(op.getResult(0).getType()).getNumElements() == 0) {
      SmallVector<Value> empty;
      for (Value result : op.getResults()) {
        auto type = signlessTensorType(cast<RankedTensorType>(result.getType()));
        empty.push_back(tensor::EmptyOp::create(rewriter, loc, type.getShape(), type.getElementType()));
      }
      rewriter.replaceOp(op, empty);
      return success();
    }
    SmallVector<WindowDimension> window =
        getVerifiedWindow({op.getWindowDimensions(), op.getWindowStrides(), op.getPaddingAttr(), op.getBaseDilations(),
                           op.getWindowDilations()});
    if (std::optional<Scan> scan = matchScan(op, window)) {
      FailureOr<SmallVector<Value>> results = buildScan(rewriter, op, adaptor, *scan);
      if (failed(results))
        return failure();
      rewriter.replaceOp(op, *results);
      return success();
    }

    int64_t rank = window.size();
    SmallVector<int64_t> low, high, interior, windowLoops;
    ReductionLoops loops;
    for (auto [d, w] : llvm::enumerate(window)) {
      low.push_back(w.padLow);
      high.push_back(w.padHigh);
      interior.push_back(w.baseDilation - 1);
      if (w.size > 1) {
        windowLoops.push_back(d);
        loops.windowShape.push_back(w.size);
      }
    }
    int64_t numLoops = rank + windowLoops.size();
    SmallVector<AffineExpr> exprs;
    for (auto [d, w] : llvm::enumerate(window))
      exprs.push_back(rewriter.getAffineDimExpr(d) * w.stride);
    for (auto [i, d] : llvm::enumerate(windowLoops))
      exprs[d] = exprs[d] + rewriter.getAffineDimExpr(rank + i) * window[d].windowDilation;
    loops.inputMap = AffineMap::get(numLoops, 0, exprs, context);
    loops.resultMap = buildDimsMap(context, numLoops, llvm::to_vector(llvm::seq<int64_t>(0, rank)));
    if (!windowLoops.empty())
      loops.windowMap = buildDimsMap(context, numLoops, llvm::to_vector(llvm::seq<int64_t>(rank, numLoops)));

    SmallVector<Value> padded;
    for (auto [input, init] : llvm::zip(adaptor.getInputs(), adaptor.getInitValues()))
      padded.push_back(buildPad(rewriter, loc, input, buildScalar(rewriter, loc, init), low, high, interior));
    auto results = buildRegionReduction(rewriter, op, op.getBody(), padded, adaptor.getInitValues(), loops);
    if (failed(results))
      return failure();
    rewriter.replaceOp(op, *results);
    return success();
  }
};

} // namespace

void mlir::xla::populateWindowPatterns(const TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ReduceWindowLowering>(converter, patterns.getContext());
}
