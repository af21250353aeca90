// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How blocks of threads do a contraction, the softmax of its rows and their contraction: plans of the nests of such a
// kernel, and what follows from both.

#ifndef MLIR_XLA_LOWERING_GPU_ATTENTIONPLAN_H
#define MLIR_XLA_LOWERING_GPU_ATTENTIONPLAN_H

#include "mlir_xla/lowering/gpu/BlockPlan.h"

namespace mlir::xla {

/// The nests of g(softmax(f(q k))) v, with the expressions that matter. `g` chooses between multiples of a quotient and
/// zero, as dropping weights does, so it may as well be done to exponentials that are divided later. Dimensions are
/// those of rows, the row within a block, the keys (the columns in the last nest), and the steps of a score (the keys
/// in the last nest).
struct Attention {
  LoopNest *scores = nullptr, *maximum = nullptr, *sum = nullptr, *quotients = nullptr, *values = nullptr;
  ExprNode *q = nullptr, *k = nullptr, *p = nullptr, *v = nullptr; // factors
  ExprNode *score = nullptr;                                       // of its product's sum; f32, or widened to it
  ExprNode *exponential = nullptr;                                 // in the nest of the sum, from the next two
  ExprNode *shifted = nullptr, *shift = nullptr;                   // a score, and the maximum
  ExprNode *quotient = nullptr, *weight = nullptr; // of that nest, and what is computed of it; null if nothing is
  unsigned block = 0;                              // the dimension of the row within a block
  bool hasOwnKeys = false;                         // each row: blocks are of one

  /// Reports the first reason why the nests are not of this form.
  static FailureOr<Attention> match(KernelNests &nests, function_ref<InFlightDiagnostic()> emitError);
  /// Whether all factors are 16 bits that are widened, so that tensor cores multiply them.
  bool hasTensorFactors() const;
};

/// Rows of neighbours in shared memory, as a factor has them.
struct AttentionPanel {
  ExprNode *factor = nullptr;
  Type type;          // of its elements there
  unsigned row = 0;   // the dimension of its rows: of the block, or keys
  unsigned along = 0; // that of neighbours
  int64_t rows = 0, columns = 0;
  int64_t inner = 0;   // columns with those that are zeros
  int64_t pitch = 0;   // elements from one row to the next
  int64_t lanes = 1;   // that a thread brings at a time
  bool byRows = false; // neighbours in memory are rows
  bool async = false;  // pieces are copied past the registers
  int64_t offset = 0;  // bytes before it
  bool ofKeys = false; // its neighbours are keys
  BlockPanel tile;     // with tensor cores, how they are laid out
  int64_t bytes() const;
};

struct AttentionPlan {
  int64_t rows = 0, keys = 0;                 // of a tile
  int64_t rowsOfThread = 0, keysOfThread = 0; // or of a warp, with tensor cores: all keys then
  BlockInstruction instruction = BlockInstruction::Scalar;
  int64_t stages = 2; // tiles of keys in shared memory, with tensor cores

  // These follow from the nests and the above.
  int64_t threads = 0, threadColumns = 0; // of a block, and those that share a row
  AttentionPanel q, k, v, p;              // tensor cores have p in registers
  int64_t columnsOfThread = 0;            // of values, in groups of kGroup
  int64_t lanes = 1;                      // of results that are written at a time
  int64_t rowTiles = 0, keyTiles = 0;
  int64_t sharedBytes = 0, grid = 0;

  // With tensor cores: steps of a score and columns of values that are multiplied, and elements from one row of results
  // to the next in shared memory.
  int64_t steps = 0, columns = 0, resultPitch = 0;
  bool keepsRows = false;      // in registers
  bool isLastTileThere = true; // where results go through shared memory
  bool isMma() const { return instruction == BlockInstruction::Mma; }
  int64_t warps() const { return rows / rowsOfThread; }
  int64_t stageBytes() const { return k.bytes() + v.bytes(); }

  /// Neighbouring elements that a thread reads of shared memory at a time.
  static constexpr int64_t kGroup = 4;
  /// A plan for each nest: #xla_rt.blocks for contractions, loops for others.
  ArrayAttr toAttr(MLIRContext *context, const KernelNests &nests, const Attention &attention) const;
  /// `attr` passes the rules of checkAttention.
  static AttentionPlan fromAttr(ArrayAttr attr, const Attention &attention);

private:
  void layOutTensors(const Attention &attention, int64_t stepTile, int64_t columnTile);
};

/// Reports the first rule by which blocks cannot do the nests like that.
LogicalResult checkAttention(KernelNests &nests, ArrayAttr attr, function_ref<InFlightDiagnostic()> emitError);

/// Decides; nothing if the kernel is not of that form.
ArrayAttr planAttention(KernelNests &nests, MLIRContext *context);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_GPU_ATTENTIONPLAN_H
