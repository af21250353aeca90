// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The error function and its complement as straight-line arithmetic.
// Each takes f32 or f64 unless it says otherwise, keeps IEEE 754's special values, and is within 2 ulp of f32 or 3 ulp
// of f64. Coefficients are near-minimax: interpolation at Chebyshev nodes in 50 digits of the function named beside
// them, on the interval named there.

#ifndef MLIR_XLA_LOWERING_MATH_ERRORFUNCTIONS_H
#define MLIR_XLA_LOWERING_MATH_ERRORFUNCTIONS_H

#include "mlir_xla/lowering/RealValue.h"

namespace mlir::xla {

/// f32 only.
Real emitErf(Real x);
/// f64 only.
Real emitPreciseErf(Real x);
Real emitErfc(Real x);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_MATH_ERRORFUNCTIONS_H
