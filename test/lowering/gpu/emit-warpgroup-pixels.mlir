// RUN: xla-opt %s --split-input-file --xla-emit-blocks | FileCheck %s
// A strided convolution by warpgroups: the accelerator brings pixels, and is told where the window is.

#x = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 * 2 + d5, d2 * 2 + d6, d4)>
#k = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d5, d6, d4, d3)>
#r = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>

// CHECK: cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [$0], [$1, {$3, $4, $5, $6}], [$2], {$7, $8};", "r,l,r,r,r,r,r,h,h,~{memory}"
// CHECK: cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1, {$3, $4, $5}], [$2];
// Two bytes, four dimensions, from the first element, 64 pixels; 64 channels, 17 by 17 pixels, 2 images and what they
// are apart; 64 channels at a time; steps of two, from the first pixel on, to the last but the two that the window reaches beyond.
// CHECK: llvm.mlir.global private constant @pixels_map_a(dense<[2, 4, 0, 64, 64, 17, 17, 2, 128, 2176, 36992, 64, 1, 1, 1, 2, 0, -2, 2, 0, -2]>
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

// -----

// Padded by one in front of each dimension, by one and two behind it: windows begin one pixel before the tensor, and their
// first pixels end one before its last one, and with it. What they read beyond comes as zeros.
#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#x = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d5, d2 + d6, d4)>
#k = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d5, d6, d4, d3)>
#turned = affine_map<(d0, d1, d2, d3) -> (-d0 + 2, d1, d2, d3)>
#r = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
// CHECK: llvm.mlir.global private constant @padded_map_a(dense<[2, 4, 0, 64, 64, 8, 8, 2, 128, 1024, 8192, 64, 1, 1, 1, 1, -1, 0, 1, -1, -1]>
// The kernel's rows come from the last to the first.
// CHECK: llvm.mlir.global private constant @padded_map_b(dense<[2, 4, 0, 0, 64, 64, 3, 3, 128, 24576, 8192, 64, 64, 1, 1]>
func.func private @padded(%x: tensor<2x8x8x64xbf16>, %k: tensor<3x3x64x64xbf16>) -> tensor<2x8x9x64xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<convolution>,
    xla_rt.plans = [#xla_rt.blocks<2x8x9x64x64x3x3, m d0, d1, d2 64, n d3 64, k d5, d6, d4 64, register 64x64, instruction wgmma, stages 2>]} {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0.0 : bf16
  %p = tensor.empty() : tensor<2x10x11x64xbf16>
  %padded = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%p : tensor<2x10x11x64xbf16>) {
  ^bb0(%o: bf16):
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %j1 = arith.subi %i1, %c1 : index
    %j2 = arith.subi %i2, %c1 : index
    %f1 = arith.cmpi ult, %j1, %c8 : index
    %f2 = arith.cmpi ult, %j2, %c8 : index
    %isInside = arith.andi %f1, %f2 : i1
    %v = scf.if %isInside -> (bf16) {
      %read = tensor.extract %x[%i0, %j1, %j2, %i3] : tensor<2x8x8x64xbf16>
      scf.yield %read : bf16
    } else {
      scf.yield %none : bf16
    }
    linalg.yield %v : bf16
  } -> tensor<2x10x11x64xbf16>
  %u = tensor.empty() : tensor<3x3x64x64xbf16>
  %turned = linalg.generic {indexing_maps = [#turned, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%k : tensor<3x3x64x64xbf16>) outs(%u : tensor<3x3x64x64xbf16>) {
  ^bb0(%w: bf16, %o: bf16):
    linalg.yield %w : bf16
  } -> tensor<3x3x64x64xbf16>
  %e = tensor.empty() : tensor<2x8x9x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x9x64xf32>) -> tensor<2x8x9x64xf32>
  %0 = linalg.generic {indexing_maps = [#x, #k, #r], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%padded, %turned : tensor<2x10x11x64xbf16>, tensor<3x3x64x64xbf16>) outs(%f : tensor<2x8x9x64xf32>) {
  ^bb0(%l: bf16, %w: bf16, %s: f32):
    %wl = arith.extf %l : bf16 to f32
    %ww = arith.extf %w : bf16 to f32
    %q = arith.mulf %wl, %ww : f32
    %t = arith.addf %s, %q : f32
    linalg.yield %t : f32
  } -> tensor<2x8x9x64xf32>
  return %0 : tensor<2x8x9x64xf32>
}
