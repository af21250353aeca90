// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/lowering/schedule/ArenaLayout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

#include <tuple>

namespace mlir::xla {

static constexpr int64_t kAlignment = 64;
/// Scalars and the like share a line.
static constexpr int64_t kSmallAlignment = 16;

/// Each may take a cache line of the stack.
static constexpr int kMostScalars = 256;

/// Smaller buffers cost nothing where they are.
static constexpr int64_t kSmallest = 4096;

namespace {
/// A buffer that has its place, from `offset` to `limit`.
struct PlacedBuffer {
  int64_t offset, limit, begin, end;
};

/// Memory that several buffers take turns in.
class Memory {
public:
  /// Where a buffer fits best: the smallest gap between those that are in use at some common tick, or behind them.
  int64_t find(const ArenaBuffer &buffer, int64_t bytes) const {
    int64_t cursor = 0, best = -1, bestGap = 0;
    for (const PlacedBuffer &other : placed) {
      if (other.end < buffer.begin || buffer.end < other.begin)
        continue;
      int64_t gap = other.offset - cursor;
      if (gap >= bytes && (best < 0 || gap < bestGap)) {
        best = cursor;
        bestGap = gap;
      }
      cursor = std::max(cursor, other.limit);
    }
    return best >= 0 ? best : cursor;
  }

  void place(ArenaBuffer &buffer, int64_t offset, int64_t bytes) {
    buffer.offset = offset;
    auto at = llvm::upper_bound(placed, offset,
                                [](int64_t offset, const PlacedBuffer &other) { return offset < other.offset; });
    placed.insert(at, {offset, offset + bytes, buffer.begin, buffer.end});
  }

private:
  SmallVector<PlacedBuffer> placed; // by offset
};
} // namespace

/// Gives buffers their places, one after the other.
static LayoutSizes placeAll(ArrayRef<ArenaBuffer *> order, ArrayRef<FreeResult> results, int64_t frameBytes) {
  Memory arena, frame;
  SmallVector<Memory> free(results.size());
  LayoutSizes sizes;
  int scalars = 0;
  for (ArenaBuffer *buffer : order) {
    if (frameBytes > 0 && isScalar(buffer->bytes) && scalars < kMostScalars) {
      buffer->scalar = scalars++;
      continue;
    }
    bool isSmall = buffer->bytes < kAlignment && buffer->alignment <= kSmallAlignment;
    int64_t bytes = llvm::alignTo(std::max<int64_t>(buffer->bytes, 1), isSmall ? kSmallAlignment : kAlignment);
    for (auto [memory, result] : llvm::zip_equal(free, results)) {
      if (buffer->bytes < kSmallest || buffer->bytes > result.bytes || buffer->alignment > result.alignment ||
          buffer->end >= result.begin)
        continue;
      int64_t offset = memory.find(*buffer, bytes);
      if (offset + buffer->bytes > result.bytes)
        continue;
      memory.place(*buffer, offset, bytes);
      buffer->result = result.number;
      break;
    }
    if (buffer->result >= 0)
      continue;
    int64_t inFrame = frame.find(*buffer, bytes);
    if (inFrame + bytes <= frameBytes) {
      frame.place(*buffer, inFrame, bytes);
      buffer->inFrame = true;
      sizes.frame = std::max(sizes.frame, inFrame + bytes);
      continue;
    }
    int64_t offset = arena.find(*buffer, bytes);
    arena.place(*buffer, offset, bytes);
    sizes.arena = std::max(sizes.arena, offset + bytes);
  }
  return sizes;
}

LayoutSizes layOutArena(MutableArrayRef<ArenaBuffer *> buffers, ArrayRef<FreeResult> results, int64_t frameBytes) {
  SmallVector<ArenaBuffer *> order(buffers.begin(), buffers.end());
  llvm::sort(order, [](ArenaBuffer *a, ArenaBuffer *b) {
    return std::make_tuple(-a->bytes, a->begin, a->end) < std::make_tuple(-b->bytes, b->begin, b->end);
  });
  LayoutSizes sizes = placeAll(order, results, frameBytes);
  if (sizes.arena < kSmallest || results.empty())
    return sizes;
  // A result's memory is free until it is computed. Seen from there, it is for those that are not needed then, and
  // those that are have their places before them.
  SmallVector<ArenaBuffer> forwards;
  for (ArenaBuffer *buffer : order) {
    forwards.push_back(*buffer);
    buffer->offset = buffer->result = -1;
    buffer->inFrame = false;
    buffer->scalar = -1;
  }
  SmallVector<ArenaBuffer *> backwards(order);
  llvm::sort(backwards, [](ArenaBuffer *a, ArenaBuffer *b) {
    return std::make_tuple(-a->bytes, -a->end, -a->begin) < std::make_tuple(-b->bytes, -b->end, -b->begin);
  });
  LayoutSizes others = placeAll(backwards, results, frameBytes);
  if (others.arena < sizes.arena)
    return others;
  for (auto [buffer, kept] : llvm::zip_equal(order, forwards))
    *buffer = kept;
  return sizes;
}

} // namespace mlir::xla
