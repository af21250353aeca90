// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one place that says what a contraction is.

#ifndef MLIR_XLA_LOWERING_NEST_CONTRACTION_H
#define MLIR_XLA_LOWERING_NEST_CONTRACTION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::xla {

/// The roles of the loops if `op` sums products of the elements of two tensors, with projected permutations as maps.
std::optional<linalg::ContractionDimensions> matchContraction(Operation *op);

/// True if `op` sums products of the elements of two tensors, which it may read by any map: a contraction or a
/// convolution.
bool isSumOfProducts(linalg::GenericOp op);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_NEST_CONTRACTION_H
