// Moving the elements of a broadcast scalar gives a broadcast scalar.
// RUN: xla-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @reshape(
// CHECK-SAME: %[[S:[^:]+]]:
// CHECK-NEXT: %[[R:.+]] = xla.broadcast_in_dim %[[S]], dims = [] : (tensor<f32>) -> tensor<12xf32>
// CHECK-NEXT: return %[[R]]
func.func @reshape(%s: tensor<f32>) -> tensor<12xf32> {
  %b = xla.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
  %r = xla.reshape %b : (tensor<2x6xf32>) -> tensor<12xf32>
  return %r : tensor<12xf32>
}

// CHECK-LABEL: func.func @transpose(
// CHECK-SAME: %[[S:[^:]+]]:
// CHECK-NEXT: %[[R:.+]] = xla.broadcast_in_dim %[[S]], dims = [] : (tensor<f32>) -> tensor<6x2xf32>
// CHECK-NEXT: return %[[R]]
func.func @transpose(%s: tensor<f32>) -> tensor<6x2xf32> {
  %b = xla.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
  %r = xla.transpose %b, dims = [1, 0] : (tensor<2x6xf32>) -> tensor<6x2xf32>
  return %r : tensor<6x2xf32>
}

// CHECK-LABEL: func.func @reverse(
// CHECK-SAME: %[[S:[^:]+]]:
// CHECK-NEXT: %[[R:.+]] = xla.broadcast_in_dim %[[S]], dims = [] : (tensor<f32>) -> tensor<2x6xf32>
// CHECK-NEXT: return %[[R]]
func.func @reverse(%s: tensor<f32>) -> tensor<2x6xf32> {
  %b = xla.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
  %r = xla.reverse %b, dims = [1, 0] : tensor<2x6xf32>
  return %r : tensor<2x6xf32>
}

// CHECK-LABEL: func.func @slice(
// CHECK-SAME: %[[S:[^:]+]]:
// CHECK-NEXT: %[[R:.+]] = xla.broadcast_in_dim %[[S]], dims = [] : (tensor<f32>) -> tensor<1x3xf32>
// CHECK-NEXT: return %[[R]]
func.func @slice(%s: tensor<f32>) -> tensor<1x3xf32> {
  %b = xla.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
  %r = xla.slice %b [1:2, 0:6:2] : (tensor<2x6xf32>) -> tensor<1x3xf32>
  return %r : tensor<1x3xf32>
}
