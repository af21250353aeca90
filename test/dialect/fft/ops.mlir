// RUN: xla-opt %s | FileCheck %s
// RUN: xla-opt %s | xla-opt | FileCheck %s
// RUN: xla-opt %s --mlir-print-op-generic | xla-opt | FileCheck %s
// RUN: xla-opt %s --emit-bytecode | xla-opt | FileCheck %s

// CHECK-LABEL: func.func @kinds
func.func @kinds(%x: tensor<2x8xcomplex<f32>>, %r: tensor<8xf64>, %s: tensor<5xcomplex<f64>>) {
  // CHECK: xla.fft %{{.*}}, type = FFT, length = [8] : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>
  %0 = xla.fft %x, type = FFT, length = [8] : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>
  // CHECK: xla.fft %{{.*}}, type = IFFT, length = [2, 8] {note = 1 : i32} :
  %1 = stablehlo.fft %x, type = IFFT, length = [2, 8] {note = 1 : i32} : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>
  // CHECK: xla.fft %{{.*}}, type = RFFT, length = [8] : (tensor<8xf64>) -> tensor<5xcomplex<f64>>
  %2 = stablehlo.fft %r, type = RFFT, length = [8] : (tensor<8xf64>) -> tensor<5xcomplex<f64>>
  // CHECK: xla.fft %{{.*}}, type = IRFFT, length = [9] : (tensor<5xcomplex<f64>>) -> tensor<9xf64>
  %3 = "stablehlo.fft"(%s) <{fft_length = array<i64: 9>, fft_type = #stablehlo<fft_type IRFFT>}> : (tensor<5xcomplex<f64>>) -> tensor<9xf64>
  return
}

// A dynamic dimension may have the length that it must have.
// CHECK-LABEL: func.func @dynamic
func.func @dynamic(%x: tensor<?x?xcomplex<f32>>) -> tensor<?x8xcomplex<f32>> {
  // CHECK: (tensor<?x?xcomplex<f32>>) -> tensor<?x8xcomplex<f32>>
  %0 = xla.fft %x, type = FFT, length = [8] : (tensor<?x?xcomplex<f32>>) -> tensor<?x8xcomplex<f32>>
  return %0 : tensor<?x8xcomplex<f32>>
}
