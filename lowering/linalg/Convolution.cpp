// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The linear family: convolution, in every form that its attributes allow, as one generic on a padded input.

#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/dialect/ops/reduction/Window.h"
#include "mlir_xla/lowering/linalg/Build.h"
#include "mlir_xla/lowering/linalg/Linear.h"
#include "mlir_xla/lowering/linalg/Patterns.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::xla;

/// The dimension of an operand whose groups become a loop of their own: `dim` of size groups * size is split into
/// (groups, size) unless one of the two is 1. Yields the new tensor and moves the dimensions behind `dim` in `exprs`.
static Value splitGroups(OpBuilder &b, Location loc, Value tensor, int64_t dim, int64_t groups,
                         SmallVectorImpl<AffineExpr> &exprs, AffineExpr groupLoop, AffineExpr withinLoop) {
  auto type = cast<RankedTensorType>(tensor.getType());
  int64_t within = type.getDimSize(dim) / groups;
  if (groups == 1 || within == 1) {
    exprs[dim] = groups == 1 ? withinLoop : groupLoop;
    return tensor;
  }
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = within;
  shape.insert(shape.begin() + dim, groups);
  exprs[dim] = withinLoop;
  exprs.insert(exprs.begin() + dim, groupLoop);
  return buildReshape(b, loc, tensor, shape);
}

namespace {

/// Results along one spatial dimension that use the same elements of the window.
struct Phase {
  int64_t first = 0, step = 1, count = 1;  // the results first, first + step, ..
  int64_t tap = 0, tapStep = 1, taps = 1;  // the elements of the window
  int64_t stride = 1, dilation = 1;        // result i reads the padded input at i * stride + k * dilation
  int64_t low = 0, high = 0, interior = 0; // how the input is padded
};

using Phases = SmallVector<Phase>;

/// Convolutions in so many phases at most: each is code of its own.
constexpr int64_t kMaxPhases = 16;

} // namespace

static Phases wholeDimension(const WindowDimension &w, int64_t results) {
  Phase phase;
  phase.count = results;
  phase.taps = w.size;
  phase.stride = w.stride;
  phase.dilation = w.windowDilation;
  phase.low = w.padLow;
  phase.high = w.padHigh;
  phase.interior = w.baseDilation - 1;
  return {phase};
}

/// With `d - 1` zeros between the elements of the input, result o meets the elements k of the window for which
/// o + k - low is a multiple of d: those from (low - o) mod d on, in steps of d. Each phase is padded by itself, or
/// cut: one that a single element of the window meets reads the input as it is.
static Phases dilatedDimension(const WindowDimension &w, int64_t inputs, int64_t results) {
  int64_t d = w.baseDilation;
  Phases phases;
  for (int64_t first = 0; first < std::min(d, results); ++first) {
    Phase phase;
    phase.first = first;
    phase.step = d;
    phase.count = llvm::divideCeil(results - first, d);
    phase.tap = llvm::mod(w.padLow - first, d);
    phase.tapStep = d;
    phase.taps = phase.tap < w.size ? llvm::divideCeil(w.size - phase.tap, d) : 0;
    phase.low = (w.padLow - first - phase.tap) / d;
    phase.high = phase.count + phase.taps - 1 - inputs - phase.low;
    phases.push_back(phase);
  }
  return phases;
}

static SmallVector<Phases> splitPhases(ArrayRef<WindowDimension> window, ArrayRef<int64_t> inputs,
                                       ArrayRef<int64_t> results) {
  SmallVector<Phases> dimensions;
  int64_t phases = 1;
  for (auto [w, input, result] : llvm::zip_equal(window, inputs, results)) {
    bool isSplit = w.baseDilation > 1 && w.stride == 1 && w.windowDilation == 1 && input > 1 &&
                   phases * w.baseDilation <= kMaxPhases;
    dimensions.push_back(isSplit ? dilatedDimension(w, input, result) : wholeDimension(w, result));
    phases *= dimensions.back().size();
  }
  return dimensions;
}

