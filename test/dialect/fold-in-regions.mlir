// Constants that folding creates stay in the computation that uses them: reducers and mapped computations capture nothing.
// RUN: xla-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @map(
// CHECK-NEXT: "xla.map"
// CHECK-NEXT: ^bb0(%[[A:.+]]: tensor<f32>):
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<3.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[R:.+]] = xla.add %[[A]], %[[C]] : tensor<f32>
// CHECK-NEXT: xla.return %[[R]]
func.func @map(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = "xla.map"(%x) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>):
    %0 = xla.constant dense<1.0> : tensor<f32>
    %1 = xla.constant dense<2.0> : tensor<f32>
    %2 = xla.add %0, %1 : tensor<f32>
    %3 = xla.add %a, %2 : tensor<f32>
    xla.return %3 : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
