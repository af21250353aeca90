// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a program that is stopped leaves its code: by a jump from a poll to whoever called the code on this thread.
// Compiled code holds nothing that would have to be released on the way.

#ifndef MLIR_XLA_RUNTIME_CORE_EXECUTION_H
#define MLIR_XLA_RUNTIME_CORE_EXECUTION_H

#include "mlir_xla/runtime/xla_rt.h"

#include <atomic>
#include <setjmp.h>

namespace xla_rt {

/// One run of a program.
struct Execution {
  xla_rt_interrupt_fn isInterrupted;
  void *userData;
  const void *thread;               // that runs it; others may help in its loops
  int64_t nextQuestion = 0;         // when to ask next, in nanoseconds; 0: not known yet
  std::atomic<bool> stopped{false}; // once for all of its threads
};

/// Why compiled code was left.
enum Exit { Finished = 0, Stopped, Failed };

/// What the current thread is doing.
struct ThreadState {
  Execution *execution;
  jmp_buf *exit; // out of the innermost call of compiled code
};
extern __thread ThreadState threadState;

/// True if the current thread's execution is to end; asks its owner about it from time to time.
bool mustStop();

/// Jumps to where the current thread entered compiled code.
[[noreturn]] inline void leave(Exit reason) { longjmp(*threadState.exit, reason); }

/// Calls `body`, which runs code of `execution`, and says how that ended.
template <typename Body> __attribute__((noinline)) Exit untilExit(Execution *execution, Body body) {
  const ThreadState outer = threadState;
  jmp_buf exit;
  if (int reason = _setjmp(exit)) {
    threadState = outer;
    return static_cast<Exit>(reason);
  }
  threadState = {execution, &exit};
  body();
  threadState = outer;
  return Finished;
}

} // namespace xla_rt

#endif // MLIR_XLA_RUNTIME_CORE_EXECUTION_H
