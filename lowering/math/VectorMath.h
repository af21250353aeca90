// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementary functions and narrow float conversions as straight-line arithmetic, on scalars and vectors alike.

#ifndef MLIR_XLA_LOWERING_MATH_VECTORMATH_H
#define MLIR_XLA_LOWERING_MATH_VECTORMATH_H

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::xla {

/// Emits `op` (of the math or arith dialect) applied to `operands` with result type `type` (scalar or vector), or
/// returns null if the op needs no expansion: it then maps to instructions. `shortNaNs`: the lower halves of NaNs that
/// the target makes are zero, as those of processors are; NVIDIA's GPUs make one of all ones.
Value emitScalarMath(ImplicitLocOpBuilder &b, Operation *op, Type type, ValueRange operands, bool shortNaNs = false);

/// Copies `op`, which computes with scalars, with the expansions of all functions in it.
void cloneWithMath(ImplicitLocOpBuilder &b, Operation &op, IRMapping &mapping);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_MATH_VECTORMATH_H
