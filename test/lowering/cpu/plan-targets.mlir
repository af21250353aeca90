// RUN: xla-opt %s --split-input-file --to=kernels | FileCheck %s --check-prefix=AVX512
// RUN: xla-opt %s --split-input-file --to=kernels=threads=1 | FileCheck %s --check-prefix=AVX512
// RUN: xla-opt %s --split-input-file --to=kernels=vector-bits=256 | FileCheck %s --check-prefix=AVX2
// What depends on the processor: 16 registers hold a tile of three rows. The number of threads decides nothing.

func.func @main(%x: tensor<4096x1024xf32>, %a: tensor<96x64xf32>, %b: tensor<64x192xf32>, %c: tensor<96x256xf32>, %d: tensor<256x64xf32>,
                %e: tensor<32x256xf32>) -> (tensor<1024xf32>, tensor<96x192xf32>, tensor<96x64xf32>, tensor<32x64xf32>) {
  // AVX512: xla_rt.plans = [#xla_rt.nest<1024x4096, lanes d0 16x1, jam d1 8, reduce d1, cut d0 512, in_memory>]
  // AVX2: xla_rt.plans = [#xla_rt.nest<1024x4096, lanes d0 8x1, jam d1 8, reduce d1, cut d0 512, in_memory>]
  %init = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.reduce(%x init: %init) applies xla.maximum across dimensions = [0] : (tensor<4096x1024xf32>, tensor<f32>) -> tensor<1024xf32>

  // AVX512: xla_rt.plans = [#xla_rt.nest<96x192x64, lanes d1 16x4, jam d0 6, reduce d2, cut d1 64>]
  // AVX2: xla_rt.plans = [#xla_rt.nest<96x192x64, lanes d1 8x4, jam d0 3, reduce d2, cut d1 32, cut d0 60>]
  %1 = xla.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<96x64xf32>, tensor<64x192xf32>) -> tensor<96x192xf32>

  // More steps than the first-level cache holds: six rows by two vectors. Of 32 rows, six at a time would be 36.
  // AVX512: xla_rt.plans = [#xla_rt.nest<96x64x256, lanes d1 16x4, jam d0 6, reduce d2
  // AVX2: xla_rt.plans = [#xla_rt.nest<96x64x256, lanes d1 8x2, jam d0 6, reduce d2
  // AVX512: xla_rt.plans = [#xla_rt.nest<32x64x256, lanes d1 16x4, jam d0
  // AVX2: xla_rt.plans = [#xla_rt.nest<32x64x256, lanes d1 8x4, jam d0 3, reduce d2
  %2 = xla.dot_general %c, %d, contracting_dims = [1] x [0] : (tensor<96x256xf32>, tensor<256x64xf32>) -> tensor<96x64xf32>
  %3 = xla.dot_general %e, %d, contracting_dims = [1] x [0] : (tensor<32x256xf32>, tensor<256x64xf32>) -> tensor<32x64xf32>
  return %0, %1, %2, %3 : tensor<1024xf32>, tensor<96x192xf32>, tensor<96x64xf32>, tensor<32x64xf32>
}

// -----

// Of rows that are far apart, a step reads as long a run by vectors of 256 bits as by those of 512.
// AVX512: xla_rt.plans = [#xla_rt.nest<64x256x128, lanes d1 16x4, work d0, reduce d2>]
// AVX2: xla_rt.plans = [#xla_rt.nest<64x256x128, lanes d1 8x8, work d0, reduce d2>]
func.func @main(%x: tensor<64x128x256xf32>) -> tensor<64x256xf32> {
  %init = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.reduce(%x init: %init) applies xla.add across dimensions = [1] : (tensor<64x128x256xf32>, tensor<f32>) -> tensor<64x256xf32>
  return %0 : tensor<64x256xf32>
}

// -----

// 100 columns are 13 vectors of 256 bits: seven steps of two, not four of four, three vectors of which would be in vain.
// AVX512: xla_rt.plans = [#xla_rt.nest<3000x100x64, lanes d1 16x4, jam d0 6, reduce d2
// AVX2: xla_rt.plans = [#xla_rt.nest<3000x100x64, lanes d1 8x2, jam d0 6, reduce d2
func.func @main(%a: tensor<3000x64xf32>, %b: tensor<64x100xf32>) -> tensor<3000x100xf32> {
  %0 = xla.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<3000x64xf32>, tensor<64x100xf32>) -> tensor<3000x100xf32>
  return %0 : tensor<3000x100xf32>
}

// -----

// 48 columns are two steps of three vectors, and no step of two beside one of four; 56 rows are 14 of four.
// AVX512: xla_rt.plans = [#xla_rt.nest<56x48x32, lanes d1 16x3
// AVX2: xla_rt.plans = [#xla_rt.nest<56x48x32, lanes d1 8x3, jam d0 4, reduce d2
func.func @main(%a: tensor<56x32xf32>, %b: tensor<32x48xf32>) -> tensor<56x48xf32> {
  %0 = xla.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<56x32xf32>, tensor<32x48xf32>) -> tensor<56x48xf32>
  return %0 : tensor<56x48xf32>
}
