// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One long line, sorted by all cores: pieces of it are packed into words, a sample of the words says where buckets end,
// pieces are distributed over the buckets, buckets are sorted, and pieces of the result are unpacked. Each step is a
// call of its own, whose items of work are pieces or buckets; their number depends on the length only, and so does the
// result.

#include "mlir_xla/runtime/library/sort/SortPlan.h"
#include "mlir_xla/runtime/library/sort/SortWords.h"
#include "mlir_xla/runtime/xla_rt.h"

#include <algorithm>

using namespace xla_rt;

namespace {

/// What leads the parameters.
struct Pieces {
  int64_t pieceLength;
  int64_t words; // in pack: the number of the buffer that they go to

  static Pieces read(const int64_t *parameters) { return {parameters[0], parameters[1]}; }
};
constexpr int64_t kPiecesParameters = 2;

constexpr int64_t kBuckets = 16, kSamplesOfBucket = 64;

char *bytes(void *buffer, int64_t offset) { return static_cast<char *>(buffer) + offset; }

/// A step's plan and the part of the line that item `item` is.
struct Part {
  Plan plan;
  int64_t begin, length;

  Part(const int64_t *parameters, int64_t item) : plan(Plan::read(parameters + kPiecesParameters)) {
    int64_t pieceLength = Pieces::read(parameters).pieceLength;
    begin = item * pieceLength;
    length = std::min(pieceLength, plan.length - begin);
  }
};

struct ClassifyArgs {
  const void *words, *splitters;
  uint8_t *buckets; // of each word
  int64_t *counts;  // of each bucket
  int64_t length, wordBytes;
};

template <typename W> XLA_RT_INLINE void classifyWords(ClassifyArgs &a) {
  constexpr int64_t block = 1024;
  const W *__restrict__ words = static_cast<const W *>(a.words);
  uint8_t *__restrict__ buckets = a.buckets;
  const int64_t length = a.length;
  W splitters[kBuckets - 1];
  memcpy(splitters, a.splitters, sizeof(splitters));
  int64_t counts[2][kBuckets] = {};
  for (int64_t begin = 0; begin < length; begin += block) {
    int64_t end = std::min(begin + block, length);
    for (int64_t i = begin; i < end; ++i) {
      W bucket = 0;
      for (W splitter : splitters)
        bucket += words[i] >= splitter;
      buckets[i] = static_cast<uint8_t>(bucket);
    }
    for (int64_t i = begin; i < end; ++i)
      ++counts[i % 2][buckets[i]];
  }
  for (int64_t b = 0; b < kBuckets; ++b)
    a.counts[b] = counts[0][b] + counts[1][b];
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

template <typename W>
void distribute(const void *from, const uint8_t *buckets, void *to, int64_t *places, int64_t length) {
  const W *words = static_cast<const W *>(from);
  W *result = static_cast<W *>(to);
  for (int64_t i = 0; i < length; ++i)
    result[places[buckets[i]]++] = words[i];
}

template <typename W> void takeSample(const void *from, int64_t length, void *sample) {
  constexpr int64_t count = kBuckets * kSamplesOfBucket;
  for (int64_t i = 0; i < count; ++i)
    static_cast<W *>(sample)[i] = static_cast<const W *>(from)[i * (length / count)];
}

} // namespace

extern "C" {

/// keys -> words
XLA_RT_EXPORT void xla_rt_sort_pack(const int64_t *parameters, void *const *buffers, int64_t begin, int64_t end,
                                    void *) {
  for (int64_t item = begin; item < end; ++item) {
    Part part(parameters, item);
    const Plan &plan = part.plan;
    char *words = bytes(buffers[Pieces::read(parameters).words], part.begin * plan.wordBytes);
    for (int64_t k = 0; k < plan.numKeys; ++k) {
      const Key &key = plan.keys[k];
      PackArgs args{bytes(buffers[key.buffer], part.begin * key.bytes),
                    1,
                    words,
                    1,
                    part.length,
                    nullptr,
                    &key,
                    plan.wordBytes,
                    plan.indexBits,
                    part.begin,
                    k == 0,
                    k + 1 == plan.numKeys,
                    false};
      packWords(args);
    }
  }
}

/// words -> splitters
XLA_RT_EXPORT void xla_rt_sort_split(const int64_t *parameters, void *const *buffers, int64_t, int64_t, void *scratch) {
  Plan plan = Plan::read(parameters + kPiecesParameters);
  switch (plan.wordBytes) {
  case 4:
    takeSample<uint32_t>(buffers[0], plan.length, scratch);
    break;
  case 8:
    takeSample<uint64_t>(buffers[0], plan.length, scratch);
    break;
  default:
    takeSample<U128>(buffers[0], plan.length, scratch);
  }
  sortWords(scratch, kBuckets * kSamplesOfBucket, plan.wordBytes, plan.indexBits);
  for (int64_t b = 1; b < kBuckets; ++b)
    memcpy(bytes(buffers[1], (b - 1) * plan.wordBytes), bytes(scratch, b * kSamplesOfBucket * plan.wordBytes),
           plan.wordBytes);
}

/// words, splitters -> the bucket of each word, how many words of each piece are in each bucket
XLA_RT_EXPORT void xla_rt_sort_count(const int64_t *parameters, void *const *buffers, int64_t begin, int64_t end,
                                     void *) {
  for (int64_t item = begin; item < end; ++item) {
    Part part(parameters, item);
    ClassifyArgs args{bytes(buffers[0], part.begin * part.plan.wordBytes),
                      buffers[1],
                      static_cast<uint8_t *>(buffers[2]) + part.begin,
                      static_cast<int64_t *>(buffers[3]) + item * kBuckets,
                      part.length,
                      part.plan.wordBytes};
    classify(args);
  }
}

/// words, their buckets, counts -> words, bucket by bucket
XLA_RT_EXPORT void xla_rt_sort_distribute(const int64_t *parameters, void *const *buffers, int64_t begin, int64_t end,
                                          void *) {
  const int64_t *counts = static_cast<const int64_t *>(buffers[2]);
  for (int64_t item = begin; item < end; ++item) {
    Part part(parameters, item);
    int64_t pieceLength = Pieces::read(parameters).pieceLength;
    int64_t pieces = (part.plan.length + pieceLength - 1) / pieceLength, place = 0, places[kBuckets];
    for (int64_t b = 0; b < kBuckets; ++b)
      for (int64_t piece = 0; piece < pieces; ++piece) {
        if (piece == item)
          places[b] = place;
        place += counts[piece * kBuckets + b];
      }
    const uint8_t *buckets = static_cast<const uint8_t *>(buffers[1]) + part.begin;
    const char *words = bytes(buffers[0], part.begin * part.plan.wordBytes);
    switch (part.plan.wordBytes) {
    case 4:
      distribute<uint32_t>(words, buckets, buffers[3], places, part.length);
      break;
    case 8:
      distribute<uint64_t>(words, buckets, buffers[3], places, part.length);
      break;
    default:
      distribute<U128>(words, buckets, buffers[3], places, part.length);
    }
  }
}

/// counts, and in place words: the items are buckets
XLA_RT_EXPORT void xla_rt_sort_buckets(const int64_t *parameters, void *const *buffers, int64_t begin, int64_t end,
                                       void *) {
  Plan plan = Plan::read(parameters + kPiecesParameters);
  int64_t pieceLength = Pieces::read(parameters).pieceLength;
  const int64_t *counts = static_cast<const int64_t *>(buffers[0]);
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

/// sorted words, arrays -> sorted arrays
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

/// keys as they were, and in place sorted keys: those that their words do not tell from others
XLA_RT_EXPORT void xla_rt_sort_restore(const int64_t *parameters, void *const *buffers, int64_t, int64_t, void *) {
  Plan plan = Plan::read(parameters + kPiecesParameters);
  RestoreArgs args{buffers[0], buffers[1], 1, plan.length, plan.keys, false};
  restoreSpecial(args);
}

} // extern "C"
