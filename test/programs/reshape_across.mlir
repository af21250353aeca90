// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A reshape that cuts dimensions across those of what it reads: several quotients and remainders, which cancel.
func.func @main(%a: tensor<3x48x3x3xf32>, %b: tensor<3x48x3x3xf32>, %c: tensor<16x27x1x3xf32>) -> tensor<16x27x1x3xf32> {
  %0 = stablehlo.subtract %a, %b : tensor<3x48x3x3xf32>
  %1 = stablehlo.reshape %0 : (tensor<3x48x3x3xf32>) -> tensor<16x27x1x3xf32>
  %2 = stablehlo.multiply %1, %c : tensor<16x27x1x3xf32>
  return %2 : tensor<16x27x1x3xf32>
}
