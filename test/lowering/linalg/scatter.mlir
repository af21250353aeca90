// RUN: xla-opt %s --xla-legalize-to-linalg --split-input-file | FileCheck %s

// Inserted dimensions have a start and no step, dimensions of the window a step, batching dimensions that of the batch.
// CHECK-LABEL: func.func @dimensions(
// CHECK-SAME: %[[X:.*]]: tensor<4x9x5x8xf32>, %[[I:.*]]: tensor<2x4x7xi32>, %[[U:.*]]: tensor<3x4x7x8xf32>)
func.func @dimensions(%x: tensor<4x9x5x8xf32>, %i: tensor<2x4x7xui32>, %u: tensor<3x4x7x8xf32>) -> tensor<4x9x5x8xf32> {
  // CHECK: %[[R:.*]] = xla_rt.scatter indices(%[[I]] : tensor<2x4x7xi32>) updates(%[[U]] : tensor<3x4x7x8xf32>) outs(%[[X]] : tensor<4x9x5x8xf32>)
  // CHECK-SAME: starts = [-1, 1, 0, -1] steps = [1, -1, 0, 3] batch = [1, 2] vector = 0 unsigned unique sorted {
  // CHECK-NEXT: ^bb0(%{{.*}}: f32, %[[B:.*]]: f32):
  // CHECK-NEXT: xla_rt.yield %[[B]] : f32
  // CHECK: return %[[R]]
  %0 = "xla.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #xla.scatter<
      update_window_dims = [0, 3], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [2, 1], index_vector_dim = 0>,
      indices_are_sorted = true, unique_indices = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %b : tensor<f32>
  }) : (tensor<4x9x5x8xf32>, tensor<2x4x7xui32>, tensor<3x4x7x8xf32>) -> tensor<4x9x5x8xf32>
  return %0 : tensor<4x9x5x8xf32>
}

// -----

// The combiner computes narrow floats in f32, and takes what it captures as an argument.
// CHECK-LABEL: func.func @combiner(
// CHECK-SAME: %[[C:[a-z0-9]+]]: tensor<bf16>)
func.func @combiner(%x: tensor<9xbf16>, %i: tensor<7xi32>, %u: tensor<7xbf16>, %c: tensor<bf16>) -> tensor<9xbf16> {
  // CHECK: xla_rt.scatter {{.*}} scalars(%[[C]] : tensor<bf16>)
  // CHECK-SAME: starts = [0] steps = [-1] batch = [0] vector = 1 {
  // CHECK-NEXT: ^bb0(%{{.*}}: bf16, %[[B:.*]]: bf16, %[[S:.*]]: bf16):
  // CHECK: arith.mulf %{{.*}} : f32
  // CHECK: arith.truncf %{{.*}} : f32 to bf16
  // CHECK: arith.addf %{{.*}} : f32
  // CHECK: xla_rt.yield
  %0 = "xla.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #xla.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %m = xla.multiply %b, %c : tensor<bf16>
    %r = xla.add %a, %m : tensor<bf16>
    xla.return %r : tensor<bf16>
  }) : (tensor<9xbf16>, tensor<7xi32>, tensor<7xbf16>) -> tensor<9xbf16>
  return %0 : tensor<9xbf16>
}

// -----

// Nothing is scattered, or there is no place for it.
// CHECK-LABEL: func.func @empty(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<9xf32>
// CHECK-NOT: xla_rt.scatter
// CHECK: return %[[X]]
func.func @empty(%x: tensor<9xf32>, %i: tensor<0xi32>, %u: tensor<0xf32>) -> tensor<9xf32> {
  %0 = "xla.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #xla.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %b : tensor<f32>
  }) : (tensor<9xf32>, tensor<0xi32>, tensor<0xf32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

// -----

// Parts of a constant, one for each batch, are written by those who update them.
// CHECK-LABEL: func.func @batches_of_constant(
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4x9x8xi32>
// CHECK: xla_rt.scatter {{.*}} outs(%[[E]] : tensor<4x9x8xi32>)
// CHECK-SAME: starts = [-1, 0, -1] steps = [0, -1, 2] batch = [0, 1] vector = 2 init = -1 : i32 {
func.func @batches_of_constant(%i: tensor<4x7x1xi32>, %u: tensor<4x7x8xui32>) -> tensor<4x9x8xui32> {
  %x = xla.constant dense<4294967295> : tensor<4x9x8xui32>
  %0 = "xla.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #xla.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<ui32>, %b: tensor<ui32>):
    %r = xla.and %a, %b : tensor<ui32>
    xla.return %r : tensor<ui32>
  }) : (tensor<4x9x8xui32>, tensor<4x7x1xi32>, tensor<4x7x8xui32>) -> tensor<4x9x8xui32>
  return %0 : tensor<4x9x8xui32>
}

// -----

// Not if windows leave columns that nobody updates.
// CHECK-LABEL: func.func @narrow_batches(
// CHECK-NOT: init
// CHECK: return
func.func @narrow_batches(%i: tensor<4x7x1xi32>, %u: tensor<4x7x6xf32>) -> tensor<4x9x8xf32> {
  %x = xla.constant dense<0.0> : tensor<4x9x8xf32>
  %0 = "xla.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #xla.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = xla.add %a, %b : tensor<f32>
    xla.return %r : tensor<f32>
  }) : (tensor<4x9x8xf32>, tensor<4x7x1xi32>, tensor<4x7x6xf32>) -> tensor<4x9x8xf32>
  return %0 : tensor<4x9x8xf32>
}

// -----

// Updates that are all alike are written down once.
// CHECK-LABEL: func.func @uniform_updates(
// CHECK: %[[U:.*]] = tensor.empty() : tensor<7x8xi32>
// CHECK: xla_rt.scatter {{.*}} updates(%[[U]] : tensor<7x8xi32>)
// CHECK-SAME: vector = 1 update = 1 : i32 {
func.func @uniform_updates(%x: tensor<9x8xui32>, %i: tensor<7x1xi32>) -> tensor<9x8xui32> {
  %u = xla.constant dense<1> : tensor<7x8xui32>
  %0 = "xla.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #xla.scatter<
      update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
      index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<ui32>, %b: tensor<ui32>):
    %r = xla.add %a, %b : tensor<ui32>
    xla.return %r : tensor<ui32>
  }) : (tensor<9x8xui32>, tensor<7x1xi32>, tensor<7x8xui32>) -> tensor<9x8xui32>
  return %0 : tensor<9x8xui32>
}
