// What a QR decomposition of nothing is: two results of no elements, and nothing that they are computed from.
func.func @main(%a: tensor<2x0x0xf32>) -> (tensor<2x0x0xf32>, tensor<2x0x0xf32>) {
  %rows = stablehlo.iota dim = 0 : tensor<0x0xi32>
  %columns = stablehlo.iota dim = 1 : tensor<0x0xi32>
  %equal = stablehlo.compare EQ, %rows, %columns, SIGNED : (tensor<0x0xi32>, tensor<0x0xi32>) -> tensor<0x0xi1>
  %unit = stablehlo.convert %equal : (tensor<0x0xi1>) -> tensor<0x0xf32>
  %q = stablehlo.broadcast_in_dim %unit, dims = [1, 2] : (tensor<0x0xf32>) -> tensor<2x0x0xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<2x0x0xf32>
  return %q, %r : tensor<2x0x0xf32>, tensor<2x0x0xf32>
}
