// RUN: xla-opt %s | FileCheck %s

// Newer versions of MLIR write booleans as bytes, LLVM's 22 as bits.
// CHECK-LABEL: func @bytes
func.func @bytes() -> (tensor<2x5xi1>, tensor<2x5xi1>) {
  // CHECK: dense<{{\[}}[false, true, true, false, false], [true, true, false, false, true]]>
  %0 = stablehlo.constant dense<"0x00010100000101000001"> : tensor<2x5xi1>
  // CHECK: dense<{{\[}}[false, true, true, false, false], [true, true, false, false, true]]>
  %1 = stablehlo.constant dense<"0x6602"> : tensor<2x5xi1>
  return %0, %1 : tensor<2x5xi1>, tensor<2x5xi1>
}
