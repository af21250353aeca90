// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of a block's memory accesses happen before which: vector clocks. A barrier of all threads is a line that all
// have passed (`base`); vectors exist only for threads that have synchronised in smaller groups since, one for each
// group.

#ifndef CUDA_EMU_EXECUTE_CLOCKS_H
#define CUDA_EMU_EXECUTE_CLOCKS_H

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace cuda_emu {

using Clock = std::vector<uint32_t>; // what is behind its end is 0

/// Beside the threads there are agents, in whose names asynchronous operations read and write. Their times are known to
/// a thread only by what it has waited for.
class Clocks {
public:
  void reset(unsigned count) {
    threads = count;
    now.assign(threads, 1);
    base.assign(threads, 0);
    known.assign(threads, nullptr);
  }
  unsigned size() const { return now.size(); }
  bool isAgent(unsigned thread) const { return thread >= threads; }
  unsigned addAgent() {
    now.push_back(1);
    base.push_back(0);
    return now.size() - 1;
  }
  /// The time of what `thread` does now.
  uint32_t time(unsigned thread) const { return now[thread]; }
  void advance(unsigned thread) { ++now[thread]; }
  bool isBefore(unsigned other, uint32_t time, unsigned thread) const {
    return other == thread || time <= base[other] || (known[thread] && time <= at(*known[thread], other));
  }
  /// All threads meet.
  void joinAll() {
    for (unsigned i = 0; i < now.size(); ++i) {
      if (i < threads) {
        base[i] = now[i]++;
        continue;
      }
      for (unsigned thread = 0; thread < threads; ++thread)
        if (known[thread])
          base[i] = std::max(base[i], at(*known[thread], i));
    }
    known.assign(threads, nullptr);
  }
  /// What is known to `thread` and what it did, for whoever synchronises with it later.
  void publish(unsigned thread, Clock &into) {
    into.resize(now.size());
    for (unsigned i = 0; i < now.size(); ++i) {
      uint32_t time = i == thread ? now[i] : known[thread] ? std::max(base[i], at(*known[thread], i)) : base[i];
      into[i] = std::max(into[i], time);
    }
    ++now[thread];
  }
  /// What `agent` has done until `time`.
  void publish(unsigned agent, uint32_t time, Clock &into) {
    into.resize(now.size());
    into[agent] = std::max(into[agent], time);
  }
  void acquire(unsigned thread, const std::shared_ptr<Clock> &from) {
    if (!known[thread] || known[thread] == from) {
      known[thread] = from;
      return;
    }
    auto merged = std::make_shared<Clock>(*known[thread]);
    merged->resize(now.size());
    for (unsigned i = 0; i < from->size(); ++i)
      (*merged)[i] = std::max((*merged)[i], (*from)[i]);
    known[thread] = std::move(merged);
  }
  /// `thread` has waited for what `agent` did until `time`.
  void learn(unsigned thread, unsigned agent, uint32_t time) {
    if (isBefore(agent, time, thread))
      return;
    auto merged = known[thread] ? std::make_shared<Clock>(*known[thread]) : std::make_shared<Clock>();
    publish(agent, time, *merged);
    known[thread] = std::move(merged);
  }
  /// `all` meet, after what is in `clock` already.
  template <typename Range> void join(const Range &all, std::shared_ptr<Clock> clock) {
    for (unsigned thread : all)
      publish(thread, *clock);
    for (unsigned thread : all)
      known[thread] = clock;
  }

private:
  static uint32_t at(const Clock &clock, unsigned index) { return index < clock.size() ? clock[index] : 0; }

  unsigned threads = 0;
  std::vector<uint32_t> now, base;
  std::vector<std::shared_ptr<Clock>> known;
};

} // namespace cuda_emu

#endif // CUDA_EMU_EXECUTE_CLOCKS_H
