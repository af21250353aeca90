// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the index vectors of a scatter are dealt to blocks of a GPU that own some of its places each.

#ifndef MLIR_XLA_LOWERING_XLA_RT_DEALTPLACES_H
#define MLIR_XLA_LOWERING_XLA_RT_DEALTPLACES_H

#include "mlir_xla/lowering/xla_rt/XlaRt.h"

namespace mlir::xla {

/// A word for each index vector, of which a tile has as many as a block sorts at a time: from the most significant bit
/// on the owner, the place among the owner's, and the number in the tile. In a tile they are sorted by their owners.
/// Behind all tiles are, for each, the words that come before those of each owner, and of none. The numbers are those
/// of runtime/cuda/device/Deal.cpp.
struct DealtPlaces {
  static constexpr int64_t owners = 255, tile = 2048, numberBits = 11, ownerBits = 8, threads = 256;

  int64_t count;         // index vectors
  int64_t places = 1;    // that they may name, batches included
  int64_t group = 1;     // neighbouring places that have one owner
  int64_t placeBits = 0; // of a place among an owner's
  int64_t wordBytes = 0; // 0: words have no room for them
  int64_t tiles;
  SmallVector<int64_t> batchSizes;

  explicit DealtPlaces(rt::ScatterOp op);
  int64_t rowLength() const { return count + tiles * (owners + 1); }
};

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_XLA_RT_DEALTPLACES_H
