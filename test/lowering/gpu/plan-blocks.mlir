// RUN: xla-opt %s --target=cuda --to=kernels --split-input-file | FileCheck %s
// Sums of products are done by blocks of threads if they are large enough, in tiles that keep all multiprocessors busy.

// CHECK: xla_rt.plans = [#xla_rt.blocks<96x192x64, m d0 8, n d1 32, k d2 64, register 1x2>]
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

// Batches are blocks of their own; tensor cores multiply f64, too.
// CHECK: xla_rt.plans = [#xla_rt.blocks<64x128x128x64, m d1 128, n d2 64, k d3 8, register 32x32, instruction mma, stages 3, work d0>]
func.func @main(%x: tensor<64x128x64xf64>, %y: tensor<64x64x128xf64>) -> tensor<64x128x128xf64> {
  %0 = xla.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<64x128x64xf64>, tensor<64x64x128xf64>) -> tensor<64x128x128xf64>
  return %0 : tensor<64x128x128xf64>
}

// -----

// Tensor cores multiply what is narrow.
// CHECK: xla_rt.plans = [#xla_rt.blocks<2048x4096x1024, m d0 128, n d1 128, k d2 32, register 64x32, instruction mma, stages 3>]
func.func @main(%x: tensor<2048x1024xbf16>, %y: tensor<1024x4096xbf16>) -> tensor<2048x4096xbf16> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<2048x1024xbf16>, tensor<1024x4096xbf16>) -> tensor<2048x4096xbf16>
  return %0 : tensor<2048x4096xbf16>
}

// -----

// A window of pixels is one dimension, and so is the sum over window and channels.
// CHECK: xla_rt.plans = [#xla_rt.blocks<8x32x32x64x192x3x1, m d0, d1, d2 64, n d3 64, k d5, d4 16, register 4x4>]
func.func @main(%x: tensor<8x34x34x64xf32>, %y: tensor<3x3x64x64xf32>) -> tensor<8x32x32x64xf32> {
  %0 = stablehlo.convolution(%x, %y) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x34x34x64xf32>, tensor<3x3x64x64xf32>) -> tensor<8x32x32x64xf32>
  return %0 : tensor<8x32x32x64xf32>
}

// -----

// Products with vectors and with few rows, whose sums are split among blocks; with few steps, threads by themselves.
// CHECK: xla_rt.plans = [#xla_rt.blocks<1024x1024, m 16, n d0 16, k d1 16, register 4x2, split 16>]
// CHECK: xla_rt.plans = [#xla_rt.blocks<8x100x64, m d0 8, n d1 32, k d2 64, register 1x2>]
// CHECK: xla_rt.plans = [#xla_rt.nest<
func.func @main(%x: tensor<1024xf32>, %y: tensor<1024x1024xf32>, %z: tensor<8x64xf32>, %u: tensor<64x100xf32>, %v: tensor<100x4xf32>, %w: tensor<4x100xf32>)
    -> (tensor<1024xf32>, tensor<8x100xf32>, tensor<100x100xf32>) {
  %0 = xla.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<1024xf32>, tensor<1024x1024xf32>) -> tensor<1024xf32>
  %1 = xla.dot_general %z, %u, contracting_dims = [1] x [0] : (tensor<8x64xf32>, tensor<64x100xf32>) -> tensor<8x100xf32>
  %2 = xla.dot_general %v, %w, contracting_dims = [1] x [0] : (tensor<100x4xf32>, tensor<4x100xf32>) -> tensor<100x100xf32>
  return %0, %1, %2 : tensor<1024xf32>, tensor<8x100xf32>, tensor<100x100xf32>
}

// -----

