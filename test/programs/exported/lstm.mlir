module @lstm attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<12x3x5xf32>, %arg1: tensor<3x8xf32>, %arg2: tensor<3x8xf32>, %arg3: tensor<5x32xf32>, %arg4: tensor<8x32xf32>, %arg5: tensor<32xf32>, %arg6: tensor<3x8xf32>) -> (tensor<f32> {jax.result_info = "result[0][0]"}, tensor<12x3x8xf32> {jax.result_info = "result[0][1][0]"}, tensor<3x8xf32> {jax.result_info = "result[0][1][1]"}, tensor<5x32xf32> {jax.result_info = "result[1][0]"}, tensor<8x32xf32> {jax.result_info = "result[1][1]"}, tensor<32xf32> {jax.result_info = "result[1][2]"}) {
    %0 = stablehlo.broadcast_in_dim %arg5, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<12x3x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<12x3x8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<12x3x8xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<12x3x8xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<12x3x8xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<12x3x8xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<12x3x8xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<12x3x8xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<12x3x8xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<12x3x8xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<12x3x8xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<12x3x8xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<12x3x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %14:20 = stablehlo.while(%iterArg = %arg0, %iterArg_24 = %arg3, %iterArg_25 = %arg4, %iterArg_26 = %0, %iterArg_27 = %c, %iterArg_28 = %arg1, %iterArg_29 = %arg2, %iterArg_30 = %1, %iterArg_31 = %2, %iterArg_32 = %3, %iterArg_33 = %4, %iterArg_34 = %5, %iterArg_35 = %6, %iterArg_36 = %7, %iterArg_37 = %8, %iterArg_38 = %9, %iterArg_39 = %10, %iterArg_40 = %11, %iterArg_41 = %12, %iterArg_42 = %13) : tensor<12x3x5xf32>, tensor<5x32xf32>, tensor<8x32xf32>, tensor<1x32xf32>, tensor<i32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>
    cond {
      %c_43 = stablehlo.constant dense<12> : tensor<i32>
      %31 = stablehlo.compare LT, %iterArg_27, %c_43, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %31 : tensor<i1>
    } do {
      %31 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_27) : (tensor<12x3x5xf32>, tensor<i32>) -> tensor<3x5xf32>
      %32:15 = func.call @closed_call(%iterArg_24, %iterArg_25, %iterArg_26, %iterArg_28, %iterArg_29, %31) : (tensor<5x32xf32>, tensor<8x32xf32>, tensor<1x32xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x5xf32>) -> (tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>)
      %33 = func.call @dynamic_update_index_in_dim(%iterArg_30, %32#2, %iterArg_27) : (tensor<12x3x8xf32>, tensor<3x8xf32>, tensor<i32>) -> tensor<12x3x8xf32>
      %34 = func.call @dynamic_update_index_in_dim(%iterArg_31, %32#3, %iterArg_27) : (tensor<12x3x8xf32>, tensor<3x8xf32>, tensor<i32>) -> tensor<12x3x8xf32>
      %35 = func.call @dynamic_update_index_in_dim(%iterArg_32, %32#4, %iterArg_27) : (tensor<12x3x8xf32>, tensor<3x8xf32>, tensor<i32>) -> tensor<12x3x8xf32>
      %36 = func.call @dynamic_update_index_in_dim(%iterArg_33, %32#5, %iterArg_27) : (tensor<12x3x8xf32>, tensor<3x8xf32>, tensor<i32>) -> tensor<12x3x8xf32>
      %37 = func.call @dynamic_update_index_in_dim(%iterArg_34, %32#6, %iterArg_27) : (tensor<12x3x8xf32>, tensor<3x8xf32>, tensor<i32>) -> tensor<12x3x8xf32>
      %38 = func.call @dynamic_update_index_in_dim(%iterArg_35, %32#7, %iterArg_27) : (tensor<12x3x8xf32>, tensor<3x8xf32>, tensor<i32>) -> tensor<12x3x8xf32>
      %39 = func.call @dynamic_update_index_in_dim(%iterArg_36, %32#8, %iterArg_27) : (tensor<12x3x8xf32>, tensor<3x8xf32>, tensor<i32>) -> tensor<12x3x8xf32>
      %40 = func.call @dynamic_update_index_in_dim(%iterArg_37, %32#9, %iterArg_27) : (tensor<12x3x8xf32>, tensor<3x8xf32>, tensor<i32>) -> tensor<12x3x8xf32>
      %41 = func.call @dynamic_update_index_in_dim(%iterArg_38, %32#10, %iterArg_27) : (tensor<12x3x8xf32>, tensor<3x8xf32>, tensor<i32>) -> tensor<12x3x8xf32>
      %42 = func.call @dynamic_update_index_in_dim(%iterArg_39, %32#11, %iterArg_27) : (tensor<12x3x8xf32>, tensor<3x8xf32>, tensor<i32>) -> tensor<12x3x8xf32>
      %43 = func.call @dynamic_update_index_in_dim(%iterArg_40, %32#12, %iterArg_27) : (tensor<12x3x8xf32>, tensor<3x8xf32>, tensor<i32>) -> tensor<12x3x8xf32>
      %44 = func.call @dynamic_update_index_in_dim(%iterArg_41, %32#13, %iterArg_27) : (tensor<12x3x8xf32>, tensor<3x8xf32>, tensor<i32>) -> tensor<12x3x8xf32>
      %45 = func.call @dynamic_update_index_in_dim(%iterArg_42, %32#14, %iterArg_27) : (tensor<12x3x8xf32>, tensor<3x8xf32>, tensor<i32>) -> tensor<12x3x8xf32>
      %c_43 = stablehlo.constant dense<1> : tensor<i32>
      %46 = stablehlo.add %iterArg_27, %c_43 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_24, %iterArg_25, %iterArg_26, %46, %32#0, %32#1, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45 : tensor<12x3x5xf32>, tensor<5x32xf32>, tensor<8x32xf32>, tensor<1x32xf32>, tensor<i32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>
    }
    %15 = stablehlo.subtract %14#5, %arg6 : tensor<3x8xf32>
    %16 = chlo.square %15 : tensor<3x8xf32> -> tensor<3x8xf32>
    %cst_12 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<3x8xf32>
    %18 = stablehlo.multiply %17, %15 : tensor<3x8xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.reduce(%16 init: %cst_13) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_14 = stablehlo.constant dense<2.400000e+01> : tensor<f32>
    %20 = stablehlo.divide %19, %cst_14 : tensor<f32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<3x8xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<3x8xf32>
    %cst_17 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_18 = stablehlo.constant dense<2.400000e+01> : tensor<f32>
    %23 = stablehlo.divide %cst_17, %cst_18 : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [] : (tensor<f32>) -> tensor<3x8xf32>
    %25 = stablehlo.multiply %24, %18 : tensor<3x8xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<3x8xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<5x32xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<8x32xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %c_23 = stablehlo.constant dense<0> : tensor<i32>
    %30:20 = stablehlo.while(%iterArg = %arg0, %iterArg_24 = %14#8, %iterArg_25 = %14#9, %iterArg_26 = %14#10, %iterArg_27 = %14#11, %iterArg_28 = %14#12, %iterArg_29 = %14#13, %iterArg_30 = %14#14, %iterArg_31 = %14#15, %iterArg_32 = %14#16, %iterArg_33 = %14#17, %iterArg_34 = %14#18, %iterArg_35 = %14#19, %iterArg_36 = %arg4, %iterArg_37 = %c_23, %iterArg_38 = %27, %iterArg_39 = %28, %iterArg_40 = %29, %iterArg_41 = %25, %iterArg_42 = %26) : tensor<12x3x5xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>, tensor<8x32xf32>, tensor<i32>, tensor<5x32xf32>, tensor<8x32xf32>, tensor<32xf32>, tensor<3x8xf32>, tensor<3x8xf32>
    cond {
      %c_43 = stablehlo.constant dense<12> : tensor<i32>
      %31 = stablehlo.compare LT, %iterArg_37, %c_43, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %31 : tensor<i1>
    } do {
      %c_43 = stablehlo.constant dense<12> : tensor<i32>
      %31 = stablehlo.subtract %c_43, %iterArg_37 : tensor<i32>
      %c_44 = stablehlo.constant dense<1> : tensor<i32>
      %32 = stablehlo.subtract %31, %c_44 : tensor<i32>
      %33 = func.call @dynamic_index_in_dim(%iterArg, %32) : (tensor<12x3x5xf32>, tensor<i32>) -> tensor<3x5xf32>
      %34 = func.call @dynamic_index_in_dim_0(%iterArg_24, %32) : (tensor<12x3x8xf32>, tensor<i32>) -> tensor<3x8xf32>
      %35 = func.call @dynamic_index_in_dim_0(%iterArg_25, %32) : (tensor<12x3x8xf32>, tensor<i32>) -> tensor<3x8xf32>
      %36 = func.call @dynamic_index_in_dim_0(%iterArg_26, %32) : (tensor<12x3x8xf32>, tensor<i32>) -> tensor<3x8xf32>
      %37 = func.call @dynamic_index_in_dim_0(%iterArg_27, %32) : (tensor<12x3x8xf32>, tensor<i32>) -> tensor<3x8xf32>
      %38 = func.call @dynamic_index_in_dim_0(%iterArg_28, %32) : (tensor<12x3x8xf32>, tensor<i32>) -> tensor<3x8xf32>
      %39 = func.call @dynamic_index_in_dim_0(%iterArg_29, %32) : (tensor<12x3x8xf32>, tensor<i32>) -> tensor<3x8xf32>
      %40 = func.call @dynamic_index_in_dim_0(%iterArg_30, %32) : (tensor<12x3x8xf32>, tensor<i32>) -> tensor<3x8xf32>
      %41 = func.call @dynamic_index_in_dim_0(%iterArg_31, %32) : (tensor<12x3x8xf32>, tensor<i32>) -> tensor<3x8xf32>
      %42 = func.call @dynamic_index_in_dim_0(%iterArg_32, %32) : (tensor<12x3x8xf32>, tensor<i32>) -> tensor<3x8xf32>
      %43 = func.call @dynamic_index_in_dim_0(%iterArg_33, %32) : (tensor<12x3x8xf32>, tensor<i32>) -> tensor<3x8xf32>
      %44 = func.call @dynamic_index_in_dim_0(%iterArg_34, %32) : (tensor<12x3x8xf32>, tensor<i32>) -> tensor<3x8xf32>
      %45 = func.call @dynamic_index_in_dim_0(%iterArg_35, %32) : (tensor<12x3x8xf32>, tensor<i32>) -> tensor<3x8xf32>
      %46:5 = func.call @closed_call_1(%iterArg_36, %iterArg_38, %iterArg_39, %iterArg_40, %iterArg_41, %iterArg_42, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45) : (tensor<8x32xf32>, tensor<5x32xf32>, tensor<8x32xf32>, tensor<32xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x5xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>) -> (tensor<5x32xf32>, tensor<8x32xf32>, tensor<32xf32>, tensor<3x8xf32>, tensor<3x8xf32>)
      %c_45 = stablehlo.constant dense<1> : tensor<i32>
      %47 = stablehlo.add %iterArg_37, %c_45 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_24, %iterArg_25, %iterArg_26, %iterArg_27, %iterArg_28, %iterArg_29, %iterArg_30, %iterArg_31, %iterArg_32, %iterArg_33, %iterArg_34, %iterArg_35, %iterArg_36, %47, %46#0, %46#1, %46#2, %46#3, %46#4 : tensor<12x3x5xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>, tensor<12x3x8xf32>, tensor<8x32xf32>, tensor<i32>, tensor<5x32xf32>, tensor<8x32xf32>, tensor<32xf32>, tensor<3x8xf32>, tensor<3x8xf32>
    }
    return %20, %14#7, %14#6, %30#15, %30#16, %30#17 : tensor<f32>, tensor<12x3x8xf32>, tensor<3x8xf32>, tensor<5x32xf32>, tensor<8x32xf32>, tensor<32xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<12x3x5xf32>, %arg1: tensor<i32>) -> tensor<3x5xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 3, 5] : (tensor<12x3x5xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x3x5xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x3x5xf32>) -> tensor<3x5xf32>
    return %1 : tensor<3x5xf32>
  }
  func.func private @closed_call(%arg0: tensor<5x32xf32>, %arg1: tensor<8x32xf32>, %arg2: tensor<1x32xf32>, %arg3: tensor<3x8xf32>, %arg4: tensor<3x8xf32>, %arg5: tensor<3x5xf32>) -> (tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>) {
    %0 = stablehlo.dot_general %arg5, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x5xf32>, tensor<5x32xf32>) -> tensor<3x32xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x32xf32>
    %2 = stablehlo.divide %0, %1 : tensor<3x32xf32>
    %3 = stablehlo.dot_general %arg3, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x8xf32>, tensor<8x32xf32>) -> tensor<3x32xf32>
    %cst_0 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x32xf32>
    %5 = stablehlo.divide %3, %4 : tensor<3x32xf32>
    %6 = stablehlo.add %2, %5 : tensor<3x32xf32>
    %7 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1] : (tensor<1x32xf32>) -> tensor<3x32xf32>
    %8 = stablehlo.add %6, %7 : tensor<3x32xf32>
    %9 = stablehlo.slice %8 [0:3, 0:8] : (tensor<3x32xf32>) -> tensor<3x8xf32>
    %10 = stablehlo.slice %8 [0:3, 8:16] : (tensor<3x32xf32>) -> tensor<3x8xf32>
    %11 = stablehlo.slice %8 [0:3, 16:24] : (tensor<3x32xf32>) -> tensor<3x8xf32>
    %12 = stablehlo.slice %8 [0:3, 24:32] : (tensor<3x32xf32>) -> tensor<3x8xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x8xf32>
    %14 = stablehlo.add %10, %13 : tensor<3x8xf32>
    %15 = stablehlo.negate %14 : tensor<3x8xf32>
    %16 = stablehlo.exponential %15 : tensor<3x8xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<3x8xf32>
    %18 = stablehlo.add %17, %16 : tensor<3x8xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<3x8xf32>
    %20 = stablehlo.divide %19, %18 : tensor<3x8xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<3x8xf32>
    %22 = stablehlo.subtract %21, %20 : tensor<3x8xf32>
    %23 = stablehlo.multiply %20, %22 : tensor<3x8xf32>
    %24 = stablehlo.multiply %20, %arg4 : tensor<3x8xf32>
    %25 = stablehlo.negate %9 : tensor<3x8xf32>
    %26 = stablehlo.exponential %25 : tensor<3x8xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<3x8xf32>
    %28 = stablehlo.add %27, %26 : tensor<3x8xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<3x8xf32>
    %30 = stablehlo.divide %29, %28 : tensor<3x8xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<3x8xf32>
    %32 = stablehlo.subtract %31, %30 : tensor<3x8xf32>
    %33 = stablehlo.multiply %30, %32 : tensor<3x8xf32>
    %34 = stablehlo.tanh %11 : tensor<3x8xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<3x8xf32>
    %36 = stablehlo.subtract %35, %34 : tensor<3x8xf32>
    %37 = stablehlo.multiply %30, %34 : tensor<3x8xf32>
    %38 = stablehlo.add %24, %37 : tensor<3x8xf32>
    %39 = stablehlo.negate %12 : tensor<3x8xf32>
    %40 = stablehlo.exponential %39 : tensor<3x8xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<3x8xf32>
    %42 = stablehlo.add %41, %40 : tensor<3x8xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<3x8xf32>
    %44 = stablehlo.divide %43, %42 : tensor<3x8xf32>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<3x8xf32>
    %46 = stablehlo.subtract %45, %44 : tensor<3x8xf32>
    %47 = stablehlo.multiply %44, %46 : tensor<3x8xf32>
    %48 = stablehlo.tanh %38 : tensor<3x8xf32>
    %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<3x8xf32>
    %50 = stablehlo.subtract %49, %48 : tensor<3x8xf32>
    %51 = stablehlo.multiply %44, %48 : tensor<3x8xf32>
    return %51, %38, %51, %arg3, %23, %arg4, %20, %33, %34, %36, %30, %47, %48, %50, %44 : tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<12x3x8xf32>, %arg1: tensor<3x8xf32>, %arg2: tensor<i32>) -> tensor<12x3x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<3x8xf32>) -> tensor<1x3x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<12x3x8xf32>, tensor<1x3x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<12x3x8xf32>
    return %1 : tensor<12x3x8xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<12x3x8xf32>, %arg1: tensor<i32>) -> tensor<3x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 3, 8] : (tensor<12x3x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x3x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x3x8xf32>) -> tensor<3x8xf32>
    return %1 : tensor<3x8xf32>
  }
  func.func private @closed_call_1(%arg0: tensor<8x32xf32>, %arg1: tensor<5x32xf32>, %arg2: tensor<8x32xf32>, %arg3: tensor<32xf32>, %arg4: tensor<3x8xf32>, %arg5: tensor<3x8xf32>, %arg6: tensor<3x5xf32>, %arg7: tensor<3x8xf32>, %arg8: tensor<3x8xf32>, %arg9: tensor<3x8xf32>, %arg10: tensor<3x8xf32>, %arg11: tensor<3x8xf32>, %arg12: tensor<3x8xf32>, %arg13: tensor<3x8xf32>, %arg14: tensor<3x8xf32>, %arg15: tensor<3x8xf32>, %arg16: tensor<3x8xf32>, %arg17: tensor<3x8xf32>, %arg18: tensor<3x8xf32>) -> (tensor<5x32xf32>, tensor<8x32xf32>, tensor<32xf32>, tensor<3x8xf32>, tensor<3x8xf32>) {
    %0 = stablehlo.multiply %arg18, %arg4 : tensor<3x8xf32>
    %1 = stablehlo.multiply %arg4, %arg16 : tensor<3x8xf32>
    %2 = stablehlo.multiply %0, %arg17 : tensor<3x8xf32>
    %3 = stablehlo.add %arg5, %2 : tensor<3x8xf32>
    %4 = stablehlo.multiply %2, %arg16 : tensor<3x8xf32>
    %5 = stablehlo.add %3, %4 : tensor<3x8xf32>
    %6 = stablehlo.multiply %1, %arg15 : tensor<3x8xf32>
    %7 = stablehlo.multiply %arg14, %5 : tensor<3x8xf32>
    %8 = stablehlo.multiply %5, %arg12 : tensor<3x8xf32>
    %9 = stablehlo.multiply %7, %arg13 : tensor<3x8xf32>
    %10 = stablehlo.multiply %9, %arg12 : tensor<3x8xf32>
    %11 = stablehlo.add %9, %10 : tensor<3x8xf32>
    %12 = stablehlo.multiply %8, %arg11 : tensor<3x8xf32>
    %13 = stablehlo.multiply %arg10, %5 : tensor<3x8xf32>
    %14 = stablehlo.multiply %5, %arg9 : tensor<3x8xf32>
    %15 = stablehlo.multiply %14, %arg8 : tensor<3x8xf32>
    %16 = stablehlo.concatenate %12, %15, %11, %6, dim = 1 : (tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>) -> tensor<3x32xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.reduce(%16 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<3x32xf32>, tensor<f32>) -> tensor<32xf32>
    %18 = stablehlo.reshape %17 : (tensor<32xf32>) -> tensor<1x32xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.reduce(%18 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %20 = stablehlo.add %arg3, %19 : tensor<32xf32>
    %cst_1 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x32xf32>
    %22 = stablehlo.divide %16, %21 : tensor<3x32xf32>
    %23 = stablehlo.dot_general %22, %arg7, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x32xf32>, tensor<3x8xf32>) -> tensor<32x8xf32>
    %24 = stablehlo.transpose %23, dims = [1, 0] : (tensor<32x8xf32>) -> tensor<8x32xf32>
    %25 = stablehlo.add %arg2, %24 : tensor<8x32xf32>
    %26 = stablehlo.dot_general %22, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<3x32xf32>, tensor<8x32xf32>) -> tensor<3x8xf32>
    %cst_2 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<3x32xf32>
    %28 = stablehlo.divide %16, %27 : tensor<3x32xf32>
    %29 = stablehlo.dot_general %28, %arg6, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x32xf32>, tensor<3x5xf32>) -> tensor<32x5xf32>
    %30 = stablehlo.transpose %29, dims = [1, 0] : (tensor<32x5xf32>) -> tensor<5x32xf32>
    %31 = stablehlo.add %arg1, %30 : tensor<5x32xf32>
    return %31, %25, %20, %26, %13 : tensor<5x32xf32>, tensor<8x32xf32>, tensor<32xf32>, tensor<3x8xf32>, tensor<3x8xf32>
  }
}
