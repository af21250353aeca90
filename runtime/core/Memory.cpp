// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Aligned blocks from a cache by size class, and copies and fills that use the thread pool when they are large.

#include "mlir_xla/runtime/xla_rt.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define XLA_RT_ASAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define XLA_RT_ASAN 1
#endif
#ifdef XLA_RT_ASAN
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#endif

namespace {

constexpr int64_t kAlignment = 64;
constexpr int64_t kHugePage = 2 << 20;
/// Blocks beyond this total go back to the system when freed.
constexpr int64_t kMaxKeptBytes = int64_t(1) << 30;
constexpr int kClasses = 160;

/// Stands right before the block, which keeps the block's alignment.
struct alignas(64) Header {
  Header *next;
  int64_t bytes; // usable size
  int sizeClass;
};
static_assert(sizeof(Header) == kAlignment);

struct Cache {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  Header *lists[kClasses] = {};
  int64_t kept = 0;
} cache;

/// A forked child finds the mutex free and the lists whole: no other thread holds it at the fork.
[[maybe_unused]] const int atFork =
    pthread_atfork([] { pthread_mutex_lock(&cache.mutex); }, [] { pthread_mutex_unlock(&cache.mutex); },
                   [] { pthread_mutex_unlock(&cache.mutex); });

/// Four classes per power of two: at most a quarter of a block is unused.
int sizeClassOf(int64_t bytes, int64_t &rounded) {
  if (bytes <= 64) {
    rounded = 64;
    return 0;
  }
  int log = 63 - __builtin_clzll((uint64_t)(bytes - 1)); // 2^log < bytes <= 2^(log+1)
  int64_t quarter = int64_t(1) << (log - 2);
  int64_t steps = (bytes - (int64_t(1) << log) + quarter - 1) / quarter; // 1..4
  rounded = (int64_t(1) << log) + steps * quarter;
  return (log - 6) * 4 + (int)steps;
}

} // namespace

void *xla_rt_alloc(int64_t bytes) {
  int64_t rounded;
  if (bytes < 0 || bytes > int64_t(1) << 46)
    return nullptr;
  int sizeClass = sizeClassOf(bytes, rounded);
  pthread_mutex_lock(&cache.mutex);
  Header *header = cache.lists[sizeClass];
  if (header) {
    cache.lists[sizeClass] = header->next;
    cache.kept -= header->bytes;
  }
  pthread_mutex_unlock(&cache.mutex);
  if (!header) {
    bool huge = rounded >= kHugePage;
    size_t total = rounded + sizeof(Header);
    size_t alignment = huge ? kHugePage : kAlignment;
    total = (total + alignment - 1) / alignment * alignment;
    void *memory = aligned_alloc(alignment, total);
    if (!memory)
      return nullptr;
    if (huge)
      madvise(memory, total, MADV_HUGEPAGE);
    header = static_cast<Header *>(memory);
    header->bytes = rounded;
    header->sizeClass = sizeClass;
  }
  header->next = nullptr;
  ASAN_UNPOISON_MEMORY_REGION(header + 1, header->bytes);
  return header + 1;
}

void xla_rt_free(void *block) {
  if (!block)
    return;
  Header *header = static_cast<Header *>(block) - 1;
  pthread_mutex_lock(&cache.mutex);
  bool keep = cache.kept + header->bytes <= kMaxKeptBytes;
  if (keep) {
    ASAN_POISON_MEMORY_REGION(block, header->bytes);
    header->next = cache.lists[header->sizeClass];
    cache.lists[header->sizeClass] = header;
    cache.kept += header->bytes;
  }
  pthread_mutex_unlock(&cache.mutex);
  if (!keep)
    free(header);
}

int64_t xla_rt_trim(void) {
  int64_t freed = 0;
  pthread_mutex_lock(&cache.mutex);
  for (Header *&list : cache.lists) {
    while (Header *header = list) {
      list = header->next;
      freed += header->bytes;
      ASAN_UNPOISON_MEMORY_REGION(header + 1, header->bytes);
      free(header);
    }
  }
  cache.kept = 0;
  pthread_mutex_unlock(&cache.mutex);
  return freed;
}

namespace {

/// Below this one core is as fast as several.
constexpr int64_t kParallelBytes = 1 << 20;
/// Memory that is new to the process takes a millisecond for this much.
constexpr int64_t kBytesBetweenPolls = 4 << 20;

/// Calls `piece(begin, end)` for pieces of [0, bytes) that begin at multiples of 16.
template <typename Piece> void inPieces(int64_t bytes, Piece piece) {
  for (int64_t begin = 0; begin < bytes; begin += kBytesBetweenPolls) {
    if (begin > 0)
      xla_rt_poll();
    int64_t end = begin + kBytesBetweenPolls;
    piece(begin, end < bytes ? end : bytes);
  }
}

/// Calls `range(begin, end)` for parts of [0, bytes) that begin at pages, on all cores if there are many.
template <typename Range> void overPages(int64_t bytes, const Range &range) {
  if (bytes < kParallelBytes) {
    if (bytes > 0)
      range(0, bytes);
    return;
  }
  struct Task {
    const Range &range;
    int64_t bytes;
  } task = {range, bytes};
  constexpr int64_t page = 4096;
  xla_rt_parallel_for(
      [](void *args, int64_t begin, int64_t end, void *) {
        auto *task = static_cast<Task *>(args);
        int64_t first = begin * page, last = end * page < task->bytes ? end * page : task->bytes;
        inPieces(last - first, [&](int64_t from, int64_t to) { task->range(first + from, first + to); });
      },
      &task, (bytes + page - 1) / page, /*grain=*/64, 0);
}

template <typename T> void fillWith(void *destination, const void *element, int64_t count) {
  T value;
  memcpy(&value, element, sizeof(T));
  overPages(count * sizeof(T), [=](int64_t begin, int64_t end) {
    T *out = reinterpret_cast<T *>(static_cast<char *>(destination) + begin);
    for (int64_t i = 0, n = (end - begin) / sizeof(T); i < n; ++i)
      out[i] = value;
  });
}

struct Pair {
  uint64_t low, high;
};

} // namespace

void xla_rt_copy(void *destination, const void *source, int64_t bytes) {
  overPages(bytes, [=](int64_t begin, int64_t end) {
    memcpy(static_cast<char *>(destination) + begin, static_cast<const char *>(source) + begin, end - begin);
  });
}

void xla_rt_fill(void *destination, const void *element, int64_t size, int64_t count) {
  const char *bytes = static_cast<const char *>(element);
  bool uniform = true;
  for (int64_t i = 1; i < size; ++i)
    uniform &= bytes[i] == bytes[0];
  if (uniform) {
    return overPages(size * count, [=](int64_t begin, int64_t end) {
      memset(static_cast<char *>(destination) + begin, bytes[0], end - begin);
    });
  }
  switch (size) {
  case 2:
    return fillWith<uint16_t>(destination, element, count);
  case 4:
    return fillWith<uint32_t>(destination, element, count);
  case 8:
    return fillWith<uint64_t>(destination, element, count);
  case 16:
    return fillWith<Pair>(destination, element, count);
  default:
    for (int64_t i = 0; i < count; ++i)
      memcpy(static_cast<char *>(destination) + i * size, element, size);
  }
}
