// RUN: xla-opt %s --xla-decompose-composites --split-input-file | FileCheck %s

// Many updates of few elements: each part of the index vectors has a target of its own, which begins with what the
// combiner leaves others as they are with.

// CHECK-LABEL: func.func @sums
// CHECK:         %[[ZERO:.*]] = xla.constant dense<-0.000000e+00> : tensor<f32>
// CHECK:         %[[TARGETS:.*]] = xla.broadcast_in_dim %[[ZERO]], dims = [] : (tensor<f32>) -> tensor<4x500x16xf32>
// CHECK:         %[[I:.*]] = xla.reshape %arg1 : {{.*}} -> tensor<4x5000x1xi32>
// CHECK:         %[[U:.*]] = xla.reshape %arg2 : {{.*}} -> tensor<4x5000x16xf32>
// CHECK:         %[[S:.*]] = "xla.scatter"(%[[TARGETS]], %[[I]], %[[U]])
// CHECK-SAME:      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
// CHECK-SAME:      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>
// CHECK:           xla.add
// CHECK:         %[[R:.*]] = xla.reduce(%[[S]] init: %[[ZERO]]) applies xla.add across dimensions = [0]
// CHECK:         xla.add %arg0, %[[R]]
func.func @sums(%x: tensor<500x16xf32>, %i: tensor<20000x1xi32>, %u: tensor<20000x16xf32>) -> tensor<500x16xf32> {
  %0 = "xla.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = xla.add %b, %a : tensor<f32>
    xla.return %r : tensor<f32>
  }) : (tensor<500x16xf32>, tensor<20000x1xi32>, tensor<20000x16xf32>) -> tensor<500x16xf32>
  return %0 : tensor<500x16xf32>
}

// -----

// The smaller the target, the more parts. Windows may come first, and components of index vectors too.

// CHECK-LABEL: func.func @windows_first
// CHECK:         xla.constant dense<-2147483648> : tensor<i32>
// CHECK:         xla.reshape %arg1 : {{.*}} -> tensor<2x16x6250xi64>
// CHECK:         xla.reshape %arg2 : {{.*}} -> tensor<3x16x6250xi32>
// CHECK:         "xla.scatter"
// CHECK-SAME:      update_window_dims = [0], inserted_window_dims = [1, 3], input_batching_dims = [0],
// CHECK-SAME:      scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [3, 1]>
// CHECK:           xla.maximum
// CHECK:           (tensor<16x4x3x5xi32>,
// CHECK:         applies xla.maximum
// CHECK:         xla.maximum %arg0
func.func @windows_first(%x: tensor<4x3x5xi32>, %i: tensor<2x100000xi64>, %u: tensor<3x100000xi32>) -> tensor<4x3x5xi32> {
  %0 = "xla.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [0],
      inserted_window_dims = [0, 2], scatter_dims_to_operand_dims = [2, 0], index_vector_dim = 0>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = xla.maximum %a, %b : tensor<i32>
    xla.return %r : tensor<i32>
  }) : (tensor<4x3x5xi32>, tensor<2x100000xi64>, tensor<3x100000xi32>) -> tensor<4x3x5xi32>
  return %0 : tensor<4x3x5xi32>
}

// -----

// The first dimension of the index vectors that as many parts divide as there may be.

// CHECK-LABEL: func.func @second_dimension
// CHECK:         xla.constant dense<true> : tensor<i1>
// CHECK:         xla.reshape %arg1 : {{.*}} -> tensor<5x16x25000xi32>
// CHECK:         scatter_indices_batching_dims = [1]
func.func @second_dimension(%x: tensor<10xi1>, %i: tensor<5x400000xi32>, %u: tensor<5x400000xi1>) -> tensor<10xi1> {
  %0 = "xla.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #xla.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %r = xla.and %a, %b : tensor<i1>
    xla.return %r : tensor<i1>
  }) : (tensor<10xi1>, tensor<5x400000xi32>, tensor<5x400000xi1>) -> tensor<10xi1>
  return %0 : tensor<10xi1>
}

// -----

// Few updates, a large target, a number that no parts divide, a combiner whose updates have an order, rounding after
// each update, elements that are updated once, and windows of 256 bytes, which owners find: as they are.

