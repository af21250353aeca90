// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The thread pool behind parallel loops. One loop is open at a time; workers join it through one atomic word, take
// pieces of their own part first and then of the others', and spin briefly between loops before they sleep on a futex.

#include "mlir_xla/runtime/core/Environment.h"
#include "mlir_xla/runtime/core/Execution.h"

#include <atomic>
#include <climits>
#include <linux/futex.h>
#include <new>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

using namespace xla_rt;

namespace {

constexpr int64_t kMaxThreads = 256;
/// How long a worker waits actively for the next loop: longer than the gaps between the loops of one program, shorter
/// than what a sleeping core would cost elsewhere.
constexpr int64_t kSpinNanoseconds = 30000;
/// Pieces per thread: enough to even out unequal pieces, few enough to keep the counters cold.
constexpr int64_t kPiecesPerThread = 4;

inline void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#else
  sched_yield();
#endif
}

int64_t nanoseconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/// How many threads there are if nobody has said a number; 0, and `message` why, if the environment says something
/// else.
int64_t defaultThreads(char *message, size_t room) {
  uint64_t wanted;
  Setting setting = readEnvironment("XLA_RT_NUM_THREADS", 1, kMaxThreads, wanted, message, room);
  if (setting != Setting::None)
    return setting == Setting::Given ? static_cast<int64_t>(wanted) : 0;
  cpu_set_t set;
  int64_t n = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : sysconf(_SC_NPROCESSORS_ONLN);
  return n < 1 ? 1 : (n < kMaxThreads ? n : kMaxThreads);
}

/// One thread's part of the open loop.
struct alignas(64) Part {
  std::atomic<int64_t> next;
  int64_t end;
};

thread_local bool insideLoop = false;

struct Pool {
  // The open loop; written by its caller while `state` is closed and nobody is inside.
  Execution *execution; // that the loop is part of, or null
  xla_rt_task task;
  void *args;
  int64_t piece, stride;
  int64_t scratchBytes;
  int64_t participants;
  Part parts[kMaxThreads];
  std::atomic<char *> error{nullptr};
  bool outOfMemory = false; // of the worker whose error that is

  /// generation << 17 | open << 16 | number of workers inside.
  alignas(64) std::atomic<uint64_t> state{0};
  static constexpr uint64_t kOpen = 1 << 16, kInside = kOpen - 1;

  alignas(64) std::atomic<uint32_t> wakeWord{0};
  std::atomic<int32_t> sleepers{0};
  alignas(64) std::atomic<uint32_t> doneWord{0}; // that the caller sleeps on while workers are inside
  std::atomic<bool> callerSleeps{false};

  std::atomic<bool> busy{false};
  std::atomic<int64_t> threads{0};          // 0: as many as there are by default, which nobody has asked for yet
  int64_t started = 1;                      // workers are numbered from 1; guarded by `busy`
  int callersCpu = -1;                      // that workers keep away from, or -1; guarded by `busy`
  std::atomic<pid_t> ids[kMaxThreads] = {}; // of the workers that run

  void work(int64_t self);
  void doPieces(int64_t self, void *scratch);
  void worker(int64_t self);
  void startWorkers(int64_t count);
  void keepAway(int64_t count);
  void letAnywhere();
  void bindWorkers(const cpu_set_t &set);
  void waitForWorkers();
  int64_t askThreads(char *message, size_t room);
  void run(xla_rt_task task, void *args, int64_t n, int64_t grain, int64_t scratchBytes);
};

/// Never destroyed: workers may outlive static destructors.
std::atomic<Pool *> poolPointer{nullptr};
pthread_once_t poolOnce = PTHREAD_ONCE_INIT;

void createPool() {
  poolPointer.store(new (std::nothrow) Pool, std::memory_order_release);
  // A forked child has no workers: it starts over with a pool of its own, of as many threads.
  pthread_atfork(nullptr, nullptr, [] {
    Pool *old = poolPointer.load(), *fresh = new (std::nothrow) Pool;
    if (old && fresh)
      fresh->threads.store(old->threads.load());
    poolPointer.store(fresh, std::memory_order_release);
  });
}

Pool *pool() {
  pthread_once(&poolOnce, createPool);
  return poolPointer.load(std::memory_order_acquire);
}

/// Items between two polls; a task without grains polls by itself.
int64_t strideOf(int64_t grain) {
  return grain > 0 && grain < INT64_MAX / XLA_RT_POLLED_GRAINS ? grain * XLA_RT_POLLED_GRAINS : INT64_MAX;
}

