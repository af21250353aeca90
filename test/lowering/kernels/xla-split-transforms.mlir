// RUN: xla-opt %s --xla-legalize-to-linalg --xla-split-transforms --split-input-file | FileCheck %s

// A long row in two steps, which are work for all cores. The second one is in place.
// CHECK-LABEL: func.func @long
func.func @long(%x: tensor<1048576xcomplex<f32>>) -> tensor<1048576xcomplex<f32>> {
  // CHECK: %[[OUT:.*]] = tensor.empty
  // CHECK-NOT: tensor.empty
  // CHECK: %[[TURNED:.*]] = xla_rt.library_call "xla_rt_fft_step_f32" ins(%arg0 {{.*}} outs(%[[OUT]]
  // CHECK-SAME: parameters = [0, 1, 1024, 1024] work = 64
  // CHECK: xla_rt.library_call "xla_rt_fft_f32" outs(%[[TURNED]]
  // CHECK-SAME: parameters = [0, 1, 1024, 16, 1, 1, 1024] work = 64
  %0 = xla.fft %x, type = FFT, length = [1048576] : (tensor<1048576xcomplex<f32>>) -> tensor<1048576xcomplex<f32>>
  return %0 : tensor<1048576xcomplex<f32>>
}

// -----

// Lines that fill no whole item of work, and factors that differ.
// CHECK-LABEL: func.func @odd
func.func @odd(%x: tensor<3x75000xcomplex<f64>>) -> tensor<3x75000xcomplex<f64>> {
  // CHECK: "xla_rt_fft_step_f64" {{.*}} parameters = [1, 3, 250, 300] work = 57
  // CHECK: "xla_rt_fft_f64" outs{{.*}} parameters = [1, 3, 250, 16, 1, 1, 300] work = 47
  %0 = xla.fft %x, type = IFFT, length = [75000] : (tensor<3x75000xcomplex<f64>>) -> tensor<3x75000xcomplex<f64>>
  return %0 : tensor<3x75000xcomplex<f64>>
}

// -----

// Rows that one core transforms faster than two do in two steps.
// CHECK-LABEL: func.func @power
func.func @power(%x: tensor<262144xcomplex<f32>>) -> tensor<262144xcomplex<f32>> {
  // CHECK: "xla_rt_fft_f32" {{.*}} parameters = [0, 1, 1, 1, 0, 1, 262144] work = 1
  %0 = xla.fft %x, type = FFT, length = [262144] : (tensor<262144xcomplex<f32>>) -> tensor<262144xcomplex<f32>>
  return %0 : tensor<262144xcomplex<f32>>
}

// -----

// A large prime factor: convolutions would be the short transforms.
// CHECK-LABEL: func.func @prime
func.func @prime(%x: tensor<131074xcomplex<f32>>) -> tensor<131074xcomplex<f32>> {
  // CHECK: "xla_rt_fft_f32" {{.*}} parameters = [0, 1, 1, 1, 0, 1, 131074] work = 1
  %0 = xla.fft %x, type = FFT, length = [131074] : (tensor<131074xcomplex<f32>>) -> tensor<131074xcomplex<f32>>
  return %0 : tensor<131074xcomplex<f32>>
}
