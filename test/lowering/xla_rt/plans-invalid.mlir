// RUN: xla-opt %s --split-input-file --verify-diagnostics
// What a plan may not say, whatever the nest.

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{has 2 dimensions and speaks of d2}}
    xla_rt.plans = [#xla_rt.nest<8x8, lanes d2 16x1>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{walks d0 in two ways}}
    xla_rt.plans = [#xla_rt.nest<8x8, lanes d0 16x1, loop d1, d0>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{walks d1 in two ways}}
    xla_rt.plans = [#xla_rt.nest<8x8, loop d1, d1>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{has 12 lanes; they are a power of two, at most 64}}
    xla_rt.plans = [#xla_rt.nest<8, lanes d0 12x1>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{has 128 lanes; they are a power of two, at most 64}}
    xla_rt.plans = [#xla_rt.nest<8, lanes d0 128x1>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{has 0 vectors by 1 jammed iterations in a step; there are 1 to 64}}
    xla_rt.plans = [#xla_rt.nest<8, lanes d0 16x0>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{has 8 vectors by 9 jammed iterations in a step; there are 1 to 64}}
    xla_rt.plans = [#xla_rt.nest<8x8, lanes d0 16x8, jam d1 9>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{has 1 vectors by -1 jammed iterations in a step; there are 1 to 64}}
    xla_rt.plans = [#xla_rt.nest<8x8, jam d1 -1>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{is 'masked' and has no lanes}}
    xla_rt.plans = [#xla_rt.nest<8, masked>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{is 'overlap' and jams nothing}}
    xla_rt.plans = [#xla_rt.nest<8, overlap>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{is 'in_memory' without lanes and a jammed dimension}}
    xla_rt.plans = [#xla_rt.nest<8x8, lanes d0 16x1, in_memory>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{accumulates in memory and jams d1, which is not the innermost reduced dimension}}
    xla_rt.plans = [#xla_rt.nest<8x8x8, lanes d0 16x1, jam d1 4, reduce d1, d2, in_memory>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{cuts d1, which is reduced}}
    xla_rt.plans = [#xla_rt.nest<8x8, lanes d0 16x1, jam d1 4, reduce d1, cut d1 4, in_memory>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{cuts d0 into blocks of 48, which are no whole steps of 32}}
    xla_rt.plans = [#xla_rt.nest<800, lanes d0 16x2, cut d0 48>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{cuts d1 into blocks of 6, which are no whole steps of 4}}
    xla_rt.plans = [#xla_rt.nest<8x8, jam d1 4, cut d1 6>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{cuts d1, which is neither in lanes nor jammed nor 'ordered'}}
    xla_rt.plans = [#xla_rt.nest<8x8, lanes d0 16x1, cut d1 16>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<scan>,
    // expected-error @below {{cuts d0 into blocks of 512, which are no whole steps of 1024}}
    xla_rt.plans = [#xla_rt.nest<4096, lanes d0 4x1, ordered d0, cut d0 512, threads d0 256>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<scan>,
    // expected-error @below {{cuts a dimension of a scan, for which it needs a block of threads}}
    xla_rt.plans = [#xla_rt.nest<4096, ordered d0, cut d0 512, threads d0 32>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{cuts d0 twice}}
    xla_rt.plans = [#xla_rt.nest<8x8, lanes d0 16x1, cut d0 16, cut d0 32>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{cuts d0 into blocks of 0}}
    xla_rt.plans = [#xla_rt.nest<8x8, lanes d0 16x1, cut d0 0>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{transposes without lanes and a jammed dimension}}
    xla_rt.plans = [#xla_rt.nest<8x8, lanes d0 16x1, transpose 4>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{transposes by 4, which is no power of two that divides the lanes and the jammed iterations}}
    xla_rt.plans = [#xla_rt.nest<8x8, lanes d0 16x1, jam d1 6, transpose 4>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{expected lanes and vectors such as 16x4}}
    xla_rt.plans = [#xla_rt.nest<8, lanes d0 16>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{expected a dimension such as d0}}
    xla_rt.plans = [#xla_rt.nest<8, lanes 16x4>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{'loop' is given twice}}
    xla_rt.plans = [#xla_rt.nest<8, loop d0, loop d0>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{expected 'lanes', 'jam', 'work', 'loop', 'reduce', 'ordered', 'cut', 'masked', 'overlap', 'in_memory', 'stream', 'threads', 'square', 'columns', 'aligned', 'trim', 'slide', 'pairs', 'tile_registers', 'apart', 'partition', 'lookup', 'distribute' or 'transpose'}}
    xla_rt.plans = [#xla_rt.nest<8, unroll d0 4>]} {
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{has plans and is no kernel with a body}}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {xla_rt.plans = [#xla_rt.nest<4, loop d0>]} {
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{has plans and is no kernel with a body}}
func.func private @f(tensor<4xf32>) -> tensor<4xf32> attributes {
  xla_rt.kernel = #xla_rt.kernel<elementwise>, xla_rt.plans = [#xla_rt.nest<4, loop d0>]}

// -----

// expected-error @below {{has the attribute 'xla_rt.plans', which is no array of #xla_rt.nest, #xla_rt.tiles, #xla_rt.blocks, #xla_rt.stream and #xla_rt.updates}}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>, xla_rt.plans = ["4: lanes d0 16x1"]} {
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{has the attribute 'xla_rt.plans', which is one of functions}}
module attributes {xla_rt.plans = []} {}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{is 'stream' and has no lanes}}
    xla_rt.plans = [#xla_rt.nest<8, loop d0, stream>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{is 'trim', for which it needs lanes and one reduced dimension, and neither 'in_memory' nor threads}}
    xla_rt.plans = [#xla_rt.nest<8x16x4x4, lanes d1 16x1, work d0, reduce d2, d3, trim>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{has teams of 16 threads; they are warps of 32, or blocks of 2, 4, 8, 16 or 32 warps, of scans up to 8}}
    xla_rt.plans = [#xla_rt.nest<8, reduce d0, threads d0 16>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{has 1 dimension and deals d3 to threads}}
    xla_rt.plans = [#xla_rt.nest<8, reduce d0, threads d3 32>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{has threads beside lanes, which are for pieces of one vector of the dimension that is dealt}}
    xla_rt.plans = [#xla_rt.nest<8, lanes d0 4x1, threads 32>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{deals vectors to threads, which have to be 'aligned' unless they are of a scan}}
    xla_rt.plans = [#xla_rt.nest<256, lanes d0 4x1, threads d0 32>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{deals d0 to one thread}}
    xla_rt.plans = [#xla_rt.nest<8, loop d0, threads d0 1>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{is 'aligned' and has no lanes}}
    xla_rt.plans = [#xla_rt.nest<8, loop d0, aligned>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{expected a dimension such as d0, or a number of threads}}
    xla_rt.plans = [#xla_rt.nest<8, loop d0, threads dx 32>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{has threads beside a jammed dimension}}
    xla_rt.plans = [#xla_rt.nest<8x4, jam d0 4, loop d1, threads d1 32>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{has threads, and does not deal d0, the dimension of a scan, to them}}
    xla_rt.plans = [#xla_rt.nest<8x4, work d1, ordered d0, threads 32>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{has columns, for which it needs a block of threads and a reduced dimension for them}}
    xla_rt.plans = [#xla_rt.nest<8x4, reduce d0, threads d0 32, columns d1>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{walks d1 in two ways}}
    xla_rt.plans = [#xla_rt.nest<8x4, reduce d0, work d1, threads d0 256, columns d1>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{has 3 for 'each'; a thread has 1, 2, 4, 8 or 16 neighbours, an atomic one 1, and there are at most 1048576 owners}}
    xla_rt.plans = [#xla_rt.updates<each 3>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{has 0 for 'owners'}}
    xla_rt.plans = [#xla_rt.updates<owners 0>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{is 'slide', for which it needs a jammed and a reduced dimension, and no 'in_memory', 'trim', 'transpose' or threads}}
    xla_rt.plans = [#xla_rt.nest<8x3, jam d0 4, loop d1, slide>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{is 'partition', for which it needs lanes, and no 'ordered', 'in_memory' or threads}}
    xla_rt.plans = [#xla_rt.nest<8x4, work d0, d1, partition>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{has 'lookup', for which it needs lanes, and no threads}}
    xla_rt.plans = [#xla_rt.nest<8x4, work d0, d1, lookup 16>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{looks up in registers of 12 elements; they have 8 or 16}}
    xla_rt.plans = [#xla_rt.nest<8x64, lanes d1 16x1, work d0, lookup 12>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{has 'distribute', for which it needs lanes, and no 'ordered' or threads}}
    xla_rt.plans = [#xla_rt.nest<8x4, work d0, d1, distribute 32>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{distributes blocks of 1 steps; they have 2 to 256}}
    xla_rt.plans = [#xla_rt.nest<8x64, lanes d1 16x1, work d0, distribute 1>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{has 'pairs', for which it needs lanes and a reduced dimension, and no 'in_memory', 'slide' or threads}}
    xla_rt.plans = [#xla_rt.nest<8x4, lanes d0 8x1, loop d1, pairs>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{has 'tile_registers', for which it needs 'pairs', 16 lanes and jammed iterations that are whole tiles of 16, at most 4 tiles in a step, and not 'masked'}}
    xla_rt.plans = [#xla_rt.nest<64x64x32, lanes d1 16x2, jam d0 32, reduce d2, tile_registers>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{has 'tile_registers', for which it needs 'pairs', 16 lanes and jammed iterations that are whole tiles of 16, at most 4 tiles in a step, and not 'masked'}}
    xla_rt.plans = [#xla_rt.nest<64x64x32, lanes d1 16x2, jam d0 24, reduce d2, pairs, tile_registers>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    // expected-error @below {{has 'tile_registers', for which it needs 'pairs', 16 lanes and jammed iterations that are whole tiles of 16, at most 4 tiles in a step, and not 'masked'}}
    xla_rt.plans = [#xla_rt.nest<64x64x32, lanes d1 16x4, jam d0 16, reduce d2, pairs, tile_registers, masked>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{is 'apart', for which it needs a jammed dimension that is not cut, and no 'ordered', 'overlap', 'in_memory', 'slide', 'trim' or 'transpose'}}
    xla_rt.plans = [#xla_rt.nest<8x8, apart, work d0, d1>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    // expected-error @below {{is 'apart', for which it needs a jammed dimension that is not cut, and no 'ordered', 'overlap', 'in_memory', 'slide', 'trim' or 'transpose'}}
    xla_rt.plans = [#xla_rt.nest<8x8, jam d0 4, apart, work d1, cut d0 4>]} {
  return %x : tensor<4xf32>
}
