// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-flatten-convolutions`: convolutions of narrow numbers, and of floats with large kernels, become products of
// matrices, whose rows are computed from pixels and never stored: tiles pack a block of them at a time
// (docs/design/convolutions.md).

#include "mlir_xla/lowering/Machine.h"
#include "mlir_xla/lowering/kernels/Convolutions.h"
#include "mlir_xla/lowering/kernels/Passes.h"
#include "mlir_xla/lowering/kernels/Readers.h"
#include "mlir_xla/lowering/kernels/TiledProducts.h"
#include "mlir_xla/lowering/kernels/Windows.h"
#include "mlir_xla/lowering/nest/Contraction.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::xla {
#define GEN_PASS_DEF_FLATTENCONVOLUTIONS
#include "mlir_xla/lowering/kernels/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;
using namespace mlir::xla;

namespace {
/// A convolution of one group that reads images x pixels x channels or images x channels x pixels, and has its results
/// in the same order. The kernel is in any order if channels are first, else features are its last or first dimension.
struct Images : Convolution {
  bool channelsLast = true;
  bool featuresFirst = false; // of a kernel with channels last, whose window and channels are neighbours either way

  explicit Images(Convolution convolution) : Convolution(std::move(convolution)) {}
  int64_t channelPlace() const { return channelsLast ? static_cast<int64_t>(places.size()) - 1 : 1; }
  int64_t channels() const { return sizes[places[channelPlace()].step]; }
  int64_t features() const { return sizes[feature]; }
  ArrayRef<Place> pixels() const { return ArrayRef(places).slice(channelsLast ? 1 : 2, places.size() - 2); }
  int64_t windowOf(const Place &pixel) const { return pixel.step < 0 ? 1 : sizes[pixel.step]; }

  /// Steps of the window along the last dimension of the image, and their channels, are neighbours in memory.
  int64_t ofRow() const { return windowOf(pixels().back()) * channels(); }
  /// Unless there are pixels between them.
  bool isDilatedAlongRow() const { return windowOf(pixels().back()) > 1 && pixels().back().dilation != 1; }
};
} // namespace

static std::optional<Images> matchImages(linalg::GenericOp op) {
  std::optional<Convolution> convolution = matchConvolution(op);
  if (!convolution || convolution->image != 0 || convolution->group >= 0)
    return std::nullopt;
  Images found(std::move(*convolution));
  MLIRContext *context = op.getContext();
  unsigned loops = op.getNumLoops(), rank = found.places.size();
  if (op.getIndexingMapsArray()[2] != AffineMap::getMultiDimIdentityMap(loops, context).getMajorSubMap(rank) ||
      found.feature == 0)
    return std::nullopt;
  // Features take the place of channels.
  for (auto [dim, place] : llvm::enumerate(found.places)) {
    bool hasLoop = static_cast<int64_t>(dim) == (place.row < 0 ? found.feature : place.row);
    if (!hasLoop || (place.row < 0 && (place.step < 0 || place.dilation != 1)))
      return std::nullopt;
  }
  const Place &image = found.places.front();
  found.channelsLast = found.feature == rank - 1;
  if (image.step >= 0 || image.stride != 1 || (!found.channelsLast && found.feature != 1))
    return std::nullopt;
  AffineMap kernel = found.kernelMap();
  if (!found.channelsLast) {
    // Each dimension of the image has a loop of the window to itself.
    bool hasWindows = llvm::all_of(found.pixels(), [](const Place &place) { return place.isPixel(); });
    return hasWindows && kernel.getNumResults() == rank ? std::optional(std::move(found)) : std::nullopt;
  }
  SmallVector<AffineExpr> read;
  for (const Place &place : ArrayRef(found.places).drop_front())
    read.push_back(place.step >= 0 ? getAffineDimExpr(place.step, context) : getAffineConstantExpr(0, context));
  AffineExpr feature = getAffineDimExpr(found.feature, context);
  found.featuresFirst = kernel.getResult(0) == feature;
  read.insert(found.featuresFirst ? read.begin() : read.end(), feature);
  return kernel.getResults() == ArrayRef(read) ? std::optional(std::move(found)) : std::nullopt;
}

