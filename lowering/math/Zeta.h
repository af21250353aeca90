// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The Hurwitz zeta function and the derivatives of digamma.

#ifndef MLIR_XLA_LOWERING_MATH_ZETA_H
#define MLIR_XLA_LOWERING_MATH_ZETA_H

#include "mlir_xla/lowering/RealValue.h"

namespace mlir::xla {

/// f64, from which f32 are rounded.
Real emitZeta(Real s, Real q);
/// The same, for a whole n of at least 1.
Real emitPolygamma(Real n, Real x);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_MATH_ZETA_H
