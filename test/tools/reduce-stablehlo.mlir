// RUN: xla-reduce %s --xla-reduction=test=%S/Inputs/has-sine.sh | FileCheck %s

// StableHLO in generic form is reduced as `xla`.
// CHECK-LABEL: func.func @main(
// CHECK-NEXT: %[[ZERO:.*]] = xla.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[SINE:.*]] = xla.sine %[[ZERO]]
// CHECK-NEXT: return %[[SINE]]
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce"(%x, %c) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
  %2 = "stablehlo.sine"(%1) : (tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
