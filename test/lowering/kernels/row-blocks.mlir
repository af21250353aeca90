// RUN: xla-opt %s --to=kernels --split-input-file | FileCheck %s

// Scores, their softmax and its product with the values are one kernel, for blocks of 64 queries. The keys are packed before.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[K:.*]] = call @elementwise_0(%arg1)
// CHECK-NEXT: %[[R:.*]] = call @rows_1(%arg0, %[[K]], %arg2)
// CHECK-NEXT: return %[[R]]
// CHECK: func.func private @rows_1
// CHECK-SAME: xla_rt.kernel = #xla_rt.kernel<rows, [8, 512] by 64>
// CHECK-SAME: xla_rt.plans = [#xla_rt.nest<8x512x64x512x64, lanes d3 16x4, jam d2 4, reduce d4>,
// CHECK-SAME: #xla_rt.nest<8x512x64x64x512, lanes d3 16x4, jam d2 4, reduce d4>]
func.func @main(%q: tensor<8x512x64xf32>, %k: tensor<8x512x64xf32>, %v: tensor<8x512x64xf32>) -> tensor<8x512x64xf32> {
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
  %r = xla.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x512x512xf32>, tensor<8x512x64xf32>) -> tensor<8x512x64xf32>
  return %r : tensor<8x512x64xf32>
}

// -----

// A result needs the probabilities in memory: three kernels.
// CHECK-LABEL: func.func @main
// CHECK: call @contraction
// CHECK: call @rows
// CHECK: call @contraction
// CHECK-NOT: by 48
func.func @main(%q: tensor<8x100x32xf32>, %k: tensor<8x32x90xf32>, %v: tensor<8x90x32xf32>) -> (tensor<8x100x32xf32>, tensor<8x100x90xf32>) {
  %ninf = xla.constant dense<0xFF800000> : tensor<f32>
  %s = xla.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x100x32xf32>, tensor<8x32x90xf32>) -> tensor<8x100x90xf32>
  %m = xla.reduce(%s init: %ninf) applies xla.maximum across dimensions = [2] : (tensor<8x100x90xf32>, tensor<f32>) -> tensor<8x100xf32>
  %mb = xla.broadcast_in_dim %m, dims = [0, 1] : (tensor<8x100xf32>) -> tensor<8x100x90xf32>
  %p = xla.subtract %s, %mb : tensor<8x100x90xf32>
  %r = xla.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x100x90xf32>, tensor<8x90x32xf32>) -> tensor<8x100x32xf32>
  return %r, %p : tensor<8x100x32xf32>, tensor<8x100x90xf32>
}

// -----

// The second contraction sums over the rows: no block of them is enough for it.
// CHECK-LABEL: func.func @main
// CHECK: call @rows
// CHECK: call @contraction
// CHECK-NOT: by 48
func.func @main(%q: tensor<8x100x32xf32>, %k: tensor<8x32x90xf32>, %v: tensor<8x100x32xf32>) -> tensor<8x90x32xf32> {
  %ninf = xla.constant dense<0xFF800000> : tensor<f32>
  %s = xla.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x100x32xf32>, tensor<8x32x90xf32>) -> tensor<8x100x90xf32>
  %m = xla.reduce(%s init: %ninf) applies xla.maximum across dimensions = [2] : (tensor<8x100x90xf32>, tensor<f32>) -> tensor<8x100xf32>
  %mb = xla.broadcast_in_dim %m, dims = [0, 1] : (tensor<8x100xf32>) -> tensor<8x100x90xf32>
  %p = xla.subtract %s, %mb : tensor<8x100x90xf32>
  %r = xla.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<8x100x90xf32>, tensor<8x100x32xf32>) -> tensor<8x90x32xf32>
  return %r : tensor<8x90x32xf32>
}

// -----

// Sizes that no block divides: those of 25 rows compute few of them twice, and there are 24 of them, for two or four
// cores alike.
// CHECK-LABEL: func.func @main
// CHECK: xla_rt.kernel = #xla_rt.kernel<rows, [3, 197] by 25>
func.func @main(%q: tensor<3x197x32xf32>, %k: tensor<3x32x90xf32>, %v: tensor<3x90x32xf32>) -> tensor<3x197x32xf32> {
  %ninf = xla.constant dense<0xFF800000> : tensor<f32>
  %s = xla.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<3x197x32xf32>, tensor<3x32x90xf32>) -> tensor<3x197x90xf32>
  %m = xla.reduce(%s init: %ninf) applies xla.maximum across dimensions = [2] : (tensor<3x197x90xf32>, tensor<f32>) -> tensor<3x197xf32>
  %mb = xla.broadcast_in_dim %m, dims = [0, 1] : (tensor<3x197xf32>) -> tensor<3x197x90xf32>
  %p = xla.subtract %s, %mb : tensor<3x197x90xf32>
  %r = xla.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<3x197x90xf32>, tensor<3x90x32xf32>) -> tensor<3x197x32xf32>
  return %r : tensor<3x197x32xf32>
}

// -----

// Larger ones do with even less, where there are enough of them.
// CHECK-LABEL: func.func @main
// CHECK: xla_rt.kernel = #xla_rt.kernel<rows, [24, 197] by 66>
func.func @main(%q: tensor<24x197x32xf32>, %k: tensor<24x32x90xf32>, %v: tensor<24x90x32xf32>) -> tensor<24x197x32xf32> {
  %ninf = xla.constant dense<0xFF800000> : tensor<f32>
  %s = xla.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<24x197x32xf32>, tensor<24x32x90xf32>) -> tensor<24x197x90xf32>
  %m = xla.reduce(%s init: %ninf) applies xla.maximum across dimensions = [2] : (tensor<24x197x90xf32>, tensor<f32>) -> tensor<24x197xf32>
  %mb = xla.broadcast_in_dim %m, dims = [0, 1] : (tensor<24x197xf32>) -> tensor<24x197x90xf32>
  %p = xla.subtract %s, %mb : tensor<24x197x90xf32>
  %r = xla.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<24x197x90xf32>, tensor<24x90x32xf32>) -> tensor<24x197x32xf32>
  return %r : tensor<24x197x32xf32>
}
