// RUN: xla-opt %s --split-input-file --verify-diagnostics --xla-emit-blocks
// Plans of warpgroups that a nest does not allow.

#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
// expected-error @below {{a factor's lines are 804 bytes apart along d0, no multiple of 16}}
func.func private @product(%x: tensor<128x402xbf16>, %y: tensor<402x72xbf16>) -> tensor<128x72xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    xla_rt.plans = [#xla_rt.blocks<128x72x402, m d0 64, n d1 64, k d2 64, register 64x64, instruction wgmma, stages 2>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x72xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128x72xf32>) -> tensor<128x72xf32>
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<128x402xbf16>, tensor<402x72xbf16>) outs(%f : tensor<128x72xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %wl = arith.extf %l : bf16 to f32
    %wr = arith.extf %r : bf16 to f32
    %p = arith.mulf %wl, %wr : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<128x72xf32>
  return %0 : tensor<128x72xf32>
}

// -----

#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
// expected-error @below {{tiles of 32 along k have 64 bytes, and those of warpgroups have 128}}
func.func private @product(%x: tensor<128x400xbf16>, %y: tensor<400x72xbf16>) -> tensor<128x72xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    xla_rt.plans = [#xla_rt.blocks<128x72x400, m d0 64, n d1 64, k d2 32, register 64x64, instruction wgmma, stages 2>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x72xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128x72xf32>) -> tensor<128x72xf32>
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<128x400xbf16>, tensor<400x72xbf16>) outs(%f : tensor<128x72xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %wl = arith.extf %l : bf16 to f32
    %wr = arith.extf %r : bf16 to f32
    %p = arith.mulf %wl, %wr : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<128x72xf32>
  return %0 : tensor<128x72xf32>
}

// -----

#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
// expected-error @below {{factors of 1 bytes are multiplied along k only}}
func.func private @product(%x: tensor<128x400xi8>, %y: tensor<400x80xi8>) -> tensor<128x80xi32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    xla_rt.plans = [#xla_rt.blocks<128x80x400, m d0 64, n d1 64, k d2 128, register 64x64, instruction wgmma, stages 2>]} {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<128x80xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<128x80xi32>) -> tensor<128x80xi32>
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<128x400xi8>, tensor<400x80xi8>) outs(%f : tensor<128x80xi32>) {
  ^bb0(%l: i8, %r: i8, %s: i32):
    %wl = arith.extsi %l : i8 to i32
    %wr = arith.extsi %r : i8 to i32
    %p = arith.muli %wl, %wr : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<128x80xi32>
  return %0 : tensor<128x80xi32>
}

// -----

#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d1, d2)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
// expected-error @below {{warpgroups multiply bytes that both have signs, or both have none}}
func.func private @product(%x: tensor<128x400xi8>, %y: tensor<80x400xi8>) -> tensor<128x80xi32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    xla_rt.plans = [#xla_rt.blocks<128x80x400, m d0 64, n d1 64, k d2 128, register 64x64, instruction wgmma, stages 2>]} {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<128x80xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<128x80xi32>) -> tensor<128x80xi32>
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<128x400xi8>, tensor<80x400xi8>) outs(%f : tensor<128x80xi32>) {
  ^bb0(%l: i8, %r: i8, %s: i32):
    %wl = arith.extui %l : i8 to i32
    %wr = arith.extsi %r : i8 to i32
    %p = arith.muli %wl, %wr : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<128x80xi32>
  return %0 : tensor<128x80xi32>
}

// -----

#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
// expected-error @below {{warpgroups multiply no f64}}
func.func private @product(%x: tensor<128x400xf64>, %y: tensor<400x72xf64>) -> tensor<128x72xf64> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    xla_rt.plans = [#xla_rt.blocks<128x72x400, m d0 64, n d1 64, k d2 16, register 64x64, instruction wgmma, stages 2>]} {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<128x72xf64>
  %f = linalg.fill ins(%zero : f64) outs(%e : tensor<128x72xf64>) -> tensor<128x72xf64>
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<128x400xf64>, tensor<400x72xf64>) outs(%f : tensor<128x72xf64>) {
  ^bb0(%l: f64, %r: f64, %s: f64):
    %p = arith.mulf %l, %r : f64
    %t = arith.addf %s, %p : f64
    linalg.yield %t : f64
  } -> tensor<128x72xf64>
  return %0 : tensor<128x72xf64>
}

// -----

#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
// expected-error @below {{tiles of 32 along n are smaller than the 64 of warpgroups}}
func.func private @product(%x: tensor<128x400xbf16>, %y: tensor<400x72xbf16>) -> tensor<128x72xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    xla_rt.plans = [#xla_rt.blocks<128x72x400, m d0 64, n d1 32, k d2 64, register 64x32, instruction wgmma, stages 2>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x72xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128x72xf32>) -> tensor<128x72xf32>
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<128x400xbf16>, tensor<400x72xbf16>) outs(%f : tensor<128x72xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %wl = arith.extf %l : bf16 to f32
    %wr = arith.extf %r : bf16 to f32
    %p = arith.mulf %wl, %wr : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<128x72xf32>
  return %0 : tensor<128x72xf32>
}

