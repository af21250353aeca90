module @segment_sums attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<50x3xf32>, %arg1: tensor<50xi32>, %arg2: tensor<50xi32>) -> (tensor<8x3xf32> {jax.result_info = "result[0]"}, tensor<8x3xf32> {jax.result_info = "result[1]"}, tensor<8xf32> {jax.result_info = "result[2]"}, tensor<8x3xf32> {jax.result_info = "result[3]"}, tensor<8xi32> {jax.result_info = "result[4]"}, tensor<20xi32> {jax.result_info = "result[5]"}, tensor<8x3xf32> {jax.result_info = "result[6]"}) {
    %0 = call @sort(%arg1) : (tensor<50xi32>) -> tensor<50xi32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x3xf32>
    %2 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<50xi32>) -> tensor<50x1xi32>
    %3 = "stablehlo.scatter"(%1, %2, %arg0) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %50 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %50 : tensor<f32>
    }) : (tensor<8x3xf32>, tensor<50x1xi32>, tensor<50x3xf32>) -> tensor<8x3xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x3xf32>
    %5 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<50xi32>) -> tensor<50x1xi32>
    %6 = "stablehlo.scatter"(%4, %5, %arg0) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %50 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %50 : tensor<f32>
    }) : (tensor<8x3xf32>, tensor<50x1xi32>, tensor<50x3xf32>) -> tensor<8x3xf32>
    %7 = stablehlo.slice %arg0 [0:50, 0:1] : (tensor<50x3xf32>) -> tensor<50x1xf32>
    %8 = stablehlo.reshape %7 : (tensor<50x1xf32>) -> tensor<50xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %10 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<50xi32>) -> tensor<50x1xi32>
    %11 = "stablehlo.scatter"(%9, %10, %8) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %50 = stablehlo.multiply %arg3, %arg4 : tensor<f32>
      stablehlo.return %50 : tensor<f32>
    }) : (tensor<8xf32>, tensor<50x1xi32>, tensor<50xf32>) -> tensor<8xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x3xf32>
    %13 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<50xi32>) -> tensor<50x1xi32>
    %14 = "stablehlo.scatter"(%12, %13, %arg0) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %50 = stablehlo.maximum %arg3, %arg4 : tensor<f32>
      stablehlo.return %50 : tensor<f32>
    }) : (tensor<8x3xf32>, tensor<50x1xi32>, tensor<50x3xf32>) -> tensor<8x3xf32>
    %c = stablehlo.constant dense<2147483647> : tensor<i32>
    %15 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %16 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<50xi32>) -> tensor<50x1xi32>
    %17 = "stablehlo.scatter"(%15, %16, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
      %50 = stablehlo.minimum %arg3, %arg4 : tensor<i32>
      stablehlo.return %50 : tensor<i32>
    }) : (tensor<8xi32>, tensor<50x1xi32>, tensor<50xi32>) -> tensor<8xi32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %18 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<20xi32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %19 = call @clip(%arg2, %c_4) : (tensor<50xi32>, tensor<i32>) -> tensor<50xi32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %20 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<50xi32>
    %21 = stablehlo.compare LT, %19, %20, SIGNED : (tensor<50xi32>, tensor<50xi32>) -> tensor<50xi1>
    %c_6 = stablehlo.constant dense<20> : tensor<i32>
    %22 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<50xi32>
    %23 = stablehlo.add %19, %22 : tensor<50xi32>
    %24 = stablehlo.select %21, %23, %19 : tensor<50xi1>, tensor<50xi32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0] : (tensor<50xi32>) -> tensor<50x1xi32>
    %c_7 = stablehlo.constant dense<1> : tensor<i32>
    %26 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<50xi32>
    %27 = "stablehlo.scatter"(%18, %25, %26) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
      %50 = stablehlo.add %arg3, %arg4 : tensor<i32>
      stablehlo.return %50 : tensor<i32>
    }) : (tensor<20xi32>, tensor<50x1xi32>, tensor<50xi32>) -> tensor<20xi32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8x3xf32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %29 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<50xi32>
    %30 = stablehlo.compare LT, %arg1, %29, SIGNED : (tensor<50xi32>, tensor<50xi32>) -> tensor<50xi1>
    %c_10 = stablehlo.constant dense<8> : tensor<i32>
    %31 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<50xi32>
    %32 = stablehlo.add %arg1, %31 : tensor<50xi32>
    %33 = stablehlo.select %30, %32, %arg1 : tensor<50xi1>, tensor<50xi32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0] : (tensor<50xi32>) -> tensor<50x1xi32>
    %cst_11 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<50x3xf32>
    %36 = "stablehlo.scatter"(%28, %34, %35) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %50 = stablehlo.multiply %arg3, %arg4 : tensor<f32>
      stablehlo.return %50 : tensor<f32>
    }) : (tensor<8x3xf32>, tensor<50x1xi32>, tensor<50x3xf32>) -> tensor<8x3xf32>
    %37 = stablehlo.slice %0 [0:50:7] : (tensor<50xi32>) -> tensor<8xi32>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %38 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %39 = stablehlo.compare LT, %37, %38, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %c_13 = stablehlo.constant dense<8> : tensor<i32>
    %40 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %41 = stablehlo.add %37, %40 : tensor<8xi32>
    %42 = stablehlo.select %39, %41, %37 : tensor<8xi1>, tensor<8xi32>
    %c_14 = stablehlo.constant dense<1> : tensor<i32>
    %43 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %44 = stablehlo.convert %43 : tensor<8xi32>
    %45 = stablehlo.broadcast_in_dim %42, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %46 = stablehlo.broadcast_in_dim %44, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %47 = stablehlo.concatenate %45, %46, dim = 1 : (tensor<8x1xi32>, tensor<8x1xi32>) -> tensor<8x2xi32>
    %cst_15 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %49 = "stablehlo.scatter"(%36, %47, %48) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      stablehlo.return %arg4 : tensor<f32>
    }) : (tensor<8x3xf32>, tensor<8x2xi32>, tensor<8xf32>) -> tensor<8x3xf32>
    return %3, %6, %11, %14, %17, %27, %49 : tensor<8x3xf32>, tensor<8x3xf32>, tensor<8xf32>, tensor<8x3xf32>, tensor<8xi32>, tensor<20xi32>, tensor<8x3xf32>
  }
  func.func private @sort(%arg0: tensor<50xi32>) -> tensor<50xi32> {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %1 = stablehlo.compare LT, %arg1, %arg2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }) : (tensor<50xi32>) -> tensor<50xi32>
    return %0 : tensor<50xi32>
  }
  func.func private @clip(%arg0: tensor<50xi32>, %arg1: tensor<i32>) -> tensor<50xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<50xi32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<50xi32>
    return %2 : tensor<50xi32>
  }
}
