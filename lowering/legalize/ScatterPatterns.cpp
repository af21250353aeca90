// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scatters of many updates into few elements: parts of the updates go to targets of their own, which are combined.
// Scatters of one update into each row of a constant: elements are chosen by their places.

#include "mlir_xla/dialect/ops/reduction/ReductionComputation.h"
#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/legalize/Build.h"
#include "mlir_xla/lowering/legalize/CompositePatterns.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::xla;

/// Fewer bytes of updates than this are combined before other cores have begun; of more updates for each element, a
/// thread of a GPU that makes them one after the other waits for longer than parts take to be combined.
static constexpr int64_t kLargeUpdates = 1 << 20, kManyOfElement = 128;
/// Windows of this many bytes or more are shared between cores as they are: owners find theirs in less time than parts
/// take to be begun and combined. Those of a GPU are parts up to longer ones.
static constexpr int64_t kLongWindow = 256, kLongWindowOfDevice = 2048;
/// The numbers of parts to choose from, the best first.
static constexpr int64_t kParts[] = {16, 8, 4};
/// Positions that owners of some each share as evenly as parts do.
static constexpr int64_t kManyPositions = 64;
/// The same for threads of a GPU: as few parts as give each of many threads an element of a target.
static constexpr int64_t kPartsOfDevice[] = {4, 8, 16, 32, 64, 128, 256};
static constexpr int64_t kManyElements = 1 << 17;

/// Threads of a GPU combine integers by atomic instructions.
static bool isAtomic(Operation *combiner, Type element) {
  auto type = dyn_cast<IntegerType>(element);
  return type && (type.getWidth() == 32 || type.getWidth() == 64) && !isa<MulOp>(combiner);
}

/// The combiner if its updates may be associated otherwise and in an order of their own; null otherwise.
static Operation *getFreeCombiner(ScatterOp op) {
  Region &region = op.getUpdateComputation();
  if (!region.hasOneBlock() || region.getNumArguments() != 2 || !llvm::hasNItems(region.front(), 2))
    return nullptr;
  Operation *combiner = &region.front().front();
  Value current = region.getArgument(0), update = region.getArgument(1);
  if (!isa<AddOp, MulOp, MaxOp, MinOp, AndOp, OrOp, XorOp>(combiner) ||
      combiner->getResults() != region.front().getTerminator()->getOperands() ||
      !llvm::is_contained(combiner->getOperands(), current) || !llvm::is_contained(combiner->getOperands(), update))
    return nullptr;
  // Narrow floats are rounded after each update.
  Type element = getElementTypeOrSelf(op.getInputs()[0].getType());
  bool isNarrow = isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32;
  return isNarrow || getElementTypeOrSelf(current.getType()) != element ? nullptr : combiner;
}

/// Whoever owns some of the elements finds their updates, which are neighbours: ScatterPlan.
static bool isSorted(ScatterOp op) {
  ScatterDimensionNumbersAttr numbers = op.getScatterDimensionNumbers();
  int64_t rank = cast<RankedTensorType>(op.getUpdates()[0].getType()).getRank();
  auto windows = static_cast<int64_t>(numbers.getUpdateWindowDims().size());
  ArrayRef<int64_t> dims = numbers.getScatterDimsToOperandDims();
  return op.getIndicesAreSorted() && dims.size() == 1 && dims == numbers.getInsertedWindowDims() &&
         cast<RankedTensorType>(op.getInputs()[0].getType()).getDimSize(dims[0]) >= kManyPositions &&
         rank - windows == 1;
}

namespace {

/// A dimension of index vectors, as updates and indices have it, and into how many parts it is split.
struct Parts {
  int64_t count, updates, indices;
};

/// xla.scatter %x, %indices, %updates  ->  %x combined with an xla.reduce of xla.scatter identities[P, ..],
/// %indices[.., P, n/P, ..], %updates[.., P, n/P, ..], where P is a batching dimension. Each part has its updates in
/// their order whoever does it, so that results do not depend on the number of threads.
struct SplitScatter : OpRewritePattern<ScatterOp> {
  SplitScatter(MLIRContext *context, bool device) : OpRewritePattern(context), device(device) {}

