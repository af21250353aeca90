module @sorting_and_top_k attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<7x40xf32>, %arg1: tensor<40xi32>, %arg2: tensor<40xi32>, %arg3: tensor<50xf32>) -> (tensor<7x40xf32> {jax.result_info = "result[0]"}, tensor<7x40xf32> {jax.result_info = "result[1]"}, tensor<7x40xi32> {jax.result_info = "result[2]"}, tensor<40xi32> {jax.result_info = "result[3][0]"}, tensor<40xi32> {jax.result_info = "result[3][1]"}, tensor<40xi32> {jax.result_info = "result[3][2]"}, tensor<7x5xf32> {jax.result_info = "result[4][0]"}, tensor<7x5xi32> {jax.result_info = "result[4][1]"}, tensor<7xf32> {jax.result_info = "result[5]"}, tensor<40xi32> {jax.result_info = "result[6]"}, tensor<8xi32> {jax.result_info = "result[7]"}, tensor<40xi32> {jax.result_info = "result[8][0]"}, tensor<40xf32> {jax.result_info = "result[8][1]"}, tensor<40xf32> {jax.result_info = "result[8][2]"}) {
    %0 = stablehlo.abs %arg0 : tensor<7x40xf32>
    %cst = stablehlo.constant dense<3.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<7x40xf32>
    %2 = stablehlo.compare LT, %0, %1, FLOAT : (tensor<7x40xf32>, tensor<7x40xf32>) -> tensor<7x40xi1>
    %cst_0 = stablehlo.constant dense<-0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<7x40xf32>
    %4 = stablehlo.multiply %3, %arg0 : tensor<7x40xf32>
    %cst_1 = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<7x40xf32>
    %6 = stablehlo.compare GT, %arg0, %5, FLOAT : (tensor<7x40xf32>, tensor<7x40xf32>) -> tensor<7x40xi1>
    %cst_2 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %7 = call @_where(%6, %cst_2, %arg0) : (tensor<7x40xi1>, tensor<f32>, tensor<7x40xf32>) -> tensor<7x40xf32>
    %8 = call @_where_0(%2, %4, %7) : (tensor<7x40xi1>, tensor<7x40xf32>, tensor<7x40xf32>) -> tensor<7x40xf32>
    %9 = call @lexsort(%arg1, %arg2) : (tensor<40xi32>, tensor<40xi32>) -> tensor<40xi32>
    %values, %indices = chlo.top_k(%arg0, k = 5) : tensor<7x40xf32> -> (tensor<7x5xf32>, tensor<7x5xi32>)
    %10 = call @sort(%8) : (tensor<7x40xf32>) -> tensor<7x40xf32>
    %11 = call @sort_1(%arg0) : (tensor<7x40xf32>) -> tensor<7x40xf32>
    %12 = call @argsort(%arg0) : (tensor<7x40xf32>) -> tensor<7x40xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %13 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %14 = stablehlo.compare LT, %9, %13, SIGNED : (tensor<40xi32>, tensor<40xi32>) -> tensor<40xi1>
    %c_3 = stablehlo.constant dense<40> : tensor<i32>
    %15 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %16 = stablehlo.add %9, %15 : tensor<40xi32>
    %17 = stablehlo.select %14, %16, %9 : tensor<40xi1>, tensor<40xi32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0] : (tensor<40xi32>) -> tensor<40x1xi32>
    %19 = "stablehlo.gather"(%arg1, %18) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<40xi32>, tensor<40x1xi32>) -> tensor<40xi32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %20 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %21 = stablehlo.compare LT, %9, %20, SIGNED : (tensor<40xi32>, tensor<40xi32>) -> tensor<40xi1>
    %c_5 = stablehlo.constant dense<40> : tensor<i32>
    %22 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %23 = stablehlo.add %9, %22 : tensor<40xi32>
    %24 = stablehlo.select %21, %23, %9 : tensor<40xi1>, tensor<40xi32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0] : (tensor<40xi32>) -> tensor<40x1xi32>
    %26 = "stablehlo.gather"(%arg2, %25) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<40xi32>, tensor<40x1xi32>) -> tensor<40xi32>
    %27 = call @median(%arg0) : (tensor<7x40xf32>) -> tensor<7xf32>
    %28 = call @sort_3(%arg3) : (tensor<50xf32>) -> tensor<50xf32>
    %29 = stablehlo.slice %arg0 [0:1, 0:40] : (tensor<7x40xf32>) -> tensor<1x40xf32>
    %30 = stablehlo.reshape %29 : (tensor<1x40xf32>) -> tensor<40xf32>
    %31 = call @searchsorted(%28, %30) : (tensor<50xf32>, tensor<40xf32>) -> tensor<40xi32>
    %32:3 = call @_unique_sorted_mask(%arg1) : (tensor<40xi32>) -> (tensor<40xi32>, tensor<40xi1>, tensor<40xi32>)
    %33 = call @cumsum(%32#1) : (tensor<40xi1>) -> tensor<40xi32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %34 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %35 = call @clip(%33, %c_7) : (tensor<40xi32>, tensor<i32>) -> tensor<40xi32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %36 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %37 = stablehlo.compare LT, %35, %36, SIGNED : (tensor<40xi32>, tensor<40xi32>) -> tensor<40xi1>
    %c_9 = stablehlo.constant dense<8> : tensor<i32>
    %38 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %39 = stablehlo.add %35, %38 : tensor<40xi32>
    %40 = stablehlo.select %37, %39, %35 : tensor<40xi1>, tensor<40xi32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [0] : (tensor<40xi32>) -> tensor<40x1xi32>
    %c_10 = stablehlo.constant dense<1> : tensor<i32>
    %42 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %43 = "stablehlo.scatter"(%34, %41, %42) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<i32>, %arg5: tensor<i32>):
      %65 = stablehlo.add %arg4, %arg5 : tensor<i32>
      stablehlo.return %65 : tensor<i32>
    }) : (tensor<8xi32>, tensor<40x1xi32>, tensor<40xi32>) -> tensor<8xi32>
    %44 = call @cumsum_7(%43) : (tensor<8xi32>) -> tensor<8xi32>
    %c_11 = stablehlo.constant dense<1> : tensor<i32>
    %45 = call @floor_divide_9(%44, %c_11) : (tensor<8xi32>, tensor<i32>) -> tensor<8xi32>
    %c_12 = stablehlo.constant dense<40> : tensor<i32>
    %46 = call @remainder(%45, %c_12) : (tensor<8xi32>, tensor<i32>) -> tensor<8xi32>
    %c_13 = stablehlo.constant dense<0> : tensor<i32>
    %47 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %48 = stablehlo.compare LT, %46, %47, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %c_14 = stablehlo.constant dense<40> : tensor<i32>
    %49 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %50 = stablehlo.add %46, %49 : tensor<8xi32>
    %51 = stablehlo.select %48, %50, %46 : tensor<8xi1>, tensor<8xi32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %53 = "stablehlo.gather"(%32#0, %52) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<40xi32>, tensor<8x1xi32>) -> tensor<8xi32>
    %54 = stablehlo.iota dim = 0 : tensor<8xi32>
    %55 = stablehlo.convert %32#1 : (tensor<40xi1>) -> tensor<40xi32>
    %c_15 = stablehlo.constant dense<0> : tensor<i32>
    %56 = stablehlo.reduce(%55 init: %c_15) applies stablehlo.add across dimensions = [0] : (tensor<40xi32>, tensor<i32>) -> tensor<i32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %58 = stablehlo.compare LT, %54, %57, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %c_16 = stablehlo.constant dense<99> : tensor<i32>
    %59 = call @_where_12(%58, %53, %c_16) : (tensor<8xi1>, tensor<8xi32>, tensor<i32>) -> tensor<8xi32>
    %60 = stablehlo.slice %arg0 [0:1, 0:40] : (tensor<7x40xf32>) -> tensor<1x40xf32>
    %61 = stablehlo.reshape %60 : (tensor<1x40xf32>) -> tensor<40xf32>
    %62 = stablehlo.slice %arg0 [1:2, 0:40] : (tensor<7x40xf32>) -> tensor<1x40xf32>
    %63 = stablehlo.reshape %62 : (tensor<1x40xf32>) -> tensor<40xf32>
    %64:3 = "stablehlo.sort"(%arg1, %61, %63) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg4: tensor<i32>, %arg5: tensor<i32>, %arg6: tensor<f32>, %arg7: tensor<f32>, %arg8: tensor<f32>, %arg9: tensor<f32>):
      %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %65 = stablehlo.compare EQ, %arg6, %cst_17, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %66 = stablehlo.select %65, %cst_18, %arg6 : tensor<i1>, tensor<f32>
      %67 = stablehlo.compare NE, %arg6, %arg6, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_19 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %68 = stablehlo.select %67, %cst_19, %66 : tensor<i1>, tensor<f32>
      %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %69 = stablehlo.compare EQ, %arg7, %cst_20, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %70 = stablehlo.select %69, %cst_21, %arg7 : tensor<i1>, tensor<f32>
      %71 = stablehlo.compare NE, %arg7, %arg7, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_22 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %72 = stablehlo.select %71, %cst_22, %70 : tensor<i1>, tensor<f32>
      %73 = stablehlo.compare LT, %68, %72, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %74 = stablehlo.compare LT, %arg4, %arg5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %75 = stablehlo.compare EQ, %arg4, %arg5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %76 = stablehlo.and %75, %73 : tensor<i1>
      %77 = stablehlo.or %74, %76 : tensor<i1>
      stablehlo.return %77 : tensor<i1>
    }) : (tensor<40xi32>, tensor<40xf32>, tensor<40xf32>) -> (tensor<40xi32>, tensor<40xf32>, tensor<40xf32>)
    return %10, %11, %12, %9, %19, %26, %values, %indices, %27, %31, %59, %64#0, %64#1, %64#2 : tensor<7x40xf32>, tensor<7x40xf32>, tensor<7x40xi32>, tensor<40xi32>, tensor<40xi32>, tensor<40xi32>, tensor<7x5xf32>, tensor<7x5xi32>, tensor<7xf32>, tensor<40xi32>, tensor<8xi32>, tensor<40xi32>, tensor<40xf32>, tensor<40xf32>
  }
  func.func private @_where(%arg0: tensor<7x40xi1>, %arg1: tensor<f32>, %arg2: tensor<7x40xf32>) -> tensor<7x40xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<7x40xf32>
    %2 = stablehlo.select %arg0, %1, %arg2 : tensor<7x40xi1>, tensor<7x40xf32>
    return %2 : tensor<7x40xf32>
  }
  func.func private @_where_0(%arg0: tensor<7x40xi1>, %arg1: tensor<7x40xf32>, %arg2: tensor<7x40xf32>) -> tensor<7x40xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<7x40xi1>, tensor<7x40xf32>
    return %0 : tensor<7x40xf32>
  }
  func.func private @lexsort(%arg0: tensor<40xi32>, %arg1: tensor<40xi32>) -> tensor<40xi32> {
    %0 = stablehlo.iota dim = 0 : tensor<40xi32>
    %1:3 = "stablehlo.sort"(%arg1, %arg0, %0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>, %arg4: tensor<i32>, %arg5: tensor<i32>, %arg6: tensor<i32>, %arg7: tensor<i32>):
      %2 = stablehlo.compare LT, %arg4, %arg5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %3 = stablehlo.compare LT, %arg2, %arg3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %4 = stablehlo.compare EQ, %arg2, %arg3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %5 = stablehlo.and %4, %2 : tensor<i1>
      %6 = stablehlo.or %3, %5 : tensor<i1>
      stablehlo.return %6 : tensor<i1>
    }) : (tensor<40xi32>, tensor<40xi32>, tensor<40xi32>) -> (tensor<40xi32>, tensor<40xi32>, tensor<40xi32>)
    return %1#2 : tensor<40xi32>
  }
  func.func private @sort(%arg0: tensor<7x40xf32>) -> tensor<7x40xf32> {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1 = stablehlo.compare EQ, %arg1, %cst, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2 = stablehlo.select %1, %cst_0, %arg1 : tensor<i1>, tensor<f32>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %4 = stablehlo.select %3, %cst_1, %2 : tensor<i1>, tensor<f32>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %5 = stablehlo.compare EQ, %arg2, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %6 = stablehlo.select %5, %cst_3, %arg2 : tensor<i1>, tensor<f32>
      %7 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %8 = stablehlo.select %7, %cst_4, %6 : tensor<i1>, tensor<f32>
      %9 = stablehlo.compare LT, %4, %8, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    }) : (tensor<7x40xf32>) -> tensor<7x40xf32>
    return %0 : tensor<7x40xf32>
  }
  func.func private @sort_1(%arg0: tensor<7x40xf32>) -> tensor<7x40xf32> {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2 = stablehlo.compare EQ, %arg1, %cst, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3 = stablehlo.select %2, %cst_0, %arg1 : tensor<i1>, tensor<f32>
      %4 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %5 = stablehlo.select %4, %cst_1, %3 : tensor<i1>, tensor<f32>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %6 = stablehlo.compare EQ, %arg2, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %7 = stablehlo.select %6, %cst_3, %arg2 : tensor<i1>, tensor<f32>
      %8 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %9 = stablehlo.select %8, %cst_4, %7 : tensor<i1>, tensor<f32>
      %10 = stablehlo.compare LT, %5, %9, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %10 : tensor<i1>
    }) : (tensor<7x40xf32>) -> tensor<7x40xf32>
    %1 = stablehlo.reverse %0, dims = [0] : tensor<7x40xf32>
    return %1 : tensor<7x40xf32>
  }
  func.func private @argsort(%arg0: tensor<7x40xf32>) -> tensor<7x40xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<7x40xi32>
    %1:2 = "stablehlo.sort"(%arg0, %0) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>, %arg3: tensor<i32>, %arg4: tensor<i32>):
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2 = stablehlo.compare EQ, %arg1, %cst, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3 = stablehlo.select %2, %cst_0, %arg1 : tensor<i1>, tensor<f32>
      %4 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %5 = stablehlo.select %4, %cst_1, %3 : tensor<i1>, tensor<f32>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %6 = stablehlo.compare EQ, %arg2, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %7 = stablehlo.select %6, %cst_3, %arg2 : tensor<i1>, tensor<f32>
      %8 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %9 = stablehlo.select %8, %cst_4, %7 : tensor<i1>, tensor<f32>
      %10 = stablehlo.compare LT, %5, %9, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %10 : tensor<i1>
    }) : (tensor<7x40xf32>, tensor<7x40xi32>) -> (tensor<7x40xf32>, tensor<7x40xi32>)
    return %1#1 : tensor<7x40xi32>
  }
  func.func private @median(%arg0: tensor<7x40xf32>) -> tensor<7xf32> {
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %0 = call @quantile(%arg0, %cst) : (tensor<7x40xf32>, tensor<f32>) -> tensor<7xf32>
    return %0 : tensor<7xf32>
  }
  func.func private @quantile(%arg0: tensor<7x40xf32>, %arg1: tensor<f32>) -> tensor<7xf32> {
    %0 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<7x40xf32>, tensor<7x40xf32>) -> tensor<7x40xi1>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %1 = stablehlo.reduce(%0 init: %c) applies stablehlo.or across dimensions = [1] : (tensor<7x40xi1>, tensor<i1>) -> tensor<7xi1>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<7xi1>) -> tensor<7x1xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %3 = call @_where_2(%2, %cst, %arg0) : (tensor<7x1xi1>, tensor<f32>, tensor<7x40xf32>) -> tensor<7x40xf32>
    %4 = "stablehlo.sort"(%3) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %24 = stablehlo.compare EQ, %arg2, %cst_10, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %25 = stablehlo.select %24, %cst_11, %arg2 : tensor<i1>, tensor<f32>
      %26 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_12 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %27 = stablehlo.select %26, %cst_12, %25 : tensor<i1>, tensor<f32>
      %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %28 = stablehlo.compare EQ, %arg3, %cst_13, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %29 = stablehlo.select %28, %cst_14, %arg3 : tensor<i1>, tensor<f32>
      %30 = stablehlo.compare NE, %arg3, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_15 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %31 = stablehlo.select %30, %cst_15, %29 : tensor<i1>, tensor<f32>
      %32 = stablehlo.compare LT, %27, %31, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %32 : tensor<i1>
    }) : (tensor<7x40xf32>) -> tensor<7x40xf32>
    %cst_0 = stablehlo.constant dense<4.000000e+01> : tensor<f32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.subtract %cst_0, %cst_1 : tensor<f32>
    %6 = stablehlo.multiply %arg1, %5 : tensor<f32>
    %7 = stablehlo.floor %6 : tensor<f32>
    %8 = stablehlo.ceil %6 : tensor<f32>
    %9 = stablehlo.subtract %6, %7 : tensor<f32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %10 = stablehlo.subtract %cst_2, %9 : tensor<f32>
    %cst_3 = stablehlo.constant dense<4.000000e+01> : tensor<f32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %11 = stablehlo.subtract %cst_3, %cst_4 : tensor<f32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.clamp %cst_5, %7, %11 : tensor<f32>
    %cst_6 = stablehlo.constant dense<4.000000e+01> : tensor<f32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %13 = stablehlo.subtract %cst_6, %cst_7 : tensor<f32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.clamp %cst_8, %8, %13 : tensor<f32>
    %15 = stablehlo.convert %12 : (tensor<f32>) -> tensor<i32>
    %16 = stablehlo.convert %14 : (tensor<f32>) -> tensor<i32>
    %17 = stablehlo.broadcast_in_dim %15, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %18 = "stablehlo.gather"(%4, %17) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1]>, indices_are_sorted = false, slice_sizes = array<i64: 7, 1>}> : (tensor<7x40xf32>, tensor<1xi32>) -> tensor<7xf32>
    %19 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %20 = "stablehlo.gather"(%4, %19) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1]>, indices_are_sorted = false, slice_sizes = array<i64: 7, 1>}> : (tensor<7x40xf32>, tensor<1xi32>) -> tensor<7xf32>
    %21 = stablehlo.add %18, %20 : tensor<7xf32>
    %cst_9 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<7xf32>
    %23 = stablehlo.multiply %21, %22 : tensor<7xf32>
    return %23 : tensor<7xf32>
  }
  func.func private @_where_2(%arg0: tensor<7x1xi1>, %arg1: tensor<f32>, %arg2: tensor<7x40xf32>) -> tensor<7x40xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<7x1xi1>) -> tensor<7x40xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<7x40xf32>
    %3 = stablehlo.select %1, %2, %arg2 : tensor<7x40xi1>, tensor<7x40xf32>
    return %3 : tensor<7x40xf32>
  }
  func.func private @sort_3(%arg0: tensor<50xf32>) -> tensor<50xf32> {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1 = stablehlo.compare EQ, %arg1, %cst, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2 = stablehlo.select %1, %cst_0, %arg1 : tensor<i1>, tensor<f32>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %4 = stablehlo.select %3, %cst_1, %2 : tensor<i1>, tensor<f32>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %5 = stablehlo.compare EQ, %arg2, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %6 = stablehlo.select %5, %cst_3, %arg2 : tensor<i1>, tensor<f32>
      %7 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %8 = stablehlo.select %7, %cst_4, %6 : tensor<i1>, tensor<f32>
      %9 = stablehlo.compare LT, %4, %8, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    }) : (tensor<50xf32>) -> tensor<50xf32>
    return %0 : tensor<50xf32>
  }
  func.func private @searchsorted(%arg0: tensor<50xf32>, %arg1: tensor<40xf32>) -> tensor<40xi32> {
    %0 = call @_searchsorted_scan_impl(%arg0, %arg1) : (tensor<50xf32>, tensor<40xf32>) -> tensor<40xi32>
    return %0 : tensor<40xi32>
  }
  func.func private @_searchsorted_scan_impl(%arg0: tensor<50xf32>, %arg1: tensor<40xf32>) -> tensor<40xi32> {
    %0 = call @_searchsorted_scan_impl_4(%arg0, %arg1) : (tensor<50xf32>, tensor<40xf32>) -> tensor<40xi32>
    return %0 : tensor<40xi32>
  }
  func.func private @_searchsorted_scan_impl_4(%arg0: tensor<50xf32>, %arg1: tensor<40xf32>) -> tensor<40xi32> {
    %c = stablehlo.constant dense<0> : tensor<ui32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui32>) -> tensor<40xui32>
    %c_0 = stablehlo.constant dense<50> : tensor<ui32>
    %1 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui32>) -> tensor<40xui32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %2:5 = stablehlo.while(%iterArg = %arg0, %iterArg_2 = %arg1, %iterArg_3 = %c_1, %iterArg_4 = %0, %iterArg_5 = %1) : tensor<50xf32>, tensor<40xf32>, tensor<i32>, tensor<40xui32>, tensor<40xui32>
    cond {
      %c_6 = stablehlo.constant dense<6> : tensor<i32>
      %4 = stablehlo.compare LT, %iterArg_3, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    } do {
      %4:2 = func.call @closed_call(%iterArg, %iterArg_2, %iterArg_4, %iterArg_5) : (tensor<50xf32>, tensor<40xf32>, tensor<40xui32>, tensor<40xui32>) -> (tensor<40xui32>, tensor<40xui32>)
      %c_6 = stablehlo.constant dense<1> : tensor<i32>
      %5 = stablehlo.add %iterArg_3, %c_6 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_2, %5, %4#0, %4#1 : tensor<50xf32>, tensor<40xf32>, tensor<i32>, tensor<40xui32>, tensor<40xui32>
    }
    %3 = stablehlo.convert %2#4 : (tensor<40xui32>) -> tensor<40xi32>
    return %3 : tensor<40xi32>
  }
  func.func private @closed_call(%arg0: tensor<50xf32>, %arg1: tensor<40xf32>, %arg2: tensor<40xui32>, %arg3: tensor<40xui32>) -> (tensor<40xui32>, tensor<40xui32>) {
    %0 = stablehlo.subtract %arg3, %arg2 : tensor<40xui32>
    %c = stablehlo.constant dense<2> : tensor<i32>
    %1 = call @floor_divide(%0, %c) : (tensor<40xui32>, tensor<i32>) -> tensor<40xui32>
    %2 = stablehlo.add %arg2, %1 : tensor<40xui32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<40xui32>) -> tensor<40x1xui32>
    %4 = "stablehlo.gather"(%arg0, %3) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<50xf32>, tensor<40x1xui32>) -> tensor<40x1xf32>
    %5 = stablehlo.reshape %4 : (tensor<40x1xf32>) -> tensor<40xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %7 = stablehlo.compare EQ, %arg1, %6, FLOAT : (tensor<40xf32>, tensor<40xf32>) -> tensor<40xi1>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %9 = stablehlo.select %7, %8, %arg1 : tensor<40xi1>, tensor<40xf32>
    %10 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<40xf32>, tensor<40xf32>) -> tensor<40xi1>
    %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %12 = stablehlo.select %10, %11, %9 : tensor<40xi1>, tensor<40xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %14 = stablehlo.compare EQ, %5, %13, FLOAT : (tensor<40xf32>, tensor<40xf32>) -> tensor<40xi1>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %16 = stablehlo.select %14, %15, %5 : tensor<40xi1>, tensor<40xf32>
    %17 = stablehlo.compare NE, %5, %5, FLOAT : (tensor<40xf32>, tensor<40xf32>) -> tensor<40xi1>
    %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %19 = stablehlo.select %17, %18, %16 : tensor<40xi1>, tensor<40xf32>
    %20 = stablehlo.compare LE, %12, %19, TOTALORDER : (tensor<40xf32>, tensor<40xf32>) -> tensor<40xi1>
    %21 = stablehlo.select %20, %arg2, %2 : tensor<40xi1>, tensor<40xui32>
    %22 = stablehlo.select %20, %2, %arg3 : tensor<40xi1>, tensor<40xui32>
    return %21, %22 : tensor<40xui32>, tensor<40xui32>
  }
  func.func private @floor_divide(%arg0: tensor<40xui32>, %arg1: tensor<i32>) -> tensor<40xui32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<ui32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<ui32>) -> tensor<40xui32>
    %2 = stablehlo.divide %arg0, %1 : tensor<40xui32>
    return %2 : tensor<40xui32>
  }
  func.func private @_unique_sorted_mask(%arg0: tensor<40xi32>) -> (tensor<40xi32>, tensor<40xi1>, tensor<40xi32>) {
    %0 = stablehlo.reshape %arg0 : (tensor<40xi32>) -> tensor<40x1xi32>
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<40x1xi32>) -> tensor<1x40xi32>
    %2 = stablehlo.reverse %1, dims = [0] : tensor<1x40xi32>
    %3 = call @lexsort_5(%2) : (tensor<1x40xi32>) -> tensor<40xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %5 = stablehlo.compare LT, %3, %4, SIGNED : (tensor<40xi32>, tensor<40xi32>) -> tensor<40xi1>
    %c_0 = stablehlo.constant dense<40> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %7 = stablehlo.add %3, %6 : tensor<40xi32>
    %8 = stablehlo.select %5, %7, %3 : tensor<40xi1>, tensor<40xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<40xi32>) -> tensor<40x1xi32>
    %10 = "stablehlo.gather"(%arg0, %9) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<40xi32>, tensor<40x1xi32>) -> tensor<40xi32>
    %c_1 = stablehlo.constant dense<true> : tensor<i1>
    %11 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i1>) -> tensor<40xi1>
    %12 = stablehlo.slice %10 [1:40] : (tensor<40xi32>) -> tensor<39xi32>
    %13 = stablehlo.slice %10 [0:39] : (tensor<40xi32>) -> tensor<39xi32>
    %14 = stablehlo.compare NE, %12, %13, SIGNED : (tensor<39xi32>, tensor<39xi32>) -> tensor<39xi1>
    %c_2 = stablehlo.constant dense<false> : tensor<i1>
    %15 = stablehlo.reduce(%14 init: %c_2) applies stablehlo.or across dimensions = [] : (tensor<39xi1>, tensor<i1>) -> tensor<39xi1>
    %c_3 = stablehlo.constant dense<1> : tensor<i32>
    %16 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %17 = "stablehlo.scatter"(%11, %16, %15) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg1: tensor<i1>, %arg2: tensor<i1>):
      stablehlo.return %arg2 : tensor<i1>
    }) : (tensor<40xi1>, tensor<1xi32>, tensor<39xi1>) -> tensor<40xi1>
    return %10, %17, %3 : tensor<40xi32>, tensor<40xi1>, tensor<40xi32>
  }
  func.func private @lexsort_5(%arg0: tensor<1x40xi32>) -> tensor<40xi32> {
    %0 = stablehlo.slice %arg0 [0:1, 0:40] : (tensor<1x40xi32>) -> tensor<1x40xi32>
    %1 = stablehlo.reshape %0 : (tensor<1x40xi32>) -> tensor<40xi32>
    %2 = stablehlo.iota dim = 0 : tensor<40xi32>
    %3:2 = "stablehlo.sort"(%1, %2) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>, %arg3: tensor<i32>, %arg4: tensor<i32>):
      %4 = stablehlo.compare LT, %arg1, %arg2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    }) : (tensor<40xi32>, tensor<40xi32>) -> (tensor<40xi32>, tensor<40xi32>)
    return %3#1 : tensor<40xi32>
  }
  func.func private @cumsum(%arg0: tensor<40xi1>) -> tensor<40xi32> {
    %0 = stablehlo.convert %arg0 : (tensor<40xi1>) -> tensor<40xi32>
    %1 = call @cumsum_6(%0) : (tensor<40xi32>) -> tensor<40xi32>
    return %1 : tensor<40xi32>
  }
  func.func private @cumsum_6(%arg0: tensor<40xi32>) -> tensor<40xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[39, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 40>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<40xi32>, tensor<i32>) -> tensor<40xi32>
    return %1 : tensor<40xi32>
  }
  func.func private @clip(%arg0: tensor<40xi32>, %arg1: tensor<i32>) -> tensor<40xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<40xi32>
    return %2 : tensor<40xi32>
  }
  func.func private @cumsum_7(%arg0: tensor<8xi32>) -> tensor<8xi32> {
    %0 = call @cumsum_8(%arg0) : (tensor<8xi32>) -> tensor<8xi32>
    return %0 : tensor<8xi32>
  }
  func.func private @cumsum_8(%arg0: tensor<8xi32>) -> tensor<8xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[7, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 8>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<8xi32>, tensor<i32>) -> tensor<8xi32>
    return %1 : tensor<8xi32>
  }
  func.func private @floor_divide_9(%arg0: tensor<8xi32>, %arg1: tensor<i32>) -> tensor<8xi32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %1 = stablehlo.divide %arg0, %0 : tensor<8xi32>
    %2 = stablehlo.sign %arg0 : tensor<8xi32>
    %3 = stablehlo.sign %arg1 : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %5 = stablehlo.compare NE, %2, %4, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %6 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %7 = stablehlo.remainder %arg0, %6 : tensor<8xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %8 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %9 = stablehlo.compare NE, %7, %8, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %10 = stablehlo.and %5, %9 : tensor<8xi1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %11 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %12 = stablehlo.subtract %1, %11 : tensor<8xi32>
    %13 = call @_where_10(%10, %12, %1) : (tensor<8xi1>, tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
    return %13 : tensor<8xi32>
  }
  func.func private @_where_10(%arg0: tensor<8xi1>, %arg1: tensor<8xi32>, %arg2: tensor<8xi32>) -> tensor<8xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<8xi1>, tensor<8xi32>
    return %0 : tensor<8xi32>
  }
  func.func private @remainder(%arg0: tensor<8xi32>, %arg1: tensor<i32>) -> tensor<8xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = call @_where_11(%1, %c_0, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %4 = stablehlo.remainder %arg0, %3 : tensor<8xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.compare LT, %2, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i1>) -> tensor<8xi1>
    %11 = stablehlo.compare NE, %8, %10, UNSIGNED : (tensor<8xi1>, tensor<8xi1>) -> tensor<8xi1>
    %12 = stablehlo.and %11, %6 : tensor<8xi1>
    %13 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %14 = stablehlo.add %4, %13 : tensor<8xi32>
    %15 = stablehlo.select %12, %14, %4 : tensor<8xi1>, tensor<8xi32>
    return %15 : tensor<8xi32>
  }
  func.func private @_where_11(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @_where_12(%arg0: tensor<8xi1>, %arg1: tensor<8xi32>, %arg2: tensor<i32>) -> tensor<8xi32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<8xi1>, tensor<8xi32>
    return %1 : tensor<8xi32>
  }
}
