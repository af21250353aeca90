// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The normalization family.

#ifndef MLIR_XLA_DIALECT_NORMALIZATIONOPS_TD
#define MLIR_XLA_DIALECT_NORMALIZATIONOPS_TD

include "mlir_xla/dialect/XlaAttrs.td"

#endif // MLIR_XLA_DIALECT_NORMALIZATIONOPS_TD
