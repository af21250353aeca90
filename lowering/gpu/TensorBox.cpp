// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Factors as tensors of the accelerator. Of a matrix, or a batch of them, boxes come. Of what a convolution reads,
// pixels do: rows of m are results, which are numbered as the accelerator counts pixels, and steps of k are places in
// the window and channels.

#include "mlir_xla/lowering/gpu/TensorBox.h"

#include "mlir_xla/lowering/gpu/BlockPlan.h"
#include "mlir_xla/lowering/nest/LoopNest.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cstdlib>
#include <numeric>

using namespace mlir;
using namespace mlir::xla;

/// What the documentation of cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col allows.
static constexpr int64_t kMostRank = 5, kUnit = 16, kLongestBox = 256, kLongestStep = 8;

namespace {
class BoxFinder {
public:
  BoxFinder(const LoopNest &nest, const BlockPanel &panel, const BlockDim &own, const BlockDim &k,
            ArrayRef<int64_t> work, int64_t sharedBy, std::string &reason)
      : nest(nest), panel(panel), own(own), k(k), work(work), sharedBy(sharedBy), reason(reason) {}
  FailureOr<TensorBox> run();

private:
  LogicalResult fail(const Twine &why) {
    reason = why.str();
    return failure();
  }
  const Address &address() const { return panel.read->address; }
  bool isWindow(int64_t dim) const;
  LogicalResult findTiles();
  LogicalResult findPixels();
  LogicalResult leaveOutPadding(ExprNode *isInside);
  LogicalResult placeWindow(int64_t window);
  int64_t farthest() const;
  LogicalResult splitChannels();
  LogicalResult checkStrides();

  const LoopNest &nest;
  const BlockPanel &panel;
  const BlockDim &own, &k;
  ArrayRef<int64_t> work;
  int64_t sharedBy;
  std::string &reason;
  TensorBox box;
};
} // namespace

/// Does the factor move along a reduced dimension as results do, so that the same elements are read for several?
bool BoxFinder::isWindow(int64_t dim) const {
  int64_t apart = std::abs(address().dims[dim]);
  return panel.alongK && dim != k.innermost() && apart != 0 && llvm::any_of(own.dims, [&](int64_t result) {
           int64_t results = address().dims[result];
           return apart < results * nest.sizes[result] && results < apart * nest.sizes[dim];
         });
}

LogicalResult BoxFinder::findTiles() {
  int64_t inner = panel.alongK ? k.innermost() : own.innermost(), bytes = panel.elementBytes;
  auto push = [&](int64_t dim, int64_t size) {
    TensorDim &next = box.dims.emplace_back();
    next.dim = dim;
    next.size = nest.sizes[dim];
    next.stride = dim == inner ? 1 : address().dims[dim];
    next.box = size;
    next.isBackwards = next.stride < 0;
    if (next.isBackwards) {
      box.offset += next.stride * (next.size - 1);
      next.stride = -next.stride;
    }
  };
  int64_t neighbours = BlocksPlan::kLine / bytes;
  push(inner, neighbours);
  push(panel.alongK ? own.innermost() : k.innermost(),
       panel.alongK ? std::min(kLongestBox, own.tile / sharedBy) : k.tile);
  if (const TensorDim &lines = box.dims[1]; lines.isBackwards && lines.box > 1)
    return fail("lines of a factor follow each other backwards along d" + Twine(lines.dim));
  box.count = own.tile / (panel.alongK ? box.dims[1].box : neighbours);
  for (int64_t dim : ArrayRef(k.dims).drop_back())
    push(dim, 1);
  for (int64_t dim : work)
    if (address().dims[dim] != 0)
      push(dim, 1);
  return success();
}

/// Offsets of a window have 16, 8 or 5 bits, and corners as many with a sign.
int64_t BoxFinder::farthest() const {
  size_t rank = box.dims.size();
  return (rank == 3 ? 1 << 15 : rank == 4 ? 1 << 7 : 1 << 4) - 1;
}

/// Finds the dimension of pixels along which `window` moves: its steps and those of results are some pixels each.
LogicalResult BoxFinder::placeWindow(int64_t window) {
  int64_t apart = address().dims[window];
  for (TensorDim &pixels : llvm::reverse(MutableArrayRef(box.dims).drop_front().drop_back())) {
    int64_t results = pixels.stride * pixels.step, unit = std::gcd(results, std::abs(apart));
    int64_t step = std::abs(apart) / unit, reach = (nest.sizes[window] - 1) * step;
    if (pixels.window >= 0 || results / unit > kLongestStep || reach > farthest())
      continue;
    pixels.stride = unit;
    pixels.step = results / unit;
    pixels.window = window;
    pixels.windowStep = step;
    pixels.isBackwards = apart < 0;
    pixels.reach = reach;
    if (apart < 0)
      box.offset += apart * (nest.sizes[window] - 1);
    return success();
  }
  return fail("the window along d" + Twine(window) + " moves along no dimension of the results");
}

