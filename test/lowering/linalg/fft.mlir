// RUN: xla-opt %s --xla-legalize-to-linalg --split-input-file | FileCheck %s

// The parameters are kind, transforms before, elements behind, transforms for each item of work, in place, number of
// lengths, and these.

// Rows, eight at a time.
// CHECK-LABEL: func.func @rows
func.func @rows(%x: tensor<100x64xcomplex<f32>>) -> tensor<100x64xcomplex<f32>> {
  // CHECK: %[[OUT:.*]] = tensor.empty() : tensor<100x64xcomplex<f32>>
  // CHECK: xla_rt.library_call "xla_rt_fft_f32" ins(%arg0 : tensor<100x64xcomplex<f32>>) outs(%[[OUT]]
  // CHECK-SAME: parameters = [0, 100, 1, 8, 0, 1, 64] work = 13
  %0 = xla.fft %x, type = FFT, length = [64] : (tensor<100x64xcomplex<f32>>) -> tensor<100x64xcomplex<f32>>
  return %0 : tensor<100x64xcomplex<f32>>
}

// -----

// A few long rows, each by itself.
// CHECK-LABEL: func.func @long_rows
func.func @long_rows(%x: tensor<4x1000xf64>) -> tensor<4x501xcomplex<f64>> {
  // CHECK: xla_rt.library_call "xla_rt_fft_f64" {{.*}} parameters = [2, 4, 1, 1, 0, 1, 1000] work = 4
  %0 = xla.fft %x, type = RFFT, length = [1000] : (tensor<4x1000xf64>) -> tensor<4x501xcomplex<f64>>
  return %0 : tensor<4x501xcomplex<f64>>
}

// -----

// An item of work is an image.
// CHECK-LABEL: func.func @images
func.func @images(%x: tensor<16x512x512xf32>) -> tensor<16x512x257xcomplex<f32>> {
  // CHECK: xla_rt.library_call "xla_rt_fft_f32" {{.*}} parameters = [2, 16, 1, 1, 0, 2, 512, 512] work = 16
  // CHECK-NOT: library_call
  %0 = xla.fft %x, type = RFFT, length = [512, 512] : (tensor<16x512x512xf32>) -> tensor<16x512x257xcomplex<f32>>
  return %0 : tensor<16x512x257xcomplex<f32>>
}

// -----

// One image: along its rows, then in place along its columns.
// CHECK-LABEL: func.func @image
func.func @image(%x: tensor<512x512xf32>) -> tensor<512x257xcomplex<f32>> {
  // CHECK: %[[ROWS:.*]] = xla_rt.library_call "xla_rt_fft_f32" {{.*}} parameters = [2, 512, 1, 8, 0, 1, 512] work = 64
  // CHECK: xla_rt.library_call "xla_rt_fft_f32" outs(%[[ROWS]]
  // CHECK-SAME: parameters = [0, 1, 257, 16, 1, 1, 512] work = 17
  %0 = xla.fft %x, type = RFFT, length = [512, 512] : (tensor<512x512xf32>) -> tensor<512x257xcomplex<f32>>
  return %0 : tensor<512x257xcomplex<f32>>
}

// -----

// The inverse of real numbers ends with the rows.
// CHECK-LABEL: func.func @inverse
func.func @inverse(%x: tensor<512x257xcomplex<f32>>) -> tensor<512x512xf32> {
  // CHECK: %[[COLUMNS:.*]] = xla_rt.library_call "xla_rt_fft_f32" ins(%arg0
  // CHECK-SAME: parameters = [1, 1, 257, 16, 0, 1, 512] work = 17
  // CHECK: xla_rt.library_call "xla_rt_fft_f32" ins(%[[COLUMNS]]
  // CHECK-SAME: parameters = [3, 512, 1, 8, 0, 1, 512] work = 64
  %0 = xla.fft %x, type = IRFFT, length = [512, 512] : (tensor<512x257xcomplex<f32>>) -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}

// -----

// Planes are items of work; what remains is along the first dimension.
// CHECK-LABEL: func.func @cube
func.func @cube(%x: tensor<64x64x64xcomplex<f32>>) -> tensor<64x64x64xcomplex<f32>> {
  // CHECK: %[[PLANES:.*]] = xla_rt.library_call "xla_rt_fft_f32" {{.*}} parameters = [0, 64, 1, 1, 0, 2, 64, 64] work = 64
  // CHECK: xla_rt.library_call "xla_rt_fft_f32" outs(%[[PLANES]]
  // CHECK-SAME: parameters = [0, 1, 4096, 16, 1, 1, 64] work = 256
  %0 = xla.fft %x, type = FFT, length = [64, 64, 64] : (tensor<64x64x64xcomplex<f32>>) -> tensor<64x64x64xcomplex<f32>>
  return %0 : tensor<64x64x64xcomplex<f32>>
}

// -----

// What nobody else reads is overwritten; an argument is not.
// CHECK-LABEL: func.func @in_place
func.func @in_place(%x: tensor<8x64xcomplex<f32>>) -> tensor<8x64xcomplex<f32>> {
  // CHECK: %[[F:.*]] = xla_rt.library_call "xla_rt_fft_f32" ins(%arg0 : {{.*}} parameters = [0,
  // CHECK: xla_rt.library_call "xla_rt_fft_f32" outs(%[[F]] : {{.*}} parameters = [1,
  %0 = xla.fft %x, type = FFT, length = [64] : (tensor<8x64xcomplex<f32>>) -> tensor<8x64xcomplex<f32>>
  %1 = xla.fft %0, type = IFFT, length = [64] : (tensor<8x64xcomplex<f32>>) -> tensor<8x64xcomplex<f32>>
  return %1 : tensor<8x64xcomplex<f32>>
}

// -----

// CHECK-LABEL: func.func @empty
func.func @empty(%x: tensor<3x1xcomplex<f32>>) -> tensor<3x0xf32> {
  // CHECK-NOT: library_call
  // CHECK: tensor.empty() : tensor<3x0xf32>
  %0 = xla.fft %x, type = IRFFT, length = [0] : (tensor<3x1xcomplex<f32>>) -> tensor<3x0xf32>
  return %0 : tensor<3x0xf32>
}
