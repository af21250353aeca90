// RUN: xla-opt %s --xla-decompose-composites | FileCheck %s

// A loop over groups and one over blocks of rows: 300 rows in 4 groups are contracted in blocks of 32.

// CHECK-LABEL: func.func @rows
// CHECK:         xla.while
// CHECK:           xla.while
// CHECK:             xla.dynamic_slice %{{.*}} sizes = [1, 1, 8, 20] : (tensor<4x1x8x20xf32>
// CHECK:             xla.dynamic_slice %{{.*}} sizes = [1, 1, 32, 1, 8]
// CHECK:             xla.dot_general %{{.*}}, batching_dims = [0] x [0], contracting_dims = [4] x [1] : (tensor<1x1x32x1x8xf32>, tensor<1x8x20xf32>) -> tensor<1x1x32x1x20xf32>
// CHECK:             xla.select
// CHECK:             xla.dynamic_update_slice
// CHECK-NOT:     xla.dot_general
func.func @rows(%a: tensor<300x8xf32>, %b: tensor<4x8x20xf32>, %s: tensor<4xi32>) -> tensor<300x20xf32> {
  %0 = "xla.ragged_dot"(%a, %b, %s) <{ragged_dot_dimension_numbers = #xla.ragged_dot<lhs_contracting_dimensions = [1],
      rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}>
    : (tensor<300x8xf32>, tensor<4x8x20xf32>, tensor<4xi32>) -> tensor<300x20xf32>
  return %0 : tensor<300x20xf32>
}

// Both operands are masked, and narrow floats are added up in f32.

// CHECK-LABEL: func.func @contracted
// CHECK:           xla.while
// CHECK-COUNT-2:     xla.select
// CHECK:             xla.dot_general %{{.*}} : (tensor<1x1x32x1x5xbf16>, tensor<1x1x32x1x3xbf16>) -> tensor<1x5x3xf32>
// CHECK:             xla.add
// CHECK:         xla.convert %{{.*}} : (tensor<4x5x3xf32>) -> tensor<4x5x3xbf16>
func.func @contracted(%a: tensor<5x300xbf16>, %b: tensor<300x3xbf16>, %s: tensor<4xi32>) -> tensor<4x5x3xbf16> {
  %0 = "xla.ragged_dot"(%a, %b, %s) <{ragged_dot_dimension_numbers = #xla.ragged_dot<lhs_contracting_dimensions = [1],
      rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1]>}>
    : (tensor<5x300xbf16>, tensor<300x3xbf16>, tensor<4xi32>) -> tensor<4x5x3xbf16>
  return %0 : tensor<4x5x3xbf16>
}

// CHECK-LABEL: func.func @batch
// CHECK-NOT:     xla.while
// CHECK:         xla.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1]
func.func @batch(%a: tensor<6x5x8xf32>, %b: tensor<6x8x3xf32>, %s: tensor<4xi32>) -> tensor<6x5x3xf32> {
  %0 = "xla.ragged_dot"(%a, %b, %s) <{ragged_dot_dimension_numbers = #xla.ragged_dot<lhs_batching_dimensions = [0],
      rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1],
      lhs_ragged_dimensions = [0]>}>
    : (tensor<6x5x8xf32>, tensor<6x8x3xf32>, tensor<4xi32>) -> tensor<6x5x3xf32>
  return %0 : tensor<6x5x3xf32>
}