/// A window that moves along channels and pixels at once, as both are next to each other in memory.
LogicalResult BoxFinder::splitChannels() {
  TensorDim &channels = box.dims[0], &pixels = box.dims[1];
  if (channels.size <= pixels.stride * pixels.step)
    return success();
  int64_t ofPixel = std::gcd(pixels.stride, channels.size), reach = channels.size / ofPixel - 1;
  if (pixels.window >= 0 || pixels.stride / ofPixel > kLongestStep || reach > farthest())
    return fail("results along d" + Twine(pixels.dim) + " read what lies between pixels");
  pixels.step = pixels.stride / ofPixel;
  pixels.stride = ofPixel;
  pixels.window = channels.dim;
  pixels.windowPart = ofPixel;
  pixels.reach = reach;
  channels.size = ofPixel;
  return success();
}

LogicalResult BoxFinder::findPixels() {
  if (!panel.alongK)
    return fail("pixels have their neighbours along k");
  if (sharedBy > 1)
    return fail("blocks cannot share pixels");
  for (int64_t dim : work)
    if (address().dims[dim] != 0)
      return fail("a factor whose results are pixels has no batches");
  TensorDim &channels = box.dims.emplace_back();
  channels.dim = k.innermost();
  channels.size = nest.sizes[channels.dim];
  channels.box = BlocksPlan::kLine / panel.elementBytes;
  for (int64_t dim : llvm::reverse(own.dims)) {
    TensorDim &next = box.dims.emplace_back();
    next.dim = dim;
    next.size = nest.sizes[dim];
    next.stride = address().dims[dim];
    if (next.stride <= 0)
      return fail("a factor does not move on along d" + Twine(dim));
  }
  // The last dimension has no window. Is there one, then all results are of one image.
  SmallVector<int64_t> windows(ArrayRef(k.dims).drop_back());
  int64_t outermost = box.dims.back().stride;
  bool isOfImages = own.dims.size() > 1 &&
                    llvm::none_of(windows, [&](int64_t dim) { return std::abs(address().dims[dim]) >= outermost; });
  if (!isOfImages)
    box.dims.emplace_back().stride = outermost;
  if (static_cast<int64_t>(box.dims.size()) > kMostRank)
    return fail("pixels have " + Twine(box.dims.size()) + " dimensions, and tensors have at most " + Twine(kMostRank));
  // Those that move farther first: what they leave is nearer.
  llvm::stable_sort(windows, [&](int64_t left, int64_t right) {
    return std::abs(address().dims[left]) > std::abs(address().dims[right]);
  });
  for (int64_t window : windows)
    if (failed(placeWindow(window)))
      return failure();
  if (failed(splitChannels()))
    return failure();
  for (TensorDim &pixels : MutableArrayRef(box.dims).drop_front().drop_back()) {
    pixels.size = (pixels.size - 1) * pixels.step + pixels.reach + 1;
    pixels.upper = -pixels.reach;
  }
  box.pixels = own.tile;
  return panel.isRead ? leaveOutPadding(panel.isRead) : success();
}

