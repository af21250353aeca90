// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The umbrella: every op of the dialect, for documentation and the Python bindings.

#ifndef MLIR_XLA_DIALECT_XLAOPS_TD
#define MLIR_XLA_DIALECT_XLAOPS_TD

include "mlir_xla/dialect/XlaTypes.td"
include "mlir_xla/dialect/ops/elementwise/ElementwiseOps.td"
include "mlir_xla/dialect/ops/shape/ShapeOps.td"
include "mlir_xla/dialect/ops/indexing/IndexingOps.td"
include "mlir_xla/dialect/ops/reduction/ReductionOps.td"
include "mlir_xla/dialect/ops/linear/LinearOps.td"
include "mlir_xla/dialect/ops/control/ControlOps.td"
include "mlir_xla/dialect/ops/normalization/NormalizationOps.td"
include "mlir_xla/dialect/ops/sort/SortOps.td"
include "mlir_xla/dialect/ops/fft/FftOps.td"
include "mlir_xla/dialect/ops/solve/SolveOps.td"
include "mlir_xla/dialect/ops/random/RandomOps.td"

#endif // MLIR_XLA_DIALECT_XLAOPS_TD
