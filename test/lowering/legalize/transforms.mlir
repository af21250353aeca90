// RUN: xla-opt %s --split-input-file --xla-simplify | FileCheck %s
// Convolutions by transforms of what is padded with zeros have lengths without large prime factors.

// 106 = 2 * 53; 108 = 4 * 27.
// CHECK-LABEL: func.func @full(
// CHECK-SAME:    %[[X:.*]]: tensor<4x78xf32>, %[[K:.*]]: tensor<29xf32>)
// CHECK-DAG:     %[[A:.*]] = xla.pad %[[X]], %{{.*}}, low = [0, 0], high = [0, 30], interior = [0, 0] : {{.*}} -> tensor<4x108xf32>
// CHECK-DAG:     %[[FA:.*]] = xla.fft %[[A]], type = RFFT, length = [108] : {{.*}} -> tensor<4x55xcomplex<f32>>
// CHECK-DAG:     %[[B:.*]] = xla.pad %[[K]], %{{.*}}, low = [0], high = [79], interior = [0] : {{.*}} -> tensor<108xf32>
// CHECK-DAG:     %[[FB:.*]] = xla.fft %[[B]], type = RFFT, length = [108] : {{.*}} -> tensor<55xcomplex<f32>>
// CHECK-DAG:     %[[FBS:.*]] = xla.broadcast_in_dim %[[FB]], dims = [1] : {{.*}} -> tensor<4x55xcomplex<f32>>
// CHECK:         %[[P:.*]] = xla.multiply %[[FA]], %[[FBS]]
// CHECK:         %[[R:.*]] = xla.fft %[[P]], type = IRFFT, length = [108] : {{.*}} -> tensor<4x108xf32>
// CHECK:         %[[S:.*]] = xla.slice %[[R]] [0:4, 0:106]
// CHECK:         return %[[S]]
func.func @full(%x: tensor<4x78xf32>, %k: tensor<29xf32>) -> tensor<4x106xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %a = xla.pad %x, %zero, low = [0, 0], high = [0, 28], interior = [0, 0] : (tensor<4x78xf32>, tensor<f32>) -> tensor<4x106xf32>
  %fa = xla.fft %a, type = RFFT, length = [106] : (tensor<4x106xf32>) -> tensor<4x54xcomplex<f32>>
  %b = xla.pad %k, %zero, low = [0], high = [77], interior = [0] : (tensor<29xf32>, tensor<f32>) -> tensor<106xf32>
  %fb = xla.fft %b, type = RFFT, length = [106] : (tensor<106xf32>) -> tensor<54xcomplex<f32>>
  %fbs = xla.broadcast_in_dim %fb, dims = [1] : (tensor<54xcomplex<f32>>) -> tensor<4x54xcomplex<f32>>
  %p = xla.multiply %fa, %fbs : tensor<4x54xcomplex<f32>>
  %r = xla.fft %p, type = IRFFT, length = [106] : (tensor<4x54xcomplex<f32>>) -> tensor<4x106xf32>
  return %r : tensor<4x106xf32>
}

// -----

// Along two dimensions of complex numbers: 26 and 38 become 27 and 40, what is padded in front included; 24 stays.
// CHECK-LABEL: func.func @images(
// CHECK-DAG:     xla.pad %{{.*}} low = [1, 0, 0], high = [11, 0, 19], interior = [0, 0, 0] : {{.*}} -> tensor<27x24x40xcomplex<f32>>
// CHECK-DAG:     xla.pad %{{.*}} low = [0, 0, 0], high = [16, 23, 22], interior = [0, 0, 0] : {{.*}} -> tensor<27x24x40xcomplex<f32>>
// CHECK:         xla.fft %{{.*}}, type = IFFT, length = [27, 24, 40]
// CHECK:         xla.slice %{{.*}} [0:26, 0:24, 0:38]
func.func @images(%x: tensor<15x24x21xcomplex<f32>>, %y: tensor<13x1x21xcomplex<f32>>) -> tensor<26x24x38xcomplex<f32>> {
  %zero = xla.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  %cut = xla.slice %y [0:11, 0:1, 0:18] : (tensor<13x1x21xcomplex<f32>>) -> tensor<11x1x18xcomplex<f32>>
  %a = xla.pad %x, %zero, low = [1, 0, 0], high = [10, 0, 17], interior = [0, 0, 0] : (tensor<15x24x21xcomplex<f32>>, tensor<complex<f32>>) -> tensor<26x24x38xcomplex<f32>>
  %fa = xla.fft %a, type = FFT, length = [26, 24, 38] : (tensor<26x24x38xcomplex<f32>>) -> tensor<26x24x38xcomplex<f32>>
  %b = xla.pad %cut, %zero, low = [0, 0, 0], high = [15, 23, 20], interior = [0, 0, 0] : (tensor<11x1x18xcomplex<f32>>, tensor<complex<f32>>) -> tensor<26x24x38xcomplex<f32>>
  %fb = xla.fft %b, type = FFT, length = [26, 24, 38] : (tensor<26x24x38xcomplex<f32>>) -> tensor<26x24x38xcomplex<f32>>
  %p = xla.multiply %fa, %fb : tensor<26x24x38xcomplex<f32>>
  %r = xla.fft %p, type = IFFT, length = [26, 24, 38] : (tensor<26x24x38xcomplex<f32>>) -> tensor<26x24x38xcomplex<f32>>
  return %r : tensor<26x24x38xcomplex<f32>>
}

