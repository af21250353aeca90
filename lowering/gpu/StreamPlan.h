// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How attention of few rows streams keys and values past them: a plan, and what follows from it and the nests.

#ifndef MLIR_XLA_LOWERING_GPU_STREAMPLAN_H
#define MLIR_XLA_LOWERING_GPU_STREAMPLAN_H

#include "mlir_xla/lowering/gpu/AttentionPlan.h"

namespace mlir::xla {

/// What the threads of a group have of a row: queries and keys, or values.
struct StreamPieces {
  unsigned dim = 0;     // along which they are neighbours
  int64_t size = 0;     // of it
  int64_t lanes = 1;    // neighbours of a thread
  int64_t count = 0;    // pieces of a thread
  int64_t elements = 0; // of a thread
  int64_t padded = 0;   // of all
  bool isPartial = false;
};

struct StreamPlan {
  int64_t rows = 1, keys = 1; // of a block, and of a group at a time
  int64_t stepLanes = 1, columnLanes = 1;
  int64_t group = 1, threads = 32, split = 1;

  // These follow from the nests and the above.
  StreamPieces steps, columns;
  int64_t numRows = 0, numKeys = 0, batches = 1;
  int64_t rowTiles = 0, tiles = 0, splitTiles = 0, grid = 0;
  int64_t lanes = 1; // of results that are written at a time
  int64_t sharedBytes = 0, scratchBytes = 0;

  int64_t warps() const { return threads / BlocksAttr::kWarp; }
  /// Keys that all groups of a block read at a time.
  int64_t tileKeys() const { return threads / group * keys; }
  /// Scores of a group at a time are dealt to its threads: so many to each, or the same one to so many neighbours.
  int64_t scoresOfThread() const { return std::max<int64_t>(1, rows * keys / group); }
  int64_t threadsOfScore() const { return std::max<int64_t>(1, group / (rows * keys)); }
  /// Neighbours that have the scores of one row.
  int64_t threadsOfRow() const { return group / rows; }
  int64_t results() const { return batches * numRows * columns.size; }
  int64_t registers() const;

  /// A plan for each nest: #xla_rt.stream for contractions, loops for others.
  ArrayAttr toAttr(MLIRContext *context, const KernelNests &nests, const Attention &attention) const;
  /// `attr` passes the rules of checkStream.
  static StreamPlan fromAttr(ArrayAttr attr, const Attention &attention);
  /// What follows from the sizes of the nests, and the rules for that.
  void derive(const Attention &attention);
  LogicalResult check(const Attention &attention, function_ref<InFlightDiagnostic()> emitError) const;
  static bool isIn(ArrayAttr attr) { return llvm::any_of(attr, llvm::IsaPred<StreamAttr>); }
};

/// Reports the first rule by which keys cannot be streamed like that.
LogicalResult checkStream(KernelNests &nests, ArrayAttr attr, function_ref<InFlightDiagnostic()> emitError);

/// Decides; nothing if the kernel is not attention, or if its rows are many.
ArrayAttr planStream(KernelNests &nests, MLIRContext *context);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_GPU_STREAMPLAN_H
