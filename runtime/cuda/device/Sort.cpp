// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorting lines of arrays by keys, and the first elements of lines. As on the CPU (runtime/library/sort/), every
// element becomes a word, an unsigned integer that holds its keys and, below them, its position. Blocks of threads make
// and sort the words of lines in shared memory (Merge.h), and gather the elements by the positions in the words. Of
// long lines they sort tiles, which are merged in pairs, step by step, and elements are gathered at last, or they sort
// by digits (Radix.h), where these are few for the length. If keys are sorted by in turn, or if few elements are
// wanted, the words of short runs are sorted in registers when they are made; where these are merged by threads, there
// are as many as chunks of the result, and each finds by bisection where in the two runs its chunk begins.

#include "mlir_xla/runtime/cuda/device/Radix.h"
#include "mlir_xla/runtime/library/sort/SortKeys.h"

namespace xla_rt::device {
namespace {

using Word16 = unsigned __int128;

/// Words of 16 bytes have 64 bits of keys, the position in the order so far, and the element's position.
template <typename W> constexpr bool isWide = sizeof(W) == 16;
constexpr unsigned kPositionBits = 32;

/// Threads of a block that has a line to itself when few of its words are left.
constexpr int kFinishTeam = 128;
/// Words that a thread sorts in registers.
constexpr int kRun = kChunk;

template <typename W> XLA_RT_INLINE W *wordsAt(void *scratch, int64_t offset) {
  return reinterpret_cast<W *>(bytesAt(scratch, offset));
}

/// The least half of two sorted runs, sorted.
template <typename W> XLA_RT_INLINE void keepLeast(W (&best)[kRun], const W (&other)[kRun]) {
#pragma unroll
  for (int i = 0; i < kRun; ++i)
    best[i] = best[i] < other[kRun - 1 - i] ? best[i] : other[kRun - 1 - i];
#pragma unroll
  for (int step = kRun / 2; step >= 1; step /= 2)
#pragma unroll
    for (int i = 0; i < kRun; ++i)
      if (!(i & step))
        order(best[i], best[i + step]);
}

/// What a thread does that looks at a few runs of a line of words and keeps their least words, sorted.
struct Selection {
  int64_t length;     // of a line of words
  int64_t toLength;   // of one of the result
  int64_t runsOfItem; // runs that a thread looks at, which need not be sorted
  int64_t keep;       // words that it writes, at most as many as a run has
  int64_t to;
  int64_t items; // of a line
  // Whether neighbours in memory are neighbouring items', rather than one item's. Then all write as many words, some of
  // which may be greater than those there are.
  int64_t isDealt;
};

/// `load(words, line, at, apart, count)` fills in the first words of a run, which are so far apart in a line from `at`
/// on.
template <typename W, typename Function>
XLA_RT_INLINE void selectLeast(const Selection &plan, int64_t begin, int64_t end, void *scratch, Function load) {
  const int64_t apart = plan.isDealt ? plan.items : 1;
  for (int64_t item = begin; item < end; ++item) {
    int64_t part = item % plan.items, line = item / plan.items;
    int64_t first = plan.isDealt ? part : part * plan.runsOfItem * kRun;
    W best[kRun], next[kRun];
    for (int64_t run = 0; run < plan.runsOfItem; ++run) {
      int64_t at = first + run * kRun * apart;
#pragma unroll
      for (int i = 0; i < kRun; ++i)
        next[i] = ~W(0);
      load(next, line, at, apart, (plan.length - at + apart - 1) / apart);
      sortRun(next);
      if (run > 0) {
        keepLeast(best, next);
        continue;
      }
#pragma unroll
      for (int i = 0; i < kRun; ++i)
        best[i] = next[i];
    }
    W *to = wordsAt<W>(scratch, plan.to) + line * plan.toLength + (plan.isDealt ? part : part * plan.keep);
    int64_t count = plan.isDealt ? plan.keep : least(plan.keep, plan.toLength - part * plan.keep);
#pragma unroll
    for (int i = 0; i < kRun; ++i)
      if (i < count)
        to[i * apart] = best[i];
  }
}

/// Lines of elements in an array.
struct Lines {
  int64_t length, stride;
  int64_t begin(int64_t line) const { return line / stride * length * stride + line % stride; }
};

/// Appends the keys of `elements` of an array to what there is of the words.
template <typename T>
XLA_RT_INLINE void appendKey(const Key &key, const void *buffer, const int64_t (&elements)[kRun], int64_t count,
                             uint64_t (&bits)[kRun]) {
  const T flip = key.flip<T>();
#pragma unroll
  for (int i = 0; i < kRun; ++i)
    if (i < count)
      bits[i] = bits[i] << (key.bits & 63) |
                key.map<T>(static_cast<const T *>(buffer)[elements[i]], static_cast<Order>(key.order), flip);
}

XLA_RT_INLINE void appendKey(const Key &key, Buffers buffers, const int64_t (&elements)[kRun], int64_t count,
                             uint64_t (&bits)[kRun]) {
  const void *buffer = buffers[key.buffer];
  switch (key.bytes) {
  case 1:
    return appendKey<uint8_t>(key, buffer, elements, count, bits);
  case 2:
    return appendKey<uint16_t>(key, buffer, elements, count, bits);
  case 4:
    return appendKey<uint32_t>(key, buffer, elements, count, bits);
  default:
    return appendKey<uint64_t>(key, buffer, elements, count, bits);
  }
}

/// The parameters of `pack`.
struct PackPlan {
  Selection selection;
  int64_t stride;
  int64_t from; // the sorted words of less significant keys in the scratch memory; -1 without
  int64_t indexBits;
  int64_t numKeys;
};
constexpr int64_t kPackParameters = sizeof(PackPlan) / sizeof(int64_t);

/// keys -> words
template <typename W>
XLA_RT_INLINE void pack(Parameters p, Buffers buffers, int64_t begin, int64_t end, void *scratch) {
  PackPlan plan;
  __builtin_memcpy(&plan, p, sizeof(plan));
  // What loops over them is unrolled where parameters are constants, and none are in memory.
  const Key *keys = reinterpret_cast<const Key *>(p + kPackParameters);
  Lines lines{plan.selection.length, plan.stride};
  selectLeast<W>(
      plan.selection, begin, end, scratch,
      [&](W(&words)[kRun], int64_t line, int64_t at, int64_t apart, int64_t count) __attribute__((always_inline)) {
        uint64_t positions[kRun] = {}, bits[kRun] = {};
        int64_t elements[kRun] = {};
#pragma unroll
        for (int i = 0; i < kRun; ++i)
          if (i < count) {
            positions[i] = at + i * apart;
            if (isWide<W> && plan.from >= 0)
              positions[i] =
                  static_cast<uint32_t>(wordsAt<W>(scratch, plan.from)[line * lines.length + at + i * apart]);
            elements[i] = lines.begin(line) + positions[i] * plan.stride;
          }
#pragma unroll
        for (int64_t k = 0; k < plan.numKeys; ++k)
          appendKey(keys[k], buffers, elements, count, bits);
#pragma unroll
        for (int i = 0; i < kRun; ++i) {
          if (i >= count)
            continue;
          if constexpr (isWide<W>)
            words[i] = static_cast<W>(bits[i]) << 64 |
                       static_cast<W>(static_cast<uint64_t>(at + i * apart) << kPositionBits | positions[i]);
          else
            words[i] = static_cast<W>(plan.indexBits ? bits[i] << plan.indexBits | positions[i] : bits[i]);
        }
      });
}

/// The parameters of `select`.
struct SelectPlan {
  Selection selection;
  int64_t from;
};
constexpr int64_t kSelectParameters = sizeof(SelectPlan) / sizeof(int64_t);

/// words -> fewer words
template <typename W> XLA_RT_INLINE void select(Parameters p, int64_t begin, int64_t end, void *scratch) {
  SelectPlan plan;
  __builtin_memcpy(&plan, p, sizeof(plan));
  const W *from = wordsAt<W>(scratch, plan.from);
  selectLeast<W>(plan.selection, begin, end, scratch,
                 [&](W(&words)[kRun], int64_t line, int64_t at, int64_t apart, int64_t count)
                     __attribute__((always_inline)) {
#pragma unroll
                       for (int i = 0; i < kRun; ++i)
                         if (i < count)
                           words[i] = from[line * plan.selection.length + at + i * apart];
                     });
}

/// The parameters of `merge`.
struct MergePlan {
  int64_t length;   // of a line of words
  int64_t toLength; // of one of the result
  int64_t run;      // words that are sorted
  int64_t keep;     // words of each merged pair of runs
  int64_t from, to;
  int64_t chunks; // of a pair
  int64_t items;  // of a line
};

template <typename W> XLA_RT_INLINE void merge(Parameters p, int64_t begin, int64_t end, void *scratch) {
  MergePlan plan;
  __builtin_memcpy(&plan, p, sizeof(plan));
  for (int64_t item = begin; item < end; ++item) {
    int64_t line = item / plan.items, rest = item % plan.items;
    int64_t pair = rest / plan.chunks, place = rest % plan.chunks * kChunk;
    int64_t pairBegin = pair * 2 * plan.run, size = least(2 * plan.run, plan.length - pairBegin);
    int64_t leftSize = least(plan.run, size), rightSize = size - leftSize, wanted = least(plan.keep, size);
    const W *left = wordsAt<W>(scratch, plan.from) + line * plan.length + pairBegin, *right = left + leftSize;
    W *to = wordsAt<W>(scratch, plan.to) + line * plan.toLength + pair * plan.keep;
    if (place >= wanted)
      continue;
    // Of the first `place` words of the result, so many are of the left run.
    int64_t low = place > rightSize ? place - rightSize : 0, high = least(place, leftSize);
    while (low < high) {
      int64_t middle = low + (high - low) / 2;
      if (right[place - 1 - middle] < left[middle])
        high = middle;
      else
        low = middle + 1;
    }
    int64_t l = low, r = place - low, stop = least(place + kChunk, wanted);
    W x = l < leftSize ? left[l] : W(0), y = r < rightSize ? right[r] : W(0);
    for (; place < stop; ++place) {
      bool isLeft = l < leftSize && (r >= rightSize || !(y < x));
      to[place] = isLeft ? x : y;
      if (isLeft)
        x = ++l < leftSize ? left[l] : W(0);
      else
        y = ++r < rightSize ? right[r] : W(0);
    }
  }
}

/// An array of a result. Its source is a buffer, or -1 for the positions themselves.
struct Output {
  int64_t source, bytes, result;
};

/// How results are made of words.
struct ResultPlan {
  int64_t length, stride; // of lines of the sources
  int64_t count;          // of those of the results
  int64_t indexBits;      // 0: the only result is what the words say
  int64_t numOutputs;
  Key key; // of that
};

struct alignas(8) Element16 {
  uint64_t parts[2];
};

template <typename T>
XLA_RT_INLINE void copyElement(const Output &output, Buffers buffers, int64_t from, int64_t to, uint64_t position) {
  T *result = static_cast<T *>(buffers[output.result]);
  if constexpr (sizeof(T) <= 8)
    result[to] = output.source < 0 ? static_cast<T>(position) : static_cast<const T *>(buffers[output.source])[from];
  else
    result[to] = static_cast<const T *>(buffers[output.source])[from];
}

template <typename W> XLA_RT_INLINE void unmapWord(const ResultPlan &plan, void *buffer, int64_t to, W word) {
  auto as = [&](auto zero) __attribute__((always_inline)) {
    using T = decltype(zero);
    static_cast<T *>(buffer)[to] =
        plan.key.unmap<T>(static_cast<T>(word), static_cast<Order>(plan.key.order), plan.key.flip<T>());
  };
  switch (plan.key.bytes) {
  case 1:
    return as(uint8_t(0));
  case 2:
    return as(uint16_t(0));
  case 4:
    return as(uint32_t(0));
  default:
    return as(uint64_t(0));
  }
}

/// Makes the element `i` of a line of the results.
template <typename W>
XLA_RT_INLINE void putResults(const ResultPlan &plan, const Output *outputs, Buffers buffers, int64_t line, int64_t i,
                              W word) {
  Lines from{plan.length, plan.stride}, to{plan.count, plan.stride};
  int64_t place = to.begin(line) + i * plan.stride;
  if (plan.indexBits == 0)
    return unmapWord(plan, buffers[outputs->result], place, word);
  uint64_t position = static_cast<uint64_t>(word & ((W(1) << plan.indexBits) - 1));
  int64_t source = from.begin(line) + position * plan.stride;
#pragma unroll
  for (int64_t k = 0; k < plan.numOutputs; ++k) {
    const Output &output = outputs[k];
    switch (output.bytes) {
    case 1:
      copyElement<uint8_t>(output, buffers, source, place, position);
      break;
    case 2:
      copyElement<uint16_t>(output, buffers, source, place, position);
      break;
    case 4:
      copyElement<uint32_t>(output, buffers, source, place, position);
      break;
    case 8:
      copyElement<uint64_t>(output, buffers, source, place, position);
      break;
    default:
      copyElement<Element16>(output, buffers, source, place, position);
    }
  }
}

/// The parameters of `unpack`.
struct UnpackPlan {
  ResultPlan results;
  int64_t wordLength; // of a line of words
  int64_t from;
};
constexpr int64_t kUnpackParameters = sizeof(UnpackPlan) / sizeof(int64_t);

/// Makes the element `i` of a line of the results.
template <typename W>
XLA_RT_INLINE void unpackElement(Parameters p, Buffers buffers, void *scratch, int64_t line, int64_t i) {
  UnpackPlan plan;
  __builtin_memcpy(&plan, p, sizeof(plan));
  const Output *outputs = reinterpret_cast<const Output *>(p + kUnpackParameters);
  W word = wordsAt<W>(scratch, plan.from)[line * plan.wordLength + i];
  putResults(plan.results, outputs, buffers, line, i, word);
}

/// An item is an element of a line of the result.
template <typename W>
XLA_RT_INLINE void unpack(Parameters p, Buffers buffers, int64_t begin, int64_t end, void *scratch) {
  UnpackPlan plan;
  __builtin_memcpy(&plan, p, sizeof(plan));
  int64_t stride = plan.results.stride, count = plan.results.count;
  for (int64_t item = begin; item < end; ++item) {
    // Neighbouring items are neighbours in the results.
    int64_t i = item / stride % count, line = item / stride / count * stride + item % stride;
    unpackElement<W>(p, buffers, scratch, line, i);
  }
}

/// The last steps of a line: its words become fewer, and results. An item is a line, which a block has to itself. The
/// parameters are the number of selections, theirs, and those of `unpack`.
template <typename W>
XLA_RT_INLINE void finish(Parameters p, Buffers buffers, int64_t begin, int64_t end, void *scratch) {
  constexpr int threads = kFinishTeam;
  int64_t selections = p[0];
  Parameters ofUnpack = p + 1 + selections * kSelectParameters;
  UnpackPlan last;
  __builtin_memcpy(&last, ofUnpack, sizeof(last));
  for (int64_t line = begin; line < end; ++line) {
#pragma unroll
    for (int64_t number = 0; number < selections; ++number) {
      Parameters ofSelect = p + 1 + number * kSelectParameters;
      SelectPlan plan;
      __builtin_memcpy(&plan, ofSelect, sizeof(plan));
      eachThread<threads>([&](int thread) __attribute__((always_inline)) {
        for (int64_t part = thread; part < plan.selection.items; part += threads) {
          int64_t item = line * plan.selection.items + part;
          select<W>(ofSelect, item, item + 1, scratch);
        }
      });
    }
    unwaited<threads>([&](int thread) __attribute__((always_inline)) {
      for (int64_t i = thread; i < last.results.count; i += threads)
        unpackElement<W>(ofUnpack, buffers, scratch, line, i);
    });
  }
}

/// The parameters of `lines`, behind which are the keys and the outputs.
struct LineSortPlan {
  LinePlan lines;
  int64_t to;        // in the scratch memory, where words go; -1: results are made of them
  int64_t toLength;  // of a line of words
  int64_t indexBits; // of words
  int64_t numKeys;
  ResultPlan results;
};
constexpr int64_t kLineParameters = sizeof(LineSortPlan) / sizeof(int64_t);

template <typename T> XLA_RT_INLINE uint64_t keyOf(const Key &key, const void *buffer, int64_t element) {
  return key.map<T>(static_cast<const T *>(buffer)[element], static_cast<Order>(key.order), key.flip<T>());
}

XLA_RT_INLINE uint64_t keyOf(const Key &key, Buffers buffers, int64_t element) {
  const void *buffer = buffers[key.buffer];
  switch (key.bytes) {
  case 1:
    return keyOf<uint8_t>(key, buffer, element);
  case 2:
    return keyOf<uint16_t>(key, buffer, element);
  case 4:
    return keyOf<uint32_t>(key, buffer, element);
  default:
    return keyOf<uint64_t>(key, buffer, element);
  }
}

/// Of the keys of an element, which is at a place of its line.
template <typename W>
XLA_RT_INLINE W makeWord(const Key *keys, int64_t numKeys, int64_t indexBits, Buffers buffers, int64_t element,
                         int64_t at) {
  uint64_t bits = 0;
#pragma unroll
  for (int64_t k = 0; k < numKeys; ++k)
    bits = bits << (keys[k].bits & 63) | keyOf(keys[k], buffers, element);
  if constexpr (isWide<W>)
    return static_cast<W>(bits) << 64 | static_cast<W>(static_cast<uint64_t>(at) << kPositionBits | at);
  else
    return static_cast<W>(indexBits ? bits << indexBits | at : bits);
}

/// keys -> sorted words, or results
template <typename W>
XLA_RT_INLINE void lines(Parameters p, Buffers buffers, int64_t begin, int64_t end, void *scratch) {
  LineSortPlan plan;
  __builtin_memcpy(&plan, p, sizeof(plan));
  const Key *keys = reinterpret_cast<const Key *>(p + kLineParameters);
  const Output *outputs = reinterpret_cast<const Output *>(keys + plan.numKeys);
  Lines from{plan.lines.length, plan.lines.stride};
  auto make = [&](int64_t line, int64_t at) __attribute__((always_inline)) {
    return makeWord<W>(keys, plan.numKeys, plan.indexBits, buffers, from.begin(line) + at * from.stride, at);
  };
  auto put = [&](int64_t line, int64_t tile, int at, W word) __attribute__((always_inline)) {
    if (plan.to < 0)
      putResults(plan.results, outputs, buffers, line, at, word);
    else
      wordsAt<W>(scratch, plan.to)[line * plan.toLength + tile * plan.lines.keep + at] = word;
  };
  sortLines<W>(plan.lines, begin, end, make, put);
}

/// The parameters of `count` and `place`, behind which are the keys and the outputs. Lines are rows.
struct DigitSortPlan {
  DigitPlan digits;
  int64_t from, to;  // in the scratch memory; -1: the words are made of keys, or results of them
  int64_t indexBits; // of words
  int64_t numKeys;
  ResultPlan results;
};
constexpr int64_t kDigitParameters = sizeof(DigitSortPlan) / sizeof(int64_t);

template <typename W>
XLA_RT_INLINE W readWord(const DigitSortPlan &plan, const Key *keys, Buffers buffers, void *scratch, int64_t line,
                         int64_t at) {
  int64_t element = line * plan.digits.length + at;
  if (plan.from >= 0)
    return wordsAt<W>(scratch, plan.from)[element];
  return makeWord<W>(keys, plan.numKeys, plan.indexBits, buffers, element, at);
}

/// keys or words -> numbers of digits
template <typename W>
XLA_RT_INLINE void count(Parameters p, Buffers buffers, int64_t begin, int64_t end, void *scratch) {
  DigitSortPlan plan;
  __builtin_memcpy(&plan, p, sizeof(plan));
  const Key *keys = reinterpret_cast<const Key *>(p + kDigitParameters);
  countDigits<W>(plan.digits, begin, end, scratch, [&](int64_t line, int64_t at) __attribute__((always_inline)) {
    return readWord<W>(plan, keys, buffers, scratch, line, at);
  });
}

/// keys or words -> words in the order of a digit, or results
template <typename W>
XLA_RT_INLINE void place(Parameters p, Buffers buffers, int64_t begin, int64_t end, void *scratch) {
  DigitSortPlan plan;
  __builtin_memcpy(&plan, p, sizeof(plan));
  const Key *keys = reinterpret_cast<const Key *>(p + kDigitParameters);
  const Output *outputs = reinterpret_cast<const Output *>(keys + plan.numKeys);
  placeWords<W>(
      plan.digits, begin, end, scratch,
      [&](int64_t line, int64_t at)
          __attribute__((always_inline)) { return readWord<W>(plan, keys, buffers, scratch, line, at); },
      [&](int64_t line, int64_t at, W word) __attribute__((always_inline)) {
        if (plan.to < 0)
          putResults(plan.results, outputs, buffers, line, at, word);
        else
          wordsAt<W>(scratch, plan.to)[line * plan.digits.length + at] = word;
      });
}

} // namespace
} // namespace xla_rt::device

