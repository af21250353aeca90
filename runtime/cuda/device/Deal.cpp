// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Index vectors of a scatter on their way to blocks that own some of the places each. A block deals a tile of them:
// it makes a word of each, sorts these by owner, and notes where each owner's begin. Then an owner takes its words of
// all tiles, some at a time, in the order of the index vectors, and sorts them by place, so that the updates of each
// place follow each other in their order. Nobody counts what others have, and nobody waits for other blocks.

#include "mlir_xla/runtime/cuda/device/Radix.h"

namespace xla_rt::device {
namespace {

/// Words that a thread has of a tile, and those of a tile. A number in a tile, or among the words that an owner has at
/// a time, has so many bits.
constexpr int kDealtChunk = 8, kDealtTile = kDigitThreads * kDealtChunk, kDealtBits = 11;
static_assert(1 << kDealtBits == kDealtTile);
/// Owners, of which each has a thread when a tile is dealt, and one for what is nowhere.
constexpr int kNowhere = kDigitThreads - 1, kOwnerBits = 8;

/// How words are made, from the least significant bit on: the number in the tile, the place among the owner's, and the
/// owner. lowering/xla_rt/DealtPlaces.h says the same.
struct DealtWords {
  int64_t count;     // index vectors
  int64_t placeBits; // of a place among an owner's
  int64_t group;     // neighbouring places that have one owner

