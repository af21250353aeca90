// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorting lines of arrays by keys. Every element becomes a word, an unsigned integer that holds its keys and, below
// them, its position, so that words are different, their order is stable, and what belongs to a key is found
// afterwards. A single key without other arrays needs no position. The words of short lines are sorted by a network
// that takes a line in each lane.

#include "mlir_xla/runtime/library/sort/SortPlan.h"
#include "mlir_xla/runtime/library/sort/SortWords.h"
#include "mlir_xla/runtime/xla_rt.h"

#include <algorithm>
#include <memory>

using namespace xla_rt;

namespace {

class Sorting {
public:
  Sorting(const Plan &plan, void *const *buffers, char *scratch) : plan(plan), buffers(buffers), scratch(scratch) {}

  void run(int64_t begin, int64_t end) {
    begin *= plan.linesPerItem;
    end = std::min(end * plan.linesPerItem, plan.lines);
    if (plan.lanes)
      for (int64_t line = begin; line < end; line += plan.lanes)
        sortTogether(line, std::min(plan.lanes, end - line));
    else
      for (int64_t line = begin; line < end; ++line)
        sortLine(line);
  }

private:
  void sortTogether(int64_t first, int64_t count) {
    bool special[16] = {};
    if (count < plan.lanes)
      memset(scratch, 0, plan.length * plan.lanes * plan.wordBytes);
    for (int64_t lane = 0; lane < count; ++lane)
      special[lane] = packLine(first + lane, scratch + lane * plan.wordBytes, plan.lanes, 0, plan.numKeys, nullptr);
    NetworkArgs args{scratch, plan.length, plan.wordBytes};
    sortLanes(args);
    for (int64_t lane = 0; lane < count; ++lane)
      unpackLine(first + lane, scratch + lane * plan.wordBytes, plan.lanes,
                 special[lane] ? elements(first + lane) : nullptr);
  }

  void sortLine(int64_t line) {
    // A word that is as wide as its elements is sorted where they go.
    char *words = scratch;
    if (plan.indexBits == 0 && plan.stride == 1 && plan.keys->bytes == plan.wordBytes)
      words = static_cast<char *>(buffers[plan.arrays->result]) + plan.lineBegin(line) * plan.wordBytes;
    int64_t bits = 0, first = plan.numKeys;
    while (first > 0 && bits + plan.keys[first - 1].bits <= keyBits())
      bits += plan.keys[--first].bits;
    // In place, elements that are not what their keys say are kept to be put back.
    bool isInPlace = words == elements(line);
    std::unique_ptr<char, decltype(&xla_rt_free)> kept(nullptr, xla_rt_free);
    if (isInPlace && isSpecial(words)) {
      kept.reset(static_cast<char *>(xla_rt_alloc(plan.length * plan.wordBytes)));
      if (!kept)
        return xla_rt_set_out_of_memory("out of memory for a sort of zeros of both signs or of NaNs");
      memcpy(kept.get(), words, plan.length * plan.wordBytes);
    }
    bool special = packLine(line, words, 1, first, plan.numKeys, nullptr);
    sortWords(words, plan.length, plan.wordBytes, plan.indexBits);
    if (first > 0)
      sortByMoreKeys(line, reinterpret_cast<U128 *>(words), first);
    unpackLine(line, words, 1, !special ? nullptr : isInPlace ? kept.get() : elements(line));
  }

  /// Whether there are elements that are not what their key says.
  bool isSpecial(const char *elements) const {
    constexpr int64_t blockBytes = 4096;
    alignas(64) char words[blockBytes];
    bool special = false;
    if (plan.keys->order == Number)
      for (int64_t begin = 0, block = blockBytes / plan.wordBytes; begin < plan.length; begin += block) {
        int64_t length = std::min(block, plan.length - begin);
        PackArgs args{elements + begin * plan.wordBytes,
                      1,
                      words,
                      1,
                      length,
                      nullptr,
                      plan.keys,
                      plan.wordBytes,
                      0,
                      0,
                      true,
                      true,
                      false};
        packWords(args);
        special |= args.special;
      }
    return special;
  }

