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
