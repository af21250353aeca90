// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Making, sorting and reading words. Long rows of words are sorted by digits where these are few, and otherwise by
// Highway's vqsort, whose functions for floats lose NaN and infinity and which does not keep the order of equals: hence
// unsigned integers with positions.

#include "mlir_xla/runtime/library/sort/SortWords.h"
#include "mlir_xla/runtime/xla_rt.h"

#include "hwy/contrib/sort/vqsort.h"

#include <algorithm>
#include <cstring>
#include <utility>

using namespace xla_rt;

namespace {
template <typename T, typename W, Order order, bool first> XLA_RT_INLINE void packOrder(PackArgs &a) {
  const Key key = *a.key;
  const T *source = static_cast<const T *>(a.source);
  W *words = static_cast<W *>(a.words);
  const T flip = key.flip<T>();
  const unsigned shift = first ? 0 : key.bits, indexBits = a.indexBits;
  const W position = a.isLast && indexBits ? 1 : 0;
  const int64_t length = a.length, firstIndex = a.firstIndex;
  T special = 0;
  auto word = [&](int64_t i, T x, W before) __attribute__((always_inline)) -> W {
    T mapped = key.map<T>(x, order, flip);
    if (order == Number)
      special |= key.unmap<T>(mapped, order, flip) ^ x;
    W high = first ? W(mapped) : (before << shift) | (W(mapped) << indexBits);
    if (first)
      high = high << indexBits;
    return high | position * static_cast<W>(firstIndex + i);
  };
  if (a.permutation) {
    for (int64_t i = 0; i < length; ++i)
      words[i] = word(i, source[a.permutation[i] * a.sourceStride], first ? W(0) : words[i]);
  } else if (a.sourceStride == 1 && a.wordStride == 1) {
#pragma clang loop vectorize(assume_safety)
    for (int64_t i = 0; i < length; ++i)
      words[i] = word(i, source[i], first ? W(0) : words[i]);
  } else {
    for (int64_t i = 0; i < length; ++i)
      words[i * a.wordStride] = word(i, source[i * a.sourceStride], first ? W(0) : words[i * a.wordStride]);
  }
  a.special |= special != 0;
}

template <typename T, typename W, bool first> XLA_RT_INLINE void packKey(PackArgs &a) {
  switch (a.key->order) {
  case Unsigned:
  case Signed:
    return packOrder<T, W, Unsigned, first>(a);
  case Total:
    return packOrder<T, W, Total, first>(a);
  default:
    return packOrder<T, W, Number, first>(a);
  }
}

template <typename W> XLA_RT_INLINE void packWord(PackArgs &a) {
  switch (a.key->bytes) {
  case 1:
    return a.isFirst ? packKey<uint8_t, W, true>(a) : packKey<uint8_t, W, false>(a);
  case 2:
    return a.isFirst ? packKey<uint16_t, W, true>(a) : packKey<uint16_t, W, false>(a);
  case 4:
    return a.isFirst ? packKey<uint32_t, W, true>(a) : packKey<uint32_t, W, false>(a);
  default:
    // A key is never wider than its word.
    if constexpr (sizeof(W) >= 8)
      return a.isFirst ? packKey<uint64_t, W, true>(a) : packKey<uint64_t, W, false>(a);
  }
}

XLA_RT_INLINE void packLoops(PackArgs &a) {
  switch (a.wordBytes) {
  case 4:
    return packWord<uint32_t>(a);
  case 8:
    return packWord<uint64_t>(a);
  default:
    return packWord<U128>(a);
  }
}
// Processors without AVX2 have no vectors for some of these words, and do without.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpass-failed"
XLA_RT_VARIANTS(pack, PackArgs)
#pragma clang diagnostic pop

template <typename T, typename W, Order order> XLA_RT_INLINE void unpackOrder(UnpackArgs &a) {
  const Key key = *a.key;
  const W *words = static_cast<const W *>(a.words);
  T *result = static_cast<T *>(a.result);
  const T flip = key.flip<T>();
  const int64_t length = a.length;
  if (a.wordStride == 1 && a.resultStride == 1) {
#pragma clang loop vectorize(assume_safety)
    for (int64_t i = 0; i < length; ++i)
      result[i] = key.unmap<T>(static_cast<T>(words[i]), order, flip);
  } else {
    for (int64_t i = 0; i < length; ++i)
      result[i * a.resultStride] = key.unmap<T>(static_cast<T>(words[i * a.wordStride]), order, flip);
  }
}

template <typename T, typename W> XLA_RT_INLINE void unpackKey(UnpackArgs &a) {
  a.key->order < Total ? unpackOrder<T, W, Unsigned>(a) : unpackOrder<T, W, Total>(a);
}

XLA_RT_INLINE void unpackLoops(UnpackArgs &a) {
  switch (a.key->bytes) {
  case 1:
    return unpackKey<uint8_t, uint32_t>(a);
  case 2:
    return unpackKey<uint16_t, uint32_t>(a);
  case 4:
    return unpackKey<uint32_t, uint32_t>(a);
  default:
    return unpackKey<uint64_t, uint64_t>(a);
  }
}
XLA_RT_VARIANTS(unpack, UnpackArgs)

//===- Sorting words ----------------------------------------------------------------------------------------------===//

template <typename W> XLA_RT_INLINE void networkOf(NetworkArgs &a) {
  constexpr int64_t lanes = 64 / sizeof(W);
  W *words = static_cast<W *>(a.words);
  const int64_t length = a.length;
  // Batcher's odd-even merge sort: runs of `run` are merged; `step` apart are the halves that a step compares.
  for (int64_t run = 1; run < length; run *= 2)
    for (int64_t step = run; step >= 1; step /= 2)
      for (int64_t first = step % run; first + step < length; first += 2 * step) {
        if (first / (2 * run) != (first + step) / (2 * run))
          continue;
        int64_t count = std::min(step, length - first - step) * lanes;
        W *__restrict__ left = words + first * lanes, *__restrict__ right = left + step * lanes;
        for (int64_t i = 0; i < count; ++i) {
          W x = left[i], y = right[i];
          left[i] = x < y ? x : y;
          right[i] = x < y ? y : x;
        }
      }
}

XLA_RT_INLINE void networkLoops(NetworkArgs &a) { a.wordBytes == 4 ? networkOf<uint32_t>(a) : networkOf<uint64_t>(a); }
XLA_RT_VARIANTS(network, NetworkArgs)

/// Lines of words that vqsort takes half a microsecond to begin with.
template <typename W> void insertionSort(W *words, int64_t length) {
  for (int64_t i = 1; i < length; ++i) {
    W word = words[i];
    int64_t j = i;
    for (; j > 0 && word < words[j - 1]; --j)
      words[j] = words[j - 1];
    words[j] = word;
  }
}

#if defined(__x86_64__)
/// Vectors of 512 bits, by which vqsort takes 6 to 8 ns for a word of a line; by others it takes 10.
bool hasLongVectors() {
  static const bool has = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl");
  return has;
}
#else
bool hasLongVectors() { return false; }
#endif

/// Lengths that are sorted by digits, from the least significant on. Shorter lines do not pay for the counts of 2^11
/// digits, longer ones and what they go to are in no cache. Where vectors are short, shorter lines pay for those of
/// 2^8.
constexpr int64_t kLeastByDigits = 2048, kMostByDigits = 1 << 20, kLeastByShortDigits = 256;
constexpr unsigned kDigitBits = 11, kMostDigits = 3, kShortDigitBits = 8, kMostShortDigits = 4;

struct DigitsArgs {
  void *words, *other; // memory for as many words; result: `words` are those that are sorted
  int64_t length, wordBytes;
  int64_t indexBits; // at the end of a word, which are not compared
  bool isSorted;     // result: false if that would be too many digits
};

template <typename W, unsigned digits, unsigned digitBits>
XLA_RT_INLINE void sortDigits(DigitsArgs &a, W least, unsigned bits) {
  W *words = static_cast<W *>(a.words), *other = static_cast<W *>(a.other);
  const int64_t length = a.length;
  const unsigned indexBits = a.indexBits;
  constexpr int64_t values = 1 << digitBits;
  const W mask = static_cast<W>((W(1) << bits) - 1);
  uint32_t places[digits][values] = {};
  for (int64_t i = 0; i < length; ++i) {
    W key = static_cast<W>((words[i] >> indexBits) - least);
    for (unsigned digit = 0; digit < digits; ++digit)
      ++places[digit][(key >> (digit * bits)) & mask];
  }
  for (unsigned digit = 0; digit < digits; ++digit) {
    uint32_t place = 0;
    for (W value = 0; value <= mask; ++value)
      place += std::exchange(places[digit][value], place);
    for (int64_t i = 0; i < length; ++i) {
      W word = words[i], key = static_cast<W>((word >> indexBits) - least);
      other[places[digit][(key >> (digit * bits)) & mask]++] = word;
    }
    std::swap(words, other);
  }
  a.words = words;
  a.other = other;
}

/// Digits of the difference from the least key, so that lines whose keys are near each other have few.
template <typename W> XLA_RT_INLINE void digitsOf(DigitsArgs &a) {
  const W *words = static_cast<const W *>(a.words);
  W least = words[0], greatest = words[0];
  for (int64_t i = 0; i < a.length; ++i) {
    least = std::min(least, words[i]);
    greatest = std::max(greatest, words[i]);
  }
  least >>= a.indexBits;
  greatest >>= a.indexBits;
  unsigned bits = 0;
  for (W range = greatest - least; range; range >>= 1)
    ++bits;
  bool isShort = a.length < kLeastByDigits;
  unsigned width = isShort ? kShortDigitBits : kDigitBits, digits = (bits + width - 1) / width;
  a.isSorted = digits <= (isShort ? kMostShortDigits : kMostDigits);
  unsigned each = digits ? (bits + digits - 1) / digits : 0;
  switch (a.isSorted ? digits : 0) {
  case 1:
    return isShort ? sortDigits<W, 1, kShortDigitBits>(a, least, each) : sortDigits<W, 1, kDigitBits>(a, least, each);
  case 2:
    return isShort ? sortDigits<W, 2, kShortDigitBits>(a, least, each) : sortDigits<W, 2, kDigitBits>(a, least, each);
  case 3:
    return isShort ? sortDigits<W, 3, kShortDigitBits>(a, least, each) : sortDigits<W, 3, kDigitBits>(a, least, each);
  case 4:
    return sortDigits<W, 4, kShortDigitBits>(a, least, each);
  default:
    return; // all keys are equal, or too different
  }
}

XLA_RT_INLINE void digitsLoops(DigitsArgs &a) { a.wordBytes == 4 ? digitsOf<uint32_t>(a) : digitsOf<uint64_t>(a); }
XLA_RT_VARIANTS(digits, DigitsArgs)

/// Unless its keys are too different.
bool mayBeSortedByDigits(int64_t length, int64_t wordBytes) {
  int64_t least = hasLongVectors() ? kLeastByDigits : kLeastByShortDigits;
  return length >= least && length <= kMostByDigits && wordBytes <= 8;
}

/// Which of both memories has the words then; null where another method is better.
void *sortByDigits(void *words, void *other, int64_t length, int64_t wordBytes, int64_t indexBits) {
  if (!mayBeSortedByDigits(length, wordBytes))
    return nullptr;
  DigitsArgs args{words, other, length, wordBytes, indexBits, false};
  digits(args);
  return args.isSorted ? args.words : nullptr;
}

/// False where another method is better, and without memory.
bool sortByDigitsInPlace(void *words, int64_t length, int64_t wordBytes, int64_t indexBits) {
  if (!mayBeSortedByDigits(length, wordBytes))
    return false;
  void *other = xla_rt_alloc(length * wordBytes);
  if (!other)
    return false;
  void *sorted = sortByDigits(words, other, length, wordBytes, indexBits);
  if (sorted == other)
    memcpy(words, other, length * wordBytes);
  xla_rt_free(other);
  return sorted != nullptr;
}

//===- Permuting --------------------------------------------------------------------------------------------------===//

/// An element of 16 bytes, which need not be aligned to as many.
struct Complex128 {
  Complex128() = default;
  explicit Complex128(U128 position) : parts{static_cast<uint64_t>(position), 0} {}
  uint64_t parts[2];
};

template <typename T, typename W> XLA_RT_INLINE void gatherOf(GatherArgs &a) {
  const W *words = static_cast<const W *>(a.words);
  const T *source = static_cast<const T *>(a.source);
  T *result = static_cast<T *>(a.result);
  const W mask = (W(1) << a.indexBits) - 1;
  const int64_t length = a.length, stride = a.stride, wordStride = a.wordStride;
  if (!source) {
    for (int64_t i = 0; i < length; ++i)
      result[i * stride] = static_cast<T>(words[i * wordStride] & mask);
  } else if (stride == 1) {
    for (int64_t i = 0; i < length; ++i)
      result[i] = source[static_cast<uint64_t>(words[i * wordStride] & mask)];
  } else {
    for (int64_t i = 0; i < length; ++i)
      result[i * stride] = source[static_cast<uint64_t>(words[i * wordStride] & mask) * stride];
  }
}

template <typename W> XLA_RT_INLINE void gatherWord(GatherArgs &a) {
  switch (a.bytes) {
  case 1:
    return gatherOf<uint8_t, W>(a);
  case 2:
    return gatherOf<uint16_t, W>(a);
  case 4:
    return gatherOf<uint32_t, W>(a);
  case 8:
    return gatherOf<uint64_t, W>(a);
  default:
    return gatherOf<Complex128, W>(a);
  }
}

XLA_RT_INLINE void gatherLoops(GatherArgs &a) {
  switch (a.wordBytes) {
  case 4:
    return gatherWord<uint32_t>(a);
  case 8:
    return gatherWord<uint64_t>(a);
  default:
    return gatherWord<U128>(a);
  }
}
XLA_RT_VARIANTS(gather, GatherArgs)

template <typename T> XLA_RT_INLINE void restoreKey(RestoreArgs &a) {
  constexpr int64_t block = 512;
  const Key key = *a.key;
  const T *source = static_cast<const T *>(a.source);
  T *result = static_cast<T *>(a.result);
  const T flip = key.flip<T>(), infinity = static_cast<T>(key.infinity), sign = Key::signBit<T>();
  const int64_t stride = a.stride, length = a.length;
  auto magnitude = [&](T x) __attribute__((always_inline)) { return static_cast<T>(x & static_cast<T>(~sign)); };
  auto any = [&](int64_t begin, auto isWanted) __attribute__((always_inline)) {
    T found = 0;
    int64_t end = std::min(begin + block, length);
    if (stride == 1)
      for (int64_t i = begin; i < end; ++i)
        found |= isWanted(source[i]);
    else
      for (int64_t i = begin; i < end; ++i)
        found |= isWanted(source[i * stride]);
    return found != 0;
  };
  auto firstOf = [&](T bits) {
    T wanted = key.map<T>(bits, Number, flip);
    int64_t low = 0, high = length;
    while (low < high) {
      int64_t middle = (low + high) / 2;
      if (key.map<T>(result[middle * stride], Number, flip) < wanted)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  };
  int64_t zeros = firstOf(0), notNumbers = firstOf(key.notANumber<T>());
  for (int64_t begin = 0; begin < length; begin += block) {
    if (!any(begin,
             [&](T x) __attribute__((always_inline)) -> T { return static_cast<T>(magnitude(x) - 1) >= infinity; }))
      continue;
    for (int64_t i = begin; i < std::min(begin + block, length); ++i) {
      T x = source[i * stride];
      if (magnitude(x) == 0)
        result[zeros++ * stride] = x;
      else if (magnitude(x) > infinity)
        result[notNumbers++ * stride] = x;
    }
  }
}

XLA_RT_INLINE void restoreLoops(RestoreArgs &a) {
  switch (a.key->bytes) {
  case 2:
    return restoreKey<uint16_t>(a);
  case 4:
    return restoreKey<uint32_t>(a);
  default:
    return restoreKey<uint64_t>(a);
  }
}
XLA_RT_VARIANTS(restore, RestoreArgs)

} // namespace

void xla_rt::packWords(PackArgs &args) { pack(args); }
void xla_rt::unpackWords(UnpackArgs &args) { unpack(args); }
void xla_rt::gatherByWords(GatherArgs &args) { gather(args); }
void xla_rt::restoreSpecial(RestoreArgs &args) { restore(args); }
void xla_rt::sortLanes(NetworkArgs &args) { network(args); }

#if defined(__x86_64__)
/// Where 4 bytes are sorted several times as slowly as 8: seen with vqsort, and with NumPy's sort, on EPYC processors.
static bool sortsWideWordsFaster() {
  static const bool isAmd = __builtin_cpu_is("amd");
  return isAmd;
}
#else
static bool sortsWideWordsFaster() { return false; }
#endif

/// Sorts words of 4 bytes as words of 8. False without memory for them.
static bool sortWidened(uint32_t *words, int64_t length) {
  auto *wide = static_cast<uint64_t *>(xla_rt_alloc(length * sizeof(uint64_t)));
  if (!wide)
    return false;
  std::copy(words, words + length, wide);
  sortWords(wide, length, sizeof(uint64_t), /*indexBits=*/0);
  for (int64_t i = 0; i < length; ++i)
    words[i] = static_cast<uint32_t>(wide[i]);
  xla_rt_free(wide);
  return true;
}

void xla_rt::sortWords(void *words, int64_t length, int64_t wordBytes, int64_t indexBits) {
  constexpr int64_t fewWords = 24;
  if (sortByDigitsInPlace(words, length, wordBytes, indexBits))
    return;
  static thread_local hwy::Sorter sorter;
  switch (wordBytes) {
  case 4:
    if (length <= fewWords)
      return insertionSort(static_cast<uint32_t *>(words), length);
    if (sortsWideWordsFaster() && sortWidened(static_cast<uint32_t *>(words), length))
      return;
    return sorter(static_cast<uint32_t *>(words), length, hwy::SortAscending());
  case 8:
    if (length <= fewWords)
      return insertionSort(static_cast<uint64_t *>(words), length);
    return sorter(static_cast<uint64_t *>(words), length, hwy::SortAscending());
  default:
    if (length <= fewWords)
      return insertionSort(static_cast<U128 *>(words), length);
    return sorter(static_cast<hwy::uint128_t *>(words), length, hwy::SortAscending());
  }
}

void *xla_rt::sortWords(void *words, void *other, int64_t length, int64_t wordBytes, int64_t indexBits) {
  if (void *sorted = sortByDigits(words, other, length, wordBytes, indexBits))
    return sorted;
  sortWords(words, length, wordBytes, indexBits);
  return words;
}
