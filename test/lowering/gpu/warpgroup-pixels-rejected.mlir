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

// -----

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#x = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d5, d2 + d6, d4)>
#k = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d5, d6, d4, d3)>
#r = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
// expected-error @below {{padding along d1 reaches 200 pixels beyond the tensor, and may at most 127}}
func.func private @pixels(%x: tensor<2x8x10x64xbf16>, %k: tensor<3x3x64x64xbf16>) -> tensor<2x208x8x64xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<convolution>,
    xla_rt.plans = [#xla_rt.blocks<2x208x8x64x192x3x1, m d0, d1, d2 64, n d3 64, k d5, d4 64, register 64x64, instruction wgmma, stages 2>]} {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0.0 : bf16
  %p = tensor.empty() : tensor<2x210x10x64xbf16>
  %padded = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%p : tensor<2x210x10x64xbf16>) {
  ^bb0(%o: bf16):
    %low = arith.constant 200 : index
    %c8 = arith.constant 8 : index
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %j1 = arith.subi %i1, %low : index
    %isInside = arith.cmpi ult, %j1, %c8 : index
    %v = scf.if %isInside -> (bf16) {
      %read = tensor.extract %x[%i0, %j1, %i2, %i3] : tensor<2x8x10x64xbf16>
      scf.yield %read : bf16
    } else {
      scf.yield %none : bf16
    }
    linalg.yield %v : bf16
  } -> tensor<2x210x10x64xbf16>
  %e = tensor.empty() : tensor<2x208x8x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x208x8x64xf32>) -> tensor<2x208x8x64xf32>
  %0 = linalg.generic {indexing_maps = [#x, #k, #r], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%padded, %k : tensor<2x210x10x64xbf16>, tensor<3x3x64x64xbf16>) outs(%f : tensor<2x208x8x64xf32>) {
  ^bb0(%l: bf16, %w: bf16, %s: f32):
    %wl = arith.extf %l : bf16 to f32
    %ww = arith.extf %w : bf16 to f32
    %q = arith.mulf %wl, %ww : f32
    %t = arith.addf %s, %q : f32
    linalg.yield %t : f32
  } -> tensor<2x208x8x64xf32>
  return %0 : tensor<2x208x8x64xf32>
}

// -----

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#x = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d5, d2 + d6, d4)>
#k = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d5, d6, d4, d3)>
#r = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
// expected-error @below {{where padding is does not follow from one index for each dimension}}
func.func private @pixels(%x: tensor<2x8x10x64xbf16>, %k: tensor<3x3x64x64xbf16>) -> tensor<2x8x8x64xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<convolution>,
    xla_rt.plans = [#xla_rt.blocks<2x8x8x64x192x3x1, m d0, d1, d2 64, n d3 64, k d5, d4 64, register 64x64, instruction wgmma, stages 2>]} {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0.0 : bf16
  %p = tensor.empty() : tensor<2x10x10x64xbf16>
  %padded = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%p : tensor<2x10x10x64xbf16>) {
  ^bb0(%o: bf16):
    %low = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %j1 = arith.subi %i1, %low : index
    %isInside = arith.cmpi slt, %j1, %c8 : index
    %v = scf.if %isInside -> (bf16) {
      %read = tensor.extract %x[%i0, %j1, %i2, %i3] : tensor<2x8x10x64xbf16>
      scf.yield %read : bf16
    } else {
      scf.yield %none : bf16
    }
    linalg.yield %v : bf16
  } -> tensor<2x10x10x64xbf16>
  %e = tensor.empty() : tensor<2x8x8x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x8x64xf32>) -> tensor<2x8x8x64xf32>
  %0 = linalg.generic {indexing_maps = [#x, #k, #r], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%padded, %k : tensor<2x10x10x64xbf16>, tensor<3x3x64x64xbf16>) outs(%f : tensor<2x8x8x64xf32>) {
  ^bb0(%l: bf16, %w: bf16, %s: f32):
    %wl = arith.extf %l : bf16 to f32
    %ww = arith.extf %w : bf16 to f32
    %q = arith.mulf %wl, %ww : f32
    %t = arith.addf %s, %q : f32
    linalg.yield %t : f32
  } -> tensor<2x8x8x64xf32>
  return %0 : tensor<2x8x8x64xf32>
}

