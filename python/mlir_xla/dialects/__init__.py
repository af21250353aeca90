# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One module per dialect, each imported on demand: `from mlir_xla.dialects import arith`."""