/// The tensor is what is inside of padding: `isInside` compares indices of the padded image, one for each dimension.
LogicalResult BoxFinder::leaveOutPadding(ExprNode *isInside) {
  if (isInside->kind == ExprNode::Apply && isa<arith::AndIOp>(isInside->op))
    return success(succeeded(leaveOutPadding(isInside->operands[0])) &&
                   succeeded(leaveOutPadding(isInside->operands[1])));
  auto compare = isInside->kind == ExprNode::Apply ? dyn_cast<arith::CmpIOp>(isInside->op) : arith::CmpIOp();
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::ult ||
      isInside->operands[0]->kind != ExprNode::Index || isInside->operands[1]->kind != ExprNode::Constant)
    return fail("where padding is does not follow from one index for each dimension");
  const Address &index = isInside->operands[0]->address;
  int64_t extent = cast<IntegerAttr>(isInside->operands[1]->attr).getInt();
  llvm::SmallBitVector moves(index.dims.size());
  for (auto [dim, apart] : llvm::enumerate(index.dims))
    if (apart != 0 && nest.sizes[dim] > 1)
      moves.set(dim);
  for (TensorDim &pixels : MutableArrayRef(box.dims).drop_front().drop_back()) {
    llvm::SmallBitVector walked(moves.size());
    for (int64_t dim : {pixels.dim, pixels.window})
      if (dim >= 0)
        walked.set(dim);
    if (pixels.dim < 0 || !moves.test(pixels.dim) || moves.test(walked) || pixels.windowPart > 1)
      continue;
    // The index is `first` at the first pixel, and grows by `unit` for each.
    int64_t unit = index.dims[pixels.dim] / pixels.step, first = index.constant;
    int64_t ofWindow = pixels.window < 0 ? 0 : index.dims[pixels.window];
    if (pixels.isBackwards)
      first += ofWindow * (nest.sizes[pixels.window] - 1);
    if (unit <= 0 || unit * pixels.step != index.dims[pixels.dim] || !index.symbols.empty() ||
        !index.nonlinear.empty() || std::abs(ofWindow) != (pixels.window < 0 ? 0 : unit * pixels.windowStep) ||
        (ofWindow < 0) != pixels.isBackwards)
      break;
    int64_t begin = std::max<int64_t>(0, llvm::divideCeilSigned(-first, unit));
    int64_t end = std::min(pixels.size, llvm::divideFloorSigned(extent - 1 - first, unit) + 1);
    int64_t lastOfResults = pixels.size - 1 - pixels.reach;
    if (begin >= end)
      return fail("all that is read along d" + Twine(pixels.dim) + " is padding");
    pixels.lower = -begin;
    pixels.upper = lastOfResults - (end - 1);
    pixels.size = end - begin;
    box.offset += begin * pixels.stride;
    if (std::max(begin, std::abs(pixels.upper)) > farthest())
      return fail("padding along d" + Twine(pixels.dim) + " reaches " + Twine(std::max(begin, std::abs(pixels.upper))) +
                  " pixels beyond the tensor, and may at most " + Twine(farthest()));
    return success();
  }
  return fail("padding is along no dimension of the results");
}

LogicalResult BoxFinder::checkStrides() {
  int64_t bytes = panel.elementBytes;
  for (const TensorDim &each : ArrayRef(box.dims).drop_front())
    if (int64_t stride = each.stride * bytes; stride <= 0 || stride % kUnit)
      return fail("a factor's lines are " + Twine(stride) + " bytes apart along d" + Twine(each.dim) +
                  ", no multiple of " + Twine(kUnit));
  if (box.offset * bytes % kUnit)
    return fail("a factor begins " + Twine(box.offset * bytes) +
                " bytes behind the beginning of its memory, no multiple of " + Twine(kUnit));
  return success();
}

FailureOr<TensorBox> BoxFinder::run() {
  if (own.dims.empty() || k.dims.empty())
    return fail("a factor has no dimension of its own");
  if (!panel.read)
    return fail("a factor is computed, and not read as it is");
  if (!address().symbols.empty() || !address().nonlinear.empty())
    return fail("where a factor lies does not follow from the nest's indices alone");
  int64_t inner = panel.alongK ? k.innermost() : own.innermost();
  if (address().dims[inner] != 1)
    return fail("a factor has its neighbours neither along k nor along its own dimension");
  if (!panel.alongK && panel.elementBytes != 2)
    return fail("factors of " + Twine(panel.elementBytes) + " bytes are multiplied along k only");
  box.offset = address().constant;
  bool isOfPixels = own.dims.size() > 1 || llvm::any_of(k.dims, [&](int64_t dim) { return isWindow(dim); });
  if (panel.isRead && !isOfPixels)
    return fail("a factor has padding, and no window moves over it");
  if (failed(isOfPixels ? findPixels() : findTiles()))
    return failure();
  if (static_cast<int64_t>(box.dims.size()) > kMostRank)
    return fail("a factor has " + Twine(box.dims.size()) + " dimensions, and tensors have at most " + Twine(kMostRank));
  int64_t steps = box.pixels ? box.dims[0].size : nest.sizes[k.innermost()];
  if (steps < k.size && steps % k.tile)
    return fail("tiles of " + Twine(k.tile) + " along k are at several places of a window of " + Twine(steps) +
                " channels");
  if (failed(checkStrides()))
    return failure();
  if (box.count % sharedBy)
    return fail(Twine(sharedBy) + " blocks cannot share the " + Twine(box.count) + " boxes of the columns");
  return box;
}

FailureOr<TensorBox> mlir::xla::tensorBox(const LoopNest &nest, const BlockPanel &panel, const BlockDim &own,
                                          const BlockDim &k, ArrayRef<int64_t> work, int64_t sharedBy,
                                          std::string &reason) {
  return BoxFinder(nest, panel, own, k, work, sharedBy, reason).run();
}
