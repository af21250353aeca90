// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a GPU's threads share a scatter: the attribute #xla_rt.updates for a given one, and what follows from both.

#ifndef MLIR_XLA_LOWERING_CPU_UPDATEPLAN_H
#define MLIR_XLA_LOWERING_CPU_UPDATEPLAN_H

#include "mlir_xla/lowering/cpu/ScatterPlan.h"
#include "mlir_xla/lowering/cpu/WholeKernels.h"

namespace mlir::xla {

struct UpdatePlan {
  static constexpr int64_t kThreads = 256; // of a block of an owner, or of one that has a table
  /// Of those of ordered index vectors, a few have all to do: small blocks make room as soon as their own have done it.
  /// With wide windows there would be very many.
  static constexpr int64_t kThreadsInOrder = 64, kThreadsOfWindows = 128, kWideWindow = 8;

  ScatterPlan walk; // whose loops over index vectors are first those of `batches`
  UpdateSharing sharing = UpdateSharing::Each;
  int64_t lanes = 1; // neighbours that a thread updates
  bool isOrdered = false;

  int64_t tables = 1;

  // Owners. The loops over index vectors whose iterations have parts of the outs to themselves are batches.
  size_t batches = 0;
  unsigned axis = 0; // along which owners have positions
  int64_t owners = 1, positions = 1;
  bool meets = false; // elements of windows may be at the same place in spite of other positions in the window

  int64_t batchCount() const;
  int64_t vectorCount() const; // of a batch
  int64_t windowSize() const;
  int64_t updates() const; // of which a thread may make several
  int64_t work() const;
  int64_t team() const;

  static UpdatePlan fromAttr(UpdatesAttr attr, rt::ScatterOp op);
};

/// Decides; null if a thread or two do it all, as on a CPU.
UpdatesAttr planUpdates(rt::ScatterOp op);

/// Reports why threads cannot share `op` like that.
LogicalResult checkUpdates(rt::ScatterOp op, UpdatesAttr attr, function_ref<InFlightDiagnostic()> emitError);

void emitUpdates(const WholeKernel &kernel, rt::ScatterOp op, const UpdatePlan &plan);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_CPU_UPDATEPLAN_H