  LogicalResult matchAndRewrite(ScatterOp op, PatternRewriter &rewriter) const override {
    ScatterDimensionNumbersAttr numbers = op.getScatterDimensionNumbers();
    if (op.getInputs().size() != 1 || op.getUniqueIndices() || (!device && isSorted(op)) ||
        !numbers.getInputBatchingDims().empty())
      return failure();
    for (Type type : op->getOperandTypes())
      if (!cast<RankedTensorType>(type).hasStaticShape())
        return failure();
    auto type = cast<RankedTensorType>(op.getInputs()[0].getType());
    auto updates = cast<RankedTensorType>(op.getUpdates()[0].getType());
    Operation *combiner = getFreeCombiner(op);
    Attribute identity = combiner ? getIdentity(combiner, type.getElementType()) : Attribute();
    bool isLarge = bufferBytes(updates) >= kLargeUpdates ||
                   (device && updates.getNumElements() >= kManyOfElement * type.getNumElements());
    if (!identity || !isLarge || (device && isAtomic(combiner, type.getElementType())))
      return failure();
    int64_t window = elementStorageBytes(type.getElementType());
    for (int64_t dim : numbers.getUpdateWindowDims())
      window *= updates.getDimSize(dim);
    if (window >= (device ? kLongWindowOfDevice : kLongWindow))
      return failure();
    std::optional<Parts> parts = chooseParts(op);
    if (!parts)
      return failure();
    rewriter.replaceOp(op, split(op, *parts, combiner->getName(), identity, rewriter));
    return success();
  }

private:
  /// What targets of their own cost is small beside what the parts cost: each is written once and combined once.
  std::optional<Parts> chooseParts(ScatterOp op) const {
    auto type = cast<RankedTensorType>(op.getInputs()[0].getType());
    auto updates = cast<RankedTensorType>(op.getUpdates()[0].getType());
    std::optional<Parts> found;
    if (!device) {
      for (int64_t count : kParts)
        if (!found && bufferBytes(type) <= bufferBytes(updates) / (count * count))
          found = divide(op, count);
      return found;
    }
    for (int64_t count : kPartsOfDevice) {
      bool isMuch = bufferBytes(type) * count > bufferBytes(updates) / 4;
      // The number before is enough.
      if (isMuch || type.getNumElements() * (count / 2) >= kManyElements)
        break;
      if (std::optional<Parts> parts = divide(op, count))
        found = parts;
    }
    return found;
  }

  /// A dimension of the index vectors that has so many equal parts.
  static std::optional<Parts> divide(ScatterOp op, int64_t count) {
    ScatterDimensionNumbersAttr numbers = op.getScatterDimensionNumbers();
    auto updates = cast<RankedTensorType>(op.getUpdates()[0].getType());
    int64_t indices = 0;
    for (int64_t d = 0; d < updates.getRank(); ++d) {
      if (llvm::is_contained(numbers.getUpdateWindowDims(), d))
        continue;
      if (indices == numbers.getIndexVectorDim())
        ++indices;
      if (updates.getDimSize(d) % count == 0)
        return Parts{count, d, indices};
      ++indices;
    }
    return std::nullopt;
  }