// CHECK-LABEL: func.func @few
// CHECK-NOT:     xla.reduce
// CHECK-LABEL: func.func @large_target
// CHECK-NOT:     xla.reduce
// CHECK-LABEL: func.func @odd
// CHECK-NOT:     xla.reduce
// CHECK-LABEL: func.func @ordered
// CHECK-NOT:     xla.reduce
// CHECK-LABEL: func.func @narrow
// CHECK-NOT:     xla.reduce
// CHECK-LABEL: func.func @unique
// CHECK-NOT:     xla.reduce
// CHECK-LABEL: func.func @long_windows
// CHECK-NOT:     xla.reduce
func.func @few(%x: tensor<50x16xf32>, %i: tensor<4000x1xi32>, %u: tensor<4000x16xf32>) -> tensor<50x16xf32> {
  %0 = "xla.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = xla.add %a, %b : tensor<f32>
    xla.return %r : tensor<f32>
  }) : (tensor<50x16xf32>, tensor<4000x1xi32>, tensor<4000x16xf32>) -> tensor<50x16xf32>
  return %0 : tensor<50x16xf32>
}
func.func @large_target(%x: tensor<5000x16xf32>, %i: tensor<20000x1xi32>, %u: tensor<20000x16xf32>) -> tensor<5000x16xf32> {
  %0 = "xla.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = xla.add %a, %b : tensor<f32>
    xla.return %r : tensor<f32>
  }) : (tensor<5000x16xf32>, tensor<20000x1xi32>, tensor<20000x16xf32>) -> tensor<5000x16xf32>
  return %0 : tensor<5000x16xf32>
}
func.func @odd(%x: tensor<500x16xf32>, %i: tensor<20002x1xi32>, %u: tensor<20002x16xf32>) -> tensor<500x16xf32> {
  %0 = "xla.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = xla.add %a, %b : tensor<f32>
    xla.return %r : tensor<f32>
  }) : (tensor<500x16xf32>, tensor<20002x1xi32>, tensor<20002x16xf32>) -> tensor<500x16xf32>
  return %0 : tensor<500x16xf32>
}
func.func @ordered(%x: tensor<500x16xf32>, %i: tensor<20000x1xi32>, %u: tensor<20000x16xf32>) -> tensor<500x16xf32> {
  %0 = "xla.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = xla.subtract %a, %b : tensor<f32>
    xla.return %r : tensor<f32>
  }) : (tensor<500x16xf32>, tensor<20000x1xi32>, tensor<20000x16xf32>) -> tensor<500x16xf32>
  return %0 : tensor<500x16xf32>
}
func.func @narrow(%x: tensor<500x16xbf16>, %i: tensor<40000x1xi32>, %u: tensor<40000x16xbf16>) -> tensor<500x16xbf16> {
  %0 = "xla.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %r = xla.add %a, %b : tensor<bf16>
    xla.return %r : tensor<bf16>
  }) : (tensor<500x16xbf16>, tensor<40000x1xi32>, tensor<40000x16xbf16>) -> tensor<500x16xbf16>
  return %0 : tensor<500x16xbf16>
}
func.func @unique(%x: tensor<500x16xf32>, %i: tensor<20000x1xi32>, %u: tensor<20000x16xf32>) -> tensor<500x16xf32> {
  %0 = "xla.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = xla.add %a, %b : tensor<f32>
    xla.return %r : tensor<f32>
  }) : (tensor<500x16xf32>, tensor<20000x1xi32>, tensor<20000x16xf32>) -> tensor<500x16xf32>
  return %0 : tensor<500x16xf32>
}
func.func @long_windows(%x: tensor<500x64xf32>, %i: tensor<20000x1xi32>, %u: tensor<20000x64xf32>) -> tensor<500x64xf32> {
  %0 = "xla.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = xla.add %a, %b : tensor<f32>
    xla.return %r : tensor<f32>
  }) : (tensor<500x64xf32>, tensor<20000x1xi32>, tensor<20000x64xf32>) -> tensor<500x64xf32>
  return %0 : tensor<500x64xf32>
}

// -----

// Sorted ones have owners who find their updates (ScatterPlan), if an index vector has one component.

// CHECK-LABEL: func.func @sorted
// CHECK-NOT:     xla.reshape
// CHECK:         "xla.scatter"(%arg0, %arg1, %arg2)
func.func @sorted(%x: tensor<500x16xf32>, %i: tensor<20000x1xi32>, %u: tensor<20000x16xf32>) -> tensor<500x16xf32> {
  %0 = "xla.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = xla.add %b, %a : tensor<f32>
    xla.return %r : tensor<f32>
  }) : (tensor<500x16xf32>, tensor<20000x1xi32>, tensor<20000x16xf32>) -> tensor<500x16xf32>
  return %0 : tensor<500x16xf32>
}

// -----

// One update in each row of a constant is a choice, which whoever reads it computes; but a product reads memory, and of
// one row the zeros are written faster.

// CHECK-LABEL: func.func @one_of_each_row
// CHECK-NOT:     xla.scatter
// CHECK:         xla.select
// CHECK-LABEL: func.func @read_by_product
// CHECK:         "xla.scatter"
// CHECK-LABEL: func.func @one_row
// CHECK:         "xla.scatter"
func.func @one_of_each_row(%i: tensor<6x1x1xi32>, %u: tensor<6x1xf32>) -> tensor<6x40xf32> {
  %x = xla.constant dense<0.0> : tensor<6x40xf32>
  %0 = "xla.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #xla.scatter<inserted_window_dims = [1],
      input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = xla.add %a, %b : tensor<f32>
    xla.return %r : tensor<f32>
  }) : (tensor<6x40xf32>, tensor<6x1x1xi32>, tensor<6x1xf32>) -> tensor<6x40xf32>
  return %0 : tensor<6x40xf32>
}
func.func @read_by_product(%i: tensor<6x1x1xi32>, %u: tensor<6x1xf32>, %w: tensor<40x8xf32>) -> tensor<6x8xf32> {
  %x = xla.constant dense<0.0> : tensor<6x40xf32>
  %0 = "xla.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #xla.scatter<inserted_window_dims = [1],
      input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = xla.add %a, %b : tensor<f32>
    xla.return %r : tensor<f32>
  }) : (tensor<6x40xf32>, tensor<6x1x1xi32>, tensor<6x1xf32>) -> tensor<6x40xf32>
  %1 = xla.dot_general %0, %w, contracting_dims = [1] x [0] : (tensor<6x40xf32>, tensor<40x8xf32>) -> tensor<6x8xf32>
  return %1 : tensor<6x8xf32>
}
func.func @one_row(%i: tensor<1xi32>, %u: tensor<f32>) -> tensor<40xf32> {
  %x = xla.constant dense<0.0> : tensor<40xf32>
  %0 = "xla.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #xla.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = xla.add %a, %b : tensor<f32>
    xla.return %r : tensor<f32>
  }) : (tensor<40xf32>, tensor<1xi32>, tensor<f32>) -> tensor<40xf32>
  return %0 : tensor<40xf32>
}