/// Visits every combination of phases with results and elements of the window to sum up, one for each dimension, as
/// what `chosen` then is.
static void forEachPhase(ArrayRef<Phases> dimensions, SmallVectorImpl<Phase> &chosen, function_ref<void()> visit) {
  if (dimensions.empty())
    return visit();
  for (const Phase &phase : dimensions.front()) {
    if (phase.taps == 0)
      continue;
    chosen.push_back(phase);
    forEachPhase(dimensions.drop_front(), chosen, visit);
    chosen.pop_back();
  }
}

namespace {

/// xla.convolution  ->  linalg.generic over (result dims.., input features, window) that reads the padded, dilated
/// input at d_out * stride + d_k * dilation. Groups are a loop of their own, over tensors whose grouped dimensions are
/// split: for a device before they are padded, so that its kernels read the padding where it is. Where zeros between
/// the elements of the input (the gradient of a stride) would meet most of the window, one generic for each phase of
/// the result, which leaves them out.
struct ConvolutionLowering : OpConversionPattern<ConvolutionOp> {
  ConvolutionLowering(const TypeConverter &converter, MLIRContext *context, bool device)
      : OpConversionPattern(converter, context), device(device) {}

  LogicalResult matchAndRewrite(ConvolutionOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ConvDimensionNumbersAttr dims = op.getDimensionNumbers();
    auto lhsType = cast<RankedTensorType>(adaptor.getLhs().getType()),
         rhsType = cast<RankedTensorType>(adaptor.getRhs().getType());
    auto type = cast<RankedTensorType>(op.getType());
    Type resultElement = signlessElementType(type.getElementType());
    if (type.getNumElements() == 0) {
      rewriter.replaceOpWithNewOp<tensor::EmptyOp>(op, type.getShape(), resultElement);
      return success();
    }
    int64_t rank = type.getRank();
    SmallVector<int64_t> kernelSizes, inputSizes, resultSizes;
    for (int64_t d : dims.getKernelSpatialDimensions())
      kernelSizes.push_back(rhsType.getDimSize(d));
    for (int64_t d : dims.getInputSpatialDimensions())
      inputSizes.push_back(lhsType.getDimSize(d));
    for (int64_t d : dims.getOutputSpatialDimensions())
      resultSizes.push_back(type.getDimSize(d));
    SmallVector<WindowDimension> window =
        getVerifiedWindow({kernelSizes, op.getWindowStrides(), op.getPaddingAttr(), op.getLhsDilation(),
                           op.getRhsDilation(), op.getWindowReversal()});
    SmallVector<Phases> spatial = splitPhases(window, inputSizes, resultSizes);
    SmallVector<bool> reversed;
    for (const WindowDimension &w : window)
      reversed.push_back(w.reversal && w.size > 1);
    auto build = [&](ArrayRef<Phase> phases) {
      return buildPhase(rewriter, op, adaptor.getLhs(), adaptor.getRhs(), phases, reversed, device);
    };

    Phases chosen;
    if (llvm::all_of(spatial, [](const Phases &phases) { return phases.size() == 1; })) {
      for (const Phases &phases : spatial)
        chosen.push_back(phases.front());
      rewriter.replaceOp(op, build(chosen));
      return success();
    }
    // Every phase writes its own results. Those that no element of the window meets are zero.
    bool isComplete = llvm::all_of(spatial, [](const Phases &phases) {
      return llvm::all_of(phases, [](const Phase &phase) { return phase.taps > 0 || phase.count == 0; });
    });
    auto resultType = RankedTensorType::get(type.getShape(), resultElement);
    Value result = isComplete ? tensor::EmptyOp::create(rewriter, loc, type.getShape(), resultElement).getResult()
                              : buildFill(rewriter, loc, resultType, buildZero(rewriter, loc, resultElement));
    forEachPhase(spatial, chosen, [&] {
      SmallVector<int64_t> offsets(rank, 0), sizes(type.getShape()), strides(rank, 1);
      for (auto [d, phase] : llvm::zip(dims.getOutputSpatialDimensions(), chosen)) {
        offsets[d] = phase.first;
        sizes[d] = phase.count;
        strides[d] = phase.count > 1 ? phase.step : 1;
      }
      auto attrs = [&](ArrayRef<int64_t> values) { return getAsIndexOpFoldResult(op.getContext(), values); };
      result = tensor::InsertSliceOp::create(rewriter, loc, build(chosen), result, attrs(offsets), attrs(sizes),
                                             attrs(strides));
    });
    rewriter.replaceOp(op, result);
    return success();
  }