  /// Of the only key.
  const char *elements(int64_t line) const {
    return static_cast<const char *>(buffers[plan.keys->buffer]) + plan.lineBegin(line) * plan.keys->bytes;
  }

  /// Keys that do not fit into one word: the order by the last ones is refined by those before.
  void sortByMoreKeys(int64_t line, U128 *words, int64_t last) {
    int64_t *permutation = reinterpret_cast<int64_t *>(words + plan.length), *next = permutation + plan.length;
    for (int64_t i = 0; i < plan.length; ++i)
      permutation[i] = static_cast<int64_t>(words[i]);
    while (last > 0) {
      int64_t bits = 0, first = last;
      while (first > 0 && bits + plan.keys[first - 1].bits <= keyBits())
        bits += plan.keys[--first].bits;
      packLine(line, words, 1, first, last, permutation);
      sortWords(words, plan.length, plan.wordBytes, plan.indexBits);
      for (int64_t i = 0; i < plan.length; ++i)
        next[i] = permutation[static_cast<int64_t>(words[i])];
      std::swap(permutation, next);
      last = first;
    }
    for (int64_t i = 0; i < plan.length; ++i)
      words[i] = static_cast<uint64_t>(permutation[i]);
  }

  int64_t keyBits() const { return 8 * plan.wordBytes - plan.indexBits; }

  bool packLine(int64_t line, void *words, int64_t wordStride, int64_t first, int64_t last,
                const int64_t *permutation) const {
    bool special = false;
    for (int64_t k = first; k < last; ++k) {
      const Key &key = plan.keys[k];
      PackArgs args{static_cast<const char *>(buffers[key.buffer]) + plan.lineBegin(line) * key.bytes,
                    plan.stride,
                    words,
                    wordStride,
                    plan.length,
                    permutation,
                    &key,
                    plan.wordBytes,
                    plan.indexBits,
                    0,
                    k == first,
                    k + 1 == last,
                    false};
      packWords(args);
      special |= args.special;
    }
    return special;
  }

  /// `special` are the elements as they were, if some are not what their key says.
  void unpackLine(int64_t line, const char *words, int64_t wordStride, const char *special) const {
    if (plan.indexBits == 0)
      return unpackKeys(line, words, wordStride, special);
    for (int64_t i = 0; i < plan.numArrays; ++i) {
      const Array &array = plan.arrays[i];
      int64_t offset = plan.lineBegin(line) * array.bytes;
      GatherArgs args{words,
                      wordStride,
                      plan.wordBytes,
                      plan.indexBits,
                      array.source < 0 ? nullptr : static_cast<const char *>(buffers[array.source]) + offset,
                      static_cast<char *>(buffers[array.result]) + offset,
                      plan.stride,
                      plan.length,
                      array.bytes};
      gatherByWords(args);
    }
  }

  void unpackKeys(int64_t line, const char *words, int64_t wordStride, const char *special) const {
    const Key &key = *plan.keys;
    int64_t offset = plan.lineBegin(line) * key.bytes;
    char *result = static_cast<char *>(buffers[plan.arrays->result]) + offset;
    UnpackArgs args{words, wordStride, result, plan.stride, plan.length, &key, plan.wordBytes};
    unpackWords(args);
    if (!special)
      return;
    RestoreArgs restored{special, result, plan.stride, plan.length, &key};
    restoreSpecial(restored);
  }

  const Plan &plan;
  void *const *buffers;
  char *scratch;
};

} // namespace

/// The functions that programs call: see `xla_rt.library_call`. What the parameters are says `Plan`.
extern "C" XLA_RT_EXPORT void xla_rt_sort(const int64_t *parameters, void *const *buffers, int64_t begin, int64_t end,
                                          void *scratch) {
  Plan plan = Plan::read(parameters);
  Sorting(plan, buffers, static_cast<char *>(scratch)).run(begin, end);
}
