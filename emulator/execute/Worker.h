// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one thread of the host needs to run blocks, one after the other: fibres, shared memory, barriers, warps.

#ifndef CUDA_EMU_EXECUTE_WORKER_H
#define CUDA_EMU_EXECUTE_WORKER_H

#include "Checker.h"
#include "Fibre.h"
#include "Machine.h"
#include "Profile.h"

#include <array>
#include <memory>
#include <random>

namespace cuda_emu {

/// A set of threads of a block.
struct ThreadSet {
  std::array<uint64_t, maxThreadsPerBlock / 64> words = {};
  void insert(unsigned thread) { words[thread / 64] |= uint64_t(1) << thread % 64; }
  void erase(unsigned thread) { words[thread / 64] &= ~(uint64_t(1) << thread % 64); }
  bool contains(unsigned thread) const { return words[thread / 64] >> thread % 64 & 1; }
};

struct Barrier {
  unsigned arrived = 0, expected = 0; // expected 0: all threads that have not ended
  unsigned count = 0;
  bool all = true, any = false; // what bar.red combines; `count` for .popc
  ThreadSet waiting, arrivals;
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

struct Worker {
  explicit Worker(unsigned index) : index(index) {}
  ~Worker();

  /// Runs a block to its end. False: a thread failed, `error` says how.
  bool runBlock(const Kernel &kernel, const LaunchShape &shape, char *parameters, const uint32_t ctaid[3],
                uint64_t grid);

  // Called on fibres.
  uint32_t arrive(Thread &thread, unsigned kind, unsigned id, unsigned count, bool predicate, unsigned line);
  uint64_t collective(Thread &thread, unsigned kind, uint32_t mask, uint64_t a, uint64_t b, uint64_t c, unsigned line,
                      uint64_t code = 0);
  void yield(Thread &thread);
  /// For an instruction that may be waiting for another thread: lets others go on now and then.
  void spin(Thread &thread);
  void checkAccess(Thread &thread, const Access &access);
  void fence(Thread &thread);
  void matrix(Thread &thread, unsigned kind, uint64_t *operands, uint64_t *results, uint64_t code, unsigned line);
  void asyncCopy(Thread &thread, const AsyncCopy &copy);
  void asyncCommit(Thread &thread);
  /// Until no more than `groups` of the thread's groups are going on, or nothing at all.
  void asyncWait(Thread &thread, unsigned groups, bool all);
  /// Before the blocks of a launch. With a seed, threads take turns at random.
  void beginLaunch(const Kernel &kernel, unsigned seed);
  [[noreturn]] void end(Thread &thread);
  /// Leaves the block at once.
  [[noreturn]] void fail(Thread &thread, const std::string &what, unsigned line);

  // After a fault: the first from the signal handler.
  void noteFault(uint64_t address, uint64_t code, uint64_t stack) { fault = {address, code, stack}; }
  [[noreturn]] void leaveAfterFault();
  char *exitStackTop() { return exitStack + sizeof exitStack; }

  const Kernel *kernel = nullptr;
  Failure failure;
  unsigned index;

private:
  bool prepare(const LaunchShape &shape);
  void runLoop();
  void runFibres();
  void suspend(Thread &thread);
  /// Where to go on, other than at `from`; null if no thread is ready.
  Thread *next(unsigned from);
  void release(Barrier &barrier, unsigned kind);
  void completeWarp(unsigned warp);
  void computeCollective(Thread *lanes, uint32_t mask);
  void computeMatrix(Thread *lanes);
  void perform(Thread &thread, const AsyncCopy &copy);
  void check(Thread &thread, const Access &access);
  std::string deadlock();
  std::string place(const Thread *thread, unsigned line) const;
  static void startThread(void *thread);
  static void startLoop(void *worker);

  Block block = {};
  std::array<Thread, maxThreadsPerBlock> threads;
  unsigned numThreads = 0, alive = 0;
  std::unique_ptr<Checker> checker;   // of a kernel that is checked
  std::unique_ptr<Profiler> profiler; // of one that is profiled
  uint32_t serial = 0;                // of blocks of a launch, from 1
  bool isShuffled = false;
  bool isEarly = false;           // asynchronous copies are made at once, not as late as allowed
  std::vector<AsyncCopies> async; // by thread
  std::minstd_rand random;
  ThreadSet ready;
  std::array<Barrier, numBarriers> barriers;
  std::array<Warp, maxThreadsPerBlock / warpSize> warps;
  Stacks stacks;
  void *mainStack = nullptr;
  size_t sharedMapped = 0;
  struct {
    uint64_t address, code, stack;
  } fault = {};
  alignas(64) char exitStack[64 * 1024];
};

} // namespace cuda_emu

#endif // CUDA_EMU_EXECUTE_WORKER_H
