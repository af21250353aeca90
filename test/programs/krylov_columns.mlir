// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// StableHLO as JAX exports it; run on random inputs by test/python/api/test_programs.py.
module @jit_krylov_columns attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<24x24xf32>, %arg1: tensor<24xf32>) -> (tensor<24x7xf32> {jax.result_info = "result[0]"}, tensor<7x6xf32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<24x7xf32>
    %1 = call @norm(%arg1) : (tensor<24xf32>) -> tensor<f32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<24xf32>
    %3 = stablehlo.divide %arg1, %2 : tensor<24xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %5 = "stablehlo.scatter"(%0, %4, %3) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<24x7xf32>, tensor<1xi32>, tensor<24xf32>) -> tensor<24x7xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<7x6xf32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7:5 = stablehlo.while(%iterArg = %arg0, %iterArg_3 = %c_2, %iterArg_4 = %c_1, %iterArg_5 = %5, %iterArg_6 = %6) : tensor<24x24xf32>, tensor<i32>, tensor<i32>, tensor<24x7xf32>, tensor<7x6xf32>
    cond {
      %c_7 = stablehlo.constant dense<6> : tensor<i32>
      %8 = stablehlo.compare LT, %iterArg_3, %c_7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %8 : tensor<i1>
    } do {
      %8:3 = func.call @closed_call(%iterArg, %iterArg_4, %iterArg_5, %iterArg_6) : (tensor<24x24xf32>, tensor<i32>, tensor<24x7xf32>, tensor<7x6xf32>) -> (tensor<i32>, tensor<24x7xf32>, tensor<7x6xf32>)
      %c_7 = stablehlo.constant dense<1> : tensor<i32>
      %9 = stablehlo.add %iterArg_3, %c_7 : tensor<i32>
      stablehlo.return %iterArg, %9, %8#0, %8#1, %8#2 : tensor<24x24xf32>, tensor<i32>, tensor<i32>, tensor<24x7xf32>, tensor<7x6xf32>
    }
    return %7#3, %7#4 : tensor<24x7xf32>, tensor<7x6xf32>
  }
  func.func private @norm(%arg0: tensor<24xf32>) -> tensor<f32> {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<24xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<24xf32>, tensor<f32>) -> tensor<f32>
    %2 = stablehlo.sqrt %1 : tensor<f32>
    return %2 : tensor<f32>
  }
  func.func private @closed_call(%arg0: tensor<24x24xf32>, %arg1: tensor<i32>, %arg2: tensor<24x7xf32>, %arg3: tensor<7x6xf32>) -> (tensor<i32>, tensor<24x7xf32>, tensor<7x6xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg1, %c : tensor<i32>
    %1 = stablehlo.convert %arg1 : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.compare LT, %c_0, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<24> : tensor<i32>
    %3 = stablehlo.add %c_2, %c_3 : tensor<i32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.select %2, %3, %c_4 : tensor<i1>, tensor<i32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.compare LT, %1, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_6 = stablehlo.constant dense<7> : tensor<i32>
    %6 = stablehlo.add %1, %c_6 : tensor<i32>
    %7 = stablehlo.select %5, %6, %1 : tensor<i1>, tensor<i32>
    %8 = stablehlo.dynamic_slice %arg2, %4, %7, sizes = [24, 1] : (tensor<24x7xf32>, tensor<i32>, tensor<i32>) -> tensor<24x1xf32>
    %9 = stablehlo.reshape %8 : (tensor<24x1xf32>) -> tensor<24xf32>
    %10 = stablehlo.dot_general %arg0, %9, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<24x24xf32>, tensor<24xf32>) -> tensor<24xf32>
    %11 = stablehlo.transpose %arg2, dims = [1, 0] : (tensor<24x7xf32>) -> tensor<7x24xf32>
    %12 = stablehlo.dot_general %11, %10, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<7x24xf32>, tensor<24xf32>) -> tensor<7xf32>
    %13 = stablehlo.dot_general %arg2, %12, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<24x7xf32>, tensor<7xf32>) -> tensor<24xf32>
    %14 = stablehlo.subtract %10, %13 : tensor<24xf32>
    %15 = call @norm(%14) : (tensor<24xf32>) -> tensor<f32>
    %c_7 = stablehlo.constant dense<1> : tensor<i32>
    %16 = stablehlo.add %arg1, %c_7 : tensor<i32>
    %17 = stablehlo.broadcast_in_dim %15, dims = [] : (tensor<f32>) -> tensor<24xf32>
    %18 = stablehlo.divide %14, %17 : tensor<24xf32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %19 = stablehlo.compare LT, %16, %c_8, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_9 = stablehlo.constant dense<7> : tensor<i32>
    %20 = stablehlo.add %16, %c_9 : tensor<i32>
    %21 = stablehlo.select %19, %20, %16 : tensor<i1>, tensor<i32>
    %22 = stablehlo.convert %21 : tensor<i32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %24 = "stablehlo.scatter"(%arg2, %23, %18) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      stablehlo.return %arg5 : tensor<f32>
    }) : (tensor<24x7xf32>, tensor<1xi32>, tensor<24xf32>) -> tensor<24x7xf32>
    %c_10 = stablehlo.constant dense<1> : tensor<i32>
    %25 = stablehlo.add %arg1, %c_10 : tensor<i32>
    %c_11 = stablehlo.constant dense<0> : tensor<i32>
    %26 = stablehlo.compare LT, %25, %c_11, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_12 = stablehlo.constant dense<7> : tensor<i32>
    %27 = stablehlo.add %25, %c_12 : tensor<i32>
    %28 = stablehlo.select %26, %27, %25 : tensor<i1>, tensor<i32>
    %29 = stablehlo.convert %28 : tensor<i32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %31 = "stablehlo.scatter"(%12, %30, %15) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      stablehlo.return %arg5 : tensor<f32>
    }) : (tensor<7xf32>, tensor<1xi32>, tensor<f32>) -> tensor<7xf32>
    %c_13 = stablehlo.constant dense<0> : tensor<i32>
    %32 = stablehlo.compare LT, %arg1, %c_13, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_14 = stablehlo.constant dense<6> : tensor<i32>
    %33 = stablehlo.add %arg1, %c_14 : tensor<i32>
    %34 = stablehlo.select %32, %33, %arg1 : tensor<i1>, tensor<i32>
    %35 = stablehlo.convert %34 : tensor<i32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %37 = "stablehlo.scatter"(%arg3, %36, %31) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      stablehlo.return %arg5 : tensor<f32>
    }) : (tensor<7x6xf32>, tensor<1xi32>, tensor<7xf32>) -> tensor<7x6xf32>
    return %0, %24, %37 : tensor<i32>, tensor<24x7xf32>, tensor<7x6xf32>
  }
}
