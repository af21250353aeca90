// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions as products of matrices whose rows tile registers read from memory.

#ifndef MLIR_XLA_LOWERING_KERNELS_ARRANGECONVOLUTIONS_H
#define MLIR_XLA_LOWERING_KERNELS_ARRANGECONVOLUTIONS_H

#include "mlir_xla/lowering/Machine.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::xla {

/// Of bf16 and bytes that the tile registers of `machine` multiply: those for which copies of the operands, in order,
/// are little of the work.
void arrangeConvolutions(func::FuncOp function, const Machine &machine);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_KERNELS_ARRANGECONVOLUTIONS_H