// -----

#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
// expected-error @below {{columns that are neighbours in memory are multiplied 64 at a time, not 32}}
func.func private @product(%x: tensor<128x400xbf16>, %y: tensor<400x72xbf16>) -> tensor<128x72xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    xla_rt.plans = [#xla_rt.blocks<128x72x400, m d0 64, n d1 64, k d2 64, register 64x32, instruction wgmma, stages 2>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x72xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128x72xf32>) -> tensor<128x72xf32>
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<128x400xbf16>, tensor<400x72xbf16>) outs(%f : tensor<128x72xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %wl = arith.extf %l : bf16 to f32
    %wr = arith.extf %r : bf16 to f32
    %p = arith.mulf %wl, %wr : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<128x72xf32>
  return %0 : tensor<128x72xf32>
}

// -----

#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
// expected-error @below {{there are 3 tiles along m, which are no clusters of 2}}
func.func private @product(%x: tensor<160x400xbf16>, %y: tensor<400x72xbf16>) -> tensor<160x72xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    xla_rt.plans = [#xla_rt.blocks<160x72x400, m d0 64, n d1 128, k d2 64, register 64x128, instruction wgmma, stages 2, cluster 2>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<160x72xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<160x72xf32>) -> tensor<160x72xf32>
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<160x400xbf16>, tensor<400x72xbf16>) outs(%f : tensor<160x72xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %wl = arith.extf %l : bf16 to f32
    %wr = arith.extf %r : bf16 to f32
    %p = arith.mulf %wl, %wr : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<160x72xf32>
  return %0 : tensor<160x72xf32>
}

// -----

#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
// expected-error @below {{4 blocks cannot share the 2 boxes of the columns}}
func.func private @product(%x: tensor<256x400xbf16>, %y: tensor<400x72xbf16>) -> tensor<256x72xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    xla_rt.plans = [#xla_rt.blocks<256x72x400, m d0 64, n d1 128, k d2 64, register 64x128, instruction wgmma, stages 2, cluster 4>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x72xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<256x72xf32>) -> tensor<256x72xf32>
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<256x400xbf16>, tensor<400x72xbf16>) outs(%f : tensor<256x72xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %wl = arith.extf %l : bf16 to f32
    %wr = arith.extf %r : bf16 to f32
    %p = arith.mulf %wl, %wr : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<256x72xf32>
  return %0 : tensor<256x72xf32>
}

// -----

#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
// expected-error @below {{a block needs 262208 bytes of shared memory, and has at most 232448}}
func.func private @product(%x: tensor<256x512xbf16>, %y: tensor<512x72xbf16>) -> tensor<256x72xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    xla_rt.plans = [#xla_rt.blocks<256x72x512, m d0 128, n d1 128, k d2 64, register 64x128, instruction wgmma, stages 8>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x72xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<256x72xf32>) -> tensor<256x72xf32>
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<256x512xbf16>, tensor<512x72xbf16>) outs(%f : tensor<256x72xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %wl = arith.extf %l : bf16 to f32
    %wr = arith.extf %r : bf16 to f32
    %p = arith.mulf %wl, %wr : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<256x72xf32>
  return %0 : tensor<256x72xf32>
}

// -----

#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
// expected-error @below {{sums of 20000 products in one block are rounded too often; there are at most 16384}}
func.func private @product(%x: tensor<128x20000xbf16>, %y: tensor<20000x72xbf16>) -> tensor<128x72xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    xla_rt.plans = [#xla_rt.blocks<128x72x20000, m d0 64, n d1 64, k d2 64, register 64x64, instruction wgmma, stages 2>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x72xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128x72xf32>) -> tensor<128x72xf32>
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<128x20000xbf16>, tensor<20000x72xbf16>) outs(%f : tensor<128x72xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %wl = arith.extf %l : bf16 to f32
    %wr = arith.extf %r : bf16 to f32
    %p = arith.mulf %wl, %wr : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<128x72xf32>
  return %0 : tensor<128x72xf32>
}

// -----

#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
// expected-error @below {{with a plan for sm_90a, both are of blocks}}
func.func private @product(%x: tensor<128x400xbf16>, %y: tensor<400x72xbf16>) -> tensor<128x72xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    xla_rt.plans = [#xla_rt.nest<128x72x400, work d0, d1, reduce d2>],
    xla_rt.plans_sm_90a = [#xla_rt.blocks<128x72x400, m d0 64, n d1 64, k d2 64, register 64x64, instruction wgmma, stages 2>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x72xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128x72xf32>) -> tensor<128x72xf32>
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<128x400xbf16>, tensor<400x72xbf16>) outs(%f : tensor<128x72xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %wl = arith.extf %l : bf16 to f32
    %wr = arith.extf %r : bf16 to f32
    %p = arith.mulf %wl, %wr : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<128x72xf32>
  return %0 : tensor<128x72xf32>
}
