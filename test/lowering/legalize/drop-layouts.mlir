// RUN: xla-opt %s --split-input-file --xla-drop-layouts | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<3x2xf32>) -> tensor<3x2xf32>
// CHECK-SAME: xla_rt.signature = (tensor<2x3xf32, #xla.layout<minor_to_major = [0, 1]>>) -> tensor<2x3xf32, #xla.layout<minor_to_major = [0, 1]>>
func.func @main(%x: tensor<2x3xf32, #xla.layout<minor_to_major = [0, 1]>>)
    -> tensor<2x3xf32, #xla.layout<minor_to_major = [0, 1]>> {
  // CHECK: %[[T:.*]] = xla.transpose %[[X]], dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  // CHECK: %[[ONE:.*]] = xla.constant dense<1.000000e+00> : tensor<2x3xf32>
  %0 = xla.constant dense<1.0> : tensor<2x3xf32, #xla.layout<minor_to_major = [0, 1]>>
  // CHECK: %[[SUM:.*]] = xla.add %[[T]], %[[ONE]] : tensor<2x3xf32>
  %1 = xla.add %x, %0 : tensor<2x3xf32, #xla.layout<minor_to_major = [0, 1]>>
  // CHECK: %[[R:.*]] = xla.transpose %[[SUM]], dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  // CHECK: return %[[R]] : tensor<3x2xf32>
  return %1 : tensor<2x3xf32, #xla.layout<minor_to_major = [0, 1]>>
}

// -----

// Padding is at the high end of each dimension.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<5x3xi8>) -> tensor<3x5xi8>
func.func @main(%x: tensor<2x3xi8, #xla.layout<minor_to_major = [0, 1], padded = [3, 5]>>)
    -> tensor<2x3xi8, #xla.layout<minor_to_major = [1, 0], padded = [3, 5], padding = LOWEST>> {
  // CHECK: %[[S:.*]] = xla.slice %[[X]] [0:3, 0:2] : (tensor<5x3xi8>) -> tensor<3x2xi8>
  // CHECK: %[[T:.*]] = xla.transpose %[[S]], dims = [1, 0] : (tensor<3x2xi8>) -> tensor<2x3xi8>
  // CHECK: %[[N:.*]] = xla.negate %[[T]]
  %0 = xla.negate %x : (tensor<2x3xi8, #xla.layout<minor_to_major = [0, 1], padded = [3, 5]>>) -> tensor<2x3xi8, #xla.layout<minor_to_major = [1, 0], padded = [3, 5], padding = LOWEST>>
  // CHECK: %[[LOW:.*]] = xla.constant dense<-128> : tensor<i8>
  // CHECK: %[[P:.*]] = xla.pad %[[N]], %[[LOW]], low = [0, 0], high = [1, 2], interior = [0, 0]
  // CHECK: return %[[P]] : tensor<3x5xi8>
  return %0 : tensor<2x3xi8, #xla.layout<minor_to_major = [1, 0], padded = [3, 5], padding = LOWEST>>
}

// -----

// What is called sees the buffers that it asks for. LAPACK's functions have a lowering that knows their layouts.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
func.func @main(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  // CHECK: %[[T:.*]] = xla.transpose %[[X]], dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  // CHECK: %[[C:.*]] = xla.custom_call @callee(%[[T]])
  // CHECK-NOT: layouts
  // CHECK-SAME: xla_rt.signature = (tensor<2x3xf32, #xla.layout<minor_to_major = [0, 1]>>) -> tensor<2x3xf32, #xla.layout<minor_to_major = [0, 1]>>
  // CHECK-SAME: (tensor<3x2xf32>) -> tensor<3x2xf32>
  %0 = xla.custom_call @callee(%x) {operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: %[[R:.*]] = xla.transpose %[[C]], dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  // CHECK: %[[L:.*]] = xla.custom_call @lapack_sgetrf_ffi(%[[X]]) {operand_layouts
  %1 = xla.custom_call @lapack_sgetrf_ffi(%x) {operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: return %[[R]], %[[L]]
  return %0, %1 : tensor<2x3xf32>, tensor<2x3xf32>
}
