// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/lowering/native/ForkGuard.h"

#include <atomic>
#include <pthread.h>

namespace mlir::xla {

static std::atomic<int> guarded{0};
static std::atomic<bool> lost{false};

ForkGuard::ForkGuard() {
  [[maybe_unused]] static const int registered = pthread_atfork(nullptr, nullptr, [] {
    if (guarded.exchange(0) > 0)
      lost = true;
  });
  ++guarded;
}

ForkGuard::~ForkGuard() { --guarded; }

bool ForkGuard::hasLostLocks() { return lost; }

} // namespace mlir::xla