  Value split(ScatterOp op, Parts parts, OperationName combiner, Attribute identity, PatternRewriter &rewriter) const {
    TensorBuilder b(op.getLoc(), rewriter);
    auto type = cast<RankedTensorType>(op.getInputs()[0].getType());
    Type element = type.getElementType();
    auto scalar = RankedTensorType::get({}, element);
    Value init = ConstantOp::create(b, scalar, DenseElementsAttr::get(scalar, identity));
    auto inParts = [&](Value value, int64_t at) {
      SmallVector<int64_t> shape(b.typeOf(value).getShape());
      shape[at] /= parts.count;
      shape.insert(shape.begin() + at, parts.count);
      return b.reshape(value, shape);
    };
    SmallVector<int64_t> shape(type.getShape());
    shape.insert(shape.begin(), parts.count);
    Value targets = b.broadcast(init, shape, {});

    auto beyond = [](ArrayRef<int64_t> dims, int64_t first) {
      return llvm::map_to_vector(dims, [&](int64_t d) { return d >= first ? d + 1 : d; });
    };
    ScatterDimensionNumbersAttr numbers = op.getScatterDimensionNumbers();
    auto partNumbers = ScatterDimensionNumbersAttr::get(
        op.getContext(), beyond(numbers.getUpdateWindowDims(), parts.updates),
        beyond(numbers.getInsertedWindowDims(), 0),
        /*input_batching_dims=*/{0}, /*scatter_indices_batching_dims=*/{parts.indices},
        beyond(numbers.getScatterDimsToOperandDims(), 0), beyond(numbers.getIndexVectorDim(), parts.indices)[0]);
    OperationState state(
        op.getLoc(), ScatterOp::getOperationName(),
        {targets, inParts(op.getScatterIndices(), parts.indices), inParts(op.getUpdates()[0], parts.updates)},
        TypeRange{targets.getType()});
    state.addAttribute("scatter_dimension_numbers", partNumbers);
    if (device && op.getIndicesAreSorted())
      state.addAttribute("indices_are_sorted", rewriter.getBoolAttr(true));
    state.addRegion();
    auto scattered = cast<ScatterOp>(b.create(state));
    buildSingleBinaryOp(b, op.getLoc(), scattered.getUpdateComputation(), combiner, element);
    auto reduced = ReduceOp::create(b, TypeRange{type}, scattered.getResults(), ValueRange{init}, ArrayRef<int64_t>{0});
    buildSingleBinaryOp(b, op.getLoc(), reduced.getBody(), combiner, element);
    return b.binary(combiner.stripDialect(), op.getInputs()[0], reduced.getResult(0));
  }

  bool device;
};

/// Whether all elements of `value` are one constant.
bool isSplat(Value value) {
  if (auto broadcast = value.getDefiningOp<BroadcastInDimOp>())
    return isSplat(broadcast.getOperand());
  auto constant = value.getDefiningOp<ConstantOp>();
  return constant && isa<SplatElementsAttr>(constant.getValue());
}

/// xla.scatter of one update into each row of a constant, at a place that is data: the gradient of a `take_along_axis`.
///
///   ->  xla.select (xla.iota == index), (constant combined with the update), constant
///
/// Where all elements are written anyway, this is elementwise code, which whoever reads them may compute.
/// On a CPU, zeros are written faster than chosen, which one row, or a product that reads them next, has nothing else
/// of.
struct ChooseByPlace : OpRewritePattern<ScatterOp> {
  ChooseByPlace(MLIRContext *context, PatternBenefit benefit, bool device)
      : OpRewritePattern(context, benefit), device(device) {}

  LogicalResult matchAndRewrite(ScatterOp op, PatternRewriter &rewriter) const override {
    ScatterDimensionNumbersAttr numbers = op.getScatterDimensionNumbers();
    if (op.getInputs().size() != 1 || !isSplat(op.getInputs()[0]))
      return failure();
    for (Type type : op->getOperandTypes())
      if (!cast<RankedTensorType>(type).hasStaticShape())
        return failure();
    Value input = op.getInputs()[0], indices = op.getScatterIndices(), updates = op.getUpdates()[0];
    RankedTensorType type = TensorBuilder::typeOf(input), ofIndices = TensorBuilder::typeOf(indices),
                     ofUpdates = TensorBuilder::typeOf(updates);
    int64_t rows = 1;
    for (int64_t dim : numbers.getInputBatchingDims())
      rows *= type.getDimSize(dim);
    if (!device && (rows == 1 || llvm::any_of(op->getUsers(), llvm::IsaPred<DotGeneralOp>)))
      return failure();
    Region &region = op.getUpdateComputation();
    Operation *combiner = getSingleBinaryOp(region);
    bool isSet = region.front().getTerminator()->getOperand(0) == region.getArgument(1);
    if (!(isa_and_nonnull<AddOp, MulOp, MaxOp, MinOp, AndOp, OrOp, XorOp>(combiner) || isSet) ||
        ofUpdates.getElementType() != type.getElementType() ||
        getElementTypeOrSelf(region.getArgument(0).getType()) != type.getElementType())
      return failure();
    int64_t vector = numbers.getIndexVectorDim();
    ArrayRef<int64_t> scattered = numbers.getScatterDimsToOperandDims(), batches = numbers.getInputBatchingDims(),
                      batchesOfIndices = numbers.getScatterIndicesBatchingDims();
    // Each row has one index vector, of places that are single elements.
    for (int64_t dim = 0; dim < ofIndices.getRank(); ++dim)
      if (dim != vector && !llvm::is_contained(batchesOfIndices, dim) && ofIndices.getDimSize(dim) != 1)
        return failure();
    SmallVector<int64_t> windows;
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      bool isInserted = llvm::is_contained(numbers.getInsertedWindowDims(), dim);
      if (llvm::is_contained(scattered, dim) != isInserted)
        return failure();
      if (!isInserted && !llvm::is_contained(batches, dim))
        windows.push_back(dim);
    }
    for (auto [dim, ofUpdate] : llvm::zip_equal(windows, numbers.getUpdateWindowDims()))
      if (type.getDimSize(dim) != ofUpdates.getDimSize(ofUpdate))
        return failure();

