// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers of a block, those with numbers, and of a cluster; and what to say if nobody can go on.

#include "Collectives.h"
#include "Worker.h"

#include "llvm/ADT/bit.h"

namespace cuda_emu {

uint32_t Worker::arrive(Thread &thread, unsigned kind, unsigned id, unsigned count, bool predicate, unsigned line,
                        bool isAligned) {
  if (id >= numBarriers)
    fail(thread, "barrier " + std::to_string(id) + " does not exist", line);
  if (count % warpSize || count > maxThreadsPerBlock)
    fail(thread, "a barrier for " + std::to_string(count) + " threads", line);
  BlockState &state = stateOf(thread);
  Barrier &barrier = state.barriers[id];
  if (barrier.arrived && barrier.expected != count)
    fail(thread, "barrier " + std::to_string(id) + " is waited for with different numbers of threads", line);
  if (barrier.arrivals.contains(thread.linear))
    fail(thread, "the thread has arrived at barrier " + std::to_string(id) + " already", line);
  // All lanes of a warp have to be at the same instruction.
  uint32_t &place = barrier.lines[thread.warp];
  if (checker && isAligned && place && place != line)
    fail(thread,
         "lanes of the warp are at different instructions of barrier " + std::to_string(id) + ": the other is " +
             kernel->source->describe(place),
         line);
  place = line;
  barrier.arrivals.insert(thread.linear);
  thread.mailbox.c = line;
  barrier.expected = count;
  ++barrier.arrived;
  barrier.count += predicate;
  barrier.all &= predicate;
  barrier.any |= predicate;
  if (kind != BarArrive) {
    barrier.waiting.insert(thread.linear);
    ready.erase(thread.index);
    thread.mailbox.kind = kind;
  } else if (checker) {
    if (!barrier.early)
      barrier.early = std::make_shared<Clock>();
    checker->clocks.publish(thread.index, *barrier.early);
  }
  if (barrier.arrived >= (count ? count : state.alive))
    release(thread, barrier, kind);
  if (kind == BarArrive)
    return 0;
  if (!ready.contains(thread.index))
    suspend(thread);
  return thread.barrierResult;
}

void Worker::release(const Thread &last, Barrier &barrier, unsigned kind) {
  fruitlessRounds = 0;
  unsigned first = last.block->rank * threadStride;
  if (checker) {
    std::vector<unsigned> all;
    for (unsigned i = 0; i < numThreads; ++i)
      if (barrier.waiting.contains(i))
        all.push_back(first + i);
    if (barrier.early)
      checker->clocks.join(all, barrier.early);
    else if (numBlocks == 1 && all.size() >= alive)
      checker->clocks.joinAll();
    else
      checker->clocks.join(all, std::make_shared<Clock>());
  }
  for (unsigned w = 0; w < barrier.waiting.words.size(); ++w)
    for (uint64_t bits = barrier.waiting.words[w]; bits; bits &= bits - 1) {
      Thread &thread = threads[first + w * 64 + llvm::countr_zero(bits)];
      ready.insert(thread.index);
      if (thread.mailbox.kind >= BarPopc)
        thread.barrierResult = thread.mailbox.kind == BarPopc  ? barrier.count
                               : thread.mailbox.kind == BarAnd ? barrier.all
                                                               : barrier.any;
    }
  // What lanes do in a loop is then told apart by the barriers in it, if they do not do it at the same time.
  if (profiler && numBlocks == 1 && barrier.arrived >= alive)
    profiler->count();
  barrier = {};
}

// --- Clusters ---

/// Most kernels have no use for it.
ClusterBarrier &Worker::barrierOfCluster() {
  clusterBarrier.arrivals.resize(numBlocks * threadStride);
  clusterBarrier.isWaiting.resize(numBlocks * threadStride);
  return clusterBarrier;
}

void Worker::clusterArrive(Thread &thread, bool isRelaxed, unsigned line) {
  ClusterBarrier &barrier = barrierOfCluster();
  uint64_t &mine = barrier.arrivals[thread.index];
  if (mine > barrier.phase)
    fail(thread, "the thread has arrived at the cluster's barrier and does so again before it waits", line);
  mine = barrier.phase + 1;
  ++barrier.arrived;
  if (checker) {
    if (!barrier.clock)
      barrier.clock = std::make_shared<Clock>();
    if (isRelaxed)
      checker->publishInit(thread, *barrier.clock);
    else
      checker->clocks.publish(thread.index, *barrier.clock);
  }
  if (barrier.arrived >= barrier.alive)
    releaseCluster();
}

void Worker::releaseCluster() {
  ClusterBarrier &barrier = clusterBarrier;
  fruitlessRounds = 0;
  barrier.arrived = 0;
  ++barrier.phase;
  barrier.last = std::move(barrier.clock);
  barrier.clock = nullptr;
  for (unsigned i = 0; i < barrier.isWaiting.size(); ++i)
    if (barrier.isWaiting[i]) {
      barrier.isWaiting[i] = false;
      ready.insert(i);
    }
}

void Worker::clusterWait(Thread &thread, unsigned line) {
  ClusterBarrier &barrier = barrierOfCluster();
  if (!barrier.arrivals[thread.index])
    fail(thread, "the thread waits for the cluster's barrier without having arrived", line);
  if (barrier.arrivals[thread.index] > barrier.phase) {
    barrier.isWaiting[thread.index] = true;
    thread.mailbox.c = line;
    ready.erase(thread.index);
    suspend(thread);
  }
  if (checker && barrier.last)
    checker->clocks.acquire(thread.index, barrier.last);
}

/// Nobody waits for a thread that has ended.
void Worker::leaveClusterBarrier(const Thread &thread) {
  ClusterBarrier &barrier = clusterBarrier;
  --barrier.alive;
  if (!barrier.arrivals.empty() && barrier.arrivals[thread.index] > barrier.phase)
    --barrier.arrived;
  if (barrier.arrived && barrier.arrived >= barrier.alive)
    releaseCluster();
}

// --- Deadlocks ---

std::string Worker::deadlock() const {
  std::string text = place(nullptr, 0) + "deadlock: ";
  for (unsigned rank = 0; rank < numBlocks; ++rank)
    for (unsigned id = 0; id < numBarriers; ++id) {
      const Barrier &barrier = states[rank].barriers[id];
      if (!barrier.arrived)
        continue;
      text += std::to_string(barrier.arrived) + " threads have arrived at barrier " + std::to_string(id);
      if (barrier.expected)
        text += " of " + std::to_string(barrier.expected);
      for (unsigned i = 0; i < numThreads; ++i)
        if (barrier.waiting.contains(i)) {
          text += " (" + kernel->source->describe(threads[rank * threadStride + i].mailbox.c) + ")";
          break;
        }
      text += "; ";
    }
  if (clusterBarrier.arrived) {
    text += std::to_string(clusterBarrier.arrived) + " threads have arrived at the cluster's barrier";
    for (unsigned i = 0; i < clusterBarrier.isWaiting.size(); ++i)
      if (clusterBarrier.isWaiting[i]) {
        text += " (" + kernel->source->describe(threads[i].mailbox.c) + ")";
        break;
      }
    text += "; ";
  }
  text += describeMbarriers() + describeWarpgroups();
  unsigned lanes = 0, line = 0;
  for (unsigned w = 0; w < warps.size(); ++w) {
    lanes += llvm::popcount(warps[w].waiting);
    if (warps[w].waiting)
      line = uint32_t(threads[w * warpSize + llvm::countr_zero(warps[w].waiting)].mailbox.c >> 32);
  }
  if (lanes)
    text += std::to_string(lanes) + " threads wait for other lanes of their warps (" + kernel->source->describe(line) +
            "); ";
  return text + std::to_string(alive) + " of " + std::to_string(numBlocks * numThreads) + " threads have not ended";
}

} // namespace cuda_emu
