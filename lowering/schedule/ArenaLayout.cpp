// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/lowering/schedule/ArenaLayout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

#include <tuple>

namespace mlir::xla {

static constexpr int64_t kAlignment = 64;

namespace {
/// A buffer that has its place, from `offset` to `limit`.
struct PlacedBuffer {
  int64_t offset, limit, begin, end;
};
} // namespace

int64_t layOutArena(MutableArrayRef<ArenaBuffer *> buffers) {
  SmallVector<ArenaBuffer *> order(buffers.begin(), buffers.end());
  llvm::sort(order, [](ArenaBuffer *a, ArenaBuffer *b) {
    return std::make_tuple(-a->bytes, a->begin, a->end) < std::make_tuple(-b->bytes, b->begin, b->end);
  });
  SmallVector<PlacedBuffer> placed; // by offset
  int64_t size = 0;
  for (ArenaBuffer *buffer : order) {
    int64_t bytes = llvm::alignTo(std::max<int64_t>(buffer->bytes, 1), kAlignment);
    // Walk the gaps between the placed buffers that are in use at some common tick.
    int64_t cursor = 0, best = -1, bestGap = 0;
    for (const PlacedBuffer &other : placed) {
      if (other.end < buffer->begin || buffer->end < other.begin)
        continue;
      int64_t gap = other.offset - cursor;
      if (gap >= bytes && (best < 0 || gap < bestGap)) {
        best = cursor;
        bestGap = gap;
      }
      cursor = std::max(cursor, other.limit);
    }
    buffer->offset = best >= 0 ? best : cursor;
    size = std::max(size, buffer->offset + bytes);
    auto at = llvm::upper_bound(placed, buffer->offset,
                                [](int64_t offset, const PlacedBuffer &other) { return offset < other.offset; });
    placed.insert(at, {buffer->offset, buffer->offset + bytes, buffer->begin, buffer->end});
  }
  return size;
}

} // namespace mlir::xla
