// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a nest that sums products is walked in blocks: the attribute #xla_rt.tiles for a given nest.

#ifndef MLIR_XLA_LOWERING_CPU_TILEPLAN_H
#define MLIR_XLA_LOWERING_CPU_TILEPLAN_H

#include "mlir_xla/lowering/cpu/NestPlan.h"

namespace mlir::xla {

/// The factors of the products that a nest sums. Narrow integers are what is widened before it is multiplied.
struct Product {
  ExprNode *left = nullptr, *right = nullptr;

  /// What `factor` widens to the type of the sum, if that is an integer of 8 or 16 bits, a bf16 or an f16, in memory;
  /// else null.
  /// It may also be padding around what is in memory.
  static ExprNode *narrowOf(ExprNode *factor);
  /// Whether `narrow` is a choice between what is in memory and a value that no index changes.
  static bool isPadding(ExprNode *narrow);
  /// What `narrow` reads from memory.
  static ExprNode *loadOf(ExprNode *narrow);
  /// Where `factor` is in memory, as it is or as narrow floats; itself if it is computed.
  static ExprNode *inMemory(ExprNode *factor);
  static bool isSigned(ExprNode *factor);
};

/// Nothing if the nest is anything else than one sum of products.
std::optional<Product> matchProduct(const LoopNest &nest);

struct TilePlan {
  /// Steps of a copy of an operand that stand one after the other.
  static constexpr int64_t kStepsOfCopy = 4;
  /// The same of columns that are transposed, of which a lane reads 128 bits at a time.
  static int64_t stepsOfColumns(const ExprNode &load) {
    return std::max<int64_t>(kStepsOfCopy, 128 / load.type.getIntOrFloatBitWidth());
  }

  int64_t m = -1, n = -1, k = -1;
  int64_t mBlock = 1, nBlock = 1, kBlock = 1;
  int64_t rows = 1, vectors = 1, lanes = 1; // of a tile in registers
  ProductInstruction instruction = ProductInstruction::Fma;
  bool packA = false, packB = false;
  int64_t prefetch = 0;
  SmallVector<int64_t> work;

  // `fromAttr` computes these from the nest and the above.
  ExprNode *a = nullptr, *b = nullptr; // the factors, or what they widen if the instruction takes several steps
  bool aSigned = true, bSigned = true;
  int64_t group = 1;                            // steps of k of an instruction
  int64_t lanesOfRows = 1;                      // elements of rows that are packed along k at a time
  Type packedType;                              // what is packed
  bool overlaps = false;                        // the last rows of tiles begin earlier,
  bool overlapsColumns = false, masked = false; // and so do the last columns, or lanes beyond them are masked
  bool byRows = false; // what is computed of the sums is, one row of a tile after the other, from memory
  bool beginsAtZero = false, storesTiles = false; // sums, which are results that tile registers write
  int64_t mBlocks = 1, nBlocks = 1, kBlocks = 1;
  // Offsets in scratch memory: which columns are packed, these, what running values begin with, packed rows, the sums
  // of blocks of k before, those of a tile, and the shapes of tile registers.
  int64_t columnsOffset = 0, sumsOffset = 0, rowsOffset = 0, runningOffset = 0, tileOffset = 0, shapesOffset = 0,
          scratchBytes = 0;
  int64_t pitchA = 0;                    // elements from one row to the next, packed or read as they are in tiles
  int64_t instructions = 1, columns = 1; // along k and n of a block, none of which is larger than its dimension

  TilesAttr toAttr(MLIRContext *context, const LoopNest &nest) const;
  /// `attr` passes checkTiles.
  static TilePlan fromAttr(TilesAttr attr, const LoopNest &nest);

  int64_t step() const { return vectors * lanes; }
  bool usesTileRegisters() const { return TilesAttr::usesTileRegisters(instruction); }
  /// Sums of the packed columns stand in for the offset that makes the rows unsigned, or signed.
  bool isOffset() const { return instruction == ProductInstruction::Vpdpbusd && aSigned == bSigned; }
  /// How a tile in registers is walked, as a plan of loops.
  NestPlan tilePlan(const LoopNest &nest) const;

private:
  void deriveFactors(const LoopNest &nest);
  void deriveBlocks(const LoopNest &nest);
  void deriveSums(const LoopNest &nest);
  /// The rest has to be known.
  void placeScratch(const LoopNest &nest);
};

/// Decides about the blocks and tiles of a sum of products; nothing if the nest is better walked as a NestPlan says.
std::optional<TilePlan> planTiles(const LoopNest &nest, const Machine &machine);

/// Fails at the first rule by which `nest` cannot be walked as `plan` says, and reports it.
LogicalResult checkTiles(const LoopNest &nest, TilesAttr plan, const Machine &machine,
                         function_ref<InFlightDiagnostic()> emitError);

int64_t estimateCost(const LoopNest &nest, const TilePlan &plan);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_CPU_TILEPLAN_H
