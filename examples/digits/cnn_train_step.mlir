module @jit_train_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x3x1x16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<3x3x16x32xf32>, %arg3: tensor<32xf32>, %arg4: tensor<3x3x32x64xf32>, %arg5: tensor<64xf32>, %arg6: tensor<256x10xf32>, %arg7: tensor<10xf32>, %arg8: tensor<3x3x1x16xf32>, %arg9: tensor<16xf32>, %arg10: tensor<3x3x16x32xf32>, %arg11: tensor<32xf32>, %arg12: tensor<3x3x32x64xf32>, %arg13: tensor<64xf32>, %arg14: tensor<256x10xf32>, %arg15: tensor<10xf32>, %arg16: tensor<3x3x1x16xf32>, %arg17: tensor<16xf32>, %arg18: tensor<3x3x16x32xf32>, %arg19: tensor<32xf32>, %arg20: tensor<3x3x32x64xf32>, %arg21: tensor<64xf32>, %arg22: tensor<256x10xf32>, %arg23: tensor<10xf32>, %arg24: tensor<f32>, %arg25: tensor<f32>, %arg26: tensor<64x8x8x1xf32>, %arg27: tensor<64xi32>) -> (tensor<3x3x1x16xf32> {jax.result_info = "result[0]"}, tensor<16xf32> {jax.result_info = "result[1]"}, tensor<3x3x16x32xf32> {jax.result_info = "result[2]"}, tensor<32xf32> {jax.result_info = "result[3]"}, tensor<3x3x32x64xf32> {jax.result_info = "result[4]"}, tensor<64xf32> {jax.result_info = "result[5]"}, tensor<256x10xf32> {jax.result_info = "result[6]"}, tensor<10xf32> {jax.result_info = "result[7]"}, tensor<3x3x1x16xf32> {jax.result_info = "result[8]"}, tensor<16xf32> {jax.result_info = "result[9]"}, tensor<3x3x16x32xf32> {jax.result_info = "result[10]"}, tensor<32xf32> {jax.result_info = "result[11]"}, tensor<3x3x32x64xf32> {jax.result_info = "result[12]"}, tensor<64xf32> {jax.result_info = "result[13]"}, tensor<256x10xf32> {jax.result_info = "result[14]"}, tensor<10xf32> {jax.result_info = "result[15]"}, tensor<3x3x1x16xf32> {jax.result_info = "result[16]"}, tensor<16xf32> {jax.result_info = "result[17]"}, tensor<3x3x16x32xf32> {jax.result_info = "result[18]"}, tensor<32xf32> {jax.result_info = "result[19]"}, tensor<3x3x32x64xf32> {jax.result_info = "result[20]"}, tensor<64xf32> {jax.result_info = "result[21]"}, tensor<256x10xf32> {jax.result_info = "result[22]"}, tensor<10xf32> {jax.result_info = "result[23]"}, tensor<f32> {jax.result_info = "result[24]"}, tensor<f32> {jax.result_info = "result[25]"}) {
    %0 = stablehlo.convolution(%arg26, %arg0) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x8x8x1xf32>, tensor<3x3x1x16xf32>) -> tensor<64x8x8x16xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [3] : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<1x1x1x16xf32>) -> tensor<64x8x8x16xf32>
    %3 = stablehlo.add %0, %2 : tensor<64x8x8x16xf32>
    %4 = call @relu(%3) : (tensor<64x8x8x16xf32>) -> tensor<64x8x8x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x8x8x16xf32>
    %6 = stablehlo.compare GT, %3, %5, FLOAT : (tensor<64x8x8x16xf32>, tensor<64x8x8x16xf32>) -> tensor<64x8x8x16xi1>
    %7 = stablehlo.convolution(%4, %arg2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x8x8x16xf32>, tensor<3x3x16x32xf32>) -> tensor<64x8x8x32xf32>
    %8 = stablehlo.broadcast_in_dim %arg3, dims = [3] : (tensor<32xf32>) -> tensor<1x1x1x32xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<1x1x1x32xf32>) -> tensor<64x8x8x32xf32>
    %10 = stablehlo.add %7, %9 : tensor<64x8x8x32xf32>
    %11 = call @relu_0(%10) : (tensor<64x8x8x32xf32>) -> tensor<64x8x8x32xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<64x8x8x32xf32>
    %13 = stablehlo.compare GT, %10, %12, FLOAT : (tensor<64x8x8x32xf32>, tensor<64x8x8x32xf32>) -> tensor<64x8x8x32xi1>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<f32>
    %15 = "stablehlo.reduce_window"(%11, %14) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg28: tensor<f32>, %arg29: tensor<f32>):
      %240 = stablehlo.maximum %arg28, %arg29 : tensor<f32>
      stablehlo.return %240 : tensor<f32>
    }) : (tensor<64x8x8x32xf32>, tensor<f32>) -> tensor<64x4x4x32xf32>
    %16 = stablehlo.convolution(%15, %arg4) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x4x4x32xf32>, tensor<3x3x32x64xf32>) -> tensor<64x4x4x64xf32>
    %17 = stablehlo.broadcast_in_dim %arg5, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x4x4x64xf32>
    %19 = stablehlo.add %16, %18 : tensor<64x4x4x64xf32>
    %20 = call @relu_1(%19) : (tensor<64x4x4x64xf32>) -> tensor<64x4x4x64xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<64x4x4x64xf32>
    %22 = stablehlo.compare GT, %19, %21, FLOAT : (tensor<64x4x4x64xf32>, tensor<64x4x4x64xf32>) -> tensor<64x4x4x64xi1>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<f32>
    %24 = "stablehlo.reduce_window"(%20, %23) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg28: tensor<f32>, %arg29: tensor<f32>):
      %240 = stablehlo.maximum %arg28, %arg29 : tensor<f32>
      stablehlo.return %240 : tensor<f32>
    }) : (tensor<64x4x4x64xf32>, tensor<f32>) -> tensor<64x2x2x64xf32>
    %25 = stablehlo.reshape %24 : (tensor<64x2x2x64xf32>) -> tensor<64x256xf32>
    %26 = stablehlo.dot_general %25, %arg6, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x256xf32>, tensor<256x10xf32>) -> tensor<64x10xf32>
    %27 = stablehlo.broadcast_in_dim %arg7, dims = [1] : (tensor<10xf32>) -> tensor<1x10xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1] : (tensor<1x10xf32>) -> tensor<64x10xf32>
    %29 = stablehlo.add %26, %28 : tensor<64x10xf32>
    %30:3 = call @log_softmax(%29) : (tensor<64x10xf32>) -> (tensor<64x10xf32>, tensor<64x10xf32>, tensor<64x1xf32>)
    %31 = call @_one_hot(%arg27) : (tensor<64xi32>) -> tensor<64x10xf32>
    %32 = stablehlo.multiply %30#0, %31 : tensor<64x10xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %33 = stablehlo.reduce(%32 init: %cst_4) applies stablehlo.add across dimensions = [1] : (tensor<64x10xf32>, tensor<f32>) -> tensor<64xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.reduce(%33 init: %cst_5) applies stablehlo.add across dimensions = [0] : (tensor<64xf32>, tensor<f32>) -> tensor<f32>
    %cst_6 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %35 = stablehlo.divide %34, %cst_6 : tensor<f32>
    %36 = stablehlo.negate %35 : tensor<f32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %37 = stablehlo.negate %cst_7 : tensor<f32>
    %cst_8 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %38 = stablehlo.divide %37, %cst_8 : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %38, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [0] : (tensor<64xf32>) -> tensor<64x10xf32>
    %41 = stablehlo.multiply %40, %31 : tensor<64x10xf32>
    %42 = call @log_softmax_2(%30#1, %30#2, %41) : (tensor<64x10xf32>, tensor<64x1xf32>, tensor<64x10xf32>) -> tensor<64x10xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %43 = stablehlo.reduce(%42 init: %cst_9) applies stablehlo.add across dimensions = [0] : (tensor<64x10xf32>, tensor<f32>) -> tensor<10xf32>
    %44 = stablehlo.reshape %43 : (tensor<10xf32>) -> tensor<1x10xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %45 = stablehlo.reduce(%44 init: %cst_10) applies stablehlo.add across dimensions = [0] : (tensor<1x10xf32>, tensor<f32>) -> tensor<10xf32>
    %46 = stablehlo.dot_general %42, %25, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x10xf32>, tensor<64x256xf32>) -> tensor<10x256xf32>
    %47 = stablehlo.transpose %46, dims = [1, 0] : (tensor<10x256xf32>) -> tensor<256x10xf32>
    %48 = stablehlo.dot_general %42, %arg6, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<64x10xf32>, tensor<256x10xf32>) -> tensor<64x256xf32>
    %49 = stablehlo.reshape %48 : (tensor<64x256xf32>) -> tensor<64x2x2x64xf32>
    %50 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 3, 5] : (tensor<64x2x2x64xf32>) -> tensor<64x2x1x2x1x64xf32>
    %51 = stablehlo.broadcast_in_dim %50, dims = [0, 1, 2, 3, 4, 5] : (tensor<64x2x1x2x1x64xf32>) -> tensor<64x2x2x2x2x64xf32>
    %52 = stablehlo.reshape %51 : (tensor<64x2x2x2x2x64xf32>) -> tensor<64x4x4x64xf32>
    %53 = stablehlo.compare EQ, %20, %52, FLOAT : (tensor<64x4x4x64xf32>, tensor<64x4x4x64xf32>) -> tensor<64x4x4x64xi1>
    %54 = stablehlo.broadcast_in_dim %49, dims = [0, 1, 3, 5] : (tensor<64x2x2x64xf32>) -> tensor<64x2x1x2x1x64xf32>
    %55 = stablehlo.broadcast_in_dim %54, dims = [0, 1, 2, 3, 4, 5] : (tensor<64x2x1x2x1x64xf32>) -> tensor<64x2x2x2x2x64xf32>
    %56 = stablehlo.reshape %55 : (tensor<64x2x2x2x2x64xf32>) -> tensor<64x4x4x64xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %57 = call @_where(%53, %56, %cst_11) : (tensor<64x4x4x64xi1>, tensor<64x4x4x64xf32>, tensor<f32>) -> tensor<64x4x4x64xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<64x4x4x64xf32>
    %59 = stablehlo.select %22, %57, %58 : tensor<64x4x4x64xi1>, tensor<64x4x4x64xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %60 = stablehlo.reduce(%59 init: %cst_13) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x4x4x64xf32>, tensor<f32>) -> tensor<64xf32>
    %61 = stablehlo.reshape %60 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %62 = stablehlo.reduce(%61 init: %cst_14) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
    %63 = stablehlo.convolution(%15, %59) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x4x4x32xf32>, tensor<64x4x4x64xf32>) -> tensor<3x3x32x64xf32>
    %64 = stablehlo.reverse %arg4, dims = [0, 1] : tensor<3x3x32x64xf32>
    %65 = stablehlo.convolution(%59, %64) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x4x4x64xf32>, tensor<3x3x32x64xf32>) -> tensor<64x4x4x32xf32>
    %66 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 3, 5] : (tensor<64x4x4x32xf32>) -> tensor<64x4x1x4x1x32xf32>
    %67 = stablehlo.broadcast_in_dim %66, dims = [0, 1, 2, 3, 4, 5] : (tensor<64x4x1x4x1x32xf32>) -> tensor<64x4x2x4x2x32xf32>
    %68 = stablehlo.reshape %67 : (tensor<64x4x2x4x2x32xf32>) -> tensor<64x8x8x32xf32>
    %69 = stablehlo.compare EQ, %11, %68, FLOAT : (tensor<64x8x8x32xf32>, tensor<64x8x8x32xf32>) -> tensor<64x8x8x32xi1>
    %70 = stablehlo.broadcast_in_dim %65, dims = [0, 1, 3, 5] : (tensor<64x4x4x32xf32>) -> tensor<64x4x1x4x1x32xf32>
    %71 = stablehlo.broadcast_in_dim %70, dims = [0, 1, 2, 3, 4, 5] : (tensor<64x4x1x4x1x32xf32>) -> tensor<64x4x2x4x2x32xf32>
    %72 = stablehlo.reshape %71 : (tensor<64x4x2x4x2x32xf32>) -> tensor<64x8x8x32xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %73 = call @_where_3(%69, %72, %cst_15) : (tensor<64x8x8x32xi1>, tensor<64x8x8x32xf32>, tensor<f32>) -> tensor<64x8x8x32xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<64x8x8x32xf32>
    %75 = stablehlo.select %13, %73, %74 : tensor<64x8x8x32xi1>, tensor<64x8x8x32xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %76 = stablehlo.reduce(%75 init: %cst_17) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x8x8x32xf32>, tensor<f32>) -> tensor<32xf32>
    %77 = stablehlo.reshape %76 : (tensor<32xf32>) -> tensor<1x1x1x32xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %78 = stablehlo.reduce(%77 init: %cst_18) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %79 = stablehlo.convolution(%4, %75) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x8x8x16xf32>, tensor<64x8x8x32xf32>) -> tensor<3x3x16x32xf32>
    %80 = stablehlo.reverse %arg2, dims = [0, 1] : tensor<3x3x16x32xf32>
    %81 = stablehlo.convolution(%75, %80) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x8x8x32xf32>, tensor<3x3x16x32xf32>) -> tensor<64x8x8x16xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<64x8x8x16xf32>
    %83 = stablehlo.select %6, %81, %82 : tensor<64x8x8x16xi1>, tensor<64x8x8x16xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %84 = stablehlo.reduce(%83 init: %cst_20) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x8x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %85 = stablehlo.reshape %84 : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %86 = stablehlo.reduce(%85 init: %cst_21) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %87 = stablehlo.convolution(%arg26, %83) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x8x8x1xf32>, tensor<64x8x8x16xf32>) -> tensor<3x3x1x16xf32>
    %cst_22 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %88 = stablehlo.add %arg24, %cst_22 : tensor<f32>
    %cst_23 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %89 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<3x3x1x16xf32>
    %90 = stablehlo.multiply %89, %arg8 : tensor<3x3x1x16xf32>
    %cst_24 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %91 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<3x3x1x16xf32>
    %92 = stablehlo.multiply %91, %87 : tensor<3x3x1x16xf32>
    %93 = stablehlo.add %90, %92 : tensor<3x3x1x16xf32>
    %cst_25 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %94 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %95 = stablehlo.multiply %94, %arg9 : tensor<16xf32>
    %cst_26 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %96 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %97 = stablehlo.multiply %96, %86 : tensor<16xf32>
    %98 = stablehlo.add %95, %97 : tensor<16xf32>
    %cst_27 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %99 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<3x3x16x32xf32>
    %100 = stablehlo.multiply %99, %arg10 : tensor<3x3x16x32xf32>
    %cst_28 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %101 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<3x3x16x32xf32>
    %102 = stablehlo.multiply %101, %79 : tensor<3x3x16x32xf32>
    %103 = stablehlo.add %100, %102 : tensor<3x3x16x32xf32>
    %cst_29 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %105 = stablehlo.multiply %104, %arg11 : tensor<32xf32>
    %cst_30 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %106 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %107 = stablehlo.multiply %106, %78 : tensor<32xf32>
    %108 = stablehlo.add %105, %107 : tensor<32xf32>
    %cst_31 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %109 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<3x3x32x64xf32>
    %110 = stablehlo.multiply %109, %arg12 : tensor<3x3x32x64xf32>
    %cst_32 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %111 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<3x3x32x64xf32>
    %112 = stablehlo.multiply %111, %63 : tensor<3x3x32x64xf32>
    %113 = stablehlo.add %110, %112 : tensor<3x3x32x64xf32>
    %cst_33 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %114 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %115 = stablehlo.multiply %114, %arg13 : tensor<64xf32>
    %cst_34 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %116 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %117 = stablehlo.multiply %116, %62 : tensor<64xf32>
    %118 = stablehlo.add %115, %117 : tensor<64xf32>
    %cst_35 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %119 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<256x10xf32>
    %120 = stablehlo.multiply %119, %arg14 : tensor<256x10xf32>
    %cst_36 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %121 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<256x10xf32>
    %122 = stablehlo.multiply %121, %47 : tensor<256x10xf32>
    %123 = stablehlo.add %120, %122 : tensor<256x10xf32>
    %cst_37 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %124 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<10xf32>
    %125 = stablehlo.multiply %124, %arg15 : tensor<10xf32>
    %cst_38 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %126 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<10xf32>
    %127 = stablehlo.multiply %126, %45 : tensor<10xf32>
    %128 = stablehlo.add %125, %127 : tensor<10xf32>
    %cst_39 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %129 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<3x3x1x16xf32>
    %130 = stablehlo.multiply %129, %arg16 : tensor<3x3x1x16xf32>
    %cst_40 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %131 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<3x3x1x16xf32>
    %132 = stablehlo.multiply %131, %87 : tensor<3x3x1x16xf32>
    %133 = stablehlo.multiply %132, %87 : tensor<3x3x1x16xf32>
    %134 = stablehlo.add %130, %133 : tensor<3x3x1x16xf32>
    %cst_41 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %135 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %136 = stablehlo.multiply %135, %arg17 : tensor<16xf32>
    %cst_42 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %137 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %138 = stablehlo.multiply %137, %86 : tensor<16xf32>
    %139 = stablehlo.multiply %138, %86 : tensor<16xf32>
    %140 = stablehlo.add %136, %139 : tensor<16xf32>
    %cst_43 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %141 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<3x3x16x32xf32>
    %142 = stablehlo.multiply %141, %arg18 : tensor<3x3x16x32xf32>
    %cst_44 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %143 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<3x3x16x32xf32>
    %144 = stablehlo.multiply %143, %79 : tensor<3x3x16x32xf32>
    %145 = stablehlo.multiply %144, %79 : tensor<3x3x16x32xf32>
    %146 = stablehlo.add %142, %145 : tensor<3x3x16x32xf32>
    %cst_45 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %147 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %148 = stablehlo.multiply %147, %arg19 : tensor<32xf32>
    %cst_46 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %149 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %150 = stablehlo.multiply %149, %78 : tensor<32xf32>
    %151 = stablehlo.multiply %150, %78 : tensor<32xf32>
    %152 = stablehlo.add %148, %151 : tensor<32xf32>
    %cst_47 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %153 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<3x3x32x64xf32>
    %154 = stablehlo.multiply %153, %arg20 : tensor<3x3x32x64xf32>
    %cst_48 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %155 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<3x3x32x64xf32>
    %156 = stablehlo.multiply %155, %63 : tensor<3x3x32x64xf32>
    %157 = stablehlo.multiply %156, %63 : tensor<3x3x32x64xf32>
    %158 = stablehlo.add %154, %157 : tensor<3x3x32x64xf32>
    %cst_49 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %159 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %160 = stablehlo.multiply %159, %arg21 : tensor<64xf32>
    %cst_50 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %161 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %162 = stablehlo.multiply %161, %62 : tensor<64xf32>
    %163 = stablehlo.multiply %162, %62 : tensor<64xf32>
    %164 = stablehlo.add %160, %163 : tensor<64xf32>
    %cst_51 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %165 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<256x10xf32>
    %166 = stablehlo.multiply %165, %arg22 : tensor<256x10xf32>
    %cst_52 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %167 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<256x10xf32>
    %168 = stablehlo.multiply %167, %47 : tensor<256x10xf32>
    %169 = stablehlo.multiply %168, %47 : tensor<256x10xf32>
    %170 = stablehlo.add %166, %169 : tensor<256x10xf32>
    %cst_53 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %171 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<10xf32>
    %172 = stablehlo.multiply %171, %arg23 : tensor<10xf32>
    %cst_54 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %173 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<10xf32>
    %174 = stablehlo.multiply %173, %45 : tensor<10xf32>
    %175 = stablehlo.multiply %174, %45 : tensor<10xf32>
    %176 = stablehlo.add %172, %175 : tensor<10xf32>
    %cst_55 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %177 = stablehlo.power %cst_55, %88 : tensor<f32>
    %cst_56 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %178 = stablehlo.subtract %cst_56, %177 : tensor<f32>
    %179 = stablehlo.sqrt %178 : tensor<f32>
    %180 = stablehlo.multiply %arg25, %179 : tensor<f32>
    %cst_57 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %181 = stablehlo.power %cst_57, %88 : tensor<f32>
    %cst_58 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %182 = stablehlo.subtract %cst_58, %181 : tensor<f32>
    %183 = stablehlo.divide %180, %182 : tensor<f32>
    %184 = stablehlo.broadcast_in_dim %183, dims = [] : (tensor<f32>) -> tensor<3x3x1x16xf32>
    %185 = stablehlo.multiply %184, %93 : tensor<3x3x1x16xf32>
    %186 = stablehlo.sqrt %134 : tensor<3x3x1x16xf32>
    %cst_59 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %187 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<3x3x1x16xf32>
    %188 = stablehlo.add %186, %187 : tensor<3x3x1x16xf32>
    %189 = stablehlo.divide %185, %188 : tensor<3x3x1x16xf32>
    %190 = stablehlo.subtract %arg0, %189 : tensor<3x3x1x16xf32>
    %191 = stablehlo.broadcast_in_dim %183, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %192 = stablehlo.multiply %191, %98 : tensor<16xf32>
    %193 = stablehlo.sqrt %140 : tensor<16xf32>
    %cst_60 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %194 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %195 = stablehlo.add %193, %194 : tensor<16xf32>
    %196 = stablehlo.divide %192, %195 : tensor<16xf32>
    %197 = stablehlo.subtract %arg1, %196 : tensor<16xf32>
    %198 = stablehlo.broadcast_in_dim %183, dims = [] : (tensor<f32>) -> tensor<3x3x16x32xf32>
    %199 = stablehlo.multiply %198, %103 : tensor<3x3x16x32xf32>
    %200 = stablehlo.sqrt %146 : tensor<3x3x16x32xf32>
    %cst_61 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %201 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<3x3x16x32xf32>
    %202 = stablehlo.add %200, %201 : tensor<3x3x16x32xf32>
    %203 = stablehlo.divide %199, %202 : tensor<3x3x16x32xf32>
    %204 = stablehlo.subtract %arg2, %203 : tensor<3x3x16x32xf32>
    %205 = stablehlo.broadcast_in_dim %183, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %206 = stablehlo.multiply %205, %108 : tensor<32xf32>
    %207 = stablehlo.sqrt %152 : tensor<32xf32>
    %cst_62 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %208 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %209 = stablehlo.add %207, %208 : tensor<32xf32>
    %210 = stablehlo.divide %206, %209 : tensor<32xf32>
    %211 = stablehlo.subtract %arg3, %210 : tensor<32xf32>
    %212 = stablehlo.broadcast_in_dim %183, dims = [] : (tensor<f32>) -> tensor<3x3x32x64xf32>
    %213 = stablehlo.multiply %212, %113 : tensor<3x3x32x64xf32>
    %214 = stablehlo.sqrt %158 : tensor<3x3x32x64xf32>
    %cst_63 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %215 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<3x3x32x64xf32>
    %216 = stablehlo.add %214, %215 : tensor<3x3x32x64xf32>
    %217 = stablehlo.divide %213, %216 : tensor<3x3x32x64xf32>
    %218 = stablehlo.subtract %arg4, %217 : tensor<3x3x32x64xf32>
    %219 = stablehlo.broadcast_in_dim %183, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %220 = stablehlo.multiply %219, %118 : tensor<64xf32>
    %221 = stablehlo.sqrt %164 : tensor<64xf32>
    %cst_64 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %222 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %223 = stablehlo.add %221, %222 : tensor<64xf32>
    %224 = stablehlo.divide %220, %223 : tensor<64xf32>
    %225 = stablehlo.subtract %arg5, %224 : tensor<64xf32>
    %226 = stablehlo.broadcast_in_dim %183, dims = [] : (tensor<f32>) -> tensor<256x10xf32>
    %227 = stablehlo.multiply %226, %123 : tensor<256x10xf32>
    %228 = stablehlo.sqrt %170 : tensor<256x10xf32>
    %cst_65 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %229 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<256x10xf32>
    %230 = stablehlo.add %228, %229 : tensor<256x10xf32>
    %231 = stablehlo.divide %227, %230 : tensor<256x10xf32>
    %232 = stablehlo.subtract %arg6, %231 : tensor<256x10xf32>
    %233 = stablehlo.broadcast_in_dim %183, dims = [] : (tensor<f32>) -> tensor<10xf32>
    %234 = stablehlo.multiply %233, %128 : tensor<10xf32>
    %235 = stablehlo.sqrt %176 : tensor<10xf32>
    %cst_66 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %236 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<10xf32>
    %237 = stablehlo.add %235, %236 : tensor<10xf32>
    %238 = stablehlo.divide %234, %237 : tensor<10xf32>
    %239 = stablehlo.subtract %arg7, %238 : tensor<10xf32>
    return %190, %197, %204, %211, %218, %225, %232, %239, %93, %98, %103, %108, %113, %118, %123, %128, %134, %140, %146, %152, %158, %164, %170, %176, %88, %36 : tensor<3x3x1x16xf32>, tensor<16xf32>, tensor<3x3x16x32xf32>, tensor<32xf32>, tensor<3x3x32x64xf32>, tensor<64xf32>, tensor<256x10xf32>, tensor<10xf32>, tensor<3x3x1x16xf32>, tensor<16xf32>, tensor<3x3x16x32xf32>, tensor<32xf32>, tensor<3x3x32x64xf32>, tensor<64xf32>, tensor<256x10xf32>, tensor<10xf32>, tensor<3x3x1x16xf32>, tensor<16xf32>, tensor<3x3x16x32xf32>, tensor<32xf32>, tensor<3x3x32x64xf32>, tensor<64xf32>, tensor<256x10xf32>, tensor<10xf32>, tensor<f32>, tensor<f32>
  }
  func.func private @relu(%arg0: tensor<64x8x8x16xf32>) -> tensor<64x8x8x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x8x8x16xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<64x8x8x16xf32>
    return %1 : tensor<64x8x8x16xf32>
  }
  func.func private @relu_0(%arg0: tensor<64x8x8x32xf32>) -> tensor<64x8x8x32xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x8x8x32xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<64x8x8x32xf32>
    return %1 : tensor<64x8x8x32xf32>
  }
  func.func private @relu_1(%arg0: tensor<64x4x4x64xf32>) -> tensor<64x4x4x64xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x4x4x64xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<64x4x4x64xf32>
    return %1 : tensor<64x4x4x64xf32>
  }
  func.func private @log_softmax(%arg0: tensor<64x10xf32>) -> (tensor<64x10xf32>, tensor<64x10xf32>, tensor<64x1xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<64x10xf32>, tensor<f32>) -> tensor<64xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<64xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<64xf32>) -> tensor<64x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<64x1xf32>) -> tensor<64x10xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<64x10xf32>
    %6 = stablehlo.exponential %5 : tensor<64x10xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<64x10xf32>, tensor<f32>) -> tensor<64xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<64xf32>) -> tensor<64x1xf32>
    %9 = stablehlo.log %8 : tensor<64x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<64x1xf32>) -> tensor<64x10xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<64x10xf32>
    return %11, %6, %8 : tensor<64x10xf32>, tensor<64x10xf32>, tensor<64x1xf32>
  }
  func.func private @_one_hot(%arg0: tensor<64xi32>) -> tensor<64x10xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<64xi32>) -> tensor<64x1xi32>
    %1 = stablehlo.iota dim = 1 : tensor<1x10xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<64x1xi32>) -> tensor<64x10xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x10xi32>) -> tensor<64x10xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<64x10xi32>, tensor<64x10xi32>) -> tensor<64x10xi1>
    %5 = stablehlo.convert %4 : (tensor<64x10xi1>) -> tensor<64x10xf32>
    return %5 : tensor<64x10xf32>
  }
  func.func private @log_softmax_2(%arg0: tensor<64x10xf32>, %arg1: tensor<64x1xf32>, %arg2: tensor<64x10xf32>) -> tensor<64x10xf32> {
    %0 = stablehlo.negate %arg2 : tensor<64x10xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<64x10xf32>, tensor<f32>) -> tensor<64xf32>
    %2 = stablehlo.reshape %1 : (tensor<64xf32>) -> tensor<64x1xf32>
    %3 = stablehlo.divide %2, %arg1 : tensor<64x1xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<64x1xf32>, tensor<f32>) -> tensor<64xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<64xf32>) -> tensor<64x10xf32>
    %6 = stablehlo.multiply %5, %arg0 : tensor<64x10xf32>
    %7 = stablehlo.add %arg2, %6 : tensor<64x10xf32>
    return %7 : tensor<64x10xf32>
  }
  func.func private @_where(%arg0: tensor<64x4x4x64xi1>, %arg1: tensor<64x4x4x64xf32>, %arg2: tensor<f32>) -> tensor<64x4x4x64xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<64x4x4x64xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<64x4x4x64xi1>, tensor<64x4x4x64xf32>
    return %2 : tensor<64x4x4x64xf32>
  }
  func.func private @_where_3(%arg0: tensor<64x8x8x32xi1>, %arg1: tensor<64x8x8x32xf32>, %arg2: tensor<f32>) -> tensor<64x8x8x32xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<64x8x8x32xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<64x8x8x32xi1>, tensor<64x8x8x32xf32>
    return %2 : tensor<64x8x8x32xf32>
  }
}
