// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packs buffers with known lifetimes into one arena, into what the program's results do not need yet, and into the
// stack frame of the schedule.

#ifndef MLIR_XLA_LOWERING_SCHEDULE_ARENALAYOUT_H
#define MLIR_XLA_LOWERING_SCHEDULE_ARENALAYOUT_H

#include "mlir/Support/LLVM.h"

#include "llvm/ADT/ArrayRef.h"

namespace mlir::xla {

/// Does a register of a processor hold so many bytes, and at least one?
inline bool isScalar(int64_t bytes) { return bytes > 0 && bytes <= 8; }

/// A buffer that is in use from tick `begin` to tick `end`, both included.
struct ArenaBuffer {
  int64_t bytes = 0, begin = 0, end = 0;
  int64_t alignment = 64;
  int64_t offset = -1;  // the answer: where in the arena, in a result or in the frame
  int result = -1;      // which, by its number
  bool inFrame = false; // of the schedule
  int scalar = -1;      // which, if it is one
};

/// The memory of a result, which is free before tick `begin`.
struct FreeResult {
  int number;
  int64_t bytes, alignment, begin;
};

struct LayoutSizes {
  int64_t arena = 0, frame = 0;
};

/// Chooses offsets (multiples of 64, of small buffers of 16) such that buffers in use at the same tick do not overlap,
/// largest first, each in the smallest gap it fits, of a result if there is one, else of the frame, which has
/// `frameBytes` at most, else of the arena. Of equal ones, those come first that begin first, or that end last if that
/// takes less. Buffers that are results already are left alone. If there is a frame, those that are scalars
/// have places of their own.
LayoutSizes layOutArena(MutableArrayRef<ArenaBuffer *> buffers, ArrayRef<FreeResult> results, int64_t frameBytes);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_SCHEDULE_ARENALAYOUT_H
