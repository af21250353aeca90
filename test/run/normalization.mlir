// REQUIRES: xla-run
// RUN: xla-run %s --target=cpu
// RUN: xla-run %s --target=cuda-emulated
// RUN: xla-run %s --target=reference

// Feature 0 is {1, 3} (mean 2, variance 1), feature 1 is {-2, 4} (mean 1, variance 9).
func.func @main() {
  %x0 = stablehlo.constant dense<[[1.0, -2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %x = stablehlo.optimization_barrier %x0 : tensor<2x2xf32>
  %scale = stablehlo.constant dense<[1.0, 3.0]> : tensor<2xf32>
  %offset = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xf32>
  %y, %mean, %variance = "stablehlo.batch_norm_training"(%x, %scale, %offset) <{epsilon = 0.0 : f32, feature_index = 1 : i64}>
    : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>)
  check.expect_almost_eq_const %y, dense<[[-1.0, -2.0], [1.0, 4.0]]> : tensor<2x2xf32>
  check.expect_almost_eq_const %mean, dense<[2.0, 1.0]> : tensor<2xf32>
  check.expect_almost_eq_const %variance, dense<[1.0, 9.0]> : tensor<2xf32>

  %again = "stablehlo.batch_norm_inference"(%x, %scale, %offset, %mean, %variance) <{epsilon = 0.0 : f32, feature_index = 1 : i64}>
    : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  check.expect_almost_eq_const %again, dense<[[-1.0, -2.0], [1.0, 4.0]]> : tensor<2x2xf32>

  // A constant gradient changes the offset alone.
  %gradient = stablehlo.constant dense<1.0> : tensor<2x2xf32>
  %dx, %dscale, %doffset = "stablehlo.batch_norm_grad"(%x, %scale, %mean, %variance, %gradient)
    <{epsilon = 0.0 : f32, feature_index = 1 : i64}>
    : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2x2xf32>)
    -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>)
  check.expect_almost_eq_const %dx, dense<0.0> : tensor<2x2xf32>
  check.expect_almost_eq_const %dscale, dense<0.0> : tensor<2xf32>
  check.expect_almost_eq_const %doffset, dense<2.0> : tensor<2xf32>
  return
}