// -----

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#x = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d5, d2 + d6, d4)>
#k = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d5, d6, d4, d3)>
#r = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
// expected-error @below {{padding is along no dimension of the results}}
func.func private @pixels(%x: tensor<2x8x10x64xbf16>, %k: tensor<3x3x64x64xbf16>) -> tensor<2x8x8x64xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<convolution>,
    xla_rt.plans = [#xla_rt.blocks<1x16x8x64x64x3x3, m d1, d2 64, n d3 64, k d5, d6, d4 64, register 64x64, instruction wgmma, stages 2>]} {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0.0 : bf16
  %p = tensor.empty() : tensor<2x10x10x64xbf16>
  %padded = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%p : tensor<2x10x10x64xbf16>) {
  ^bb0(%o: bf16):
    %low = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %j1 = arith.subi %i1, %low : index
    %isInside = arith.cmpi ult, %i3, %c8 : index
    %v = scf.if %isInside -> (bf16) {
      %read = tensor.extract %x[%i0, %j1, %i2, %i3] : tensor<2x8x10x64xbf16>
      scf.yield %read : bf16
    } else {
      scf.yield %none : bf16
    }
    linalg.yield %v : bf16
  } -> tensor<2x10x10x64xbf16>
  %e = tensor.empty() : tensor<2x8x8x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x8x64xf32>) -> tensor<2x8x8x64xf32>
  %0 = linalg.generic {indexing_maps = [#x, #k, #r], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%padded, %k : tensor<2x10x10x64xbf16>, tensor<3x3x64x64xbf16>) outs(%f : tensor<2x8x8x64xf32>) {
  ^bb0(%l: bf16, %w: bf16, %s: f32):
    %wl = arith.extf %l : bf16 to f32
    %ww = arith.extf %w : bf16 to f32
    %q = arith.mulf %wl, %ww : f32
    %t = arith.addf %s, %q : f32
    linalg.yield %t : f32
  } -> tensor<2x8x8x64xf32>
  return %0 : tensor<2x8x8x64xf32>
}

// -----

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#x = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d5, d2 + d6, d4)>
#k = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d5, d6, d4, d3)>
#r = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
// expected-error @below {{a factor is computed, and not read as it is}}
func.func private @pixels(%x: tensor<2x8x10x64xbf16>, %k: tensor<3x3x64x64xbf16>) -> tensor<2x8x8x64xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<convolution>,
    xla_rt.plans = [#xla_rt.blocks<2x8x8x64x192x3x1, m d0, d1, d2 64, n d3 64, k d5, d4 64, register 64x64, instruction wgmma, stages 2>]} {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 1.0 : bf16
  %p = tensor.empty() : tensor<2x10x10x64xbf16>
  %padded = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%p : tensor<2x10x10x64xbf16>) {
  ^bb0(%o: bf16):
    %low = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %j1 = arith.subi %i1, %low : index
    %isInside = arith.cmpi ult, %j1, %c8 : index
    %v = scf.if %isInside -> (bf16) {
      %read = tensor.extract %x[%i0, %j1, %i2, %i3] : tensor<2x8x10x64xbf16>
      scf.yield %read : bf16
    } else {
      scf.yield %none : bf16
    }
    linalg.yield %v : bf16
  } -> tensor<2x10x10x64xbf16>
  %e = tensor.empty() : tensor<2x8x8x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x8x64xf32>) -> tensor<2x8x8x64xf32>
  %0 = linalg.generic {indexing_maps = [#x, #k, #r], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%padded, %k : tensor<2x10x10x64xbf16>, tensor<3x3x64x64xbf16>) outs(%f : tensor<2x8x8x64xf32>) {
  ^bb0(%l: bf16, %w: bf16, %s: f32):
    %wl = arith.extf %l : bf16 to f32
    %ww = arith.extf %w : bf16 to f32
    %q = arith.mulf %wl, %ww : f32
    %t = arith.addf %s, %q : f32
    linalg.yield %t : f32
  } -> tensor<2x8x8x64xf32>
  return %0 : tensor<2x8x8x64xf32>
}
