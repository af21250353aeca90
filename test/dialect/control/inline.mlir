// RUN: xla-opt %s --inline | FileCheck %s

// Functions are inlined into other functions and into regions.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>, %[[ZERO:.*]]: tensor<f32>)
func.func @main(%x: tensor<4xf32>, %zero: tensor<f32>) -> tensor<f32> {
  // CHECK-NOT: call
  // CHECK: xla.add %[[X]], %[[X]]
  // CHECK: xla.reduce(%{{.*}} init: %[[ZERO]]) applies xla.multiply across dimensions = [0]
  %0 = call @twice(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = xla.reduce(%0 init: %zero) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
   reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %2 = func.call @combine(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    xla.return %2 : tensor<f32>
  }
  return %1 : tensor<f32>
}
func.func private @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @combine(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = xla.multiply %a, %b : tensor<f32>
  return %0 : tensor<f32>
}
