// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading the signature of a region that ends in `xla.return`, for the ops whose constraints speak of it.

#ifndef MLIR_XLA_DIALECT_REGIONS_H
#define MLIR_XLA_DIALECT_REGIONS_H

#include "mlir_xla/dialect/XlaOps.h"

namespace mlir::xla {

/// The `xla.return` that ends the region's only block; null if the region has no such form.
ReturnOp getReturn(Region &region);

/// True if `type` is a tensor of rank 0 (with element type `element`, if given).
bool isScalar(Type type, Type element = {});

} // namespace mlir::xla

#endif // MLIR_XLA_DIALECT_REGIONS_H
