// RUN: xla-opt %s --to=kernels | FileCheck %s
// Parts of a tensor, and what follows from the tensor as a whole: a kernel that reads both has one input, of which it
// loads each element once.

// CHECK: %[[SUMS:.*]]:2 = call @reduction_0(%arg0) : (tensor<2048x1024xf32>) -> (tensor<64xf32>, tensor<64xf32>)
// CHECK: call @reduction_1(%[[SUMS]]#0, %[[SUMS]]#1)
func.func @main(%x: tensor<2048x1024xf32>) -> (tensor<f32>, tensor<f32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %s = xla.multiply %x, %x : tensor<2048x1024xf32>
  %0 = xla.reduce(%x init: %zero) applies xla.add across dimensions = [0, 1] : (tensor<2048x1024xf32>, tensor<f32>) -> tensor<f32>
  %1 = xla.reduce(%s init: %zero) applies xla.add across dimensions = [0, 1] : (tensor<2048x1024xf32>, tensor<f32>) -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}
