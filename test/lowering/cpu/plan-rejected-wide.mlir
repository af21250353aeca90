// RUN: xla-opt %s --verify-diagnostics --xla-emit-kernels=vector-bits=256
// RUN: xla-opt %s --xla-emit-kernels=vector-bits=512 -o /dev/null

// Functions know by the width of a vector which instructions there are.

#row = affine_map<(d0) -> (d0)>
// expected-error @below {{kernel @wide cannot follow plan 0, #xla_rt.nest<960, lanes d0 16x1>: the processor's vectors have 256 bits, and those of a function more}}
func.func private @wide(%x: tensor<960xf32>) -> tensor<960xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>, xla_rt.plans = [#xla_rt.nest<960, lanes d0 16x1>]} {
  %e = tensor.empty() : tensor<960xf32>
  %0 = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%x : tensor<960xf32>) outs(%e : tensor<960xf32>) {
  ^bb0(%a: f32, %out: f32):
    %v = math.exp %a : f32
    linalg.yield %v : f32
  } -> tensor<960xf32>
  return %0 : tensor<960xf32>
}
