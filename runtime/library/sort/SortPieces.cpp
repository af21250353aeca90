// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One long line, sorted by all cores: a sample of its words says where buckets end, pieces of it are distributed over
// the buckets, buckets are sorted, and pieces of the result are unpacked. Words are made when they are needed, a block
// at a time: that costs less than memory for those of the whole line. Each step is a call of its own, whose items of
// work are pieces or buckets; their number depends on the length only, and so does the result.

#include "mlir_xla/runtime/library/sort/SortPlan.h"
#include "mlir_xla/runtime/library/sort/SortWords.h"
#include "mlir_xla/runtime/xla_rt.h"

#include <algorithm>
#include <memory>

using namespace xla_rt;

namespace {

/// What leads the parameters.
struct Pieces {
  int64_t pieceLength;
  int64_t numArrays; // of the keys: how many buffers come before the others
  bool keepsBuckets; // there is memory for the bucket of each word

  static Pieces read(const int64_t *parameters) { return {parameters[0], parameters[1], parameters[2] != 0}; }
};
constexpr int64_t kPiecesParameters = 3;

constexpr int64_t kBuckets = 16, kSamplesOfBucket = 64;
/// Of words that are made at a time.
constexpr int64_t kBlockBytes = 8192, kMostInBlock = kBlockBytes / sizeof(uint32_t);

char *bytes(void *buffer, int64_t offset) { return static_cast<char *>(buffer) + offset; }

/// A step's plan and the part of the line that item `item` is.
struct Part {
  Plan plan;
  int64_t pieces; // of the line
  int64_t begin, length;

  Part(const int64_t *parameters, int64_t item) : plan(Plan::read(parameters + kPiecesParameters)) {
    int64_t pieceLength = Pieces::read(parameters).pieceLength;
    pieces = (plan.length + pieceLength - 1) / pieceLength;
    begin = item * pieceLength;
    length = std::min(pieceLength, plan.length - begin);
  }
};

/// The words of elements of the line. True if there are elements that are not what their key says.
bool packBlock(const Plan &plan, void *const *buffers, int64_t begin, int64_t length, void *words) {
  bool special = false;
  for (int64_t k = 0; k < plan.numKeys; ++k) {
    const Key &key = plan.keys[k];
    PackArgs args{bytes(buffers[key.buffer], begin * key.bytes),
                  1,
                  words,
                  1,
                  length,
                  nullptr,
                  &key,
                  plan.wordBytes,
                  plan.indexBits,
                  begin,
                  k == 0,
                  k + 1 == plan.numKeys,
                  false};
    packWords(args);
    special |= args.special;
  }
  return special;
}

struct ClassifyArgs {
  const void *words, *splitters;
  uint8_t *buckets; // of each word
  int64_t length, wordBytes;
};

template <typename W> XLA_RT_INLINE void classifyWords(ClassifyArgs &a) {
  const W *__restrict__ words = static_cast<const W *>(a.words);
  uint8_t *__restrict__ buckets = a.buckets;
  const int64_t length = a.length;
  W s[kBuckets - 1];
  memcpy(s, a.splitters, sizeof(s));
  // By halves: selections in lanes, of which there are fewer than comparisons with all splitters.
  for (int64_t i = 0; i < length; ++i) {
    W word = words[i];
    bool eighth = word >= s[7];
    bool fourth = word >= (eighth ? s[11] : s[3]);
    W low = eighth ? s[9] : s[1], high = eighth ? s[13] : s[5];
    bool second = word >= (fourth ? high : low);
    W lowest = eighth ? s[8] : s[0], lower = eighth ? s[10] : s[2];
    W higher = eighth ? s[12] : s[4], highest = eighth ? s[14] : s[6];
    low = second ? lower : lowest;
    high = second ? highest : higher;
    bool first = word >= (fourth ? high : low);
    buckets[i] = static_cast<uint8_t>(8 * eighth + 4 * fourth + 2 * second + first);
  }
}

XLA_RT_INLINE void classifyLoops(ClassifyArgs &a) {
  switch (a.wordBytes) {
  case 4:
    return classifyWords<uint32_t>(a);
  case 8:
    return classifyWords<uint64_t>(a);
  default:
    return classifyWords<U128>(a);
  }
}
XLA_RT_VARIANTS(classify, ClassifyArgs)

/// Calls `take` with the words of each block of the part, their buckets and how many they are; these are in `kept`, if
/// that is not null and there are no splitters. True as `packBlock`.
template <typename Take>
bool forEachBlock(const Part &part, void *const *buffers, const void *splitters, const uint8_t *kept, Take take) {
  alignas(64) char words[kBlockBytes];
  alignas(64) uint8_t buckets[kMostInBlock];
  int64_t block = kBlockBytes / part.plan.wordBytes;
  bool special = false;
  for (int64_t begin = 0; begin < part.length; begin += block) {
    int64_t length = std::min(block, part.length - begin);
    special |= packBlock(part.plan, buffers, part.begin + begin, length, words);
    if (splitters) {
      ClassifyArgs args{words, splitters, buckets, length, part.plan.wordBytes};
      classify(args);
    }
    take(words, splitters ? buckets : kept + begin, length);
  }
  return special;
}

template <typename W>
void distribute(const void *from, const uint8_t *buckets, void *to, int64_t *places, int64_t length) {
  const W *words = static_cast<const W *>(from);
  W *result = static_cast<W *>(to);
  for (int64_t i = 0; i < length; ++i)
    result[places[buckets[i]]++] = words[i];
}

/// Where the words of each bucket begin, and the end of the last one.
struct Buckets {
  int64_t begin[kBuckets + 1];

