// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The linear family.

#ifndef MLIR_XLA_DIALECT_LINEAROPS_TD
#define MLIR_XLA_DIALECT_LINEAROPS_TD

include "mlir_xla/dialect/XlaAttrs.td"

#endif // MLIR_XLA_DIALECT_LINEAROPS_TD
