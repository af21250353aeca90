// RUN: xla-opt %s --pass-pipeline='builtin.module(xla-to-kernels,xla-emit-kernels{plans=true threads=1})' | FileCheck %s --check-prefix=ONE
// RUN: xla-opt %s --pass-pipeline='builtin.module(xla-to-kernels,xla-emit-kernels{plans=true threads=4})' | FileCheck %s --check-prefix=FOUR
// RUN: xla-opt %s --pass-pipeline='builtin.module(xla-to-kernels{vector-bits=256},xla-emit-kernels{plans=true vector-bits=256})' | FileCheck %s --check-prefix=AVX
// What depends on the processor: 16 registers hold a tile of three rows, and threads have long stretches of every row.

func.func @main(%x: tensor<4096x1024xf32>, %a: tensor<96x64xf32>, %b: tensor<64x192xf32>) -> (tensor<1024xf32>, tensor<96x192xf32>) {
  // ONE: xla.plans = ["1024x4096: lanes d0 16x1, reduce d1, in memory"]
  // FOUR: xla.plans = ["1024x4096: lanes d0 16x1, reduce d1, cut d0 256, in memory"]
  // AVX: xla.plans = ["1024x4096: lanes d0 8x1, reduce d1, cut d0 512, in memory"]
  %init = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.reduce(%x init: %init) applies xla.maximum across dimensions = [0] : (tensor<4096x1024xf32>, tensor<f32>) -> tensor<1024xf32>

  // ONE: xla.plans = ["96x192x64: lanes d1 16x4, jam d0 6, reduce d2, cut d1 64"]
  // AVX: xla.plans = ["96x192x64: lanes d1 8x4, jam d0 3, reduce d2, cut d1 32, cut d0 60"]
  %1 = xla.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<96x64xf32>, tensor<64x192xf32>) -> tensor<96x192xf32>
  return %0, %1 : tensor<1024xf32>, tensor<96x192xf32>
}
