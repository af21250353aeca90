// Broadcasts: identities, merging, one canonical form, splats.
// RUN: xla-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @in_dim_identity(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: return %[[X]] : tensor<4xf32>
func.func @in_dim_identity(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = xla.broadcast_in_dim %x, dims = [0] : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @broadcast_nothing(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: return %[[X]] : tensor<4xf32>
func.func @broadcast_nothing(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = xla.broadcast %x, sizes = [] : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @broadcast_is_in_dim(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[R:.+]] = xla.broadcast_in_dim %[[X]], dims = [2] : (tensor<4xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT: return %[[R]]
func.func @broadcast_is_in_dim(%x: tensor<4xf32>) -> tensor<2x3x4xf32> {
  %r = xla.broadcast %x, sizes = [2, 3] : (tensor<4xf32>) -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @in_dim_twice(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[R:.+]] = xla.broadcast_in_dim %[[X]], dims = [1] : (tensor<4xf32>) -> tensor<2x4x3x5xf32>
// CHECK-NEXT: return %[[R]]
func.func @in_dim_twice(%x: tensor<4xf32>) -> tensor<2x4x3x5xf32> {
  %0 = xla.broadcast_in_dim %x, dims = [0] : (tensor<4xf32>) -> tensor<4x3xf32>
  %r = xla.broadcast_in_dim %0, dims = [1, 2] : (tensor<4x3xf32>) -> tensor<2x4x3x5xf32>
  return %r : tensor<2x4x3x5xf32>
}

// CHECK-LABEL: func.func @splat(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<1.500000e+00> : tensor<1000x1000xf32>
// CHECK-NEXT: return %[[C]] : tensor<1000x1000xf32>
func.func @splat() -> tensor<1000x1000xf32> {
  %x = xla.constant dense<1.5> : tensor<f32>
  %r = xla.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<1000x1000xf32>
  return %r : tensor<1000x1000xf32>
}

// CHECK-LABEL: func.func @broadcast_splat(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<7> : tensor<2x4xi32>
// CHECK-NEXT: return %[[C]] : tensor<2x4xi32>
func.func @broadcast_splat() -> tensor<2x4xi32> {
  %x = xla.constant dense<7> : tensor<4xi32>
  %r = xla.broadcast %x, sizes = [2] : (tensor<4xi32>) -> tensor<2x4xi32>
  return %r : tensor<2x4xi32>
}

// CHECK-LABEL: func.func @elements_stay(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[1, 2]> : tensor<2xi32>
// CHECK-NEXT: %[[R:.+]] = xla.broadcast_in_dim %[[C]], dims = [1]
// CHECK-NEXT: return %[[R]]
func.func @elements_stay() -> tensor<2x2xi32> {
  %x = xla.constant dense<[1, 2]> : tensor<2xi32>
  %r = xla.broadcast_in_dim %x, dims = [1] : (tensor<2xi32>) -> tensor<2x2xi32>
  return %r : tensor<2x2xi32>
}

// CHECK-LABEL: func.func @iota_of_one(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<0.000000e+00> : tensor<1x3xf32>
// CHECK-NEXT: return %[[C]] : tensor<1x3xf32>
func.func @iota_of_one() -> tensor<1x3xf32> {
  %r = xla.iota dim = 0 : tensor<1x3xf32>
  return %r : tensor<1x3xf32>
}
