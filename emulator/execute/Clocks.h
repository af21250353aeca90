// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of a block's memory accesses happen before which: vector clocks. A barrier of all threads is a line that all
// have passed (`base`); vectors exist only for threads that have synchronised in smaller groups since, one for each
// group.

#ifndef CUDA_EMU_EXECUTE_CLOCKS_H
#define CUDA_EMU_EXECUTE_CLOCKS_H

#include <cstdint>
#include <memory>
#include <vector>

namespace cuda_emu {

using Clock = std::vector<uint32_t>;

class Clocks {
public:
  void reset(unsigned threads) {
    now.assign(threads, 1);
    base.assign(threads, 0);
    known.assign(threads, nullptr);
  }
  unsigned size() const { return now.size(); }
  /// The time of what `thread` does now.
  uint32_t time(unsigned thread) const { return now[thread]; }
  bool isBefore(unsigned other, uint32_t time, unsigned thread) const {
    return other == thread || time <= base[other] || (known[thread] && time <= (*known[thread])[other]);
  }
  /// All threads meet.
  void joinAll() {
    base = now;
    for (unsigned i = 0; i < now.size(); ++i) {
      ++now[i];
      known[i] = nullptr;
    }
  }
  /// What is known to `thread` and what it did, for whoever synchronises with it later.
  void publish(unsigned thread, Clock &into) {
    into.resize(now.size());
    for (unsigned i = 0; i < now.size(); ++i) {
      uint32_t time = i == thread ? now[i] : known[thread] ? (*known[thread])[i] : base[i];
      into[i] = time > into[i] ? time : into[i];
    }
    ++now[thread];
  }
  void acquire(unsigned thread, const std::shared_ptr<Clock> &from) {
    if (!known[thread]) {
      known[thread] = from;
      return;
    }
    auto merged = std::make_shared<Clock>(*known[thread]);
    for (unsigned i = 0; i < merged->size(); ++i)
      (*merged)[i] = std::max((*merged)[i], (*from)[i]);
    known[thread] = std::move(merged);
  }
  /// `threads` meet.
  template <typename Range> void join(const Range &threads) {
    auto all = std::make_shared<Clock>();
    for (unsigned thread : threads)
      publish(thread, *all);
    for (unsigned thread : threads)
      known[thread] = all;
  }

private:
  std::vector<uint32_t> now, base;
  std::vector<std::shared_ptr<Clock>> known;
};

} // namespace cuda_emu

#endif // CUDA_EMU_EXECUTE_CLOCKS_H
