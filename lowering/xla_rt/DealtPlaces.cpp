// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of a scatter, how wide words are in which its places and index vectors have room, and who owns which place.

#include "mlir_xla/lowering/xla_rt/DealtPlaces.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::xla;

/// Elements that neighbouring places of an owner have together, of which memory is written; and the places that an
/// owner should have, so that others have not many more.
static constexpr int64_t kTogether = 8, kFewPlaces = 4;

DealtPlaces::DealtPlaces(rt::ScatterOp op) {
  count = 1;
  for (int64_t dim : op.getBatch()) {
    batchSizes.push_back(op.getUpdateShape()[dim]);
    count *= batchSizes.back();
  }
  int64_t row = 1; // elements of a place
  for (auto [size, start, step] : llvm::zip_equal(op.getOutShape(), op.getStarts(), op.getSteps()))
    (start >= 0 || llvm::is_contained(op.getBatch(), step) ? places : row) *= size;
  tiles = llvm::divideCeil(count, tile);
  if (places <= 0 || count <= 0 || !llvm::isUInt<32>(places) || !llvm::isUInt<32>(count))
    return;
  int64_t most = std::min(kTogether / std::min(row, kTogether), places / (kFewPlaces * owners));
  group = most > 1 ? llvm::bit_floor<uint64_t>(most) : 1;
  int64_t own = llvm::divideCeil(llvm::divideCeil(places, group), owners) * group;
  placeBits = llvm::Log2_64_Ceil(own);
  wordBytes = ownerBits + placeBits + numberBits <= 32 ? 4 : 8;
}
