// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reduction family with windows: reduce_window, whose cumulative form is a scan of log2(n) steps.

#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/dialect/ops/reduction/ReductionComputation.h"
#include "mlir_xla/dialect/ops/reduction/Window.h"
#include "mlir_xla/lowering/linalg/Build.h"
#include "mlir_xla/lowering/linalg/Patterns.h"
#include "mlir_xla/lowering/linalg/Reduction.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::xla;

/// A window that for each position covers all elements up to it (or, reversed, from it on).
struct Scan {
  int64_t dimension;
  bool reversed;
};

/// Below this size every position's window is folded on its own: n^2 / 2 steps in one loop nest, where a scan takes
/// log2(n) nests.
static constexpr int64_t kMinScanSize = 16;

static std::optional<Scan> matchScan(ReduceWindowOp op, ArrayRef<WindowDimension> window) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(op.getInputs().front().getType()).getShape();
  std::optional<Scan> scan;
  for (auto [d, w] : llvm::enumerate(window)) {
    if (w.isTrivial() && w.padLow == 0 && w.padHigh == 0)
      continue;
    int64_t size = shape[d];
    bool forward = w.padLow == size - 1 && w.padHigh == 0, reversed = w.padLow == 0 && w.padHigh == size - 1;
    bool whole = w.size == size && w.stride == 1 && w.baseDilation == 1 && w.windowDilation == 1;
    if (scan || !whole || !(forward || reversed) || size < kMinScanSize)
      return std::nullopt;
    scan = Scan{static_cast<int64_t>(d), !forward};
  }
  return op.getInputs().size() == 1 ? scan : std::nullopt;
}

/// True if `init` is known to leave values unchanged under the body.
static bool isIdentity(Region &body, Value init) {
  Operation *op = getSingleBinaryOp(body);
  DenseElementsAttr constant;
  if (!op || !matchPattern(init, m_Constant(&constant)) || !constant.getElementType().isIntOrFloat())
    return false;
  if (isa<FloatType>(constant.getElementType())) {
    APFloat value = *constant.value_begin<APFloat>();
    return isa<AddOp>(op)   ? value.isNegZero() // 0 + -0 is 0
           : isa<MulOp>(op) ? value.isExactlyValue(1.0)
           : isa<MaxOp>(op) ? value.isInfinity() && value.isNegative()
           : isa<MinOp>(op) ? value.isInfinity() && !value.isNegative()
                            : false;
  }
  APInt value = *constant.value_begin<APInt>();
  return isa<AddOp, OrOp, XorOp>(op) ? value.isZero()
         : isa<AndOp>(op)            ? value.isAllOnes()
         : isa<MulOp>(op)            ? value.isOne()
                                     : false;
}

/// Doubling: after the step of distance s every element covers the 2s elements up to it.
static Value buildScan(ConversionPatternRewriter &rewriter, Location loc, Region &body, Value input, Value init,
                       Scan scan) {
  auto type = cast<RankedTensorType>(input.getType());
  int64_t size = type.getDimSize(scan.dimension);
  SmallVector<int64_t> ones(type.getRank(), 1);
  auto range = [&](Value tensor, int64_t from, int64_t to) {
    SmallVector<int64_t> offsets(type.getRank(), 0), sizes(type.getShape());
    offsets[scan.dimension] = from;
    sizes[scan.dimension] = to - from;
    return buildSlice(rewriter, loc, tensor, offsets, sizes, ones);
  };
  Value current = input;
  if (!isIdentity(body, init))
    current = buildRegionElementwise(rewriter, loc, body, init, input);
  for (int64_t s = 1; s < size && current; s *= 2) {
    Value early = range(current, 0, size - s), late = range(current, s, size);
    Value combined = buildRegionElementwise(rewriter, loc, body, early, late);
    if (!combined)
      return {};
    SmallVector<Value> parts{range(current, 0, s), combined};
    if (scan.reversed)
      parts = {combined, range(current, size - s, size)};
    current = tensor::ConcatOp::create(rewriter, loc, type, static_cast<uint64_t>(scan.dimension), parts);
  }
  return current;
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
      Value result = buildScan(rewriter, loc, op.getBody(), adaptor.getInputs()[0], adaptor.getInitValues()[0], *scan);
      if (!result)
        return failure();
      rewriter.replaceOp(op, result);
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
