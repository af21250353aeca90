// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @no_length(%x: tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{'xla.fft' op [Fft-C1] fft_length has 0 entries instead of 1 to 3}}
  %0 = xla.fft %x, type = FFT, length = [] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @four_lengths(%x: tensor<1x1x1x1xcomplex<f32>>) {
  // expected-error @+1 {{'xla.fft' op [Fft-C1] fft_length has 4 entries instead of 1 to 3}}
  %0 = xla.fft %x, type = FFT, length = [1, 1, 1, 1] : (tensor<1x1x1x1xcomplex<f32>>) -> tensor<1x1x1x1xcomplex<f32>>
  return
}

// -----

func.func @rank(%x: tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{'xla.fft' op [Fft-C1] fft_length has 2 entries instead of 1 to 3, one for each transformed dimension of 'tensor<4xcomplex<f32>>'}}
  %0 = xla.fft %x, type = FFT, length = [1, 4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @real_fft(%x: tensor<4xf32>) {
  // expected-error @+1 {{'xla.fft' op [Fft-C2] FFT does not take elements of type 'f32', expected complex ones}}
  %0 = xla.fft %x, type = FFT, length = [4] : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @half(%x: tensor<4xf16>) {
  // expected-error @+1 {{'xla.fft' op [Fft-C2] RFFT does not take elements of type 'f16', expected f32 or f64}}
  %0 = xla.fft %x, type = RFFT, length = [4] : (tensor<4xf16>) -> tensor<3xcomplex<f32>>
  return
}

// -----

func.func @length(%x: tensor<3xcomplex<f32>>) {
  // expected-error @+1 {{'xla.fft' op [Fft-C3] dimension 0 of 'tensor<3xcomplex<f32>>' does not have the size 4 that fft_length 6 asks for}}
  %0 = xla.fft %x, type = IRFFT, length = [6] : (tensor<3xcomplex<f32>>) -> tensor<6xf32>
  return
}

// -----

func.func @outer_length(%x: tensor<3x4xcomplex<f32>>) {
  // expected-error @+1 {{'xla.fft' op [Fft-C3] dimension 0 of 'tensor<3x4xcomplex<f32>>' does not have the size 4}}
  %0 = xla.fft %x, type = FFT, length = [4, 4] : (tensor<3x4xcomplex<f32>>) -> tensor<3x4xcomplex<f32>>
  return
}

// -----

func.func @result(%x: tensor<8xf32>) {
  // expected-error @+1 {{'xla.fft' op [Fft-C4] result types 'tensor<8xcomplex<f32>>' differ from the inferred 'tensor<5xcomplex<f32>>'}}
  %0 = xla.fft %x, type = RFFT, length = [8] : (tensor<8xf32>) -> tensor<8xcomplex<f32>>
  return
}
