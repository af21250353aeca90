// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @counts(%x: tensor<16x8xf32>, %w: tensor<4x8x32xf32>, %g: tensor<4xi32>) {
  // expected-error@+1 {{[RaggedDot-C1]}}
  %0 = "xla.ragged_dot"(%x, %w, %g) <{ragged_dot_dimension_numbers = #xla.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<16x8xf32>, tensor<4x8x32xf32>, tensor<4xi32>) -> tensor<16x32xf32>
  return
}

// -----

func.func @element_types(%x: tensor<16x8xf32>, %w: tensor<4x8x32xi32>, %g: tensor<4xi32>) {
  // expected-error@+1 {{[RaggedDot-C5]}}
  %0 = "xla.ragged_dot"(%x, %w, %g) <{ragged_dot_dimension_numbers = #xla.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<16x8xf32>, tensor<4x8x32xi32>, tensor<4xi32>) -> tensor<16x32xf32>
  return
}

// -----

func.func @result(%x: tensor<16x8xf32>, %w: tensor<4x8x32xf32>, %g: tensor<4xi32>) {
  // expected-error@+1 {{[RaggedDot-C6]}}
  %0 = "xla.ragged_dot"(%x, %w, %g) <{ragged_dot_dimension_numbers = #xla.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<16x8xf32>, tensor<4x8x32xf32>, tensor<4xi32>) -> tensor<4x16x32xf32>
  return
}

// -----

func.func @precision(%x: tensor<16x8xf32>, %w: tensor<4x8x32xf32>, %g: tensor<4xi32>) {
  // expected-error@+1 {{[RaggedDot-C7]}}
  %0 = "xla.ragged_dot"(%x, %w, %g) <{precision_config = [#xla<precision HIGH>], ragged_dot_dimension_numbers = #xla.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<16x8xf32>, tensor<4x8x32xf32>, tensor<4xi32>) -> tensor<16x32xf32>
  return
}

// -----

func.func @ragged(%x: tensor<16x8xf32>, %w: tensor<4x8x32xf32>, %g: tensor<4xi32>) {
  // expected-error@+1 {{[RaggedDot-C8] lhs_ragged_dimensions [2] are not one dimension of lhs}}
  %0 = "xla.ragged_dot"(%x, %w, %g) <{ragged_dot_dimension_numbers = #xla.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [2], rhs_group_dimensions = [0]>}> : (tensor<16x8xf32>, tensor<4x8x32xf32>, tensor<4xi32>) -> tensor<16x32xf32>
  return
}

// -----

func.func @group(%x: tensor<16x8xf32>, %w: tensor<4x8x32xf32>, %g: tensor<4xi32>) {
  // expected-error@+1 {{[RaggedDot-C9] rhs_group_dimensions [1] are not one dimension of rhs that is neither batching nor contracting}}
  %0 = "xla.ragged_dot"(%x, %w, %g) <{ragged_dot_dimension_numbers = #xla.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [1]>}> : (tensor<16x8xf32>, tensor<4x8x32xf32>, tensor<4xi32>) -> tensor<16x32xf32>
  return
}

// -----

func.func @sizes(%x: tensor<16x8xf32>, %w: tensor<4x8x32xf32>, %g: tensor<5xi32>) {
  // expected-error@+1 {{[RaggedDot-C10] group_sizes}}
  %0 = "xla.ragged_dot"(%x, %w, %g) <{ragged_dot_dimension_numbers = #xla.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<16x8xf32>, tensor<4x8x32xf32>, tensor<5xi32>) -> tensor<16x32xf32>
  return
}