// Few rows of a decoder, long sums of few results, and batches of small matrices, each a warp's.
// CHECK: xla_rt.plans = [#xla_rt.blocks<8x11008x4096, m d0 64, n d1 64, k d2 64, register 32x32, instruction mma, stages 3>]
// CHECK: xla_rt.plans = [#xla_rt.blocks<64x64x16384, m d0 32, n d1 32, k d2 16, register 4x4, split 128>]
// CHECK: xla_rt.plans = [#xla_rt.blocks<4096x32x32x32, m d1 32, n d2 32, k d3 16, register 8x4, work d0>]
func.func @main(%x: tensor<8x4096xbf16>, %w: tensor<4096x11008xbf16>, %l: tensor<64x16384xf32>, %r: tensor<16384x64xf32>, %b: tensor<4096x32x32xf32>)
    -> (tensor<8x11008xbf16>, tensor<64x64xf32>, tensor<4096x32x32xf32>) {
  %0 = xla.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x4096xbf16>, tensor<4096x11008xbf16>) -> tensor<8x11008xbf16>
  %1 = xla.dot_general %l, %r, contracting_dims = [1] x [0] : (tensor<64x16384xf32>, tensor<16384x64xf32>) -> tensor<64x64xf32>
  %2 = xla.dot_general %b, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<4096x32x32xf32>, tensor<4096x32x32xf32>) -> tensor<4096x32x32xf32>
  return %0, %1, %2 : tensor<8x11008xbf16>, tensor<64x64xf32>, tensor<4096x32x32xf32>
}

// -----

// What a program is given stays in the L2 cache from one execution to the next, if that is not too much. Else it comes
// from memory each time, and more blocks ask for it. What a kernel has computed is in the cache.
// CHECK: xla_rt.plans = [#xla_rt.blocks<3072x768, m 8, n d0 128, k d1 32, register 2x4, split 4>]
func.func @main(%x: tensor<768xf32>, %w: tensor<768x3072xf32>) -> tensor<3072xf32> {
  %0 = xla.dot_general %x, %w, contracting_dims = [0] x [0] : (tensor<768xf32>, tensor<768x3072xf32>) -> tensor<3072xf32>
  return %0 : tensor<3072xf32>
}

// -----

// CHECK: xla_rt.plans = [#xla_rt.blocks<3072x768, m 8, n d0 128, k d1 32, register 2x4, split 8>]
// CHECK: xla_rt.plans = [#xla_rt.blocks<768x3200x2048
// CHECK: xla_rt.plans = [#xla_rt.blocks<3200x768, m 8, n d0 128, k d1 32, register 2x4, split 4>]
func.func @main(%x: tensor<768xf32>, %w: tensor<768x3072xf32>, %t: tensor<768x2048xf32>, %u: tensor<2048x3200xf32>)
    -> (tensor<3072xf32>, tensor<3200xf32>) {
  %0 = xla.dot_general %x, %w, contracting_dims = [0] x [0] : (tensor<768xf32>, tensor<768x3072xf32>) -> tensor<3072xf32>
  %v = xla.dot_general %t, %u, contracting_dims = [1] x [0] : (tensor<768x2048xf32>, tensor<2048x3200xf32>) -> tensor<768x3200xf32>
  %1 = xla.dot_general %x, %v, contracting_dims = [0] x [0] : (tensor<768xf32>, tensor<768x3200xf32>) -> tensor<3200xf32>
  return %0, %1 : tensor<3072xf32>, tensor<3200xf32>
}

// -----

// Tensor cores round f32 to tf32 only where the program says so; they multiply bytes.
// CHECK: xla_rt.plans = [#xla_rt.blocks<1024x1024x1024, {{.*}} register 8x8, split 2>]
// CHECK: xla_rt.plans = [#xla_rt.blocks<1024x1024x1024, {{.*}}, instruction mma, stages 3>]
// CHECK: xla_rt.plans = [#xla_rt.blocks<1024x1024x1024, {{.*}}, instruction mma, stages 3>]
func.func @main(%x: tensor<1024x1024xf32>, %s: tensor<1024x1024xui8>) -> (tensor<1024x1024xf32>, tensor<1024x1024xf32>, tensor<1024x1024xui32>) {
  %0 = xla.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %1 = xla.dot_general %x, %x, contracting_dims = [1] x [1], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32>
      : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %2 = xla.dot_general %s, %s, contracting_dims = [1] x [0] : (tensor<1024x1024xui8>, tensor<1024x1024xui8>) -> tensor<1024x1024xui32>
  return %0, %1, %2 : tensor<1024x1024xf32>, tensor<1024x1024xf32>, tensor<1024x1024xui32>
}

