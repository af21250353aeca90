// RUN: xla-opt %s --xla-legalize-to-linalg --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @constant
func.func @constant() -> (tensor<2xf32>, tensor<3xui8>) {
  // CHECK: arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %0 = xla.constant dense<[1.0, 2.0]> : tensor<2xf32>
  // CHECK: arith.constant dense<[-1, 1, -128]> : tensor<3xi8>
  %1 = xla.constant dense<[255, 1, 128]> : tensor<3xui8>
  return %0, %1 : tensor<2xf32>, tensor<3xui8>
}

// -----

// CHECK-LABEL: func.func @iota
func.func @iota() -> (tensor<2x3xi32>, tensor<2x3xf32>) {
  // CHECK: %[[I:.*]] = linalg.index 1
  // CHECK: arith.index_cast %[[I]] : index to i32
  %0 = xla.iota dim = 1 : tensor<2x3xi32>
  // CHECK: %[[I:.*]] = linalg.index 0
  // CHECK: %[[N:.*]] = arith.index_cast %[[I]] : index to i32
  // CHECK: arith.sitofp %[[N]] : i32 to f32
  %1 = xla.iota dim = 0 : tensor<2x3xf32>
  return %0, %1 : tensor<2x3xi32>, tensor<2x3xf32>
}

// -----

// CHECK-DAG: #[[EXPANDED:.*]] = affine_map<(d0, d1, d2) -> (0, d2)>
// CHECK-LABEL: func.func @broadcast_in_dim
func.func @broadcast_in_dim(%x: tensor<1x3xf32>, %y: tensor<4xf32>) -> (tensor<2x5x3xf32>, tensor<4x1xf32>) {
  // CHECK: linalg.generic {indexing_maps = [#[[EXPANDED]],
  %0 = xla.broadcast_in_dim %x, dims = [0, 2] : (tensor<1x3xf32>) -> tensor<2x5x3xf32>
  // Without duplication it is a reshape.
  // CHECK: tensor.expand_shape %{{.*}} {{\[}}[0, 1]] output_shape [4, 1]
  %1 = xla.broadcast_in_dim %y, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
  return %0, %1 : tensor<2x5x3xf32>, tensor<4x1xf32>
}

// -----

// Runs of dimensions with equal products are collapsed and expanded apart from each other.
// CHECK-LABEL: func.func @reshape
func.func @reshape(%x: tensor<2x3x8xf32>, %s: tensor<1x1xf32>, %e: tensor<0x4xf32>)
    -> (tensor<6x2x4xf32>, tensor<f32>, tensor<1xf32>, tensor<2x0xf32>) {
  // CHECK: %[[C:.*]] = tensor.collapse_shape %{{.*}} {{\[}}[0, 1], [2]] : tensor<2x3x8xf32> into tensor<6x8xf32>
  // CHECK: tensor.expand_shape %[[C]] {{\[}}[0], [1, 2]] output_shape [6, 2, 4]
  %0 = xla.reshape %x : (tensor<2x3x8xf32>) -> tensor<6x2x4xf32>
  // CHECK: %[[S:.*]] = tensor.collapse_shape %{{.*}} [] : tensor<1x1xf32> into tensor<f32>
  %1 = xla.reshape %s : (tensor<1x1xf32>) -> tensor<f32>
  // CHECK: tensor.expand_shape %[[S]] [] output_shape [1] : tensor<f32> into tensor<1xf32>
  %2 = xla.reshape %1 : (tensor<f32>) -> tensor<1xf32>
  // CHECK: tensor.empty() : tensor<2x0xf32>
  %3 = xla.reshape %e : (tensor<0x4xf32>) -> tensor<2x0xf32>
  return %0, %1, %2, %3 : tensor<6x2x4xf32>, tensor<f32>, tensor<1xf32>, tensor<2x0xf32>
}

// -----

// CHECK-DAG: #[[PERM:.*]] = affine_map<(d0, d1, d2) -> (d1, d2, d0)>
// CHECK-DAG: #[[REV:.*]] = affine_map<(d0, d1, d2) -> (d0, -d1 + 2, d2)>
// CHECK-LABEL: func.func @maps
func.func @maps(%x: tensor<2x3x4xf32>) -> (tensor<4x2x3xf32>, tensor<2x3x4xf32>) {
  // CHECK: linalg.generic {indexing_maps = [#[[PERM]],
  %0 = xla.transpose %x, dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  // CHECK: linalg.generic {indexing_maps = [#[[REV]],
  %1 = xla.reverse %x, dims = [1] : tensor<2x3x4xf32>
  return %0, %1 : tensor<4x2x3xf32>, tensor<2x3x4xf32>
}

