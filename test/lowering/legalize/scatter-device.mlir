// RUN: xla-opt %s --xla-decompose-composites=device --split-input-file | FileCheck %s
// For the threads of a GPU: as few parts as have an element for each of 32,768, sorted ones too.

// CHECK-LABEL: func.func @sums
// CHECK:         xla.broadcast_in_dim {{.*}} -> tensor<32x90x16xf32>
// CHECK:         "xla.scatter"
// CHECK-SAME:      indices_are_sorted = true
func.func @sums(%x: tensor<90x16xf32>, %i: tensor<20000x1xi32>, %u: tensor<20000x16xf32>) -> tensor<90x16xf32> {
  %0 = "xla.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = xla.add %b, %a : tensor<f32>
    xla.return %r : tensor<f32>
  }) : (tensor<90x16xf32>, tensor<20000x1xi32>, tensor<20000x16xf32>) -> tensor<90x16xf32>
  return %0 : tensor<90x16xf32>
}

// -----

// Enough elements.

// CHECK-LABEL: func.func @many
// CHECK-NOT:     xla.broadcast_in_dim
func.func @many(%x: tensor<5000x16xf32>, %i: tensor<200000x1xi32>, %u: tensor<200000x16xf32>) -> tensor<5000x16xf32> {
  %0 = "xla.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = xla.add %b, %a : tensor<f32>
    xla.return %r : tensor<f32>
  }) : (tensor<5000x16xf32>, tensor<200000x1xi32>, tensor<200000x16xf32>) -> tensor<5000x16xf32>
  return %0 : tensor<5000x16xf32>
}

// -----

// An atomic instruction, for which no order is needed; a product has none.

// CHECK-LABEL: func.func @counts
// CHECK-NOT:     xla.broadcast_in_dim
func.func @counts(%x: tensor<100xi32>, %i: tensor<400000x1xi32>, %u: tensor<400000xi32>) -> tensor<100xi32> {
  %0 = "xla.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #xla.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = xla.add %b, %a : tensor<i32>
    xla.return %r : tensor<i32>
  }) : (tensor<100xi32>, tensor<400000x1xi32>, tensor<400000xi32>) -> tensor<100xi32>
  return %0 : tensor<100xi32>
}
// CHECK-LABEL: func.func @products
// CHECK:         xla.broadcast_in_dim {{.*}} -> tensor<128x100xi32>
func.func @products(%x: tensor<100xi32>, %i: tensor<400000x1xi32>, %u: tensor<400000xi32>) -> tensor<100xi32> {
  %0 = "xla.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #xla.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = xla.multiply %b, %a : tensor<i32>
    xla.return %r : tensor<i32>
  }) : (tensor<100xi32>, tensor<400000x1xi32>, tensor<400000xi32>) -> tensor<100xi32>
  return %0 : tensor<100xi32>
}