// -----

// For sm_90a there is a second plan where warpgroups are faster: bf16 in any order, batches, and what lies along k of
// bytes and of f32 that the program has rounded to tf32.
// CHECK: xla_rt.plans = [#xla_rt.blocks<4096x4096x4096, {{.*}} instruction mma, stages 3>], xla_rt.plans_sm_90a = [#xla_rt.blocks<4096x4096x4096, m d0 128, n d1 256, k d2 64, register 64x256, instruction wgmma, stages 4>]
// CHECK: xla_rt.plans = [#xla_rt.blocks<3x2048x4096x1024, {{.*}} instruction mma, stages 3, work d0>], xla_rt.plans_sm_90a = [#xla_rt.blocks<3x2048x4096x1024, {{.*}} k d3 64, {{.*}} instruction wgmma, stages {{[0-9]}}, work d0>]
// CHECK: xla_rt.plans = [#xla_rt.blocks<2048x2048x2048, {{.*}} instruction mma, stages 3>], xla_rt.plans_sm_90a = [#xla_rt.blocks<2048x2048x2048, {{.*}} k d2 32, {{.*}} instruction wgmma, stages {{[0-9]}}>]
// CHECK: xla_rt.plans = [#xla_rt.blocks<2048x2048x2048, {{.*}} instruction mma, stages 3>], xla_rt.plans_sm_90a = [#xla_rt.blocks<2048x2048x2048, {{.*}} k d2 128, {{.*}} instruction wgmma, stages {{[0-9]}}>]
func.func @main(%x: tensor<4096x4096xbf16>, %t: tensor<3x2048x1024xbf16>, %u: tensor<3x1024x4096xbf16>, %f: tensor<2048x2048xf32>, %s: tensor<2048x2048xi8>)
    -> (tensor<4096x4096xbf16>, tensor<3x2048x4096xbf16>, tensor<2048x2048xf32>, tensor<2048x2048xi32>) {
  %0 = xla.dot_general %x, %x, contracting_dims = [0] x [1] : (tensor<4096x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
  %1 = xla.dot_general %t, %u, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<3x2048x1024xbf16>, tensor<3x1024x4096xbf16>) -> tensor<3x2048x4096xbf16>
  %2 = xla.dot_general %f, %f, contracting_dims = [1] x [1], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32>
      : (tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  %3 = xla.dot_general %s, %s, contracting_dims = [1] x [1] : (tensor<2048x2048xi8>, tensor<2048x2048xi8>) -> tensor<2048x2048xi32>
  return %0, %1, %2, %3 : tensor<4096x4096xbf16>, tensor<3x2048x4096xbf16>, tensor<2048x2048xf32>, tensor<2048x2048xi32>
}

// -----

// No second plan: lines of tensors are no multiples of 16 bytes; bytes do not lie along k; f64; there is little to do.
// CHECK-NOT: plans_sm_90a
func.func @main(%x: tensor<4096x4095xbf16>, %y: tensor<4095x4096xbf16>, %s: tensor<2048x2048xi8>, %d: tensor<2048x2048xf64>, %t: tensor<64x64xbf16>)
    -> (tensor<4096x4096xbf16>, tensor<2048x2048xi32>, tensor<2048x2048xf64>, tensor<64x64xbf16>) {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<4096x4095xbf16>, tensor<4095x4096xbf16>) -> tensor<4096x4096xbf16>
  %1 = xla.dot_general %s, %s, contracting_dims = [1] x [0] : (tensor<2048x2048xi8>, tensor<2048x2048xi8>) -> tensor<2048x2048xi32>
  %2 = xla.dot_general %d, %d, contracting_dims = [1] x [0] : (tensor<2048x2048xf64>, tensor<2048x2048xf64>) -> tensor<2048x2048xf64>
  %3 = xla.dot_general %t, %t, contracting_dims = [1] x [0] : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %0, %1, %2, %3 : tensor<4096x4096xbf16>, tensor<2048x2048xi32>, tensor<2048x2048xf64>, tensor<64x64xbf16>
}
