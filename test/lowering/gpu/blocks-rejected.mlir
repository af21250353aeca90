// RUN: xla-opt %s --split-input-file --verify-diagnostics --xla-emit-blocks
// RUN: not xla-opt %s --split-input-file --xla-emit-kernels=device 2>&1 | FileCheck %s
// Plans of blocks that a nest does not allow; and what emits loops has none.

// CHECK: blocks of threads are emitted before, and by a GPU only

#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
// expected-error @below {{kernel @product cannot follow plan 0, #xla_rt.blocks<64x64x32, m d0 64, n d1 64, k d2 16, register 8x8>: it is for a nest of sizes [64, 64, 32], and the nest has [64, 48, 32]}}
func.func private @product(%x: tensor<64x32xf32>, %y: tensor<32x48xf32>) -> tensor<64x48xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    xla_rt.plans = [#xla_rt.blocks<64x64x32, m d0 64, n d1 64, k d2 16, register 8x8>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<64x32xf32>, tensor<32x48xf32>) outs(%f : tensor<64x48xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %p = arith.mulf %l, %r : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<64x48xf32>
  return %0 : tensor<64x48xf32>
}

// -----

#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
// expected-error @below {{d2 is no parallel dimension of several iterations}}
func.func private @product(%x: tensor<64x32xf32>, %y: tensor<32x48xf32>) -> tensor<64x48xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    xla_rt.plans = [#xla_rt.blocks<64x48x32, m d0 64, n d2 64, k d1 16, register 8x8>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<64x32xf32>, tensor<32x48xf32>) outs(%f : tensor<64x48xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %p = arith.mulf %l, %r : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<64x48xf32>
  return %0 : tensor<64x48xf32>
}

// -----

#a = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#b = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
#c = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// expected-error @below {{it does not walk d0, a parallel dimension of several iterations}}
func.func private @products(%x: tensor<3x64x32xf32>, %y: tensor<3x32x48xf32>) -> tensor<3x64x48xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    xla_rt.plans = [#xla_rt.blocks<3x64x48x32, m d1 64, n d2 64, k d3 16, register 8x8>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x64x48xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x64x48xf32>) -> tensor<3x64x48xf32>
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<3x64x32xf32>, tensor<3x32x48xf32>) outs(%f : tensor<3x64x48xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %p = arith.mulf %l, %r : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<3x64x48xf32>
  return %0 : tensor<3x64x48xf32>
}

// -----

#a = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#b = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
#c = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// expected-error @below {{one factor must depend on m and not on n, the other not on m}}
func.func private @products(%x: tensor<3x64x32xf32>, %y: tensor<3x32x48xf32>) -> tensor<3x64x48xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    xla_rt.plans = [#xla_rt.blocks<3x64x48x32, m d0 64, n d2 64, k d3 16, register 8x8, work d1>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x64x48xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x64x48xf32>) -> tensor<3x64x48xf32>
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<3x64x32xf32>, tensor<3x32x48xf32>) outs(%f : tensor<3x64x48xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %p = arith.mulf %l, %r : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<3x64x48xf32>
  return %0 : tensor<3x64x48xf32>
}

// -----

#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
// expected-error @below {{1024 threads cannot share the 64x8 elements of a tile along m and k}}
func.func private @product(%x: tensor<64x32xf32>, %y: tensor<32x48xf32>) -> tensor<64x48xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    xla_rt.plans = [#xla_rt.blocks<64x48x32, m d0 64, n d1 64, k d2 8, register 2x2>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<64x32xf32>, tensor<32x48xf32>) outs(%f : tensor<64x48xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %p = arith.mulf %l, %r : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<64x48xf32>
  return %0 : tensor<64x48xf32>
}

// -----

#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
// expected-error @below {{a block needs 131072 bytes of shared memory, and has at most 49152}}
func.func private @product(%x: tensor<64x32xf32>, %y: tensor<32x48xf32>) -> tensor<64x48xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    xla_rt.plans = [#xla_rt.blocks<64x48x32, m d0 128, n d1 128, k d2 64, register 8x8>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<64x32xf32>, tensor<32x48xf32>) outs(%f : tensor<64x48xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %p = arith.mulf %l, %r : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<64x48xf32>
  return %0 : tensor<64x48xf32>
}

// -----

#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
// expected-error @below {{tensor cores multiply bf16 or f16 that is widened to f32, bytes that are widened to 32 bits, f64, and f32 where the algorithm is tf32}}
func.func private @product(%x: tensor<64x32xf32>, %y: tensor<32x48xf32>) -> tensor<64x48xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    xla_rt.plans = [#xla_rt.blocks<64x48x32, m d0 64, n d1 64, k d2 32, register 32x32, instruction mma>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<64x32xf32>, tensor<32x48xf32>) outs(%f : tensor<64x48xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %p = arith.mulf %l, %r : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<64x48xf32>
  return %0 : tensor<64x48xf32>
}

// -----

#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
// expected-error @below {{k has 2 tiles, which 3 blocks cannot share so that each has some}}
func.func private @product(%x: tensor<64x32xf32>, %y: tensor<32x48xf32>) -> tensor<64x48xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    xla_rt.plans = [#xla_rt.blocks<64x48x32, m d0 64, n d1 64, k d2 16, register 8x8, split 3>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<64x32xf32>, tensor<32x48xf32>) outs(%f : tensor<64x48xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %p = arith.mulf %l, %r : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<64x48xf32>
  return %0 : tensor<64x48xf32>
}

// -----

#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
// expected-error @below {{it does not walk d1, a parallel dimension of several iterations}}
func.func private @product(%x: tensor<64x32xf32>, %y: tensor<32x48xf32>) -> tensor<64x48xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    xla_rt.plans = [#xla_rt.blocks<64x48x32, m d0 64, n 8, k d2 16, register 8x1>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<64x32xf32>, tensor<32x48xf32>) outs(%f : tensor<64x48xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %p = arith.mulf %l, %r : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<64x48xf32>
  return %0 : tensor<64x48xf32>
}

// -----

#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
// expected-error @below {{a thread takes about 288 registers for 16x8 results of its own, and has at most 255 in a block of 128}}
func.func private @product(%x: tensor<64x32xf32>, %y: tensor<32x48xf32>) -> tensor<64x48xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    xla_rt.plans = [#xla_rt.blocks<64x48x32, m d0 128, n d1 128, k d2 16, register 16x8>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<64x32xf32>, tensor<32x48xf32>) outs(%f : tensor<64x48xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %p = arith.mulf %l, %r : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<64x48xf32>
  return %0 : tensor<64x48xf32>
}

// -----

#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
// expected-error @below {{a thread takes about 192 registers for 8x8 results of its own, and has at most 64 in a block of 1024}}
func.func private @product(%x: tensor<64x32xf32>, %y: tensor<32x48xf32>) -> tensor<64x48xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    xla_rt.plans = [#xla_rt.blocks<64x48x32, m d0 256, n d1 256, k d2 16, register 8x8>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<64x32xf32>, tensor<32x48xf32>) outs(%f : tensor<64x48xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %p = arith.mulf %l, %r : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<64x48xf32>
  return %0 : tensor<64x48xf32>
}