  Buckets(const int32_t *counts, int64_t pieces) {
    begin[0] = 0;
    for (int64_t b = 0; b < kBuckets; ++b) {
      begin[b + 1] = begin[b];
      for (int64_t piece = 0; piece < pieces; ++piece)
        begin[b + 1] += counts[piece * kBuckets + b];
    }
  }
  int64_t length(int64_t bucket) const { return begin[bucket + 1] - begin[bucket]; }
  /// The halves of a bucket's words, where the elements of a result go that take its place.
  uint32_t *halves(int64_t bucket, const Array &array, void *const *buffers) const {
    return reinterpret_cast<uint32_t *>(bytes(buffers[array.result], begin[bucket] * array.bytes));
  }
};

struct JoinArgs {
  const uint32_t *high, *low;
  uint64_t *words;
  int64_t length;
};

XLA_RT_INLINE void joinLoops(JoinArgs &a) {
  const uint32_t *__restrict__ high = a.high, *__restrict__ low = a.low;
  uint64_t *__restrict__ words = a.words;
  const int64_t length = a.length;
  for (int64_t i = 0; i < length; ++i)
    words[i] = uint64_t(high[i]) << 32 | low[i];
}
XLA_RT_VARIANTS(join, JoinArgs)

} // namespace

extern "C" {

/// keys -> splitters
XLA_RT_EXPORT void xla_rt_sort_split(const int64_t *parameters, void *const *buffers, int64_t, int64_t, void *) {
  constexpr int64_t count = kBuckets * kSamplesOfBucket;
  Plan plan = Plan::read(parameters + kPiecesParameters);
  void *splitters = buffers[Pieces::read(parameters).numArrays];
  alignas(64) char sample[count * sizeof(U128)];
  for (int64_t i = 0; i < count; ++i)
    packBlock(plan, buffers, i * (plan.length / count), 1, bytes(sample, i * plan.wordBytes));
  sortWords(sample, count, plan.wordBytes, plan.indexBits);
  for (int64_t b = 1; b < kBuckets; ++b)
    memcpy(bytes(splitters, (b - 1) * plan.wordBytes), bytes(sample, b * kSamplesOfBucket * plan.wordBytes),
           plan.wordBytes);
}

/// keys, splitters -> how many words of each piece are in each bucket; then, of each piece, whether it has elements
/// that are not what their key says; and the buckets, if they are kept
XLA_RT_EXPORT void xla_rt_sort_count(const int64_t *parameters, void *const *buffers, int64_t begin, int64_t end,
                                     void *) {
  Pieces pieces = Pieces::read(parameters);
  void *const *others = buffers + pieces.numArrays;
  for (int64_t item = begin; item < end; ++item) {
    Part part(parameters, item);
    uint8_t *kept = pieces.keepsBuckets ? static_cast<uint8_t *>(others[2]) + part.begin : nullptr;
    int32_t counts[2][kBuckets] = {}, *sums = static_cast<int32_t *>(others[1]);
    auto count = [&](const void *, const uint8_t *buckets, int64_t length) {
      for (int64_t i = 0; i < length; ++i)
        ++counts[i % 2][buckets[i]];
      if (kept)
        kept = std::copy(buckets, buckets + length, kept);
    };
    bool special = forEachBlock(part, buffers, others[0], nullptr, count);
    for (int64_t b = 0; b < kBuckets; ++b)
      sums[item * kBuckets + b] = counts[0][b] + counts[1][b];
    sums[part.pieces * kBuckets + item] = special;
  }
}

/// keys, splitters, counts, the buckets if they are kept -> words, bucket by bucket
XLA_RT_EXPORT void xla_rt_sort_distribute(const int64_t *parameters, void *const *buffers, int64_t begin, int64_t end,
                                          void *) {
  Pieces pieces = Pieces::read(parameters);
  void *const *others = buffers + pieces.numArrays, *result = others[pieces.keepsBuckets ? 3 : 2];
  const int32_t *counts = static_cast<const int32_t *>(others[1]);
  for (int64_t item = begin; item < end; ++item) {
    Part part(parameters, item);
    int64_t place = 0, places[kBuckets];
    for (int64_t b = 0; b < kBuckets; ++b)
      for (int64_t piece = 0; piece < part.pieces; ++piece) {
        if (piece == item)
          places[b] = place;
        place += counts[piece * kBuckets + b];
      }
    auto take = [&](const void *words, const uint8_t *buckets, int64_t length) {
      switch (part.plan.wordBytes) {
      case 4:
        return distribute<uint32_t>(words, buckets, result, places, length);
      case 8:
        return distribute<uint64_t>(words, buckets, result, places, length);
      default:
        return distribute<U128>(words, buckets, result, places, length);
      }
    };
    if (pieces.keepsBuckets)
      forEachBlock(part, buffers, nullptr, static_cast<const uint8_t *>(others[2]) + part.begin, take);
    else
      forEachBlock(part, buffers, others[0], nullptr, take);
  }
}

/// counts, and in place words: the items are buckets
XLA_RT_EXPORT void xla_rt_sort_buckets(const int64_t *parameters, void *const *buffers, int64_t begin, int64_t end,
                                       void *) {
  Plan plan = Plan::read(parameters + kPiecesParameters);
  int64_t pieceLength = Pieces::read(parameters).pieceLength;
  const int32_t *counts = static_cast<const int32_t *>(buffers[0]);
  int64_t pieces = (plan.length + pieceLength - 1) / pieceLength, place = 0;
  for (int64_t b = 0; b < end; ++b) {
    int64_t count = 0;
    for (int64_t piece = 0; piece < pieces; ++piece)
      count += counts[piece * kBuckets + b];
    if (b >= begin)
      sortWords(bytes(buffers[1], place * plan.wordBytes), count, plan.wordBytes, plan.indexBits);
    place += count;
  }
}

/// keys, splitters, counts -> both halves of words of 8 bytes, bucket by bucket
XLA_RT_EXPORT void xla_rt_sort_distribute_halves(const int64_t *parameters, void *const *buffers, int64_t begin,
                                                 int64_t end, void *) {
  void *const *others = buffers + Pieces::read(parameters).numArrays;
  const int32_t *counts = static_cast<const int32_t *>(others[1]);
  for (int64_t item = begin; item < end; ++item) {
    Part part(parameters, item);
    Buckets all(counts, part.pieces);
    uint32_t *high[kBuckets], *low[kBuckets];
    int64_t places[kBuckets] = {}; // behind the words of earlier pieces
    for (int64_t b = 0; b < kBuckets; ++b) {
      for (int64_t piece = 0; piece < item; ++piece)
        places[b] += counts[piece * kBuckets + b];
      high[b] = all.halves(b, part.plan.arrays[0], buffers);
      low[b] = all.halves(b, part.plan.arrays[1], buffers);
    }
    forEachBlock(part, buffers, others[0], nullptr, [&](const void *from, const uint8_t *buckets, int64_t length) {
      const uint64_t *words = static_cast<const uint64_t *>(from);
      for (int64_t i = 0; i < length; ++i) {
        uint8_t bucket = buckets[i];
        int64_t place = places[bucket]++;
        high[bucket][place] = static_cast<uint32_t>(words[i] >> 32);
        low[bucket][place] = static_cast<uint32_t>(words[i]);
      }
    });
  }
}

/// counts, arrays -> sorted arrays, two of which hold the halves of words: the items are buckets
XLA_RT_EXPORT void xla_rt_sort_buckets_of_halves(const int64_t *parameters, void *const *buffers, int64_t begin,
                                                 int64_t end, void *) {
  Part first(parameters, 0);
  const Plan &plan = first.plan;
  // In the places of `numArrays` and `keepsBuckets` are the numbers of these arrays.
  const Array &high = plan.arrays[parameters[1]], &low = plan.arrays[parameters[2]];
  const int32_t *counts = static_cast<const int32_t *>(buffers[0]), *special = counts + first.pieces * kBuckets;
  Buckets all(counts, first.pieces);
  // A key whose words say what the elements are need not be read again.
  bool isInWords = plan.numKeys == 1 && std::all_of(special, special + first.pieces, [](int32_t x) { return x == 0; });
  for (int64_t b = begin; b < end; ++b) {
    int64_t length = all.length(b);
    std::unique_ptr<uint64_t, decltype(&xla_rt_free)> memory(
        static_cast<uint64_t *>(xla_rt_alloc(2 * length * sizeof(uint64_t))), xla_rt_free);
    if (!memory)
      return xla_rt_set_out_of_memory("out of memory for a part of a long sort");
    JoinArgs args{all.halves(b, high, buffers), all.halves(b, low, buffers), memory.get(), length};
    join(args);
    void *words = sortWords(memory.get(), memory.get() + length, length, plan.wordBytes, plan.indexBits);
    for (int64_t i = 0; i < plan.numArrays; ++i) {
      const Array &array = plan.arrays[i];
      char *result = bytes(buffers[array.result], all.begin[b] * array.bytes);
      if (isInWords && array.source == plan.keys->buffer) {
        UnpackArgs unpacked{bytes(words, sizeof(uint32_t)), 2, result, 1, length, plan.keys, sizeof(uint32_t)};
        unpackWords(unpacked);
        continue;
      }
      GatherArgs gathered{words,  1, plan.wordBytes, plan.indexBits, array.source < 0 ? nullptr : buffers[array.source],
                          result, 1, length,         array.bytes};
      gatherByWords(gathered);
    }
  }
}

/// sorted words, arrays -> sorted arrays; words that are as wide as the only array, in place
XLA_RT_EXPORT void xla_rt_sort_unpack(const int64_t *parameters, void *const *buffers, int64_t begin, int64_t end,
                                      void *) {
  for (int64_t item = begin; item < end; ++item) {
    Part part(parameters, item);
    const Plan &plan = part.plan;
    const char *words = bytes(buffers[0], part.begin * plan.wordBytes);
    for (int64_t i = 0; i < plan.numArrays; ++i) {
      const Array &array = plan.arrays[i];
      char *result = bytes(buffers[array.result], part.begin * array.bytes);
      if (plan.indexBits == 0) {
        UnpackArgs args{words, 1, result, 1, part.length, plan.keys, plan.wordBytes};
        unpackWords(args);
        continue;
      }
      GatherArgs args{words,  1, plan.wordBytes, plan.indexBits, array.source < 0 ? nullptr : buffers[array.source],
                      result, 1, part.length,    array.bytes};
      gatherByWords(args);
    }
  }
}

/// keys as they were, counts, and in place sorted keys: those that their words do not tell from others
XLA_RT_EXPORT void xla_rt_sort_restore(const int64_t *parameters, void *const *buffers, int64_t, int64_t, void *) {
  Part first(parameters, 0);
  const int32_t *special = static_cast<const int32_t *>(buffers[1]) + first.pieces * kBuckets;
  if (std::all_of(special, special + first.pieces, [](int32_t each) { return each == 0; }))
    return;
  RestoreArgs args{buffers[0], buffers[2], 1, first.plan.length, first.plan.keys};
  restoreSpecial(args);
}

} // extern "C"
