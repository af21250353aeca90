// RUN: xla-opt %s --from=linalg --to=kernels | FileCheck %s --check-prefix=PLAN
// RUN: xla-test-execute %s --from=linalg | FileCheck %s

// A transposition whose lanes walk panels of 64: neighbours along the lanes are 16 apart, as `mod` says.
// PLAN: xla_rt.plans = [#xla_rt.nest<8x128, lanes d1 16x1, jam d0 4, transpose 4>]
// CHECK: f32[8,128] 0 16 32 48 64 80 96 112 128 144 160 176 192 208 224 240 256 272
func.func @main(%x: tensor<64x2x8xf32>) -> tensor<8x128xf32> {
  %e = tensor.empty() : tensor<8x128xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j mod 64, j floordiv 64, i)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x2x8xf32>) outs(%e : tensor<8x128xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<8x128xf32>
  return %0 : tensor<8x128xf32>
}
