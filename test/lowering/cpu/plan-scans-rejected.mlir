// RUN: xla-opt %s --split-input-file --verify-diagnostics --xla-emit-kernels
// Plans that a scan does not allow.

// expected-error @below {{kernel @sums cannot follow plan 0, #xla_rt.nest<9x64, lanes d1 16x4, loop d0>: d0 is no parallel dimension of several iterations}}
func.func private @sums(%x: tensor<9x64xf32>, %i: tensor<64xf32>) -> tensor<9x64xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<scan>, xla_rt.plans = [#xla_rt.nest<9x64, lanes d1 16x4, loop d0>]} {
  %e = tensor.empty() : tensor<9x64xf32>
  %0 = xla_rt.scan ins(%x : tensor<9x64xf32>) initial(%i : tensor<64xf32>) outs(%e : tensor<9x64xf32>)
      dimension = 0 {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    xla_rt.yield %s : f32
  } -> tensor<9x64xf32>
  return %0 : tensor<9x64xf32>
}

// -----

// expected-error @below {{kernel @sums cannot follow plan 0, #xla_rt.nest<9x64, lanes d1 16x4>: it does not walk d0 in order, the dimension of a scan}}
func.func private @sums(%x: tensor<9x64xf32>, %i: tensor<64xf32>) -> tensor<9x64xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<scan>, xla_rt.plans = [#xla_rt.nest<9x64, lanes d1 16x4>]} {
  %e = tensor.empty() : tensor<9x64xf32>
  %0 = xla_rt.scan ins(%x : tensor<9x64xf32>) initial(%i : tensor<64xf32>) outs(%e : tensor<9x64xf32>)
      dimension = 0 {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    xla_rt.yield %s : f32
  } -> tensor<9x64xf32>
  return %0 : tensor<9x64xf32>
}

// -----

// expected-error @below {{kernel @sums cannot follow plan 0, #xla_rt.nest<9x64, lanes d0 8x1, work d1>: it does not walk d0 in order, the dimension of a scan}}
func.func private @sums(%x: tensor<9x64xf32>, %i: tensor<64xf32>) -> tensor<9x64xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<scan>, xla_rt.plans = [#xla_rt.nest<9x64, lanes d0 8x1, work d1>]} {
  %e = tensor.empty() : tensor<9x64xf32>
  %0 = xla_rt.scan ins(%x : tensor<9x64xf32>) initial(%i : tensor<64xf32>) outs(%e : tensor<9x64xf32>)
      dimension = 0 {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    xla_rt.yield %s : f32
  } -> tensor<9x64xf32>
  return %0 : tensor<9x64xf32>
}

// -----

// expected-error @below {{kernel @sums cannot follow plan 0, #xla_rt.nest<9x64, lanes d1 16x4, ordered d0, masked>: a scan goes with neither 'jam' nor 'masked' nor 'in_memory'}}
func.func private @sums(%x: tensor<9x64xf32>, %i: tensor<64xf32>) -> tensor<9x64xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<scan>, xla_rt.plans = [#xla_rt.nest<9x64, lanes d1 16x4, ordered d0, masked>]} {
  %e = tensor.empty() : tensor<9x64xf32>
  %0 = xla_rt.scan ins(%x : tensor<9x64xf32>) initial(%i : tensor<64xf32>) outs(%e : tensor<9x64xf32>)
      dimension = 0 {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    xla_rt.yield %s : f32
  } -> tensor<9x64xf32>
  return %0 : tensor<9x64xf32>
}

// -----

