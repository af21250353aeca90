// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors of the thread, as printf writes them.

#ifndef MLIR_XLA_RUNTIME_CUDA_MESSAGES_H
#define MLIR_XLA_RUNTIME_CUDA_MESSAGES_H

#include "mlir_xla/runtime/xla_rt.h"

#include <stdarg.h>
#include <stdio.h>

namespace xla_rt::cuda {

/// As long as messages of the runtime are (core/Errors.cpp).
inline constexpr int kMaxMessage = 1024;

__attribute__((format(printf, 1, 2))) inline void setError(const char *format, ...) {
  char message[kMaxMessage];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof(message), format, arguments);
  va_end(arguments);
  xla_rt_set_error(message);
}

} // namespace xla_rt::cuda

#endif // MLIR_XLA_RUNTIME_CUDA_MESSAGES_H