    // Which dimension of the rows those of index vectors and of updates are; of others there is one.
    TensorBuilder b(op.getLoc(), rewriter);
    SmallVector<int64_t> dimsOfIndices, shapeOfIndices, dimsOfUpdates, shapeOfUpdates;
    int64_t window = 0, next = 0;
    for (int64_t dim = 0; dim < ofUpdates.getRank(); ++dim) {
      int64_t to = -1;
      if (llvm::is_contained(numbers.getUpdateWindowDims(), dim)) {
        to = windows[window++];
      } else {
        next += next == vector;
        const auto *batch = llvm::find(batchesOfIndices, next);
        if (batch != batchesOfIndices.end()) {
          to = batches[batch - batchesOfIndices.begin()];
          dimsOfIndices.push_back(to);
          shapeOfIndices.push_back(ofUpdates.getDimSize(dim));
        }
        ++next;
      }
      if (to < 0)
        continue;
      dimsOfUpdates.push_back(to);
      shapeOfUpdates.push_back(ofUpdates.getDimSize(dim));
    }
    auto integer = cast<IntegerType>(ofIndices.getElementType());
    bool isNarrow = integer.getWidth() + integer.isUnsigned() <= 32;
    Type counted = isNarrow ? rewriter.getI32Type() : rewriter.getI64Type();
    if (llvm::any_of(scattered, [&](int64_t dim) { return !llvm::isInt<31>(type.getDimSize(dim)); }))
      return failure();
    // `value` of that shape, whose dimensions are those of the array, all along the others.
    auto spread = [&](Value value, ArrayRef<int64_t> shape, ArrayRef<int64_t> dims) {
      auto order = llvm::to_vector(llvm::seq<int64_t>(0, dims.size()));
      llvm::sort(order, [&](int64_t x, int64_t y) { return dims[x] < dims[y]; });
      SmallVector<int64_t> sorted(dims);
      llvm::sort(sorted);
      return b.broadcast(b.transpose(b.reshape(value, shape), order), type.getShape(), sorted);
    };
    Value isThere;
    for (auto [number, dim] : llvm::enumerate(scattered)) {
      Value index = indices;
      if (vector < ofIndices.getRank()) {
        SmallVector<int64_t> from(ofIndices.getRank(), 0), to(ofIndices.getShape()), steps(ofIndices.getRank(), 1);
        from[vector] = static_cast<int64_t>(number);
        to[vector] = from[vector] + 1;
        SmallVector<int64_t> shape(ofIndices.getShape());
        shape[vector] = 1;
        index = SliceOp::create(b, ofIndices.clone(shape), index, from, to, steps);
      }
      Value places = IotaOp::create(b, type.clone(counted), dim);
      Value isHere =
          b.compare(ComparisonDirection::EQ, places, spread(b.convert(index, counted), shapeOfIndices, dimsOfIndices));
      isThere = isThere ? b.binary("and", isThere, isHere) : isHere;
    }
    Value update = spread(updates, shapeOfUpdates, dimsOfUpdates);
    if (combiner)
      update = b.binary(combiner->getName().stripDialect(), input, update);
    rewriter.replaceOp(op, isThere ? b.select(isThere, update, input) : update);
    return success();
  }

  bool device;
};

} // namespace

void mlir::xla::populateScatterPatterns(RewritePatternSet &patterns, bool device) {
  patterns.add<SplitScatter>(patterns.getContext(), device);
  patterns.add<ChooseByPlace>(patterns.getContext(), /*benefit=*/2, device);
}
