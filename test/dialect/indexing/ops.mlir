// RUN: xla-opt %s | FileCheck %s
// RUN: xla-opt %s | xla-opt | FileCheck %s
// RUN: xla-opt %s --mlir-print-op-generic | xla-opt | FileCheck %s
// RUN: xla-opt %s --emit-bytecode | xla-opt | FileCheck %s

// CHECK-LABEL: func.func @gather
func.func @gather(%a: tensor<16x11xf32>, %i: tensor<5x2xi64>, %j: tensor<4x5x2xui32>, %r: tensor<4x5xi32>, %s: tensor<2xi32>, %b: tensor<4x16x11xf32>, %v: tensor<2x5xi64>) {
  // CHECK: "xla.gather"(%{{.*}}, %{{.*}}) <{dimension_numbers = #xla.gather<offset_dims = [1, 2], start_index_map = [0, 1], index_vector_dim = 1>
  // CHECK-SAME: slice_sizes = array<i64: 8, 6>}> : (tensor<16x11xf32>, tensor<5x2xi64>) -> tensor<5x8x6xf32>
  %0 = "xla.gather"(%a, %i) <{dimension_numbers = #xla.gather<offset_dims = [1, 2], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 8, 6>}> : (tensor<16x11xf32>, tensor<5x2xi64>) -> tensor<5x8x6xf32>
  // CHECK: (tensor<16x11xf32>, tensor<4x5x2xui32>) -> tensor<4x5x8x6xf32>
  %1 = "xla.gather"(%a, %j) <{dimension_numbers = #xla.gather<offset_dims = [2, 3], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 8, 6>}> : (tensor<16x11xf32>, tensor<4x5x2xui32>) -> tensor<4x5x8x6xf32>
  // The index vector's dimension is implicit; whole rows.
  // CHECK: (tensor<16x11xf32>, tensor<4x5xi32>) -> tensor<4x5x11xf32>
  %2 = "xla.gather"(%a, %r) <{dimension_numbers = #xla.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 11>, indices_are_sorted = true}> : (tensor<16x11xf32>, tensor<4x5xi32>) -> tensor<4x5x11xf32>
  // Offset dimensions first; index vectors along dimension 0.
  // CHECK: (tensor<16x11xf32>, tensor<2x5xi64>) -> tensor<8x5xf32>
  %3 = "xla.gather"(%a, %v) <{dimension_numbers = #xla.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1, 0], index_vector_dim = 0>, slice_sizes = array<i64: 8, 1>}> : (tensor<16x11xf32>, tensor<2x5xi64>) -> tensor<8x5xf32>
  // A single index vector gives a scalar.
  // CHECK: (tensor<16x11xf32>, tensor<2xi32>) -> tensor<f32>
  %4 = "xla.gather"(%a, %s) <{dimension_numbers = #xla.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 0>, slice_sizes = array<i64: 1, 1>}> : (tensor<16x11xf32>, tensor<2xi32>) -> tensor<f32>
  // Batching dimensions.
  // CHECK: operand_batching_dims = [0], start_indices_batching_dims = [0]
  // CHECK-SAME: (tensor<4x16x11xf32>, tensor<4x5x2xui32>) -> tensor<4x5x11xf32>
  %5 = "xla.gather"(%b, %j) <{dimension_numbers = #xla.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 11>}> : (tensor<4x16x11xf32>, tensor<4x5x2xui32>) -> tensor<4x5x11xf32>
  return
}

// CHECK-LABEL: func.func @scatter
func.func @scatter(%x: tensor<3x3xf32>, %y: tensor<3x3xi32>, %i: tensor<2xi32>, %u: tensor<2x3xf32>, %v: tensor<2x3xi32>) {
  // CHECK: "xla.scatter"
  // CHECK-SAME: scatter_dimension_numbers = #xla.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  // CHECK: }) : (tensor<3x3xf32>, tensor<3x3xi32>, tensor<2xi32>, tensor<2x3xf32>, tensor<2x3xi32>) -> (tensor<3x3xf32>, tensor<3x3xi32>)
  %0:2 = "xla.scatter"(%x, %y, %i, %u, %v) <{
    scatter_dimension_numbers = #xla.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>,
    unique_indices = true
  }> ({
  ^bb0(%a: tensor<f32>, %ia: tensor<i32>, %b: tensor<f32>, %ib: tensor<i32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s, %ib : tensor<f32>, tensor<i32>
  }) : (tensor<3x3xf32>, tensor<3x3xi32>, tensor<2xi32>, tensor<2x3xf32>, tensor<2x3xi32>) -> (tensor<3x3xf32>, tensor<3x3xi32>)
  return
}
