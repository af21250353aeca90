// RUN: xla-opt %s --split-input-file --to=kernels | FileCheck %s
// Columns of each batch are packed for all of its rows, without memory for all of them.

// CHECK-LABEL: @main
// CHECK-NOT: xla_rt.kernel<elementwise>
// CHECK: xla_rt.plans = [#xla_rt.tiles<16x512x512x512, m d1 516, n d2 128, k d3 512, register 6x4, lanes 16, instruction fma, pack b, prefetch 8, work d0>]
func.func @main(%x: tensor<16x512x512xf32>, %y: tensor<16x512x512xf32>) -> tensor<16x512x512xf32> {
  %0 = xla.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<16x512x512xf32>, tensor<16x512x512xf32>) -> tensor<16x512x512xf32>
  return %0 : tensor<16x512x512xf32>
}

// -----

// Few batches are cut into narrower blocks of columns.
// CHECK-LABEL: @main
// CHECK: #xla_rt.tiles<4x256x256x256, m d1 258, n d2 64, k d3 256, register 6x4, lanes 16, instruction fma, pack b, prefetch 8, work d0>
func.func @main(%x: tensor<4x256x256xf32>, %y: tensor<4x256x256xf32>) -> tensor<4x256x256xf32> {
  %0 = xla.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<4x256x256xf32>, tensor<4x256x256xf32>) -> tensor<4x256x256xf32>
  return %0 : tensor<4x256x256xf32>
}

// -----

// Small ones stay in the caches, and columns that are no rows of memory are packed whole.
// CHECK-LABEL: @main
// CHECK-NOT: tiles
func.func @main(%x: tensor<16x64x64xf32>, %y: tensor<16x64x64xf32>, %z: tensor<16x512x64xf32>, %w: tensor<16x512x64xf32>) -> (tensor<16x64x64xf32>, tensor<16x512x512xf32>) {
  %0 = xla.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<16x64x64xf32>, tensor<16x64x64xf32>) -> tensor<16x64x64xf32>
  %1 = xla.dot_general %z, %w, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<16x512x64xf32>, tensor<16x512x64xf32>) -> tensor<16x512x512xf32>
  return %0, %1 : tensor<16x64x64xf32>, tensor<16x512x512xf32>
}
