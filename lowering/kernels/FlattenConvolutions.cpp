// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-flatten-convolutions`: convolutions of narrow numbers, and of floats with large kernels, become products of
// matrices, whose rows are computed from pixels and never stored: tiles pack a block of them at a time
// (docs/design/convolutions.md).

#include "mlir_xla/lowering/Machine.h"
#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/kernels/ArrangeConvolutions.h"
#include "mlir_xla/lowering/kernels/Passes.h"
#include "mlir_xla/lowering/kernels/Readers.h"
#include "mlir_xla/lowering/kernels/TiledProducts.h"
#include "mlir_xla/lowering/kernels/Windows.h"
#include "mlir_xla/lowering/nest/Contraction.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::xla {
#define GEN_PASS_DEF_FLATTENCONVOLUTIONS
#include "mlir_xla/lowering/kernels/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;
using namespace mlir::xla;

namespace {
/// A dimension of the image: results are `stride` pixels apart, and steps of the window `dilation`.
struct Pixels {
  int64_t results = 1, stride = 1, window = 1, dilation = 1;
};

/// A convolution with channels last: images x pixels x channels.
struct Convolution {
  int64_t images, channels, features;
  SmallVector<Pixels, 3> pixels;
  bool featuresFirst; // of the kernel, whose window and channels are next to each other either way

  /// Steps of the window along the last dimension of the image, and their channels, are neighbours in memory.
  int64_t ofRow() const { return pixels.back().window * channels; }
  /// Unless there are pixels between them.
  bool isDilatedAlongRow() const { return pixels.back().window > 1 && pixels.back().dilation != 1; }
};
} // namespace

/// Coefficients of the loops in `expr`, if it is a sum of them.
static std::optional<SmallVector<int64_t>> coefficientsOf(AffineExpr expr, unsigned loops) {
  SmallVector<int64_t> flat;
  if (failed(getFlattenedAffineExpr(expr, loops, 0, &flat)) || flat.size() != loops + 1 || flat.back() != 0)
    return std::nullopt;
  flat.pop_back();
  return flat;
}

/// `maps` of image, kernel and results; `ranges` of all loops, of which those of the results are the first.
static std::optional<Convolution> matchConvolution(ArrayRef<AffineMap> maps, ArrayRef<int64_t> ranges) {
  unsigned loops = ranges.size(), rank = maps[0].getNumResults(), spatial = rank - 2;
  MLIRContext *context = maps[0].getContext();
  if (rank < 3 || loops < rank || maps[2].getNumResults() != rank ||
      maps[2] != AffineMap::getMultiDimIdentityMap(loops, context).getMajorSubMap(rank))
    return std::nullopt;
  Convolution found;
  found.images = ranges[0];
  found.features = ranges[rank - 1];
  auto isLoop = [](AffineExpr expr, unsigned loop) { return expr == getAffineDimExpr(loop, expr.getContext()); };
  auto channel = dyn_cast<AffineDimExpr>(maps[0].getResults().back());
  if (!isLoop(maps[0].getResult(0), 0) || !channel || channel.getPosition() < rank)
    return std::nullopt;
  found.channels = ranges[channel.getPosition()];
  SmallVector<AffineExpr> kernel;
  unsigned windows = 0;
  for (unsigned dim = 1; dim <= spatial; ++dim) {
    std::optional<SmallVector<int64_t>> coefficients = coefficientsOf(maps[0].getResult(dim), loops);
    if (!coefficients)
      return std::nullopt;
    Pixels pixels;
    pixels.results = ranges[dim];
    pixels.stride = std::exchange((*coefficients)[dim], 0);
    auto window = llvm::find_if(*coefficients, [](int64_t each) { return each != 0; });
    bool hasWindow = window != coefficients->end();
    unsigned loop = window - coefficients->begin();
    if (pixels.stride <= 0 || (hasWindow && (*window <= 0 || loop < rank || loop == channel.getPosition())))
      return std::nullopt;
    if (hasWindow) {
      pixels.window = ranges[loop];
      pixels.dilation = std::exchange(*window, 0);
    }
    if (llvm::any_of(*coefficients, [](int64_t each) { return each != 0; }))
      return std::nullopt;
    kernel.push_back(hasWindow ? getAffineDimExpr(loop, context) : getAffineConstantExpr(0, context));
    windows += hasWindow;
    found.pixels.push_back(pixels);
  }
  if (loops != rank + windows + 1)
    return std::nullopt;
  kernel.push_back(channel);
  AffineExpr feature = getAffineDimExpr(rank - 1, context);
  found.featuresFirst = isLoop(maps[1].getResult(0), rank - 1);
  kernel.insert(found.featuresFirst ? kernel.begin() : kernel.end(), feature);
  if (maps[1].getResults() != ArrayRef<AffineExpr>(kernel))
    return std::nullopt;
  return found;
}

