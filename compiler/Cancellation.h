// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lets a compilation end before its time.

#ifndef MLIR_XLA_COMPILER_CANCELLATION_H
#define MLIR_XLA_COMPILER_CANCELLATION_H

#include "mlir/IR/Action.h"
#include "mlir/IR/MLIRContext.h"

#include <atomic>

namespace mlir::xla {

/// While this exists, passes and patterns are skipped once `cancelled` is set. What that leaves of the module is not to
/// be used.
class Cancellation {
public:
  Cancellation(MLIRContext *context, const std::atomic<bool> *cancelled)
      : context(context), cancelled(cancelled), skips(cancelled && !context->hasActionHandler()) {
    if (skips)
      context->registerActionHandler([cancelled](llvm::function_ref<void()> action, const tracing::Action &) {
        if (!*cancelled)
          action();
      });
  }
  Cancellation(const Cancellation &) = delete;
  ~Cancellation() {
    if (skips)
      context->registerActionHandler(nullptr);
  }
  bool isRequested() const { return cancelled && *cancelled; }

private:
  MLIRContext *context;
  const std::atomic<bool> *cancelled;
  bool skips;
};

} // namespace mlir::xla

#endif // MLIR_XLA_COMPILER_CANCELLATION_H
