// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The computation region of reduce, reduce_window, scatter, select_and_scatter and the reducing collectives.

#ifndef MLIR_XLA_DIALECT_OPS_REDUCTION_REDUCTIONCOMPUTATION_H
#define MLIR_XLA_DIALECT_OPS_REDUCTION_REDUCTIONCOMPUTATION_H

#include "mlir_xla/dialect/XlaOps.h"

namespace mlir::xla {

/// Checks that `region` combines N running values with N new ones: (T0, .., T0, ..) -> (T0, ..), scalars of `elements`
/// (RC-C1), without side effects (RC-C4). Errors carry `constraint` as well.
LogicalResult verifyReductionComputation(Operation *op, Region &region, StringRef regionName, StringRef constraint,
                                         ArrayRef<Type> elements);

/// The element types of tensors.
SmallVector<Type> getElementTypes(TypeRange tensors);

/// The op `op(a, b)` if the region is `(a, b) -> return op(a, b)` with nothing else in it; null otherwise.
Operation *getSingleBinaryOp(Region &region);

/// Fills the empty `region` with `(a, b) -> return op(a, b)`.
void buildSingleBinaryOp(OpBuilder &builder, Location loc, Region &region, OperationName op, Type element);

/// The operation called `name`, where the prefixes of StableHLO and its kin mean this dialect.
std::optional<RegisteredOperationName> lookUpReducer(MLIRContext *context, StringRef name);

} // namespace mlir::xla

#endif // MLIR_XLA_DIALECT_OPS_REDUCTION_REDUCTIONCOMPUTATION_H