  int64_t tiles() const { return (count + kDealtTile - 1) / kDealtTile; }
  template <typename W> XLA_RT_INLINE W make(uint64_t place, int number) const {
    uint64_t row = place / group, own = row / kNowhere * group + place % group;
    return static_cast<W>((row % kNowhere << placeBits | own) << kDealtBits | number);
  }
  /// What is nowhere.
  template <typename W> XLA_RT_INLINE W makeNone() const { return static_cast<W>(uint64_t(kNowhere) << ownerAt()); }
  int64_t ownerAt() const { return placeBits + kDealtBits; }
};

/// The parameters of `deal`, behind which are the axes.
struct DealPlan {
  DealtWords words;
  int64_t bytes, isUnsigned; // of an index
  int64_t inner;             // components of an index vector are so far apart, if there are several in a buffer
  int64_t numBuffers;        // of indices
  int64_t numAxes;
};
constexpr int64_t kDealParameters = sizeof(DealPlan) / sizeof(int64_t);

/// A digit of a place. With a buffer, it is a component of the index vector, which has so many there; what is below
/// zero has `wrap` added. If that is -1, it is the number of the index vector, divided by `part`.
struct DealAxis {
  int64_t size, buffer, part, components, wrap;
};

XLA_RT_INLINE uint64_t indexAt(const DealPlan &plan, const DealAxis &axis, const void *indices, int64_t at) {
  auto as = [&](auto narrow, auto narrowSigned) __attribute__((always_inline)) {
    using U = decltype(narrow);
    using S = decltype(narrowSigned);
    U index = static_cast<const U *>(indices)[at];
    if (plan.isUnsigned)
      return static_cast<uint64_t>(index);
    if (static_cast<S>(index) < 0)
      index = static_cast<U>(index + static_cast<U>(axis.wrap));
    return static_cast<uint64_t>(static_cast<int64_t>(static_cast<S>(index)));
  };
  switch (plan.bytes) {
  case 1:
    return as(uint8_t(0), int8_t(0));
  case 2:
    return as(uint16_t(0), int16_t(0));
  case 4:
    return as(uint32_t(0), int32_t(0));
  default:
    return as(uint64_t(0), int64_t(0));
  }
}

/// The word of index vector `at`, which is number `number` of its tile.
template <typename W>
XLA_RT_INLINE W wordOf(const DealPlan &plan, const DealAxis *axes, Buffers buffers, int64_t at, int number) {
  uint64_t place = 0;
  bool isInside = true;
#pragma unroll
  for (int64_t i = 0; i < plan.numAxes; ++i) {
    const DealAxis &axis = axes[i];
    uint64_t size = static_cast<uint64_t>(axis.size), digit;
    if (axis.buffer < 0) {
      digit = static_cast<uint64_t>(at / axis.part) % size;
    } else {
      int64_t element = (at / plan.inner * axis.components + axis.part) * plan.inner + at % plan.inner;
      digit = indexAt(plan, axis, buffers[axis.buffer], element);
    }
    isInside &= digit < size;
    place = place * size + digit;
  }
  return isInside ? plan.words.make<W>(place, number) : plan.words.makeNone<W>();
}

/// index vectors -> words by tile and owner, then where each owner's begin in each tile. An item is a tile.
template <typename W> XLA_RT_INLINE void deal(Parameters p, Buffers buffers, int64_t begin, int64_t end) {
  constexpr int threads = kDigitThreads;
  DealPlan plan;
  __builtin_memcpy(&plan, p, sizeof(plan));
  const DealAxis *axes = reinterpret_cast<const DealAxis *>(p + kDealParameters);
  XLA_RT_SHARED(wordBytes, padded<W>(kDealtTile) * sizeof(W));
  XLA_RT_SHARED(cellBytes, kPartDigits * threads * sizeof(uint16_t));
  XLA_RT_SHARED(sumBytes, threads * sizeof(uint32_t));
  W *shared = reinterpret_cast<W *>(wordBytes), *row = static_cast<W *>(buffers[plan.numBuffers]);
  SortCells cells{reinterpret_cast<uint16_t *>(cellBytes), reinterpret_cast<uint32_t *>(sumBytes)};
  Own<OwnWords<W, kDealtChunk>, threads> own;
  const int64_t ownerAt = plan.words.ownerAt();
  for (int64_t tile = begin; tile < end; ++tile) {
    int64_t first = tile * kDealtTile;
    int size = static_cast<int>(least(plan.words.count - first, kDealtTile));
    // What is behind the end is nowhere, and behind all else that is.
    eachThread<threads>([&](int thread) __attribute__((always_inline)) {
#pragma unroll
      for (int i = 0; i < kDealtChunk; ++i) {
        int at = i * threads + thread;
        shared[padded<W>(at)] = at < size ? wordOf<W>(plan, axes, buffers, first + at, at) : plan.words.makeNone<W>();
      }
    });
    sortTile<W, kDealtChunk>(shared, cells, own, kOwnerBits,
                             [&](W word, int64_t from, int64_t width) __attribute__((always_inline)) {
                               return static_cast<int>(word >> (ownerAt + from)) & ((1 << width) - 1);
                             });
    unwaited<threads>([&](int thread) __attribute__((always_inline)) {
      // An owner's words begin behind those of lesser ones.
      int low = 0;
#pragma unroll
      for (int step = kDealtTile / 2; step >= 1; step /= 2)
        low += static_cast<int>(shared[padded<W>(low + step - 1)] >> ownerAt) < thread ? step : 0;
      low += static_cast<int>(shared[padded<W>(low)] >> ownerAt) < thread ? 1 : 0;
      row[plan.words.count + tile * threads + thread] = static_cast<W>(low);
#pragma unroll
      for (int i = 0; i < kDealtChunk; ++i) {
        int at = i * threads + thread;
        if (at < size)
          row[first + at] = shared[padded<W>(at)];
      }
    });
  }
}

/// What an owner has in shared memory for whoever makes the updates: its words, sorted by place, whose low bits are
/// places in `numbers`, where the numbers of index vectors are; and the first word of each place, and the end.
template <typename W> struct OwnedWords {
  W *words;
  uint32_t *numbers;
  uint16_t *heads;
};

/// Takes the words of `owner` in some tiles, one for each thread, from word `first` on, as many as there is room for.
/// Returns how many there are in those tiles, and, below 32 bits, of how many places those are that it has taken.
template <typename W>
XLA_RT_INLINE int64_t takeOwned(const DealtWords &plan, const W *row, int64_t owner, int64_t tiles, int64_t first,
                                OwnedWords<W> owned) {
  constexpr int threads = kDigitThreads;
  XLA_RT_SHARED(cellBytes, kPartDigits * threads * sizeof(uint16_t));
  XLA_RT_SHARED(sumBytes, threads * sizeof(uint32_t));
  XLA_RT_SHARED(beforeBytes, threads * sizeof(uint32_t));
  XLA_RT_SHARED(beginBytes, threads * sizeof(uint32_t));
  XLA_RT_SHARED(totalBytes, 2 * sizeof(uint32_t));
  uint32_t *sums = reinterpret_cast<uint32_t *>(sumBytes), *befores = reinterpret_cast<uint32_t *>(beforeBytes),
           *begins = reinterpret_cast<uint32_t *>(beginBytes), *totals = reinterpret_cast<uint32_t *>(totalBytes);
  SortCells cells{reinterpret_cast<uint16_t *>(cellBytes), sums};
  Own<OwnWords<W, kDealtChunk>, threads> own;
  Own<uint32_t, threads> counts;
  unwaited<threads>([&](int thread) __attribute__((always_inline)) {
    bool exists = tiles + thread < plan.tiles();
    const W *starts = row + plan.count + (tiles + thread) * threads + owner;
    uint32_t start = exists ? static_cast<uint32_t>(starts[0]) : 0,
             stop = exists ? static_cast<uint32_t>(starts[1]) : 0;
    begins[thread] = start;
    befores[thread] = counts.of(thread) = stop - start;
  });
  addBefore<threads>(befores);
  eachThread<threads>([&](int thread) __attribute__((always_inline)) {
    if (thread == threads - 1)
      totals[0] = befores[thread] + counts.of(thread);
  });
  const int64_t all = totals[0];
  const int size = static_cast<int>(least(all - first, kDealtTile));
  eachThread<threads>([&](int thread) __attribute__((always_inline)) {
    int64_t places[kDealtChunk];
    uint32_t inTiles[kDealtChunk];
#pragma unroll
    for (int i = 0; i < kDealtChunk; ++i) {
      // The last tile before which there are no more.
      uint32_t at = static_cast<uint32_t>(first + i * threads + thread);
      int tile = 0;
#pragma unroll
      for (int step = threads / 2; step >= 1; step /= 2)
        tile += befores[tile + step] <= at ? step : 0;
      inTiles[i] = static_cast<uint32_t>((tiles + tile) * kDealtTile);
      places[i] = static_cast<int64_t>(inTiles[i]) + begins[tile] + (at - befores[tile]);
    }
    W words[kDealtChunk];
#pragma unroll
    for (int i = 0; i < kDealtChunk; ++i)
      words[i] = i * threads + thread < size ? row[places[i]] : W(0);
    constexpr W mask = (W(1) << kDealtBits) - 1;
#pragma unroll
    for (int i = 0; i < kDealtChunk; ++i) {
      int at = i * threads + thread;
      owned.numbers[at] = inTiles[i] + static_cast<uint32_t>(words[i] & mask);
      // What is behind the end has the last place, and stays behind all that have it.
      owned.words[padded<W>(at)] = at < size ? (words[i] & ~mask) | static_cast<W>(at) : ~W(0);
    }
  });
  sortTile<W, kDealtChunk>(owned.words, cells, own, plan.placeBits,
                           [&](W word, int64_t from, int64_t width) __attribute__((always_inline)) {
                             return static_cast<int>(word >> (kDealtBits + from)) & ((1 << width) - 1);
                           });
  // Of a thread's words, those that are the first of a place, as bits.
  Own<uint32_t, threads> firsts;
  unwaited<threads>([&](int thread) __attribute__((always_inline)) {
    uint32_t bits = 0;
    int at = thread * kDealtChunk;
    W before = thread > 0 ? owned.words[padded<W>(at - 1)] >> kDealtBits : W(0);
#pragma unroll
    for (int i = 0; i < kDealtChunk; ++i) {
      W place = owned.words[padded<W>(at + i)] >> kDealtBits;
      bits |= (at + i < size && (at + i == 0 || place != before) ? 1u : 0u) << i;
      before = place;
    }
    firsts.of(thread) = bits;
    sums[thread] = static_cast<uint32_t>(__builtin_popcount(bits));
  });
  addBefore<threads>(sums);
  eachThread<threads>([&](int thread) __attribute__((always_inline)) {
    uint32_t to = sums[thread], bits = firsts.of(thread);
#pragma unroll
    for (int i = 0; i < kDealtChunk; ++i) {
      if (bits >> i & 1)
        owned.heads[to] = static_cast<uint16_t>(thread * kDealtChunk + i);
      to += bits >> i & 1;
    }
    if (thread == threads - 1) {
      owned.heads[to] = static_cast<uint16_t>(size);
      totals[1] = to;
    }
  });
  return all << 32 | totals[1];
}

} // namespace
} // namespace xla_rt::device

#define XLA_RT_DEAL(BYTES, WORD)                                                                                       \
  XLA_RT_DEVICE void xla_rt_gpu_deal_##BYTES(const int64_t *parameters, void *const *buffers, int64_t begin,           \
                                             int64_t end, void *) {                                                    \
    xla_rt::device::deal<WORD>(parameters, buffers, begin, end);                                                       \
  }                                                                                                                    \
  XLA_RT_DEVICE int64_t xla_rt_gpu_take_owned_##BYTES(const void *row, int64_t count, int64_t placeBits,               \
                                                      int64_t group, int64_t owner, int64_t tiles, int64_t first,      \
                                                      void *words, void *numbers, void *heads) {                       \
    return xla_rt::device::takeOwned<WORD>(                                                                            \
        {count, placeBits, group}, static_cast<const WORD *>(row), owner, tiles, first,                                \
        {static_cast<WORD *>(words), static_cast<uint32_t *>(numbers), static_cast<uint16_t *>(heads)});               \
  }
XLA_RT_DEAL(4, uint32_t)
XLA_RT_DEAL(8, uint64_t)