/// Is it the kernel of a convolution of floats that takes the time to read? A nest walks all of it for each row of
/// pixels, a few features at a time: each step is far from the one before, or there are too few pixels for so much.
static bool readsLargeKernel(const Images &convolution, const Machine &machine) {
  constexpr int64_t fewPixels = 1024;
  linalg::GenericOp op = convolution.op;
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  if ((!element.isF32() && !element.isF64()) || convolution.featuresFirst ||
      llvm::any_of(op->getOperands().take_front(2), [&](Value each) { return getElementTypeOrSelf(each) != element; }))
    return false;
  auto kernel = cast<RankedTensorType>(op->getOperand(1).getType());
  int64_t bytes = convolution.elementBytes;
  return kernel.getNumElements() * bytes > 2 * machine.l2Bytes && convolution.features() > machine.panelColumns() &&
         (convolution.productOf(convolution.rows) <= fewPixels || convolution.features() * bytes >= machine.farApart());
}

/// convolution(images x channels x pixels, kernel) -> images x features x pixels
///   ->  copy(convolution(copy(image), copy(kernel)))
///
/// The same convolution of copies in which channels are last, whose kernel is read once for many pixels.
static void putChannelsLast(const Images &convolution) {
  linalg::GenericOp op = convolution.op;
  OpBuilder b(op);
  Location loc = op.getLoc();
  unsigned loops = op.getNumLoops(), rank = convolution.places.size();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  // Which dimensions become those of copies, in order.
  SmallVector<unsigned> ofImage{0}, ofKernel, ofResults{0, rank - 1};
  for (unsigned dim = 2; dim < rank; ++dim)
    ofImage.push_back(dim);
  ofImage.push_back(1);
  auto addToKernel = [&](int64_t loop) { ofKernel.push_back(*maps[1].getResultPosition(b.getAffineDimExpr(loop))); };
  for (const Place &place : convolution.pixels())
    addToKernel(place.step);
  addToKernel(convolution.places[1].step);
  addToKernel(convolution.feature);
  for (unsigned dim = 1; dim + 1 < rank; ++dim)
    ofResults.push_back(dim);

  // Loops of results are in the order of their dimensions.
  SmallVector<AffineExpr> renamed(loops);
  SmallVector<int64_t> shape;
  for (unsigned loop = 0; loop < loops; ++loop)
    renamed[loop < rank ? ofImage[loop] : loop] = b.getAffineDimExpr(loop);
  for (unsigned loop : ofImage)
    shape.push_back(convolution.sizes[loop]);
  auto mapOf = [&](AffineMap map, ArrayRef<unsigned> order) {
    SmallVector<AffineExpr> exprs =
        llvm::map_to_vector(order, [&](unsigned dim) { return map.getResult(dim).replaceDims(renamed); });
    return AffineMap::get(loops, 0, exprs, b.getContext());
  };
  AffineMap last[] = {mapOf(maps[0], ofImage), mapOf(maps[1], ofKernel), mapOf(maps[2], ofImage)};

  Value image = copyOf(b, loc, op->getOperand(0), ofImage);
  Value kernel = copyOf(b, loc, op->getOperand(1), ofKernel);
  auto fill = op.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  Value empty = tensor::EmptyOp::create(b, loc, shape, getElementTypeOrSelf(op->getResult(0)));
  Value init = linalg::FillOp::create(b, loc, fill.getInputs(), empty).getResult(0);
  auto sums = linalg::GenericOp::create(b, loc, init.getType(), ValueRange{image, kernel}, init, last,
                                        op.getIteratorTypesArray());
  IRMapping mapping;
  op.getRegion().cloneInto(&sums.getRegion(), mapping);
  sums->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  op->getResult(0).replaceAllUsesWith(copyOf(b, loc, sums.getResult(0), ofResults));
  op.erase();
}

/// Whether rows of the window are whole vectors that tiles copy, and all is work for tiles.
static bool isWorthIt(const Images &convolution, const Machine &machine) {
  constexpr int64_t fewProducts = 1 << 16, leastBytes = 32, leastRows = 4;
  // Kernels along k are read 32 bits at a time, which two bytes are not.
  if (convolution.featuresFirst && convolution.elementBytes == 1 && !machine.hasVpdpbusd && !machine.hasTdpbssd)
    return false;
  int64_t rows = convolution.productOf(convolution.rows), steps = convolution.productOf(convolution.steps);
  // Steps are found by one division.
  int64_t windowRows = llvm::count_if(convolution.pixels().drop_back(),
                                      [&](const Place &each) { return convolution.windowOf(each) > 1; });
  // Neighbours in memory are the channels of one pixel where a window is dilated along the row.
  int64_t neighbours = convolution.isDilatedAlongRow() ? convolution.channels() : convolution.ofRow();
  return steps > convolution.channels() && windowRows <= 1 && neighbours * convolution.elementBytes % leastBytes == 0 &&
         2 * convolution.features() >= machine.lanes(32) && rows >= leastRows &&
         rows * steps * convolution.features() >= fewProducts;
}