/// Does the items [begin, end) with a poll before every few grains.
void doItems(xla_rt_task task, void *args, int64_t begin, int64_t end, int64_t stride, void *scratch) {
  while (begin < end) {
    int64_t next = stride < end - begin ? begin + stride : end;
    xla_rt_poll();
    task(args, begin, next, scratch);
    begin = next;
  }
}

void Pool::doPieces(int64_t self, void *scratch) {
  for (int64_t i = 0; i < participants; ++i) {
    Part &part = parts[(self + i) % participants];
    for (;;) {
      int64_t begin = part.next.load(std::memory_order_relaxed);
      if (begin >= part.end)
        break;
      begin = part.next.fetch_add(piece, std::memory_order_relaxed);
      if (begin >= part.end)
        break;
      int64_t end = begin + piece < part.end ? begin + piece : part.end;
      doItems(task, args, begin, end, stride, scratch);
    }
  }
}

void Pool::work(int64_t self) {
  void *scratch = scratchBytes ? xla_rt_alloc(scratchBytes) : nullptr;
  if (scratchBytes && !scratch) // others do this thread's part, in vain
    return xla_rt_set_out_of_memory("out of memory for the scratch space of a parallel loop");
  untilExit(execution, [=] { doPieces(self, scratch); });
  if (scratch)
    xla_rt_free(scratch);
}

void Pool::worker(int64_t self) {
  insideLoop = true;
  ids[self].store(gettid(), std::memory_order_relaxed);
  uint64_t last = 0;
  int64_t deadline = nanoseconds() + kSpinNanoseconds;
  for (int64_t spins = 0;; ++spins) {
    uint64_t now = state.load(std::memory_order_acquire);
    if ((now & kOpen) && (now >> 17) != last) {
      if (!state.compare_exchange_weak(now, now + 1, std::memory_order_acq_rel))
        continue;
      last = now >> 17;
      if (self < participants) {
        work(self);
        if (const char *message = xla_rt_take_error()) {
          char *expected = nullptr, *copy = strdup(message);
          if (error.compare_exchange_strong(expected, copy))
            outOfMemory = xla_rt_out_of_memory();
          else
            free(copy);
        }
      }
      state.fetch_sub(1);
      if (callerSleeps.load()) {
        doneWord.fetch_add(1);
        syscall(SYS_futex, &doneWord, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
      }
      deadline = nanoseconds() + kSpinNanoseconds;
      continue;
    }
    pause();
    if ((spins & 63) != 63 || nanoseconds() < deadline)
      continue;
    uint32_t word = wakeWord.load();
    sleepers.fetch_add(1);
    now = state.load();
    if (!((now & kOpen) && (now >> 17) != last))
      syscall(SYS_futex, &wakeWord, FUTEX_WAIT_PRIVATE, word, nullptr, nullptr, 0);
    sleepers.fetch_sub(1);
    deadline = nanoseconds() + kSpinNanoseconds;
  }
}

struct WorkerStart {
  Pool *pool;
  int64_t self;
};

void Pool::startWorkers(int64_t count) {
  for (; started < count; ++started) {
    callersCpu = -1;
    pthread_t thread;
    auto *start = new (std::nothrow) WorkerStart{this, started};
    auto entry = [](void *data) -> void * {
      WorkerStart start = *static_cast<WorkerStart *>(data);
      delete static_cast<WorkerStart *>(data);
      start.pool->worker(start.self);
      return nullptr;
    };
    if (!start || pthread_create(&thread, nullptr, entry, start) != 0) {
      delete start;
      return; // fewer threads: the caller does their part
    }
    pthread_detach(thread);
  }
}

/// Bars workers that sleep from the processor of the caller. Linux likes to wake a thread where its waker runs, and
/// moves it only milliseconds later: until then both share a processor while another is idle.
void Pool::keepAway(int64_t count) {
  int cpu = sched_getcpu();
  if (cpu < 0 || cpu == callersCpu)
    return;
  cpu_set_t set;
  if (cpu >= CPU_SETSIZE || sched_getaffinity(0, sizeof(set), &set) != 0 || CPU_COUNT(&set) < count)
    return;
  CPU_CLR(cpu, &set);
  bindWorkers(set);
  callersCpu = cpu;
}

/// Lets workers run wherever the caller may.
void Pool::letAnywhere() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0)
    bindWorkers(set);
  callersCpu = -1;
}

void Pool::bindWorkers(const cpu_set_t &set) {
  for (int64_t i = 1; i < started; ++i)
    if (pid_t id = ids[i].load(std::memory_order_relaxed))
      sched_setaffinity(id, sizeof(set), &set);
}

