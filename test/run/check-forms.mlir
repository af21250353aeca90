// REQUIRES: xla-run
// RUN: xla-run %s --split-input-file --target=cpu
// RUN: xla-run %s --split-input-file --target=cuda-emulated
// RUN: xla-run %s --split-input-file --target=reference

// Every form of StableHLO's assertions, with settings where their printer puts them.
func.func @settings() {
  %x = stablehlo.constant dense<[5.0, -0.5]> : tensor<2xf64>
  %y = stablehlo.constant dense<[5.05, -0.55]> : tensor<2xf64>
  check.expect_almost_eq %x, %y, tolerance = 0.1 : tensor<2xf64>
  check.expect_almost_eq %x, %y {tolerance = 0.1 : f64} : tensor<2xf64>
  check.expect_almost_eq %x, %y, tolerance = 1 : tensor<2xf64>
  "check.expect_almost_eq"(%x, %y) {tolerance = 0.1 : f64} : (tensor<2xf64>, tensor<2xf64>) -> ()
  check.expect_almost_eq_const %x, dense<[5.05, -0.55]> : tensor<2xf64> {tolerance = 0.1 : f64}
  check.expect_almost_eq_const %x, dense<[5.05, -0.55]> : tensor<2xf64>, tolerance = 0.1
  "check.expect_almost_eq_const"(%x) <{tolerance = 0.1 : f64, value = dense<[5.05, -0.55]> : tensor<2xf64>}>
    : (tensor<2xf64>) -> ()
  stablehlo.custom_call @check.expect_almost_eq_const(%x, %y) {has_side_effect = true, tolerance = 0.1 : f64}
    : (tensor<2xf64>, tensor<2xf64>) -> ()
  check.expect_almost_eq %x, %x : tensor<2xf64>
  check.expect_eq %x, %x : tensor<2xf64>
  check.expect_eq_const %x, dense<[5.0, -0.5]> : tensor<2xf64>
  check.eq %x, dense<[5.0, -0.5]> : tensor<2xf64>
  check.almost_eq %x, dense<[5.00001, -0.5]> : tensor<2xf64>
  return
}

// -----

func.func @close() {
  %x = stablehlo.constant dense<5.0> : tensor<f16>
  %y = stablehlo.constant dense<5.010> : tensor<f16>
  check.expect_close %x, %y, max_ulp_difference = 3 : tensor<f16>, tensor<f16>
  check.expect_close %x, %y, max_ulp_difference = 3, min_ulp_difference = 3 : tensor<f16>, tensor<f16>
  check.expect_close %x, %y : tensor<f16>, tensor<f16>
  "check.expect_close"(%x, %y) {max_ulp_difference = 3 : ui64, min_ulp_difference = 1 : ui64}
    : (tensor<f16>, tensor<f16>) -> ()
  return
}
