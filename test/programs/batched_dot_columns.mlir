// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of products down the columns: 130 is no multiple of the rows that one pass takes.
func.func @main(%a: tensor<130x130xf32>, %b: tensor<130x130xf32>) -> tensor<130xf32> {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [1] x [1], contracting_dims = [0] x [0] : (tensor<130x130xf32>, tensor<130x130xf32>) -> tensor<130xf32>
  return %0 : tensor<130xf32>
}
