// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One kernel computes two results; the first may take the memory of an operand that the second still reads.
func.func @main(%a: tensor<7x9xf32>, %b: tensor<9x7xf32>, %c: tensor<7x7xf32>, %s: tensor<f32>) -> (tensor<7x7xf32>, tensor<7x7xf32>, tensor<5xf32>, tensor<5xf32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<7x9xf32>, tensor<9x7xf32>) -> tensor<7x7xf32>
  %1 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<7x7xf32>
  %2 = stablehlo.abs %c : tensor<7x7xf32>
  %3 = stablehlo.add %2, %1 : tensor<7x7xf32>
  %4 = stablehlo.multiply %0, %3 : tensor<7x7xf32>
  %5 = stablehlo.slice %c [0:1, 0:5] : (tensor<7x7xf32>) -> tensor<1x5xf32>
  %6 = stablehlo.reshape %5 : (tensor<1x5xf32>) -> tensor<5xf32>
  // The sum over rows and what its epilogue makes of another operand of the same size.
  %7 = stablehlo.slice %0 [2:3, 1:6] : (tensor<7x7xf32>) -> tensor<1x5xf32>
  %8 = stablehlo.reshape %7 : (tensor<1x5xf32>) -> tensor<5xf32>
  %9 = stablehlo.constant dense<0.0> : tensor<f32>
  %10 = stablehlo.slice %0 [0:7, 0:5] : (tensor<7x7xf32>) -> tensor<7x5xf32>
  %11 = stablehlo.reduce(%10 init: %9) applies stablehlo.add across dimensions = [0] : (tensor<7x5xf32>, tensor<f32>) -> tensor<5xf32>
  %12 = stablehlo.optimization_barrier %8 : tensor<5xf32>
  %13 = stablehlo.multiply %11, %12 : tensor<5xf32>
  %14 = stablehlo.add %13, %6 : tensor<5xf32>
  return %3, %4, %11, %14 : tensor<7x7xf32>, tensor<7x7xf32>, tensor<5xf32>, tensor<5xf32>
}
