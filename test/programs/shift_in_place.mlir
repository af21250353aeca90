// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of arrays move within the same array, to positions known at run time; the position is in the array itself.
func.func @main(%x: tensor<16x16xf32>, %i: tensor<i32>, %p: tensor<4xi32>) -> (tensor<16x16xf32>, tensor<16x16xf32>, tensor<4xi32>) {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %rest = stablehlo.slice %x [0:15, 0:14] : (tensor<16x16xf32>) -> tensor<15x14xf32>
  %0 = stablehlo.dynamic_update_slice %x, %rest, %one, %one : (tensor<16x16xf32>, tensor<15x14xf32>, tensor<i32>, tensor<i32>) -> tensor<16x16xf32>
  %y = stablehlo.multiply %x, %x : tensor<16x16xf32>
  %first = stablehlo.slice %y [0:15, 0:16] : (tensor<16x16xf32>) -> tensor<15x16xf32>
  %1 = stablehlo.dynamic_update_slice %y, %first, %i, %i : (tensor<16x16xf32>, tensor<15x16xf32>, tensor<i32>, tensor<i32>) -> tensor<16x16xf32>
  %head = stablehlo.slice %p [0:1] : (tensor<4xi32>) -> tensor<1xi32>
  %at = stablehlo.reshape %head : (tensor<1xi32>) -> tensor<i32>
  %few = stablehlo.slice %p [0:3] : (tensor<4xi32>) -> tensor<3xi32>
  %2 = stablehlo.dynamic_update_slice %p, %few, %at : (tensor<4xi32>, tensor<3xi32>, tensor<i32>) -> tensor<4xi32>
  return %0, %1, %2 : tensor<16x16xf32>, tensor<16x16xf32>, tensor<4xi32>
}
