// RUN: xla-opt %s --xla-simplify --split-input-file | FileCheck %s
// RUN: xla-opt %s --xla-simplify=sinks-products --split-input-file | FileCheck %s --check-prefix=SINKS
// RUN: xla-opt %s --xla-simplify=device --split-input-file | FileCheck %s --check-prefix=DEVICE

// Three rounds of elementwise code, of which the second adds the counter.
// CHECK-LABEL: func.func @short_loop(
// CHECK-SAME: %[[X:.*]]: tensor<4096xf32>
func.func @short_loop(%x: tensor<4096xf32>) -> tensor<4096xf32> {
  // CHECK-NOT: xla.while
  // CHECK-COUNT-3: xla.multiply
  // CHECK-NOT: xla.multiply
  %zero = xla.constant dense<0> : tensor<i32>
  %r:2 = xla.while(%i = %zero, %v = %x) : tensor<i32>, tensor<4096xf32>
  cond {
    %three = xla.constant dense<3> : tensor<i32>
    %c = xla.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  } do {
    %one = xla.constant dense<1> : tensor<i32>
    %f = xla.convert %i : (tensor<i32>) -> tensor<f32>
    %b = xla.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<4096xf32>
    %s = xla.add %v, %b : tensor<4096xf32>
    %m = xla.multiply %s, %s : tensor<4096xf32>
    %n = xla.add %i, %one : tensor<i32>
    xla.return %n, %m : tensor<i32>, tensor<4096xf32>
  }
  return %r#1 : tensor<4096xf32>
}

// -----

