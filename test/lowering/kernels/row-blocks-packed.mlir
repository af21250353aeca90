// RUN: xla-opt %s --to=kernels="vector-bits=256" --split-input-file | FileCheck %s

// Values that lie 2 KiB apart are packed as the keys are, where tiles would pack them, too: each block reads all of
// them.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[K:.*]] = call @elementwise_0(%arg1)
// CHECK-NEXT: %[[V:.*]] = call @elementwise_1(%arg2)
// CHECK-NEXT: %[[R:.*]] = call @rows_2(%arg0, %[[K]], %[[V]])
// CHECK-NEXT: return %[[R]]
func.func @main(%q: tensor<8x512x64xf32>, %k: tensor<8x512x64xf32>, %v: tensor<512x8x64xf32>) -> tensor<8x512x64xf32> {
  %ninf = xla.constant dense<0xFF800000> : tensor<f32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %s = xla.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<8x512x64xf32>, tensor<8x512x64xf32>) -> tensor<8x512x512xf32>
  %m = xla.reduce(%s init: %ninf) applies xla.maximum across dimensions = [2] : (tensor<8x512x512xf32>, tensor<f32>) -> tensor<8x512xf32>
  %mb = xla.broadcast_in_dim %m, dims = [0, 1] : (tensor<8x512xf32>) -> tensor<8x512x512xf32>
  %d = xla.subtract %s, %mb : tensor<8x512x512xf32>
  %e = xla.exponential %d : tensor<8x512x512xf32>
  %t = xla.reduce(%e init: %zero) applies xla.add across dimensions = [2] : (tensor<8x512x512xf32>, tensor<f32>) -> tensor<8x512xf32>
  %tb = xla.broadcast_in_dim %t, dims = [0, 1] : (tensor<8x512xf32>) -> tensor<8x512x512xf32>
  %p = xla.divide %e, %tb : tensor<8x512x512xf32>
  %r = xla.dot_general %p, %v, batching_dims = [0] x [1], contracting_dims = [2] x [0] : (tensor<8x512x512xf32>, tensor<512x8x64xf32>) -> tensor<8x512x64xf32>
  return %r : tensor<8x512x64xf32>
}

// -----

// With the weights as a result there are three kernels, of which the last one packs what it reads itself.
// CHECK-LABEL: func.func @main
// CHECK: %[[P:.*]] = call @rows_2
// CHECK-NEXT: %[[R:.*]] = call @contraction_3(%[[P]], %arg2)
// CHECK-NEXT: return %[[P]], %[[R]]
func.func @main(%q: tensor<8x512x64xf32>, %k: tensor<8x512x64xf32>, %v: tensor<512x8x64xf32>) -> (tensor<8x512x512xf32>, tensor<8x512x64xf32>) {
  %ninf = xla.constant dense<0xFF800000> : tensor<f32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %s = xla.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<8x512x64xf32>, tensor<8x512x64xf32>) -> tensor<8x512x512xf32>
  %m = xla.reduce(%s init: %ninf) applies xla.maximum across dimensions = [2] : (tensor<8x512x512xf32>, tensor<f32>) -> tensor<8x512xf32>
  %mb = xla.broadcast_in_dim %m, dims = [0, 1] : (tensor<8x512xf32>) -> tensor<8x512x512xf32>
  %d = xla.subtract %s, %mb : tensor<8x512x512xf32>
  %e = xla.exponential %d : tensor<8x512x512xf32>
  %t = xla.reduce(%e init: %zero) applies xla.add across dimensions = [2] : (tensor<8x512x512xf32>, tensor<f32>) -> tensor<8x512xf32>
  %tb = xla.broadcast_in_dim %t, dims = [0, 1] : (tensor<8x512xf32>) -> tensor<8x512x512xf32>
  %p = xla.divide %e, %tb : tensor<8x512x512xf32>
  %r = xla.dot_general %p, %v, batching_dims = [0] x [1], contracting_dims = [2] x [0] : (tensor<8x512x512xf32>, tensor<512x8x64xf32>) -> tensor<8x512x64xf32>
  return %p, %r : tensor<8x512x512xf32>, tensor<8x512x64xf32>
}
