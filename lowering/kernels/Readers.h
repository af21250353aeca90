// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is computed of the results of a convolution, element by element, follows the order and the shape that it has as
// a product of matrices, so that both are one kernel.

#ifndef MLIR_XLA_LOWERING_KERNELS_READERS_H
#define MLIR_XLA_LOWERING_KERNELS_READERS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

namespace mlir::xla {

/// expand_shape %product -> elementwise  ->  elementwise of %product -> expand_shape
void flattenReaders(Value results, ArrayRef<ReassociationIndices> groups);

/// `value`, whose dimension i becomes dimension `order[i]` of what is returned.
Value transposed(OpBuilder &b, Value value, ArrayRef<int64_t> order);

/// Replaces `old` by `value`, which has its dimension i as dimension `order[i]`: what is computed of it element by
/// element is, too, as far as that reads nothing else that would have to be transposed; behind that is a transposition.
void replaceInOrder(Value old, Value value, ArrayRef<int64_t> order);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_KERNELS_READERS_H
