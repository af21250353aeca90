// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Division of vectors of integers.

#ifndef MLIR_XLA_LOWERING_MATH_INTEGERDIVISION_H
#define MLIR_XLA_LOWERING_MATH_INTEGERDIVISION_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::xla {

/// Is `op` a division of integers, or its remainder, by `divisor`, that floats do exactly in so many lanes, and in less
/// time than LLVM's code?
bool dividesInFloats(Operation *op, Value divisor, unsigned lanes);

/// What `op` multiplies by instead of dividing by `divisor`, which is not zero.
Value emitReciprocal(ImplicitLocOpBuilder &b, Operation *op, Value divisor);

/// `op` of vectors. Null as `reciprocal` divides.
Value emitDivision(ImplicitLocOpBuilder &b, Operation *op, Value dividend, Value divisor, Value reciprocal);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_MATH_INTEGERDIVISION_H
