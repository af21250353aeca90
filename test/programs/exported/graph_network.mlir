module @graph_network attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<10x6xf32>, %arg1: tensor<25xi32>, %arg2: tensor<25xi32>, %arg3: tensor<12x8xf32>, %arg4: tensor<8xf32>, %arg5: tensor<14x6xf32>) -> (tensor<f32> {jax.result_info = "result[0][0]"}, tensor<10x6xf32> {jax.result_info = "result[0][1]"}, tensor<12x8xf32> {jax.result_info = "result[1][0]"}, tensor<8xf32> {jax.result_info = "result[1][1]"}, tensor<14x6xf32> {jax.result_info = "result[1][2]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<25xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<25xi32>, tensor<25xi32>) -> tensor<25xi1>
    %c_0 = stablehlo.constant dense<10> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<25xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<25xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<25xi1>, tensor<25xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<25xi32>) -> tensor<25x1xi32>
    %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 6>}> : (tensor<10x6xf32>, tensor<25x1xi32>) -> tensor<25x6xf32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<25xi32>
    %8 = stablehlo.compare LT, %arg2, %7, SIGNED : (tensor<25xi32>, tensor<25xi32>) -> tensor<25xi1>
    %c_2 = stablehlo.constant dense<10> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<25xi32>
    %10 = stablehlo.add %arg2, %9 : tensor<25xi32>
    %11 = stablehlo.select %8, %10, %arg2 : tensor<25xi1>, tensor<25xi32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0] : (tensor<25xi32>) -> tensor<25x1xi32>
    %13 = "stablehlo.gather"(%arg0, %12) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 6>}> : (tensor<10x6xf32>, tensor<25x1xi32>) -> tensor<25x6xf32>
    %14 = stablehlo.concatenate %6, %13, dim = 1 : (tensor<25x6xf32>, tensor<25x6xf32>) -> tensor<25x12xf32>
    %15 = stablehlo.dot_general %14, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x12xf32>, tensor<12x8xf32>) -> tensor<25x8xf32>
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<25x8xf32>
    %17 = stablehlo.divide %15, %16 : tensor<25x8xf32>
    %18 = stablehlo.tanh %17 : tensor<25x8xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<25x8xf32>
    %20 = stablehlo.subtract %19, %18 : tensor<25x8xf32>
    %21 = stablehlo.dot_general %18, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x8xf32>, tensor<8xf32>) -> tensor<25xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<10xf32>
    %23 = stablehlo.broadcast_in_dim %arg2, dims = [0] : (tensor<25xi32>) -> tensor<25x1xi32>
    %24 = "stablehlo.scatter"(%22, %23, %21) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %163 = stablehlo.maximum %arg6, %arg7 : tensor<f32>
      stablehlo.return %163 : tensor<f32>
    }) : (tensor<10xf32>, tensor<25x1xi32>, tensor<25xf32>) -> tensor<10xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<10xf32>
    %26 = "stablehlo.gather"(%22, %23) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<10xf32>, tensor<25x1xi32>) -> tensor<25xf32>
    %27 = "stablehlo.gather"(%24, %23) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<10xf32>, tensor<25x1xi32>) -> tensor<25xf32>
    %28 = stablehlo.compare EQ, %21, %27, FLOAT : (tensor<25xf32>, tensor<25xf32>) -> tensor<25xi1>
    %29 = stablehlo.compare EQ, %26, %27, FLOAT : (tensor<25xf32>, tensor<25xf32>) -> tensor<25xi1>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<10xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<25xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<25xf32>
    %33 = stablehlo.select %28, %31, %32 : tensor<25xi1>, tensor<25xf32>
    %34 = "stablehlo.scatter"(%30, %23, %33) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %163 = stablehlo.add %arg6, %arg7 : tensor<f32>
      stablehlo.return %163 : tensor<f32>
    }) : (tensor<10xf32>, tensor<25x1xi32>, tensor<25xf32>) -> tensor<10xf32>
    %35 = "stablehlo.gather"(%34, %23) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<10xf32>, tensor<25x1xi32>) -> tensor<25xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<10xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<25xf32>
    %38 = "stablehlo.scatter"(%36, %23, %37) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %163 = stablehlo.add %arg6, %arg7 : tensor<f32>
      stablehlo.return %163 : tensor<f32>
    }) : (tensor<10xf32>, tensor<25x1xi32>, tensor<25xf32>) -> tensor<10xf32>
    %39 = "stablehlo.gather"(%38, %23) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<10xf32>, tensor<25x1xi32>) -> tensor<25xf32>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<25xf32>
    %41 = stablehlo.add %35, %40 : tensor<25xf32>
    %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<25xf32>
    %43 = stablehlo.divide %42, %41 : tensor<25xf32>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<25xf32>
    %45 = stablehlo.divide %44, %35 : tensor<25xf32>
    %46 = stablehlo.select %29, %43, %45 : tensor<25xi1>, tensor<25xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<25xf32>
    %48 = stablehlo.select %28, %46, %47 : tensor<25xi1>, tensor<25xf32>
    %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<25xf32>
    %50 = stablehlo.add %35, %49 : tensor<25xf32>
    %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<25xf32>
    %52 = stablehlo.divide %51, %50 : tensor<25xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<25xf32>
    %54 = stablehlo.select %29, %52, %53 : tensor<25xi1>, tensor<25xf32>
    %cst_18 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<25xf32>
    %56 = stablehlo.add %55, %54 : tensor<25xf32>
    %57 = stablehlo.divide %56, %39 : tensor<25xf32>
    %58 = "stablehlo.gather"(%25, %23) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<10xf32>, tensor<25x1xi32>) -> tensor<25xf32>
    %59 = stablehlo.multiply %58, %57 : tensor<25xf32>
    %c_19 = stablehlo.constant dense<0> : tensor<i32>
    %60 = stablehlo.broadcast_in_dim %c_19, dims = [] : (tensor<i32>) -> tensor<25xi32>
    %61 = stablehlo.compare LT, %arg2, %60, SIGNED : (tensor<25xi32>, tensor<25xi32>) -> tensor<25xi1>
    %c_20 = stablehlo.constant dense<10> : tensor<i32>
    %62 = stablehlo.broadcast_in_dim %c_20, dims = [] : (tensor<i32>) -> tensor<25xi32>
    %63 = stablehlo.add %arg2, %62 : tensor<25xi32>
    %64 = stablehlo.select %61, %63, %arg2 : tensor<25xi1>, tensor<25xi32>
    %65 = stablehlo.broadcast_in_dim %64, dims = [0] : (tensor<25xi32>) -> tensor<25x1xi32>
    %66 = "stablehlo.gather"(%24, %65) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<10xf32>, tensor<25x1xi32>) -> tensor<25xf32>
    %67 = stablehlo.subtract %21, %66 : tensor<25xf32>
    %68 = stablehlo.exponential %67 : tensor<25xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %69 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<10xf32>
    %70 = stablehlo.broadcast_in_dim %arg2, dims = [0] : (tensor<25xi32>) -> tensor<25x1xi32>
    %71 = "stablehlo.scatter"(%69, %70, %68) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %163 = stablehlo.add %arg6, %arg7 : tensor<f32>
      stablehlo.return %163 : tensor<f32>
    }) : (tensor<10xf32>, tensor<25x1xi32>, tensor<25xf32>) -> tensor<10xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<10xf32>
    %c_23 = stablehlo.constant dense<0> : tensor<i32>
    %73 = stablehlo.broadcast_in_dim %c_23, dims = [] : (tensor<i32>) -> tensor<25xi32>
    %74 = stablehlo.compare LT, %arg2, %73, SIGNED : (tensor<25xi32>, tensor<25xi32>) -> tensor<25xi1>
    %c_24 = stablehlo.constant dense<10> : tensor<i32>
    %75 = stablehlo.broadcast_in_dim %c_24, dims = [] : (tensor<i32>) -> tensor<25xi32>
    %76 = stablehlo.add %arg2, %75 : tensor<25xi32>
    %77 = stablehlo.select %74, %76, %arg2 : tensor<25xi1>, tensor<25xi32>
    %78 = stablehlo.broadcast_in_dim %77, dims = [0] : (tensor<25xi32>) -> tensor<25x1xi32>
    %79 = "stablehlo.gather"(%71, %78) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<10xf32>, tensor<25x1xi32>) -> tensor<25xf32>
    %80 = stablehlo.divide %68, %79 : tensor<25xf32>
    %81 = stablehlo.multiply %79, %79 : tensor<25xf32>
    %cst_25 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<25xf32>
    %83 = stablehlo.divide %82, %81 : tensor<25xf32>
    %84 = stablehlo.broadcast_in_dim %80, dims = [0] : (tensor<25xf32>) -> tensor<25x1xf32>
    %85 = stablehlo.broadcast_in_dim %84, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x8xf32>
    %86 = stablehlo.multiply %18, %85 : tensor<25x8xf32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %87 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<10x8xf32>
    %88 = stablehlo.broadcast_in_dim %arg2, dims = [0] : (tensor<25xi32>) -> tensor<25x1xi32>
    %89 = "stablehlo.scatter"(%87, %88, %86) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %163 = stablehlo.add %arg6, %arg7 : tensor<f32>
      stablehlo.return %163 : tensor<f32>
    }) : (tensor<10x8xf32>, tensor<25x1xi32>, tensor<25x8xf32>) -> tensor<10x8xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %90 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<10x8xf32>
    %91 = stablehlo.concatenate %arg0, %89, dim = 1 : (tensor<10x6xf32>, tensor<10x8xf32>) -> tensor<10x14xf32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<10x6xf32>
    %93 = stablehlo.dot_general %91, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<10x14xf32>, tensor<14x6xf32>) -> tensor<10x6xf32>
    %cst_29 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %94 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<10x6xf32>
    %95 = stablehlo.divide %93, %94 : tensor<10x6xf32>
    %96 = call @relu(%95) : (tensor<10x6xf32>) -> tensor<10x6xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %97 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<10x6xf32>
    %98 = stablehlo.compare GT, %95, %97, FLOAT : (tensor<10x6xf32>, tensor<10x6xf32>) -> tensor<10x6xi1>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %99 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<10x6xf32>
    %100 = stablehlo.add %arg0, %96 : tensor<10x6xf32>
    %101 = chlo.square %100 : tensor<10x6xf32> -> tensor<10x6xf32>
    %cst_32 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<10x6xf32>
    %103 = stablehlo.multiply %102, %100 : tensor<10x6xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %104 = stablehlo.reduce(%101 init: %cst_33) applies stablehlo.add across dimensions = [0, 1] : (tensor<10x6xf32>, tensor<f32>) -> tensor<f32>
    %cst_34 = stablehlo.constant dense<6.000000e+01> : tensor<f32>
    %105 = stablehlo.divide %104, %cst_34 : tensor<f32>
    %cst_35 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_36 = stablehlo.constant dense<6.000000e+01> : tensor<f32>
    %106 = stablehlo.divide %cst_35, %cst_36 : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %106, dims = [] : (tensor<f32>) -> tensor<10x6xf32>
    %108 = stablehlo.multiply %107, %103 : tensor<10x6xf32>
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %109 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<10x6xf32>
    %110 = stablehlo.select %98, %108, %109 : tensor<10x6xi1>, tensor<10x6xf32>
    %cst_38 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %111 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<10x6xf32>
    %112 = stablehlo.divide %110, %111 : tensor<10x6xf32>
    %113 = stablehlo.dot_general %112, %91, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<10x6xf32>, tensor<10x14xf32>) -> tensor<6x14xf32>
    %114 = stablehlo.transpose %113, dims = [1, 0] : (tensor<6x14xf32>) -> tensor<14x6xf32>
    %115 = stablehlo.dot_general %112, %arg5, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<10x6xf32>, tensor<14x6xf32>) -> tensor<10x14xf32>
    %116 = stablehlo.slice %115 [0:10, 0:6] : (tensor<10x14xf32>) -> tensor<10x6xf32>
    %117 = stablehlo.slice %115 [0:10, 6:14] : (tensor<10x14xf32>) -> tensor<10x8xf32>
    %c_39 = stablehlo.constant dense<9> : tensor<1xi32>
    %c_40 = stablehlo.constant dense<0> : tensor<i32>
    %118 = stablehlo.broadcast_in_dim %c_40, dims = [] : (tensor<i32>) -> tensor<25x1xi32>
    %119 = stablehlo.compare GE, %88, %118, SIGNED : (tensor<25x1xi32>, tensor<25x1xi32>) -> tensor<25x1xi1>
    %120 = stablehlo.broadcast_in_dim %c_39, dims = [1] : (tensor<1xi32>) -> tensor<1x1xi32>
    %121 = stablehlo.broadcast_in_dim %120, dims = [0, 1] : (tensor<1x1xi32>) -> tensor<25x1xi32>
    %122 = stablehlo.compare LE, %88, %121, SIGNED : (tensor<25x1xi32>, tensor<25x1xi32>) -> tensor<25x1xi1>
    %123 = stablehlo.and %119, %122 : tensor<25x1xi1>
    %c_41 = stablehlo.constant dense<true> : tensor<i1>
    %124 = stablehlo.reduce(%123 init: %c_41) applies stablehlo.and across dimensions = [1] : (tensor<25x1xi1>, tensor<i1>) -> tensor<25xi1>
    %125 = "stablehlo.gather"(%117, %88) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<10x8xf32>, tensor<25x1xi32>) -> tensor<25x8xf32>
    %126 = stablehlo.broadcast_in_dim %124, dims = [0] : (tensor<25xi1>) -> tensor<25x8xi1>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %127 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<25x8xf32>
    %128 = stablehlo.select %126, %125, %127 : tensor<25x8xi1>, tensor<25x8xf32>
    %129 = stablehlo.multiply %18, %128 : tensor<25x8xf32>
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %130 = stablehlo.reduce(%129 init: %cst_43) applies stablehlo.add across dimensions = [1] : (tensor<25x8xf32>, tensor<f32>) -> tensor<25xf32>
    %131 = stablehlo.reshape %130 : (tensor<25xf32>) -> tensor<25x1xf32>
    %132 = stablehlo.broadcast_in_dim %84, dims = [0, 1] : (tensor<25x1xf32>) -> tensor<25x8xf32>
    %133 = stablehlo.multiply %128, %132 : tensor<25x8xf32>
    %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %134 = stablehlo.reduce(%131 init: %cst_44) applies stablehlo.add across dimensions = [1] : (tensor<25x1xf32>, tensor<f32>) -> tensor<25xf32>
    %135 = stablehlo.multiply %134, %83 : tensor<25xf32>
    %136 = stablehlo.multiply %135, %68 : tensor<25xf32>
    %137 = stablehlo.negate %136 : tensor<25xf32>
    %138 = stablehlo.divide %134, %79 : tensor<25xf32>
    %cst_45 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %139 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<10xf32>
    %140 = "stablehlo.scatter"(%139, %78, %137) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %163 = stablehlo.add %arg6, %arg7 : tensor<f32>
      stablehlo.return %163 : tensor<f32>
    }) : (tensor<10xf32>, tensor<25x1xi32>, tensor<25xf32>) -> tensor<10xf32>
    %c_46 = stablehlo.constant dense<9> : tensor<1xi32>
    %c_47 = stablehlo.constant dense<0> : tensor<i32>
    %141 = stablehlo.broadcast_in_dim %c_47, dims = [] : (tensor<i32>) -> tensor<25x1xi32>
    %142 = stablehlo.compare GE, %70, %141, SIGNED : (tensor<25x1xi32>, tensor<25x1xi32>) -> tensor<25x1xi1>
    %143 = stablehlo.broadcast_in_dim %c_46, dims = [1] : (tensor<1xi32>) -> tensor<1x1xi32>
    %144 = stablehlo.broadcast_in_dim %143, dims = [0, 1] : (tensor<1x1xi32>) -> tensor<25x1xi32>
    %145 = stablehlo.compare LE, %70, %144, SIGNED : (tensor<25x1xi32>, tensor<25x1xi32>) -> tensor<25x1xi1>
    %146 = stablehlo.and %142, %145 : tensor<25x1xi1>
    %c_48 = stablehlo.constant dense<true> : tensor<i1>
    %147 = stablehlo.reduce(%146 init: %c_48) applies stablehlo.and across dimensions = [1] : (tensor<25x1xi1>, tensor<i1>) -> tensor<25xi1>
    %148 = "stablehlo.gather"(%140, %70) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<10xf32>, tensor<25x1xi32>) -> tensor<25xf32>
    %cst_49 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %149 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<25xf32>
    %150 = stablehlo.select %147, %148, %149 : tensor<25xi1>, tensor<25xf32>
    %151 = stablehlo.add %138, %150 : tensor<25xf32>
    %152 = stablehlo.multiply %151, %68 : tensor<25xf32>
    %153 = stablehlo.dot_general %152, %18, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25xf32>, tensor<25x8xf32>) -> tensor<8xf32>
    %154 = stablehlo.dot_general %152, %arg4, contracting_dims = [] x [], precision = [DEFAULT, DEFAULT] : (tensor<25xf32>, tensor<8xf32>) -> tensor<25x8xf32>
    %155 = stablehlo.add %133, %154 : tensor<25x8xf32>
    %156 = stablehlo.multiply %155, %20 : tensor<25x8xf32>
    %157 = stablehlo.multiply %156, %18 : tensor<25x8xf32>
    %158 = stablehlo.add %156, %157 : tensor<25x8xf32>
    %cst_50 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %159 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<25x8xf32>
    %160 = stablehlo.divide %158, %159 : tensor<25x8xf32>
    %161 = stablehlo.dot_general %160, %14, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<25x8xf32>, tensor<25x12xf32>) -> tensor<8x12xf32>
    %162 = stablehlo.transpose %161, dims = [1, 0] : (tensor<8x12xf32>) -> tensor<12x8xf32>
    return %105, %100, %162, %153, %114 : tensor<f32>, tensor<10x6xf32>, tensor<12x8xf32>, tensor<8xf32>, tensor<14x6xf32>
  }
  func.func private @relu(%arg0: tensor<10x6xf32>) -> tensor<10x6xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<10x6xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<10x6xf32>
    return %1 : tensor<10x6xf32>
  }
}
