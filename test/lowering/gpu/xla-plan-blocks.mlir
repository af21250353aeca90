// RUN: xla-opt %s --xla-plan-blocks | FileCheck %s
// RUN: xla-opt %s --xla-plan-blocks=instructions=mma | FileCheck %s --check-prefix=MMA
// RUN: xla-opt %s --xla-plan-blocks=instructions=wgmma | FileCheck %s --check-prefix=WGMMA
// Kernels that sum enough products get blocks as their plan. One that has a plan keeps it, and what sums no products is
// for others to plan.

#rows = affine_map<(d0, d1, d2) -> (d0, d2)>
#columns = affine_map<(d0, d1, d2) -> (d2, d1)>
#sums = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func.func private @product(
// CHECK-SAME: xla_rt.plans = [#xla_rt.blocks<96x192x64, m d0 8, n d1 32, k d2 64, register 1x2>]}
func.func private @product(%x: tensor<96x64xf32>, %y: tensor<64x192xf32>) -> tensor<96x192xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<contraction>} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<96x192xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<96x192xf32>) -> tensor<96x192xf32>
  %0 = linalg.generic {indexing_maps = [#rows, #columns, #sums], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<96x64xf32>, tensor<64x192xf32>) outs(%f : tensor<96x192xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %p = arith.mulf %l, %r : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<96x192xf32>
  return %0 : tensor<96x192xf32>
}

// CHECK-LABEL: func.func private @planned(
// CHECK-SAME: xla_rt.plans = [#xla_rt.nest<96x192x64, work d0, d1, reduce d2>]}
func.func private @planned(%x: tensor<96x64xf32>, %y: tensor<64x192xf32>) -> tensor<96x192xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<contraction>, xla_rt.plans = [#xla_rt.nest<96x192x64, work d0, d1, reduce d2>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<96x192xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<96x192xf32>) -> tensor<96x192xf32>
  %0 = linalg.generic {indexing_maps = [#rows, #columns, #sums], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<96x64xf32>, tensor<64x192xf32>) outs(%f : tensor<96x192xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %p = arith.mulf %l, %r : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<96x192xf32>
  return %0 : tensor<96x192xf32>
}

// CHECK-LABEL: func.func private @elementwise(
// CHECK-SAME: attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>} {
func.func private @elementwise(%x: tensor<96xf32>) -> tensor<96xf32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>} {
  %e = tensor.empty() : tensor<96xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<96xf32>) outs(%e : tensor<96xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.negf %a : f32
    linalg.yield %t : f32
  } -> tensor<96xf32>
  return %0 : tensor<96xf32>
}

// Warpgroups have a plan of their own, for the processors that have them.
// CHECK-LABEL: func.func private @warpgroups(
// CHECK-SAME: xla_rt.plans = [#xla_rt.blocks<{{[^>]*}}instruction mma{{[^>]*}}>], xla_rt.plans_sm_90a = [#xla_rt.blocks<{{[^>]*}}instruction wgmma{{[^>]*}}>]}
// MMA-LABEL: func.func private @warpgroups(
// MMA-SAME: xla_rt.plans = [#xla_rt.blocks<{{[^>]*}}instruction mma{{[^>]*}}>]}
// WGMMA-LABEL: func.func private @warpgroups(
// WGMMA-SAME: xla_rt.plans = [#xla_rt.blocks<{{[^>]*}}instruction wgmma{{[^>]*}}>]}
func.func private @warpgroups(%x: tensor<2048x1024xbf16>, %y: tensor<1024x4096xbf16>) -> tensor<2048x4096xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<contraction>} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2048x4096xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2048x4096xf32>) -> tensor<2048x4096xf32>
  %0 = linalg.generic {indexing_maps = [#rows, #columns, #sums], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<2048x1024xbf16>, tensor<1024x4096xbf16>) outs(%f : tensor<2048x4096xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %wl = arith.extf %l : bf16 to f32
    %wr = arith.extf %r : bf16 to f32
    %p = arith.mulf %wl, %wr : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<2048x4096xf32>
  return %0 : tensor<2048x4096xf32>
}
