// RUN: xla-opt %s --xla-legalize-to-linalg --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @dynamic_slice(
// CHECK-SAME: %[[X:.*]]: tensor<8x4xf32>, %[[I:.*]]: tensor<i32>
func.func @dynamic_slice(%x: tensor<8x4xf32>, %i: tensor<i32>) -> tensor<2x4xf32> {
  // CHECK: %[[S:.*]] = tensor.extract %[[I]][] : tensor<i32>
  // CHECK: %[[LAST:.*]] = arith.constant 6 : index
  // CHECK: %[[C:.*]] = arith.index_cast %[[S]] : i32 to index
  // CHECK: %[[LOW:.*]] = arith.maxsi %[[C]], %{{.*}} : index
  // CHECK: %[[START:.*]] = arith.minsi %[[LOW]], %[[LAST]] : index
  // A slice of the whole dimension starts at 0 whatever the index.
  // CHECK: tensor.extract_slice %[[X]][%[[START]], 0] [2, 4] [1, 1]
  %0 = xla.dynamic_slice %x, %i, %i, sizes = [2, 4] : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

// What is known to be inside is not clamped. The other start may be 7, one too many.
// CHECK-LABEL: func.func @inside
func.func @inside(%x: tensor<8x8xf32>, %i: tensor<i32>) -> tensor<2x2xf32> {
  // CHECK: arith.index_cast
  // CHECK-NOT: arith.maxsi
  // CHECK: arith.index_cast
  // CHECK: arith.maxsi
  // CHECK: arith.minsi
  // CHECK: tensor.extract_slice
  %zero = xla.constant dense<0> : tensor<i32>
  %six = xla.constant dense<6> : tensor<i32>
  %seven = xla.constant dense<7> : tensor<i32>
  %a = xla.clamp %zero, %i, %six : tensor<i32>
  %b = xla.clamp %zero, %i, %seven : tensor<i32>
  %0 = xla.dynamic_slice %x, %a, %b, sizes = [2, 2] : (tensor<8x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

// An unsigned index is never negative.
// CHECK-LABEL: func.func @unsigned_index
func.func @unsigned_index(%x: tensor<8xf32>, %i: tensor<ui32>) -> tensor<2xf32> {
  // CHECK: arith.index_castui
  // CHECK-NOT: arith.maxsi
  // CHECK: arith.minui
  %0 = xla.dynamic_slice %x, %i, sizes = [2] : (tensor<8xf32>, tensor<ui32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @empty_dynamic_slices(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>
func.func @empty_dynamic_slices(%x: tensor<4xf32>, %u: tensor<0xf32>) -> (tensor<0xf32>, tensor<4xf32>) {
  // An empty slice may begin behind the last element.
  // CHECK: %[[E:.*]] = tensor.empty() : tensor<0xf32>
  // CHECK-NEXT: return %[[E]], %[[X]]
  %c = xla.constant dense<4> : tensor<i64>
  %0 = xla.dynamic_slice %x, %c, sizes = [0] : (tensor<4xf32>, tensor<i64>) -> tensor<0xf32>
  %1 = xla.dynamic_update_slice %x, %u, %c : (tensor<4xf32>, tensor<0xf32>, tensor<i64>) -> tensor<4xf32>
  return %0, %1 : tensor<0xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @dynamic_update_slice(
// CHECK-SAME: %[[X:.*]]: tensor<8x4xf32>, %[[U:.*]]: tensor<1x4xf32>
func.func @dynamic_update_slice(%x: tensor<8x4xf32>, %u: tensor<1x4xf32>, %i: tensor<i64>) -> tensor<8x4xf32> {
  // A constant start is clamped here.
  %c = xla.constant dense<99> : tensor<i64>
  // CHECK: %[[A:.*]] = tensor.insert_slice %[[U]] into %[[X]][7, 0] [1, 4] [1, 1]
  %0 = xla.dynamic_update_slice %x, %u, %c, %c : (tensor<8x4xf32>, tensor<1x4xf32>, tensor<i64>, tensor<i64>) -> tensor<8x4xf32>
  // CHECK: %[[START:.*]] = arith.minsi
  // CHECK: tensor.insert_slice %[[U]] into %[[A]][%[[START]], 0] [1, 4] [1, 1]
  %1 = xla.dynamic_update_slice %0, %u, %i, %i : (tensor<8x4xf32>, tensor<1x4xf32>, tensor<i64>, tensor<i64>) -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}

// -----

// CHECK: #[[COMPONENT0:.*]] = affine_map<(d0, d1, d2) -> (d0, 0)>
// CHECK: #[[COMPONENT1:.*]] = affine_map<(d0, d1, d2) -> (d0, 1)>
// CHECK-LABEL: func.func @gather(
// CHECK-SAME: %[[X:.*]]: tensor<16x11xf32>, %[[I:.*]]: tensor<5x2xi64>
func.func @gather(%x: tensor<16x11xf32>, %i: tensor<5x2xi64>) -> tensor<5x8x6xf32> {
  // CHECK: linalg.generic {indexing_maps = [#[[COMPONENT0]], #[[COMPONENT1]], #{{.*}}]
  // CHECK-SAME: ins(%[[I]], %[[I]] : tensor<5x2xi64>, tensor<5x2xi64>)
  // CHECK-NEXT: ^bb0(%[[I0:.*]]: i64, %[[I1:.*]]: i64, %{{.*}}: f32):
  // CHECK: %[[C0:.*]] = arith.index_cast %[[I0]]
  // CHECK: %[[S0:.*]] = arith.minsi
  // CHECK: %[[O0:.*]] = linalg.index 1
  // CHECK: %[[P0:.*]] = arith.addi %[[S0]], %[[O0]] : index
  // CHECK: %[[S1:.*]] = arith.minsi
  // CHECK: %[[O1:.*]] = linalg.index 2
  // CHECK: %[[P1:.*]] = arith.addi %[[S1]], %[[O1]] : index
  // CHECK: tensor.extract %[[X]][%[[P0]], %[[P1]]]
  %0 = "xla.gather"(%x, %i) <{
    dimension_numbers = #xla.gather<offset_dims = [1, 2], start_index_map = [0, 1], index_vector_dim = 1>,
    slice_sizes = array<i64: 8, 6>}> : (tensor<16x11xf32>, tensor<5x2xi64>) -> tensor<5x8x6xf32>
  return %0 : tensor<5x8x6xf32>
}

// -----

// A batching dimension is read at the same position; a collapsed one at the start.
// CHECK-LABEL: func.func @gather_batching(
// CHECK-SAME: %[[X:.*]]: tensor<3x7xf32>
func.func @gather_batching(%x: tensor<3x7xf32>, %i: tensor<3x4x1xi32>) -> tensor<3x4xf32> {
  // CHECK: %[[B:.*]] = linalg.index 0
  // CHECK: %[[S:.*]] = arith.minsi
  // CHECK: tensor.extract %[[X]][%[[B]], %[[S]]]
  %0 = "xla.gather"(%x, %i) <{
    dimension_numbers = #xla.gather<collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1>}> : (tensor<3x7xf32>, tensor<3x4x1xi32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}
