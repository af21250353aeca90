// RUN: xla-opt %s --to=kernels --split-input-file | FileCheck %s

// A softmax is one kernel of several nests over its rows.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[R:.*]] = call @rows_0(%arg0)
// CHECK-NEXT: return %[[R]]
// CHECK: func.func private @rows_0
// CHECK-SAME: xla_rt.kernel = #xla_rt.kernel<rows, [64]>
func.func @main(%x: tensor<64x100xf32>) -> tensor<64x100xf32> {
  %ninf = xla.constant dense<0xFF800000> : tensor<f32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %m = xla.reduce(%x init: %ninf) applies xla.maximum across dimensions = [1] : (tensor<64x100xf32>, tensor<f32>) -> tensor<64xf32>
  %mb = xla.broadcast_in_dim %m, dims = [0] : (tensor<64xf32>) -> tensor<64x100xf32>
  %d = xla.subtract %x, %mb : tensor<64x100xf32>
  %e = xla.exponential %d : tensor<64x100xf32>
  %s = xla.reduce(%e init: %zero) applies xla.add across dimensions = [1] : (tensor<64x100xf32>, tensor<f32>) -> tensor<64xf32>
  %sb = xla.broadcast_in_dim %s, dims = [0] : (tensor<64xf32>) -> tensor<64x100xf32>
  %r = xla.divide %e, %sb : tensor<64x100xf32>
  return %r : tensor<64x100xf32>
}

// -----

// Bias and activation are the epilogue of the contraction.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[R:.*]] = call @contraction_0(%arg0, %arg1, %arg2)
// CHECK-NEXT: return %[[R]]
func.func @main(%x: tensor<64x100xf32>, %w: tensor<100x32xf32>, %b: tensor<32xf32>) -> tensor<64x32xf32> {
  %0 = xla.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x100xf32>, tensor<100x32xf32>) -> tensor<64x32xf32>
  %1 = xla.broadcast_in_dim %b, dims = [1] : (tensor<32xf32>) -> tensor<64x32xf32>
  %2 = xla.add %0, %1 : tensor<64x32xf32>
  %3 = xla.tanh %2 : tensor<64x32xf32>
  return %3 : tensor<64x32xf32>
}

// -----

// Nothing fuses across a barrier.
// CHECK-LABEL: func.func @main
// CHECK: call @elementwise_0
// CHECK: call @elementwise_1
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = xla.exponential %x : tensor<8xf32>
  %1 = xla.optimization_barrier %0 : tensor<8xf32>
  %2 = xla.add %1, %1 : tensor<8xf32>
  return %2 : tensor<8xf32>
}