XLA_RT_DEVICE void xla_rt_gpu_sort_scan(const int64_t *parameters, void *const *, int64_t begin, int64_t end,
                                        void *scratch) {
  xla_rt::device::DigitPlan plan;
  __builtin_memcpy(&plan, parameters, sizeof(plan));
  xla_rt::device::scanDigits(plan, begin, end, scratch);
}

#define XLA_RT_SORT_DIGITS(BYTES, WORD)                                                                                \
  XLA_RT_DEVICE void xla_rt_gpu_sort_count_##BYTES(const int64_t *parameters, void *const *buffers, int64_t begin,     \
                                                   int64_t end, void *scratch) {                                       \
    xla_rt::device::count<WORD>(parameters, buffers, begin, end, scratch);                                             \
  }                                                                                                                    \
  XLA_RT_DEVICE void xla_rt_gpu_sort_place_##BYTES(const int64_t *parameters, void *const *buffers, int64_t begin,     \
                                                   int64_t end, void *scratch) {                                       \
    xla_rt::device::place<WORD>(parameters, buffers, begin, end, scratch);                                             \
  }
XLA_RT_SORT_DIGITS(4, uint32_t)
XLA_RT_SORT_DIGITS(8, uint64_t)

#define XLA_RT_SORT(BYTES, WORD)                                                                                       \
  XLA_RT_DEVICE void xla_rt_gpu_sort_pack_##BYTES(const int64_t *parameters, void *const *buffers, int64_t begin,      \
                                                  int64_t end, void *scratch) {                                        \
    xla_rt::device::pack<WORD>(parameters, buffers, begin, end, scratch);                                              \
  }                                                                                                                    \
  XLA_RT_DEVICE void xla_rt_gpu_sort_select_##BYTES(const int64_t *parameters, void *const *, int64_t begin,           \
                                                    int64_t end, void *scratch) {                                      \
    xla_rt::device::select<WORD>(parameters, begin, end, scratch);                                                     \
  }                                                                                                                    \
  XLA_RT_DEVICE void xla_rt_gpu_sort_merge_##BYTES(const int64_t *parameters, void *const *, int64_t begin,            \
                                                   int64_t end, void *scratch) {                                       \
    xla_rt::device::merge<WORD>(parameters, begin, end, scratch);                                                      \
  }                                                                                                                    \
  XLA_RT_DEVICE void xla_rt_gpu_sort_tiles_##BYTES(const int64_t *parameters, void *const *, int64_t begin,            \
                                                   int64_t end, void *scratch) {                                       \
    xla_rt::device::sortTiles<WORD>(parameters, begin, end, scratch);                                                  \
  }                                                                                                                    \
  XLA_RT_DEVICE void xla_rt_gpu_sort_merge_tiles_##BYTES(const int64_t *parameters, void *const *, int64_t begin,      \
                                                         int64_t end, void *scratch) {                                 \
    xla_rt::device::mergeTiles<WORD>(parameters, begin, end, scratch);                                                 \
  }                                                                                                                    \
  XLA_RT_DEVICE void xla_rt_gpu_sort_lines_##BYTES(const int64_t *parameters, void *const *buffers, int64_t begin,     \
                                                   int64_t end, void *scratch) {                                       \
    xla_rt::device::lines<WORD>(parameters, buffers, begin, end, scratch);                                             \
  }                                                                                                                    \
  XLA_RT_DEVICE void xla_rt_gpu_sort_unpack_##BYTES(const int64_t *parameters, void *const *buffers, int64_t begin,    \
                                                    int64_t end, void *scratch) {                                      \
    xla_rt::device::unpack<WORD>(parameters, buffers, begin, end, scratch);                                            \
  }                                                                                                                    \
  XLA_RT_DEVICE void xla_rt_gpu_sort_finish_##BYTES(const int64_t *parameters, void *const *buffers, int64_t begin,    \
                                                    int64_t end, void *scratch) {                                      \
    xla_rt::device::finish<WORD>(parameters, buffers, begin, end, scratch);                                            \
  }
XLA_RT_SORT(4, uint32_t)
XLA_RT_SORT(8, uint64_t)
XLA_RT_SORT(16, xla_rt::device::Word16)
