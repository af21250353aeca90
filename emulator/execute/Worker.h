// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one thread of the host needs to run blocks, one after the other, or the blocks of a cluster together: fibres,
// shared memory, barriers, warps, and what was started and is not done.

#ifndef CUDA_EMU_EXECUTE_WORKER_H
#define CUDA_EMU_EXECUTE_WORKER_H

#include "Bulk.h"
#include "Checker.h"
#include "Fibre.h"
#include "Machine.h"
#include "Mbarrier.h"
#include "Profile.h"
#include "SharedMemory.h"
#include "Wgmma.h"

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <random>

namespace cuda_emu {

/// A set of threads, of a block or of all that run together.
template <unsigned size> struct Threads {
  std::array<uint64_t, size / 64> words = {};
  void insert(unsigned thread) { words[thread / 64] |= uint64_t(1) << thread % 64; }
  void erase(unsigned thread) { words[thread / 64] &= ~(uint64_t(1) << thread % 64); }
  bool contains(unsigned thread) const { return words[thread / 64] >> thread % 64 & 1; }
};
using ThreadSet = Threads<maxThreadsPerBlock>;
using ClusterThreadSet = Threads<maxThreadsPerBlock * maxClusterBlocks>;

struct Barrier {
  unsigned arrived = 0, expected = 0; // expected 0: all threads that have not ended
  unsigned count = 0;
  bool all = true, any = false; // what bar.red combines; `count` for .popc
  ThreadSet waiting, arrivals;
  std::array<uint32_t, maxThreadsPerBlock / warpSize> lines = {}; // where each warp has arrived
  std::shared_ptr<Clock> early;                                   // of those that have arrived and do not wait
};

/// barrier.cluster: threads by their index.
struct ClusterBarrier {
  unsigned arrived = 0, alive = 0;
  uint64_t phase = 0;
  std::vector<uint64_t> arrivals; // of each thread, so far
  std::vector<bool> isWaiting;
  std::shared_ptr<Clock> clock, last;
};

/// cp.async: `taken` bytes from global memory, zeros up to `bytes`. `to` is an address in shared memory.
struct AsyncCopy {
  uint64_t to, from;
  uint32_t bytes, taken, line;
};
struct AsyncCopies {
  std::vector<AsyncCopy> copies;
  std::vector<size_t> groups; // where each ends
};

struct Warp {
  uint32_t waiting = 0, alive = 0; // lanes
};

/// A block that is running.
struct BlockState {
  unsigned alive = 0;
  std::array<Barrier, numBarriers> barriers;
  std::map<uint32_t, Mbarrier> mbarriers; // by their offsets
};

/// Where the handler of faults runs, at whose lower end it finds the worker that runs kernels on this thread.
struct alignas(64) SignalStack {
  bool isOurs() const { return self == this; }

  SignalStack *self = this;
  struct Worker *worker = nullptr;
  char memory[64 * 1024];
};

struct Worker {
  explicit Worker(unsigned index) : index(index) {}

  /// Runs the blocks of a cluster, or a block that is one of its own, to their end; `cluster` is its place among the
  /// clusters of the grid. False: a thread failed, `failure` says how.
  bool runCluster(const Kernel &kernel, const LaunchShape &shape, char *parameters, const uint32_t cluster[3],
                  uint64_t grid);

