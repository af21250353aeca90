// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums that are read twice by one op: element by element, and at the positions that they name themselves.
func.func @main(%x: tensor<8x20xi32>) -> tensor<20xi32> {
  %mask = stablehlo.constant dense<3> : tensor<8x20xi32>
  %small = stablehlo.and %x, %mask : tensor<8x20xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %sums = stablehlo.reduce(%small init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8x20xi32>, tensor<i32>) -> tensor<20xi32>
  %0 = "stablehlo.gather"(%sums, %sums) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>, indices_are_sorted = false}> : (tensor<20xi32>, tensor<20xi32>) -> tensor<20xi32>
  return %0 : tensor<20xi32>
}