// -----

// CHECK-LABEL: func.func @slices(
// CHECK-SAME: %[[X:.*]]: tensor<3x8xi64>
func.func @slices(%x: tensor<3x8xi64>, %y: tensor<1x8xi64>, %e: tensor<0x8xi64>) -> (tensor<2x2xi64>, tensor<4x8xi64>) {
  // CHECK: tensor.extract_slice %[[X]][1, 4] [2, 2] [1, 2] : tensor<3x8xi64> to tensor<2x2xi64>
  %0 = xla.slice %x [1:3, 4:8:2] : (tensor<3x8xi64>) -> tensor<2x2xi64>
  // CHECK: tensor.concat dim(0) %{{.*}}, %{{.*}} : (tensor<3x8xi64>, tensor<1x8xi64>) -> tensor<4x8xi64>
  %1 = xla.concatenate %x, %e, %y, dim = 0 : (tensor<3x8xi64>, tensor<0x8xi64>, tensor<1x8xi64>) -> tensor<4x8xi64>
  return %0, %1 : tensor<2x2xi64>, tensor<4x8xi64>
}

// -----

// An empty slice may begin behind the last element.
// CHECK-LABEL: func.func @empty_slices(
// CHECK-NEXT: %[[A:.*]] = tensor.empty() : tensor<0xf32>
// CHECK-NEXT: %[[B:.*]] = tensor.empty() : tensor<0x2xf32>
// CHECK-NEXT: return %[[A]], %[[B]]
func.func @empty_slices(%x: tensor<1xf32>, %y: tensor<0x4xf32>) -> (tensor<0xf32>, tensor<0x2xf32>) {
  %0 = xla.slice %x [1:1] : (tensor<1xf32>) -> tensor<0xf32>
  %1 = xla.slice %y [0:0, 1:3] : (tensor<0x4xf32>) -> tensor<0x2xf32>
  return %0, %1 : tensor<0xf32>, tensor<0x2xf32>
}

// -----

// CHECK-LABEL: func.func @pad(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[V:.*]]: tensor<f32>
func.func @pad(%x: tensor<4xf32>, %v: tensor<f32>)
    -> (tensor<7xf32>, tensor<4xf32>, tensor<9xf32>, tensor<5xf32>, tensor<3xf32>) {
  // CHECK: %[[S:.*]] = tensor.extract %[[V]][]
  // CHECK: tensor.pad %[[X]] low[1] high[2]
  // CHECK: tensor.yield %[[S]]
  %0 = xla.pad %x, %v, low = [1], high = [2], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<7xf32>
  // Negative amounts are a slice first.
  // CHECK: %[[T:.*]] = tensor.extract_slice %[[X]][1] [3] [1]
  // CHECK: tensor.pad %[[T]] low[0] high[1]
  %1 = xla.pad %x, %v, low = [-1], high = [1], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  // Interior padding is a strided insertion into a fill.
  // CHECK: %[[F:.*]] = linalg.fill {{.*}} -> tensor<9xf32>
  // CHECK: tensor.insert_slice %[[X]] into %[[F]][1] [4] [2] : tensor<4xf32> into tensor<9xf32>
  %2 = xla.pad %x, %v, low = [1], high = [1], interior = [1] : (tensor<4xf32>, tensor<f32>) -> tensor<9xf32>
  // v x1 v x2 v: the first and last element fall off.
  // CHECK: %[[M:.*]] = tensor.extract_slice %[[X]][1] [2] [1]
  // CHECK: tensor.insert_slice %[[M]] into %{{.*}}[1] [2] [2] : tensor<2xf32> into tensor<5xf32>
  %3 = xla.pad %x, %v, low = [-1], high = [-1], interior = [1] : (tensor<4xf32>, tensor<f32>) -> tensor<5xf32>
  // Nothing is left.
  // CHECK: linalg.fill {{.*}} -> tensor<3xf32>
  // CHECK-NEXT: return
  %4 = xla.pad %x, %v, low = [-4], high = [3], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return %0, %1, %2, %3, %4 : tensor<7xf32>, tensor<4xf32>, tensor<9xf32>, tensor<5xf32>, tensor<3xf32>
}
