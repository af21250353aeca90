module @pca_svd attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<40x6xf32>) -> (tensor<6xf32> {jax.result_info = "result[0]"}, tensor<6x6xf32> {jax.result_info = "result[1]"}, tensor<40x2xf32> {jax.result_info = "result[2]"}, tensor<40x6xf32> {jax.result_info = "result[3]"}) {
    %0 = stablehlo.iota dim = 0 : tensor<6xi32>
    %1 = stablehlo.convert %0 : (tensor<6xi32>) -> tensor<6xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = stablehlo.convert %0 : (tensor<6xi32>) -> tensor<6xf32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %4 = stablehlo.power %3, %2 : tensor<6xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [1] : (tensor<6xf32>) -> tensor<1x6xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<1x6xf32>) -> tensor<40x6xf32>
    %7 = stablehlo.multiply %arg0, %6 : tensor<40x6xf32>
    %8 = stablehlo.iota dim = 0 : tensor<6x6xi32>
    %9 = stablehlo.iota dim = 1 : tensor<6x6xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %10 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6x6xi32>
    %11 = stablehlo.add %8, %10 : tensor<6x6xi32>
    %12 = stablehlo.compare EQ, %11, %9, SIGNED : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
    %13 = stablehlo.convert %12 : (tensor<6x6xi1>) -> tensor<6x6xf32>
    %14 = stablehlo.iota dim = 0 : tensor<6x6xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %15 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<6x6xi32>
    %16 = stablehlo.add %14, %15 : tensor<6x6xi32>
    %17 = stablehlo.iota dim = 1 : tensor<6x6xi32>
    %18 = stablehlo.compare GE, %16, %17, SIGNED : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
    %19 = stablehlo.convert %18 : (tensor<6x6xi1>) -> tensor<6x6xf32>
    %cst_1 = stablehlo.constant dense<2.000000e-01> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<6x6xf32>
    %21 = stablehlo.multiply %20, %19 : tensor<6x6xf32>
    %22 = stablehlo.add %13, %21 : tensor<6x6xf32>
    %23 = stablehlo.dot_general %7, %22, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<40x6xf32>, tensor<6x6xf32>) -> tensor<40x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.reduce(%23 init: %cst_2) applies stablehlo.add across dimensions = [0] : (tensor<40x6xf32>, tensor<f32>) -> tensor<6xf32>
    %cst_3 = stablehlo.constant dense<4.000000e+01> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %26 = stablehlo.divide %24, %25 : tensor<6xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [1] : (tensor<6xf32>) -> tensor<1x6xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1] : (tensor<1x6xf32>) -> tensor<40x6xf32>
    %29 = stablehlo.subtract %23, %28 : tensor<40x6xf32>
    %30:3 = call @svd(%29) : (tensor<40x6xf32>) -> (tensor<40x6xf32>, tensor<6xf32>, tensor<6x6xf32>)
    %31 = stablehlo.abs %30#2 : tensor<6x6xf32>
    %32 = call @argmax(%31) : (tensor<6x6xf32>) -> tensor<6xi32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %34 = call @take_along_axis(%30#2, %33) : (tensor<6x6xf32>, tensor<6x1xi32>) -> tensor<6x1xf32>
    %35 = stablehlo.sign %34 : tensor<6x1xf32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0, 1] : (tensor<6x1xf32>) -> tensor<6x6xf32>
    %37 = stablehlo.multiply %30#2, %36 : tensor<6x6xf32>
    %38 = stablehlo.slice %37 [0:2, 0:6] : (tensor<6x6xf32>) -> tensor<2x6xf32>
    %39 = stablehlo.transpose %38, dims = [1, 0] : (tensor<2x6xf32>) -> tensor<6x2xf32>
    %40 = stablehlo.dot_general %29, %39, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<40x6xf32>, tensor<6x2xf32>) -> tensor<40x2xf32>
    %41 = chlo.square %30#1 : tensor<6xf32> -> tensor<6xf32>
    %cst_4 = stablehlo.constant dense<3.900000e+01> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %43 = stablehlo.divide %41, %42 : tensor<6xf32>
    %44 = stablehlo.slice %37 [0:2, 0:6] : (tensor<6x6xf32>) -> tensor<2x6xf32>
    %45 = stablehlo.dot_general %40, %44, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<40x2xf32>, tensor<2x6xf32>) -> tensor<40x6xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %46 = stablehlo.reduce(%23 init: %cst_5) applies stablehlo.add across dimensions = [0] : (tensor<40x6xf32>, tensor<f32>) -> tensor<6xf32>
    %cst_6 = stablehlo.constant dense<4.000000e+01> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %48 = stablehlo.divide %46, %47 : tensor<6xf32>
    %49 = stablehlo.broadcast_in_dim %48, dims = [1] : (tensor<6xf32>) -> tensor<1x6xf32>
    %50 = stablehlo.broadcast_in_dim %49, dims = [0, 1] : (tensor<1x6xf32>) -> tensor<40x6xf32>
    %51 = stablehlo.add %45, %50 : tensor<40x6xf32>
    return %43, %37, %40, %51 : tensor<6xf32>, tensor<6x6xf32>, tensor<40x2xf32>, tensor<40x6xf32>
  }
  func.func private @svd(%arg0: tensor<40x6xf32>) -> (tensor<40x6xf32>, tensor<6xf32>, tensor<6x6xf32>) {
    %0:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%arg0) {backend_config = "", mhlo.backend_config = {mode = 83 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, l], [m], [n, o], [p, q], []) {i=40, j=6, k=40, l=6, m=6, n=40, o=6, p=6, q=6}, custom>} : (tensor<40x6xf32>) -> (tensor<40x6xf32>, tensor<6xf32>, tensor<40x6xf32>, tensor<6x6xf32>, tensor<i32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %2 = stablehlo.compare EQ, %0#4, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<1xi1>) -> tensor<6xi1>
    %6 = stablehlo.select %5, %0#1, %4 : tensor<6xi1>, tensor<6xf32>
    %7 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst_0 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<40x6xf32>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<40x6xi1>
    %10 = stablehlo.select %9, %0#2, %8 : tensor<40x6xi1>, tensor<40x6xf32>
    %11 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<6x6xf32>
    %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<6x6xi1>
    %14 = stablehlo.select %13, %0#3, %12 : tensor<6x6xi1>, tensor<6x6xf32>
    return %10, %6, %14 : tensor<40x6xf32>, tensor<6xf32>, tensor<6x6xf32>
  }
  func.func private @argmax(%arg0: tensor<6x6xf32>) -> tensor<6xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<6x6xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<6x6xf32>, tensor<6x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<6xf32>, tensor<6xi32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare GT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
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
    return %1#1 : tensor<6xi32>
  }
  func.func private @take_along_axis(%arg0: tensor<6x6xf32>, %arg1: tensor<6x1xi32>) -> tensor<6x1xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<6x1xi32>, tensor<6x1xi32>) -> tensor<6x1xi1>
    %c_0 = stablehlo.constant dense<6> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<6x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<6x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<6x1xi1>, tensor<6x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<6x1xi32>) -> tensor<6x1x1xi32>
    %c_1 = stablehlo.constant dense<5> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<6x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<6x1x1xi32>, tensor<6x1x1xi32>) -> tensor<6x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<6x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<6x1x1xi32>, tensor<6x1x1xi32>) -> tensor<6x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<6x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<6x1x1xi1>, tensor<i1>) -> tensor<6x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<6x6xf32>, tensor<6x1x1xi32>) -> tensor<6x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<6x1xi1>, tensor<6x1xf32>
    return %15 : tensor<6x1xf32>
  }
}
