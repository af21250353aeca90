// RUN: xla-opt %s --split-input-file --verify-diagnostics
// What a plan of blocks may not say, whatever the nest.

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{does not say which dimensions are k}}
    xla_rt.plans = [#xla_rt.blocks<64x64x64, m d0 64, n d1 64, register 8x8>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{says neither which dimensions are m nor which are n}}
    xla_rt.plans = [#xla_rt.blocks<64x64x64, m 64, n 64, k d2 16, register 8x8>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{has 3 dimensions and speaks of d3}}
    xla_rt.plans = [#xla_rt.blocks<64x64x64, m d0 64, n d1 64, k d2, d3 16, register 8x8>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{walks d0 in two ways}}
    xla_rt.plans = [#xla_rt.blocks<64x64x64, m d0 64, n d1 64, k d2 16, register 8x8, work d0>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{has tiles of 48 along n; they are a power of two, 8 to 512}}
    xla_rt.plans = [#xla_rt.blocks<64x64x64, m d0 64, n d1 48, k d2 16, register 8x8>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{has 3 rows in registers; they are a power of two that divides the tile of 64}}
    xla_rt.plans = [#xla_rt.blocks<64x64x64, m d0 64, n d1 64, k d2 16, register 3x8>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{has 16x16 results in registers; there are at most 128 for each thread}}
    xla_rt.plans = [#xla_rt.blocks<256x256x64, m d0 128, n d1 128, k d2 16, register 16x16>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{has 16 threads in a block; there are 32 to 1024}}
    xla_rt.plans = [#xla_rt.blocks<64x64x64, m d0 32, n d1 32, k d2 16, register 8x8>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{has 1 thread in a block; there are 32 to 1024}}
    xla_rt.plans = [#xla_rt.blocks<64x64x64, m d0 8, n d1 8, k d2 16, register 8x8>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{has 3 stages; there are 2}}
    xla_rt.plans = [#xla_rt.blocks<64x64x64, m d0 64, n d1 64, k d2 16, register 8x8, stages 3>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{has 8x32 results in the registers of a warp; tensor cores need 16x16}}
    xla_rt.plans = [#xla_rt.blocks<64x64x64, m d0 64, n d1 64, k d2 32, register 8x32, instruction mma>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{splits k into 300 parts; there are 1 to 256}}
    xla_rt.plans = [#xla_rt.blocks<64x64x64, m d0 64, n d1 64, k d2 16, register 8x8, split 300>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{'register' is given twice}}
    xla_rt.plans = [#xla_rt.blocks<64x64x64, register 8x8, m d0 64, register 8x8>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{expected 'scalar', 'mma' or 'wgmma'}}
    xla_rt.plans = [#xla_rt.blocks<64x64x64, instruction fma>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{expected 'm', 'n', 'k', 'register', 'instruction', 'stages', 'cluster', 'split' or 'work'}}
    xla_rt.plans = [#xla_rt.blocks<64x64x64, lanes 4>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{has clusters of 3 blocks; there are 1, 2 or 4}}
    xla_rt.plans = [#xla_rt.blocks<256x256x64, m d0 128, n d1 128, k d2 64, register 64x128, instruction wgmma, stages 2, cluster 3>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{has clusters of 0 blocks; there are 1, 2 or 4}}
    xla_rt.plans = [#xla_rt.blocks<256x256x64, m d0 128, n d1 128, k d2 64, register 64x128, instruction wgmma, cluster 0>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{has clusters of 2 blocks; there are 1, and with wgmma 2 or 4}}
    xla_rt.plans = [#xla_rt.blocks<256x256x64, m d0 64, n d1 64, k d2 64, register 32x32, instruction mma, stages 3, cluster 2>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{has clusters of 2 blocks; there are 1, and with wgmma 2 or 4}}
    xla_rt.plans = [#xla_rt.blocks<256x256x64, m d0 64, n d1 64, k d2 16, register 8x8, cluster 2>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{'cluster' is given twice}}
    xla_rt.plans = [#xla_rt.blocks<256x256x64, m d0 128, n d1 128, k d2 64, register 64x128, instruction wgmma, cluster 2, cluster 2>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{expected integer value}}
    xla_rt.plans = [#xla_rt.blocks<256x256x64, m d0 128, n d1 128, k d2 64, register 64x128, instruction wgmma, cluster two>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{has 9 stages; there are 2 to 8}}
    xla_rt.plans = [#xla_rt.blocks<256x256x64, m d0 128, n d1 128, k d2 64, register 64x128, instruction wgmma, stages 9>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{has 32x128 results in the registers of a warpgroup; those have 64 rows or more, and at most 256 columns}}
    xla_rt.plans = [#xla_rt.blocks<256x256x64, m d0 128, n d1 128, k d2 64, register 32x128, instruction wgmma>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{has 4 warpgroups that multiply; there are registers for 1 or 2}}
    xla_rt.plans = [#xla_rt.blocks<256x256x64, m d0 128, n d1 128, k d2 64, register 64x64, instruction wgmma>]} {
  return %x : tensor<4xf32>
}
