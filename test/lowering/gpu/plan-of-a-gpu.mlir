// RUN: xla-opt %s --split-input-file --verify-diagnostics --xla-emit-kernels
// A processor has no teams of threads.

#id = affine_map<(d0) -> (d0)>
// expected-error @below {{kernel @double cannot follow plan 0, #xla_rt.nest<16, loop d0, threads d0 32>: only a GPU has teams of threads, iterations that are apart, and buffers that are aligned}}
func.func private @double(%x: tensor<16xf32>) -> tensor<16xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>, xla_rt.plans = [#xla_rt.nest<16, loop d0, threads d0 32>]} {
  %e = tensor.empty() : tensor<16xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>
// expected-error @below {{kernel @double cannot follow plan 0, #xla_rt.nest<16, jam d0 4, apart>: only a GPU has teams of threads, iterations that are apart, and buffers that are aligned}}
func.func private @double(%x: tensor<16xf32>) -> tensor<16xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>, xla_rt.plans = [#xla_rt.nest<16, jam d0 4, apart>]} {
  %e = tensor.empty() : tensor<16xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
