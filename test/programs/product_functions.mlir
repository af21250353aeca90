// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of sums of products, in loops over the rows and columns of a tile: with last columns that fill no vector,
// factors of rows and of columns, and divisions of integers; run on random inputs by test/python/api/test_programs.py.
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<45x13xf32>, %arg1: tensor<13x75xf32>, %arg2: tensor<75xf32>, %arg3: tensor<45xf32>,
                         %arg4: tensor<13x230xf32>, %arg5: tensor<19x21xf64>, %arg6: tensor<21x37xf64>, %arg7: tensor<30x9xi32>,
                         %arg8: tensor<9x40xi32>, %arg9: tensor<30x96xf32>, %arg10: tensor<96x200xf32>,
                         %arg11: tensor<1x9x9x8xf32>, %arg12: tensor<3x3x8x20xf32>)
      -> (tensor<45x75xf32>, tensor<45x230xf32>, tensor<45x230xf32>, tensor<19x37xf64>, tensor<30x40xi32>, tensor<30x200xf32>,
          tensor<1x9x9x20xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<45x13xf32>, tensor<13x75xf32>) -> tensor<45x75xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<75xf32>) -> tensor<45x75xf32>
    %2 = stablehlo.add %0, %1 : tensor<45x75xf32>
    %3 = stablehlo.tanh %2 : tensor<45x75xf32>
    %4 = stablehlo.broadcast_in_dim %arg3, dims = [0] : (tensor<45xf32>) -> tensor<45x75xf32>
    %5 = stablehlo.multiply %3, %4 : tensor<45x75xf32>
    %6 = stablehlo.dot_general %arg0, %arg4, contracting_dims = [1] x [0] : (tensor<45x13xf32>, tensor<13x230xf32>) -> tensor<45x230xf32>
    %7 = stablehlo.sine %6 : tensor<45x230xf32>
    %8 = stablehlo.cosine %6 : tensor<45x230xf32>
    %9 = stablehlo.dot_general %arg5, %arg6, contracting_dims = [1] x [0] : (tensor<19x21xf64>, tensor<21x37xf64>) -> tensor<19x37xf64>
    %10 = stablehlo.tanh %9 : tensor<19x37xf64>
    %11 = stablehlo.dot_general %arg7, %arg8, contracting_dims = [1] x [0] : (tensor<30x9xi32>, tensor<9x40xi32>) -> tensor<30x40xi32>
    %12 = stablehlo.constant dense<7> : tensor<30x40xi32>
    %13 = stablehlo.divide %11, %12 : tensor<30x40xi32>
    %14 = stablehlo.dot_general %arg9, %arg10, contracting_dims = [1] x [0] : (tensor<30x96xf32>, tensor<96x200xf32>) -> tensor<30x200xf32>
    %15 = stablehlo.logistic %14 : tensor<30x200xf32>
    %small = stablehlo.constant dense<0.125> : tensor<3x3x8x20xf32>
    %factor = stablehlo.multiply %arg12, %small : tensor<3x3x8x20xf32>
    %16 = stablehlo.convolution(%arg11, %factor) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x9x9x8xf32>, tensor<3x3x8x20xf32>) -> tensor<1x9x9x20xf32>
    %17 = stablehlo.tanh %16 : tensor<1x9x9x20xf32>
    return %5, %7, %8, %10, %13, %15, %17 : tensor<45x75xf32>, tensor<45x230xf32>, tensor<45x230xf32>, tensor<19x37xf64>, tensor<30x40xi32>, tensor<30x200xf32>, tensor<1x9x9x20xf32>
  }
}
