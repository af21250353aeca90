// RUN: xla-opt %s --xla-emit-blocks | FileCheck %s
// A strided convolution by warpgroups: the accelerator brings pixels, and is told where the window is.

#x = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 * 2 + d5, d2 * 2 + d6, d4)>
#k = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d5, d6, d4, d3)>
#r = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>

// CHECK: cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [$0], [$1, {$3, $4, $5, $6}], [$2], {$7, $8};", "r,l,r,r,r,r,r,h,h,~{memory}"
// CHECK: cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1, {$3, $4, $5}], [$2];
// Two bytes, four dimensions, from the first element, 64 pixels; 64 channels, 17 by 17 pixels, 2 images and what they
// are apart; 64 channels at a time; steps of two, and a window that reaches two pixels beyond.
// CHECK: llvm.mlir.global private constant @pixels_map_a(dense<[2, 4, 0, 64, 64, 17, 17, 2, 128, 2176, 36992, 64, 1, 1, 1, 2, 2, 2, 2]>
// The kernel: 64 of its channels along n, 64 steps of the window's row, one row of that.
// CHECK: llvm.mlir.global private constant @pixels_map_b(dense<[2, 3, 0, 0, 64, 192, 3, 128, 24576, 64, 64, 1]>
func.func private @pixels(%x: tensor<2x17x17x64xbf16>, %k: tensor<3x3x64x64xbf16>) -> tensor<2x8x8x64xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<convolution>,
    xla_rt.plans = [#xla_rt.blocks<2x8x8x64x192x3x1, m d0, d1, d2 64, n d3 64, k d5, d4 64, register 64x64, instruction wgmma, stages 2>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8x8x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x8x64xf32>) -> tensor<2x8x8x64xf32>
  %0 = linalg.generic {indexing_maps = [#x, #k, #r], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %k : tensor<2x17x17x64xbf16>, tensor<3x3x64x64xbf16>) outs(%f : tensor<2x8x8x64xf32>) {
  ^bb0(%l: bf16, %w: bf16, %s: f32):
    %wl = arith.extf %l : bf16 to f32
    %ww = arith.extf %w : bf16 to f32
    %p = arith.mulf %wl, %ww : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<2x8x8x64xf32>
  return %0 : tensor<2x8x8x64xf32>
}
