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

// -----

// One update in each row of a constant, as the gradient of `take_along_axis` has: an element is where its number is the
// index. Updates outside are nowhere.

// CHECK-LABEL: func.func @one_of_each_row
// CHECK-SAME:      %[[INDICES:.*]]: tensor<6x1x1xi32>, %[[UPDATES:.*]]: tensor<6x1xf32>
// CHECK-NOT:     xla.scatter
// CHECK:         %[[NUMBERS:.*]] = xla.iota dim = 1 : tensor<6x40xi32>
// CHECK:         %[[INDEX:.*]] = xla.reshape %{{.*}} : (tensor<6x1x1xi32>) -> tensor<6xi32>
// CHECK:         %[[PLACES:.*]] = xla.broadcast_in_dim %[[INDEX]], dims = [0] : (tensor<6xi32>) -> tensor<6x40xi32>
// CHECK:         %[[HERE:.*]] = xla.compare EQ, %[[NUMBERS]], %[[PLACES]]
// CHECK:         xla.add
// CHECK:         xla.select %[[HERE]]
func.func @one_of_each_row(%i: tensor<6x1x1xi32>, %u: tensor<6x1xf32>) -> tensor<6x40xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %x = xla.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<6x40xf32>
  %0 = "xla.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #xla.scatter<inserted_window_dims = [1],
      input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = xla.add %a, %b : tensor<f32>
    xla.return %r : tensor<f32>
  }) : (tensor<6x40xf32>, tensor<6x1x1xi32>, tensor<6x1xf32>) -> tensor<6x40xf32>
  return %0 : tensor<6x40xf32>
}

// -----

// Two updates may be of one element, and of an array that is there few elements are touched.

// CHECK-LABEL: func.func @several
// CHECK-COUNT-2: xla.scatter
func.func @several(%y: tensor<6x40xf32>, %i: tensor<6x2x1xi32>, %j: tensor<6x1x1xi32>, %u: tensor<6x2xf32>,
                   %v: tensor<6x1xf32>) -> (tensor<6x40xf32>, tensor<6x40xf32>) {
  %x = xla.constant dense<0.0> : tensor<6x40xf32>
  %0 = "xla.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #xla.scatter<inserted_window_dims = [1],
      input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = xla.add %a, %b : tensor<f32>
    xla.return %r : tensor<f32>
  }) : (tensor<6x40xf32>, tensor<6x2x1xi32>, tensor<6x2xf32>) -> tensor<6x40xf32>
  %1 = "xla.scatter"(%y, %j, %v) <{scatter_dimension_numbers = #xla.scatter<inserted_window_dims = [1],
      input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = xla.add %a, %b : tensor<f32>
    xla.return %r : tensor<f32>
  }) : (tensor<6x40xf32>, tensor<6x1x1xi32>, tensor<6x1xf32>) -> tensor<6x40xf32>
  return %0, %1 : tensor<6x40xf32>, tensor<6x40xf32>
}
