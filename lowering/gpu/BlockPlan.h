// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How blocks of threads do a nest that sums products: the attribute #xla_rt.blocks for a given nest, and what follows
// from both.

#ifndef MLIR_XLA_LOWERING_GPU_BLOCKPLAN_H
#define MLIR_XLA_LOWERING_GPU_BLOCKPLAN_H

#include "mlir_xla/lowering/cpu/TilePlan.h"
#include "mlir_xla/lowering/gpu/TensorBox.h"

namespace mlir::xla {

/// Several dimensions that are walked as one, the last of them first.
struct BlockDim {
  SmallVector<int64_t> dims;
  int64_t tile = 0;
  int64_t size = 1; // of all of them together
  /// The innermost dimension, or -1: a product with a vector has none.
  int64_t innermost() const { return dims.empty() ? -1 : dims.back(); }
  int64_t tiles() const { return llvm::divideCeil(size, tile); }
};

/// One factor's part of a tile, in shared memory: rows of `inner` neighbours, as they are in global memory. If they are
/// `swizzled`, rows have their pieces of 16 bytes in different orders, so that those above each other are in other
/// banks.
struct BlockPanel {
  ExprNode *factor = nullptr;
  ExprNode *read = nullptr;   // the load that it is, if it is one, or one with zeros around it, as of padding
  ExprNode *isRead = nullptr; // where it is; null if everywhere
  Type type;                  // of its elements there
  bool isRows = false;        // and not the columns
  bool alongK = false;        // k is the inner dimension
  bool gathers = false; // and is not in global memory: threads exchange rows and columns of squares in their registers
  bool swizzled = false;
  int64_t orderStep = 1; // by how much the orders of lines above each other differ
  bool async = false;    // pieces are copied past the registers
  TensorBox box;         // with wgmma
  int64_t lanes = 1;     // elements that a thread brings at a time
  int64_t inner = 0, outer = 0;
  int64_t elementBytes = 0;

  /// Steps of k, and rows at most, that a thread exchanges.
  static constexpr int64_t kSquare = 4;
  int64_t bytes() const { return inner * outer * elementBytes; }
  /// Elements that a thread writes at a time.
  int64_t width() const { return gathers ? kSquare : lanes; }
  /// Elements of a piece of 16 bytes.
  int64_t piece() const { return 16 / elementBytes; }
  int64_t pieces() const { return inner / piece(); }
  /// Rows next to each other that fill the banks once, and their groups with different orders of pieces.
  int64_t rowsOfLine() const { return std::max<int64_t>(1, 8 / pieces()); }
  int64_t orders() const { return std::min<int64_t>(8, pieces()); }
};

/// What the tensor cores multiply at a time, with 8 columns: 16 rows, or twice 8, and 32 bytes along k.
struct TensorShape {
  explicit TensorShape(Type element);
  int64_t rows, depth;
  int64_t halves() const { return 16 / rows; } // of 16 rows
};

struct BlocksPlan {
  BlockDim m, n, k;
  int64_t rows = 1, columns = 1;
  BlockInstruction instruction = BlockInstruction::Scalar;
  int64_t stages = 2, cluster = 1, split = 1;
  SmallVector<int64_t> work;

