// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of 2 read as rows of 9, backwards: of (80 - i) / 2, 40 - i / 2 is taken apart, and what is divided is negative.
func.func @main(%x: tensor<2x44xui8>, %y: tensor<2x44xf32>) -> (tensor<9xui8>, tensor<9x9xf32>, tensor<2x44xf32>) {
  %0 = xla.transpose %x, dims = [1, 0] : (tensor<2x44xui8>) -> tensor<44x2xui8>
  %1 = xla.reshape %0 : (tensor<44x2xui8>) -> tensor<88xui8>
  %2 = xla.slice %1 [0:81] : (tensor<88xui8>) -> tensor<81xui8>
  %3 = xla.reshape %2 : (tensor<81xui8>) -> tensor<9x9xui8>
  %4 = xla.reverse %3, dims = [0, 1] : tensor<9x9xui8>
  %5 = xla.dot_general %4, %3, batching_dims = [0] x [0], contracting_dims = [1] x [1]
    : (tensor<9x9xui8>, tensor<9x9xui8>) -> tensor<9xui8>
  %6 = xla.transpose %y, dims = [1, 0] : (tensor<2x44xf32>) -> tensor<44x2xf32>
  %7 = xla.reshape %6 : (tensor<44x2xf32>) -> tensor<88xf32>
  %8 = xla.slice %7 [0:81] : (tensor<88xf32>) -> tensor<81xf32>
  %9 = xla.reshape %8 : (tensor<81xf32>) -> tensor<9x9xf32>
  %10 = xla.reverse %9, dims = [0, 1] : tensor<9x9xf32>
  %11 = xla.reverse %7, dims = [0] : tensor<88xf32>
  %12 = xla.reshape %11 : (tensor<88xf32>) -> tensor<44x2xf32>
  %13 = xla.transpose %12, dims = [1, 0] : (tensor<44x2xf32>) -> tensor<2x44xf32>
  return %5, %10, %13 : tensor<9xui8>, tensor<9x9xf32>, tensor<2x44xf32>
}
