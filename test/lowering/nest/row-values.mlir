// RUN: xla-opt %s --to=loops | FileCheck %s
// What follows from a function by cheap operations is kept for the nests of a row as the function is: one quotient,
// that of tanh, and not one in each of two nests.

// CHECK: func.func private @rows_0.impl
// CHECK: arith.divf {{.*}} : vector<16xf32>
// CHECK-NOT: arith.divf {{.*}} : vector<16xf32>
// CHECK: @xla_rt_parallel_for
func.func @main(%x: tensor<64x512xf32>) -> tensor<64x512xf32> {
  %t = xla.tanh %x : tensor<64x512xf32>
  %y = xla.multiply %t, %x : tensor<64x512xf32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %s = xla.reduce(%y init: %zero) applies xla.add across dimensions = [1] : (tensor<64x512xf32>, tensor<f32>) -> tensor<64xf32>
  %b = xla.broadcast_in_dim %s, dims = [0] : (tensor<64xf32>) -> tensor<64x512xf32>
  %r = xla.subtract %y, %b : tensor<64x512xf32>
  return %r : tensor<64x512xf32>
}
