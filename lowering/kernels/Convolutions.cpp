// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which loops and dimensions of a sum of products are what, if it is a convolution.

#include "mlir_xla/lowering/kernels/Convolutions.h"

#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/nest/Contraction.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"

#include <numeric>

using namespace mlir;
using namespace mlir::xla;

int64_t Convolution::placeOf(int64_t loop) const {
  auto isRead = [&](const Place &place) { return place.row == loop || place.step == loop; };
  return llvm::find_if(places, isRead) - places.begin();
}

int64_t Convolution::productOf(ArrayRef<int64_t> loops) const {
  return std::accumulate(loops.begin(), loops.end(), int64_t(1),
                         [&](int64_t before, int64_t loop) { return before * sizes[loop]; });
}

/// A sum of a loop of results and one of the sum, at most.
static std::optional<Place> matchPlace(AffineExpr expr, linalg::GenericOp op) {
  SmallVector<int64_t> flat;
  if (failed(getFlattenedAffineExpr(expr, op.getNumLoops(), 0, &flat)) || flat.size() != op.getNumLoops() + 1 ||
      flat.back() != 0)
    return std::nullopt;
  Place place;
  for (auto [loop, coefficient] : llvm::enumerate(ArrayRef(flat).drop_back())) {
    if (coefficient == 0)
      continue;
    bool isRow = op.getIteratorTypesArray()[loop] == utils::IteratorType::parallel;
    int64_t &known = isRow ? place.row : place.step;
    if (coefficient < 0 || known >= 0)
      return std::nullopt;
    known = loop;
    (isRow ? place.stride : place.dilation) = coefficient;
  }
  return place;
}

static bool isByWindows(AffineMap map) {
  return llvm::any_of(map.getResults(), [](AffineExpr expr) { return expr.getKind() == AffineExprKind::Add; });
}

std::optional<Convolution> mlir::xla::matchConvolution(linalg::GenericOp op) {
  if (!isSumOfProducts(op))
    return std::nullopt;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (!maps[2].isProjectedPermutation() || isByWindows(maps[0]) == isByWindows(maps[1]))
    return std::nullopt;
  Convolution found;
  found.op = op;
  found.image = isByWindows(maps[0]) ? 0 : 1;
  found.elementBytes = elementStorageBytes(getElementTypeOrSelf(op->getOperand(0)));
  found.sizes = op.getStaticLoopRanges();
  AffineMap image = maps[found.image], kernel = maps[1 - found.image];
  if (!kernel.isProjectedPermutation(/*allowZeroInResults=*/true))
    return std::nullopt;
  llvm::SmallDenseSet<int64_t> seen;
  auto ofImage = cast<RankedTensorType>(op->getOperand(found.image).getType()),
       ofKernel = cast<RankedTensorType>(op->getOperand(1 - found.image).getType());
  for (auto [expr, extent] : llvm::zip_equal(image.getResults(), ofImage.getShape())) {
    std::optional<Place> place = matchPlace(expr, op);
    if (!place || (place->row >= 0 && !seen.insert(place->row).second) ||
        (place->step >= 0 && !seen.insert(place->step).second))
      return std::nullopt;
    int64_t loop = place->row >= 0 ? place->row : place->step;
    // Other dimensions than pixels are read whole, or results of a stride.
    bool isWhole = loop < 0 || (place->dilation == 1 && extent == found.sizes[loop]);
    if (!isWhole && !place->isPixel() && place->stride == 1)
      return std::nullopt;
    found.places.push_back(*place);
  }
  for (auto [expr, size] : llvm::zip_equal(kernel.getResults(), ofKernel.getShape()))
    if (auto dim = dyn_cast<AffineDimExpr>(expr); dim && found.sizes[dim.getPosition()] != size)
      return std::nullopt;
  for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray())) {
    bool isOfImage = image.isFunctionOfDim(loop), isOfKernel = kernel.isFunctionOfDim(loop);
    if (kind == utils::IteratorType::reduction) {
      if (!isOfImage || !isOfKernel)
        return std::nullopt;
      found.steps.push_back(loop);
    } else if (isOfImage && !isOfKernel) {
      found.rows.push_back(loop);
    } else if (int64_t &other = isOfImage ? found.group : found.feature; other >= 0 || !isOfKernel) {
      return std::nullopt;
    } else {
      other = loop;
    }
  }
  // Each group has an image of its own.
  if (found.feature < 0)
    return std::nullopt;
  if (found.group >= 0)
    if (const Place &place = found.places[found.placeOf(found.group)]; place.isPixel() || place.stride != 1)
      return std::nullopt;
  return found;
}
