// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packs buffers with known lifetimes into one arena.

#ifndef MLIR_XLA_LOWERING_SCHEDULE_ARENALAYOUT_H
#define MLIR_XLA_LOWERING_SCHEDULE_ARENALAYOUT_H

#include "mlir/Support/LLVM.h"

#include "llvm/ADT/ArrayRef.h"

namespace mlir::xla {

/// A buffer that is in use from tick `begin` to tick `end`, both included.
struct ArenaBuffer {
  int64_t bytes = 0, begin = 0, end = 0;
  int64_t offset = -1; // the answer
};

/// Chooses offsets (multiples of 64) such that buffers in use at the same tick do not overlap, largest first, each in
/// the smallest gap it fits; gives the size of the arena.
int64_t layOutArena(MutableArrayRef<ArenaBuffer *> buffers);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_SCHEDULE_ARENALAYOUT_H
