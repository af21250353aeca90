// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The product reads a view of its second operand whose last dimension is a short stretch of memory.
func.func @main(%a: tensor<48x30xf32>, %b: tensor<5x30x64xf32>) -> tensor<48x320xf32> {
  %0 = stablehlo.transpose %b, dims = [1, 0, 2] : (tensor<5x30x64xf32>) -> tensor<30x5x64xf32>
  %1 = stablehlo.reshape %0 : (tensor<30x5x64xf32>) -> tensor<30x320xf32>
  %2 = stablehlo.dot_general %a, %1, contracting_dims = [1] x [0] : (tensor<48x30xf32>, tensor<30x320xf32>) -> tensor<48x320xf32>
  return %2 : tensor<48x320xf32>
}
