// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What transforms of a length need to know, kept for the next call, and memory of the runtime. Included by objects that
// are compiled for different processors, which is why all of it is in an unnamed namespace.

#ifndef MLIR_XLA_RUNTIME_LIBRARY_FFT_PLANS_H
#define MLIR_XLA_RUNTIME_LIBRARY_FFT_PLANS_H

#include "mlir_xla/runtime/xla_rt.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <iterator>
#include <memory>
#include <new>

namespace xla_fft {
namespace {

/// Held for a few instructions. In a child of the process nobody may be left to give it back, so none waits for long.
class BriefLock {
public:
  explicit BriefLock(std::atomic_flag &flag) : flag(flag) {
    for (int tries = 0; tries < 10000 && !isHeld; ++tries)
      isHeld = !flag.test_and_set(std::memory_order_acquire);
  }
  ~BriefLock() {
    if (isHeld)
      flag.clear(std::memory_order_release);
  }
  BriefLock(const BriefLock &) = delete;
  bool isHeld = false;

private:
  std::atomic_flag &flag;
};

/// Plans of recent lengths: making one takes as long as some transforms of its length.
template <typename Plan> std::shared_ptr<const Plan> planFor(int64_t length, bool single) {
  struct Entry {
    int64_t length;
    bool single;
    std::shared_ptr<const Plan> plan;
    uint64_t used;
  };
  constexpr size_t most = 16, mostBytes = 4 << 20;
  static Entry entries[most];
  static uint64_t clock;
  static std::atomic_flag flag = ATOMIC_FLAG_INIT;
  {
    BriefLock lock(flag);
    for (Entry &entry : entries)
      if (lock.isHeld && entry.plan && entry.length == length && entry.single == single) {
        entry.used = ++clock;
        return entry.plan;
      }
  }
  auto plan = std::make_shared<const Plan>(length, single);
  if (plan->footprint() > mostBytes)
    return plan;
  Entry entry{length, single, plan, 0}; // then the one that is replaced, released behind the lock
  BriefLock lock(flag);
  if (lock.isHeld) {
    entry.used = ++clock;
    std::swap(entry, *std::min_element(std::begin(entries), std::end(entries),
                                       [](const Entry &a, const Entry &b) { return a.used < b.used; }));
  }
  return plan;
}

/// Memory of the runtime, which keeps it for the next call.
class Memory {
public:
  explicit Memory(size_t bytes) : block(xla_rt_alloc(static_cast<int64_t>(bytes))) {
    if (!block)
      throw std::bad_alloc();
  }
  ~Memory() { xla_rt_free(block); }
  Memory(const Memory &) = delete;
  template <typename T> T *at(size_t bytes) const { return reinterpret_cast<T *>(static_cast<char *>(block) + bytes); }

private:
  void *block;
};

} // namespace
} // namespace xla_fft

#endif // MLIR_XLA_RUNTIME_LIBRARY_FFT_PLANS_H
