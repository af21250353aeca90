func.func @main(%x: tensor<512x256xf32>, %b: tensor<256xf32>) -> tensor<256xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %e = xla.exponential %b : tensor<256xf32>
  %e1 = xla.optimization_barrier %e : tensor<256xf32>
  %s = xla.reduce(%x init: %zero) applies xla.add across dimensions = [0] : (tensor<512x256xf32>, tensor<f32>) -> tensor<256xf32>
  %r = xla.add %s, %e1 : tensor<256xf32>
  %o = xla.optimization_barrier %r : tensor<256xf32>
  %n = xla.negate %o : tensor<256xf32>
  return %n : tensor<256xf32>
}
