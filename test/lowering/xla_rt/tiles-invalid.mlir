// RUN: xla-opt %s --split-input-file --verify-diagnostics
// Tiles that are none, whatever the nest.

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{does not say which dimension is k}}
    xla_rt.plans = [#xla_rt.tiles<8x16x8, m d0 4, n d1 8, lanes 8>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{walks d0 in two ways}}
    xla_rt.plans = [#xla_rt.tiles<8x16x8, m d0 4, n d0 8, k d2 4, lanes 8>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{has 3 dimensions and speaks of d3}}
    xla_rt.plans = [#xla_rt.tiles<8x16x8, m d0 4, n d1 8, k d2 4, lanes 8, work d3>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{has 6 lanes; they are a power of two, at most 64}}
    xla_rt.plans = [#xla_rt.tiles<8x16x8, m d0 4, n d1 8, k d2 4, lanes 6>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{has 9 rows by 8 vectors in registers; there are 1 to 64}}
    xla_rt.plans = [#xla_rt.tiles<8x16x8, m d0 4, n d1 8, k d2 4, lanes 8, register 9x8>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{cuts d0 into blocks of 4, which are no whole steps of 3}}
    xla_rt.plans = [#xla_rt.tiles<8x16x8, m d0 4, n d1 8, k d2 4, lanes 8, register 3x1>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{cuts d1 into blocks of 8, which are no whole steps of 16}}
    xla_rt.plans = [#xla_rt.tiles<8x16x8, m d0 4, n d1 8, k d2 4, lanes 8, register 4x2>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{cuts d2 into blocks of 6, which are no whole steps of 4}}
    xla_rt.plans = [#xla_rt.tiles<8x16x8, m d0 4, n d1 8, k d2 6, lanes 8>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{packs not both operands, as pmaddwd needs}}
    xla_rt.plans = [#xla_rt.tiles<8x16x8, m d0 4, n d1 8, k d2 4, lanes 8, instruction pmaddwd, pack b>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{prefetches 4 steps ahead, but packs no columns}}
    xla_rt.plans = [#xla_rt.tiles<8x16x8, m d0 4, n d1 8, k d2 4, lanes 8, pack a, prefetch 4>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{expected 'fma', 'pmaddwd', 'vpdpbusd', 'vdpbf16ps', 'tdpbssd', 'tdpbf16ps' or 'tdpfp16ps'}}
    xla_rt.plans = [#xla_rt.tiles<8x16x8, m d0 4, n d1 8, k d2 4, lanes 8, instruction fmla>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{'lanes' is given twice}}
    xla_rt.plans = [#xla_rt.tiles<8x16x8, m d0 4, n d1 8, k d2 4, lanes 8, lanes 8>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{expected 'm', 'n', 'k', 'register', 'lanes', 'instruction', 'pack', 'prefetch' or 'work'}}
    xla_rt.plans = [#xla_rt.tiles<8x16x8, m d0 4, n d1 8, k d2 4, jam d0 8>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{expected rows and vectors such as 6x4}}
    xla_rt.plans = [#xla_rt.tiles<8x16x8, m d0 4, n d1 8, k d2 4, register 4>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{expected 'a' or 'b'}}
    xla_rt.plans = [#xla_rt.tiles<8x16x8, m d0 4, n d1 8, k d2 4, pack c>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{expected a dimension such as d0}}
    xla_rt.plans = [#xla_rt.tiles<8x16x8, m 4, n d1 8, k d2 4>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{has 20 rows by 3 vectors in tile registers, of which there are 8, factors included}}
    xla_rt.plans = [#xla_rt.tiles<64x64x64, m d0 60, n d1 48, k d2 64, register 20x3, lanes 16, instruction tdpbssd, pack b>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{has 8 lanes, and a tile register has 16}}
    xla_rt.plans = [#xla_rt.tiles<64x64x64, m d0 64, n d1 64, k d2 64, register 16x2, lanes 8, instruction tdpbf16ps, pack b>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{cuts d2 into blocks of 32, which are no whole steps of 64}}
    xla_rt.plans = [#xla_rt.tiles<64x64x64, m d0 64, n d1 64, k d2 32, register 32x2, lanes 16, instruction tdpbssd, pack b>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{does not pack the columns, as tdpbf16ps needs}}
    xla_rt.plans = [#xla_rt.tiles<64x64x64, m d0 64, n d1 64, k d2 32, register 32x2, lanes 16, instruction tdpbf16ps, pack a>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{prefetches, which tdpbssd does not}}
    xla_rt.plans = [#xla_rt.tiles<64x64x64, m d0 64, n d1 64, k d2 64, register 32x2, lanes 16, instruction tdpbssd, pack b, prefetch 4>]} {
  return %x : tensor<4xf32>
}
