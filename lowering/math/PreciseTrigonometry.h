// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Trigonometric functions of f64 and their inverses, within 1 ulp, with IEEE 754's special values.
// Coefficients are near-minimax: interpolation in 50 digits of the function named beside them, on the interval named
// there.

#ifndef MLIR_XLA_LOWERING_MATH_PRECISETRIGONOMETRY_H
#define MLIR_XLA_LOWERING_MATH_PRECISETRIGONOMETRY_H

#include "mlir_xla/lowering/RealValue.h"

namespace mlir::xla {

/// f64 only.
Real emitPreciseSin(Real x);
Real emitPreciseCos(Real x);
Real emitPreciseTan(Real x);
Real emitPreciseAsin(Real x);
Real emitPreciseAcos(Real x);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_MATH_PRECISETRIGONOMETRY_H
