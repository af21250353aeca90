// REQUIRES: xla-run
// RUN: xla-run %s --split-input-file --target=cpu
// RUN: xla-run %s --split-input-file --target=cuda-emulated
// RUN: xla-run %s --split-input-file --target=reference

func.func @extrema() {
  %x0 = stablehlo.constant dense<[(1.5, 2.5), (1.5, 7.5), (0.0, 1.5), (2.0, 1.5)]> : tensor<4xcomplex<f32>>
  %y0 = stablehlo.constant dense<[(7.5, 1.5), (1.5, 2.5), (-0.0, 2.5), (2.0, 1.5)]> : tensor<4xcomplex<f32>>
  %x, %y = stablehlo.optimization_barrier %x0, %y0 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
  %maximum = stablehlo.maximum %x, %y : tensor<4xcomplex<f32>>
  check.expect_eq_const %maximum, dense<[(7.5, 1.5), (1.5, 7.5), (0.0, 2.5), (2.0, 1.5)]> : tensor<4xcomplex<f32>>
  %minimum = stablehlo.minimum %x, %y : tensor<4xcomplex<f32>>
  check.expect_eq_const %minimum, dense<[(1.5, 2.5), (1.5, 2.5), (-0.0, 1.5), (2.0, 1.5)]> : tensor<4xcomplex<f32>>
  return
}

// -----

// NaN where it decides, and the same for both orders of the operands: constants move to the right.
func.func @extrema_of_nan() {
  %x0 = stablehlo.constant dense<[(1.0, 2.0), (0x7FF8000000000000, 2.0)]> : tensor<2xcomplex<f64>>
  %x = stablehlo.optimization_barrier %x0 : tensor<2xcomplex<f64>>
  %nan = stablehlo.constant dense<[(0x7FF8000000000000, 3.0), (1.0, 3.0)]> : tensor<2xcomplex<f64>>
  %nans = stablehlo.constant dense<(0x7FF8000000000000, 0x7FF8000000000000)> : tensor<2xcomplex<f64>>
  %left = stablehlo.maximum %nan, %x : tensor<2xcomplex<f64>>
  %right = stablehlo.maximum %x, %nan : tensor<2xcomplex<f64>>
  check.expect_eq %left, %nans : tensor<2xcomplex<f64>>
  check.expect_eq %right, %nans : tensor<2xcomplex<f64>>
  return
}

// -----

func.func @reduced_extremum() {
  %x0 = stablehlo.constant dense<[[(1.0, 2.0), (3.0, -1.0), (3.0, 4.0)], [(0.0, 9.0), (-1.0, 0.0), (-1.0, 5.0)]]>
    : tensor<2x3xcomplex<f32>>
  %x = stablehlo.optimization_barrier %x0 : tensor<2x3xcomplex<f32>>
  %init = stablehlo.constant dense<(0xFF800000, 0xFF800000)> : tensor<complex<f32>>
  %0 = stablehlo.reduce(%x init: %init) applies stablehlo.maximum across dimensions = [1]
    : (tensor<2x3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %0, dense<[(3.0, 4.0), (0.0, 9.0)]> : tensor<2xcomplex<f32>>
  return
}

// -----

// Only the real part is converted.
func.func @to_predicates() {
  %x0 = stablehlo.constant dense<[(-1.0, 0.0), (0.0, 1.0), (1.0, 0.0)]> : tensor<3xcomplex<f64>>
  %x = stablehlo.optimization_barrier %x0 : tensor<3xcomplex<f64>>
  %0 = stablehlo.convert %x : (tensor<3xcomplex<f64>>) -> tensor<3xi1>
  check.expect_eq_const %0, dense<[true, false, true]> : tensor<3xi1>
  %folded = stablehlo.convert %x0 : (tensor<3xcomplex<f64>>) -> tensor<3xi1>
  check.expect_eq_const %folded, dense<[true, false, true]> : tensor<3xi1>
  return
}

// -----

func.func @cube_root() {
  %x0 = stablehlo.constant dense<(3.0, 4.0)> : tensor<complex<f64>>
  %x = stablehlo.optimization_barrier %x0 : tensor<complex<f64>>
  %0 = stablehlo.cbrt %x : tensor<complex<f64>>
  check.expect_close %0, %0, max_ulp_difference = 0 : tensor<complex<f64>>, tensor<complex<f64>>
  check.expect_almost_eq_const %0, dense<(1.6289371459221759, 0.5201745023045458)> : tensor<complex<f64>> {tolerance = 1.0e-15 : f64}
  return
}

// -----

// Halves of a number without dimensions.
func.func @bitcast() {
  %x0 = stablehlo.constant dense<(0x0123456789ABCDEF, 0x0000000011111111)> : tensor<complex<f64>>
  %x = stablehlo.optimization_barrier %x0 : tensor<complex<f64>>
  %halves = stablehlo.bitcast_convert %x : (tensor<complex<f64>>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %halves, dense<[(0x89ABCDEF, 0x01234567), (0x11111111, 0x00000000)]> : tensor<2xcomplex<f32>>
  %back = stablehlo.bitcast_convert %halves : (tensor<2xcomplex<f32>>) -> tensor<complex<f64>>
  check.expect_eq %back, %x : tensor<complex<f64>>
  return
}

// -----

func.func @no_mantissa() {
  %x0 = stablehlo.constant dense<[0x7FFFFFFFFFFFFFFF, 0xFFF8000000000000, 1.25]> : tensor<3xf64>
  %x = stablehlo.optimization_barrier %x0 : tensor<3xf64>
  %0 = stablehlo.reduce_precision %x, format = e5m0 : tensor<3xf64>
  check.expect_eq_const %0, dense<[0x7FFFFFFFFFFFFFFF, 0xFFF8000000000000, 1.0]> : tensor<3xf64>
  return
}
