// RUN: xla-opt --verify-diagnostics --split-input-file %s

func.func @contracting(%a: tensor<16x8xf32>, %b: tensor<4x8x3xf32>, %s: tensor<4xi32>) {
  // expected-error @+1 {{'xla.ragged_dot' op [RaggedDot-C1]}}
  %0 = "xla.ragged_dot"(%a, %b, %s) <{ragged_dot_dimension_numbers = #xla.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1, 2], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}>
    : (tensor<16x8xf32>, tensor<4x8x3xf32>, tensor<4xi32>) -> tensor<16x3xf32>
  return
}

// -----

func.func @batching(%a: tensor<2x16x8xf32>, %b: tensor<4x8x3xf32>, %s: tensor<4xi32>) {
  // expected-error @+1 {{'xla.ragged_dot' op [RaggedDot-C1]}}
  %0 = "xla.ragged_dot"(%a, %b, %s) <{ragged_dot_dimension_numbers = #xla.ragged_dot<lhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}>
    : (tensor<2x16x8xf32>, tensor<4x8x3xf32>, tensor<4xi32>) -> tensor<16x3xf32>
  return
}

// -----

func.func @sizes(%a: tensor<16x8xf32>, %b: tensor<4x7x3xf32>, %s: tensor<4xi32>) {
  // expected-error @+1 {{'xla.ragged_dot' op [RaggedDot-C2]}}
  %0 = "xla.ragged_dot"(%a, %b, %s) <{ragged_dot_dimension_numbers = #xla.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}>
    : (tensor<16x8xf32>, tensor<4x7x3xf32>, tensor<4xi32>) -> tensor<16x3xf32>
  return
}

// -----

func.func @batch_sizes(%a: tensor<2x16x8xf32>, %b: tensor<4x3x8x3xf32>, %s: tensor<4xi32>) {
  // expected-error @+1 {{'xla.ragged_dot' op [RaggedDot-C3]}}
  %0 = "xla.ragged_dot"(%a, %b, %s) <{ragged_dot_dimension_numbers = #xla.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}>
    : (tensor<2x16x8xf32>, tensor<4x3x8x3xf32>, tensor<4xi32>) -> tensor<2x16x3xf32>
  return
}

// -----

func.func @dims(%a: tensor<16x8xf32>, %b: tensor<4x8x3xf32>, %s: tensor<4xi32>) {
  // expected-error @+1 {{'xla.ragged_dot' op [RaggedDot-C4]}}
  %0 = "xla.ragged_dot"(%a, %b, %s) <{ragged_dot_dimension_numbers = #xla.ragged_dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}>
    : (tensor<16x8xf32>, tensor<4x8x3xf32>, tensor<4xi32>) -> tensor<16x3xf32>
  return
}

// -----

func.func @elements(%a: tensor<16x8xf32>, %b: tensor<4x8x3xf64>, %s: tensor<4xi32>) {
  // expected-error @+1 {{'xla.ragged_dot' op [RaggedDot-C5]}}
  %0 = "xla.ragged_dot"(%a, %b, %s) <{ragged_dot_dimension_numbers = #xla.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}>
    : (tensor<16x8xf32>, tensor<4x8x3xf64>, tensor<4xi32>) -> tensor<16x3xf32>
  return
}

// -----

func.func @result(%a: tensor<16x8xf32>, %b: tensor<4x8x3xf32>, %s: tensor<4xi32>) {
  // expected-error @+1 {{'xla.ragged_dot' op [RaggedDot-C6]}}
  %0 = "xla.ragged_dot"(%a, %b, %s) <{ragged_dot_dimension_numbers = #xla.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}>
    : (tensor<16x8xf32>, tensor<4x8x3xf32>, tensor<4xi32>) -> tensor<16x4xf32>
  return
}

// -----

func.func @precision(%a: tensor<16x8xf32>, %b: tensor<4x8x3xf32>, %s: tensor<4xi32>) {
  // expected-error @+1 {{'xla.ragged_dot' op [RaggedDot-C7]}}
  %0 = "xla.ragged_dot"(%a, %b, %s) <{precision_config = [#xla<precision HIGH>],
    ragged_dot_dimension_numbers = #xla.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}>
    : (tensor<16x8xf32>, tensor<4x8x3xf32>, tensor<4xi32>) -> tensor<16x3xf32>
  return
}

// -----

func.func @no_ragged(%a: tensor<16x8xf32>, %b: tensor<4x8x3xf32>, %s: tensor<4xi32>) {
  // expected-error @+1 {{'xla.ragged_dot' op [RaggedDot-C8]}}
  %0 = "xla.ragged_dot"(%a, %b, %s) <{ragged_dot_dimension_numbers = #xla.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], rhs_group_dimensions = [0]>}>
    : (tensor<16x8xf32>, tensor<4x8x3xf32>, tensor<4xi32>) -> tensor<16x3xf32>
  return
}

// -----

func.func @ragged(%a: tensor<16x8xf32>, %b: tensor<4x8x3xf32>, %s: tensor<4xi32>) {
  // expected-error @+1 {{'xla.ragged_dot' op [RaggedDot-C8]}}
  %0 = "xla.ragged_dot"(%a, %b, %s) <{ragged_dot_dimension_numbers = #xla.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [2], rhs_group_dimensions = [0]>}>
    : (tensor<16x8xf32>, tensor<4x8x3xf32>, tensor<4xi32>) -> tensor<16x3xf32>
  return
}

// -----

func.func @no_group(%a: tensor<16x8xf32>, %b: tensor<4x8x3xf32>, %s: tensor<4xi32>) {
  // expected-error @+1 {{'xla.ragged_dot' op [RaggedDot-C9]}}
  %0 = "xla.ragged_dot"(%a, %b, %s) <{ragged_dot_dimension_numbers = #xla.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0]>}>
    : (tensor<16x8xf32>, tensor<4x8x3xf32>, tensor<4xi32>) -> tensor<16x3xf32>
  return
}

// -----

func.func @group(%a: tensor<16x8xf32>, %b: tensor<4x8x3xf32>, %s: tensor<4xi32>) {
  // expected-error @+1 {{'xla.ragged_dot' op [RaggedDot-C9]}}
  %0 = "xla.ragged_dot"(%a, %b, %s) <{ragged_dot_dimension_numbers = #xla.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [1]>}>
    : (tensor<16x8xf32>, tensor<4x8x3xf32>, tensor<4xi32>) -> tensor<16x3xf32>
  return
}

// -----

func.func @group_of_sum(%a: tensor<5x16xf32>, %b: tensor<16x3xf32>, %s: tensor<4xi32>) {
  // expected-error @+1 {{'xla.ragged_dot' op [RaggedDot-C9]}}
  %0 = "xla.ragged_dot"(%a, %b, %s) <{ragged_dot_dimension_numbers = #xla.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1], rhs_group_dimensions = [1]>}>
    : (tensor<5x16xf32>, tensor<16x3xf32>, tensor<4xi32>) -> tensor<4x5x3xf32>
  return
}

// -----

func.func @floats(%a: tensor<16x8xf32>, %b: tensor<4x8x3xf32>, %s: tensor<4xf32>) {
  // expected-error @+1 {{'xla.ragged_dot' op [RaggedDot-C10]}}
  %0 = "xla.ragged_dot"(%a, %b, %s) <{ragged_dot_dimension_numbers = #xla.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}>
    : (tensor<16x8xf32>, tensor<4x8x3xf32>, tensor<4xf32>) -> tensor<16x3xf32>
  return
}

// -----

func.func @count(%a: tensor<16x8xf32>, %b: tensor<4x8x3xf32>, %s: tensor<5xi32>) {
  // expected-error @+1 {{'xla.ragged_dot' op [RaggedDot-C10]}}
  %0 = "xla.ragged_dot"(%a, %b, %s) <{ragged_dot_dimension_numbers = #xla.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}>
    : (tensor<16x8xf32>, tensor<4x8x3xf32>, tensor<5xi32>) -> tensor<16x3xf32>
  return
}

// -----

func.func @rank(%a: tensor<16x8xf32>, %b: tensor<4x8x3xf32>, %s: tensor<2x4xi32>) {
  // expected-error @+1 {{'xla.ragged_dot' op [RaggedDot-C10]}}
  %0 = "xla.ragged_dot"(%a, %b, %s) <{ragged_dot_dimension_numbers = #xla.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}>
    : (tensor<16x8xf32>, tensor<4x8x3xf32>, tensor<2x4xi32>) -> tensor<16x3xf32>
  return
}
