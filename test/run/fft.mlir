// REQUIRES: xla-run
// RUN: xla-run %s --target=cpu
// RUN: xla-run %s --target=cuda-emulated
// RUN: xla-run %s --target=reference

func.func @main() {
  // A wave has one frequency, and its mirror image.
  %wave0 = stablehlo.constant dense<[0.0, 1.0, 0.0, -1.0, 0.0, 1.0, 0.0, -1.0]> : tensor<8xf32>
  %wave = stablehlo.optimization_barrier %wave0 : tensor<8xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<8xf32>
  %complex = stablehlo.complex %wave, %zero : tensor<8xcomplex<f32>>
  %spectrum = stablehlo.fft %complex, type = FFT, length = [8] : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  %imaginary = stablehlo.imag %spectrum : (tensor<8xcomplex<f32>>) -> tensor<8xf32>
  %expected = stablehlo.constant dense<[0.0, 0.0, -4.0, 0.0, 0.0, 0.0, 4.0, 0.0]> : tensor<8xf32>
  stablehlo.custom_call @check.expect_close(%imaginary, %expected) {has_side_effect = true} : (tensor<8xf32>, tensor<8xf32>) -> ()

  %half = stablehlo.fft %wave, type = RFFT, length = [8] : (tensor<8xf32>) -> tensor<5xcomplex<f32>>
  %back = stablehlo.fft %half, type = IRFFT, length = [8] : (tensor<5xcomplex<f32>>) -> tensor<8xf32>
  stablehlo.custom_call @check.expect_almost_eq(%back, %wave) {has_side_effect = true} : (tensor<8xf32>, tensor<8xf32>) -> ()

  // Three dimensions there and back, through an odd length and a prime one.
  %index = stablehlo.iota dim = 0 : tensor<2100xf64>
  %offset = stablehlo.constant dense<1000.0> : tensor<2100xf64>
  %count = stablehlo.add %index, %offset : tensor<2100xf64>
  %cube = stablehlo.reshape %count : (tensor<2100xf64>) -> tensor<2x10x7x15xf64>
  %cube_spectrum = stablehlo.fft %cube, type = RFFT, length = [10, 7, 15] : (tensor<2x10x7x15xf64>) -> tensor<2x10x7x8xcomplex<f64>>
  %cube_back = stablehlo.fft %cube_spectrum, type = IRFFT, length = [10, 7, 15] : (tensor<2x10x7x8xcomplex<f64>>) -> tensor<2x10x7x15xf64>
  stablehlo.custom_call @check.expect_almost_eq(%cube_back, %cube) {has_side_effect = true} : (tensor<2x10x7x15xf64>, tensor<2x10x7x15xf64>) -> ()
  return
}
