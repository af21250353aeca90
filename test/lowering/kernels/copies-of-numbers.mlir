// RUN: xla-opt %s --to=kernels | FileCheck %s
// Copies of a number join the kernels that read them. The kernel of rows that computes the number takes no more
// functions, and the other one gets the number, not 25,600 copies.

// CHECK: %[[ROWS:.*]]:2 = call @rows_0(%arg0) : (tensor<400x64xf32>) -> (tensor<f32>, tensor<400x64xf32>)
// CHECK-NEXT: %[[RESULT:.*]] = call @elementwise_1({{.*}}) : (tensor<f32>, tensor<400x64xf32>) -> tensor<400x64xf32>
// CHECK-NEXT: return %[[RESULT]]
func.func @main(%x: tensor<400x64xf32>) -> tensor<400x64xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.multiply %x, %x : tensor<400x64xf32>
  %1 = xla.reduce(%0 init: %zero) applies xla.add across dimensions = [0, 1] : (tensor<400x64xf32>, tensor<f32>) -> tensor<f32>
  %2 = xla.rsqrt %1 : tensor<f32>
  %3 = xla.broadcast_in_dim %2, dims = [] : (tensor<f32>) -> tensor<400x64xf32>
  %4 = xla.multiply %x, %3 : tensor<400x64xf32>
  %5 = xla.tanh %4 : tensor<400x64xf32>
  %6 = xla.tanh %5 : tensor<400x64xf32>
  %7 = xla.tanh %6 : tensor<400x64xf32>
  %8 = xla.tanh %7 : tensor<400x64xf32>
  %9 = xla.multiply %8, %3 : tensor<400x64xf32>
  return %9 : tensor<400x64xf32>
}
