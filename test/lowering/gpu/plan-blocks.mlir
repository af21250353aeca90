// RUN: xla-opt %s --target=cuda --to=kernels --split-input-file | FileCheck %s
// Sums of products are done by blocks of threads if they are large enough, in tiles that keep all multiprocessors busy.

// CHECK: xla_rt.plans = [#xla_rt.blocks<96x192x64, m d0 32, n d1 32, k d2 16, register 4x4>]
func.func @main(%x: tensor<96x64xf32>, %y: tensor<64x192xf32>) -> tensor<96x192xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<96x64xf32>, tensor<64x192xf32>) -> tensor<96x192xf32>
  return %0 : tensor<96x192xf32>
}

// -----

// CHECK: xla_rt.plans = [#xla_rt.blocks<4096x4096x4096, m d0 128, n d1 128, k d2 16, register 8x8>]
func.func @main(%x: tensor<4096x4096xf32>, %y: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<4096x4096xf32>, tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  return %0 : tensor<4096x4096xf32>
}

// -----

// Batches are blocks of their own; f64 has half the sums in registers.
// CHECK: xla_rt.plans = [#xla_rt.blocks<64x128x128x64, m d1 64, n d2 64, k d3 16, register 4x4, work d0>]
func.func @main(%x: tensor<64x128x64xf64>, %y: tensor<64x64x128xf64>) -> tensor<64x128x128xf64> {
  %0 = xla.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<64x128x64xf64>, tensor<64x64x128xf64>) -> tensor<64x128x128xf64>
  return %0 : tensor<64x128x128xf64>
}

// -----

// A row of results, few results, few steps: threads by themselves.
// CHECK-COUNT-3: xla_rt.plans = [#xla_rt.nest<
// CHECK-NOT: xla_rt.blocks
func.func @main(%x: tensor<1024xf32>, %y: tensor<1024x1024xf32>, %z: tensor<8x64xf32>, %u: tensor<64x100xf32>, %v: tensor<100x4xf32>, %w: tensor<4x100xf32>)
    -> (tensor<1024xf32>, tensor<8x100xf32>, tensor<100x100xf32>) {
  %0 = xla.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<1024xf32>, tensor<1024x1024xf32>) -> tensor<1024xf32>
  %1 = xla.dot_general %z, %u, contracting_dims = [1] x [0] : (tensor<8x64xf32>, tensor<64x100xf32>) -> tensor<8x100xf32>
  %2 = xla.dot_general %v, %w, contracting_dims = [1] x [0] : (tensor<100x4xf32>, tensor<4x100xf32>) -> tensor<100x100xf32>
  return %0, %1, %2 : tensor<1024xf32>, tensor<8x100xf32>, tensor<100x100xf32>
}
