// Identities and constant folding of binary ops. What is not an identity for -0.0, NaN or infinities must stay.
// RUN: xla-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @add_zero(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: return %[[X]] : tensor<4xi32>
func.func @add_zero(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c = xla.constant dense<0> : tensor<4xi32>
  %r = xla.add %x, %c : tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @zero_add(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: return %[[X]] : tensor<4xi32>
func.func @zero_add(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c = xla.constant dense<0> : tensor<4xi32>
  %r = xla.add %c, %x : tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @add_negative_zero(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: return %[[X]] : tensor<4xf32>
func.func @add_negative_zero(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = xla.constant dense<-0.0> : tensor<4xf32>
  %r = xla.add %x, %c : tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @add_positive_zero(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[D:.+]] = xla.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[E:.+]] = xla.add %[[X]], %[[D]] : tensor<4xf32>
// CHECK-NEXT: return %[[E]]
func.func @add_positive_zero(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = xla.constant dense<0.0> : tensor<4xf32>
  %r = xla.add %x, %c : tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @subtract_zero(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: return %[[X]] : tensor<4xi32>
func.func @subtract_zero(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c = xla.constant dense<0> : tensor<4xi32>
  %r = xla.subtract %x, %c : tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @subtract_positive_zero(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: return %[[X]] : tensor<4xf32>
func.func @subtract_positive_zero(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = xla.constant dense<0.0> : tensor<4xf32>
  %r = xla.subtract %x, %c : tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @subtract_negative_zero(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[D:.+]] = xla.constant dense<-0.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[E:.+]] = xla.subtract %[[X]], %[[D]] : tensor<4xf32>
// CHECK-NEXT: return %[[E]]
func.func @subtract_negative_zero(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = xla.constant dense<-0.0> : tensor<4xf32>
  %r = xla.subtract %x, %c : tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @subtract_self(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[D:.+]] = xla.constant dense<0> : tensor<4xi32>
// CHECK-NEXT: return %[[D]]
func.func @subtract_self(%x: tensor<4xi32>) -> tensor<4xi32> {
  %r = xla.subtract %x, %x : tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @subtract_self_float(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[R:.+]] = xla.subtract %[[X]], %[[X]] : tensor<4xf32>
// CHECK-NEXT: return %[[R]]
func.func @subtract_self_float(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = xla.subtract %x, %x : tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @multiply_one(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: return %[[X]] : tensor<4xf32>
func.func @multiply_one(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = xla.constant dense<1.0> : tensor<4xf32>
  %r = xla.multiply %x, %c : tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @multiply_one_int(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: return %[[X]] : tensor<4xui8>
func.func @multiply_one_int(%x: tensor<4xui8>) -> tensor<4xui8> {
  %c = xla.constant dense<1> : tensor<4xui8>
  %r = xla.multiply %x, %c : tensor<4xui8>
  return %r : tensor<4xui8>
}

// CHECK-LABEL: func.func @multiply_zero(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[D:.+]] = xla.constant dense<0> : tensor<4xi32>
// CHECK-NEXT: return %[[D]]
func.func @multiply_zero(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c = xla.constant dense<0> : tensor<4xi32>
  %r = xla.multiply %x, %c : tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @multiply_zero_float(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[D:.+]] = xla.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[E:.+]] = xla.multiply %[[X]], %[[D]] : tensor<4xf32>
// CHECK-NEXT: return %[[E]]
func.func @multiply_zero_float(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = xla.constant dense<0.0> : tensor<4xf32>
  %r = xla.multiply %x, %c : tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @multiply_true(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: return %[[X]] : tensor<4xi1>
func.func @multiply_true(%x: tensor<4xi1>) -> tensor<4xi1> {
  %c = xla.constant dense<true> : tensor<4xi1>
  %r = xla.multiply %x, %c : tensor<4xi1>
  return %r : tensor<4xi1>
}

// CHECK-LABEL: func.func @multiply_false(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[D:.+]] = xla.constant dense<false> : tensor<4xi1>
// CHECK-NEXT: return %[[D]]
func.func @multiply_false(%x: tensor<4xi1>) -> tensor<4xi1> {
  %c = xla.constant dense<false> : tensor<4xi1>
  %r = xla.multiply %x, %c : tensor<4xi1>
  return %r : tensor<4xi1>
}

// CHECK-LABEL: func.func @divide_one(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: return %[[X]] : tensor<4xf32>
func.func @divide_one(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = xla.constant dense<1.0> : tensor<4xf32>
  %r = xla.divide %x, %c : tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @divide_one_int(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: return %[[X]] : tensor<4xi32>
func.func @divide_one_int(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c = xla.constant dense<1> : tensor<4xi32>
  %r = xla.divide %x, %c : tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @remainder_one(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[D:.+]] = xla.constant dense<0> : tensor<4xi32>
// CHECK-NEXT: return %[[D]]
func.func @remainder_one(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c = xla.constant dense<1> : tensor<4xi32>
  %r = xla.remainder %x, %c : tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @power_one(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: return %[[X]] : tensor<4xf32>
func.func @power_one(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = xla.constant dense<1.0> : tensor<4xf32>
  %r = xla.power %x, %c : tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @power_zero(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[D:.+]] = xla.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-NEXT: return %[[D]]
func.func @power_zero(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = xla.constant dense<0.0> : tensor<4xf32>
  %r = xla.power %x, %c : tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @power_zero_int(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[D:.+]] = xla.constant dense<1> : tensor<4xi32>
// CHECK-NEXT: return %[[D]]
func.func @power_zero_int(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c = xla.constant dense<0> : tensor<4xi32>
  %r = xla.power %x, %c : tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @maximum_self(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: return %[[X]]
func.func @maximum_self(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = xla.maximum %x, %x : tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @minimum_self(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: return %[[X]]
func.func @minimum_self(%x: tensor<4xi32>) -> tensor<4xi32> {
  %r = xla.minimum %x, %x : tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @and_self(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: return %[[X]]
func.func @and_self(%x: tensor<4xi32>) -> tensor<4xi32> {
  %r = xla.and %x, %x : tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @and_zero(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[D:.+]] = xla.constant dense<0> : tensor<4xi32>
// CHECK-NEXT: return %[[D]]
func.func @and_zero(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c = xla.constant dense<0> : tensor<4xi32>
  %r = xla.and %x, %c : tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @and_ones(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: return %[[X]] : tensor<4xi32>
func.func @and_ones(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c = xla.constant dense<-1> : tensor<4xi32>
  %r = xla.and %x, %c : tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @and_true(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: return %[[X]] : tensor<4xi1>
func.func @and_true(%x: tensor<4xi1>) -> tensor<4xi1> {
  %c = xla.constant dense<true> : tensor<4xi1>
  %r = xla.and %x, %c : tensor<4xi1>
  return %r : tensor<4xi1>
}

// CHECK-LABEL: func.func @or_self(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: return %[[X]]
func.func @or_self(%x: tensor<4xi32>) -> tensor<4xi32> {
  %r = xla.or %x, %x : tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @or_zero(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: return %[[X]] : tensor<4xi32>
func.func @or_zero(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c = xla.constant dense<0> : tensor<4xi32>
  %r = xla.or %x, %c : tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @or_ones(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[D:.+]] = xla.constant dense<-1> : tensor<4xi32>
// CHECK-NEXT: return %[[D]]
func.func @or_ones(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c = xla.constant dense<-1> : tensor<4xi32>
  %r = xla.or %x, %c : tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @or_true(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[D:.+]] = xla.constant dense<true> : tensor<4xi1>
// CHECK-NEXT: return %[[D]]
func.func @or_true(%x: tensor<4xi1>) -> tensor<4xi1> {
  %c = xla.constant dense<true> : tensor<4xi1>
  %r = xla.or %x, %c : tensor<4xi1>
  return %r : tensor<4xi1>
}

// CHECK-LABEL: func.func @xor_self(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[D:.+]] = xla.constant dense<0> : tensor<4xi32>
// CHECK-NEXT: return %[[D]]
func.func @xor_self(%x: tensor<4xi32>) -> tensor<4xi32> {
  %r = xla.xor %x, %x : tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @xor_zero(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: return %[[X]] : tensor<4xi32>
func.func @xor_zero(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c = xla.constant dense<0> : tensor<4xi32>
  %r = xla.xor %x, %c : tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @shift_left_zero(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: return %[[X]] : tensor<4xi32>
func.func @shift_left_zero(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c = xla.constant dense<0> : tensor<4xi32>
  %r = xla.shift_left %x, %c : tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @zero_shift_left(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[D:.+]] = xla.constant dense<0> : tensor<4xi32>
// CHECK-NEXT: return %[[D]]
func.func @zero_shift_left(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c = xla.constant dense<0> : tensor<4xi32>
  %r = xla.shift_left %c, %x : tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @shift_right_zero(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: return %[[X]] : tensor<4xi32>
func.func @shift_right_zero(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c = xla.constant dense<0> : tensor<4xi32>
  %r = xla.shift_right_logical %x, %c : tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @add_wraps(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[-2147483648, 3]> : tensor<2xi32>
// CHECK-NEXT: return %[[C]] : tensor<2xi32>
func.func @add_wraps() -> tensor<2xi32> {
  %x = xla.constant dense<[2147483647, 1]> : tensor<2xi32>
  %y = xla.constant dense<[1, 2]> : tensor<2xi32>
  %r = xla.add %x, %y : tensor<2xi32>
  return %r : tensor<2xi32>
}

// CHECK-LABEL: func.func @add_pred(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[true, true, true, false]> : tensor<4xi1>
// CHECK-NEXT: return %[[C]] : tensor<4xi1>
func.func @add_pred() -> tensor<4xi1> {
  %x = xla.constant dense<[true, true, false, false]> : tensor<4xi1>
  %y = xla.constant dense<[true, false, true, false]> : tensor<4xi1>
  %r = xla.add %x, %y : tensor<4xi1>
  return %r : tensor<4xi1>
}

// CHECK-LABEL: func.func @add_bf16_rounds(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[2.560000e+02, 2.600000e+02]> : tensor<2xbf16>
// CHECK-NEXT: return %[[C]] : tensor<2xbf16>
func.func @add_bf16_rounds() -> tensor<2xbf16> {
  %x = xla.constant dense<[256.0, 256.0]> : tensor<2xbf16>
  %y = xla.constant dense<[1.0, 3.0]> : tensor<2xbf16>
  %r = xla.add %x, %y : tensor<2xbf16>
  return %r : tensor<2xbf16>
}

// CHECK-LABEL: func.func @add_f16_overflows(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<0x7C00> : tensor<f16>
// CHECK-NEXT: return %[[C]] : tensor<f16>
func.func @add_f16_overflows() -> tensor<f16> {
  %x = xla.constant dense<65504.0> : tensor<f16>
  %y = xla.constant dense<16.0> : tensor<f16>
  %r = xla.add %x, %y : tensor<f16>
  return %r : tensor<f16>
}

// CHECK-LABEL: func.func @add_splat_to_elements(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[2.000000e+00, 3.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: return %[[C]] : tensor<2xf32>
func.func @add_splat_to_elements() -> tensor<2xf32> {
  %x = xla.constant dense<1.0> : tensor<2xf32>
  %y = xla.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %r = xla.add %x, %y : tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: func.func @subtract(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<255> : tensor<ui8>
// CHECK-NEXT: return %[[C]] : tensor<ui8>
func.func @subtract() -> tensor<ui8> {
  %x = xla.constant dense<0> : tensor<ui8>
  %y = xla.constant dense<1> : tensor<ui8>
  %r = xla.subtract %x, %y : tensor<ui8>
  return %r : tensor<ui8>
}

// CHECK-LABEL: func.func @multiply(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<44> : tensor<i8>
// CHECK-NEXT: return %[[C]] : tensor<i8>
func.func @multiply() -> tensor<i8> {
  %x = xla.constant dense<100> : tensor<i8>
  %y = xla.constant dense<3> : tensor<i8>
  %r = xla.multiply %x, %y : tensor<i8>
  return %r : tensor<i8>
}

// CHECK-LABEL: func.func @divide_signed(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[3, -3, -1, -2147483648]> : tensor<4xi32>
// CHECK-NEXT: return %[[C]] : tensor<4xi32>
func.func @divide_signed() -> tensor<4xi32> {
  %x = xla.constant dense<[7, -7, 5, -2147483648]> : tensor<4xi32>
  %y = xla.constant dense<[2, 2, 0, -1]> : tensor<4xi32>
  %r = xla.divide %x, %y : tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @divide_unsigned(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[127, 255]> : tensor<2xui8>
// CHECK-NEXT: return %[[C]] : tensor<2xui8>
func.func @divide_unsigned() -> tensor<2xui8> {
  %x = xla.constant dense<[255, 9]> : tensor<2xui8>
  %y = xla.constant dense<[2, 0]> : tensor<2xui8>
  %r = xla.divide %x, %y : tensor<2xui8>
  return %r : tensor<2xui8>
}

// CHECK-LABEL: func.func @divide_float(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[0x7F800000, -0.333333343]> : tensor<2xf32>
// CHECK-NEXT: return %[[C]] : tensor<2xf32>
func.func @divide_float() -> tensor<2xf32> {
  %x = xla.constant dense<[1.0, -1.0]> : tensor<2xf32>
  %y = xla.constant dense<[0.0, 3.0]> : tensor<2xf32>
  %r = xla.divide %x, %y : tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: func.func @remainder_signed(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[1, -1, 1, -1, 5, 0]> : tensor<6xi32>
// CHECK-NEXT: return %[[C]] : tensor<6xi32>
func.func @remainder_signed() -> tensor<6xi32> {
  %x = xla.constant dense<[7, -7, 7, -7, 5, -2147483648]> : tensor<6xi32>
  %y = xla.constant dense<[3, 3, -3, -3, 0, -1]> : tensor<6xi32>
  %r = xla.remainder %x, %y : tensor<6xi32>
  return %r : tensor<6xi32>
}

// CHECK-LABEL: func.func @remainder_float(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[-1.500000e+00, 1.500000e+00, -0.000000e+00]> : tensor<3xf32>
// CHECK-NEXT: return %[[C]] : tensor<3xf32>
func.func @remainder_float() -> tensor<3xf32> {
  %x = xla.constant dense<[-7.5, 7.5, -6.0]> : tensor<3xf32>
  %y = xla.constant dense<[2.0, -2.0, 3.0]> : tensor<3xf32>
  %r = xla.remainder %x, %y : tensor<3xf32>
  return %r : tensor<3xf32>
}

// CHECK-LABEL: func.func @power(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[81, -8, 0]> : tensor<3xi32>
// CHECK-NEXT: return %[[C]] : tensor<3xi32>
func.func @power() -> tensor<3xi32> {
  %x = xla.constant dense<[3, -2, 2]> : tensor<3xi32>
  %y = xla.constant dense<[4, 3, 32]> : tensor<3xi32>
  %r = xla.power %x, %y : tensor<3xi32>
  return %r : tensor<3xi32>
}

// CHECK-LABEL: func.func @maximum_nan(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[0x7FC00000, 0.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: return %[[C]] : tensor<2xf32>
func.func @maximum_nan() -> tensor<2xf32> {
  %x = xla.constant dense<[0x7FC00000, -0.0]> : tensor<2xf32>
  %y = xla.constant dense<[1.0, 0.0]> : tensor<2xf32>
  %r = xla.maximum %x, %y : tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: func.func @minimum_unsigned(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[1, 3]> : tensor<2xui8>
// CHECK-NEXT: return %[[C]] : tensor<2xui8>
func.func @minimum_unsigned() -> tensor<2xui8> {
  %x = xla.constant dense<[255, 3]> : tensor<2xui8>
  %y = xla.constant dense<[1, 7]> : tensor<2xui8>
  %r = xla.minimum %x, %y : tensor<2xui8>
  return %r : tensor<2xui8>
}

// CHECK-LABEL: func.func @maximum_signed(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[1, 3]> : tensor<2xi8>
// CHECK-NEXT: return %[[C]] : tensor<2xi8>
func.func @maximum_signed() -> tensor<2xi8> {
  %x = xla.constant dense<[-1, 3]> : tensor<2xi8>
  %y = xla.constant dense<[1, -7]> : tensor<2xi8>
  %r = xla.maximum %x, %y : tensor<2xi8>
  return %r : tensor<2xi8>
}

// CHECK-LABEL: func.func @maximum_pred(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[true, false]> : tensor<2xi1>
// CHECK-NEXT: return %[[C]] : tensor<2xi1>
func.func @maximum_pred() -> tensor<2xi1> {
  %x = xla.constant dense<[true, false]> : tensor<2xi1>
  %y = xla.constant dense<[false, false]> : tensor<2xi1>
  %r = xla.maximum %x, %y : tensor<2xi1>
  return %r : tensor<2xi1>
}

// CHECK-LABEL: func.func @and(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<8> : tensor<i32>
// CHECK-NEXT: return %[[C]] : tensor<i32>
func.func @and() -> tensor<i32> {
  %x = xla.constant dense<12> : tensor<i32>
  %y = xla.constant dense<10> : tensor<i32>
  %r = xla.and %x, %y : tensor<i32>
  return %r : tensor<i32>
}

// CHECK-LABEL: func.func @or(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<14> : tensor<i32>
// CHECK-NEXT: return %[[C]] : tensor<i32>
func.func @or() -> tensor<i32> {
  %x = xla.constant dense<12> : tensor<i32>
  %y = xla.constant dense<10> : tensor<i32>
  %r = xla.or %x, %y : tensor<i32>
  return %r : tensor<i32>
}

// CHECK-LABEL: func.func @xor(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<6> : tensor<i32>
// CHECK-NEXT: return %[[C]] : tensor<i32>
func.func @xor() -> tensor<i32> {
  %x = xla.constant dense<12> : tensor<i32>
  %y = xla.constant dense<10> : tensor<i32>
  %r = xla.xor %x, %y : tensor<i32>
  return %r : tensor<i32>
}

// CHECK-LABEL: func.func @shift_left(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[-2147483648, 0, 0]> : tensor<3xi32>
// CHECK-NEXT: return %[[C]] : tensor<3xi32>
func.func @shift_left() -> tensor<3xi32> {
  %x = xla.constant dense<[1, 1, 1]> : tensor<3xi32>
  %y = xla.constant dense<[31, 32, -1]> : tensor<3xi32>
  %r = xla.shift_left %x, %y : tensor<3xi32>
  return %r : tensor<3xi32>
}

// CHECK-LABEL: func.func @shift_right_arithmetic(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[-4, -1, 0]> : tensor<3xi32>
// CHECK-NEXT: return %[[C]] : tensor<3xi32>
func.func @shift_right_arithmetic() -> tensor<3xi32> {
  %x = xla.constant dense<[-8, -8, 8]> : tensor<3xi32>
  %y = xla.constant dense<[1, 40, 40]> : tensor<3xi32>
  %r = xla.shift_right_arithmetic %x, %y : tensor<3xi32>
  return %r : tensor<3xi32>
}

// CHECK-LABEL: func.func @shift_right_arithmetic_unsigned(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<192> : tensor<ui8>
// CHECK-NEXT: return %[[C]] : tensor<ui8>
func.func @shift_right_arithmetic_unsigned() -> tensor<ui8> {
  %x = xla.constant dense<128> : tensor<ui8>
  %y = xla.constant dense<1> : tensor<ui8>
  %r = xla.shift_right_arithmetic %x, %y : tensor<ui8>
  return %r : tensor<ui8>
}

// CHECK-LABEL: func.func @shift_right_logical(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[2147483644, 0]> : tensor<2xi32>
// CHECK-NEXT: return %[[C]] : tensor<2xi32>
func.func @shift_right_logical() -> tensor<2xi32> {
  %x = xla.constant dense<[-8, -8]> : tensor<2xi32>
  %y = xla.constant dense<[1, 32]> : tensor<2xi32>
  %r = xla.shift_right_logical %x, %y : tensor<2xi32>
  return %r : tensor<2xi32>
}

// CHECK-LABEL: func.func @complex(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[(1.000000e+00,3.000000e+00), (2.000000e+00,4.000000e+00)]> : tensor<2xcomplex<f32>>
// CHECK-NEXT: return %[[C]] : tensor<2xcomplex<f32>>
func.func @complex() -> tensor<2xcomplex<f32>> {
  %x = xla.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = xla.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %r = xla.complex %x, %y : tensor<2xcomplex<f32>>
  return %r : tensor<2xcomplex<f32>>
}

// CHECK-LABEL: func.func @new_nan_stays(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<0x7F800000> : tensor<f32>
// CHECK-NEXT: %[[R:.+]] = xla.subtract %[[C]], %[[C]] : tensor<f32>
// CHECK-NEXT: return %[[R]]
func.func @new_nan_stays() -> tensor<f32> {
  %x = xla.constant dense<0x7F800000> : tensor<f32>
  %r = xla.subtract %x, %x : tensor<f32>
  return %r : tensor<f32>
}

// No number is below -inf, nor above inf; the other infinity wins.
// CHECK-LABEL: func.func @extremum_infinity(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>)
// CHECK: %[[R:.*]] = xla.maximum %[[X]], %{{.*}} : tensor<4xf32>
// CHECK: return %[[X]], %[[X]], %[[R]]
func.func @extremum_infinity(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %low = xla.constant dense<0xFF800000> : tensor<4xf32>
  %high = xla.constant dense<0x7F800000> : tensor<4xf32>
  %0 = xla.maximum %low, %x : tensor<4xf32>
  %1 = xla.minimum %x, %high : tensor<4xf32>
  %2 = xla.maximum %x, %high : tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
