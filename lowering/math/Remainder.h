// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The remainder of a division of floats.

#ifndef MLIR_XLA_LOWERING_MATH_REMAINDER_H
#define MLIR_XLA_LOWERING_MATH_REMAINDER_H

#include "mlir_xla/lowering/RealValue.h"

namespace mlir::xla {

/// What is left of the division of x by y with a whole quotient, rounded to 0: exact, as C's fmod. f64 only.
Real emitRemainder(Real x, Real y);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_MATH_REMAINDER_H
