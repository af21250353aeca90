// RUN: xla-opt %s --target=cuda --to=loops | FileCheck %s
// Twins of which the later one overwrites what is computed of the first: they are two launches, in this order.

// CHECK-LABEL: func.func @main
// CHECK: @update_0
// CHECK: @elementwise_1
// CHECK: @update_0
module {
  func.func public @main(%arg0: tensor<5xf32>, %arg1: tensor<5xf32>) -> (tensor<10xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) {
    %0 = stablehlo.slice %arg0 [0:2] : (tensor<5xf32>) -> tensor<2xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %2 = "stablehlo.scatter"(%arg0, %1, %0) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<5xf32>, tensor<1xi32>, tensor<2xf32>) -> tensor<5xf32>
    %3 = stablehlo.multiply %2, %2 : tensor<5xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %5 = stablehlo.add %3, %4 : tensor<5xf32>
    %6 = call @_roll_static(%2) : (tensor<5xf32>) -> tensor<5xf32>
    %7 = stablehlo.slice %5 [0:2] : (tensor<5xf32>) -> tensor<2xf32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %8 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %9 = "stablehlo.scatter"(%5, %8, %7) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<5xf32>, tensor<1xi32>, tensor<2xf32>) -> tensor<5xf32>
    %10 = stablehlo.multiply %6, %6 : tensor<5xf32>
    %cst_1 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %12 = stablehlo.add %10, %11 : tensor<5xf32>
    %13 = stablehlo.negate %9 : tensor<5xf32>
    %14 = stablehlo.multiply %13, %9 : tensor<5xf32>
    %15 = stablehlo.exponential %14 : tensor<5xf32>
    %16 = stablehlo.concatenate %9, %15, dim = 0 : (tensor<5xf32>, tensor<5xf32>) -> tensor<10xf32>
    %17 = stablehlo.negate %arg0 : tensor<5xf32>
    %18 = stablehlo.multiply %17, %arg0 : tensor<5xf32>
    %19 = stablehlo.exponential %18 : tensor<5xf32>
    %20 = stablehlo.concatenate %arg0, %19, dim = 0 : (tensor<5xf32>, tensor<5xf32>) -> tensor<10xf32>
    %21 = call @_roll_static_0(%12) : (tensor<5xf32>) -> tensor<5xf32>
    %22 = stablehlo.abs %arg0 : tensor<5xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.reduce(%22 init: %cst_2) applies stablehlo.add across dimensions = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<f32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %26 = stablehlo.add %25, %24 : tensor<1xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0] : (tensor<1xf32>) -> tensor<5xf32>
    %28 = stablehlo.divide %21, %27 : tensor<5xf32>
    return %16, %21, %28, %28 : tensor<10xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>
  }
  func.func private @_roll_static(%arg0: tensor<5xf32>) -> tensor<5xf32> {
    %0 = stablehlo.slice %arg0 [0:5] : (tensor<5xf32>) -> tensor<5xf32>
    %1 = stablehlo.slice %arg0 [0:0] : (tensor<5xf32>) -> tensor<0xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<5xf32>, tensor<0xf32>) -> tensor<5xf32>
    return %2 : tensor<5xf32>
  }
  func.func private @_roll_static_0(%arg0: tensor<5xf32>) -> tensor<5xf32> {
    %0 = stablehlo.slice %arg0 [3:5] : (tensor<5xf32>) -> tensor<2xf32>
    %1 = stablehlo.slice %arg0 [0:3] : (tensor<5xf32>) -> tensor<3xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
    return %2 : tensor<5xf32>
  }
}