// Nine iterations, and a contraction of one of its own values.
// CHECK-LABEL: func.func @stays_a_loop(
func.func @stays_a_loop(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  // CHECK: xla.while
  // CHECK: xla.while
  // CHECK: xla.dot_general
  %zero = xla.constant dense<0> : tensor<i32>
  %nine = xla.constant dense<9> : tensor<i32>
  %two = xla.constant dense<2> : tensor<i32>
  %one = xla.constant dense<1> : tensor<i32>
  %r:2 = xla.while(%i = %zero, %v = %x) : tensor<i32>, tensor<8x8xf32>
  cond {
    %c = xla.compare LT, %i, %nine : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  } do {
    %m = xla.multiply %v, %v : tensor<8x8xf32>
    %n = xla.add %i, %one : tensor<i32>
    xla.return %n, %m : tensor<i32>, tensor<8x8xf32>
  }
  %q:2 = xla.while(%i = %zero, %v = %x) : tensor<i32>, tensor<8x8xf32>
  cond {
    %c = xla.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  } do {
    %m = xla.dot_general %v, %w, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %n = xla.add %i, %one : tensor<i32>
    xla.return %n, %m : tensor<i32>, tensor<8x8xf32>
  }
  return %r#1, %q#1 : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// Both operands of contractions may be the sliced one; the batch stays in front.
// CHECK-LABEL: func.func @contraction_of_slices(
// CHECK-SAME: %[[XS:.*]]: tensor<16x2x4x8xf32>, %[[W:.*]]: tensor<2x8x5xf32>
// CHECK: %[[LEFT:.*]] = xla.dot_general %[[XS]], %[[W]], batching_dims = [1] x [0], contracting_dims = [3] x [1]
// CHECK-SAME: -> tensor<2x16x4x5xf32>
// CHECK: %[[RIGHT:.*]] = xla.dot_general %[[W]], %[[XS]], batching_dims = [0] x [1], contracting_dims = [1] x [3]
// CHECK-SAME: -> tensor<2x5x16x4xf32>
// CHECK: xla.while
// CHECK-NOT: xla.dot_general
// CHECK-DAG: xla.dynamic_slice %[[LEFT]], {{.*}} sizes = [2, 1, 4, 5]
// CHECK-DAG: xla.dynamic_slice %[[RIGHT]], {{.*}} sizes = [2, 5, 1, 4]
// CHECK-NOT: xla.dot_general
func.func @contraction_of_slices(%xs: tensor<16x2x4x8xf32>, %w: tensor<2x8x5xf32>)
    -> (tensor<2x4x5xf32>, tensor<2x5x4xf32>) {
  %zero = xla.constant dense<0> : tensor<i32>
  %a = xla.constant dense<0.0> : tensor<2x4x5xf32>
  %b = xla.constant dense<0.0> : tensor<2x5x4xf32>
  %r:3 = xla.while(%i = %zero, %p = %a, %q = %b) : tensor<i32>, tensor<2x4x5xf32>, tensor<2x5x4xf32>
  cond {
    %end = xla.constant dense<16> : tensor<i32>
    %c = xla.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  } do {
    %one = xla.constant dense<1> : tensor<i32>
    %s = xla.dynamic_slice %xs, %i, %zero, %zero, %zero, sizes = [1, 2, 4, 8]
      : (tensor<16x2x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x4x8xf32>
    %x = xla.reshape %s : (tensor<1x2x4x8xf32>) -> tensor<2x4x8xf32>
    %left = xla.dot_general %x, %w, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<2x4x8xf32>, tensor<2x8x5xf32>) -> tensor<2x4x5xf32>
    %right = xla.dot_general %w, %x, batching_dims = [0] x [0], contracting_dims = [1] x [2]
      : (tensor<2x8x5xf32>, tensor<2x4x8xf32>) -> tensor<2x5x4xf32>
    %m = xla.add %p, %left : tensor<2x4x5xf32>
    %o = xla.add %q, %right : tensor<2x5x4xf32>
    %n = xla.add %i, %one : tensor<i32>
    xla.return %n, %m, %o : tensor<i32>, tensor<2x4x5xf32>, tensor<2x5x4xf32>
  }
  return %r#1, %r#2 : tensor<2x4x5xf32>, tensor<2x5x4xf32>
}

// -----

// One of a hundred slices is read in each of four iterations: all products would be too many.
// CHECK-LABEL: func.func @few_slices(
// CHECK: xla.while
// CHECK: xla.dot_general
func.func @few_slices(%xs: tensor<100x4x8xf32>, %w: tensor<8x5xf32>) -> tensor<4x5xf32> {
  %zero = xla.constant dense<0> : tensor<i32>
  %a = xla.constant dense<0.0> : tensor<4x5xf32>
  %r:2 = xla.while(%i = %zero, %p = %a) : tensor<i32>, tensor<4x5xf32>
  cond {
    %end = xla.constant dense<4> : tensor<i32>
    %c = xla.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  } do {
    %one = xla.constant dense<1> : tensor<i32>
    %s = xla.dynamic_slice %xs, %i, %zero, %zero, sizes = [1, 4, 8]
      : (tensor<100x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
    %x = xla.reshape %s : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    %y = xla.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
    %m = xla.add %p, %y : tensor<4x5xf32>
    %n = xla.add %i, %one : tensor<i32>
    xla.return %n, %m : tensor<i32>, tensor<4x5xf32>
  }
  return %r#1 : tensor<4x5xf32>
}

// -----

// The dimensions of size 1 of a batch of one, on both sides of the one that is counted, are dropped with it.
// CHECK-LABEL: func.func @slices_of_one_row(
// CHECK-SAME: %[[XS:.*]]: tensor<1x100x1x8xf32>, %[[W:.*]]: tensor<8x5xf32>
// CHECK: %[[ALL:.*]] = xla.reshape %[[XS]] : (tensor<1x100x1x8xf32>) -> tensor<100x8xf32>
// CHECK: %[[PRODUCTS:.*]] = xla.dot_general %[[ALL]], %[[W]], contracting_dims = [1] x [0] {{.*}} -> tensor<100x5xf32>
// CHECK: xla.while
// CHECK-NOT: xla.dot_general
// CHECK: xla.dynamic_slice %[[PRODUCTS]], %[[I:[a-zA-Z_0-9]*]], %{{.*}}, sizes = [1, 5]
func.func @slices_of_one_row(%xs: tensor<1x100x1x8xf32>, %w: tensor<8x5xf32>) -> tensor<5xf32> {
  %zero = xla.constant dense<0> : tensor<i32>
  %a = xla.constant dense<0.0> : tensor<5xf32>
  %r:2 = xla.while(%i = %zero, %p = %a) : tensor<i32>, tensor<5xf32>
  cond {
    %end = xla.constant dense<100> : tensor<i32>
    %c = xla.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  } do {
    %one = xla.constant dense<1> : tensor<i32>
    %s = xla.dynamic_slice %xs, %zero, %i, %zero, %zero, sizes = [1, 1, 1, 8]
      : (tensor<1x100x1x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x1x8xf32>
    %x = xla.reshape %s : (tensor<1x1x1x8xf32>) -> tensor<8xf32>
    %y = xla.dot_general %x, %w, contracting_dims = [0] x [0] : (tensor<8xf32>, tensor<8x5xf32>) -> tensor<5xf32>
    %m = xla.add %p, %y : tensor<5xf32>
    %n = xla.add %i, %one : tensor<i32>
    xla.return %n, %m : tensor<i32>, tensor<5xf32>
  }
  return %r#1 : tensor<5xf32>
}

// -----

// What each iteration would gather alike is gathered once, with what follows from it, and so is what a scatter reads.
// CHECK-LABEL: func.func @invariants(
// CHECK-SAME: %[[TABLE:.*]]: tensor<20xf32>, %[[PLACES:.*]]: tensor<100x1xi32>, %[[TARGETS:.*]]: tensor<100x1xi32>
// CHECK-DAG: %[[WEIGHTS:.*]] = "xla.gather"(%[[TABLE]], %[[PLACES]])
// CHECK-DAG: %[[LEAST:.*]] = xla.maximum %[[WEIGHTS]],
// CHECK-DAG: %[[LISTED:.*]] = xla.reshape %[[TARGETS]]
// CHECK-DAG: %[[NEGATED:.*]] = xla.negate %[[LISTED]]
// CHECK-DAG: %[[VECTORS:.*]] = xla.reshape %[[NEGATED]]
// CHECK: xla.while
// CHECK: do
// CHECK-NOT: xla.maximum
// CHECK-NOT: xla.negate
// CHECK: %[[OLD:.*]] = "xla.gather"(
// CHECK: %[[NEW:.*]] = xla.divide %[[OLD]], %[[LEAST]]
// CHECK: "xla.scatter"(%{{.*}}, %[[VECTORS]], %[[NEW]])
func.func @invariants(%table: tensor<20xf32>, %places: tensor<100x1xi32>, %targets: tensor<100x1xi32>) -> tensor<20xf32> {
  %zero = xla.constant dense<0> : tensor<i32>
  %r:2 = xla.while(%i = %zero, %p = %table) : tensor<i32>, tensor<20xf32>
  cond {
    %end = xla.constant dense<100> : tensor<i32>
    %c = xla.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  } do {
    %one = xla.constant dense<1> : tensor<i32>
    %ones = xla.constant dense<1.0> : tensor<100xf32>
    %zeros = xla.constant dense<0.0> : tensor<20xf32>
    %old = "xla.gather"(%p, %places) <{dimension_numbers = #xla.gather<collapsed_slice_dims = [0], start_index_map = [0],
        index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<20xf32>, tensor<100x1xi32>) -> tensor<100xf32>
    %weights = "xla.gather"(%table, %places) <{dimension_numbers = #xla.gather<collapsed_slice_dims = [0],
        start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}>
        : (tensor<20xf32>, tensor<100x1xi32>) -> tensor<100xf32>
    %least = xla.maximum %weights, %ones : tensor<100xf32>
    %shares = xla.divide %old, %least : tensor<100xf32>
    %negated = xla.negate %targets : tensor<100x1xi32>
    %next = "xla.scatter"(%zeros, %negated, %shares) <{scatter_dimension_numbers = #xla.scatter<
        inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = xla.add %a, %b : tensor<f32>
      xla.return %s : tensor<f32>
    }) : (tensor<20xf32>, tensor<100x1xi32>, tensor<100xf32>) -> tensor<20xf32>
    %n = xla.add %i, %one : tensor<i32>
    xla.return %n, %next : tensor<i32>, tensor<20xf32>
  }
  return %r#1 : tensor<20xf32>
}

// -----

// Weights that are put together in each step, as recurrent cells of libraries have them, are put together once, and the
// product with all inputs is one.
// CHECK-LABEL: func.func @weights_put_together(
// CHECK: %[[W:.*]] = xla.concatenate %arg1, %arg2
// CHECK: %[[ALL:.*]] = xla.dot_general %arg0, %[[W]]
// CHECK: xla.while
// CHECK-NOT: xla.concatenate
// CHECK-NOT: xla.dot_general
func.func @weights_put_together(%xs: tensor<16x4x8xf32>, %v: tensor<8x16xf32>, %w: tensor<8x16xf32>) -> tensor<4x32xf32> {
  %zero = xla.constant dense<0> : tensor<i32>
  %one = xla.constant dense<1> : tensor<i32>
  %n = xla.constant dense<16> : tensor<i32>
  %init = xla.constant dense<0.0> : tensor<4x32xf32>
  %0:2 = xla.while(%i = %zero, %h = %init) : tensor<i32>, tensor<4x32xf32>
  cond {
    %c = xla.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  } do {
    %x = xla.dynamic_slice %xs, %i, %zero, %zero, sizes = [1, 4, 8] : (tensor<16x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
    %y = xla.reshape %x : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    %both = xla.concatenate %v, %w, dim = 1 : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x32xf32>
    %d = xla.dot_general %y, %both, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x32xf32>) -> tensor<4x32xf32>
    %s = xla.add %h, %d : tensor<4x32xf32>
    %t = xla.tanh %s : tensor<4x32xf32>
    %next = xla.add %i, %one : tensor<i32>
    xla.return %next, %t : tensor<i32>, tensor<4x32xf32>
  }
  return %0#1 : tensor<4x32xf32>
}

// -----

// What each iteration would read across is transposed before the loop, once, as are weights of gradients.
// A device reads it either way.
// DEVICE-LABEL: func.func @factor_read_across(
// DEVICE-NOT: xla.transpose
// DEVICE: xla.dot_general %{{.*}}, %arg1, contracting_dims = [1] x [1]
// CHECK-LABEL: func.func @factor_read_across(
// CHECK: %[[T:.*]] = xla.transpose %arg1, dims = [1, 0]
// CHECK: xla.while
// CHECK: xla.dot_general %{{.*}}, %[[T]], contracting_dims = [1] x [0]
func.func @factor_read_across(%x: tensor<4x32xf32>, %w: tensor<32x32xf32>) -> tensor<4x32xf32> {
  %zero = xla.constant dense<0> : tensor<i32>
  %one = xla.constant dense<1> : tensor<i32>
  %n = xla.constant dense<16> : tensor<i32>
  %r:2 = xla.while(%i = %zero, %h = %x) : tensor<i32>, tensor<4x32xf32>
  cond {
    %c = xla.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  } do {
    %d = xla.dot_general %h, %w, contracting_dims = [1] x [1] : (tensor<4x32xf32>, tensor<32x32xf32>) -> tensor<4x32xf32>
    %t = xla.tanh %d : tensor<4x32xf32>
    %next = xla.add %i, %one : tensor<i32>
    xla.return %next, %t : tensor<i32>, tensor<4x32xf32>
  }
  return %r#1 : tensor<4x32xf32>
}

// -----

// It is left there if it is there already, unless the loop turns a few times only.
// DEVICE-LABEL: func.func @factor_transposed_before(
// DEVICE-NOT: xla.transpose
// CHECK-LABEL: func.func @factor_transposed_before(
// CHECK: %[[T:.*]] = xla.transpose %arg1, dims = [1, 0]
// CHECK: xla.while
// CHECK: xla.dot_general %{{.*}}, %[[T]], contracting_dims = [1] x [0]
// CHECK: xla.while
// CHECK: xla.dot_general %{{.*}}, %arg1, contracting_dims = [1] x [1]
func.func @factor_transposed_before(%x: tensor<4x32xf32>, %w: tensor<32x32xf32>) -> tensor<4x32xf32> {
  %zero = xla.constant dense<0> : tensor<i32>
  %one = xla.constant dense<1> : tensor<i32>
  %n = xla.constant dense<16> : tensor<i32>
  %few = xla.constant dense<3> : tensor<i32>
  %wt = xla.transpose %w, dims = [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
  %r:2 = xla.while(%i = %zero, %h = %x) : tensor<i32>, tensor<4x32xf32>
  cond {
    %c = xla.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  } do {
    %d = xla.dot_general %h, %wt, contracting_dims = [1] x [0] : (tensor<4x32xf32>, tensor<32x32xf32>) -> tensor<4x32xf32>
    %t = xla.tanh %d : tensor<4x32xf32>
    %next = xla.add %i, %one : tensor<i32>
    xla.return %next, %t : tensor<i32>, tensor<4x32xf32>
  }
  %s:2 = xla.while(%i = %zero, %h = %r#1) : tensor<i32>, tensor<4x32xf32>
  cond {
    %c = xla.compare LT, %i, %few : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  } do {
    %d = xla.dot_general %h, %wt, contracting_dims = [1] x [0] : (tensor<4x32xf32>, tensor<32x32xf32>) -> tensor<4x32xf32>
    %t = xla.tanh %d : tensor<4x32xf32>
    %next = xla.add %i, %one : tensor<i32>
    xla.return %next, %t : tensor<i32>, tensor<4x32xf32>
  }
  return %s#1 : tensor<4x32xf32>
}

// -----

// One row is not worth it.
// CHECK-LABEL: func.func @vector_read_along(
// CHECK-NOT: xla.transpose
// CHECK: xla.dot_general %{{.*}}, %arg1, contracting_dims = [0] x [1]
func.func @vector_read_along(%x: tensor<1x32xf32>, %w: tensor<32x32xf32>) -> tensor<1x32xf32> {
  %zero = xla.constant dense<0> : tensor<i32>
  %one = xla.constant dense<1> : tensor<i32>
  %n = xla.constant dense<16> : tensor<i32>
  %r:2 = xla.while(%i = %zero, %h = %x) : tensor<i32>, tensor<1x32xf32>
  cond {
    %c = xla.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  } do {
    %d = xla.dot_general %h, %w, contracting_dims = [1] x [1] : (tensor<1x32xf32>, tensor<32x32xf32>) -> tensor<1x32xf32>
    %t = xla.tanh %d : tensor<1x32xf32>
    %next = xla.add %i, %one : tensor<i32>
    xla.return %next, %t : tensor<i32>, tensor<1x32xf32>
  }
  return %r#1 : tensor<1x32xf32>
}

// -----

// What a product reads of nothing but values from outside is computed outside, whatever it is.
// CHECK-LABEL: func.func @masked_factor(
// CHECK: %[[W:.*]] = xla.multiply %arg1, %arg2
// CHECK: xla.while
// CHECK-NOT: xla.multiply
// CHECK: xla.dot_general %{{.*}}, %[[W]], contracting_dims = [1] x [0]
func.func @masked_factor(%x: tensor<4x32xf32>, %w: tensor<32x32xf32>, %m: tensor<32x32xf32>) -> tensor<4x32xf32> {
  %zero = xla.constant dense<0> : tensor<i32>
  %one = xla.constant dense<1> : tensor<i32>
  %n = xla.constant dense<16> : tensor<i32>
  %r:2 = xla.while(%i = %zero, %h = %x) : tensor<i32>, tensor<4x32xf32>
  cond {
    %c = xla.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  } do {
    %p = xla.multiply %w, %m : tensor<32x32xf32>
    %d = xla.dot_general %h, %p, contracting_dims = [1] x [0] : (tensor<4x32xf32>, tensor<32x32xf32>) -> tensor<4x32xf32>
    %t = xla.tanh %d : tensor<4x32xf32>
    %next = xla.add %i, %one : tensor<i32>
    xla.return %next, %t : tensor<i32>, tensor<4x32xf32>
  }
  return %r#1 : tensor<4x32xf32>
}

// -----

// A vector times such a matrix computes each element of it but once.
// CHECK-LABEL: func.func @masked_factor_of_vector(
// CHECK: xla.while
// CHECK: xla.multiply
// CHECK: xla.dot_general
func.func @masked_factor_of_vector(%x: tensor<1x32xf32>, %w: tensor<32x32xf32>, %m: tensor<32x32xf32>) -> tensor<1x32xf32> {
  %zero = xla.constant dense<0> : tensor<i32>
  %one = xla.constant dense<1> : tensor<i32>
  %n = xla.constant dense<16> : tensor<i32>
  %r:2 = xla.while(%i = %zero, %h = %x) : tensor<i32>, tensor<1x32xf32>
  cond {
    %c = xla.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  } do {
    %p = xla.multiply %w, %m : tensor<32x32xf32>
    %d = xla.dot_general %h, %p, contracting_dims = [1] x [0] : (tensor<1x32xf32>, tensor<32x32xf32>) -> tensor<1x32xf32>
    %t = xla.tanh %d : tensor<1x32xf32>
    %next = xla.add %i, %one : tensor<i32>
    xla.return %next, %t : tensor<i32>, tensor<1x32xf32>
  }
  return %r#1 : tensor<1x32xf32>
}

// -----

// Cheap operations read no less where they are, and larger results would be more to read.
// CHECK-LABEL: func.func @variants(
// CHECK: do
// CHECK: xla.multiply
// CHECK: xla.broadcast_in_dim
// CHECK: xla.exponential
func.func @variants(%x: tensor<8192xf32>) -> tensor<4x8192xf32> {
  %zero = xla.constant dense<0> : tensor<i32>
  %zeros = xla.constant dense<0.0> : tensor<4x8192xf32>
  %r:2 = xla.while(%i = %zero, %p = %zeros) : tensor<i32>, tensor<4x8192xf32>
  cond {
    %end = xla.constant dense<100> : tensor<i32>
    %c = xla.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  } do {
    %one = xla.constant dense<1> : tensor<i32>
    %y = xla.multiply %x, %x : tensor<8192xf32>
    %b = xla.broadcast_in_dim %y, dims = [1] : (tensor<8192xf32>) -> tensor<4x8192xf32>
    %a = xla.add %p, %b : tensor<4x8192xf32>
    %e = xla.exponential %a : tensor<4x8192xf32>
    %n = xla.add %i, %one : tensor<i32>
    xla.return %n, %e : tensor<i32>, tensor<4x8192xf32>
  }
  return %r#1 : tensor<4x8192xf32>
}

// -----

// What is stacked up takes the place of the products, of which each step reads what it is about to overwrite.
// CHECK-LABEL: func.func @stacked(
// CHECK: %[[PRODUCTS:.*]] = xla.dot_general %arg0, %arg1
// CHECK: xla.while(%[[I:.*]] = %{{.*}}, %[[STACK:.*]] = %[[PRODUCTS]])
// CHECK: xla.dynamic_slice %[[STACK]], %[[I]],
// CHECK: xla.dynamic_update_slice %[[STACK]], %{{.*}}, %[[I]],
// A device writes what nobody reads when it likes.
// DEVICE-LABEL: func.func @stacked(
// DEVICE-DAG: %[[NONE:.*]] = xla.constant dense<0.000000e+00> : tensor<16x8x32xf32>
// DEVICE-DAG: %[[PRODUCTS:.*]] = xla.dot_general %arg0, %arg1
// DEVICE: xla.while(%[[I:.*]] = %{{.*}}, %[[STACK:.*]] = %[[NONE]])
// DEVICE: xla.dynamic_slice %[[PRODUCTS]], %[[I]],
// DEVICE: xla.dynamic_update_slice %[[STACK]], %{{.*}}, %[[I]],
func.func @stacked(%xs: tensor<16x8x32xf32>, %w: tensor<32x32xf32>) -> tensor<16x8x32xf32> {
  %begin = xla.constant dense<0> : tensor<i32>
  %none = xla.constant dense<0.0> : tensor<16x8x32xf32>
  %r:2 = xla.while(%i = %begin, %ys = %none) : tensor<i32>, tensor<16x8x32xf32>
  cond {
    %end = xla.constant dense<16> : tensor<i32>
    %c = xla.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  } do {
    %one = xla.constant dense<1> : tensor<i32>
    %zero = xla.constant dense<0> : tensor<i32>
    %slice = xla.dynamic_slice %xs, %i, %zero, %zero, sizes = [1, 8, 32] : (tensor<16x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x32xf32>
    %x = xla.reshape %slice : (tensor<1x8x32xf32>) -> tensor<8x32xf32>
    %d = xla.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x32xf32>, tensor<32x32xf32>) -> tensor<8x32xf32>
    %t = xla.tanh %d : tensor<8x32xf32>
    %u = xla.reshape %t : (tensor<8x32xf32>) -> tensor<1x8x32xf32>
    %s = xla.dynamic_update_slice %ys, %u, %i, %zero, %zero : (tensor<16x8x32xf32>, tensor<1x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<16x8x32xf32>
    %n = xla.add %i, %one : tensor<i32>
    xla.return %n, %s : tensor<i32>, tensor<16x8x32xf32>
  }
  return %r#1 : tensor<16x8x32xf32>
}

// -----

// Not where the last slice of each step is read again in the next one.
// CHECK-LABEL: func.func @read_again(
// CHECK: xla.dynamic_slice %[[PRODUCTS:[0-9]+]],
// CHECK: xla.dynamic_update_slice %iterArg
func.func @read_again(%xs: tensor<16x8xf32>, %w: tensor<8x8xf32>) -> tensor<16x8xf32> {
  %begin = xla.constant dense<0> : tensor<i32>
  %none = xla.constant dense<0.0> : tensor<16x8xf32>
  %r:2 = xla.while(%i = %begin, %ys = %none) : tensor<i32>, tensor<16x8xf32>
  cond {
    %end = xla.constant dense<16> : tensor<i32>
    %c = xla.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  } do {
    %one = xla.constant dense<1> : tensor<i32>
    %zero = xla.constant dense<0> : tensor<i32>
    %last = xla.subtract %i, %one : tensor<i32>
    %slice = xla.dynamic_slice %xs, %last, %zero, sizes = [1, 8] : (tensor<16x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
    %x = xla.reshape %slice : (tensor<1x8xf32>) -> tensor<8xf32>
    %d = xla.dot_general %x, %w, contracting_dims = [0] x [0] : (tensor<8xf32>, tensor<8x8xf32>) -> tensor<8xf32>
    %t = xla.tanh %d : tensor<8xf32>
    %u = xla.reshape %t : (tensor<8xf32>) -> tensor<1x8xf32>
    %s = xla.dynamic_update_slice %ys, %u, %i, %zero : (tensor<16x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<16x8xf32>
    %n = xla.add %i, %one : tensor<i32>
    xla.return %n, %s : tensor<i32>, tensor<16x8xf32>
  }
  return %r#1 : tensor<16x8xf32>
}

// -----

// A row of 32 by a matrix of 4 KiB takes no longer by itself: a CPU has no memory for the products of all iterations. A
// matrix of 16 KiB is read again for each of them.
// CHECK-LABEL: func.func @small_steps(
// CHECK-COUNT-2: xla.dot_general
// CHECK: xla.while
// CHECK-NOT: xla.dot_general
// CHECK: return
// SINKS-LABEL: func.func @small_steps(
// SINKS-SAME: %[[XS:.*]]: tensor<100x1x32xf32>, %[[V:.*]]: tensor<32x32xf32>, %[[W:.*]]: tensor<32x128xf32>
// SINKS: xla.dot_general %{{.*}}, %[[W]]{{.*}}-> tensor<100x128xf32>
// SINKS-NOT: xla.dot_general
// SINKS: xla.while
// SINKS: xla.dynamic_slice %[[XS]]
// SINKS: xla.dot_general %{{.*}}, %[[V]]
// SINKS-NOT: xla.dot_general
// SINKS: return
func.func @small_steps(%xs: tensor<100x1x32xf32>, %v: tensor<32x32xf32>, %w: tensor<32x128xf32>)
    -> (tensor<1x32xf32>, tensor<1x128xf32>) {
  %zero = xla.constant dense<0> : tensor<i32>
  %a = xla.constant dense<0.0> : tensor<1x32xf32>
  %b = xla.constant dense<0.0> : tensor<1x128xf32>
  %r:3 = xla.while(%i = %zero, %p = %a, %q = %b) : tensor<i32>, tensor<1x32xf32>, tensor<1x128xf32>
  cond {
    %end = xla.constant dense<100> : tensor<i32>
    %c = xla.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  } do {
    %one = xla.constant dense<1> : tensor<i32>
    %s = xla.dynamic_slice %xs, %i, %zero, %zero, sizes = [1, 1, 32]
      : (tensor<100x1x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x32xf32>
    %x = xla.reshape %s : (tensor<1x1x32xf32>) -> tensor<1x32xf32>
    %y = xla.dot_general %x, %v, contracting_dims = [1] x [0] : (tensor<1x32xf32>, tensor<32x32xf32>) -> tensor<1x32xf32>
    %z = xla.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<1x32xf32>, tensor<32x128xf32>) -> tensor<1x128xf32>
    %m = xla.add %p, %y : tensor<1x32xf32>
    %o = xla.add %q, %z : tensor<1x128xf32>
    %n = xla.add %i, %one : tensor<i32>
    xla.return %n, %m, %o : tensor<i32>, tensor<1x32xf32>, tensor<1x128xf32>
  }
  return %r#1, %r#2 : tensor<1x32xf32>, tensor<1x128xf32>
}

// -----

// So does a product that is work for all cores. Of those whose memory the loop takes for its results there are all.
// CHECK-LABEL: func.func @large_steps(
// CHECK-COUNT-2: xla.dot_general
// CHECK: xla.while
// SINKS-LABEL: func.func @large_steps(
// SINKS-SAME: %[[XS:.*]]: tensor<9x128x128xf32>, %[[W:.*]]: tensor<128x128xf32>
// SINKS: %[[ALL:.*]] = xla.dot_general %[[XS]], %[[W]]
// SINKS-NOT: xla.dot_general
// SINKS: xla.while({{.*}} = %[[ALL]]
// SINKS: xla.dot_general
// SINKS-NOT: xla.dot_general
// SINKS: return
func.func @large_steps(%xs: tensor<9x128x128xf32>, %w: tensor<128x128xf32>)
    -> (tensor<9x128x128xf32>, tensor<128x128xf32>) {
  %zero = xla.constant dense<0> : tensor<i32>
  %a = xla.constant dense<0.0> : tensor<9x128x128xf32>
  %b = xla.constant dense<0.0> : tensor<128x128xf32>
  %r:3 = xla.while(%i = %zero, %p = %a, %q = %b) : tensor<i32>, tensor<9x128x128xf32>, tensor<128x128xf32>
  cond {
    %end = xla.constant dense<9> : tensor<i32>
    %c = xla.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  } do {
    %one = xla.constant dense<1> : tensor<i32>
    %s = xla.dynamic_slice %xs, %i, %zero, %zero, sizes = [1, 128, 128]
      : (tensor<9x128x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x128x128xf32>
    %x = xla.reshape %s : (tensor<1x128x128xf32>) -> tensor<128x128xf32>
    %y = xla.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
    %z = xla.dot_general %x, %w, contracting_dims = [1] x [1]
      : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
    %t = xla.tanh %y : tensor<128x128xf32>
    %u = xla.reshape %t : (tensor<128x128xf32>) -> tensor<1x128x128xf32>
    %m = xla.dynamic_update_slice %p, %u, %i, %zero, %zero
      : (tensor<9x128x128xf32>, tensor<1x128x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x128x128xf32>
    %o = xla.add %q, %z : tensor<128x128xf32>
    %n = xla.add %i, %one : tensor<i32>
    xla.return %n, %m, %o : tensor<i32>, tensor<9x128x128xf32>, tensor<128x128xf32>
  }
  return %r#1, %r#2 : tensor<9x128x128xf32>, tensor<128x128xf32>
}

// -----

// So does a product that is added to another one, as the two are work for all cores.
// CHECK-LABEL: func.func @added_steps(
// CHECK: xla.dot_general
// CHECK: xla.while
// SINKS-LABEL: func.func @added_steps(
// SINKS-NOT: xla.dot_general
// SINKS: xla.while
// SINKS-COUNT-2: xla.dot_general
func.func @added_steps(%xs: tensor<9x32x128xf32>, %h: tensor<32x128xf32>, %w: tensor<128x128xf32>,
    %u: tensor<128x128xf32>, %b: tensor<128xf32>) -> tensor<32x128xf32> {
  %zero = xla.constant dense<0> : tensor<i32>
  %bias = xla.broadcast_in_dim %b, dims = [1] : (tensor<128xf32>) -> tensor<32x128xf32>
  %r:2 = xla.while(%i = %zero, %p = %h) : tensor<i32>, tensor<32x128xf32>
  cond {
    %end = xla.constant dense<9> : tensor<i32>
    %c = xla.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  } do {
    %one = xla.constant dense<1> : tensor<i32>
    %s = xla.dynamic_slice %xs, %i, %zero, %zero, sizes = [1, 32, 128]
      : (tensor<9x32x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x128xf32>
    %x = xla.reshape %s : (tensor<1x32x128xf32>) -> tensor<32x128xf32>
    %y = xla.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<32x128xf32>, tensor<128x128xf32>) -> tensor<32x128xf32>
    %z = xla.dot_general %p, %u, contracting_dims = [1] x [0]
      : (tensor<32x128xf32>, tensor<128x128xf32>) -> tensor<32x128xf32>
    %a = xla.add %y, %bias : tensor<32x128xf32>
    %o = xla.add %a, %z : tensor<32x128xf32>
    %t = xla.tanh %o : tensor<32x128xf32>
    %n = xla.add %i, %one : tensor<i32>
    xla.return %n, %t : tensor<i32>, tensor<32x128xf32>
  }
  return %r#1 : tensor<32x128xf32>
}

// -----

// They are too little work.
// CHECK-LABEL: func.func @few_added_steps(
// CHECK: xla.dot_general
// CHECK: xla.while
// SINKS-LABEL: func.func @few_added_steps(
// SINKS: xla.dot_general
// SINKS: xla.while
// SINKS: xla.dot_general
// SINKS-NOT: xla.dot_general
// SINKS: return
func.func @few_added_steps(%xs: tensor<9x16x128xf32>, %h: tensor<16x128xf32>, %w: tensor<128x128xf32>,
    %u: tensor<128x128xf32>, %b: tensor<128xf32>) -> tensor<16x128xf32> {
  %zero = xla.constant dense<0> : tensor<i32>
  %bias = xla.broadcast_in_dim %b, dims = [1] : (tensor<128xf32>) -> tensor<16x128xf32>
  %r:2 = xla.while(%i = %zero, %p = %h) : tensor<i32>, tensor<16x128xf32>
  cond {
    %end = xla.constant dense<9> : tensor<i32>
    %c = xla.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  } do {
    %one = xla.constant dense<1> : tensor<i32>
    %s = xla.dynamic_slice %xs, %i, %zero, %zero, sizes = [1, 16, 128]
      : (tensor<9x16x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x128xf32>
    %x = xla.reshape %s : (tensor<1x16x128xf32>) -> tensor<16x128xf32>
    %y = xla.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<16x128xf32>, tensor<128x128xf32>) -> tensor<16x128xf32>
    %z = xla.dot_general %p, %u, contracting_dims = [1] x [0]
      : (tensor<16x128xf32>, tensor<128x128xf32>) -> tensor<16x128xf32>
    %a = xla.add %y, %bias : tensor<16x128xf32>
    %o = xla.add %a, %z : tensor<16x128xf32>
    %t = xla.tanh %o : tensor<16x128xf32>
    %n = xla.add %i, %one : tensor<i32>
    xla.return %n, %t : tensor<i32>, tensor<16x128xf32>
  }
  return %r#1 : tensor<16x128xf32>
}

// -----

// Of what is concatenated, the products of slices are those of all before the loop, on a device; what is next to each
// other stays together.
// DEVICE-LABEL: func.func @concatenated(
// DEVICE-SAME: %[[XS:.*]]: tensor<16x8x32xf32>, %[[W:.*]]: tensor<64x24xf32>, %[[H:.*]]: tensor<8x24xf32>
// DEVICE-DAG: %[[ROWS:.*]] = xla.slice %[[W]] [0:32, 0:24]
// DEVICE-DAG: %[[OTHERS:.*]] = xla.slice %[[W]] [32:64, 0:24]
// DEVICE: %[[PRODUCTS:.*]] = xla.dot_general %[[XS]], %[[ROWS]], contracting_dims = [2] x [0]
// DEVICE: xla.while(
// DEVICE-DAG: %[[JOINED:.*]] = xla.concatenate %{{.*}}, %{{.*}}, dim = 1 : (tensor<8x24xf32>, tensor<8x8xf32>) -> tensor<8x32xf32>
// DEVICE-DAG: %[[SLICE:.*]] = xla.dynamic_slice %[[PRODUCTS]],
// DEVICE-DAG: %[[FIRST:.*]] = xla.reshape %[[SLICE]]
// DEVICE: %[[SECOND:.*]] = xla.dot_general %[[JOINED]], %[[OTHERS]], contracting_dims = [1] x [0]
// DEVICE: xla.add %[[FIRST]], %[[SECOND]]
// CHECK-LABEL: func.func @concatenated(
// CHECK: xla.concatenate {{.*}} -> tensor<8x64xf32>
// CHECK: xla.dot_general
// CHECK-NOT: xla.dot_general
// CHECK: return
func.func @concatenated(%xs: tensor<16x8x32xf32>, %w: tensor<64x24xf32>, %h: tensor<8x24xf32>) -> tensor<8x24xf32> {
  %begin = xla.constant dense<0> : tensor<i32>
  %r:2 = xla.while(%i = %begin, %s = %h) : tensor<i32>, tensor<8x24xf32>
  cond {
    %end = xla.constant dense<16> : tensor<i32>
    %c = xla.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  } do {
    %one = xla.constant dense<1> : tensor<i32>
    %zero = xla.constant dense<0> : tensor<i32>
    %slice = xla.dynamic_slice %xs, %i, %zero, %zero, sizes = [1, 8, 32] : (tensor<16x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x32xf32>
    %x = xla.reshape %slice : (tensor<1x8x32xf32>) -> tensor<8x32xf32>
    %few = xla.slice %s [0:8, 8:16] : (tensor<8x24xf32>) -> tensor<8x8xf32>
    %t = xla.tanh %few : tensor<8x8xf32>
    %all = xla.concatenate %x, %s, %t, dim = 1 : (tensor<8x32xf32>, tensor<8x24xf32>, tensor<8x8xf32>) -> tensor<8x64xf32>
    %d = xla.dot_general %all, %w, contracting_dims = [1] x [0] : (tensor<8x64xf32>, tensor<64x24xf32>) -> tensor<8x24xf32>
    %j = xla.add %i, %one : tensor<i32>
    xla.return %j, %d : tensor<i32>, tensor<8x24xf32>
  }
  return %r#1 : tensor<8x24xf32>
}

// -----

// A sum of two sums that are rounded to bf16 would be less exact.
// DEVICE-LABEL: func.func @narrow(
// DEVICE: xla.concatenate
// DEVICE: xla.dot_general {{.*}} -> tensor<8x24xbf16>
// DEVICE-NOT: xla.dot_general
func.func @narrow(%xs: tensor<16x8x32xbf16>, %w: tensor<56x24xbf16>, %h: tensor<8x24xbf16>) -> tensor<8x24xbf16> {
  %begin = xla.constant dense<0> : tensor<i32>
  %r:2 = xla.while(%i = %begin, %s = %h) : tensor<i32>, tensor<8x24xbf16>
  cond {
    %end = xla.constant dense<16> : tensor<i32>
    %c = xla.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  } do {
    %one = xla.constant dense<1> : tensor<i32>
    %zero = xla.constant dense<0> : tensor<i32>
    %slice = xla.dynamic_slice %xs, %i, %zero, %zero, sizes = [1, 8, 32] : (tensor<16x8x32xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x32xbf16>
    %x = xla.reshape %slice : (tensor<1x8x32xbf16>) -> tensor<8x32xbf16>
    %all = xla.concatenate %x, %s, dim = 1 : (tensor<8x32xbf16>, tensor<8x24xbf16>) -> tensor<8x56xbf16>
    %d = xla.dot_general %all, %w, contracting_dims = [1] x [0] : (tensor<8x56xbf16>, tensor<56x24xbf16>) -> tensor<8x24xbf16>
    %j = xla.add %i, %one : tensor<i32>
    xla.return %j, %d : tensor<i32>, tensor<8x24xbf16>
  }
  return %r#1 : tensor<8x24xbf16>
}
