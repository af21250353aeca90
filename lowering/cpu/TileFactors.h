// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the factors of a sum of products allow: how tiles pack them, or read them where they are.

#ifndef MLIR_XLA_LOWERING_CPU_TILEFACTORS_H
#define MLIR_XLA_LOWERING_CPU_TILEFACTORS_H

#include "mlir_xla/lowering/cpu/TilePlan.h"

namespace mlir::xla {

/// Elements of a vector, at most.
constexpr int64_t kMostLanes = 64;

/// Bytes of neighbours along k, at least, for which packing rows by vectors is worth it.
constexpr int64_t kLeastBytes = 16;

/// How many neighbours along k are read of rows at a time, at most: fewer where rows are pixels, and k is cut into the
/// rows of a window. Those of a vector are all of one, and vectors begin where `block`s of k do. Around an image they
/// are all padding, or none is.
int64_t packedLanesOf(ExprNode *narrow, unsigned k, int64_t most, int64_t block = 0);

/// Whether groups of steps of k can be packed of `load`, a factor with the parallel dimension `dim`: it walks memory
/// along either. Rows are packed along k, columns read 32 bits at a time then.
bool mayPackGroups(ExprNode *load, unsigned dim, unsigned k, int64_t group, bool areRows);

/// Whether tile registers are loaded from the rows `load` as they are, `rows` at a time: these are the same distance
/// apart, and the steps of a register neighbours.
bool mayReadRows(const LoopNest &nest, ExprNode *load, unsigned m, unsigned k, int64_t group, int64_t rows);

/// Rows of each tile register: equal parts of a tile of `rows`, if there are any, or all that a register has, but for
/// the last.
inline int64_t rowsOfRegister(int64_t rows, int64_t vectors) {
  int64_t registers = TilesAttr::TileRegisters(rows, vectors).rowTiles;
  return rows % registers == 0 ? rows / registers : TilesAttr::kTileRows;
}

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_CPU_TILEFACTORS_H