/// Is it the kernel of a convolution of floats that takes the time to read? A nest walks all of it for each row of
/// pixels, a few features at a time: each step is far from the one before, or there are too few pixels for so much.
static bool readsLargeKernel(linalg::GenericOp op, const Convolution &convolution, const Machine &machine) {
  constexpr int64_t fewPixels = 1024;
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  if ((!element.isF32() && !element.isF64()) || convolution.featuresFirst ||
      llvm::any_of(op->getOperands().take_front(2), [&](Value each) { return getElementTypeOrSelf(each) != element; }))
    return false;
  auto kernel = cast<RankedTensorType>(op->getOperand(1).getType());
  int64_t bytes = elementStorageBytes(element), pixels = convolution.images;
  for (const Pixels &each : convolution.pixels)
    pixels *= each.results;
  return kernel.getNumElements() * bytes > 2 * machine.l2Bytes && convolution.features > machine.panelColumns() &&
         (pixels <= fewPixels || convolution.features * bytes >= machine.farApart());
}

namespace {
/// A convolution whose channels and features are the second dimensions of image and results, with channels last: which
/// dimensions of operands and results become those of copies, in order, and the maps and ranges that are left then.
struct ChannelsLast {
  SmallVector<unsigned, 5> ofImage, ofKernel, ofResults;
  SmallVector<AffineMap, 3> maps;
  SmallVector<int64_t> ranges;
};
} // namespace

/// Nothing where a dimension of the image has no loop of the window to itself.
static std::optional<ChannelsLast> matchChannelsFirst(linalg::GenericOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  unsigned loops = op.getNumLoops(), rank = maps[2].getNumResults();
  MLIRContext *context = op.getContext();
  if (rank < 3 || loops != 2 * rank - 1 || op.getNumParallelLoops() != rank ||
      maps[2] != AffineMap::getMultiDimIdentityMap(loops, context).getMajorSubMap(rank) ||
      maps[0].getNumResults() != rank || maps[1].getNumResults() != rank || !maps[1].isProjectedPermutation() ||
      !op.getDpsInits()[0].getDefiningOp<linalg::FillOp>())
    return std::nullopt;
  auto channel = dyn_cast<AffineDimExpr>(maps[0].getResult(1));
  if (!channel || channel.getPosition() < rank)
    return std::nullopt;
  ChannelsLast found;
  SmallVector<unsigned> loopsOfKernel;
  found.ofImage.push_back(0);
  for (unsigned dim = 2; dim < rank; ++dim) {
    found.ofImage.push_back(dim);
    for (unsigned loop = rank; loop < loops; ++loop)
      if (maps[0].getResult(dim).isFunctionOfDim(loop))
        loopsOfKernel.push_back(loop);
  }
  found.ofImage.push_back(1);
  loopsOfKernel.append({channel.getPosition(), 1});
  for (unsigned loop : loopsOfKernel) {
    std::optional<unsigned> position = maps[1].getResultPosition(getAffineDimExpr(loop, context));
    if (!position || llvm::is_contained(found.ofKernel, *position))
      return std::nullopt;
    found.ofKernel.push_back(*position);
  }
  if (found.ofKernel.size() != rank)
    return std::nullopt;
  found.ofResults = {0, rank - 1};
  for (unsigned dim = 1; dim + 1 < rank; ++dim)
    found.ofResults.push_back(dim);

  // Loops of results are in the order of the dimensions of these.
  SmallVector<AffineExpr> renamed(loops);
  found.ranges = op.getStaticLoopRanges();
  SmallVector<int64_t> ranges = found.ranges;
  for (unsigned loop = 0; loop < loops; ++loop) {
    unsigned old = loop < rank ? found.ofImage[loop] : loop;
    renamed[old] = getAffineDimExpr(loop, context);
    found.ranges[loop] = ranges[old];
  }
  auto mapOf = [&](AffineMap map, ArrayRef<unsigned> order) {
    SmallVector<AffineExpr> exprs =
        llvm::map_to_vector(order, [&](unsigned dim) { return map.getResult(dim).replaceDims(renamed); });
    return AffineMap::get(loops, 0, exprs, context);
  };
  found.maps = {mapOf(maps[0], found.ofImage), mapOf(maps[1], found.ofKernel), mapOf(maps[2], found.ofImage)};
  return found;
}

