// Reshape, transpose, reverse, get_dimension_size: identities, chains and constants.
// RUN: xla-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @reshape_same(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: return %[[X]] : tensor<4xf32>
func.func @reshape_same(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = xla.reshape %x : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @reshape_back(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: return %[[X]] : tensor<4xf32>
func.func @reshape_back(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.reshape %x : (tensor<4xf32>) -> tensor<2x2xf32>
  %r = xla.reshape %0 : (tensor<2x2xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @reshape_twice(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[R:.+]] = xla.reshape %[[X]] : (tensor<4xf32>) -> tensor<1x4xf32>
// CHECK-NEXT: return %[[R]]
func.func @reshape_twice(%x: tensor<4xf32>) -> tensor<1x4xf32> {
  %0 = xla.reshape %x : (tensor<4xf32>) -> tensor<2x2xf32>
  %r = xla.reshape %0 : (tensor<2x2xf32>) -> tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}

// CHECK-LABEL: func.func @reshape_constant(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<{{\[\[}}1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
// CHECK-NEXT: return %[[C]] : tensor<3x2xi32>
func.func @reshape_constant() -> tensor<3x2xi32> {
  %x = xla.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %r = xla.reshape %x : (tensor<2x3xi32>) -> tensor<3x2xi32>
  return %r : tensor<3x2xi32>
}

// CHECK-LABEL: func.func @transpose_identity(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: return %[[X]] : tensor<2x3xi32>
func.func @transpose_identity(%x: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %r = xla.transpose %x, dims = [0, 1] : (tensor<2x3xi32>) -> tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}

// CHECK-LABEL: func.func @transpose_back(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: return %[[X]] : tensor<2x3xi32>
func.func @transpose_back(%x: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %0 = xla.transpose %x, dims = [1, 0] : (tensor<2x3xi32>) -> tensor<3x2xi32>
  %r = xla.transpose %0, dims = [1, 0] : (tensor<3x2xi32>) -> tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}

// CHECK-LABEL: func.func @transpose_twice(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[R:.+]] = xla.transpose %[[X]], dims = [1, 0, 2] : (tensor<2x3x4xf32>) -> tensor<3x2x4xf32>
// CHECK-NEXT: return %[[R]]
func.func @transpose_twice(%x: tensor<2x3x4xf32>) -> tensor<3x2x4xf32> {
  %0 = xla.transpose %x, dims = [1, 2, 0] : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  %r = xla.transpose %0, dims = [0, 2, 1] : (tensor<3x4x2xf32>) -> tensor<3x2x4xf32>
  return %r : tensor<3x2x4xf32>
}

// CHECK-LABEL: func.func @transpose_constant(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<{{\[\[}}1, 4], [2, 5], [3, 6]]> : tensor<3x2xi32>
// CHECK-NEXT: return %[[C]] : tensor<3x2xi32>
func.func @transpose_constant() -> tensor<3x2xi32> {
  %x = xla.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %r = xla.transpose %x, dims = [1, 0] : (tensor<2x3xi32>) -> tensor<3x2xi32>
  return %r : tensor<3x2xi32>
}

// CHECK-LABEL: func.func @transpose_constant_3d(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<{{\[\[\[}}1, 4{{\]\]}}, {{\[\[}}2, 5{{\]\]}}, {{\[\[}}3, 6{{\]\]\]}}> : tensor<3x1x2xi32>
// CHECK-NEXT: return %[[C]] : tensor<3x1x2xi32>
func.func @transpose_constant_3d() -> tensor<3x1x2xi32> {
  %x = xla.constant dense<[[[1], [2], [3]], [[4], [5], [6]]]> : tensor<2x3x1xi32>
  %r = xla.transpose %x, dims = [1, 2, 0] : (tensor<2x3x1xi32>) -> tensor<3x1x2xi32>
  return %r : tensor<3x1x2xi32>
}

// CHECK-LABEL: func.func @reverse_nothing(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: return %[[X]] : tensor<2x3xi32>
func.func @reverse_nothing(%x: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %r = xla.reverse %x, dims = [] : tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}

// CHECK-LABEL: func.func @reverse_unit(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: return %[[X]] : tensor<1x4xi32>
func.func @reverse_unit(%x: tensor<1x4xi32>) -> tensor<1x4xi32> {
  %r = xla.reverse %x, dims = [0] : tensor<1x4xi32>
  return %r : tensor<1x4xi32>
}

// CHECK-LABEL: func.func @reverse_back(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: return %[[X]] : tensor<2x3xi32>
func.func @reverse_back(%x: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %0 = xla.reverse %x, dims = [0, 1] : tensor<2x3xi32>
  %r = xla.reverse %0, dims = [1, 0] : tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}

// CHECK-LABEL: func.func @reverse_drops_unit(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[R:.+]] = xla.reverse %[[X]], dims = [1] : tensor<1x4xi32>
// CHECK-NEXT: return %[[R]]
func.func @reverse_drops_unit(%x: tensor<1x4xi32>) -> tensor<1x4xi32> {
  %r = xla.reverse %x, dims = [0, 1] : tensor<1x4xi32>
  return %r : tensor<1x4xi32>
}

// CHECK-LABEL: func.func @reverse_columns(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<{{\[\[}}3, 2, 1], [6, 5, 4]]> : tensor<2x3xi32>
// CHECK-NEXT: return %[[C]] : tensor<2x3xi32>
func.func @reverse_columns() -> tensor<2x3xi32> {
  %x = xla.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %r = xla.reverse %x, dims = [1] : tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}

// CHECK-LABEL: func.func @reverse_rows(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<{{\[\[}}4, 5, 6], [1, 2, 3]]> : tensor<2x3xi32>
// CHECK-NEXT: return %[[C]] : tensor<2x3xi32>
func.func @reverse_rows() -> tensor<2x3xi32> {
  %x = xla.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %r = xla.reverse %x, dims = [0] : tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}

// CHECK-LABEL: func.func @size_static(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<5> : tensor<i32>
// CHECK-NEXT: return %[[C]]
func.func @size_static(%x: tensor<2x5xf32>) -> tensor<i32> {
  %r = xla.get_dimension_size %x, dim = 1 : (tensor<2x5xf32>) -> tensor<i32>
  return %r : tensor<i32>
}

// CHECK-LABEL: func.func @size_dynamic(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[R:.+]] = xla.get_dimension_size %[[X]], dim = 1
// CHECK-NEXT: return %[[R]]
func.func @size_dynamic(%x: tensor<2x?xf32>) -> tensor<i32> {
  %r = xla.get_dimension_size %x, dim = 1 : (tensor<2x?xf32>) -> tensor<i32>
  return %r : tensor<i32>
}

// Parts change places where they lie along what is reversed.
// CHECK-LABEL: func.func @reverse_concatenate(
// CHECK-SAME: %[[X:[^:]+]]: tensor<4x2xf32>, %[[Y:[^:]+]]:
// CHECK-DAG: %[[RX:.+]] = xla.reverse %[[X]], dims = [1, 0] : tensor<4x2xf32>
// CHECK-DAG: %[[RY:.+]] = xla.reverse %[[Y]], dims = [1, 0] : tensor<3x2xf32>
// CHECK: xla.concatenate %[[RY]], %[[RX]], dim = 0
func.func @reverse_concatenate(%x: tensor<4x2xf32>, %y: tensor<3x2xf32>) -> tensor<7x2xf32> {
  %0 = xla.concatenate %x, %y, dim = 0 : (tensor<4x2xf32>, tensor<3x2xf32>) -> tensor<7x2xf32>
  %1 = xla.reverse %0, dims = [1, 0] : tensor<7x2xf32>
  return %1 : tensor<7x2xf32>
}

// CHECK-LABEL: func.func @reverse_beside(
// CHECK-SAME: %[[X:[^:]+]]: tensor<4x2xf32>, %[[Y:[^:]+]]:
// CHECK-DAG: %[[RX:.+]] = xla.reverse %[[X]], dims = [1]
// CHECK-DAG: %[[RY:.+]] = xla.reverse %[[Y]], dims = [1]
// CHECK: xla.concatenate %[[RX]], %[[RY]], dim = 0
func.func @reverse_beside(%x: tensor<4x2xf32>, %y: tensor<3x2xf32>) -> tensor<7x2xf32> {
  %0 = xla.concatenate %x, %y, dim = 0 : (tensor<4x2xf32>, tensor<3x2xf32>) -> tensor<7x2xf32>
  %1 = xla.reverse %0, dims = [1] : tensor<7x2xf32>
  return %1 : tensor<7x2xf32>
}

// What others read stays whole.
// CHECK-LABEL: func.func @reverse_shared(
// CHECK: %[[C:.+]] = xla.concatenate
// CHECK: xla.reverse %[[C]]
func.func @reverse_shared(%x: tensor<4xf32>, %y: tensor<3xf32>) -> (tensor<7xf32>, tensor<7xf32>) {
  %0 = xla.concatenate %x, %y, dim = 0 : (tensor<4xf32>, tensor<3xf32>) -> tensor<7xf32>
  %1 = xla.reverse %0, dims = [0] : tensor<7xf32>
  return %0, %1 : tensor<7xf32>, tensor<7xf32>
}
