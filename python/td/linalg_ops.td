// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All ops of linalg in one file, for the Python bindings: MLIR keeps them in three.

include "mlir/Dialect/Linalg/IR/LinalgOps.td"
include "mlir/Dialect/Linalg/IR/LinalgStructuredOps.td"
include "mlir/Dialect/Linalg/IR/LinalgRelayoutOps.td"