  /// The results of one phase along every spatial dimension.
  static Value buildPhase(OpBuilder &b, ConvolutionOp op, Value lhs, Value rhs, ArrayRef<Phase> phases,
                          ArrayRef<bool> reversed, bool device) {
    Location loc = op.getLoc();
    ConvDimensionNumbersAttr dims = op.getDimensionNumbers();
    auto type = cast<RankedTensorType>(op.getType());
    int64_t rank = type.getRank();
    int64_t features = op.getFeatureGroupCount(), batches = op.getBatchGroupCount(), groups = features * batches;
    int64_t outFeatures = type.getDimSize(dims.getOutputFeatureDimension()) / groups;
    int64_t inFeatures = cast<RankedTensorType>(rhs.getType()).getDimSize(dims.getKernelInputFeatureDimension());
    int64_t batchDim = dims.getInputBatchDimension(), featureDim = dims.getInputFeatureDimension();
    int64_t splitDim = features > 1 ? featureDim : batchDim;
    bool splitsFirst = device && groups > 1 && cast<RankedTensorType>(lhs.getType()).getDimSize(splitDim) > groups;
    SmallVector<int64_t> spatial(dims.getInputSpatialDimensions());
    if (splitsFirst) {
      SmallVector<AffineExpr> ignored(rank);
      lhs = splitGroups(b, loc, lhs, splitDim, groups, ignored, AffineExpr(), AffineExpr());
      for (int64_t &dim : spatial)
        dim += dim > splitDim;
    }
    lhs = pad(b, loc, lhs, spatial, phases, /*readsGaps=*/device);
    rhs = takeTaps(b, loc, rhs, dims, phases, reversed);
    SmallVector<int64_t> shape(type.getShape());
    for (auto [d, phase] : llvm::zip(dims.getOutputSpatialDimensions(), phases))
      shape[d] = phase.count;
    lhs = takePoints(b, loc, lhs, spatial, phases);

    // The loops: the result's dimensions, in which a group loop stands before the features that it splits; then the
    // sums over input features and window. Loops of size 1 among the sums and the spatial dimensions are dropped.
    bool splitsResult = groups > 1 && outFeatures > 1;
    int64_t loop = 0;
    SmallVector<int64_t> resultShape;
    SmallVector<AffineExpr> outLoops(rank);
    AffineExpr zero = b.getAffineConstantExpr(0), group = zero, outFeature = zero;
    for (int64_t d = 0; d < rank; ++d) {
      if (d == dims.getOutputFeatureDimension() && groups > 1) {
        group = b.getAffineDimExpr(loop++);
        resultShape.push_back(groups);
        if (splitsResult) {
          outFeature = b.getAffineDimExpr(loop++);
          resultShape.push_back(outFeatures);
        }
        continue;
      }
      if (shape[d] == 1 && llvm::is_contained(dims.getOutputSpatialDimensions(), d)) {
        outLoops[d] = zero;
        continue;
      }
      outLoops[d] = b.getAffineDimExpr(loop++);
      resultShape.push_back(shape[d]);
      if (d == dims.getOutputFeatureDimension())
        outFeature = outLoops[d];
    }
    int64_t resultRank = loop;
    AffineExpr inFeature = inFeatures == 1 ? zero : b.getAffineDimExpr(loop++);
    SmallVector<AffineExpr> lhsExprs(rank), rhsExprs(rank);
    for (auto [i, phase] : llvm::enumerate(phases)) {
      AffineExpr position = outLoops[dims.getOutputSpatialDimensions()[i]], kernel = zero;
      if (phase.taps > 1) {
        kernel = b.getAffineDimExpr(loop++);
        position = phase.count == 1 ? kernel : position * phase.stride + kernel * phase.dilation;
      }
      lhsExprs[dims.getInputSpatialDimensions()[i]] = position;
      rhsExprs[dims.getKernelSpatialDimensions()[i]] = kernel;
    }
    AffineExpr batch = outLoops[dims.getOutputBatchDimension()];
    lhsExprs[batchDim] = batch;
    lhsExprs[featureDim] = inFeature;
    rhsExprs[dims.getKernelInputFeatureDimension()] = inFeature;
    if (splitsFirst)
      lhsExprs.insert(lhsExprs.begin() + splitDim, group);
    else if (features > 1)
      lhs = splitGroups(b, loc, lhs, featureDim, features, lhsExprs, group, inFeature);
    else if (batches > 1)
      lhs = splitGroups(b, loc, lhs, batchDim, batches, lhsExprs, group, batch);
    rhs = splitGroups(b, loc, rhs, dims.getKernelOutputFeatureDimension(), groups, rhsExprs, group, outFeature);
    auto isPlain = [](AffineExpr expr) { return isa<AffineDimExpr, AffineConstantExpr>(expr); };
    if (llvm::all_of(lhsExprs, isPlain) && llvm::all_of(rhsExprs, isPlain)) {
      lhs = dropOnes(b, loc, lhs, lhsExprs);
      rhs = dropOnes(b, loc, rhs, rhsExprs);
    }

    MLIRContext *context = op.getContext();
    Value result =
        buildContraction(b, loc, lhs, rhs, getElementTypeOrSelf(op.getLhs().getType()),
                         getElementTypeOrSelf(op.getRhs().getType()), resultShape, type.getElementType(),
                         AffineMap::get(loop, 0, lhsExprs, context), AffineMap::get(loop, 0, rhsExprs, context),
                         buildDimsMap(context, loop, llvm::to_vector(llvm::seq<int64_t>(0, resultRank))));
    return buildReshape(b, loc, result, shape);
  }