  // Called on fibres.
  uint32_t arrive(Thread &thread, unsigned kind, unsigned id, unsigned count, bool predicate, unsigned line,
                  bool isAligned);
  void clusterArrive(Thread &thread, bool isRelaxed, unsigned line);
  void clusterWait(Thread &thread, unsigned line);
  uint64_t collective(Thread &thread, unsigned kind, uint32_t mask, uint64_t a, uint64_t b, uint64_t c, unsigned line,
                      uint64_t code = 0);
  void yield(Thread &thread);
  /// For an instruction that may be waiting for another thread: lets others go on now and then.
  void spin(Thread &thread);
  void checkAccess(Thread &thread, const Access &access);
  void fence(Thread &thread);
  void proxyFence(Thread &thread, unsigned kinds);
  void matrix(Thread &thread, unsigned kind, uint64_t *operands, uint64_t *results, uint64_t code, unsigned line);
  void asyncCopy(Thread &thread, const AsyncCopy &copy);
  void asyncCommit(Thread &thread);
  /// Until no more than `groups` of the thread's groups are going on, or nothing at all.
  void asyncWait(Thread &thread, unsigned groups, bool all);
  /// `global` is the address of a tensor map if the flags say so.
  void bulkCopy(Thread &thread, unsigned flags, uint64_t shared, uint64_t global, const int32_t *coordinates, uint32_t bytes,
                uint64_t barrier, unsigned mask, unsigned line);
  void bulkCommit(Thread &thread);
  void bulkWait(Thread &thread, unsigned groups, bool onlyRead);
  /// `a` and `b` describe matrices in shared memory.
  void wgmma(Thread &thread, const Wgmma &code, WgmmaRegister **registers, uint64_t a, uint64_t b, bool accumulates,
             unsigned line);
  void wgmmaFence(Thread &thread, WgmmaRegister *registers, unsigned count);
  void wgmmaCommit(Thread &thread, unsigned line);
  void wgmmaWait(Thread &thread, unsigned groups, unsigned line);
  void wgmmaTouch(Thread &thread, WgmmaRegister &reg, bool isWrite, unsigned line);
  uint64_t mbarrier(Thread &thread, const MbarrierOperation &operation);
  /// Before the blocks of a launch. With a seed, threads take turns at random.
  void beginLaunch(const Kernel &kernel, unsigned seed);
  [[noreturn]] void end(Thread &thread);
  /// Leaves the block at once.
  [[noreturn]] void fail(const Thread &thread, const std::string &what, unsigned line);

  // After a fault: the first from the signal handler. Neither allocates memory: the kernel may have been at that.
  void noteFault(uint64_t address, uint64_t code, uint64_t stack) { fault = {true, address, code, stack}; }
  [[noreturn]] void leaveAfterFault();
  char *exitStackTop() { return exitStack + sizeof exitStack; }

  const Kernel *kernel = nullptr;
  Failure failure;
  SignalStack signalStack;
  unsigned index;

private:
  bool prepare(const LaunchShape &shape);
  void placeBlocks(const LaunchShape &shape, char *parameters, const uint32_t cluster[3], uint64_t grid);
  void placeStack(Thread &thread, size_t index);
  void runLoop();
  void describeFault();
  void runFibres();
  void suspend(Thread &thread);
  /// Where to go on, other than at `from`; null if no thread is ready.
  Thread *next(unsigned from);
  /// The same, but lets what is asynchronous happen if no thread is ready; null if nothing will happen any more.
  Thread *proceed(unsigned from);
  void release(const Thread &last, Barrier &barrier, unsigned kind);
  ClusterBarrier &barrierOfCluster();
  void releaseCluster();
  void leaveClusterBarrier(const Thread &thread);
  void completeWarp(unsigned warp);
  void computeCollective(Thread *lanes, uint32_t mask);
  void computeMatrix(Thread *lanes);
  void perform(Thread &thread, const AsyncCopy &copy);
  void check(Thread &thread, const Access &access);
  void checkIsAlive(const Thread &thread, uint64_t address, unsigned line);
  std::string deadlock() const;
  std::string place(const Thread *thread, unsigned line) const;
  static void startThread(void *thread);
  static void startLoop(void *worker);

