// Compare, select and clamp: identities, canonical forms and constants.
// RUN: xla-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @eq_self(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<true> : tensor<4xi1>
// CHECK-NEXT: return %[[C]]
func.func @eq_self(%x: tensor<4xi32>) -> tensor<4xi1> {
  %r = xla.compare EQ, %x, %x : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// CHECK-LABEL: func.func @lt_self(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<false> : tensor<4xi1>
// CHECK-NEXT: return %[[C]]
func.func @lt_self(%x: tensor<4xui8>) -> tensor<4xi1> {
  %r = xla.compare LT, %x, %x : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// CHECK-LABEL: func.func @ge_self_total(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<true> : tensor<4xi1>
// CHECK-NEXT: return %[[C]]
func.func @ge_self_total(%x: tensor<4xf32>) -> tensor<4xi1> {
  %r = xla.compare GE, %x, %x, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// CHECK-LABEL: func.func @eq_self_float(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[R:.+]] = xla.compare{{ +}}EQ, %[[X]], %[[X]] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT: return %[[R]]
func.func @eq_self_float(%x: tensor<4xf32>) -> tensor<4xi1> {
  %r = xla.compare EQ, %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// CHECK-LABEL: func.func @lt_signed(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[false, true]> : tensor<2xi1>
// CHECK-NEXT: return %[[C]] : tensor<2xi1>
func.func @lt_signed() -> tensor<2xi1> {
  %x = xla.constant dense<[1, -1]> : tensor<2xi32>
  %y = xla.constant dense<[-1, 1]> : tensor<2xi32>
  %r = xla.compare LT, %x, %y : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// CHECK-LABEL: func.func @lt_unsigned(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<true> : tensor<1xi1>
// CHECK-NEXT: return %[[C]] : tensor<1xi1>
func.func @lt_unsigned() -> tensor<1xi1> {
  %x = xla.constant dense<[1]> : tensor<1xui32>
  %y = xla.constant dense<[4294967295]> : tensor<1xui32>
  %r = xla.compare LT, %x, %y : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xi1>
  return %r : tensor<1xi1>
}

// CHECK-LABEL: func.func @beyond_bounds(
// CHECK-DAG: %[[T:.+]] = xla.constant dense<true> : tensor<2xi1>
// CHECK-DAG: %[[F:.+]] = xla.constant dense<false> : tensor<2xi1>
// CHECK: return %[[F]], %[[T]], %[[F]], %[[T]] : tensor<2xi1>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>
func.func @beyond_bounds(%x: tensor<2xi32>) -> (tensor<2xi1>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>) {
  %0 = xla.constant dense<0> : tensor<2xi32>
  %1 = xla.constant dense<-1> : tensor<2xi32>
  %max = xla.maximum %x, %0 : tensor<2xi32>
  %min = xla.minimum %x, %1 : tensor<2xi32>
  %a = xla.compare LT, %max, %0 : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %b = xla.compare GT, %max, %1 : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %c = xla.compare EQ, %min, %0 : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %d = xla.compare LE, %min, %1 : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  return %a, %b, %c, %d : tensor<2xi1>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>
}

// CHECK-LABEL: func.func @within_bounds(
// CHECK: %[[A:.+]] = xla.compare{{ +}}LE
// CHECK: %[[B:.+]] = xla.compare{{ +}}LT
// CHECK: return %[[A]], %[[B]] : tensor<2xi1>, tensor<2xi1>
func.func @within_bounds(%x: tensor<2xi32>, %u: tensor<2xui32>) -> (tensor<2xi1>, tensor<2xi1>) {
  %0 = xla.constant dense<0> : tensor<2xi32>
  %max = xla.maximum %x, %0 : tensor<2xi32>
  %a = xla.compare LE, %max, %0 : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %large = xla.constant dense<4294967295> : tensor<2xui32>
  %one = xla.constant dense<1> : tensor<2xui32>
  %umax = xla.maximum %u, %one : tensor<2xui32>
  %b = xla.compare LT, %umax, %large : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xi1>
  return %a, %b : tensor<2xi1>, tensor<2xi1>
}

// CHECK-LABEL: func.func @ieee_eq(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[false, true, true]> : tensor<3xi1>
// CHECK-NEXT: return %[[C]] : tensor<3xi1>
func.func @ieee_eq() -> tensor<3xi1> {
  %x = xla.constant dense<[0x7FC00000, -0.0, 1.0]> : tensor<3xf32>
  %y = xla.constant dense<[0x7FC00000, 0.0, 1.0]> : tensor<3xf32>
  %r = xla.compare EQ, %x, %y : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  return %r : tensor<3xi1>
}

// CHECK-LABEL: func.func @ieee_ne(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[true, false]> : tensor<2xi1>
// CHECK-NEXT: return %[[C]] : tensor<2xi1>
func.func @ieee_ne() -> tensor<2xi1> {
  %x = xla.constant dense<[0x7FC00000, 1.0]> : tensor<2xf32>
  %y = xla.constant dense<[0x7FC00000, 1.0]> : tensor<2xf32>
  %r = xla.compare NE, %x, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// CHECK-LABEL: func.func @ieee_ge_nan(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<false> : tensor<1xi1>
// CHECK-NEXT: return %[[C]] : tensor<1xi1>
func.func @ieee_ge_nan() -> tensor<1xi1> {
  %x = xla.constant dense<[0x7FC00000]> : tensor<1xf32>
  %y = xla.constant dense<[1.0]> : tensor<1xf32>
  %r = xla.compare GE, %x, %y : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
  return %r : tensor<1xi1>
}

// CHECK-LABEL: func.func @total_lt(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[true, true, true, false]> : tensor<4xi1>
// CHECK-NEXT: return %[[C]] : tensor<4xi1>
func.func @total_lt() -> tensor<4xi1> {
  %x = xla.constant dense<[-0.0, 0xFFC00000, 0x7F800000, 1.0]> : tensor<4xf32>
  %y = xla.constant dense<[0.0, 0xFF800000, 0x7FC00000, 1.0]> : tensor<4xf32>
  %r = xla.compare LT, %x, %y, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// CHECK-LABEL: func.func @total_eq(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[true, false]> : tensor<2xi1>
// CHECK-NEXT: return %[[C]] : tensor<2xi1>
func.func @total_eq() -> tensor<2xi1> {
  %x = xla.constant dense<[0x7FC00000, -0.0]> : tensor<2xf32>
  %y = xla.constant dense<[0x7FC00000, 0.0]> : tensor<2xf32>
  %r = xla.compare EQ, %x, %y, TOTALORDER : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// CHECK-LABEL: func.func @constant_moves_right(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[D:.+]] = xla.constant dense<3> : tensor<4xi32>
// CHECK-NEXT: %[[R:.+]] = xla.compare{{ +}}GT, %[[X]], %[[D]] : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
// CHECK-NEXT: return %[[R]]
func.func @constant_moves_right(%x: tensor<4xi32>) -> tensor<4xi1> {
  %c = xla.constant dense<3> : tensor<4xi32>
  %r = xla.compare LT, %c, %x : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// CHECK-LABEL: func.func @not_eq(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-SAME: %[[Y:[^:]+]]:
// CHECK-NEXT: %[[R:.+]] = xla.compare{{ +}}NE, %[[X]], %[[Y]] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT: return %[[R]]
func.func @not_eq(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xi1> {
  %0 = xla.compare EQ, %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %r = xla.not %0 : tensor<4xi1>
  return %r : tensor<4xi1>
}

// CHECK-LABEL: func.func @not_lt_int(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-SAME: %[[Y:[^:]+]]:
// CHECK-NEXT: %[[R:.+]] = xla.compare{{ +}}GE, %[[X]], %[[Y]] : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
// CHECK-NEXT: return %[[R]]
func.func @not_lt_int(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi1> {
  %0 = xla.compare LT, %x, %y : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %r = xla.not %0 : tensor<4xi1>
  return %r : tensor<4xi1>
}

// CHECK-LABEL: func.func @not_lt_float(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-SAME: %[[Y:[^:]+]]:
// CHECK-NEXT: %[[C:.+]] = xla.compare{{ +}}LT, %[[X]], %[[Y]] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT: %[[R:.+]] = xla.not %[[C]] : tensor<4xi1>
// CHECK-NEXT: return %[[R]]
func.func @not_lt_float(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xi1> {
  %0 = xla.compare LT, %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %r = xla.not %0 : tensor<4xi1>
  return %r : tensor<4xi1>
}

// CHECK-LABEL: func.func @select_true(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-SAME: %[[Y:[^:]+]]:
// CHECK-NEXT: return %[[X]]
func.func @select_true(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %p = xla.constant dense<true> : tensor<4xi1>
  %r = xla.select %p, %x, %y : tensor<4xi1>, tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @select_scalar_false(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-SAME: %[[Y:[^:]+]]:
// CHECK-NEXT: return %[[Y]]
func.func @select_scalar_false(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %p = xla.constant dense<false> : tensor<i1>
  %r = xla.select %p, %x, %y : tensor<i1>, tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @select_same(
// CHECK-SAME: %[[P:[^:]+]]:
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: return %[[X]]
func.func @select_same(%p: tensor<4xi1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %r = xla.select %p, %x, %x : tensor<4xi1>, tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @select_is_pred(
// CHECK-SAME: %[[P:[^:]+]]:
// CHECK-NEXT: return %[[P]]
func.func @select_is_pred(%p: tensor<4xi1>) -> tensor<4xi1> {
  %t = xla.constant dense<true> : tensor<4xi1>
  %f = xla.constant dense<false> : tensor<4xi1>
  %r = xla.select %p, %t, %f : tensor<4xi1>, tensor<4xi1>
  return %r : tensor<4xi1>
}

// CHECK-LABEL: func.func @select_not(
// CHECK-SAME: %[[P:[^:]+]]:
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-SAME: %[[Y:[^:]+]]:
// CHECK-NEXT: %[[R:.+]] = xla.select %[[P]], %[[Y]], %[[X]] : tensor<4xi1>, tensor<4xf32>
// CHECK-NEXT: return %[[R]]
func.func @select_not(%p: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %n = xla.not %p : tensor<4xi1>
  %r = xla.select %n, %x, %y : tensor<4xi1>, tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @select_broadcast(
// CHECK-SAME: %[[P:[^:]+]]:
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-SAME: %[[Y:[^:]+]]:
// CHECK-NEXT: %[[R:.+]] = xla.select %[[P]], %[[X]], %[[Y]] : tensor<i1>, tensor<4xf32>
// CHECK-NEXT: return %[[R]]
func.func @select_broadcast(%p: tensor<i1>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %b = xla.broadcast_in_dim %p, dims = [] : (tensor<i1>) -> tensor<4xi1>
  %r = xla.select %b, %x, %y : tensor<4xi1>, tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @select_constants(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[1, 200, 300, 4]> : tensor<4xi32>
// CHECK-NEXT: return %[[C]] : tensor<4xi32>
func.func @select_constants() -> tensor<4xi32> {
  %p = xla.constant dense<[true, false, false, true]> : tensor<4xi1>
  %x = xla.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %y = xla.constant dense<[100, 200, 300, 400]> : tensor<4xi32>
  %r = xla.select %p, %x, %y : tensor<4xi1>, tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @clamp_constants(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[0, 5, 6]> : tensor<3xi32>
// CHECK-NEXT: return %[[C]] : tensor<3xi32>
func.func @clamp_constants() -> tensor<3xi32> {
  %a = xla.constant dense<0> : tensor<i32>
  %x = xla.constant dense<[-1, 5, 9]> : tensor<3xi32>
  %b = xla.constant dense<6> : tensor<i32>
  %r = xla.clamp %a, %x, %b : (tensor<i32>, tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
  return %r : tensor<3xi32>
}

// CHECK-LABEL: func.func @clamp_crossed(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<2> : tensor<3xi32>
// CHECK-NEXT: return %[[C]] : tensor<3xi32>
func.func @clamp_crossed() -> tensor<3xi32> {
  %a = xla.constant dense<5> : tensor<i32>
  %x = xla.constant dense<[1, 3, 7]> : tensor<3xi32>
  %b = xla.constant dense<2> : tensor<i32>
  %r = xla.clamp %a, %x, %b : (tensor<i32>, tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
  return %r : tensor<3xi32>
}

// CHECK-LABEL: func.func @clamp_arrays(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[0, 4, 6]> : tensor<3xi32>
// CHECK-NEXT: return %[[C]] : tensor<3xi32>
func.func @clamp_arrays() -> tensor<3xi32> {
  %a = xla.constant dense<[0, 4, 0]> : tensor<3xi32>
  %x = xla.constant dense<[-1, 3, 9]> : tensor<3xi32>
  %b = xla.constant dense<6> : tensor<i32>
  %r = xla.clamp %a, %x, %b : (tensor<3xi32>, tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
  return %r : tensor<3xi32>
}

// CHECK-LABEL: func.func @clamp_nan(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[0x7FC00000, 1.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: return %[[C]] : tensor<2xf32>
func.func @clamp_nan() -> tensor<2xf32> {
  %a = xla.constant dense<0.0> : tensor<f32>
  %x = xla.constant dense<[0x7FC00000, 2.0]> : tensor<2xf32>
  %b = xla.constant dense<1.0> : tensor<f32>
  %r = xla.clamp %a, %x, %b : (tensor<f32>, tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
