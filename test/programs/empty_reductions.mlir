// Reductions of nothing, and reductions that keep an innermost dimension of no elements.
func.func @main(%x: tensor<70000x0xf32>, %y: tensor<0x70000xf32>, %z: tensor<300x400x3xf32>)
    -> (tensor<0xf32>, tensor<70000xf32>, tensor<3xf32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.reduce(%x init: %zero) applies xla.add across dimensions = [0] : (tensor<70000x0xf32>, tensor<f32>) -> tensor<0xf32>
  %1 = xla.reduce(%y init: %zero) applies xla.add across dimensions = [0] : (tensor<0x70000xf32>, tensor<f32>) -> tensor<70000xf32>
  %2 = xla.reduce(%z init: %zero) applies xla.maximum across dimensions = [0, 1] : (tensor<300x400x3xf32>, tensor<f32>) -> tensor<3xf32>
  return %0, %1, %2 : tensor<0xf32>, tensor<70000xf32>, tensor<3xf32>
}