/// A worker that is still inside after a while has a long piece, or has lost its processor to another program, for
/// milliseconds: it may have this one, which is idle while the caller sleeps. Yielding it again and again would count
/// as use of it, and the caller wait long for its turn then.
void Pool::waitForWorkers() {
  constexpr int64_t spinsOfPiece = 16384;
  constexpr timespec untilNextLook = {0, 1000000};
  for (int64_t spins = 0; state.load(std::memory_order_acquire) & kInside; ++spins) {
    if (spins < spinsOfPiece) {
      pause();
      continue;
    }
    if (callersCpu >= 0)
      letAnywhere();
    callerSleeps.store(true);
    uint32_t word = doneWord.load();
    if (state.load() & kInside)
      syscall(SYS_futex, &doneWord, FUTEX_WAIT_PRIVATE, word, &untilNextLook, nullptr, 0);
    callerSleeps.store(false);
    mustStop(); // if so, those inside find out, too
  }
}

void runInline(xla_rt_task task, void *args, int64_t n, int64_t grain, int64_t scratchBytes) {
  void *scratch = scratchBytes ? xla_rt_alloc(scratchBytes) : nullptr;
  if (scratchBytes && !scratch)
    return xla_rt_set_out_of_memory("out of memory for the scratch space of a loop");
  if (!scratch)
    return doItems(task, args, 0, n, strideOf(grain), nullptr);
  Exit exit = untilExit(threadState.execution, [=] { doItems(task, args, 0, n, strideOf(grain), scratch); });
  xla_rt_free(scratch);
  if (exit != Finished)
    leave(exit);
}

/// Finds out the default, if need be. 0 is an error, each time anew.
int64_t Pool::askThreads(char *message, size_t room) {
  int64_t count = threads.load(std::memory_order_relaxed);
  if (!count && (count = defaultThreads(message, room)))
    threads.store(count, std::memory_order_relaxed);
  return count;
}

void Pool::run(xla_rt_task loopTask, void *loopArgs, int64_t n, int64_t loopGrain, int64_t loopScratch) {
  char message[256];
  int64_t count = askThreads(message, sizeof(message));
  if (!count)
    return xla_rt_fail(message);
  int64_t grain = loopGrain < 1 ? 1 : loopGrain, grains = (n + grain - 1) / grain;
  if (count > grains)
    count = grains;
  bool expected = false;
  if (count <= 1 || !busy.compare_exchange_strong(expected, true, std::memory_order_acquire))
    return runInline(loopTask, loopArgs, n, loopGrain, loopScratch);

  startWorkers(count);
  execution = threadState.execution;
  task = loopTask;
  args = loopArgs;
  stride = strideOf(loopGrain);
  scratchBytes = loopScratch;
  participants = count;
  // Parts are as equal as whole grains allow, and pieces of grains, so that only the end of all is less than a grain.
  int64_t pieces = count * kPiecesPerThread, begin = 0;
  piece = (grains + pieces - 1) / pieces * grain;
  for (int64_t i = 0; i < count; ++i) {
    int64_t end = grains * (i + 1) / count * grain;
    parts[i].end = end < n ? end : n;
    parts[i].next.store(begin, std::memory_order_relaxed);
    begin = parts[i].end;
  }

  uint64_t generation = (state.load(std::memory_order_relaxed) >> 17) + 1;
  state.store(generation << 17 | kOpen);
  if (sleepers.load() > 0) {
    keepAway(count);
    wakeWord.fetch_add(1);
    syscall(SYS_futex, &wakeWord, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
  }
  insideLoop = true;
  work(0);
  insideLoop = false;
  state.fetch_and(~kOpen, std::memory_order_acq_rel);
  waitForWorkers();
  if (char *message = error.exchange(nullptr)) {
    outOfMemory ? xla_rt_set_out_of_memory(message) : xla_rt_set_error(message);
    free(message);
  }
  bool stopped = execution && execution->stopped.load(std::memory_order_relaxed);
  busy.store(false, std::memory_order_release);
  if (stopped)
    leave(Stopped);
}

} // namespace

void xla_rt_parallel_for(xla_rt_task task, void *args, int64_t n, int64_t grain, int64_t scratch_bytes) {
  if (n <= 0)
    return;
  Pool *p = insideLoop ? nullptr : pool();
  if (!p)
    return runInline(task, args, n, grain, scratch_bytes);
  p->run(task, args, n, grain, scratch_bytes);
}

void xla_rt_set_num_threads(int64_t n) {
  if (Pool *p = pool())
    p->threads.store(n < 1 ? 0 : (n < kMaxThreads ? n : kMaxThreads));
}

int64_t xla_rt_num_threads(void) {
  Pool *p = pool();
  if (!p)
    return 1;
  char message[256];
  int64_t count = p->askThreads(message, sizeof(message));
  if (!count)
    xla_rt_set_error(message);
  return count;
}
