// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first elements of lines in the order of a key. What is certainly not among them is most of a long line: it is
// compared with the last one of the best so far, and seldom better. Where few are wanted, a better one is put in its
// place among them at once; otherwise the better ones gather until they are sorted.

#include "mlir_xla/runtime/library/sort/SortWords.h"
#include "mlir_xla/runtime/xla_rt.h"

#include <algorithm>
#include <cstring>

using namespace xla_rt;

namespace {

/// What the compiler has decided: TopKLowering in lowering/linalg/Sort.cpp.
struct Plan {
  int64_t length, count; // of a line, and how many of it are wanted
  int64_t lines, linesPerItem;
  int64_t wordBytes; // of a candidate: its key, and below it its position
  int64_t capacity;  // for so many candidates there is memory
  int64_t valueSource, valueBytes, values, indices;
  Key key;
};

/// Elements that are looked at together, and between two polls.
constexpr int64_t kBlock = 64, kBetweenPolls = int64_t(1) << 20;
/// So many are kept in order.
constexpr int64_t kFew = 16;

struct ScanArgs {
  const Plan &plan;
  const void *source;
  void *candidates;
  int64_t found;
  int64_t next, end; // elements
};

/// Whether an element of the block that begins at `source` comes before `last`.
template <typename T, Order order> XLA_RT_INLINE bool isAnyBefore(const T *source, T last, const Key &key, T flip) {
  T better = 0;
  for (int64_t j = 0; j < kBlock; ++j)
    better |= static_cast<T>(key.map<T>(source[j], order, flip) < last);
  return better;
}

/// Keeps the `plan.count` best candidates, few, in order.
template <typename T, typename W, Order order> XLA_RT_INLINE void insertOrder(ScanArgs &a) {
  const Key key = a.plan.key;
  const T *source = static_cast<const T *>(a.source);
  W *best = static_cast<W *>(a.candidates);
  const T flip = key.flip<T>();
  constexpr unsigned indexBits = 4 * sizeof(W);
  const int64_t count = a.plan.count, length = a.end;
  T last = static_cast<T>(best[count - 1] >> indexBits);
  auto insert = [&](int64_t begin, int64_t end) __attribute__((always_inline)) {
    for (int64_t at = begin; at < end; ++at) {
      T mapped = key.map<T>(source[at], order, flip);
      if (mapped >= last)
        continue;
      W word = W(mapped) << indexBits | static_cast<W>(at);
      int64_t place = count - 1;
      for (; place > 0 && best[place - 1] > word; --place)
        best[place] = best[place - 1];
      best[place] = word;
      last = static_cast<T>(best[count - 1] >> indexBits);
    }
  };
  int64_t i = a.next;
  for (; i + kBlock <= length; i += kBlock)
    if (isAnyBefore<T, order>(source + i, last, key, flip))
      insert(i, i + kBlock);
  insert(i, length);
  a.next = length;
}

/// Appends elements that come before the last of the best ones, until there is no room for another block. Those are the
/// first `plan.count` candidates.
template <typename T, typename W, Order order> XLA_RT_INLINE void scanOrder(ScanArgs &a) {
  const Key key = a.plan.key;
  const T *source = static_cast<const T *>(a.source);
  W *candidates = static_cast<W *>(a.candidates);
  const T flip = key.flip<T>();
  constexpr unsigned indexBits = 4 * sizeof(W);
  const T last = static_cast<T>(candidates[a.plan.count - 1] >> indexBits);
  const int64_t length = a.end;
  int64_t i = a.next, found = a.found;
  auto append = [&](int64_t begin, int64_t end) __attribute__((always_inline)) {
    for (int64_t at = begin; at < end; ++at) {
      T mapped = key.map<T>(source[at], order, flip);
      candidates[found] = W(mapped) << indexBits | static_cast<W>(at);
      found += mapped < last;
    }
  };
  for (; i + kBlock <= length && found + kBlock <= a.plan.capacity; i += kBlock)
    if (isAnyBefore<T, order>(source + i, last, key, flip))
      append(i, i + kBlock);
  if (i < length && i + kBlock > length && found + kBlock <= a.plan.capacity) {
    append(i, length);
    i = length;
  }
  a.next = i;
  a.found = found;
}

template <typename T, typename W> XLA_RT_INLINE void scanKey(ScanArgs &a) {
  bool isUnsigned = a.plan.key.order < Total;
  if (a.plan.count <= kFew)
    isUnsigned ? insertOrder<T, W, Unsigned>(a) : insertOrder<T, W, Total>(a);
  else
    isUnsigned ? scanOrder<T, W, Unsigned>(a) : scanOrder<T, W, Total>(a);
}

XLA_RT_INLINE void scanLoops(ScanArgs &a) {
  switch (a.plan.key.bytes) {
  case 1:
    return scanKey<uint8_t, uint64_t>(a);
  case 2:
    return scanKey<uint16_t, uint64_t>(a);
  case 4:
    return scanKey<uint32_t, uint64_t>(a);
  default:
    return scanKey<uint64_t, U128>(a);
  }
}
XLA_RT_VARIANTS(scan, ScanArgs)

void doLine(const Plan &plan, void *const *buffers, int64_t line, void *candidates) {
  const char *source = static_cast<const char *>(buffers[plan.key.buffer]) + line * plan.length * plan.key.bytes;
  int64_t sorted = std::min(plan.length, plan.count <= kFew ? plan.count : plan.capacity);
  ScanArgs args{plan, source, candidates, sorted, sorted, 0};
  PackArgs first{source, 1,    candidates, 1,    args.found, nullptr, &plan.key, plan.wordBytes, 4 * plan.wordBytes,
                 0,      true, true,       false};
  packWords(first);
  sortWords(candidates, args.found, plan.wordBytes, 4 * plan.wordBytes);
  while (args.next < plan.length) {
    xla_rt_poll();
    args.found = plan.count;
    args.end = std::min(plan.length, args.next + kBetweenPolls);
    scan(args);
    if (args.found > plan.count)
      sortWords(candidates, args.found, plan.wordBytes, 4 * plan.wordBytes);
  }
  GatherArgs values{candidates,
                    1,
                    plan.wordBytes,
                    4 * plan.wordBytes,
                    static_cast<const char *>(buffers[plan.valueSource]) + line * plan.length * plan.valueBytes,
                    static_cast<char *>(buffers[plan.values]) + line * plan.count * plan.valueBytes,
                    1,
                    plan.count,
                    plan.valueBytes};
  gatherByWords(values);
  GatherArgs indices = values;
  indices.source = nullptr;
  indices.result = static_cast<int32_t *>(buffers[plan.indices]) + line * plan.count;
  indices.bytes = sizeof(int32_t);
  gatherByWords(indices);
}

} // namespace

/// The functions that programs call: see `xla_rt.library_call`. What the parameters are says `Plan`.
extern "C" XLA_RT_EXPORT void xla_rt_sort_top_k(const int64_t *parameters, void *const *buffers, int64_t begin,
                                                int64_t end, void *scratch) {
  Plan plan;
  memcpy(&plan, parameters, sizeof(plan));
  end = std::min(end * plan.linesPerItem, plan.lines);
  for (int64_t line = begin * plan.linesPerItem; line < end; ++line)
    doLine(plan, buffers, line, scratch);
}