// expected-error @below {{kernel @sums cannot follow plan 0, #xla_rt.nest<9x64, jam d1 4, ordered d0>: a scan goes with neither 'jam' nor 'masked' nor 'in_memory'}}
func.func private @sums(%x: tensor<9x64xf32>, %i: tensor<64xf32>) -> tensor<9x64xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<scan>, xla_rt.plans = [#xla_rt.nest<9x64, jam d1 4, ordered d0>]} {
  %e = tensor.empty() : tensor<9x64xf32>
  %0 = xla_rt.scan ins(%x : tensor<9x64xf32>) initial(%i : tensor<64xf32>) outs(%e : tensor<9x64xf32>)
      dimension = 0 {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    xla_rt.yield %s : f32
  } -> tensor<9x64xf32>
  return %0 : tensor<9x64xf32>
}

// -----

// expected-error @below {{kernel @sums cannot follow plan 0, #xla_rt.nest<9x64, work d0, ordered d1, cut d1 2048, threads d1 64>: a thread has 32 pieces of a tile; there are at most 16}}
func.func private @sums(%x: tensor<9x64xf32>, %i: tensor<9xf32>) -> tensor<9x64xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<scan>, xla_rt.plans = [#xla_rt.nest<9x64, work d0, ordered d1, cut d1 2048, threads d1 64>]} {
  %e = tensor.empty() : tensor<9x64xf32>
  %0 = xla_rt.scan ins(%x : tensor<9x64xf32>) initial(%i : tensor<9xf32>) outs(%e : tensor<9x64xf32>)
      dimension = 1 {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    xla_rt.yield %s : f32
  } -> tensor<9x64xf32>
  return %0 : tensor<9x64xf32>
}

// -----

// expected-error @below {{kernel @sums cannot follow plan 0, #xla_rt.nest<9x64, work d0, ordered d1, cut d1 64, threads d1 64>: only sums, products, extrema and bitwise combinations of 8 to 64 bits are scanned in tiles}}
func.func private @sums(%x: tensor<9x64xi1>, %i: tensor<9xi1>) -> tensor<9x64xi1>
    attributes {xla_rt.kernel = #xla_rt.kernel<scan>, xla_rt.plans = [#xla_rt.nest<9x64, work d0, ordered d1, cut d1 64, threads d1 64>]} {
  %e = tensor.empty() : tensor<9x64xi1>
  %0 = xla_rt.scan ins(%x : tensor<9x64xi1>) initial(%i : tensor<9xi1>) outs(%e : tensor<9x64xi1>)
      dimension = 1 {
  ^bb0(%a: i1, %b: i1):
    %s = arith.ori %a, %b : i1
    xla_rt.yield %s : i1
  } -> tensor<9x64xi1>
  return %0 : tensor<9x64xi1>
}

// -----

// expected-error @below {{kernel @sums cannot follow plan 0, #xla_rt.nest<9x64, lanes d1 16x1, work d0, ordered d1>: lanes of elements of this type cannot be shifted, as those along d1 would be}}
func.func private @sums(%x: tensor<9x64xi1>, %i: tensor<9xi1>) -> tensor<9x64xi1>
    attributes {xla_rt.kernel = #xla_rt.kernel<scan>, xla_rt.plans = [#xla_rt.nest<9x64, lanes d1 16x1, work d0, ordered d1>]} {
  %e = tensor.empty() : tensor<9x64xi1>
  %0 = xla_rt.scan ins(%x : tensor<9x64xi1>) initial(%i : tensor<9xi1>) outs(%e : tensor<9x64xi1>)
      dimension = 1 {
  ^bb0(%a: i1, %b: i1):
    %s = arith.ori %a, %b : i1
    xla_rt.yield %s : i1
  } -> tensor<9x64xi1>
  return %0 : tensor<9x64xi1>
}

// -----

// expected-error @below {{kernel @copy cannot follow plan 0, #xla_rt.nest<64, lanes d0 16x4, ordered d0>: d0 is no dimension of a scan}}
func.func private @copy(%x: tensor<64xf32>) -> tensor<64xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>, xla_rt.plans = [#xla_rt.nest<64, lanes d0 16x4, ordered d0>]} {
  %e = tensor.empty() : tensor<64xf32>
  %0 = linalg.copy ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
