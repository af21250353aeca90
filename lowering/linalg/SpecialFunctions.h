// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of f32 or f64 numbers that neither math nor libm offers under one name.

#ifndef MLIR_XLA_LOWERING_LINALG_SPECIALFUNCTIONS_H
#define MLIR_XLA_LOWERING_LINALG_SPECIALFUNCTIONS_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::xla {

Value emitLogistic(ImplicitLocOpBuilder &b, ValueRange x);
Value emitErfInv(ImplicitLocOpBuilder &b, ValueRange x);
Value emitLgamma(ImplicitLocOpBuilder &b, ValueRange x);
Value emitDigamma(ImplicitLocOpBuilder &b, ValueRange x);
Value emitBesselI1e(ImplicitLocOpBuilder &b, ValueRange x);
/// Of an order and a number.
Value emitPolygamma(ImplicitLocOpBuilder &b, ValueRange x);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_LINALG_SPECIALFUNCTIONS_H
