// REQUIRES: xla-run
// RUN: xla-run %s --target=cpu
// RUN: xla-run %s --target=cuda-emulated
// RUN: xla-run %s --target=reference
// An initial value that is no identity counts once in sums and products of usual types, in however many parts and lanes
// they are done.

func.func @main() {
  %zeros0 = stablehlo.constant dense<0.0> : tensor<100000xf32>
  %zeros = stablehlo.optimization_barrier %zeros0 : tensor<100000xf32>
  %five = stablehlo.constant dense<5.0> : tensor<f32>
  %long = stablehlo.reduce(%zeros init: %five) applies stablehlo.add across dimensions = [0]
    : (tensor<100000xf32>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %long, dense<5.0> : tensor<f32>

  %square = stablehlo.reshape %zeros : (tensor<100000xf32>) -> tensor<1000x100xf32>
  %columns = stablehlo.reduce(%square init: %five) applies stablehlo.add across dimensions = [0]
    : (tensor<1000x100xf32>, tensor<f32>) -> tensor<100xf32>
  check.expect_eq_const %columns, dense<5.0> : tensor<100xf32>

  %narrow = stablehlo.convert %zeros : (tensor<100000xf32>) -> tensor<100000xbf16>
  %narrow_five = stablehlo.constant dense<5.0> : tensor<bf16>
  %narrow_long = stablehlo.reduce(%narrow init: %narrow_five) applies stablehlo.add across dimensions = [0]
    : (tensor<100000xbf16>, tensor<bf16>) -> tensor<bf16>
  check.expect_eq_const %narrow_long, dense<5.0> : tensor<bf16>
  %narrow_square = stablehlo.reshape %narrow : (tensor<100000xbf16>) -> tensor<100x1000xbf16>
  %narrow_rows = stablehlo.reduce(%narrow_square init: %narrow_five) applies stablehlo.add across dimensions = [1]
    : (tensor<100x1000xbf16>, tensor<bf16>) -> tensor<100xbf16>
  check.expect_eq_const %narrow_rows, dense<5.0> : tensor<100xbf16>

  %ones0 = stablehlo.constant dense<1.0> : tensor<100000xf16>
  %ones = stablehlo.optimization_barrier %ones0 : tensor<100000xf16>
  %two = stablehlo.constant dense<2.0> : tensor<f16>
  %product = stablehlo.reduce(%ones init: %two) applies stablehlo.multiply across dimensions = [0]
    : (tensor<100000xf16>, tensor<f16>) -> tensor<f16>
  check.expect_eq_const %product, dense<2.0> : tensor<f16>
  %ones_square = stablehlo.reshape %ones : (tensor<100000xf16>) -> tensor<100x1000xf16>
  %products = stablehlo.reduce(%ones_square init: %two) applies stablehlo.multiply across dimensions = [1]
    : (tensor<100x1000xf16>, tensor<f16>) -> tensor<100xf16>
  check.expect_eq_const %products, dense<2.0> : tensor<100xf16>

  %complex = stablehlo.complex %zeros, %zeros : tensor<100000xcomplex<f32>>
  %start = stablehlo.constant dense<(5.0, -1.0)> : tensor<complex<f32>>
  %sum = stablehlo.reduce(%complex init: %start) applies stablehlo.add across dimensions = [0]
    : (tensor<100000xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
  %real = stablehlo.real %sum : (tensor<complex<f32>>) -> tensor<f32>
  %imaginary = stablehlo.imag %sum : (tensor<complex<f32>>) -> tensor<f32>
  check.expect_eq_const %real, dense<5.0> : tensor<f32>
  check.expect_eq_const %imaginary, dense<-1.0> : tensor<f32>
  return
}
