// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One sum goes into rows of 2, 5 and 63 elements: vectors of several widths in one kernel.
func.func @main(%x: tensor<2xf64>, %y: tensor<16x127xf32>) -> (tensor<2xf64>, tensor<63xf64>, tensor<127x5xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2xf64>, tensor<f64>) -> tensor<f64>
  %0 = stablehlo.broadcast_in_dim %sum, dims = [] : (tensor<f64>) -> tensor<2xf64>
  %1 = stablehlo.subtract %x, %0 : tensor<2xf64>
  %2 = stablehlo.broadcast_in_dim %sum, dims = [] : (tensor<f64>) -> tensor<63xf64>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %top = stablehlo.reduce(%y init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<16x127xf32>, tensor<f32>) -> tensor<16xf32>
  %3 = stablehlo.broadcast_in_dim %top, dims = [0] : (tensor<16xf32>) -> tensor<16x127xf32>
  %4 = stablehlo.subtract %y, %3 : tensor<16x127xf32>
  %5 = stablehlo.broadcast_in_dim %top, dims = [0] : (tensor<16xf32>) -> tensor<16x5xf32>
  %6 = stablehlo.dot_general %4, %5, contracting_dims = [0] x [0] : (tensor<16x127xf32>, tensor<16x5xf32>) -> tensor<127x5xf32>
  return %1, %2, %6 : tensor<2xf64>, tensor<63xf64>, tensor<127x5xf32>
}
