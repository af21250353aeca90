module @mixture_of_experts attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<20x8xf32>, %arg1: tensor<8x4xf32>, %arg2: tensor<4x8x12xf32>, %arg3: tensor<4x12x8xf32>) -> (tensor<4xi32> {jax.result_info = "result[0]"}, tensor<f32> {jax.result_info = "result[1][0][0]"}, tensor<20x8xf32> {jax.result_info = "result[1][0][1]"}, tensor<4x8x12xf32> {jax.result_info = "result[1][1][0]"}, tensor<4x12x8xf32> {jax.result_info = "result[1][1][1]"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<20x8xf32>, tensor<8x4xf32>) -> tensor<20x4xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<20x4xf32>, tensor<f32>) -> tensor<20xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %3 = stablehlo.maximum %2, %1 : tensor<20xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<20xf32>) -> tensor<20x1xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<20x1xf32>) -> tensor<20x4xf32>
    %6 = stablehlo.subtract %0, %5 : tensor<20x4xf32>
    %7 = stablehlo.exponential %6 : tensor<20x4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<20x4xf32>, tensor<f32>) -> tensor<20xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<20xf32>) -> tensor<20x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<20x1xf32>) -> tensor<20x4xf32>
    %11 = stablehlo.divide %7, %10 : tensor<20x4xf32>
    %values, %indices = chlo.top_k(%11, k = 2) : tensor<20x4xf32> -> (tensor<20x2xf32>, tensor<20x2xi32>)
    %12 = stablehlo.reshape %indices : (tensor<20x2xi32>) -> tensor<40xi32>
    %13 = call @argsort(%12) : (tensor<40xi32>) -> tensor<40xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %14 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %15 = call @clip(%12, %c_2) : (tensor<40xi32>, tensor<i32>) -> tensor<40xi32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %16 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %17 = stablehlo.compare LT, %15, %16, SIGNED : (tensor<40xi32>, tensor<40xi32>) -> tensor<40xi1>
    %c_4 = stablehlo.constant dense<4> : tensor<i32>
    %18 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %19 = stablehlo.add %15, %18 : tensor<40xi32>
    %20 = stablehlo.select %17, %19, %15 : tensor<40xi1>, tensor<40xi32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0] : (tensor<40xi32>) -> tensor<40x1xi32>
    %c_5 = stablehlo.constant dense<1> : tensor<i32>
    %22 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %23 = "stablehlo.scatter"(%14, %21, %22) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<i32>, %arg5: tensor<i32>):
      %90 = stablehlo.add %arg4, %arg5 : tensor<i32>
      stablehlo.return %90 : tensor<i32>
    }) : (tensor<4xi32>, tensor<40x1xi32>, tensor<40xi32>) -> tensor<4xi32>
    %c_6 = stablehlo.constant dense<2> : tensor<i32>
    %24 = call @floor_divide(%13, %c_6) : (tensor<40xi32>, tensor<i32>) -> tensor<40xi32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %25 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %26 = stablehlo.compare LT, %24, %25, SIGNED : (tensor<40xi32>, tensor<40xi32>) -> tensor<40xi1>
    %c_8 = stablehlo.constant dense<20> : tensor<i32>
    %27 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %28 = stablehlo.add %24, %27 : tensor<40xi32>
    %29 = stablehlo.select %26, %28, %24 : tensor<40xi1>, tensor<40xi32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0] : (tensor<40xi32>) -> tensor<40x1xi32>
    %31 = "stablehlo.gather"(%arg0, %30) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<20x8xf32>, tensor<40x1xi32>) -> tensor<40x8xf32>
    %32 = "chlo.ragged_dot"(%31, %arg2, %23) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<40x8xf32>, tensor<4x8x12xf32>, tensor<4xi32>) -> tensor<40x12xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<40x12xf32>
    %cst_10 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<40x12xf32>
    %35 = stablehlo.divide %32, %34 : tensor<40x12xf32>
    %36:3 = call @silu(%35) : (tensor<40x12xf32>) -> (tensor<40x12xf32>, tensor<40x12xf32>, tensor<40x12xf32>)
    %37 = "chlo.ragged_dot"(%36#0, %arg3, %23) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<40x12xf32>, tensor<4x12x8xf32>, tensor<4xi32>) -> tensor<40x8xf32>
    %cst_11 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<40x8xf32>
    %39 = stablehlo.divide %37, %38 : tensor<40x8xf32>
    %40 = stablehlo.reshape %values : (tensor<20x2xf32>) -> tensor<40xf32>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %41 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %42 = stablehlo.compare LT, %13, %41, SIGNED : (tensor<40xi32>, tensor<40xi32>) -> tensor<40xi1>
    %c_13 = stablehlo.constant dense<40> : tensor<i32>
    %43 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %44 = stablehlo.add %13, %43 : tensor<40xi32>
    %45 = stablehlo.select %42, %44, %13 : tensor<40xi1>, tensor<40xi32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [0] : (tensor<40xi32>) -> tensor<40x1xi32>
    %47 = "stablehlo.gather"(%40, %46) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<40xf32>, tensor<40x1xi32>) -> tensor<40xf32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [0] : (tensor<40xf32>) -> tensor<40x1xf32>
    %49 = stablehlo.broadcast_in_dim %48, dims = [0, 1] : (tensor<40x1xf32>) -> tensor<40x8xf32>
    %50 = stablehlo.multiply %39, %49 : tensor<40x8xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<20x8xf32>
    %c_15 = stablehlo.constant dense<2> : tensor<i32>
    %52 = call @floor_divide(%13, %c_15) : (tensor<40xi32>, tensor<i32>) -> tensor<40xi32>
    %c_16 = stablehlo.constant dense<0> : tensor<i32>
    %53 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %54 = stablehlo.compare LT, %52, %53, SIGNED : (tensor<40xi32>, tensor<40xi32>) -> tensor<40xi1>
    %c_17 = stablehlo.constant dense<20> : tensor<i32>
    %55 = stablehlo.broadcast_in_dim %c_17, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %56 = stablehlo.add %52, %55 : tensor<40xi32>
    %57 = stablehlo.select %54, %56, %52 : tensor<40xi1>, tensor<40xi32>
    %58 = stablehlo.broadcast_in_dim %57, dims = [0] : (tensor<40xi32>) -> tensor<40x1xi32>
    %59 = "stablehlo.scatter"(%51, %58, %50) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %90 = stablehlo.add %arg4, %arg5 : tensor<f32>
      stablehlo.return %90 : tensor<f32>
    }) : (tensor<20x8xf32>, tensor<40x1xi32>, tensor<40x8xf32>) -> tensor<20x8xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<20x8xf32>
    %61 = chlo.square %59 : tensor<20x8xf32> -> tensor<20x8xf32>
    %cst_19 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<20x8xf32>
    %63 = stablehlo.multiply %62, %59 : tensor<20x8xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %64 = stablehlo.reduce(%61 init: %cst_20) applies stablehlo.add across dimensions = [0, 1] : (tensor<20x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_21 = stablehlo.constant dense<1.600000e+02> : tensor<f32>
    %65 = stablehlo.divide %64, %cst_21 : tensor<f32>
    %cst_22 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_23 = stablehlo.constant dense<1.600000e+02> : tensor<f32>
    %66 = stablehlo.divide %cst_22, %cst_23 : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %66, dims = [] : (tensor<f32>) -> tensor<20x8xf32>
    %68 = stablehlo.multiply %67, %63 : tensor<20x8xf32>
    %c_24 = stablehlo.constant dense<19> : tensor<1xi32>
    %c_25 = stablehlo.constant dense<0> : tensor<i32>
    %69 = stablehlo.broadcast_in_dim %c_25, dims = [] : (tensor<i32>) -> tensor<40x1xi32>
    %70 = stablehlo.compare GE, %58, %69, SIGNED : (tensor<40x1xi32>, tensor<40x1xi32>) -> tensor<40x1xi1>
    %71 = stablehlo.broadcast_in_dim %c_24, dims = [1] : (tensor<1xi32>) -> tensor<1x1xi32>
    %72 = stablehlo.broadcast_in_dim %71, dims = [0, 1] : (tensor<1x1xi32>) -> tensor<40x1xi32>
    %73 = stablehlo.compare LE, %58, %72, SIGNED : (tensor<40x1xi32>, tensor<40x1xi32>) -> tensor<40x1xi1>
    %74 = stablehlo.and %70, %73 : tensor<40x1xi1>
    %c_26 = stablehlo.constant dense<true> : tensor<i1>
    %75 = stablehlo.reduce(%74 init: %c_26) applies stablehlo.and across dimensions = [1] : (tensor<40x1xi1>, tensor<i1>) -> tensor<40xi1>
    %76 = "stablehlo.gather"(%68, %58) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<20x8xf32>, tensor<40x1xi32>) -> tensor<40x8xf32>
    %77 = stablehlo.broadcast_in_dim %75, dims = [0] : (tensor<40xi1>) -> tensor<40x8xi1>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<40x8xf32>
    %79 = stablehlo.select %77, %76, %78 : tensor<40x8xi1>, tensor<40x8xf32>
    %80 = stablehlo.broadcast_in_dim %48, dims = [0, 1] : (tensor<40x1xf32>) -> tensor<40x8xf32>
    %81 = stablehlo.multiply %79, %80 : tensor<40x8xf32>
    %cst_28 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<40x8xf32>
    %83 = stablehlo.divide %81, %82 : tensor<40x8xf32>
    %84 = "chlo.ragged_dot"(%36#0, %83, %23) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [0]>}> : (tensor<40x12xf32>, tensor<40x8xf32>, tensor<4xi32>) -> tensor<4x12x8xf32>
    %85 = "chlo.ragged_dot"(%83, %arg3, %23) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<40x8xf32>, tensor<4x12x8xf32>, tensor<4xi32>) -> tensor<40x12xf32>
    %86 = call @silu_0(%36#1, %36#2, %35, %85) : (tensor<40x12xf32>, tensor<40x12xf32>, tensor<40x12xf32>, tensor<40x12xf32>) -> tensor<40x12xf32>
    %cst_29 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %87 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<40x12xf32>
    %88 = stablehlo.divide %86, %87 : tensor<40x12xf32>
    %89 = "chlo.ragged_dot"(%31, %88, %23) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [0]>}> : (tensor<40x8xf32>, tensor<40x12xf32>, tensor<4xi32>) -> tensor<4x8x12xf32>
    return %23, %65, %59, %89, %84 : tensor<4xi32>, tensor<f32>, tensor<20x8xf32>, tensor<4x8x12xf32>, tensor<4x12x8xf32>
  }
  func.func private @argsort(%arg0: tensor<40xi32>) -> tensor<40xi32> {
    %0 = stablehlo.iota dim = 0 : tensor<40xi32>
    %1:2 = "stablehlo.sort"(%arg0, %0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>, %arg3: tensor<i32>, %arg4: tensor<i32>):
      %2 = stablehlo.compare LT, %arg1, %arg2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    }) : (tensor<40xi32>, tensor<40xi32>) -> (tensor<40xi32>, tensor<40xi32>)
    return %1#1 : tensor<40xi32>
  }
  func.func private @clip(%arg0: tensor<40xi32>, %arg1: tensor<i32>) -> tensor<40xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<40xi32>
    return %2 : tensor<40xi32>
  }
  func.func private @floor_divide(%arg0: tensor<40xi32>, %arg1: tensor<i32>) -> tensor<40xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %2 = stablehlo.divide %arg0, %1 : tensor<40xi32>
    %3 = stablehlo.sign %arg0 : tensor<40xi32>
    %4 = stablehlo.sign %0 : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %6 = stablehlo.compare NE, %3, %5, SIGNED : (tensor<40xi32>, tensor<40xi32>) -> tensor<40xi1>
    %7 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %8 = stablehlo.remainder %arg0, %7 : tensor<40xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %10 = stablehlo.compare NE, %8, %9, SIGNED : (tensor<40xi32>, tensor<40xi32>) -> tensor<40xi1>
    %11 = stablehlo.and %6, %10 : tensor<40xi1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %12 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %13 = stablehlo.subtract %2, %12 : tensor<40xi32>
    %14 = call @_where(%11, %13, %2) : (tensor<40xi1>, tensor<40xi32>, tensor<40xi32>) -> tensor<40xi32>
    return %14 : tensor<40xi32>
  }
  func.func private @_where(%arg0: tensor<40xi1>, %arg1: tensor<40xi32>, %arg2: tensor<40xi32>) -> tensor<40xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<40xi1>, tensor<40xi32>
    return %0 : tensor<40xi32>
  }
  func.func private @silu(%arg0: tensor<40x12xf32>) -> (tensor<40x12xf32>, tensor<40x12xf32>, tensor<40x12xf32>) {
    %0 = stablehlo.negate %arg0 : tensor<40x12xf32>
    %1 = stablehlo.exponential %0 : tensor<40x12xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<40x12xf32>
    %3 = stablehlo.add %2, %1 : tensor<40x12xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<40x12xf32>
    %5 = stablehlo.divide %4, %3 : tensor<40x12xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<40x12xf32>
    %7 = stablehlo.subtract %6, %5 : tensor<40x12xf32>
    %8 = stablehlo.multiply %5, %7 : tensor<40x12xf32>
    %9 = stablehlo.multiply %arg0, %5 : tensor<40x12xf32>
    return %9, %8, %5 : tensor<40x12xf32>, tensor<40x12xf32>, tensor<40x12xf32>
  }
  func.func private @silu_0(%arg0: tensor<40x12xf32>, %arg1: tensor<40x12xf32>, %arg2: tensor<40x12xf32>, %arg3: tensor<40x12xf32>) -> tensor<40x12xf32> {
    %0 = stablehlo.multiply %arg2, %arg3 : tensor<40x12xf32>
    %1 = stablehlo.multiply %arg3, %arg1 : tensor<40x12xf32>
    %2 = stablehlo.multiply %0, %arg0 : tensor<40x12xf32>
    %3 = stablehlo.add %1, %2 : tensor<40x12xf32>
    return %3 : tensor<40x12xf32>
  }
}
