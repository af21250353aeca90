// Arithmetic in simpler form.
// RUN: xla-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @power_two(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[R:.+]] = xla.multiply %[[X]], %[[X]] : tensor<4xf32>
// CHECK-NEXT: return %[[R]]
func.func @power_two(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = xla.constant dense<2.0> : tensor<4xf32>
  %r = xla.power %x, %c : tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @power_two_int(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[R:.+]] = xla.multiply %[[X]], %[[X]] : tensor<4xi32>
// CHECK-NEXT: return %[[R]]
func.func @power_two_int(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c = xla.constant dense<2> : tensor<4xi32>
  %r = xla.power %x, %c : tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @zero_minus(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[R:.+]] = xla.negate %[[X]] : tensor<4xi32>
// CHECK-NEXT: return %[[R]]
func.func @zero_minus(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c = xla.constant dense<0> : tensor<4xi32>
  %r = xla.subtract %c, %x : tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @zero_minus_float(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[R:.+]] = xla.subtract %[[C]], %[[X]] : tensor<4xf32>
// CHECK-NEXT: return %[[R]]
func.func @zero_minus_float(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = xla.constant dense<0.0> : tensor<4xf32>
  %r = xla.subtract %c, %x : tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @xor_ones(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[R:.+]] = xla.not %[[X]] : tensor<4xi32>
// CHECK-NEXT: return %[[R]]
func.func @xor_ones(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c = xla.constant dense<-1> : tensor<4xi32>
  %r = xla.xor %x, %c : tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @xor_true(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[R:.+]] = xla.not %[[X]] : tensor<4xi1>
// CHECK-NEXT: return %[[R]]
func.func @xor_true(%x: tensor<4xi1>) -> tensor<4xi1> {
  %c = xla.constant dense<true> : tensor<4xi1>
  %r = xla.xor %x, %c : tensor<4xi1>
  return %r : tensor<4xi1>
}

// CHECK-LABEL: func.func @abs_of_negate(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[R:.+]] = xla.abs %[[X]] : tensor<4xf32>
// CHECK-NEXT: return %[[R]]
func.func @abs_of_negate(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.negate %x : tensor<4xf32>
  %r = xla.abs %0 : tensor<4xf32>
  return %r : tensor<4xf32>
}
