// RUN: xla-opt %s --split-input-file --verify-diagnostics --xla-emit-kernels=device
// Plans for threads that a nest does not allow.

#id = affine_map<(d0) -> (d0)>
// expected-error @below {{kernel @double cannot follow plan 0, #xla_rt.nest<10, lanes d0 4x1, cut d0 4, aligned>: vectors along d0 do not all begin at multiples of their size}}
func.func private @double(%x: tensor<10xf32>) -> tensor<10xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>, xla_rt.plans = [#xla_rt.nest<10, lanes d0 4x1, cut d0 4, aligned>]} {
  %e = tensor.empty() : tensor<10xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<10xf32>) outs(%e : tensor<10xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<10xf32>
  return %0 : tensor<10xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>
// expected-error @below {{kernel @double cannot follow plan 0, #xla_rt.nest<10, work d0, threads d0 32>: d0, which is dealt to threads, is no loop of the nest}}
func.func private @double(%x: tensor<10xf32>) -> tensor<10xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>, xla_rt.plans = [#xla_rt.nest<10, work d0, threads d0 32>]} {
  %e = tensor.empty() : tensor<10xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<10xf32>) outs(%e : tensor<10xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<10xf32>
  return %0 : tensor<10xf32>
}

// -----

#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
// expected-error @below {{kernel @product cannot follow plan 0, #xla_rt.nest<3x40, work d0, reduce d1, threads d1 32>: partial results of this reduction, which the threads would hold, have no neutral element}}
func.func private @product(%x: tensor<3x40xcomplex<f32>>) -> tensor<3xcomplex<f32>>
    attributes {xla_rt.kernel = #xla_rt.kernel<reduction>, xla_rt.plans = [#xla_rt.nest<3x40, work d0, reduce d1, threads d1 32>]} {
  %zero = complex.constant [1.0 : f32, 0.0 : f32] : complex<f32>
  %e = tensor.empty() : tensor<3xcomplex<f32>>
  %f = linalg.fill ins(%zero : complex<f32>) outs(%e : tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>>
  %0 = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<3x40xcomplex<f32>>) outs(%f : tensor<3xcomplex<f32>>) {
  ^bb0(%a: complex<f32>, %b: complex<f32>):
    %s = complex.mul %b, %a : complex<f32>
    linalg.yield %s : complex<f32>
  } -> tensor<3xcomplex<f32>>
  return %0 : tensor<3xcomplex<f32>>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>
// expected-error @below {{kernel @turn cannot follow plan 0, #xla_rt.nest<40x50, threads 256, square d1 d0>: no load is contiguous along d1 and strided along d0, so there is nothing to exchange}}
func.func private @turn(%x: tensor<50x40xf32>) -> tensor<40x50xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>, xla_rt.plans = [#xla_rt.nest<40x50, threads 256, square d1 d0>]} {
  %e = tensor.empty() : tensor<40x50xf32>
  %0 = linalg.generic {indexing_maps = [#turned, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<50x40xf32>) outs(%e : tensor<40x50xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<40x50xf32>
  return %0 : tensor<40x50xf32>
}

// -----

#row = affine_map<(d0, d1) -> (d0)>
#all = affine_map<(d0, d1) -> (d0, d1)>
// A team's threads read at different times.
// expected-error @below {{kernel @update cannot follow plan 0, #xla_rt.nest<40x64, work d0, loop d1, threads d1 32>: a result is in the memory of an argument, which some threads might write before others read}}
func.func private @update(%x: tensor<80x64xf32>, %y: tensor<40xf32>) -> tensor<80x64xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<update>, xla_rt.plans = [#xla_rt.nest<40x64, work d0, loop d1, threads d1 32>]} {
  %e = tensor.empty() : tensor<40x64xf32>
  %0 = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<40xf32>) outs(%e : tensor<40x64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<40x64xf32>
  %r = tensor.insert_slice %0 into %x[10, 0] [40, 64] [1, 1] : tensor<40x64xf32> into tensor<80x64xf32>
  return %r : tensor<80x64xf32>
}

// -----

// expected-error @below {{kernel @sums cannot follow plan 0, #xla_rt.nest<6x42, lanes d1 4x1, work d0, ordered d1, threads d1 32>: threads have pieces of 4 iterations of d1, and there are 42}}
func.func private @sums(%x: tensor<6x42xf32>, %i: tensor<6xf32>) -> tensor<6x42xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<scan>, xla_rt.plans = [#xla_rt.nest<6x42, lanes d1 4x1, work d0, ordered d1, threads d1 32>]} {
  %e = tensor.empty() : tensor<6x42xf32>
  %0 = xla_rt.scan ins(%x : tensor<6x42xf32>) initial(%i : tensor<6xf32>) outs(%e : tensor<6x42xf32>) dimension = 1 {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    xla_rt.yield %s : f32
  } -> tensor<6x42xf32>
  return %0 : tensor<6x42xf32>
}

// -----

#all = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
// expected-error @below {{kernel @sum cannot follow plan 0, #xla_rt.nest<64x40, reduce d1, threads d1 256>: it does not walk d0, a parallel dimension of several iterations}}
func.func private @sum(%x: tensor<40x64xf32>) -> tensor<64xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<reduction>, xla_rt.plans = [#xla_rt.nest<64x40, reduce d1, threads d1 256>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [#all, #column], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<40x64xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>
// expected-error @below {{kernel @double cannot follow plan 0, #xla_rt.nest<5, jam d0 4, apart>: 'apart' needs 3 or 4 iterations of d0 for each of 2 items, and there are 5}}
func.func private @double(%x: tensor<5xf32>) -> tensor<5xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>, xla_rt.plans = [#xla_rt.nest<5, jam d0 4, apart>]} {
  %e = tensor.empty() : tensor<5xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<5xf32>) outs(%e : tensor<5xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

#turned = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// expected-error @below {{kernel @turn cannot follow plan 0, #xla_rt.nest<3x40x50, jam d0 2, apart, threads 256, square d1 d2>: a block has 2 squares along d0, of 3}}
func.func private @turn(%x: tensor<3x50x40xf32>) -> tensor<3x40x50xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>, xla_rt.plans = [#xla_rt.nest<3x40x50, jam d0 2, apart, threads 256, square d1 d2>]} {
  %e = tensor.empty() : tensor<3x40x50xf32>
  %0 = linalg.generic {indexing_maps = [#turned, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<3x50x40xf32>) outs(%e : tensor<3x40x50xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<3x40x50xf32>
  return %0 : tensor<3x40x50xf32>
}
