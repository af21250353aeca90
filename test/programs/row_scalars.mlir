// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a row has once, the root of a variance, is expensive, read by a later nest over the row, and no result: it is
// kept in memory for the current row, at an address that no loop changes. Reduced from the training step of a
// transformer; and the same where it is a result and there is one row.
func.func @main(%x: tensor<2x8x16xf32>, %scale: tensor<16xf32>, %y: tensor<1x1x16xf32>)
    -> (tensor<2x8x16xf32>, tensor<2x8x1xf32>, tensor<2x8x16xf32>, tensor<2x8x16xf32>, tensor<1x1x1xf32>, tensor<1x1x16xf32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %count = xla.constant dense<16.0> : tensor<2x8x1xf32>
  %epsilon = xla.constant dense<1.0e-5> : tensor<2x8x1xf32>
  %half = xla.constant dense<-0.5> : tensor<2x8x1xf32>
  %two = xla.constant dense<2.0> : tensor<2x8x16xf32>
  %0 = xla.reduce(%x init: %zero) applies xla.add across dimensions = [2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
  %1 = xla.broadcast_in_dim %0, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
  %2 = xla.divide %1, %count : tensor<2x8x1xf32>
  %3 = xla.broadcast_in_dim %2, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
  %4 = xla.subtract %x, %3 : tensor<2x8x16xf32>
  %5 = xla.broadcast_in_dim %scale, dims = [2] : (tensor<16xf32>) -> tensor<2x8x16xf32>
  %6 = xla.multiply %5, %4 : tensor<2x8x16xf32>
  %7 = xla.square %4 : tensor<2x8x16xf32>
  %8 = xla.multiply %4, %two : tensor<2x8x16xf32>
  %9 = xla.reduce(%7 init: %zero) applies xla.add across dimensions = [2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
  %10 = xla.broadcast_in_dim %9, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
  %11 = xla.divide %10, %count : tensor<2x8x1xf32>
  %12 = xla.add %11, %epsilon : tensor<2x8x1xf32>
  %13 = xla.rsqrt %12 : tensor<2x8x1xf32>
  %14 = xla.divide %13, %12 : tensor<2x8x1xf32>
  %15 = xla.multiply %14, %half : tensor<2x8x1xf32>
  %16 = xla.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
  %17 = xla.multiply %6, %16 : tensor<2x8x16xf32>

  %small = xla.constant dense<1.0e-5> : tensor<1x1x1xf32>
  %18 = xla.square %y : tensor<1x1x16xf32>
  %19 = xla.reduce(%18 init: %zero) applies xla.add across dimensions = [2] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<1x1xf32>
  %20 = xla.broadcast_in_dim %19, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<1x1x1xf32>
  %21 = xla.add %20, %small : tensor<1x1x1xf32>
  %22 = xla.rsqrt %21 : tensor<1x1x1xf32>
  %23 = xla.broadcast_in_dim %scale, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
  %24 = xla.broadcast_in_dim %22, dims = [0, 1, 2] : (tensor<1x1x1xf32>) -> tensor<1x1x16xf32>
  %25 = xla.multiply %23, %24 : tensor<1x1x16xf32>
  return %8, %15, %16, %17, %22, %25
    : tensor<2x8x16xf32>, tensor<2x8x1xf32>, tensor<2x8x16xf32>, tensor<2x8x16xf32>, tensor<1x1x1xf32>, tensor<1x1x16xf32>
}
