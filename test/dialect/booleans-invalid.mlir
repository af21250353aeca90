// RUN: not xla-opt %s 2>&1 | FileCheck %s

// Columns are those of the text as it was written.
// CHECK: booleans-invalid.mlir:6:81: error: 'stablehlo.no_op' has no counterpart
func.func @columns() -> tensor<2x5xi1> {
  %0 = stablehlo.constant dense<"0x00010100000101000001"> : tensor<2x5xi1> %1 = stablehlo.no_op
  return %0 : tensor<2x5xi1>
}
