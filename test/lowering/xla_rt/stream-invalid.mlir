// RUN: xla-opt %s --split-input-file --verify-diagnostics
// What #xla_rt.stream cannot say, whatever the nest.

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<rows, [4] by 1>,
    // expected-error @below {{does not say 'threads'}}
    xla_rt.plans = [#xla_rt.stream<4x1x70x32, rows d1 1, keys d2 8, lanes d3 4x8>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<rows, [4] by 1>,
    // expected-error @below {{'rows' is given twice}}
    xla_rt.plans = [#xla_rt.stream<4x1x70x32, rows d1 1, keys d2 8, lanes d3 4x8, threads 64, rows d1 2>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<rows, [4] by 1>,
    // expected-error @below {{expected a dimension such as d0}}
    xla_rt.plans = [#xla_rt.stream<4x1x70x32, rows 1, keys d2 8, lanes d3 4x8, threads 64>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<rows, [4] by 1>,
    // expected-error @below {{expected neighbours and threads such as 4x16}}
    xla_rt.plans = [#xla_rt.stream<4x1x70x32, rows d1 1, keys d2 8, lanes d3 4, threads 64>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<rows, [4] by 1>,
    // expected-error @below {{expected 'rows', 'keys', 'lanes', 'threads' or 'split'}}
    xla_rt.plans = [#xla_rt.stream<4x1x70x32, rows d1 1, keys d2 8, lanes d3 4x8, threads 64, stages 2>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<rows, [4] by 1>,
    // expected-error @below {{has 4 dimensions and speaks of d4}}
    xla_rt.plans = [#xla_rt.stream<4x1x70x32, rows d4 1, keys d2 8, lanes d3 4x8, threads 64>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<rows, [4] by 1>,
    // expected-error @below {{walks d2 in two ways}}
    xla_rt.plans = [#xla_rt.stream<4x1x70x32, rows d1 1, keys d2 8, lanes d2 4x8, threads 64>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<rows, [4] by 1>,
    // expected-error @below {{has 3 rows; they are a power of two, 1 to 16}}
    xla_rt.plans = [#xla_rt.stream<4x1x70x32, rows d1 3, keys d2 8, lanes d3 4x8, threads 64>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<rows, [4] by 1>,
    // expected-error @below {{has 64 keys at a time; they are a power of two, 1 to 32}}
    xla_rt.plans = [#xla_rt.stream<4x1x70x32, rows d1 1, keys d2 64, lanes d3 4x8, threads 64>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<rows, [4] by 1>,
    // expected-error @below {{has 5 neighbours; they are a power of two, 1 to 16}}
    xla_rt.plans = [#xla_rt.stream<4x1x70x32, rows d1 1, keys d2 8, lanes d3 5x8, threads 64>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<rows, [4] by 1>,
    // expected-error @below {{has 64 threads in a group; they are a power of two, 1 to 32}}
    xla_rt.plans = [#xla_rt.stream<4x1x70x32, rows d1 1, keys d2 8, lanes d3 4x64, threads 64>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<rows, [4] by 1>,
    // expected-error @below {{has 96 threads in a block; they are a power of two, 32 to 1024}}
    xla_rt.plans = [#xla_rt.stream<4x1x70x32, rows d1 1, keys d2 8, lanes d3 4x8, threads 96>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<rows, [4] by 1>,
    // expected-error @below {{has 8 rows, and groups of 4 threads: each has a maximum of at most one row}}
    xla_rt.plans = [#xla_rt.stream<4x1x70x32, rows d1 8, keys d2 8, lanes d3 4x4, threads 64>]} {
  return %x : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<rows, [4] by 1>,
    // expected-error @below {{splits the keys into 65 parts; there are 1 to 64}}
    xla_rt.plans = [#xla_rt.stream<4x1x70x32, rows d1 1, keys d2 8, lanes d3 4x8, threads 64, split 65>]} {
  return %x : tensor<4xf32>
}
