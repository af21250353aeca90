// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorting lines of words by digits, from the least significant one on, by blocks of threads. A pass has three steps:
// how often tiles have each digit, where the words of each tile and digit begin, and the words there. In a tile, words
// are sorted by their digit in shared memory, so that neighbours go to neighbours.

#ifndef MLIR_XLA_RUNTIME_CUDA_DEVICE_RADIX_H
#define MLIR_XLA_RUNTIME_CUDA_DEVICE_RADIX_H

#include "mlir_xla/runtime/cuda/device/Merge.h"

namespace xla_rt::device {

/// Digits of a pass at most, of which a block has one for each thread; and those by which a tile is sorted at a time.
constexpr int kDigitThreads = 256, kMostDigits = 256, kPartBits = 4, kPartDigits = 1 << kPartBits;
/// Digits of which a block finds the places, and parts of the tiles that its threads add up.
constexpr int kDigitsOfBlock = 32, kTileParts = kDigitThreads / kDigitsOfBlock;

/// Tiles of lines of words, and a digit of these.
struct DigitPlan {
  int64_t length;         // of a line of words
  int64_t perLine;        // tiles
  int64_t shift, bits;    // of the digit
  int64_t counts, totals; // in the scratch memory: of digits in each tile, then before it; and in each line

  int64_t digits() const { return int64_t(1) << bits; }
  template <typename W> XLA_RT_INLINE int digitOf(W word) const {
    return static_cast<int>((word >> shift) & static_cast<W>(digits() - 1));
  }
  /// Of digits that are wider than what is left of a word.
  template <typename W> XLA_RT_INLINE int partOf(W word, int64_t from, int64_t width) const {
    int64_t place = shift + from;
    return place < static_cast<int64_t>(8 * sizeof(W))
               ? static_cast<int>(word >> place & static_cast<W>((1 << width) - 1))
               : 0;
  }
  XLA_RT_INLINE uint32_t *countsOf(void *scratch, int64_t item) const {
    return reinterpret_cast<uint32_t *>(bytesAt(scratch, counts)) + item * digits();
  }
  XLA_RT_INLINE uint32_t *totalsOf(void *scratch, int64_t line) const {
    return reinterpret_cast<uint32_t *>(bytesAt(scratch, totals)) + line * digits();
  }
};

/// Counts the digits of tiles, whose words `read(line, at)` gives. An item is a tile.
template <typename W, typename Read>
XLA_RT_INLINE void countDigits(const DigitPlan &plan, int64_t begin, int64_t end, void *scratch, Read read) {
  XLA_RT_SHARED(bytes, kMostDigits * sizeof(uint32_t));
  uint32_t *counters = reinterpret_cast<uint32_t *>(bytes);
  const int digits = static_cast<int>(plan.digits());
  for (int64_t item = begin; item < end; ++item) {
    int64_t line = item / plan.perLine, first = item % plan.perLine * kMergeTile<W>;
    int size = static_cast<int>(least(plan.length - first, kMergeTile<W>));
    eachThread<kDigitThreads>([&](int thread) __attribute__((always_inline)) { counters[thread] = 0; });
    eachThread<kDigitThreads>([&](int thread) __attribute__((always_inline)) {
      W words[kChunk];
#pragma unroll
      for (int i = 0; i < kChunk; ++i) {
        int at = i * kDigitThreads + thread;
        words[i] = at < size ? read(line, first + at) : W(0);
      }
#pragma unroll
      for (int i = 0; i < kChunk; ++i)
        if (i * kDigitThreads + thread < size)
          __scoped_atomic_fetch_add(&counters[plan.digitOf(words[i])], 1u, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
    });
    unwaited<kDigitThreads>([&](int thread) __attribute__((always_inline)) {
      if (thread < digits)
        plan.countsOf(scratch, item)[thread] = counters[thread];
    });
  }
}

/// Where tiles' words of each digit begin among those of the line. An item is some digits of a line.
XLA_RT_INLINE void scanDigits(const DigitPlan &plan, int64_t begin, int64_t end, void *scratch) {
  XLA_RT_SHARED(bytes, kDigitThreads * sizeof(uint32_t));
  uint32_t *sums = reinterpret_cast<uint32_t *>(bytes);
  const int64_t digits = plan.digits(), groups = (digits + kDigitsOfBlock - 1) / kDigitsOfBlock;
  const int64_t share = (plan.perLine + kTileParts - 1) / kTileParts;
  for (int64_t item = begin; item < end; ++item) {
    int64_t line = item / groups;
    auto each = [&](int thread, auto visit) __attribute__((always_inline)) {
      int64_t digit = item % groups * kDigitsOfBlock + thread % kDigitsOfBlock;
      int64_t tile = thread / kDigitsOfBlock * share, stop = least(tile + share, plan.perLine);
      if (digit < digits)
        visit(plan.countsOf(scratch, line * plan.perLine) + digit, tile, stop);
    };
    eachThread<kDigitThreads>([&](int thread) __attribute__((always_inline)) {
      uint32_t sum = 0;
      each(thread, [&](uint32_t *counts, int64_t tile, int64_t stop) __attribute__((always_inline)) {
        for (; tile < stop; ++tile)
          sum += counts[tile * digits];
      });
      sums[thread] = sum;
    });
    unwaited<kDigitThreads>([&](int thread) __attribute__((always_inline)) {
      uint32_t before = 0, all = 0;
#pragma unroll
      for (int part = 0; part < kTileParts; ++part) {
        uint32_t sum = sums[part * kDigitsOfBlock + thread % kDigitsOfBlock];
        before += part < thread / kDigitsOfBlock ? sum : 0;
        all += sum;
      }
      each(thread, [&](uint32_t *counts, int64_t tile, int64_t stop) __attribute__((always_inline)) {
        if (thread < kDigitsOfBlock)
          plan.totalsOf(scratch, line)[item % groups * kDigitsOfBlock + thread] = all;
        for (; tile < stop; ++tile) {
          uint32_t count = counts[tile * digits];
          counts[tile * digits] = before;
          before += count;
        }
      });
    });
  }
}

/// Of each thread, the numbers that a block adds up: those of 16 bits are read several at a time.
struct Counts {
  uint64_t words[kPartDigits / 4];
  XLA_RT_INLINE uint32_t of(int i) const { return words[i / 4] >> (i % 4 * 16) & 0xffff; }
};

/// Of a thread: so many words of a tile, and the rank of each among the thread's with the same digit, in four bits.
template <typename W, int chunk> struct OwnWords {
  W words[chunk];
  uint64_t ranks;
};

/// What a block has in shared memory to sort a tile.
struct SortCells {
  uint16_t *cells; // kPartDigits * kDigitThreads
  uint32_t *sums;  // kDigitThreads
};

/// Sorts a tile in shared memory, which all threads have written, by `bits` of its words, of which `part(word, from,
/// width)` gives some. Words with the same ones stay in their order.
template <typename W, int chunk, typename Part>
XLA_RT_INLINE void sortTile(W *shared, SortCells memory, Own<OwnWords<W, chunk>, kDigitThreads> &own, int64_t bits,
                            Part part) {
  constexpr int threads = kDigitThreads;
  static_assert(chunk <= 16 && kPartBits == 4);
  uint16_t *cells = memory.cells;
  uint32_t *sums = memory.sums;
  for (int64_t from = 0; from < bits; from += kPartBits) {
    int64_t width = least(kPartBits, bits - from);
    eachThread<threads>([&](int thread) __attribute__((always_inline)) {
      OwnWords<W, chunk> &mine = own.of(thread);
      // Bytes: how many of the thread's words have each digit.
      uint64_t low = 0, high = 0;
      mine.ranks = 0;
#pragma unroll
      for (int i = 0; i < chunk; ++i) {
        W word = shared[padded<W>(thread * chunk + i)];
        int digit = part(word, from, width), byte = digit % 8 * 8;
        mine.words[i] = word;
        mine.ranks |= ((digit < 8 ? low : high) >> byte & 15) << (4 * i);
        low += digit < 8 ? uint64_t(1) << byte : 0;
        high += digit < 8 ? 0 : uint64_t(1) << byte;
      }
#pragma unroll
      for (int digit = 0; digit < kPartDigits; ++digit)
        cells[digit * threads + thread] = static_cast<uint16_t>((digit < 8 ? low : high) >> (digit % 8 * 8) & 255);
    });
    unwaited<threads>([&](int thread) __attribute__((always_inline)) {
      Counts counts = reinterpret_cast<const Counts *>(cells)[thread];
      uint64_t some = 0;
#pragma unroll
      for (int i = 0; i < kPartDigits / 4; ++i)
        some += counts.words[i];
      sums[thread] = (some & 0xffff) + (some >> 16 & 0xffff) + (some >> 32 & 0xffff) + (some >> 48);
    });
    addBefore<threads>(sums);
    eachThread<threads>([&](int thread) __attribute__((always_inline)) {
      Counts &counts = reinterpret_cast<Counts *>(cells)[thread], before = counts;
      uint64_t sum = sums[thread];
#pragma unroll
      for (int i = 0; i < kPartDigits; ++i) {
        uint64_t count = before.of(i);
        before.words[i / 4] += (sum - count) << (i % 4 * 16);
        sum += count;
      }
      counts = before;
    });
    eachThread<threads>([&](int thread) __attribute__((always_inline)) {
      const OwnWords<W, chunk> &mine = own.of(thread);
#pragma unroll
      for (int i = 0; i < chunk; ++i) {
        int cell = part(mine.words[i], from, width) * threads + thread;
        shared[padded<W>(cells[cell] + static_cast<int>(mine.ranks >> (4 * i) & 15))] = mine.words[i];
      }
    });
  }
}

/// Hands each word of a tile to `put(line, at, word)`, with its place in the line. An item is a tile.
template <typename W, typename Read, typename Put>
XLA_RT_INLINE void placeWords(const DigitPlan &plan, int64_t begin, int64_t end, void *scratch, Read read, Put put) {
  constexpr int threads = kDigitThreads;
  static_assert(kTileThreads<W> == threads && kMergeTile<W> == threads * kChunk);
  XLA_RT_SHARED(wordBytes, padded<W>(kMergeTile<W>) * sizeof(W));
  XLA_RT_SHARED(cellBytes, kPartDigits * threads * sizeof(uint16_t));
  XLA_RT_SHARED(sumBytes, 2 * threads * sizeof(uint32_t));
  XLA_RT_SHARED(placeBytes, 2 * kMostDigits * sizeof(uint32_t));
  W *shared = reinterpret_cast<W *>(wordBytes);
  uint16_t *cells = reinterpret_cast<uint16_t *>(cellBytes);
  uint32_t *sums = reinterpret_cast<uint32_t *>(sumBytes);
  uint32_t *places = reinterpret_cast<uint32_t *>(placeBytes), *starts = places + kMostDigits;
  Own<OwnWords<W, kChunk>, threads> own;
  const int digits = static_cast<int>(plan.digits());
  for (int64_t item = begin; item < end; ++item) {
    int64_t line = item / plan.perLine, first = item % plan.perLine * kMergeTile<W>;
    int size = static_cast<int>(least(plan.length - first, kMergeTile<W>));
    // What is behind the end has the last digit, and stays behind all that have it.
    unwaited<threads>([&](int thread) __attribute__((always_inline)) {
      sums[thread] = thread < digits ? plan.totalsOf(scratch, line)[thread] : 0;
#pragma unroll
      for (int i = 0; i < kChunk; ++i) {
        int at = i * threads + thread;
        shared[padded<W>(at)] = at < size ? read(line, first + at) : ~W(0);
      }
    });
    addBefore<threads>(sums);
    unwaited<threads>([&](int thread) __attribute__((always_inline)) {
      if (thread < digits)
        places[thread] = sums[thread] + plan.countsOf(scratch, item)[thread];
    });
    auto part = [&](W word, int64_t from, int64_t width)
                    __attribute__((always_inline)) { return plan.partOf(word, from, width); };
    sortTile<W, kChunk>(shared, {cells, sums}, own, plan.bits, part);
    eachThread<threads>([&](int thread) __attribute__((always_inline)) {
      for (int i = thread; i < size; i += threads) {
        int digit = plan.digitOf(shared[padded<W>(i)]);
        if (i == 0 || plan.digitOf(shared[padded<W>(i - 1)]) != digit)
          starts[digit] = i;
      }
    });
    unwaited<threads>([&](int thread) __attribute__((always_inline)) {
#pragma unroll
      for (int i = 0; i < kChunk; ++i) {
        int at = i * threads + thread;
        W word = shared[padded<W>(at)];
        int digit = plan.digitOf(word);
        if (at < size)
          put(line, static_cast<int64_t>(places[digit]) + at - starts[digit], word);
      }
    });
  }
}

} // namespace xla_rt::device

#endif // MLIR_XLA_RUNTIME_CUDA_DEVICE_RADIX_H
