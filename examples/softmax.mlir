// Softmax over the rows of a matrix, as JAX writes it.
module @softmax {
  func.func public @main(%x: tensor<256x1000xf32>) -> tensor<256x1000xf32> {
    %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %max = stablehlo.reduce(%x init: %lowest) applies stablehlo.maximum across dimensions = [1] : (tensor<256x1000xf32>, tensor<f32>) -> tensor<256xf32>
    %max_wide = stablehlo.broadcast_in_dim %max, dims = [0] : (tensor<256xf32>) -> tensor<256x1000xf32>
    %shifted = stablehlo.subtract %x, %max_wide : tensor<256x1000xf32>
    %powers = stablehlo.exponential %shifted : tensor<256x1000xf32>
    %sum = stablehlo.reduce(%powers init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<256x1000xf32>, tensor<f32>) -> tensor<256xf32>
    %sum_wide = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<256xf32>) -> tensor<256x1000xf32>
    %result = stablehlo.divide %powers, %sum_wide : tensor<256x1000xf32>
    return %result : tensor<256x1000xf32>
  }
}
