// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hyperbolic functions and their inverses as straight-line arithmetic.
// Each takes f32 or f64 unless it says otherwise, keeps IEEE 754's special values, and is within 2 ulp of f32 or 3 ulp
// of f64. Coefficients are near-minimax: interpolation at Chebyshev nodes in 50 digits of the function named beside
// them, on the interval named there.

#ifndef MLIR_XLA_LOWERING_MATH_HYPERBOLIC_H
#define MLIR_XLA_LOWERING_MATH_HYPERBOLIC_H

#include "mlir_xla/lowering/RealValue.h"

namespace mlir::xla {

Real emitTanh(Real x);
Real emitSinh(Real x);
Real emitCosh(Real x);
Real emitAtanh(Real x);
/// f64 only.
Real emitPreciseAsinh(Real x);
Real emitPreciseAcosh(Real x);
/// f32 only.
Real emitAsinh(Real x);
Real emitAcosh(Real x);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_MATH_HYPERBOLIC_H