/// The same convolution of copies in which channels are last, whose kernel is read once for many pixels. What takes
/// its place is the result, copied back.
static void putChannelsLast(linalg::GenericOp op, const ChannelsLast &last) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  Value image = copyOf(b, loc, op->getOperand(0), last.ofImage);
  Value kernel = copyOf(b, loc, op->getOperand(1), last.ofKernel);
  auto fill = op.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  ArrayRef<int64_t> shape = ArrayRef(last.ranges).take_front(last.ofImage.size());
  Value empty = tensor::EmptyOp::create(b, loc, shape, getElementTypeOrSelf(op->getResult(0)));
  Value init = linalg::FillOp::create(b, loc, fill.getInputs(), empty).getResult(0);
  auto sums = linalg::GenericOp::create(b, loc, init.getType(), ValueRange{image, kernel}, init, last.maps,
                                        op.getIteratorTypesArray());
  IRMapping mapping;
  op.getRegion().cloneInto(&sums.getRegion(), mapping);
  sums->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  op->getResult(0).replaceAllUsesWith(copyOf(b, loc, sums.getResult(0), last.ofResults));
  op.erase();
}

/// Whether rows of the window are whole vectors that tiles copy, and all is work for tiles.
static bool isWorthIt(const Convolution &convolution, int64_t elementBytes, const Machine &machine) {
  constexpr int64_t fewProducts = 1 << 16, leastBytes = 32, leastRows = 4;
  // Kernels along k are read 32 bits at a time, which two bytes are not.
  if (convolution.featuresFirst && elementBytes == 1 && !machine.hasVpdpbusd && !machine.hasTdpbssd)
    return false;
  int64_t rows = convolution.images, steps = convolution.channels, windowRows = 0, windows = 1;
  for (const Pixels &each : convolution.pixels) {
    rows *= each.results;
    steps *= each.window;
    windows *= each.window;
  }
  // Steps are found by one division.
  for (const Pixels &each : ArrayRef(convolution.pixels).drop_back())
    windowRows += each.window > 1;
  // Neighbours in memory are the channels of one pixel where a window is dilated along the row.
  int64_t neighbours = convolution.isDilatedAlongRow() ? convolution.channels : convolution.ofRow();
  return windows > 1 && windowRows <= 1 && neighbours * elementBytes % leastBytes == 0 &&
         2 * convolution.features >= machine.lanes(32) && rows >= leastRows &&
         rows * steps * convolution.features >= fewProducts;
}

/// Is a product of matrices worth copies? Channels of a pixel are whole vectors then.
static bool wantsChannelsLast(linalg::GenericOp op, const ChannelsLast &last, const Machine &machine) {
  constexpr int64_t vectorBytes = 32;
  std::optional<Convolution> convolution = matchConvolution(last.maps, last.ranges);
  int64_t bytes = elementStorageBytes(getElementTypeOrSelf(op->getResult(0)));
  return convolution && convolution->channels * bytes % vectorBytes == 0 &&
         readsLargeKernel(op, *convolution, machine) && isWorthIt(*convolution, bytes, machine);
}

/// Do tiles read the padding of the image while they pack it? The channels of a pixel are whole vectors then, of which
/// all lanes are inside of the image or outside.
static bool packsPadding(linalg::GenericOp op, const Convolution &convolution) {
  constexpr int64_t vectorBytes = 32;
  Value image = op->getOperand(0);
  auto padding = image.getDefiningOp<linalg::GenericOp>();
  return padding && image.hasOneUse() && isPaddingOfPixels(padding) &&
         convolution.channels * elementStorageBytes(getElementTypeOrSelf(image)) % vectorBytes == 0;
}

