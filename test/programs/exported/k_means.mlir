module @k_means attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<60x3xf32>) -> (tensor<4x3xf32> {jax.result_info = "result[0]"}, tensor<60xi32> {jax.result_info = "result[1]"}, tensor<i32> {jax.result_info = "result[2]"}) {
    %cst = stablehlo.constant dense<[1.000000e+00, -1.000000e+00, 5.000000e-01]> : tensor<3xf32>
    %0 = stablehlo.iota dim = 0 : tensor<60xi32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<60xi32>) -> tensor<60x1xi32>
    %c = stablehlo.constant dense<4> : tensor<i32>
    %2 = call @remainder(%1, %c) : (tensor<60x1xi32>, tensor<i32>) -> tensor<60x1xi32>
    %c_0 = stablehlo.constant dense<3> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<60x1xi32>
    %4 = stablehlo.multiply %3, %2 : tensor<60x1xi32>
    %5 = stablehlo.convert %4 : (tensor<60x1xi32>) -> tensor<60x1xf32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %7 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<60x1xf32>) -> tensor<60x3xf32>
    %8 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<60x3xf32>
    %9 = stablehlo.multiply %7, %8 : tensor<60x3xf32>
    %10 = stablehlo.add %arg0, %9 : tensor<60x3xf32>
    %11 = stablehlo.slice %10 [0:4, 0:3] : (tensor<60x3xf32>) -> tensor<4x3xf32>
    %cst_1 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %12:4 = stablehlo.while(%iterArg = %10, %iterArg_4 = %11, %iterArg_5 = %cst_1, %iterArg_6 = %c_2) : tensor<60x3xf32>, tensor<4x3xf32>, tensor<f32>, tensor<i32>
    cond {
      %cst_7 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
      %21 = stablehlo.compare GT, %iterArg_5, %cst_7, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %c_8 = stablehlo.constant dense<50> : tensor<i32>
      %22 = stablehlo.compare LT, %iterArg_6, %c_8, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_9 = stablehlo.constant dense<false> : tensor<i1>
      %23 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i1>) -> tensor<i1>
      %24 = stablehlo.compare NE, %21, %23, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %25 = stablehlo.convert %24 : tensor<i1>
      %c_10 = stablehlo.constant dense<false> : tensor<i1>
      %26 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i1>) -> tensor<i1>
      %27 = stablehlo.compare NE, %22, %26, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %28 = stablehlo.convert %27 : tensor<i1>
      %29 = stablehlo.and %25, %28 : tensor<i1>
      stablehlo.return %29 : tensor<i1>
    } do {
      %21 = stablehlo.broadcast_in_dim %iterArg, dims = [0, 2] : (tensor<60x3xf32>) -> tensor<60x1x3xf32>
      %22 = stablehlo.broadcast_in_dim %iterArg_4, dims = [1, 2] : (tensor<4x3xf32>) -> tensor<1x4x3xf32>
      %23 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2] : (tensor<60x1x3xf32>) -> tensor<60x4x3xf32>
      %24 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2] : (tensor<1x4x3xf32>) -> tensor<60x4x3xf32>
      %25 = stablehlo.subtract %23, %24 : tensor<60x4x3xf32>
      %26 = chlo.square %25 : tensor<60x4x3xf32> -> tensor<60x4x3xf32>
      %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %27 = stablehlo.reduce(%26 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<60x4x3xf32>, tensor<f32>) -> tensor<60x4xf32>
      %28 = func.call @argmin(%27) : (tensor<60x4xf32>) -> tensor<60xi32>
      %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %29 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<60xf32>
      %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %30 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4xf32>
      %31 = stablehlo.broadcast_in_dim %28, dims = [0] : (tensor<60xi32>) -> tensor<60x1xi32>
      %32 = "stablehlo.scatter"(%30, %31, %29) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
      ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
        %49 = stablehlo.add %arg1, %arg2 : tensor<f32>
        stablehlo.return %49 : tensor<f32>
      }) : (tensor<4xf32>, tensor<60x1xi32>, tensor<60xf32>) -> tensor<4xf32>
      %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %33 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
      %34 = stablehlo.broadcast_in_dim %28, dims = [0] : (tensor<60xi32>) -> tensor<60x1xi32>
      %35 = "stablehlo.scatter"(%33, %34, %iterArg) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
      ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
        %49 = stablehlo.add %arg1, %arg2 : tensor<f32>
        stablehlo.return %49 : tensor<f32>
      }) : (tensor<4x3xf32>, tensor<60x1xi32>, tensor<60x3xf32>) -> tensor<4x3xf32>
      %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %36 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4xf32>
      %37 = stablehlo.maximum %32, %36 : tensor<4xf32>
      %38 = stablehlo.broadcast_in_dim %37, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
      %39 = stablehlo.broadcast_in_dim %38, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x3xf32>
      %40 = stablehlo.divide %35, %39 : tensor<4x3xf32>
      %41 = stablehlo.broadcast_in_dim %32, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
      %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %42 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
      %43 = stablehlo.compare GT, %41, %42, FLOAT : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xi1>
      %44 = func.call @_where_0(%43, %40, %iterArg_4) : (tensor<4x1xi1>, tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
      %45 = stablehlo.subtract %44, %iterArg_4 : tensor<4x3xf32>
      %46 = stablehlo.abs %45 : tensor<4x3xf32>
      %cst_13 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %47 = stablehlo.reduce(%46 init: %cst_13) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<f32>
      %c_14 = stablehlo.constant dense<1> : tensor<i32>
      %48 = stablehlo.add %iterArg_6, %c_14 : tensor<i32>
      stablehlo.return %iterArg, %44, %47, %48 : tensor<60x3xf32>, tensor<4x3xf32>, tensor<f32>, tensor<i32>
    }
    %13 = stablehlo.broadcast_in_dim %10, dims = [0, 2] : (tensor<60x3xf32>) -> tensor<60x1x3xf32>
    %14 = stablehlo.broadcast_in_dim %12#1, dims = [1, 2] : (tensor<4x3xf32>) -> tensor<1x4x3xf32>
    %15 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<60x1x3xf32>) -> tensor<60x4x3xf32>
    %16 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<1x4x3xf32>) -> tensor<60x4x3xf32>
    %17 = stablehlo.subtract %15, %16 : tensor<60x4x3xf32>
    %18 = chlo.square %17 : tensor<60x4x3xf32> -> tensor<60x4x3xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.reduce(%18 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<60x4x3xf32>, tensor<f32>) -> tensor<60x4xf32>
    %20 = call @argmin(%19) : (tensor<60x4xf32>) -> tensor<60xi32>
    return %12#1, %20, %12#3 : tensor<4x3xf32>, tensor<60xi32>, tensor<i32>
  }
  func.func private @remainder(%arg0: tensor<60x1xi32>, %arg1: tensor<i32>) -> tensor<60x1xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = call @_where(%1, %c_0, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<60x1xi32>
    %4 = stablehlo.remainder %arg0, %3 : tensor<60x1xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<60x1xi32>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<60x1xi32>, tensor<60x1xi32>) -> tensor<60x1xi1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<60x1xi32>
    %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<60x1xi32>, tensor<60x1xi32>) -> tensor<60x1xi1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.compare LT, %2, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i1>) -> tensor<60x1xi1>
    %11 = stablehlo.compare NE, %8, %10, UNSIGNED : (tensor<60x1xi1>, tensor<60x1xi1>) -> tensor<60x1xi1>
    %12 = stablehlo.and %11, %6 : tensor<60x1xi1>
    %13 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<60x1xi32>
    %14 = stablehlo.add %4, %13 : tensor<60x1xi32>
    %15 = stablehlo.select %12, %14, %4 : tensor<60x1xi1>, tensor<60x1xi32>
    return %15 : tensor<60x1xi32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @argmin(%arg0: tensor<60x4xf32>) -> tensor<60xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<60x4xi32>
    %cst = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<60x4xf32>, tensor<60x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<60xf32>, tensor<60xi32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare LT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
    }
    return %1#1 : tensor<60xi32>
  }
  func.func private @_where_0(%arg0: tensor<4x1xi1>, %arg1: tensor<4x3xf32>, %arg2: tensor<4x3xf32>) -> tensor<4x3xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<4x1xi1>) -> tensor<4x3xi1>
    %1 = stablehlo.select %0, %arg1, %arg2 : tensor<4x3xi1>, tensor<4x3xf32>
    return %1 : tensor<4x3xf32>
  }
}
