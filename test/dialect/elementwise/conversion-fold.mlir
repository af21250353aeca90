// Convert, bitcast_convert and reduce_precision: lossless chains and constants.
// RUN: xla-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @convert_same(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: return %[[X]] : tensor<4xf32>
func.func @convert_same(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = xla.convert %x : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @widen_and_back(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: return %[[X]]
func.func @widen_and_back(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = xla.convert %x : (tensor<4xbf16>) -> tensor<4xf32>
  %r = xla.convert %0 : (tensor<4xf32>) -> tensor<4xbf16>
  return %r : tensor<4xbf16>
}

// CHECK-LABEL: func.func @narrow_and_back(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[Y:.+]] = xla.convert %[[X]] : (tensor<4xf32>) -> tensor<4xbf16>
// CHECK-NEXT: %[[R:.+]] = xla.convert %[[Y]] : (tensor<4xbf16>) -> tensor<4xf32>
// CHECK-NEXT: return %[[R]]
func.func @narrow_and_back(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.convert %x : (tensor<4xf32>) -> tensor<4xbf16>
  %r = xla.convert %0 : (tensor<4xbf16>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @widen_int(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[R:.+]] = xla.convert %[[X]] : (tensor<4xi8>) -> tensor<4xi32>
// CHECK-NEXT: return %[[R]]
func.func @widen_int(%x: tensor<4xi8>) -> tensor<4xi32> {
  %0 = xla.convert %x : (tensor<4xi8>) -> tensor<4xi16>
  %r = xla.convert %0 : (tensor<4xi16>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @sign_is_lost(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[Y:.+]] = xla.convert %[[X]] : (tensor<4xi8>) -> tensor<4xui16>
// CHECK-NEXT: %[[R:.+]] = xla.convert %[[Y]] : (tensor<4xui16>) -> tensor<4xi32>
// CHECK-NEXT: return %[[R]]
func.func @sign_is_lost(%x: tensor<4xi8>) -> tensor<4xi32> {
  %0 = xla.convert %x : (tensor<4xi8>) -> tensor<4xui16>
  %r = xla.convert %0 : (tensor<4xui16>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @unsigned_to_wider_signed(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[R:.+]] = xla.convert %[[X]] : (tensor<4xui8>) -> tensor<4xf32>
// CHECK-NEXT: return %[[R]]
func.func @unsigned_to_wider_signed(%x: tensor<4xui8>) -> tensor<4xf32> {
  %0 = xla.convert %x : (tensor<4xui8>) -> tensor<4xi16>
  %r = xla.convert %0 : (tensor<4xi16>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @unsigned_to_same_signed(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[Y:.+]] = xla.convert %[[X]] : (tensor<4xui8>) -> tensor<4xi8>
// CHECK-NEXT: %[[R:.+]] = xla.convert %[[Y]] : (tensor<4xi8>) -> tensor<4xi32>
// CHECK-NEXT: return %[[R]]
func.func @unsigned_to_same_signed(%x: tensor<4xui8>) -> tensor<4xi32> {
  %0 = xla.convert %x : (tensor<4xui8>) -> tensor<4xi8>
  %r = xla.convert %0 : (tensor<4xi8>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @int_through_float(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[R:.+]] = xla.convert %[[X]] : (tensor<4xi16>) -> tensor<4xi64>
// CHECK-NEXT: return %[[R]]
func.func @int_through_float(%x: tensor<4xi16>) -> tensor<4xi64> {
  %0 = xla.convert %x : (tensor<4xi16>) -> tensor<4xf32>
  %r = xla.convert %0 : (tensor<4xf32>) -> tensor<4xi64>
  return %r : tensor<4xi64>
}

// CHECK-LABEL: func.func @int_rounds(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[Y:.+]] = xla.convert %[[X]] : (tensor<4xi32>) -> tensor<4xf32>
// CHECK-NEXT: %[[R:.+]] = xla.convert %[[Y]] : (tensor<4xf32>) -> tensor<4xi32>
// CHECK-NEXT: return %[[R]]
func.func @int_rounds(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.convert %x : (tensor<4xi32>) -> tensor<4xf32>
  %r = xla.convert %0 : (tensor<4xf32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @pred_through_int(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[R:.+]] = xla.convert %[[X]] : (tensor<4xi1>) -> tensor<4xf32>
// CHECK-NEXT: return %[[R]]
func.func @pred_through_int(%x: tensor<4xi1>) -> tensor<4xf32> {
  %0 = xla.convert %x : (tensor<4xi1>) -> tensor<4xi8>
  %r = xla.convert %0 : (tensor<4xi8>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @int_to_pred(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[Y:.+]] = xla.convert %[[X]] : (tensor<4xi32>) -> tensor<4xi1>
// CHECK-NEXT: %[[R:.+]] = xla.convert %[[Y]] : (tensor<4xi1>) -> tensor<4xi32>
// CHECK-NEXT: return %[[R]]
func.func @int_to_pred(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = xla.convert %x : (tensor<4xi32>) -> tensor<4xi1>
  %r = xla.convert %0 : (tensor<4xi1>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @real_through_complex(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: return %[[X]]
func.func @real_through_complex(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.convert %x : (tensor<4xf32>) -> tensor<4xcomplex<f32>>
  %r = xla.convert %0 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @small_float(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[R:.+]] = xla.convert %[[X]] : (tensor<4xf8E4M3FN>) -> tensor<4xf32>
// CHECK-NEXT: return %[[R]]
func.func @small_float(%x: tensor<4xf8E4M3FN>) -> tensor<4xf32> {
  %0 = xla.convert %x : (tensor<4xf8E4M3FN>) -> tensor<4xf16>
  %r = xla.convert %0 : (tensor<4xf16>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @infinity_is_lost(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[Y:.+]] = xla.convert %[[X]] : (tensor<4xf8E5M2>) -> tensor<4xf8E4M3FN>
// CHECK-NEXT: %[[R:.+]] = xla.convert %[[Y]] : (tensor<4xf8E4M3FN>) -> tensor<4xf32>
// CHECK-NEXT: return %[[R]]
func.func @infinity_is_lost(%x: tensor<4xf8E5M2>) -> tensor<4xf32> {
  %0 = xla.convert %x : (tensor<4xf8E5M2>) -> tensor<4xf8E4M3FN>
  %r = xla.convert %0 : (tensor<4xf8E4M3FN>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @int_to_float(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[0x4B800000, 0x4B800002]> : tensor<2xf32>
// CHECK-NEXT: return %[[C]] : tensor<2xf32>
func.func @int_to_float() -> tensor<2xf32> {
  %x = xla.constant dense<[16777217, 16777219]> : tensor<2xi32>
  %r = xla.convert %x : (tensor<2xi32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: func.func @unsigned_to_float(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<2.550000e+02> : tensor<f32>
// CHECK-NEXT: return %[[C]] : tensor<f32>
func.func @unsigned_to_float() -> tensor<f32> {
  %x = xla.constant dense<255> : tensor<ui8>
  %r = xla.convert %x : (tensor<ui8>) -> tensor<f32>
  return %r : tensor<f32>
}

// CHECK-LABEL: func.func @float_to_int(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[1, -1]> : tensor<2xi32>
// CHECK-NEXT: return %[[C]] : tensor<2xi32>
func.func @float_to_int() -> tensor<2xi32> {
  %x = xla.constant dense<[1.9, -1.9]> : tensor<2xf32>
  %r = xla.convert %x : (tensor<2xf32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// CHECK-LABEL: func.func @int_narrows(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<44> : tensor<ui8>
// CHECK-NEXT: return %[[C]] : tensor<ui8>
func.func @int_narrows() -> tensor<ui8> {
  %x = xla.constant dense<300> : tensor<i32>
  %r = xla.convert %x : (tensor<i32>) -> tensor<ui8>
  return %r : tensor<ui8>
}

// CHECK-LABEL: func.func @int_widens(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[-1, 2]> : tensor<2xi32>
// CHECK-NEXT: return %[[C]] : tensor<2xi32>
func.func @int_widens() -> tensor<2xi32> {
  %x = xla.constant dense<[-1, 2]> : tensor<2xi8>
  %r = xla.convert %x : (tensor<2xi8>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// CHECK-LABEL: func.func @to_pred(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[false, false, true, true]> : tensor<4xi1>
// CHECK-NEXT: return %[[C]] : tensor<4xi1>
func.func @to_pred() -> tensor<4xi1> {
  %x = xla.constant dense<[0.0, -0.0, 0.5, 0x7FC00000]> : tensor<4xf32>
  %r = xla.convert %x : (tensor<4xf32>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// CHECK-LABEL: func.func @from_pred(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[1.000000e+00, 0.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: return %[[C]] : tensor<2xf32>
func.func @from_pred() -> tensor<2xf32> {
  %x = xla.constant dense<[true, false]> : tensor<2xi1>
  %r = xla.convert %x : (tensor<2xi1>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: func.func @pred_to_int(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[1, 0]> : tensor<2xi32>
// CHECK-NEXT: return %[[C]] : tensor<2xi32>
func.func @pred_to_int() -> tensor<2xi32> {
  %x = xla.constant dense<[true, false]> : tensor<2xi1>
  %r = xla.convert %x : (tensor<2xi1>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// CHECK-LABEL: func.func @float_rounds(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[1.000000e+00, 1.015630e+00]> : tensor<2xbf16>
// CHECK-NEXT: return %[[C]] : tensor<2xbf16>
func.func @float_rounds() -> tensor<2xbf16> {
  %x = xla.constant dense<[1.00390625, 1.01171875]> : tensor<2xf32>
  %r = xla.convert %x : (tensor<2xf32>) -> tensor<2xbf16>
  return %r : tensor<2xbf16>
}

// CHECK-LABEL: func.func @float_overflows(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<0x7C00> : tensor<f16>
// CHECK-NEXT: return %[[C]] : tensor<f16>
func.func @float_overflows() -> tensor<f16> {
  %x = xla.constant dense<65520.0> : tensor<f32>
  %r = xla.convert %x : (tensor<f32>) -> tensor<f16>
  return %r : tensor<f16>
}

// CHECK-LABEL: func.func @to_complex(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[(1.000000e+00,0.000000e+00), (-2.000000e+00,0.000000e+00)]> : tensor<2xcomplex<f32>>
// CHECK-NEXT: return %[[C]] : tensor<2xcomplex<f32>>
func.func @to_complex() -> tensor<2xcomplex<f32>> {
  %x = xla.constant dense<[1, -2]> : tensor<2xi32>
  %r = xla.convert %x : (tensor<2xi32>) -> tensor<2xcomplex<f32>>
  return %r : tensor<2xcomplex<f32>>
}

// CHECK-LABEL: func.func @complex_to_real(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<1.500000e+00> : tensor<f32>
// CHECK-NEXT: return %[[C]] : tensor<f32>
func.func @complex_to_real() -> tensor<f32> {
  %x = xla.constant dense<(1.5, 2.5)> : tensor<complex<f64>>
  %r = xla.convert %x : (tensor<complex<f64>>) -> tensor<f32>
  return %r : tensor<f32>
}

// CHECK-LABEL: func.func @complex_narrows(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<(1.500000e+00,2.500000e+00)> : tensor<complex<f32>>
// CHECK-NEXT: return %[[C]] : tensor<complex<f32>>
func.func @complex_narrows() -> tensor<complex<f32>> {
  %x = xla.constant dense<(1.5, 2.5)> : tensor<complex<f64>>
  %r = xla.convert %x : (tensor<complex<f64>>) -> tensor<complex<f32>>
  return %r : tensor<complex<f32>>
}

// CHECK-LABEL: func.func @out_of_range_stays(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<3.000000e+09> : tensor<f32>
// CHECK-NEXT: %[[R:.+]] = xla.convert %[[C]] : (tensor<f32>) -> tensor<i32>
// CHECK-NEXT: return %[[R]]
func.func @out_of_range_stays() -> tensor<i32> {
  %x = xla.constant dense<3.0e9> : tensor<f32>
  %r = xla.convert %x : (tensor<f32>) -> tensor<i32>
  return %r : tensor<i32>
}

// CHECK-LABEL: func.func @nan_to_int_stays(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<0x7FC00000> : tensor<f32>
// CHECK-NEXT: %[[R:.+]] = xla.convert %[[C]]
// CHECK-NEXT: return %[[R]]
func.func @nan_to_int_stays() -> tensor<i32> {
  %x = xla.constant dense<0x7FC00000> : tensor<f32>
  %r = xla.convert %x : (tensor<f32>) -> tensor<i32>
  return %r : tensor<i32>
}

// CHECK-LABEL: func.func @bitcast_same(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: return %[[X]] : tensor<4xf32>
func.func @bitcast_same(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = xla.bitcast_convert %x : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @bitcast_back(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: return %[[X]] : tensor<4xf32>
func.func @bitcast_back(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.bitcast_convert %x : (tensor<4xf32>) -> tensor<4x4xi8>
  %r = xla.bitcast_convert %0 : (tensor<4x4xi8>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @bitcast_chain(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[R:.+]] = xla.bitcast_convert %[[X]] : (tensor<4xf32>) -> tensor<4xui32>
// CHECK-NEXT: return %[[R]]
func.func @bitcast_chain(%x: tensor<4xf32>) -> tensor<4xui32> {
  %0 = xla.bitcast_convert %x : (tensor<4xf32>) -> tensor<4xi32>
  %r = xla.bitcast_convert %0 : (tensor<4xi32>) -> tensor<4xui32>
  return %r : tensor<4xui32>
}

// CHECK-LABEL: func.func @bitcast_float(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[1065353216, 2147483648]> : tensor<2xui32>
// CHECK-NEXT: return %[[C]] : tensor<2xui32>
func.func @bitcast_float() -> tensor<2xui32> {
  %x = xla.constant dense<[1.0, -0.0]> : tensor<2xf32>
  %r = xla.bitcast_convert %x : (tensor<2xf32>) -> tensor<2xui32>
  return %r : tensor<2xui32>
}

// CHECK-LABEL: func.func @bitcast_int(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: return %[[C]] : tensor<f32>
func.func @bitcast_int() -> tensor<f32> {
  %x = xla.constant dense<1065353216> : tensor<i32>
  %r = xla.bitcast_convert %x : (tensor<i32>) -> tensor<f32>
  return %r : tensor<f32>
}

// CHECK-LABEL: func.func @reduce_precision_wide(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: return %[[X]] : tensor<4xf32>
func.func @reduce_precision_wide(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = xla.reduce_precision %x, format = e11m52 : tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @reduce_precision_narrow(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[R:.+]] = xla.reduce_precision %[[X]], format = e8m7 : tensor<4xf32>
// CHECK-NEXT: return %[[R]]
func.func @reduce_precision_narrow(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = xla.reduce_precision %x, format = e8m7 : tensor<4xf32>
  return %r : tensor<4xf32>
}

// NaN stays NaN where the source has no significand to mark it.
// CHECK-LABEL: func.func @convert_nan_of_powers(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<0x7FC00000> : tensor<f32>
func.func @convert_nan_of_powers() -> tensor<f32> {
  %x = xla.constant dense<0xFF> : tensor<f8E8M0FNU>
  %0 = xla.convert %x : (tensor<f8E8M0FNU>) -> tensor<f32>
  return %0 : tensor<f32>
}
