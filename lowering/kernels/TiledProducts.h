// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which products tiles will walk, as passes on tensors know it, and copies of what others read.

#ifndef MLIR_XLA_LOWERING_KERNELS_TILEDPRODUCTS_H
#define MLIR_XLA_LOWERING_KERNELS_TILEDPRODUCTS_H

#include "mlir_xla/lowering/Machine.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::xla {

/// Do tiles walk `op`, a product of floats, and pack for themselves what they do not read in place?
bool arePackedByTiles(linalg::GenericOp op, const Machine &machine);

/// A copy of `value` whose dimension i is its dimension `order[i]`.
Value copyOf(OpBuilder &b, Location loc, Value value, ArrayRef<unsigned> order);

/// Has `op` read a copy of its input `operand` whose dimension `position` is the last one.
void copyWithLast(linalg::GenericOp op, unsigned operand, unsigned position);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_KERNELS_TILEDPRODUCTS_H