  /// The elements of the kernel that `phases` use, in the order in which the window meets them. A map with `K - 1 - k`
  /// in the sum itself would not determine k's extent.
  static Value takeTaps(OpBuilder &b, Location loc, Value rhs, ConvDimensionNumbersAttr dims, ArrayRef<Phase> phases,
                        ArrayRef<bool> reversed) {
    auto type = cast<RankedTensorType>(rhs.getType());
    SmallVector<int64_t> offsets(type.getRank(), 0), sizes(type.getShape()), strides(type.getRank(), 1);
    for (auto [d, phase, isReversed] : llvm::zip(dims.getKernelSpatialDimensions(), phases, reversed)) {
      offsets[d] = isReversed ? sizes[d] - 1 - phase.tap - (phase.taps - 1) * phase.tapStep : phase.tap;
      sizes[d] = phase.taps;
      strides[d] = phase.taps > 1 ? phase.tapStep : 1;
    }
    rhs = buildSlice(b, loc, rhs, offsets, sizes, strides);
    SmallVector<AffineExpr> exprs;
    for (int64_t d = 0; d < type.getRank(); ++d)
      exprs.push_back(b.getAffineDimExpr(d));
    bool isTurned = false;
    for (auto [d, isReversed] : llvm::zip(dims.getKernelSpatialDimensions(), reversed))
      if (isReversed && sizes[d] > 1) {
        exprs[d] = b.getAffineConstantExpr(sizes[d] - 1) - exprs[d];
        isTurned = true;
      }
    if (!isTurned)
      return rhs;
    return buildElementwise(b, loc, cast<RankedTensorType>(rhs.getType()), rhs,
                            AffineMap::get(type.getRank(), 0, exprs, b.getContext()),
                            [](OpBuilder &, Location, ValueRange x) { return SmallVector<Value>{x[0]}; });
  }

  /// The input with the zeros around it and in it that `phases` meet.
  static Value pad(OpBuilder &b, Location loc, Value lhs, ArrayRef<int64_t> spatial, ArrayRef<Phase> phases,
                   bool readsGaps) {
    auto type = cast<RankedTensorType>(lhs.getType());
    SmallVector<int64_t> low(type.getRank(), 0), high(low), interior(low);
    for (auto [d, phase] : llvm::zip_equal(spatial, phases)) {
      low[d] = phase.low;
      high[d] = phase.high;
      interior[d] = phase.interior;
    }
    Value zero = buildZero(b, loc, type.getElementType());
    if (!readsGaps || type.getNumElements() == 0 || llvm::all_of(interior, [](int64_t each) { return each == 0; }))
      return buildPad(b, loc, lhs, zero, low, high, interior);
    return readPadded(b, loc, lhs, zero, low, high, interior);
  }

