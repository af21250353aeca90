// RUN: xla-opt %s --canonicalize --split-input-file | FileCheck %s

// Slices as large as the operand start at 0 whatever the indices say.
// CHECK-LABEL: func.func @whole_operand
// CHECK-SAME: (%[[A:.*]]: tensor<1x3xi32>, %[[I:.*]]: tensor<5xi32>, %[[ONE:.*]]: tensor<1x2xi32>)
func.func @whole_operand(%a: tensor<1x3xi32>, %i: tensor<5xi32>, %one: tensor<1x2xi32>) -> (tensor<5x3xi32>, tensor<1x3xi32>) {
  // CHECK: %[[R:.*]] = xla.reshape %[[A]] : (tensor<1x3xi32>) -> tensor<3xi32>
  // CHECK: %[[B:.*]] = xla.broadcast_in_dim %[[R]], dims = [1] : (tensor<3xi32>) -> tensor<5x3xi32>
  %0 = "xla.gather"(%a, %i) <{dimension_numbers = #xla.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<1x3xi32>, tensor<5xi32>) -> tensor<5x3xi32>
  // A gather of everything, once.
  %1 = "xla.gather"(%a, %one) <{dimension_numbers = #xla.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<1x3xi32>, tensor<1x2xi32>) -> tensor<1x3xi32>
  // CHECK: return %[[B]], %[[A]]
  return %0, %1 : tensor<5x3xi32>, tensor<1x3xi32>
}

// -----

// A single constant index vector; starts are clamped.
// CHECK-LABEL: func.func @constant_start
// CHECK-SAME: (%[[A:.*]]: tensor<8x3xi32>)
func.func @constant_start(%a: tensor<8x3xi32>) -> (tensor<3xi32>, tensor<2x2xi32>, tensor<2x2xi32>) {
  %five = xla.constant dense<5> : tensor<1xi32>
  %far = xla.constant dense<[-1, 100]> : tensor<2xi32>
  %unsigned = xla.constant dense<[255, 1]> : tensor<2xui8>
  // CHECK: %[[ROW:.*]] = xla.slice %[[A]] [5:6, 0:3] : (tensor<8x3xi32>) -> tensor<1x3xi32>
  // CHECK: %[[R0:.*]] = xla.reshape %[[ROW]] : (tensor<1x3xi32>) -> tensor<3xi32>
  %0 = "xla.gather"(%a, %five) <{dimension_numbers = #xla.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0]>, slice_sizes = array<i64: 1, 3>}> : (tensor<8x3xi32>, tensor<1xi32>) -> tensor<3xi32>
  // CHECK: %[[R1:.*]] = xla.slice %[[A]] [6:8, 0:2]
  %1 = "xla.gather"(%a, %far) <{dimension_numbers = #xla.gather<offset_dims = [0, 1], start_index_map = [1, 0]>, slice_sizes = array<i64: 2, 2>}> : (tensor<8x3xi32>, tensor<2xi32>) -> tensor<2x2xi32>
  // CHECK: %[[R2:.*]] = xla.slice %[[A]] [6:8, 1:3]
  %2 = "xla.gather"(%a, %unsigned) <{dimension_numbers = #xla.gather<offset_dims = [0, 1], start_index_map = [0, 1]>, slice_sizes = array<i64: 2, 2>}> : (tensor<8x3xi32>, tensor<2xui8>) -> tensor<2x2xi32>
  // CHECK: return %[[R0]], %[[R1]], %[[R2]]
  return %0, %1, %2 : tensor<3xi32>, tensor<2x2xi32>, tensor<2x2xi32>
}

// -----

// CHECK-LABEL: func.func @kept
func.func @kept(%a: tensor<8x3xi32>, %i: tensor<1xi32>) -> (tensor<3xi32>, tensor<2x3xi32>) {
  %c = xla.constant dense<[5, 1]> : tensor<2xi32>
  // CHECK: "xla.gather"
  %0 = "xla.gather"(%a, %i) <{dimension_numbers = #xla.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0]>, slice_sizes = array<i64: 1, 3>}> : (tensor<8x3xi32>, tensor<1xi32>) -> tensor<3xi32>
  // CHECK: "xla.gather"
  %1 = "xla.gather"(%a, %c) <{dimension_numbers = #xla.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<8x3xi32>, tensor<2xi32>) -> tensor<2x3xi32>
  return %0, %1 : tensor<3xi32>, tensor<2x3xi32>
}
