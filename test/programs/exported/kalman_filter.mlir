module @kalman_filter attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<15x2xf32>, %arg1: tensor<4xf32>) -> (tensor<15x4xf32> {jax.result_info = "result[0]"}, tensor<4x4xf32> {jax.result_info = "result[1]"}, tensor<15x2xf32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.iota dim = 0 : tensor<4x4xi32>
    %1 = stablehlo.iota dim = 1 : tensor<4x4xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x4xi32>
    %3 = stablehlo.add %0, %2 : tensor<4x4xi32>
    %4 = stablehlo.compare EQ, %3, %1, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
    %5 = stablehlo.convert %4 : (tensor<4x4xi1>) -> tensor<4x4xf32>
    %6 = stablehlo.iota dim = 0 : tensor<4x4xi32>
    %7 = stablehlo.iota dim = 1 : tensor<4x4xi32>
    %c_0 = stablehlo.constant dense<2> : tensor<i32>
    %8 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x4xi32>
    %9 = stablehlo.add %6, %8 : tensor<4x4xi32>
    %10 = stablehlo.compare EQ, %9, %7, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
    %11 = stablehlo.convert %10 : (tensor<4x4xi1>) -> tensor<4x4xf32>
    %cst = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %13 = stablehlo.multiply %12, %11 : tensor<4x4xf32>
    %14 = stablehlo.add %5, %13 : tensor<4x4xf32>
    %15 = stablehlo.iota dim = 0 : tensor<2x4xi32>
    %16 = stablehlo.iota dim = 1 : tensor<2x4xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %17 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %18 = stablehlo.add %15, %17 : tensor<2x4xi32>
    %19 = stablehlo.compare EQ, %18, %16, SIGNED : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
    %20 = stablehlo.convert %19 : (tensor<2x4xi1>) -> tensor<2x4xf32>
    %21 = stablehlo.iota dim = 0 : tensor<4x4xi32>
    %22 = stablehlo.iota dim = 1 : tensor<4x4xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %23 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4x4xi32>
    %24 = stablehlo.add %21, %23 : tensor<4x4xi32>
    %25 = stablehlo.compare EQ, %24, %22, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
    %26 = stablehlo.convert %25 : (tensor<4x4xi1>) -> tensor<4x4xf32>
    %27 = call @cumsum(%arg0) : (tensor<15x2xf32>) -> tensor<15x2xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<15x4xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<15x2xf32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %30:8 = stablehlo.while(%iterArg = %27, %iterArg_6 = %14, %iterArg_7 = %20, %iterArg_8 = %c_5, %iterArg_9 = %arg1, %iterArg_10 = %26, %iterArg_11 = %28, %iterArg_12 = %29) : tensor<15x2xf32>, tensor<4x4xf32>, tensor<2x4xf32>, tensor<i32>, tensor<4xf32>, tensor<4x4xf32>, tensor<15x4xf32>, tensor<15x2xf32>
    cond {
      %c_13 = stablehlo.constant dense<15> : tensor<i32>
      %31 = stablehlo.compare LT, %iterArg_8, %c_13, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %31 : tensor<i1>
    } do {
      %31 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_8) : (tensor<15x2xf32>, tensor<i32>) -> tensor<2xf32>
      %32:4 = func.call @closed_call(%iterArg_6, %iterArg_7, %iterArg_9, %iterArg_10, %31) : (tensor<4x4xf32>, tensor<2x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<2xf32>) -> (tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<2xf32>)
      %33 = func.call @dynamic_update_index_in_dim(%iterArg_11, %32#2, %iterArg_8) : (tensor<15x4xf32>, tensor<4xf32>, tensor<i32>) -> tensor<15x4xf32>
      %34 = func.call @dynamic_update_index_in_dim_2(%iterArg_12, %32#3, %iterArg_8) : (tensor<15x2xf32>, tensor<2xf32>, tensor<i32>) -> tensor<15x2xf32>
      %c_13 = stablehlo.constant dense<1> : tensor<i32>
      %35 = stablehlo.add %iterArg_8, %c_13 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_6, %iterArg_7, %35, %32#0, %32#1, %33, %34 : tensor<15x2xf32>, tensor<4x4xf32>, tensor<2x4xf32>, tensor<i32>, tensor<4xf32>, tensor<4x4xf32>, tensor<15x4xf32>, tensor<15x2xf32>
    }
    return %30#6, %30#5, %30#7 : tensor<15x4xf32>, tensor<4x4xf32>, tensor<15x2xf32>
  }
  func.func private @cumsum(%arg0: tensor<15x2xf32>) -> tensor<15x2xf32> {
    %0 = call @cumsum_0(%arg0) : (tensor<15x2xf32>) -> tensor<15x2xf32>
    return %0 : tensor<15x2xf32>
  }
  func.func private @cumsum_0(%arg0: tensor<15x2xf32>) -> tensor<15x2xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[14, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 15, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<15x2xf32>, tensor<f32>) -> tensor<15x2xf32>
    return %1 : tensor<15x2xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<15x2xf32>, %arg1: tensor<i32>) -> tensor<2xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 2] : (tensor<15x2xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2xf32>) -> tensor<2xf32>
    return %1 : tensor<2xf32>
  }
  func.func private @closed_call(%arg0: tensor<4x4xf32>, %arg1: tensor<2x4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4x4xf32>, %arg4: tensor<2xf32>) -> (tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<2xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %1 = stablehlo.dot_general %arg0, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %3 = stablehlo.dot_general %1, %2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %4 = stablehlo.iota dim = 0 : tensor<4x4xi32>
    %5 = stablehlo.iota dim = 1 : tensor<4x4xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x4xi32>
    %7 = stablehlo.add %4, %6 : tensor<4x4xi32>
    %8 = stablehlo.compare EQ, %7, %5, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
    %9 = stablehlo.convert %8 : (tensor<4x4xi1>) -> tensor<4x4xf32>
    %cst = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %11 = stablehlo.multiply %10, %9 : tensor<4x4xf32>
    %12 = stablehlo.add %3, %11 : tensor<4x4xf32>
    %13 = stablehlo.dot_general %arg1, %12, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %14 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
    %15 = stablehlo.dot_general %13, %14, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<4x2xf32>) -> tensor<2x2xf32>
    %16 = stablehlo.iota dim = 0 : tensor<2x2xi32>
    %17 = stablehlo.iota dim = 1 : tensor<2x2xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %18 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2x2xi32>
    %19 = stablehlo.add %16, %18 : tensor<2x2xi32>
    %20 = stablehlo.compare EQ, %19, %17, SIGNED : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi1>
    %21 = stablehlo.convert %20 : (tensor<2x2xi1>) -> tensor<2x2xf32>
    %cst_1 = stablehlo.constant dense<3.000000e-01> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x2xf32>
    %23 = stablehlo.multiply %22, %21 : tensor<2x2xf32>
    %24 = stablehlo.add %15, %23 : tensor<2x2xf32>
    %25 = stablehlo.dot_general %arg1, %12, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %26 = call @solve(%24, %25) : (tensor<2x2xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %27 = stablehlo.transpose %26, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
    %28 = stablehlo.dot_general %arg1, %0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2xf32>
    %29 = stablehlo.subtract %arg4, %28 : tensor<2xf32>
    %30 = stablehlo.dot_general %27, %29, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x2xf32>, tensor<2xf32>) -> tensor<4xf32>
    %31 = stablehlo.add %0, %30 : tensor<4xf32>
    %32 = stablehlo.iota dim = 0 : tensor<4x4xi32>
    %33 = stablehlo.iota dim = 1 : tensor<4x4xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %34 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4x4xi32>
    %35 = stablehlo.add %32, %34 : tensor<4x4xi32>
    %36 = stablehlo.compare EQ, %35, %33, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
    %37 = stablehlo.convert %36 : (tensor<4x4xi1>) -> tensor<4x4xf32>
    %38 = stablehlo.dot_general %27, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x2xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
    %39 = stablehlo.subtract %37, %38 : tensor<4x4xf32>
    %40 = stablehlo.dot_general %39, %12, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    return %31, %40, %31, %29 : tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<2xf32>
  }
  func.func private @solve(%arg0: tensor<2x2xf32>, %arg1: tensor<2x4xf32>) -> tensor<2x4xf32> {
    %0:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%arg0) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, l], [m], []) {i=2, j=2, k=2, l=2, m=2}, custom>} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xi32>, tensor<i32>)
    %c = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %2 = stablehlo.subtract %0#1, %1 : tensor<2xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<i32>
    %4 = stablehlo.compare GE, %0#2, %3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2xf32>
    %7 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<2x2xi1>
    %8 = stablehlo.select %7, %0#0, %6 : tensor<2x2xi1>, tensor<2x2xf32>
    %9 = stablehlo.iota dim = 0 : tensor<2xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %10:4 = stablehlo.while(%iterArg = %2, %iterArg_3 = %c_2, %iterArg_4 = %c_1, %iterArg_5 = %9) : tensor<2xi32>, tensor<i32>, tensor<i32>, tensor<2xi32>
    cond {
      %c_6 = stablehlo.constant dense<2> : tensor<i32>
      %14 = stablehlo.compare LT, %iterArg_3, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %14 : tensor<i1>
    } do {
      %14:2 = func.call @closed_call_1(%iterArg, %iterArg_4, %iterArg_5) : (tensor<2xi32>, tensor<i32>, tensor<2xi32>) -> (tensor<i32>, tensor<2xi32>)
      %c_6 = stablehlo.constant dense<1> : tensor<i32>
      %15 = stablehlo.add %iterArg_3, %c_6 : tensor<i32>
      stablehlo.return %iterArg, %15, %14#0, %14#1 : tensor<2xi32>, tensor<i32>, tensor<i32>, tensor<2xi32>
    }
    %11 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
    %12 = call @_lu_solve(%8, %10#3, %11) : (tensor<2x2xf32>, tensor<2xi32>, tensor<4x2xf32>) -> tensor<4x2xf32>
    %13 = stablehlo.transpose %12, dims = [1, 0] : (tensor<4x2xf32>) -> tensor<2x4xf32>
    return %13 : tensor<2x4xf32>
  }
  func.func private @closed_call_1(%arg0: tensor<2xi32>, %arg1: tensor<i32>, %arg2: tensor<2xi32>) -> (tensor<i32>, tensor<2xi32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg1, %c : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare LT, %arg1, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = stablehlo.convert %arg1 : tensor<i32>
    %c_1 = stablehlo.constant dense<2> : tensor<i32>
    %3 = stablehlo.add %2, %c_1 : tensor<i32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<i1>, tensor<i32>
    %5 = stablehlo.dynamic_slice %arg0, %4, sizes = [1] : (tensor<2xi32>, tensor<i32>) -> tensor<1xi32>
    %6 = stablehlo.reshape %5 : (tensor<1xi32>) -> tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.compare LT, %arg1, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %8 = stablehlo.convert %arg1 : tensor<i32>
    %c_3 = stablehlo.constant dense<2> : tensor<i32>
    %9 = stablehlo.add %8, %c_3 : tensor<i32>
    %10 = stablehlo.select %7, %9, %arg1 : tensor<i1>, tensor<i32>
    %11 = stablehlo.dynamic_slice %arg2, %10, sizes = [1] : (tensor<2xi32>, tensor<i32>) -> tensor<1xi32>
    %12 = stablehlo.reshape %11 : (tensor<1xi32>) -> tensor<i32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %13 = stablehlo.compare LT, %6, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_5 = stablehlo.constant dense<2> : tensor<i32>
    %14 = stablehlo.add %6, %c_5 : tensor<i32>
    %15 = stablehlo.select %13, %14, %6 : tensor<i1>, tensor<i32>
    %16 = stablehlo.dynamic_slice %arg2, %15, sizes = [1] : (tensor<2xi32>, tensor<i32>) -> tensor<1xi32>
    %17 = stablehlo.reshape %16 : (tensor<1xi32>) -> tensor<i32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %18 = stablehlo.compare LT, %arg1, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_7 = stablehlo.constant dense<2> : tensor<i32>
    %19 = stablehlo.add %arg1, %c_7 : tensor<i32>
    %20 = stablehlo.select %18, %19, %arg1 : tensor<i1>, tensor<i32>
    %21 = stablehlo.convert %20 : tensor<i32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %23 = "stablehlo.scatter"(%arg2, %22, %17) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
      stablehlo.return %arg4 : tensor<i32>
    }) : (tensor<2xi32>, tensor<1xi32>, tensor<i32>) -> tensor<2xi32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %24 = stablehlo.compare LT, %6, %c_8, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_9 = stablehlo.constant dense<2> : tensor<i32>
    %25 = stablehlo.add %6, %c_9 : tensor<i32>
    %26 = stablehlo.select %24, %25, %6 : tensor<i1>, tensor<i32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %28 = "stablehlo.scatter"(%23, %27, %12) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
      stablehlo.return %arg4 : tensor<i32>
    }) : (tensor<2xi32>, tensor<1xi32>, tensor<i32>) -> tensor<2xi32>
    return %0, %28 : tensor<i32>, tensor<2xi32>
  }
  func.func private @_lu_solve(%arg0: tensor<2x2xf32>, %arg1: tensor<2xi32>, %arg2: tensor<4x2xf32>) -> tensor<4x2xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1] : (tensor<4x2xf32>) -> tensor<4x2x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %2 = stablehlo.compare LT, %arg1, %1, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %c_0 = stablehlo.constant dense<2> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %4 = stablehlo.add %arg1, %3 : tensor<2xi32>
    %5 = stablehlo.select %2, %4, %arg1 : tensor<2xi1>, tensor<2xi32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %7 = "stablehlo.gather"(%0, %6) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 2], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 4, 1, 1>}> : (tensor<4x2x1xf32>, tensor<2x1xi32>) -> tensor<4x2x1xf32>
    %8 = stablehlo.transpose %7, dims = [1, 2, 0] : (tensor<4x2x1xf32>) -> tensor<2x1x4xf32>
    %9 = stablehlo.reshape %8 : (tensor<2x1x4xf32>) -> tensor<2x4xf32>
    %10 = stablehlo.custom_call @lapack_strsm_ffi(%arg0, %9) {backend_config = "", mhlo.backend_config = {diag = 85 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [k, l])->([m, n]) {i=2, j=2, k=2, l=4, m=2, n=4}, custom>} : (tensor<2x2xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %11 = stablehlo.reshape %10 : (tensor<2x4xf32>) -> tensor<2x1x4xf32>
    %12 = stablehlo.reshape %11 : (tensor<2x1x4xf32>) -> tensor<2x4xf32>
    %13 = stablehlo.custom_call @lapack_strsm_ffi(%arg0, %12) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 85 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [k, l])->([m, n]) {i=2, j=2, k=2, l=4, m=2, n=4}, custom>} : (tensor<2x2xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %14 = stablehlo.reshape %13 : (tensor<2x4xf32>) -> tensor<2x1x4xf32>
    %15 = stablehlo.transpose %14, dims = [2, 0, 1] : (tensor<2x1x4xf32>) -> tensor<4x2x1xf32>
    %16 = stablehlo.reshape %15 : (tensor<4x2x1xf32>) -> tensor<4x2xf32>
    return %16 : tensor<4x2xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<15x4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<i32>) -> tensor<15x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<15x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<15x4xf32>
    return %1 : tensor<15x4xf32>
  }
  func.func private @dynamic_update_index_in_dim_2(%arg0: tensor<15x2xf32>, %arg1: tensor<2xf32>, %arg2: tensor<i32>) -> tensor<15x2xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<15x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<15x2xf32>
    return %1 : tensor<15x2xf32>
  }
}
