// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What dot_general and convolution share: a sum of products as one generic, in the type that they accumulate in.

#ifndef MLIR_XLA_LOWERING_LINALG_LINEAR_H
#define MLIR_XLA_LOWERING_LINALG_LINEAR_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"

namespace mlir::xla {

/// result[resultMap] = sum over the other loops of lhs[lhsMap] * rhs[rhsMap]. `lhsElement`, `rhsElement` and
/// `resultElement` carry the signs. Narrow floats accumulate in f32 and are rounded once at the end. With `isTf32`,
/// factors in f32 may be rounded to tf32.
Value buildContraction(OpBuilder &b, Location loc, Value lhs, Value rhs, Type lhsElement, Type rhsElement,
                       ArrayRef<int64_t> resultShape, Type resultElement, AffineMap lhsMap, AffineMap rhsMap,
                       AffineMap resultMap, bool isTf32 = false);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_LINALG_LINEAR_H
