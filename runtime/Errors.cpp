// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The error of the current thread.

#include "mlir_xla/runtime/xla_rt.h"

#include <stdio.h>

namespace {
constexpr int kMaxMessage = 1024;
thread_local char pending[kMaxMessage];
thread_local char taken[kMaxMessage];
} // namespace

void xla_rt_set_error(const char *message) {
  if (!pending[0])
    snprintf(pending, sizeof(pending), "%s", message && message[0] ? message : "unknown error");
}

const char *xla_rt_take_error(void) {
  if (!pending[0])
    return nullptr;
  snprintf(taken, sizeof(taken), "%s", pending);
  pending[0] = 0;
  return taken;
}