/// convolution(images x pixels x channels, window x channels x features)
///   ->  product((images x pixels) x (window x channels), (window x channels) x features)
///
/// Pixels of a row and their channels are one dimension of the image, unless it is padding, which keeps its dimensions
/// so that it can be read in place.
static void flatten(linalg::GenericOp op, const Convolution &convolution) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  MLIRContext *context = op.getContext();
  int64_t ofRow = convolution.ofRow(), rank = static_cast<int64_t>(convolution.pixels.size()) + 2;
  auto all = [](int64_t first, int64_t last) { return llvm::to_vector(llvm::seq(first, last)); };

  bool isPadded = packsPadding(op, convolution);
  Value image = op->getOperand(0);
  if (!isPadded) {
    SmallVector<ReassociationIndices> groups;
    for (int64_t dim = 0; dim < rank - 2; ++dim)
      groups.push_back({dim});
    groups.push_back({rank - 2, rank - 1});
    image = tensor::CollapseShapeOp::create(b, loc, image, groups);
  }
  SmallVector<ReassociationIndices> ofKernel{all(0, rank - 1), {rank - 1}}, ofResults = ofKernel;
  if (convolution.featuresFirst)
    ofKernel = {{0}, all(1, rank)};
  Value kernel = tensor::CollapseShapeOp::create(b, loc, op->getOperand(1), ofKernel);
  Value init = op.getDpsInits()[0];
  if (auto fill = init.getDefiningOp<linalg::FillOp>()) {
    auto type = tensor::CollapseShapeOp::inferCollapsedType(cast<RankedTensorType>(init.getType()), ofResults);
    Value empty = tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType());
    init = linalg::FillOp::create(b, loc, fill.getInputs(), empty).getResult(0);
  } else {
    init = tensor::CollapseShapeOp::create(b, loc, init, ofResults);
  }

  AffineExpr m = getAffineDimExpr(0, context), n = getAffineDimExpr(1, context), k = getAffineDimExpr(2, context);
  SmallVector<AffineExpr> places;
  AffineExpr rest = m;
  bool isOneRow = llvm::all_of(ArrayRef(convolution.pixels).drop_back(), [](auto &each) { return each.window == 1; });
  if (isPadded)
    places.push_back(k % convolution.channels);
  for (auto [i, each] : llvm::enumerate(llvm::reverse(convolution.pixels))) {
    bool isLast = i == 0;
    AffineExpr place = rest % each.results * each.stride * (isLast && !isPadded ? convolution.channels : 1);
    rest = rest.floorDiv(each.results);
    // Steps within a row of the window, as quotients of k itself: lanes have their values in common.
    if (isLast && isPadded) {
      if (each.window > 1)
        place = place + k.floorDiv(convolution.channels) * each.dilation;
      if (each.window > 1 && !isOneRow)
        place = place - k.floorDiv(ofRow) * (each.window * each.dilation);
    } else if (isLast && convolution.isDilatedAlongRow()) {
      // What lies between a pixel and the next is left out.
      place = place + k + k.floorDiv(convolution.channels) * ((each.dilation - 1) * convolution.channels);
      if (!isOneRow)
        place = place - k.floorDiv(ofRow) * (each.window * each.dilation * convolution.channels);
    } else if (isLast) {
      place = place + (isOneRow ? k : k % ofRow);
    } else if (each.window > 1) {
      place = place + k.floorDiv(ofRow) * each.dilation;
    }
    places.push_back(place);
  }
  places.push_back(rest);
  std::reverse(places.begin(), places.end());
  AffineMap maps[] = {AffineMap::get(3, 0, places, context),
                      AffineMap::get(3, 0, convolution.featuresFirst ? ArrayRef{n, k} : ArrayRef{k, n}, context),
                      AffineMap::get(3, 0, {m, n}, context)};
  utils::IteratorType kinds[] = {utils::IteratorType::parallel, utils::IteratorType::parallel,
                                 utils::IteratorType::reduction};
  auto product = linalg::GenericOp::create(b, loc, init.getType(), ValueRange{image, kernel}, init, maps, kinds);
  IRMapping mapping;
  op.getRegion().cloneInto(&product.getRegion(), mapping);
  product->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Value results = tensor::ExpandShapeOp::create(b, loc, type, product.getResult(0), ofResults);
  op->getResult(0).replaceAllUsesWith(results);
  op.erase();
  flattenReaders(results, ofResults);
}

namespace {
struct FlattenConvolutionsPass : public mlir::xla::impl::FlattenConvolutionsBase<FlattenConvolutionsPass> {
  using FlattenConvolutionsBase::FlattenConvolutionsBase;
  LogicalResult initialize(MLIRContext *context) override {
    return Machine::checkVectors(vectorBits, context, instructions);
  }
  void runOnOperation() override {
    Machine machine = Machine::withVectors(vectorBits, instructions);
    arrangeConvolutions(getOperation(), machine);
    SmallVector<std::pair<linalg::GenericOp, ChannelsLast>, 0> channelsFirst;
    getOperation().walk([&](linalg::GenericOp op) {
      std::optional<ChannelsLast> last = isSumOfProducts(op) ? matchChannelsFirst(op) : std::nullopt;
      if (last && wantsChannelsLast(op, *last, machine))
        channelsFirst.emplace_back(op, std::move(*last));
    });
    for (const auto &[op, last] : channelsFirst)
      putChannelsLast(op, last);
    // What is computed of results is replaced, too, so convolutions are found before.
    SmallVector<std::pair<linalg::GenericOp, Convolution>> convolutions;
    getOperation().walk([&](linalg::GenericOp op) {
      if (!isSumOfProducts(op))
        return;
      std::optional<Convolution> convolution = matchConvolution(op.getIndexingMapsArray(), op.getStaticLoopRanges());
      if (!convolution || (!isForInstructions(op, machine) && !readsLargeKernel(op, *convolution, machine)))
        return;
      int64_t bytes = op.getBody()->getArgument(0).getType().getIntOrFloatBitWidth() / 8;
      if (isWorthIt(*convolution, bytes, machine))
        convolutions.emplace_back(op, *convolution);
    });
    for (const auto &[op, convolution] : convolutions)
      flatten(op, convolution);
  }
};
} // namespace
