// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementary functions and narrow float conversions as straight-line arithmetic, on scalars and vectors alike.

#ifndef MLIR_XLA_LOWERING_MATH_VECTORMATH_H
#define MLIR_XLA_LOWERING_MATH_VECTORMATH_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::xla {

/// Emits `op` (of the math or arith dialect) applied to `operands` with result type `type` (scalar or vector), or
/// returns null if the op needs no expansion: it then maps to instructions, or to a libm call for scalars.
Value emitScalarMath(ImplicitLocOpBuilder &b, Operation *op, Type type, ValueRange operands);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_MATH_VECTORMATH_H
