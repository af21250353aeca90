// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The error of the current thread.

#include "mlir_xla/runtime/xla_rt.h"

#include <stdio.h>

namespace {
constexpr int kMaxMessage = 1024;
thread_local char pending[kMaxMessage];
thread_local char taken[kMaxMessage];
thread_local bool pendingMemory, takenMemory;

void set(const char *message, bool isMemory) {
  if (pending[0])
    return;
  snprintf(pending, sizeof(pending), "%s", message && message[0] ? message : "unknown error");
  pendingMemory = isMemory;
}
} // namespace

void xla_rt_set_error(const char *message) { set(message, false); }

void xla_rt_set_out_of_memory(const char *message) { set(message, true); }

int xla_rt_out_of_memory(void) { return takenMemory; }

const char *xla_rt_take_error(void) {
  if (!pending[0])
    return nullptr;
  snprintf(taken, sizeof(taken), "%s", pending);
  pending[0] = 0;
  takenMemory = pendingMemory;
  return taken;
}
