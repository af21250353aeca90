// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// lgamma and digamma where they are negative or change their sign, for f64.

#ifndef MLIR_XLA_LOWERING_MATH_GAMMA_H
#define MLIR_XLA_LOWERING_MATH_GAMMA_H

#include "mlir_xla/lowering/RealValue.h"

namespace mlir::xla {

/// The function at numbers x < -1/4, or x < -2^-10, that are not whole; `otherwise` at others, or for a vector that has
/// no such number without any computation.
Real emitLgammaLeft(Real x, Real otherwise);
Real emitDigammaLeft(Real x, Real otherwise);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_MATH_GAMMA_H
