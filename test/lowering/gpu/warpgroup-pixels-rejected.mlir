// RUN: xla-opt %s --split-input-file --verify-diagnostics --xla-emit-blocks
// Convolutions whose pixels the accelerator cannot count.

// -----

#x = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d5, d2 + d6, d4)>
#k = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d5, d6, d4, d3)>
#r = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
// expected-error @below {{tiles of 64 along k are at several places of a window of 96 channels}}
func.func private @pixels(%x: tensor<2x10x10x96xbf16>, %k: tensor<3x3x96x64xbf16>) -> tensor<2x8x8x64xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<convolution>,
    xla_rt.plans = [#xla_rt.blocks<2x8x8x64x288x3x1, m d0, d1, d2 64, n d3 64, k d5, d4 64, register 64x64, instruction wgmma, stages 2>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8x8x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x8x64xf32>) -> tensor<2x8x8x64xf32>
  %0 = linalg.generic {indexing_maps = [#x, #k, #r], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %k : tensor<2x10x10x96xbf16>, tensor<3x3x96x64xbf16>) outs(%f : tensor<2x8x8x64xf32>) {
  ^bb0(%l: bf16, %w: bf16, %s: f32):
    %wl = arith.extf %l : bf16 to f32
    %ww = arith.extf %w : bf16 to f32
    %p = arith.mulf %wl, %ww : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<2x8x8x64xf32>
  return %0 : tensor<2x8x8x64xf32>
}

// -----

#x = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d5, d2 * 9 + d6, d4)>
#k = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d5, d6, d4, d3)>
#r = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
// expected-error @below {{results along d2 read what lies between pixels}}
func.func private @pixels(%x: tensor<2x10x28x64xbf16>, %k: tensor<3x10x64x64xbf16>) -> tensor<2x8x3x64xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<convolution>,
    xla_rt.plans = [#xla_rt.blocks<2x8x3x64x640x3x1, m d0, d1, d2 64, n d3 64, k d5, d4 64, register 64x64, instruction wgmma, stages 2>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8x3x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x3x64xf32>) -> tensor<2x8x3x64xf32>
  %0 = linalg.generic {indexing_maps = [#x, #k, #r], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %k : tensor<2x10x28x64xbf16>, tensor<3x10x64x64xbf16>) outs(%f : tensor<2x8x3x64xf32>) {
  ^bb0(%l: bf16, %w: bf16, %s: f32):
    %wl = arith.extf %l : bf16 to f32
    %ww = arith.extf %w : bf16 to f32
    %p = arith.mulf %wl, %ww : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<2x8x3x64xf32>
  return %0 : tensor<2x8x3x64xf32>
}

// -----

#x = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d5 * 160, d2 + d6, d4)>
#k = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d5, d6, d4, d3)>
#r = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
// expected-error @below {{the window along d5 moves along no dimension of the results}}
func.func private @pixels(%x: tensor<2x330x10x64xbf16>, %k: tensor<3x3x64x64xbf16>) -> tensor<2x8x8x64xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<convolution>,
    xla_rt.plans = [#xla_rt.blocks<2x8x8x64x192x3x1, m d0, d1, d2 64, n d3 64, k d5, d4 64, register 64x64, instruction wgmma, stages 2>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8x8x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x8x64xf32>) -> tensor<2x8x8x64xf32>
  %0 = linalg.generic {indexing_maps = [#x, #k, #r], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %k : tensor<2x330x10x64xbf16>, tensor<3x3x64x64xbf16>) outs(%f : tensor<2x8x8x64xf32>) {
  ^bb0(%l: bf16, %w: bf16, %s: f32):
    %wl = arith.extf %l : bf16 to f32
    %ww = arith.extf %w : bf16 to f32
    %p = arith.mulf %wl, %ww : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<2x8x8x64xf32>
  return %0 : tensor<2x8x8x64xf32>
}
