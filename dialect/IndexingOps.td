// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The indexing family.

#ifndef MLIR_XLA_DIALECT_INDEXINGOPS_TD
#define MLIR_XLA_DIALECT_INDEXINGOPS_TD

include "mlir_xla/dialect/XlaAttrs.td"

#endif // MLIR_XLA_DIALECT_INDEXINGOPS_TD
