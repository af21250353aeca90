// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tile registers (AMX) are 8 KiB that every thread would have to save. Linux gives them to processes that ask.

#include "mlir_xla/runtime/xla_rt.h"

#include <atomic>
#include <sys/syscall.h>
#include <unistd.h>

int xla_rt_allow_tile_registers(void) {
#if defined(__x86_64__) && defined(SYS_arch_prctl)
  constexpr int requestPermission = 0x1023, tileData = 18; // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA
  enum { Unknown, Granted, Refused };
  static std::atomic<int> answer{Unknown};
  int known = answer.load(std::memory_order_relaxed);
  if (known == Unknown) {
    known = syscall(SYS_arch_prctl, requestPermission, tileData) == 0 ? Granted : Refused;
    answer.store(known, std::memory_order_relaxed);
  }
  return known == Granted;
#else
  return 0;
#endif
}
