// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs of programs, and how they are stopped.

#include "mlir_xla/runtime/core/Execution.h"

#include <time.h>

using namespace xla_rt;

/// A person notices no delay below a tenth of a second, of which this takes a fifth.
static constexpr int64_t kQuestionNanoseconds = 20000000;

__thread ThreadState xla_rt::threadState;

/// The one thread whose executions still go on, once others are stopped for good; threads are known by their state.
static std::atomic<const void *> survivor{nullptr};

bool xla_rt::mustStop() {
  Execution *execution = threadState.execution;
  if (!execution)
    return false;
  if (execution->stopped.load(std::memory_order_relaxed))
    return true;
  const void *only = survivor.load(std::memory_order_relaxed);
  if (only && only != execution->thread) {
    execution->stopped.store(true, std::memory_order_relaxed);
    return true;
  }
  if (!execution->isInterrupted || execution->thread != &threadState)
    return false;
  timespec now;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now); // exact to some milliseconds, in some nanoseconds
  int64_t nanoseconds = now.tv_sec * 1000000000LL + now.tv_nsec;
  if (nanoseconds < execution->nextQuestion)
    return false;
  bool first = execution->nextQuestion == 0;
  execution->nextQuestion = nanoseconds + kQuestionNanoseconds;
  if (first || !execution->isInterrupted(execution->userData))
    return false;
  execution->stopped.store(true, std::memory_order_relaxed);
  return true;
}

void xla_rt_poll(void) {
  if (mustStop())
    leave(Stopped);
}

void xla_rt_fail(const char *message) {
  if (message)
    xla_rt_set_error(message);
  if (threadState.exit)
    leave(Failed);
}

int xla_rt_run(xla_rt_program program, void *const *arguments, void *const *results, void *arena,
               xla_rt_interrupt_fn is_interrupted, void *user_data) {
  Execution execution = {is_interrupted, user_data, &threadState};
  return untilExit(&execution, [=] { program(arguments, results, arena); }) == Stopped;
}

void xla_rt_stop_other_threads(void) { survivor.store(&threadState, std::memory_order_relaxed); }
