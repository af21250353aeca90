// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An update of a view of something computed.
func.func @main(%x: tensor<8x2xf32>, %w: tensor<1x34xf32>, %u: tensor<1x1xf32>, %i: tensor<i32>) -> tensor<1x8xf32> {
  %0 = "stablehlo.convolution"(%x, %w) <{window_strides = array<i64>, dimension_numbers = #stablehlo.conv<[b, f]x[i, o]->[f, b]>, feature_group_count = 2 : i64, batch_group_count = 1 : i64}> : (tensor<8x2xf32>, tensor<1x34xf32>) -> tensor<34x8xf32>
  %1 = stablehlo.dynamic_update_slice %0, %u, %i, %i : (tensor<34x8xf32>, tensor<1x1xf32>, tensor<i32>, tensor<i32>) -> tensor<34x8xf32>
  %2 = stablehlo.dot_general %w, %1, contracting_dims = [1] x [0] : (tensor<1x34xf32>, tensor<34x8xf32>) -> tensor<1x8xf32>
  return %2 : tensor<1x8xf32>
}