  // Mbarrier.cpp
  struct MbarrierPlace {
    unsigned rank;
    uint32_t offset;
    uint64_t *word;
    Mbarrier *state;
  };
  MbarrierPlace findMbarrier(const Thread &thread, uint64_t address, unsigned line);
  uint64_t addressOf(const MbarrierPlace &place) const;
  void checkMbarrier(const Thread &thread, const MbarrierPlace &place, unsigned line, bool isAsync);
  uint64_t countArrivals(Thread &thread, const MbarrierPlace &place, const MbarrierOperation &operation);
  void completePhase(const Thread &thread, const MbarrierPlace &place, unsigned line);
  uint64_t waitForPhase(Thread &thread, const MbarrierPlace &place, const MbarrierOperation &operation);
  bool wakePollers();
  std::string describeMbarriers() const;

  // Bulk.cpp
  void takeTensorMap(Thread &thread, BulkCopy &copy, unsigned rank, bool isPixels, const int32_t *coordinates);
  void checkBulk(Thread &thread, const BulkCopy &copy, unsigned sharedAgent, unsigned globalAgent);
  void startLoad(Thread &thread, BulkCopy copy);
  void finishLoad(const BulkCopy &copy);
  /// False if none is going on.
  bool finishSomeLoad();
  BulkStores &storesOf(const Thread &thread);
  void startStore(Thread &thread, BulkCopy copy);
  void readStore(BulkCopy &copy);
  void writeStore(BulkCopy &copy);
  void finishStores();
  void checkLoadsAtEnd(const Thread &thread);
  void checkStoresAtEnd(const Thread &thread);

  // Wgmma.cpp
  struct Warpgroup {
    WgmmaJob next;
    unsigned arrived = 0, serial = 0; // threads at the next instruction; the last instruction's
    std::vector<Thread *> waiting;
    std::deque<WgmmaJob> jobs;
    std::array<std::vector<unsigned>, warpgroupSize> groups; // of each thread: its last instruction
    std::array<unsigned, warpgroupSize> waitedFor = {};
    std::array<unsigned, 4> agents = {};
  };
  Warpgroup &warpgroupOf(const Thread &thread, unsigned line);
  void takeRegisters(Thread &thread, WgmmaJob &job, WgmmaRegister **registers);
  void startProduct(Thread &thread, Warpgroup &group);
  void checkProduct(const Thread &last, Warpgroup &group);
  void finishProducts(Warpgroup &group, unsigned serial);
  void checkProductsAtEnd(const Thread &thread);
  std::string describeWarpgroups() const;

  BlockState &stateOf(const Thread &thread) { return states[thread.block->rank]; }
  Thread *threadsOf(const Block &block) { return &threads[block.rank * threadStride]; }

  std::array<Block, maxClusterBlocks> blocks = {};
  std::vector<BlockState> states;
  std::vector<Thread> threads;
  unsigned numBlocks = 1, numThreads = 0, threadStride = 0, alive = 0; // of a block; of one and its padding; of all
  std::unique_ptr<Checker> checker;                                    // of a kernel that is checked
  std::unique_ptr<Profiler> profiler;                                  // of one that is profiled
  uint32_t serial = 0;                                                 // of blocks of a launch, from 1
  bool isShuffled = false;
  bool isEarly = false;           // asynchronous copies are made at once, not as late as allowed
  std::vector<AsyncCopies> async; // by thread
  std::vector<Warpgroup> warpgroups;
  std::deque<BulkCopy> loads;     // that are going on
  std::vector<BulkStores> stores; // by thread; empty if there are none
  std::vector<Thread *> pollers;  // that wait for an mbarrier
  unsigned fruitlessRounds = 0;   // of waking them, since something happened
  ClusterBarrier clusterBarrier;
  std::minstd_rand random;
  ClusterThreadSet ready;
  std::vector<Warp> warps;
  SharedMemory sharedMemory;
  Stacks stacks;
  void *mainStack = nullptr;
  struct {
    bool isPending;
    uint64_t address, code, stack;
  } fault = {};
  alignas(64) char exitStack[64 * 1024];
};

} // namespace cuda_emu

#endif // CUDA_EMU_EXECUTE_WORKER_H
