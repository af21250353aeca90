// REQUIRES: xla-run
// RUN: xla-run %s --target=cpu
// RUN: xla-run %s --target=cuda-emulated
// RUN: xla-run %s --target=reference

func.func private @inputs() -> (tensor<2x3xf32>, tensor<3x2xf32>, tensor<1x4x4x1xf32>) {
  %a = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = stablehlo.constant dense<[[1.0, 0.0], [2.0, -1.0], [0.0, 3.0]]> : tensor<3x2xf32>
  %c = stablehlo.iota dim = 0 : tensor<16xf32>
  %image = stablehlo.reshape %c : (tensor<16xf32>) -> tensor<1x4x4x1xf32>
  %0:3 = stablehlo.optimization_barrier %a, %b, %image : tensor<2x3xf32>, tensor<3x2xf32>, tensor<1x4x4x1xf32>
  return %0#0, %0#1, %0#2 : tensor<2x3xf32>, tensor<3x2xf32>, tensor<1x4x4x1xf32>
}

func.func private @expected() -> (tensor<2x2xf32>, tensor<3x3xf32>, tensor<1x2x2x1xf32>) {
  %product = stablehlo.constant dense<[[5.0, 7.0], [14.0, 13.0]]> : tensor<2x2xf32>
  %gram = stablehlo.constant dense<[[17.0, 22.0, 27.0], [22.0, 29.0, 36.0], [27.0, 36.0, 45.0]]> : tensor<3x3xf32>
  %sums = stablehlo.constant dense<[[[[10.0], [18.0]], [[42.0], [50.0]]]]> : tensor<1x2x2x1xf32>
  return %product, %gram, %sums : tensor<2x2xf32>, tensor<3x3xf32>, tensor<1x2x2x1xf32>
}

func.func @main() {
  %0:3 = call @inputs() : () -> (tensor<2x3xf32>, tensor<3x2xf32>, tensor<1x4x4x1xf32>)
  %1:3 = call @expected() : () -> (tensor<2x2xf32>, tensor<3x3xf32>, tensor<1x2x2x1xf32>)
  %product = stablehlo.dot %0#0, %0#1 : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  stablehlo.custom_call @check.expect_eq(%product, %1#0) {has_side_effect = true} : (tensor<2x2xf32>, tensor<2x2xf32>) -> ()
  %gram = stablehlo.dot_general %0#0, %0#0, contracting_dims = [0] x [0] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<3x3xf32>
  stablehlo.custom_call @check.expect_close(%gram, %1#1) {has_side_effect = true} : (tensor<3x3xf32>, tensor<3x3xf32>) -> ()

  // Sums of 2 x 2 pixels.
  %ones = stablehlo.constant dense<1.0> : tensor<2x2x1x1xf32>
  %sums = stablehlo.convolution(%0#2, %ones) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {stride = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<1x4x4x1xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x2x1xf32>
  stablehlo.custom_call @check.expect_almost_eq(%sums, %1#2) {has_side_effect = true}
    : (tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>) -> ()

  // In generic form, with a kernel that has holes and is turned around: 1 * x[2] + 2 * x[0], and so on, with padding.
  %line0 = stablehlo.constant dense<[[[1.0, 2.0, 4.0, 8.0]]]> : tensor<1x1x4xf32>
  %line = stablehlo.optimization_barrier %line0 : tensor<1x1x4xf32>
  %kernel = stablehlo.constant dense<[[[1.0, 2.0]]]> : tensor<1x1x2xf32>
  %holes = "stablehlo.convolution"(%line, %kernel) <{
    window_strides = array<i64: 1>, padding = dense<[[1, 0]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>,
    rhs_dilation = array<i64: 2>, window_reversal = array<i1: true>,
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    feature_group_count = 1 : i64, batch_group_count = 1 : i64, precision_config = []}>
    : (tensor<1x1x4xf32>, tensor<1x1x2xf32>) -> tensor<1x1x3xf32>
  check.expect_eq_const %holes, dense<[[[2.0, 6.0, 12.0]]]> : tensor<1x1x3xf32>
  return
}