// -----

// One element more comes around to the beginning.
// CHECK-LABEL: func.func @around(
// CHECK:         xla.fft %{{.*}}, type = IRFFT, length = [106]
func.func @around(%x: tensor<79xf32>, %k: tensor<29xf32>) -> tensor<106xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %a = xla.pad %x, %zero, low = [0], high = [27], interior = [0] : (tensor<79xf32>, tensor<f32>) -> tensor<106xf32>
  %fa = xla.fft %a, type = RFFT, length = [106] : (tensor<106xf32>) -> tensor<54xcomplex<f32>>
  %b = xla.pad %k, %zero, low = [0], high = [77], interior = [0] : (tensor<29xf32>, tensor<f32>) -> tensor<106xf32>
  %fb = xla.fft %b, type = RFFT, length = [106] : (tensor<106xf32>) -> tensor<54xcomplex<f32>>
  %p = xla.multiply %fa, %fb : tensor<54xcomplex<f32>>
  %r = xla.fft %p, type = IRFFT, length = [106] : (tensor<54xcomplex<f32>>) -> tensor<106xf32>
  return %r : tensor<106xf32>
}

// -----

// What is padded with something else is no line that ends in zeros.
// CHECK-LABEL: func.func @ones(
// CHECK:         xla.fft %{{.*}}, type = IRFFT, length = [106]
func.func @ones(%x: tensor<78xf32>, %k: tensor<29xf32>) -> tensor<106xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %one = xla.constant dense<1.0> : tensor<f32>
  %a = xla.pad %x, %one, low = [0], high = [28], interior = [0] : (tensor<78xf32>, tensor<f32>) -> tensor<106xf32>
  %fa = xla.fft %a, type = RFFT, length = [106] : (tensor<106xf32>) -> tensor<54xcomplex<f32>>
  %b = xla.pad %k, %zero, low = [0], high = [77], interior = [0] : (tensor<29xf32>, tensor<f32>) -> tensor<106xf32>
  %fb = xla.fft %b, type = RFFT, length = [106] : (tensor<106xf32>) -> tensor<54xcomplex<f32>>
  %p = xla.multiply %fa, %fb : tensor<54xcomplex<f32>>
  %r = xla.fft %p, type = IRFFT, length = [106] : (tensor<54xcomplex<f32>>) -> tensor<106xf32>
  return %r : tensor<106xf32>
}

// -----

// Of lines of length 0, which every factor divides, nothing is asked.
// CHECK-LABEL: func.func @empty(
// CHECK:         xla.fft %{{.*}}, type = IFFT, length = [0]
func.func @empty(%x: tensor<3x0xcomplex<f32>>, %y: tensor<3x0xcomplex<f32>>) -> tensor<3x0xcomplex<f32>> {
  %p = xla.multiply %x, %y : tensor<3x0xcomplex<f32>>
  %r = xla.fft %p, type = IFFT, length = [0] : (tensor<3x0xcomplex<f32>>) -> tensor<3x0xcomplex<f32>>
  return %r : tensor<3x0xcomplex<f32>>
}