  // These follow from the nest and the above.
  BlockPanel a, b;
  Type sumType;
  int64_t threads = 0;         // that multiply
  int64_t parts = 1;           // of k, each summed up by itself
  int64_t partSize = 0;        // steps of such a part
  int64_t splitTiles = 0;      // tiles of k of each block, if it is split
  int64_t lanes = 1;           // of vectors of results, along n
  int64_t passes = 1;          // in which results go through shared memory
  int64_t resultPitch = 0;     // elements from one row of results there to the next
  bool swizzlesSums = false;   // pieces of those rows are in different orders
  bool isLastTileThere = true; // where results go through shared memory
  int64_t sharedBytes = 0;     // of a block
  int64_t batches = 1;         // iterations of `work`
  int64_t grid = 1;            // blocks
  int64_t scratchBytes = 0;    // for sums of a split k
  bool addsInLast = false;     // up the parts of a tile: the last of its blocks, and no second launch
  int64_t threadRows() const { return m.tile / rows; }
  int64_t threadColumns() const { return n.tile / columns; }
  int64_t resultElements() const { return m.size * n.size * batches; }
  int64_t stageBytes() const { return a.bytes() + b.bytes(); }
  int64_t tiles() const { return m.tiles() * n.tiles() * batches; }
  /// What a thread that multiplies takes, about: for its sums, for pieces of 16 bytes of rows and columns if it
  /// multiplies by itself, and for places.
  static int64_t registersOf(BlockInstruction instruction, int64_t rows, int64_t columns, int64_t sumBytes);
  int64_t registers() const;
  /// What there is for it.
  int64_t mostRegisters() const;

  // With wgmma. Shared memory has the stages, where results are later, and behind them a barrier for each stage that
  // says that it is full, and for each that is filled again one that says that it is empty.
  static constexpr int64_t kLine = 128;  // bytes of a tile of k, whose pieces are swizzled
  static constexpr int64_t kBarrier = 8; // bytes of a barrier
  static constexpr int64_t kMoved = 232; // registers of a thread of two warpgroups that multiply
  bool isWarpgroups() const { return instruction == BlockInstruction::Wgmma; }
  int64_t launchedThreads() const { return threads + (isWarpgroups() ? BlocksAttr::kWarpgroup : 0); }
  bool refillsStages() const { return splitTiles > stages; }
  int64_t barriers() const { return std::min(splitTiles, 2 * stages); }
  int64_t barrierOffset() const { return sharedBytes - barriers() * kBarrier; }

  BlocksAttr toAttr(MLIRContext *context, const LoopNest &nest) const;
  /// `attr` passes the rules of checkBlocks.
  static BlocksPlan fromAttr(BlocksAttr attr, const LoopNest &nest);
};

/// Clocks for adding up `split` parts of each of some tiles of results, which have been written, by the last block of
/// each tile, or by a second launch.
struct PartsTime {
  PartsTime(int64_t split, int64_t tiles, int64_t tileBytes);
  double inLast, bySecond;
};

/// What tensor cores multiply for `factor` of a sum: itself, or what it widens. Null if they cannot.
ExprNode *tensorFactor(const Reduction &sum, ExprNode *factor);
/// Whether tensor cores multiply both factors of a sum.
bool areTensorFactors(const Reduction &sum, ExprNode *left, ExprNode *right);

/// Whether one of the loads among `nodes` walks memory along `dim`.
bool readsAlong(ArrayRef<ExprNode *> nodes, int64_t dim);
/// The most lanes along `dim` that are an aligned access of all loads among `nodes`; at most `most`.
int64_t lanesAlong(const LoopNest &nest, ArrayRef<ExprNode *> nodes, int64_t dim, int64_t most);
/// Lanes along `dim` in which what is computed of the nest's sums is written: all accesses are aligned.
int64_t lanesOfResults(const LoopNest &nest, int64_t dim);

/// Whether `check` finds nothing wrong with a plan; what it says of one is not reported.
bool passes(MLIRContext *context, function_ref<LogicalResult(function_ref<InFlightDiagnostic()> emitError)> check);

/// Reports the first rule by which warpgroups cannot follow `plan`, which passes the rules for all blocks.
LogicalResult checkWarpgroups(const LoopNest &nest, const BlocksPlan &plan,
                              function_ref<InFlightDiagnostic()> emitError);

/// Reports the first rule by which blocks cannot do `nest` like that.
LogicalResult checkBlocks(const LoopNest &nest, BlocksAttr plan, function_ref<InFlightDiagnostic()> emitError);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_GPU_BLOCKPLAN_H
