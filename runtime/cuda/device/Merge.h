// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merging sorted runs of words by blocks of threads. Global memory is read and written along neighbours; in between,
// words are in shared memory, where each thread merges a chunk that it finds by bisection.

#ifndef MLIR_XLA_RUNTIME_CUDA_DEVICE_MERGE_H
#define MLIR_XLA_RUNTIME_CUDA_DEVICE_MERGE_H

#include "mlir_xla/runtime/cuda/device/Block.h"

namespace xla_rt::device {

/// Words that a thread merges at a time.
constexpr int kChunk = 16;
/// Threads of a block, and the words that it has in shared memory.
template <typename W> constexpr int kTileThreads = sizeof(W) == 16 ? 128 : 256;
template <typename W> constexpr int kMergeTile = kTileThreads<W> * kChunk;

/// After so many words one is left out, so that threads that are at the same place of their chunks use different banks,
/// as do neighbours: those of 4 bytes come 32 at a time, and larger ones 16 or 8.
template <typename W> constexpr int kPadded = sizeof(W) == 4 ? 2 * kChunk : kChunk;
template <typename W> XLA_RT_INLINE constexpr int padded(int place) { return place + place / kPadded<W>; }
/// With as much as is left out between eight columns.
template <typename W> constexpr int kTileBytes = padded<W>(kMergeTile<W>) * sizeof(W) + 8 * 128;

/// Of the first `place` words of two merged runs, so many are of the left one.
template <typename W, typename Left, typename Right>
XLA_RT_INLINE int bisect(Left left, int leftSize, Right right, int rightSize, int place) {
  int low = place > rightSize ? place - rightSize : 0, high = place < leftSize ? place : leftSize;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (right(place - 1 - middle) < left(middle))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

template <typename W> XLA_RT_INLINE void order(W &x, W &y) {
  W low = x < y ? x : y, high = x < y ? y : x;
  x = low;
  y = high;
}

template <typename W> struct Chunk {
  W words[kChunk];
};

/// Merges what is from `place` on of two runs in shared memory, which begin at `first` and behind each other.
template <typename W>
XLA_RT_INLINE void mergeChunk(const W *shared, int first, int leftSize, int rightSize, int place, Chunk<W> &chunk) {
  auto left = [&](int i) __attribute__((always_inline)) { return shared[padded<W>(first + i)]; };
  auto right = [&](int i) __attribute__((always_inline)) { return shared[padded<W>(first + leftSize + i)]; };
  int size = leftSize + rightSize;
  if (place >= size)
    return;
  int l = bisect<W>(left, leftSize, right, rightSize, place), r = place - l;
  W x = l < leftSize ? left(l) : W(0), y = r < rightSize ? right(r) : W(0);
  // Without branches: what follows the word that is taken is read from wherever it is, and at the ends again.
#pragma unroll
  for (int i = 0; i < kChunk; ++i) {
    bool isLeft = l < leftSize && (r >= rightSize || !(y < x));
    chunk.words[i] = isLeft ? x : y;
    l += isLeft;
    r += !isLeft;
    int following = isLeft ? l : leftSize + r;
    W word = left(following < size ? following : size - 1);
    x = isLeft ? word : x;
    y = isLeft ? y : word;
  }
}

template <typename W> XLA_RT_INLINE void putChunk(W *shared, int thread, int size, const Chunk<W> &chunk) {
#pragma unroll
  for (int i = 0; i < kChunk; ++i)
    if (thread * kChunk + i < size)
      shared[padded<W>(thread * kChunk + i)] = chunk.words[i];
}

/// Batcher's odd-even merge sort.
template <typename W> XLA_RT_INLINE void sortRun(W (&words)[kChunk]) {
#pragma unroll
  for (int run = 1; run < kChunk; run *= 2)
#pragma unroll
    for (int step = run; step >= 1; step /= 2)
#pragma unroll
      for (int first = step % run; first + step < kChunk; first += 2 * step)
#pragma unroll
        for (int i = 0; i < step; ++i)
          if (first + i + step < kChunk && (first + i) / (2 * run) == (first + i + step) / (2 * run))
            order(words[first + i], words[first + i + step]);
}

/// What blocks have that sort lines, several each, or tiles of one.
struct LinePlan {
  int64_t length, stride, lines; // of an array
  int64_t perLine;               // tiles
  int64_t linesOfBlock;
  int64_t pitch;     // words of a line, or of a tile, in shared memory: whole chunks
  int64_t linePitch; // places there from one line to the next, if these are columns
  int64_t keep;      // words of each
};

/// Sorts words that `make(line, at)` gives, and hands the least of each line or tile to `put(line, tile, at, word)`. An
/// item is a block's lines, or a tile. Either way neighbouring threads have neighbours of the array.
template <typename W, typename Make, typename Put>
XLA_RT_INLINE void sortLines(const LinePlan &plan, int64_t begin, int64_t end, Make make, Put put) {
  constexpr int threads = kTileThreads<W>;
  XLA_RT_SHARED(bytes, kTileBytes<W>);
  W *shared = reinterpret_cast<W *>(bytes);
  Own<Chunk<W>, threads> chunks;
  const int pitch = static_cast<int>(plan.pitch), chunksOfLine = pitch / kChunk;
  for (int64_t item = begin; item < end; ++item) {
    int64_t firstLine = item / plan.perLine * plan.linesOfBlock, tile = item % plan.perLine, first = tile * pitch;
    int lines = static_cast<int>(least(plan.lines - firstLine, plan.linesOfBlock));
    int size = static_cast<int>(least(plan.length - first, pitch)), kept = static_cast<int>(least(plan.keep, size));
    // Rows are one array of words, columns one each.
    auto base = [&](int line) __attribute__((always_inline)) {
      return plan.stride == 1 ? shared : shared + line * plan.linePitch;
    };
    auto begins = [&](int line) __attribute__((always_inline)) { return plan.stride == 1 ? line * pitch : 0; };
    auto word = [&](int line, int at)
                    __attribute__((always_inline)) -> W & { return base(line)[padded<W>(begins(line) + at)]; };
    auto each = [&](int thread, int count, auto visit) __attribute__((always_inline)) {
      const int ofBlock = static_cast<int>(plan.linesOfBlock);
      for (int i = thread; i < ofBlock * count; i += threads) {
        int line = plan.stride == 1 ? i / count : i % ofBlock, at = plan.stride == 1 ? i % count : i / ofBlock;
        if (line < lines)
          visit(line, at);
      }
    };
    eachThread<threads>([&](int thread) __attribute__((always_inline)) {
      each(thread, pitch, [&](int line, int at) __attribute__((always_inline)) {
        word(line, at) = at < size ? make(firstLine + line, first + at) : ~W(0);
      });
    });
    auto hasChunk = [&](int thread) __attribute__((always_inline)) { return thread / chunksOfLine < lines; };
    eachThread<threads>([&](int thread) __attribute__((always_inline)) {
      if (!hasChunk(thread))
        return;
      int line = thread / chunksOfLine, at = thread % chunksOfLine * kChunk;
      W words[kChunk];
#pragma unroll
      for (int i = 0; i < kChunk; ++i)
        words[i] = word(line, at + i);
      sortRun(words);
#pragma unroll
      for (int i = 0; i < kChunk; ++i)
        word(line, at + i) = words[i];
    });
    for (int run = kChunk; run < pitch; run *= 2) {
      eachThread<threads>([&](int thread) __attribute__((always_inline)) {
        if (!hasChunk(thread))
          return;
        int line = thread / chunksOfLine, at = thread % chunksOfLine * kChunk, pair = at / (2 * run) * (2 * run);
        int both = static_cast<int>(least(2 * run, pitch - pair)), left = both < run ? both : run;
        mergeChunk(base(line), begins(line) + pair, left, both - left, at - pair, chunks.of(thread));
      });
      eachThread<threads>([&](int thread) __attribute__((always_inline)) {
        if (!hasChunk(thread))
          return;
        int line = thread / chunksOfLine, chunk = thread % chunksOfLine;
        putChunk(base(line), begins(line) / kChunk + chunk, begins(line) + pitch, chunks.of(thread));
      });
    }
    unwaited<threads>([&](int thread) __attribute__((always_inline)) {
      each(thread, kept,
           [&](int line, int at) __attribute__((always_inline)) { put(firstLine + line, tile, at, word(line, at)); });
    });
  }
}

/// The parameters of `sortTiles`: runs of a chunk each are sorted already.
struct TilePlan {
  int64_t length;   // of a line of words
  int64_t toLength; // of one of the result
  int64_t keep;     // words of each tile
  int64_t from, to; // in the scratch memory, the same if all are kept
  int64_t perLine;  // tiles
};

/// Sorts each tile of a line, of which the least words are kept; an item is one.
template <typename W> XLA_RT_INLINE void sortTiles(Parameters p, int64_t begin, int64_t end, void *scratch) {
  constexpr int threads = kTileThreads<W>;
  TilePlan plan;
  __builtin_memcpy(&plan, p, sizeof(plan));
  XLA_RT_SHARED(bytes, kTileBytes<W>);
  W *shared = reinterpret_cast<W *>(bytes);
  Own<Chunk<W>, threads> chunks;
  for (int64_t item = begin; item < end; ++item) {
    int64_t line = item / plan.perLine, tile = item % plan.perLine, first = tile * kMergeTile<W>;
    const W *from = reinterpret_cast<const W *>(bytesAt(scratch, plan.from)) + line * plan.length + first;
    W *to = reinterpret_cast<W *>(bytesAt(scratch, plan.to)) + line * plan.toLength + tile * plan.keep;
    int size = static_cast<int>(least(plan.length - first, kMergeTile<W>));
    eachThread<threads>([&](int thread) __attribute__((always_inline)) {
      for (int i = thread; i < size; i += threads)
        shared[padded<W>(i)] = from[i];
    });
    for (int run = kChunk; run < size; run *= 2) {
      eachThread<threads>([&](int thread) __attribute__((always_inline)) {
        int pair = thread * kChunk / (2 * run) * (2 * run), both = static_cast<int>(least(2 * run, size - pair));
        int left = both < run ? both : run;
        mergeChunk(shared, pair, left, both - left, thread * kChunk - pair, chunks.of(thread));
      });
      eachThread<threads>([&](int thread)
                              __attribute__((always_inline)) { putChunk(shared, thread, size, chunks.of(thread)); });
    }
    unwaited<threads>([&](int thread) __attribute__((always_inline)) {
      for (int i = thread; i < size && i < plan.keep; i += threads)
        to[i] = shared[padded<W>(i)];
    });
  }
}

/// The parameters of `mergeTiles`.
struct TileMergePlan {
  int64_t length; // of a line of words
  int64_t run;    // words that are sorted, whole tiles
  int64_t from, to;
  int64_t perLine; // tiles
};

/// Merges runs of a line in pairs; an item is a tile of the result. Where it begins and ends in the two runs, all
/// threads find together, each looking at one place of many.
template <typename W> XLA_RT_INLINE void mergeTiles(Parameters p, int64_t begin, int64_t end, void *scratch) {
  constexpr int threads = kTileThreads<W>, probes = threads / 2;
  TileMergePlan plan;
  __builtin_memcpy(&plan, p, sizeof(plan));
  XLA_RT_SHARED(bytes, kTileBytes<W>);
  XLA_RT_SHARED(boundBytes, 2 * 4 * sizeof(int64_t));
  W *shared = reinterpret_cast<W *>(bytes);
  // Twice, in turn: the least and the greatest place of the beginning, and those of the end.
  int64_t *bounds = reinterpret_cast<int64_t *>(boundBytes);
  Own<Chunk<W>, threads> chunks;
  for (int64_t item = begin; item < end; ++item) {
    int64_t line = item / plan.perLine, first = item % plan.perLine * kMergeTile<W>,
            pair = first / (2 * plan.run) * 2 * plan.run;
    const W *left = reinterpret_cast<const W *>(bytesAt(scratch, plan.from)) + line * plan.length + pair;
    W *to = reinterpret_cast<W *>(bytesAt(scratch, plan.to)) + line * plan.length + first;
    int64_t both = least(2 * plan.run, plan.length - pair), leftSize = least(plan.run, both),
            rightSize = both - leftSize;
    const W *right = left + leftSize;
    int64_t places[2] = {first - pair, least(first - pair + kMergeTile<W>, both)};
    eachThread<threads>([&](int thread) __attribute__((always_inline)) {
      if (thread % probes)
        return;
      int side = thread / probes;
      int64_t place = places[side];
      bounds[2 * side] = place > rightSize ? place - rightSize : 0;
      bounds[2 * side + 1] = least(place, leftSize);
    });
    int now = 0;
    while (bounds[now] < bounds[now + 1] || bounds[now + 2] < bounds[now + 3]) {
      int next = 4 - now;
      eachThread<threads>([&](int thread) __attribute__((always_inline)) {
        int side = thread / probes, probe = thread % probes;
        int64_t low = bounds[now + 2 * side], high = bounds[now + 2 * side + 1], place = places[side];
        int64_t step = (high - low + probes - 1) / probes;
        auto isBehind = [&](int64_t middle)
                            __attribute__((always_inline)) { return right[place - 1 - middle] < left[middle]; };
        int64_t here = low + probe * step, following = least(here + step, high);
        int64_t *result = bounds + next + 2 * side;
        if (low == high) {
          if (probe == 0)
            result[0] = result[1] = low;
          return;
        }
        if (here >= high)
          return;
        if (isBehind(here)) {
          if (probe == 0)
            result[0] = result[1] = low;
        } else if (following == high || isBehind(following)) {
          result[0] = here + 1;
          result[1] = following;
        }
      });
      now = next;
    }
    int64_t leftBegin = bounds[now], rightBegin = places[0] - leftBegin;
    int fromLeft = static_cast<int>(bounds[now + 2] - leftBegin), size = static_cast<int>(places[1] - places[0]);
    eachThread<threads>([&](int thread) __attribute__((always_inline)) {
      for (int i = thread; i < size; i += threads)
        shared[padded<W>(i)] = i < fromLeft ? left[leftBegin + i] : right[rightBegin + i - fromLeft];
    });
    eachThread<threads>([&](int thread) __attribute__((always_inline)) {
      mergeChunk(shared, 0, fromLeft, size - fromLeft, thread * kChunk, chunks.of(thread));
    });
    eachThread<threads>([&](int thread)
                            __attribute__((always_inline)) { putChunk(shared, thread, size, chunks.of(thread)); });
    unwaited<threads>([&](int thread) __attribute__((always_inline)) {
      for (int i = thread; i < size; i += threads)
        to[i] = shared[padded<W>(i)];
    });
  }
}

} // namespace xla_rt::device

#endif // MLIR_XLA_RUNTIME_CUDA_DEVICE_MERGE_H
