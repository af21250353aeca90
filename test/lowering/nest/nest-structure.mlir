// RUN: xla-opt %s --to=kernels --split-input-file | FileCheck %s

// What a row leaves in a register is read by the same row: one kernel.
// CHECK-LABEL: func.func @main
// CHECK: call @rows_0
// CHECK-NOT: call
// CHECK: return
func.func @main(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %s = xla.reduce(%x init: %zero) applies xla.add across dimensions = [1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<32xf32>
  %b = xla.broadcast_in_dim %s, dims = [0] : (tensor<32xf32>) -> tensor<32x32xf32>
  %r = xla.subtract %x, %b : tensor<32x32xf32>
  return %r : tensor<32x32xf32>
}

// -----

// The shapes are the same, but every element needs another row: two kernels.
// CHECK-LABEL: func.func @main
// CHECK: call @reduction_0
// CHECK: call @elementwise_1
// CHECK: return
func.func @main(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %s = xla.reduce(%x init: %zero) applies xla.add across dimensions = [1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<32xf32>
  %b = xla.broadcast_in_dim %s, dims = [1] : (tensor<32xf32>) -> tensor<32x32xf32>
  %r = xla.subtract %x, %b : tensor<32x32xf32>
  return %r : tensor<32x32xf32>
}

// -----

// Likewise behind a reversal.
// CHECK-LABEL: func.func @main
// CHECK: call @reduction_0
// CHECK: call @elementwise_1
// CHECK: return
func.func @main(%x: tensor<32x32xf32>) -> (tensor<32xf32>, tensor<32xf32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %s = xla.reduce(%x init: %zero) applies xla.add across dimensions = [1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<32xf32>
  %r = xla.reverse %s, dims = [0] : tensor<32xf32>
  return %s, %r : tensor<32xf32>, tensor<32xf32>
}

// -----

// Results whose shapes differ by dimensions of size 1 have the same loops.
// CHECK-LABEL: func.func @main
// CHECK: call @elementwise_0(%arg0) : (tensor<32xf32>) -> (tensor<32xf32>, tensor<32xf32>)
// CHECK-NOT: call
// CHECK: return
func.func @main(%x: tensor<32xf32>) -> (tensor<32xf32>, tensor<32x1xf32>) {
  %e = xla.exponential %x : tensor<32xf32>
  %b = xla.broadcast_in_dim %e, dims = [0] : (tensor<32xf32>) -> tensor<32x1xf32>
  %t = xla.negate %b : tensor<32x1xf32>
  return %e, %t : tensor<32xf32>, tensor<32x1xf32>
}
