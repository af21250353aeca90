// Not what `linalg` holds: a kernel, with a loop in its body that reads its counter.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @k(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @k(%x: tensor<4xf32>) -> tensor<4xf32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>, xla_rt.plans = [#xla_rt.nest<4, work d0>]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = scf.for %i = %c0 to %c4 step %c1 iter_args(%v = %a) -> f32 {
      %j = arith.index_cast %i : index to i32
      %f = arith.sitofp %j : i32 to f32
      %w = arith.addf %v, %f : f32
      scf.yield %w : f32
    }
    linalg.yield %b : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