/// Is a product of matrices worth copies? Channels of a pixel are whole vectors then.
static bool wantsChannelsLast(const Images &convolution, const Machine &machine) {
  constexpr int64_t vectorBytes = 32;
  linalg::GenericOp op = convolution.op;
  return !convolution.channelsLast && op.getDpsInits()[0].getDefiningOp<linalg::FillOp>() &&
         convolution.channels() * convolution.elementBytes % vectorBytes == 0 &&
         readsLargeKernel(convolution, machine) && isWorthIt(convolution, machine);
}

/// Do tiles read the padding of the image while they pack it? The channels of a pixel are whole vectors then, of which
/// all lanes are inside of the image or outside.
static bool packsPadding(const Images &convolution) {
  constexpr int64_t vectorBytes = 32;
  Value image = convolution.op->getOperand(0);
  auto padding = image.getDefiningOp<linalg::GenericOp>();
  return padding && image.hasOneUse() && isPaddingOfPixels(padding) &&
         convolution.channels() * convolution.elementBytes % vectorBytes == 0;
}

/// convolution(images x pixels x channels, window x channels x features)
///   ->  product((images x pixels) x (window x channels), (window x channels) x features)
///
/// Pixels of a row and their channels are one dimension of the image, unless it is padding, which keeps its dimensions
/// so that it can be read in place.
static void flatten(const Images &convolution) {
  linalg::GenericOp op = convolution.op;
  OpBuilder b(op);
  Location loc = op.getLoc();
  MLIRContext *context = op.getContext();
  int64_t ofRow = convolution.ofRow(), channels = convolution.channels(), rank = convolution.places.size();
  auto all = [](int64_t first, int64_t last) { return llvm::to_vector(llvm::seq(first, last)); };

  bool isPadded = packsPadding(convolution);
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
  bool isOneRow = llvm::all_of(convolution.pixels().drop_back(),
                               [&](const Place &each) { return convolution.windowOf(each) == 1; });
  if (isPadded)
    places.push_back(k % channels);
  for (auto [i, each] : llvm::enumerate(llvm::reverse(convolution.pixels()))) {
    bool isLast = i == 0;
    int64_t results = convolution.sizes[each.row], window = convolution.windowOf(each);
    AffineExpr place = rest % results * each.stride * (isLast && !isPadded ? channels : 1);
    rest = rest.floorDiv(results);
    // Steps within a row of the window, as quotients of k itself: lanes have their values in common.
    if (isLast && isPadded) {
      if (window > 1)
        place = place + k.floorDiv(channels) * each.dilation;
      if (window > 1 && !isOneRow)
        place = place - k.floorDiv(ofRow) * (window * each.dilation);
    } else if (isLast && convolution.isDilatedAlongRow()) {
      // What lies between a pixel and the next is left out.
      place = place + k + k.floorDiv(channels) * ((each.dilation - 1) * channels);
      if (!isOneRow)
        place = place - k.floorDiv(ofRow) * (window * each.dilation * channels);
    } else if (isLast) {
      place = place + (isOneRow ? k : k % ofRow);
    } else if (window > 1) {
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
    SmallVector<Images, 0> channelsFirst;
    getOperation().walk([&](linalg::GenericOp op) {
      if (std::optional<Images> found = matchImages(op); found && wantsChannelsLast(*found, machine))
        channelsFirst.push_back(std::move(*found));
    });
    for (const Images &convolution : channelsFirst)
      putChannelsLast(convolution);
    // What is computed of results is replaced, too, so convolutions are found before.
    SmallVector<Images, 0> convolutions;
    getOperation().walk([&](linalg::GenericOp op) {
      std::optional<Images> found = matchImages(op);
      if (found && found->channelsLast && (isForInstructions(op, machine) || readsLargeKernel(*found, machine)) &&
          isWorthIt(*found, machine))
        convolutions.push_back(std::move(*found));
    });
    for (const Images &convolution : convolutions)
      flatten(convolution);
  }
};
} // namespace
