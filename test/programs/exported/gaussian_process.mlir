module @gaussian_process attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<24x2xf32>, %arg1: tensor<24xf32>, %arg2: tensor<9x2xf32>, %arg3: tensor<2xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<9xf32> {jax.result_info = "result[1][0]"}, tensor<9xf32> {jax.result_info = "result[1][1]"}) {
    %cst = stablehlo.constant dense<2.000000e-01> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %1 = stablehlo.multiply %arg3, %0 : tensor<2xf32>
    %2 = stablehlo.exponential %1 : tensor<2xf32>
    %3 = stablehlo.slice %2 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
    %4 = stablehlo.reshape %3 : (tensor<1xf32>) -> tensor<f32>
    %5 = stablehlo.slice %2 [1:2] : (tensor<2xf32>) -> tensor<1xf32>
    %6 = stablehlo.reshape %5 : (tensor<1xf32>) -> tensor<f32>
    %7 = stablehlo.broadcast_in_dim %arg0, dims = [0, 2] : (tensor<24x2xf32>) -> tensor<24x1x2xf32>
    %8 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<24x2xf32>) -> tensor<1x24x2xf32>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<24x1x2xf32>) -> tensor<24x24x2xf32>
    %10 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x24x2xf32>) -> tensor<24x24x2xf32>
    %11 = stablehlo.subtract %9, %10 : tensor<24x24x2xf32>
    %12 = chlo.square %11 : tensor<24x24x2xf32> -> tensor<24x24x2xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<24x24x2xf32>, tensor<f32>) -> tensor<24x24xf32>
    %cst_1 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<24x24xf32>
    %15 = stablehlo.multiply %14, %13 : tensor<24x24xf32>
    %16 = stablehlo.multiply %4, %4 : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<f32>) -> tensor<24x24xf32>
    %18 = stablehlo.divide %15, %17 : tensor<24x24xf32>
    %19 = stablehlo.exponential %18 : tensor<24x24xf32>
    %20 = stablehlo.iota dim = 0 : tensor<24x24xi32>
    %21 = stablehlo.iota dim = 1 : tensor<24x24xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %22 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<24x24xi32>
    %23 = stablehlo.add %20, %22 : tensor<24x24xi32>
    %24 = stablehlo.compare EQ, %23, %21, SIGNED : (tensor<24x24xi32>, tensor<24x24xi32>) -> tensor<24x24xi1>
    %25 = stablehlo.convert %24 : (tensor<24x24xi1>) -> tensor<24x24xf32>
    %26 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<f32>) -> tensor<24x24xf32>
    %27 = stablehlo.multiply %26, %25 : tensor<24x24xf32>
    %28 = stablehlo.add %19, %27 : tensor<24x24xf32>
    %29 = call @cholesky(%28) : (tensor<24x24xf32>) -> tensor<24x24xf32>
    %30 = call @_cho_solve(%29, %arg1) : (tensor<24x24xf32>, tensor<24xf32>) -> tensor<24xf32>
    %cst_2 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<24xf32>
    %32 = stablehlo.multiply %31, %arg1 : tensor<24xf32>
    %33 = stablehlo.dot_general %32, %30, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<24xf32>, tensor<24xf32>) -> tensor<f32>
    %34 = call @diagonal(%29) : (tensor<24x24xf32>) -> tensor<24xf32>
    %35 = stablehlo.log %34 : tensor<24xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %36 = stablehlo.reduce(%35 init: %cst_3) applies stablehlo.add across dimensions = [0] : (tensor<24xf32>, tensor<f32>) -> tensor<f32>
    %37 = stablehlo.subtract %33, %36 : tensor<f32>
    %cst_4 = stablehlo.constant dense<22.0545254> : tensor<f32>
    %38 = stablehlo.subtract %37, %cst_4 : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %arg2, dims = [0, 2] : (tensor<9x2xf32>) -> tensor<9x1x2xf32>
    %40 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<24x2xf32>) -> tensor<1x24x2xf32>
    %41 = stablehlo.broadcast_in_dim %39, dims = [0, 1, 2] : (tensor<9x1x2xf32>) -> tensor<9x24x2xf32>
    %42 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2] : (tensor<1x24x2xf32>) -> tensor<9x24x2xf32>
    %43 = stablehlo.subtract %41, %42 : tensor<9x24x2xf32>
    %44 = chlo.square %43 : tensor<9x24x2xf32> -> tensor<9x24x2xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %45 = stablehlo.reduce(%44 init: %cst_5) applies stablehlo.add across dimensions = [2] : (tensor<9x24x2xf32>, tensor<f32>) -> tensor<9x24xf32>
    %cst_6 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<9x24xf32>
    %47 = stablehlo.multiply %46, %45 : tensor<9x24xf32>
    %48 = stablehlo.multiply %4, %4 : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %48, dims = [] : (tensor<f32>) -> tensor<9x24xf32>
    %50 = stablehlo.divide %47, %49 : tensor<9x24xf32>
    %51 = stablehlo.exponential %50 : tensor<9x24xf32>
    %52 = stablehlo.transpose %51, dims = [1, 0] : (tensor<9x24xf32>) -> tensor<24x9xf32>
    %53 = call @_solve_triangular(%29, %52) : (tensor<24x24xf32>, tensor<24x9xf32>) -> tensor<24x9xf32>
    %54 = stablehlo.dot_general %51, %30, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<9x24xf32>, tensor<24xf32>) -> tensor<9xf32>
    %55 = chlo.square %53 : tensor<24x9xf32> -> tensor<24x9xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %56 = stablehlo.reduce(%55 init: %cst_7) applies stablehlo.add across dimensions = [0] : (tensor<24x9xf32>, tensor<f32>) -> tensor<9xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %58 = stablehlo.subtract %57, %56 : tensor<9xf32>
    return %38, %54, %58 : tensor<f32>, tensor<9xf32>, tensor<9xf32>
  }
  func.func private @cholesky(%arg0: tensor<24x24xf32>) -> tensor<24x24xf32> {
    %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<24x24xf32>) -> tensor<24x24xf32>
    %1 = stablehlo.add %arg0, %0 : tensor<24x24xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<24x24xf32>
    %3 = stablehlo.divide %1, %2 : tensor<24x24xf32>
    %4:2 = stablehlo.custom_call @lapack_spotrf_ffi(%3) {backend_config = "", mhlo.backend_config = {uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, l], []) {i=24, j=24, k=24, l=24}, custom>} : (tensor<24x24xf32>) -> (tensor<24x24xf32>, tensor<i32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %6 = stablehlo.compare EQ, %4#1, %5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst_0 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<24x24xf32>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<24x24xi1>
    %10 = stablehlo.select %9, %4#0, %8 : tensor<24x24xi1>, tensor<24x24xf32>
    %11 = stablehlo.iota dim = 0 : tensor<24x24xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %12 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<24x24xi32>
    %13 = stablehlo.add %11, %12 : tensor<24x24xi32>
    %14 = stablehlo.iota dim = 1 : tensor<24x24xi32>
    %15 = stablehlo.compare GE, %13, %14, SIGNED : (tensor<24x24xi32>, tensor<24x24xi32>) -> tensor<24x24xi1>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<24x24xf32>
    %17 = stablehlo.select %15, %10, %16 : tensor<24x24xi1>, tensor<24x24xf32>
    return %17 : tensor<24x24xf32>
  }
  func.func private @_cho_solve(%arg0: tensor<24x24xf32>, %arg1: tensor<24xf32>) -> tensor<24xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<24xf32>) -> tensor<24x1xf32>
    %1 = stablehlo.custom_call @lapack_strsm_ffi(%arg0, %0) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [k, l])->([m, n]) {i=24, j=24, k=24, l=1, m=24, n=1}, custom>} : (tensor<24x24xf32>, tensor<24x1xf32>) -> tensor<24x1xf32>
    %2 = stablehlo.reshape %1 : (tensor<24x1xf32>) -> tensor<24xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<24xf32>) -> tensor<24x1xf32>
    %4 = stablehlo.custom_call @lapack_strsm_ffi(%arg0, %3) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 84 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [k, l])->([m, n]) {i=24, j=24, k=24, l=1, m=24, n=1}, custom>} : (tensor<24x24xf32>, tensor<24x1xf32>) -> tensor<24x1xf32>
    %5 = stablehlo.reshape %4 : (tensor<24x1xf32>) -> tensor<24xf32>
    return %5 : tensor<24xf32>
  }
  func.func private @diagonal(%arg0: tensor<24x24xf32>) -> tensor<24xf32> {
    %0 = stablehlo.iota dim = 0 : tensor<24x24xi32>
    %1 = stablehlo.iota dim = 1 : tensor<24x24xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<24x24xi32>
    %3 = stablehlo.add %0, %2 : tensor<24x24xi32>
    %4 = stablehlo.compare EQ, %3, %1, SIGNED : (tensor<24x24xi32>, tensor<24x24xi32>) -> tensor<24x24xi1>
    %5 = stablehlo.convert %4 : (tensor<24x24xi1>) -> tensor<24x24xf32>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %6 = "stablehlo.case"(%c_0) ({
      %c_1 = stablehlo.constant dense<0> : tensor<i32>
      stablehlo.return %c_1 : tensor<i32>
    }, {
      %c_1 = stablehlo.constant dense<0> : tensor<i32>
      stablehlo.return %c_1 : tensor<i32>
    }) : (tensor<i32>) -> tensor<i32>
    %7 = "stablehlo.case"(%6) ({
      %8 = stablehlo.iota dim = 0 : tensor<24xi32>
      %9 = stablehlo.iota dim = 0 : tensor<24xi32>
      %c_1 = stablehlo.constant dense<0> : tensor<i32>
      %10 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<24xi32>
      %11 = stablehlo.compare LT, %8, %10, SIGNED : (tensor<24xi32>, tensor<24xi32>) -> tensor<24xi1>
      %c_2 = stablehlo.constant dense<24> : tensor<i32>
      %12 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<24xi32>
      %13 = stablehlo.add %8, %12 : tensor<24xi32>
      %14 = stablehlo.select %11, %13, %8 : tensor<24xi1>, tensor<24xi32>
      %c_3 = stablehlo.constant dense<0> : tensor<i32>
      %15 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<24xi32>
      %16 = stablehlo.compare LT, %9, %15, SIGNED : (tensor<24xi32>, tensor<24xi32>) -> tensor<24xi1>
      %c_4 = stablehlo.constant dense<24> : tensor<i32>
      %17 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<24xi32>
      %18 = stablehlo.add %9, %17 : tensor<24xi32>
      %19 = stablehlo.select %16, %18, %9 : tensor<24xi1>, tensor<24xi32>
      %20 = stablehlo.broadcast_in_dim %14, dims = [0] : (tensor<24xi32>) -> tensor<24x1xi32>
      %21 = stablehlo.broadcast_in_dim %19, dims = [0] : (tensor<24xi32>) -> tensor<24x1xi32>
      %22 = stablehlo.concatenate %20, %21, dim = 1 : (tensor<24x1xi32>, tensor<24x1xi32>) -> tensor<24x2xi32>
      %23 = "stablehlo.gather"(%arg0, %22) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<24x24xf32>, tensor<24x2xi32>) -> tensor<24xf32>
      stablehlo.return %23 : tensor<24xf32>
    }) : (tensor<i32>) -> tensor<24xf32>
    return %7 : tensor<24xf32>
  }
  func.func private @_solve_triangular(%arg0: tensor<24x24xf32>, %arg1: tensor<24x9xf32>) -> tensor<24x9xf32> {
    %0 = stablehlo.custom_call @lapack_strsm_ffi(%arg0, %arg1) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [k, l])->([m, n]) {i=24, j=24, k=24, l=9, m=24, n=9}, custom>} : (tensor<24x24xf32>, tensor<24x9xf32>) -> tensor<24x9xf32>
    return %0 : tensor<24x9xf32>
  }
}