  /// The same as a choice between an element and zero, which the kernels of a device make where they read it.
  static Value readPadded(OpBuilder &b, Location loc, Value lhs, Value zero, ArrayRef<int64_t> low,
                          ArrayRef<int64_t> high, ArrayRef<int64_t> interior) {
    auto type = cast<RankedTensorType>(lhs.getType());
    SmallVector<int64_t> shape, extents;
    for (auto [size, before, behind, between] : llvm::zip_equal(type.getShape(), low, high, interior)) {
      extents.push_back((size - 1) * (between + 1) + 1);
      shape.push_back(extents.back() + before + behind);
    }
    auto body = [&](OpBuilder &body, Location at, ValueRange) {
      SmallVector<Value> position;
      Value isElement;
      auto require = [&](Value condition) {
        isElement = isElement ? arith::AndIOp::create(body, at, isElement, condition).getResult() : condition;
      };
      auto number = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(body, at, value); };
      for (auto [dim, extent] : llvm::enumerate(extents)) {
        Value index = linalg::IndexOp::create(body, at, dim);
        if (low[dim] != 0)
          index = arith::SubIOp::create(body, at, index, number(low[dim]));
        // As unsigned numbers, positions before the first element are far behind the last one.
        if (shape[dim] != extent)
          require(arith::CmpIOp::create(body, at, arith::CmpIPredicate::ult, index, number(extent)));
        if (interior[dim] > 0) {
          Value step = number(interior[dim] + 1), rest = arith::RemUIOp::create(body, at, index, step);
          require(arith::CmpIOp::create(body, at, arith::CmpIPredicate::eq, rest, number(0)));
          index = arith::DivUIOp::create(body, at, index, step);
        }
        position.push_back(index);
      }
      auto choose = scf::IfOp::create(
          body, at, isElement,
          [&](OpBuilder &branch, Location in) {
            scf::YieldOp::create(branch, in, tensor::ExtractOp::create(branch, in, lhs, position).getResult());
          },
          [&](OpBuilder &branch, Location in) { scf::YieldOp::create(branch, in, zero); });
      linalg::YieldOp::create(body, at, choose.getResult(0));
    };
    Value empty = tensor::EmptyOp::create(b, loc, shape, type.getElementType());
    SmallVector<utils::IteratorType> iterators(shape.size(), utils::IteratorType::parallel);
    return linalg::GenericOp::create(b, loc, empty.getType(), ValueRange(), empty,
                                     b.getMultiDimIdentityMap(shape.size()), iterators, body)
        .getResult(0);
  }

  /// Where the window has one element, or the result, what is read: the loop of the other is that of the input.
  static Value takePoints(OpBuilder &b, Location loc, Value lhs, ArrayRef<int64_t> spatial, ArrayRef<Phase> phases) {
    auto type = cast<RankedTensorType>(lhs.getType());
    SmallVector<int64_t> offsets(type.getRank(), 0), sizes(type.getShape()), strides(type.getRank(), 1);
    for (auto [d, phase] : llvm::zip_equal(spatial, phases)) {
      if (phase.taps > 1 && phase.count > 1)
        continue;
      sizes[d] = phase.count * phase.taps; // one of the two is 1
      strides[d] = sizes[d] == 1 ? 1 : phase.count > 1 ? phase.stride : phase.dilation;
    }
    return buildSlice(b, loc, lhs, offsets, sizes, strides);
  }

  /// The tensor without the dimensions of size 1 that no loop walks.
  static Value dropOnes(OpBuilder &b, Location loc, Value tensor, SmallVectorImpl<AffineExpr> &exprs) {
    SmallVector<int64_t> shape;
    SmallVector<AffineExpr> kept;
    for (auto [expr, size] : llvm::zip(exprs, cast<RankedTensorType>(tensor.getType()).getShape())) {
      if (size == 1 && isa<AffineConstantExpr>(expr))
        continue;
      shape.push_back(size);
      kept.push_back(expr);
    }
    exprs.assign(kept);
    return buildReshape(b, loc, tensor, shape);
  }

  bool device;
};

} // namespace

void mlir::xla::populateConvolutionPatterns(const TypeConverter &converter, RewritePatternSet &patterns, bool device) {
  patterns.add<ConvolutionLowering>(converter, patterns.getContext(), device);
}
