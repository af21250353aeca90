// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The umbrella: every op of the dialect, for documentation and the Python bindings.

#ifndef MLIR_XLA_DIALECT_XLAOPS_TD
#define MLIR_XLA_DIALECT_XLAOPS_TD

include "mlir_xla/dialect/XlaTypes.td"
include "mlir_xla/dialect/ElementwiseOps.td"
include "mlir_xla/dialect/ShapeOps.td"
include "mlir_xla/dialect/IndexingOps.td"
include "mlir_xla/dialect/ReductionOps.td"
include "mlir_xla/dialect/LinearOps.td"
include "mlir_xla/dialect/ControlOps.td"
include "mlir_xla/dialect/NormalizationOps.td"

#endif // MLIR_XLA_DIALECT_XLAOPS_TD
