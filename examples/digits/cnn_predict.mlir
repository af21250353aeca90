module @jit_predict attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x3x1x16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<3x3x16x32xf32>, %arg3: tensor<32xf32>, %arg4: tensor<3x3x32x64xf32>, %arg5: tensor<64xf32>, %arg6: tensor<256x10xf32>, %arg7: tensor<10xf32>, %arg8: tensor<64x8x8x1xf32>) -> (tensor<64xi32> {jax.result_info = "result"}) {
    %0 = stablehlo.convolution(%arg8, %arg0) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x8x8x1xf32>, tensor<3x3x1x16xf32>) -> tensor<64x8x8x16xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [3] : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<1x1x1x16xf32>) -> tensor<64x8x8x16xf32>
    %3 = stablehlo.add %0, %2 : tensor<64x8x8x16xf32>
    %4 = call @relu(%3) : (tensor<64x8x8x16xf32>) -> tensor<64x8x8x16xf32>
    %5 = stablehlo.convolution(%4, %arg2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x8x8x16xf32>, tensor<3x3x16x32xf32>) -> tensor<64x8x8x32xf32>
    %6 = stablehlo.broadcast_in_dim %arg3, dims = [3] : (tensor<32xf32>) -> tensor<1x1x1x32xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<1x1x1x32xf32>) -> tensor<64x8x8x32xf32>
    %8 = stablehlo.add %5, %7 : tensor<64x8x8x32xf32>
    %9 = call @relu_0(%8) : (tensor<64x8x8x32xf32>) -> tensor<64x8x8x32xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %11 = "stablehlo.reduce_window"(%9, %10) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %25 = stablehlo.maximum %arg9, %arg10 : tensor<f32>
      stablehlo.return %25 : tensor<f32>
    }) : (tensor<64x8x8x32xf32>, tensor<f32>) -> tensor<64x4x4x32xf32>
    %12 = stablehlo.convolution(%11, %arg4) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x4x4x32xf32>, tensor<3x3x32x64xf32>) -> tensor<64x4x4x64xf32>
    %13 = stablehlo.broadcast_in_dim %arg5, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x4x4x64xf32>
    %15 = stablehlo.add %12, %14 : tensor<64x4x4x64xf32>
    %16 = call @relu_1(%15) : (tensor<64x4x4x64xf32>) -> tensor<64x4x4x64xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<f32>
    %18 = "stablehlo.reduce_window"(%16, %17) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %25 = stablehlo.maximum %arg9, %arg10 : tensor<f32>
      stablehlo.return %25 : tensor<f32>
    }) : (tensor<64x4x4x64xf32>, tensor<f32>) -> tensor<64x2x2x64xf32>
    %19 = stablehlo.reshape %18 : (tensor<64x2x2x64xf32>) -> tensor<64x256xf32>
    %20 = stablehlo.dot_general %19, %arg6, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x256xf32>, tensor<256x10xf32>) -> tensor<64x10xf32>
    %21 = stablehlo.broadcast_in_dim %arg7, dims = [1] : (tensor<10xf32>) -> tensor<1x10xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1] : (tensor<1x10xf32>) -> tensor<64x10xf32>
    %23 = stablehlo.add %20, %22 : tensor<64x10xf32>
    %24 = call @argmax(%23) : (tensor<64x10xf32>) -> tensor<64xi32>
    return %24 : tensor<64xi32>
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
  func.func private @argmax(%arg0: tensor<64x10xf32>) -> tensor<64xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<64x10xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<64x10xf32>, tensor<64x10xi32>, tensor<f32>, tensor<i32>) -> (tensor<64xf32>, tensor<64xi32>)
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
    return %1#1 : tensor<64xi32>
  }
}
