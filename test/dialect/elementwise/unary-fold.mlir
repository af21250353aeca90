// Identities and constant folding of unary ops.
// RUN: xla-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @negate_twice(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: return %[[X]] : tensor<4xf32>
func.func @negate_twice(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.negate %x : tensor<4xf32>
  %r = xla.negate %0 : tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @not_twice(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: return %[[X]] : tensor<4xi32>
func.func @not_twice(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.not %x : tensor<4xi32>
  %r = xla.not %0 : tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @conj_twice(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: return %[[X]] : tensor<2xcomplex<f32>>
func.func @conj_twice(%x: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  %0 = xla.conj %x : tensor<2xcomplex<f32>>
  %r = xla.conj %0 : tensor<2xcomplex<f32>>
  return %r : tensor<2xcomplex<f32>>
}

// CHECK-LABEL: func.func @conj_of_real(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: return %[[X]] : tensor<4xf32>
func.func @conj_of_real(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = xla.conj %x : tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @real_of_real(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: return %[[X]] : tensor<4xf32>
func.func @real_of_real(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = xla.real %x : tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @imag_of_real(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-NEXT: return %[[C]]
func.func @imag_of_real(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = xla.imag %x : tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @floor_twice(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[F:.+]] = xla.floor %[[X]] : tensor<4xf32>
// CHECK-NEXT: return %[[F]]
func.func @floor_twice(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.floor %x : tensor<4xf32>
  %r = xla.floor %0 : tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @abs_twice(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[F:.+]] = xla.abs %[[X]] : tensor<4xi32>
// CHECK-NEXT: return %[[F]]
func.func @abs_twice(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.abs %x : tensor<4xi32>
  %r = xla.abs %0 : tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @parts_of_complex(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-SAME: %[[Y:[^:]+]]:
// CHECK-NEXT: return %[[X]], %[[Y]]
func.func @parts_of_complex(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %z = xla.complex %x, %y : tensor<4xcomplex<f32>>
  %0 = xla.real %z : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %1 = xla.imag %z : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @complex_of_parts(
// CHECK-SAME: %[[Z:[^:]+]]:
// CHECK-NEXT: return %[[Z]]
func.func @complex_of_parts(%z: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = xla.real %z : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %1 = xla.imag %z : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %r = xla.complex %0, %1 : tensor<4xcomplex<f32>>
  return %r : tensor<4xcomplex<f32>>
}

// CHECK-LABEL: func.func @abs_float(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[1.500000e+00, 0.000000e+00, 0x7F800000]> : tensor<3xf32>
// CHECK-NEXT: return %[[C]] : tensor<3xf32>
func.func @abs_float() -> tensor<3xf32> {
  %x = xla.constant dense<[-1.5, -0.0, 0xFF800000]> : tensor<3xf32>
  %r = xla.abs %x : tensor<3xf32>
  return %r : tensor<3xf32>
}

// CHECK-LABEL: func.func @abs_int(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[3, 4, -128]> : tensor<3xi8>
// CHECK-NEXT: return %[[C]] : tensor<3xi8>
func.func @abs_int() -> tensor<3xi8> {
  %x = xla.constant dense<[-3, 4, -128]> : tensor<3xi8>
  %r = xla.abs %x : tensor<3xi8>
  return %r : tensor<3xi8>
}

// CHECK-LABEL: func.func @ceil(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[2.000000e+00, -0.000000e+00, -1.000000e+00]> : tensor<3xf32>
// CHECK-NEXT: return %[[C]] : tensor<3xf32>
func.func @ceil() -> tensor<3xf32> {
  %x = xla.constant dense<[1.2, -0.5, -1.7]> : tensor<3xf32>
  %r = xla.ceil %x : tensor<3xf32>
  return %r : tensor<3xf32>
}

// CHECK-LABEL: func.func @floor(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[1.000000e+00, -1.000000e+00, -0.000000e+00]> : tensor<3xf64>
// CHECK-NEXT: return %[[C]] : tensor<3xf64>
func.func @floor() -> tensor<3xf64> {
  %x = xla.constant dense<[1.2, -0.5, -0.0]> : tensor<3xf64>
  %r = xla.floor %x : tensor<3xf64>
  return %r : tensor<3xf64>
}

// CHECK-LABEL: func.func @round_afz(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, -1.000000e+00, -3.000000e+00, 0.000000e+00]> : tensor<6xf32>
// CHECK-NEXT: return %[[C]] : tensor<6xf32>
func.func @round_afz() -> tensor<6xf32> {
  %x = xla.constant dense<[0.5, 1.5, 2.5, -0.5, -2.5, 0.49999997]> : tensor<6xf32>
  %r = xla.round_nearest_afz %x : tensor<6xf32>
  return %r : tensor<6xf32>
}

// CHECK-LABEL: func.func @round_even(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[0.000000e+00, 2.000000e+00, 2.000000e+00, -0.000000e+00, -2.000000e+00]> : tensor<5xf32>
// CHECK-NEXT: return %[[C]] : tensor<5xf32>
func.func @round_even() -> tensor<5xf32> {
  %x = xla.constant dense<[0.5, 1.5, 2.5, -0.5, -2.5]> : tensor<5xf32>
  %r = xla.round_nearest_even %x : tensor<5xf32>
  return %r : tensor<5xf32>
}

// CHECK-LABEL: func.func @negate_float(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[-0.000000e+00, 2.000000e+00]> : tensor<2xbf16>
// CHECK-NEXT: return %[[C]] : tensor<2xbf16>
func.func @negate_float() -> tensor<2xbf16> {
  %x = xla.constant dense<[0.0, -2.0]> : tensor<2xbf16>
  %r = xla.negate %x : tensor<2xbf16>
  return %r : tensor<2xbf16>
}

// CHECK-LABEL: func.func @negate_unsigned(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<4294967295> : tensor<ui32>
// CHECK-NEXT: return %[[C]] : tensor<ui32>
func.func @negate_unsigned() -> tensor<ui32> {
  %x = xla.constant dense<1> : tensor<ui32>
  %r = xla.negate %x : tensor<ui32>
  return %r : tensor<ui32>
}

// CHECK-LABEL: func.func @negate_complex(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<(-1.000000e+00,2.000000e+00)> : tensor<complex<f32>>
// CHECK-NEXT: return %[[C]] : tensor<complex<f32>>
func.func @negate_complex() -> tensor<complex<f32>> {
  %x = xla.constant dense<(1.0, -2.0)> : tensor<complex<f32>>
  %r = xla.negate %x : tensor<complex<f32>>
  return %r : tensor<complex<f32>>
}

// CHECK-LABEL: func.func @sign_float(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[-1.000000e+00, -0.000000e+00, 0.000000e+00, 1.000000e+00, 0x7FC00000]> : tensor<5xf32>
// CHECK-NEXT: return %[[C]] : tensor<5xf32>
func.func @sign_float() -> tensor<5xf32> {
  %x = xla.constant dense<[-3.0, -0.0, 0.0, 2.0, 0x7FC00000]> : tensor<5xf32>
  %r = xla.sign %x : tensor<5xf32>
  return %r : tensor<5xf32>
}

// CHECK-LABEL: func.func @sign_int(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[-1, 0, 1]> : tensor<3xi32>
// CHECK-NEXT: return %[[C]] : tensor<3xi32>
func.func @sign_int() -> tensor<3xi32> {
  %x = xla.constant dense<[-3, 0, 7]> : tensor<3xi32>
  %r = xla.sign %x : tensor<3xi32>
  return %r : tensor<3xi32>
}

// CHECK-LABEL: func.func @square(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[9, 16]> : tensor<2xi8>
// CHECK-NEXT: return %[[C]] : tensor<2xi8>
func.func @square() -> tensor<2xi8> {
  %x = xla.constant dense<[3, 100]> : tensor<2xi8>
  %r = xla.square %x : tensor<2xi8>
  return %r : tensor<2xi8>
}

// CHECK-LABEL: func.func @sqrt(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[2.000000e+00, 1.41421354, -0.000000e+00]> : tensor<3xf32>
// CHECK-NEXT: return %[[C]] : tensor<3xf32>
func.func @sqrt() -> tensor<3xf32> {
  %x = xla.constant dense<[4.0, 2.0, -0.0]> : tensor<3xf32>
  %r = xla.sqrt %x : tensor<3xf32>
  return %r : tensor<3xf32>
}

// CHECK-LABEL: func.func @sqrt_of_negative(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<-1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[R:.+]] = xla.sqrt %[[C]] : tensor<f32>
// CHECK-NEXT: return %[[R]]
func.func @sqrt_of_negative() -> tensor<f32> {
  %x = xla.constant dense<-1.0> : tensor<f32>
  %r = xla.sqrt %x : tensor<f32>
  return %r : tensor<f32>
}

// CHECK-LABEL: func.func @not_pred(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[false, true]> : tensor<2xi1>
// CHECK-NEXT: return %[[C]] : tensor<2xi1>
func.func @not_pred() -> tensor<2xi1> {
  %x = xla.constant dense<[true, false]> : tensor<2xi1>
  %r = xla.not %x : tensor<2xi1>
  return %r : tensor<2xi1>
}

// CHECK-LABEL: func.func @not_int(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<-6> : tensor<i32>
// CHECK-NEXT: return %[[C]] : tensor<i32>
func.func @not_int() -> tensor<i32> {
  %x = xla.constant dense<5> : tensor<i32>
  %r = xla.not %x : tensor<i32>
  return %r : tensor<i32>
}

// CHECK-LABEL: func.func @popcnt(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[4, 8]> : tensor<2xui8>
// CHECK-NEXT: return %[[C]] : tensor<2xui8>
func.func @popcnt() -> tensor<2xui8> {
  %x = xla.constant dense<[240, 255]> : tensor<2xui8>
  %r = xla.popcnt %x : tensor<2xui8>
  return %r : tensor<2xui8>
}

// CHECK-LABEL: func.func @clz(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[8, 7, 0]> : tensor<3xui8>
// CHECK-NEXT: return %[[C]] : tensor<3xui8>
func.func @clz() -> tensor<3xui8> {
  %x = xla.constant dense<[0, 1, 255]> : tensor<3xui8>
  %r = xla.count_leading_zeros %x : tensor<3xui8>
  return %r : tensor<3xui8>
}

// CHECK-LABEL: func.func @is_finite(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[true, false, false, false]> : tensor<4xi1>
// CHECK-NEXT: return %[[C]] : tensor<4xi1>
func.func @is_finite() -> tensor<4xi1> {
  %x = xla.constant dense<[1.0, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<4xf32>
  %r = xla.is_finite %x : (tensor<4xf32>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// CHECK-LABEL: func.func @imag(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[2.000000e+00, 4.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: return %[[C]] : tensor<2xf32>
func.func @imag() -> tensor<2xf32> {
  %x = xla.constant dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f32>>
  %r = xla.imag %x : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: func.func @splat_stays_splat(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<-2.000000e+00> : tensor<1024x1024xf32>
// CHECK-NEXT: return %[[C]] : tensor<1024x1024xf32>
func.func @splat_stays_splat() -> tensor<1024x1024xf32> {
  %x = xla.constant dense<2.0> : tensor<1024x1024xf32>
  %r = xla.negate %x : tensor<1024x1024xf32>
  return %r : tensor<1024x1024xf32>
}

// The sum by which one rounds is beyond the largest number of this format, 15.5.
// CHECK-LABEL: func.func @round_f8E3M4(
// CHECK-DAG: %[[FLOOR:.+]] = xla.constant dense<[1.000000e+00, -3.000000e+00, 1.500000e+01]> : tensor<3xf8E3M4>
// CHECK-DAG: %[[CEIL:.+]] = xla.constant dense<[1.000000e+00, -2.000000e+00, 0x70]> : tensor<3xf8E3M4>
// CHECK-DAG: %[[AWAY:.+]] = xla.constant dense<[1.000000e+00, -3.000000e+00, 0x70]> : tensor<3xf8E3M4>
// CHECK: return %[[FLOOR]], %[[CEIL]], %[[AWAY]], %[[CEIL]]
func.func @round_f8E3M4() -> (tensor<3xf8E3M4>, tensor<3xf8E3M4>, tensor<3xf8E3M4>, tensor<3xf8E3M4>) {
  %x = xla.constant dense<[1.0, -2.5, 15.5]> : tensor<3xf8E3M4>
  %0 = xla.floor %x : tensor<3xf8E3M4>
  %1 = xla.ceil %x : tensor<3xf8E3M4>
  %2 = xla.round_nearest_afz %x : tensor<3xf8E3M4>
  %3 = xla.round_nearest_even %x : tensor<3xf8E3M4>
  return %0, %1, %2, %3 : tensor<3xf8E3M4>, tensor<3xf8E3M4>, tensor<3xf8E3M4>, tensor<3xf8E3M4>
}

// The square of the only NaN of this format is NaN.
// CHECK-LABEL: func.func @square_nan(
// CHECK: xla.square
func.func @square_nan() -> tensor<f8E4M3FNUZ> {
  %x = xla.constant dense<0x80> : tensor<f8E4M3FNUZ>
  %0 = xla.square %x : tensor<f8E4M3FNUZ>
  return %0 : tensor<f8E4M3FNUZ>
}
