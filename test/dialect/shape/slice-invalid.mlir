// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @concatenate_nothing() {
  // expected-error@+1 {{'xla.concatenate' op [Concatenate-C1] expects at least one input}}
  %0 = "xla.concatenate"() <{dimension = 0 : i64}> : () -> tensor<2xf32>
  return
}

// -----

func.func @concatenate_rank(%x: tensor<2xf32>, %y: tensor<2x2xf32>) {
  // expected-error@+1 {{'xla.concatenate' op [Concatenate-C2] input 1 of type 'tensor<2x2xf32>' differs in rank or element type from input 0 of type 'tensor<2xf32>'}}
  %0 = xla.concatenate %x, %y, dim = 0 : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @concatenate_element(%x: tensor<2xf32>, %y: tensor<2xi32>) {
  // expected-error@+1 {{'xla.concatenate' op [Concatenate-C2] input 1 of type 'tensor<2xi32>' differs}}
  %0 = xla.concatenate %x, %y, dim = 0 : (tensor<2xf32>, tensor<2xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @concatenate_scalars(%x: tensor<f32>) {
  // expected-error@+1 {{'xla.concatenate' op [Concatenate-C3] scalars cannot be concatenated}}
  %0 = xla.concatenate %x, %x, dim = 0 : (tensor<f32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @concatenate_dimension(%x: tensor<2xf32>) {
  // expected-error@+1 {{'xla.concatenate' op [Concatenate-C4] dimension 1 is not a dimension of 'tensor<2xf32>'}}
  %0 = xla.concatenate %x, %x, dim = 1 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @concatenate_dims(%x: tensor<3x2xf32>, %y: tensor<1x2xf32>) {
  // expected-error@+1 {{'xla.concatenate' op [Concatenate-C5] dimension 0 is 1 in input 1 and 3 in input 0}}
  %0 = xla.concatenate %x, %y, dim = 1 : (tensor<3x2xf32>, tensor<1x2xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @concatenate_result(%x: tensor<3x2xf32>) {
  // expected-error@+1 {{'xla.concatenate' op [Concatenate-C5] result types 'tensor<5x2xf32>' differ from the inferred 'tensor<6x2xf32>'}}
  %0 = xla.concatenate %x, %x, dim = 0 : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<5x2xf32>
  return
}

// -----

func.func @pad_value_element(%x: tensor<3xf32>, %v: tensor<i32>) {
  // expected-error@+1 {{'xla.pad' op [Pad-C1] padding_value must be a scalar of type 'f32', got 'tensor<i32>'}}
  %0 = xla.pad %x, %v, low = [0], high = [0], interior = [0] : (tensor<3xf32>, tensor<i32>) -> tensor<3xf32>
  return
}

// -----

func.func @pad_value_rank(%x: tensor<3xf32>, %v: tensor<1xf32>) {
  // expected-error@+1 {{'xla.pad' op [Pad-C1] padding_value must be a scalar of type 'f32', got 'tensor<1xf32>'}}
  %0 = xla.pad %x, %v, low = [0], high = [0], interior = [0] : (tensor<3xf32>, tensor<1xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @pad_count(%x: tensor<3xf32>, %v: tensor<f32>) {
  // expected-error@+1 {{'xla.pad' op [Pad-C2] edge_padding_high has 2 entries for an operand of rank 1}}
  %0 = xla.pad %x, %v, low = [0], high = [0, 0], interior = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @pad_interior(%x: tensor<3xf32>, %v: tensor<f32>) {
  // expected-error@+1 {{'xla.pad' op [Pad-C3] interior_padding of dimension 0 is negative: -1}}
  %0 = xla.pad %x, %v, low = [0], high = [0], interior = [-1] : (tensor<3xf32>, tensor<f32>) -> tensor<1xf32>
  return
}

// -----

func.func @pad_negative(%x: tensor<3xf32>, %v: tensor<f32>) {
  // expected-error@+1 {{'xla.pad' op [Pad-C4] dimension 0 of size 3 cannot be padded by low -2, high -2, interior 0: the result would be negative}}
  %0 = xla.pad %x, %v, low = [-2], high = [-2], interior = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<1xf32>
  return
}

// -----

func.func @pad_huge(%x: tensor<3xf32>, %v: tensor<f32>) {
  // expected-error@+1 {{'xla.pad' op [Pad-C4] dimension 0 of size 3 cannot be padded by low 9223372036854775807, high 9223372036854775807, interior 0: the result is too large}}
  %0 = xla.pad %x, %v, low = [9223372036854775807], high = [9223372036854775807], interior = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<1xf32>
  return
}

// -----

func.func @pad_result(%x: tensor<3xf32>, %v: tensor<f32>) {
  // expected-error@+1 {{'xla.pad' op [Pad-C4] result types 'tensor<5xf32>' differ from the inferred 'tensor<4xf32>'}}
  %0 = xla.pad %x, %v, low = [1], high = [0], interior = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<5xf32>
  return
}

// -----

func.func @slice_count(%x: tensor<3x8xi64>) {
  // expected-error@+1 {{'xla.slice' op [Slice-C1] start_indices has 1 entry for an operand of rank 2}}
  %0 = "xla.slice"(%x) <{start_indices = array<i64: 0>, limit_indices = array<i64: 3, 8>, strides = array<i64: 1, 1>}> : (tensor<3x8xi64>) -> tensor<3x8xi64>
  return
}

// -----

func.func @slice_stride_count(%x: tensor<3x8xi64>) {
  // expected-error@+1 {{'xla.slice' op [Slice-C1] strides has 3 entries for an operand of rank 2}}
  %0 = "xla.slice"(%x) <{start_indices = array<i64: 0, 0>, limit_indices = array<i64: 3, 8>, strides = array<i64: 1, 1, 1>}> : (tensor<3x8xi64>) -> tensor<3x8xi64>
  return
}

// -----

func.func @slice_negative(%x: tensor<3x8xi64>) {
  // expected-error@+1 {{'xla.slice' op [Slice-C2] start index -1 of dimension 0 is negative}}
  %0 = xla.slice %x [-1:3, 0:8] : (tensor<3x8xi64>) -> tensor<4x8xi64>
  return
}

// -----

func.func @slice_order(%x: tensor<3x8xi64>) {
  // expected-error@+1 {{'xla.slice' op [Slice-C3] start index 3 of dimension 1 exceeds the limit 2}}
  %0 = xla.slice %x [0:3, 3:2] : (tensor<3x8xi64>) -> tensor<3x0xi64>
  return
}

// -----

func.func @slice_limit(%x: tensor<3x8xi64>) {
  // expected-error@+1 {{'xla.slice' op [Slice-C3] limit 9 of dimension 1 exceeds its size 8}}
  %0 = xla.slice %x [0:3, 0:9] : (tensor<3x8xi64>) -> tensor<3x9xi64>
  return
}

// -----

func.func @slice_stride(%x: tensor<3x8xi64>) {
  // expected-error@+1 {{'xla.slice' op [Slice-C4] stride 0 of dimension 0 is not positive}}
  %0 = xla.slice %x [0:3:0, 0:8] : (tensor<3x8xi64>) -> tensor<3x8xi64>
  return
}

// -----

func.func @slice_result(%x: tensor<3x8xi64>) {
  // expected-error@+1 {{'xla.slice' op [Slice-C1] result types 'tensor<3x8xi64>' differ from the inferred 'tensor<2x8xi64>'}}
  %0 = xla.slice %x [0:3:2, 0:8] : (tensor<3x8xi64>) -> tensor<3x8xi64>
  return
}

// -----

func.func @dynamic_slice_count(%x: tensor<3x8xi64>, %i: tensor<i32>) {
  // expected-error@+1 {{'xla.dynamic_slice' op [DynamicSlice-C1] got 1 start indices for an operand of rank 2}}
  %0 = xla.dynamic_slice %x, %i, sizes = [1, 1] : (tensor<3x8xi64>, tensor<i32>) -> tensor<1x1xi64>
  return
}

// -----

func.func @dynamic_slice_float(%x: tensor<3x8xi64>, %i: tensor<f32>) {
  // expected-error@+1 {{'xla.dynamic_slice' op [DynamicSlice-C2] start index 0 must be an integer scalar, got 'tensor<f32>'}}
  %0 = xla.dynamic_slice %x, %i, %i, sizes = [1, 1] : (tensor<3x8xi64>, tensor<f32>, tensor<f32>) -> tensor<1x1xi64>
  return
}

// -----

func.func @dynamic_slice_rank(%x: tensor<3x8xi64>, %i: tensor<1xi32>) {
  // expected-error@+1 {{'xla.dynamic_slice' op [DynamicSlice-C2] start index 0 must be an integer scalar, got 'tensor<1xi32>'}}
  %0 = xla.dynamic_slice %x, %i, %i, sizes = [1, 1] : (tensor<3x8xi64>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x1xi64>
  return
}

// -----

func.func @dynamic_slice_mixed(%x: tensor<3x8xi64>, %i: tensor<i32>, %j: tensor<i64>) {
  // expected-error@+1 {{'xla.dynamic_slice' op [DynamicSlice-C2] start indices must have one type, got 'i32' and 'i64'}}
  %0 = xla.dynamic_slice %x, %i, %j, sizes = [1, 1] : (tensor<3x8xi64>, tensor<i32>, tensor<i64>) -> tensor<1x1xi64>
  return
}

// -----

func.func @dynamic_slice_sizes(%x: tensor<3x8xi64>, %i: tensor<i32>) {
  // expected-error@+1 {{'xla.dynamic_slice' op [DynamicSlice-C3] slice_sizes has 1 entry for an operand of rank 2}}
  %0 = xla.dynamic_slice %x, %i, %i, sizes = [1] : (tensor<3x8xi64>, tensor<i32>, tensor<i32>) -> tensor<1xi64>
  return
}

// -----

func.func @dynamic_slice_large(%x: tensor<3x8xi64>, %i: tensor<i32>) {
  // expected-error@+1 {{'xla.dynamic_slice' op [DynamicSlice-C4] slice size 4 of dimension 0 is not between 0 and its size 3}}
  %0 = xla.dynamic_slice %x, %i, %i, sizes = [4, 1] : (tensor<3x8xi64>, tensor<i32>, tensor<i32>) -> tensor<4x1xi64>
  return
}

// -----

func.func @dynamic_slice_negative(%x: tensor<3x8xi64>, %i: tensor<i32>) {
  // expected-error@+1 {{'xla.dynamic_slice' op [DynamicSlice-C4] slice size -1 of dimension 1 is not between 0 and its size 8}}
  %0 = xla.dynamic_slice %x, %i, %i, sizes = [1, -1] : (tensor<3x8xi64>, tensor<i32>, tensor<i32>) -> tensor<1x1xi64>
  return
}

// -----

func.func @update_count(%x: tensor<3x8xi64>, %i: tensor<i32>) {
  // expected-error@+1 {{'xla.dynamic_update_slice' op [DynamicUpdateSlice-C1] got 1 start indices for an operand of rank 2}}
  %0 = xla.dynamic_update_slice %x, %x, %i : (tensor<3x8xi64>, tensor<3x8xi64>, tensor<i32>) -> tensor<3x8xi64>
  return
}

// -----

func.func @update_index(%x: tensor<3x8xi64>, %i: tensor<i1>) {
  // expected-error@+1 {{'xla.dynamic_update_slice' op [DynamicUpdateSlice-C1] start index 0 must be an integer scalar, got 'tensor<i1>'}}
  %0 = xla.dynamic_update_slice %x, %x, %i, %i : (tensor<3x8xi64>, tensor<3x8xi64>, tensor<i1>, tensor<i1>) -> tensor<3x8xi64>
  return
}

// -----

func.func @update_element(%x: tensor<3x8xi64>, %u: tensor<1x1xi32>, %i: tensor<i32>) {
  // expected-error@+1 {{'xla.dynamic_update_slice' op [DynamicUpdateSlice-C2] update 'tensor<1x1xi32>' differs in rank or element type from the operand 'tensor<3x8xi64>'}}
  %0 = xla.dynamic_update_slice %x, %u, %i, %i : (tensor<3x8xi64>, tensor<1x1xi32>, tensor<i32>, tensor<i32>) -> tensor<3x8xi64>
  return
}

// -----

func.func @update_rank(%x: tensor<3x8xi64>, %u: tensor<1xi64>, %i: tensor<i32>) {
  // expected-error@+1 {{'xla.dynamic_update_slice' op [DynamicUpdateSlice-C2] update 'tensor<1xi64>' differs in rank or element type}}
  %0 = xla.dynamic_update_slice %x, %u, %i, %i : (tensor<3x8xi64>, tensor<1xi64>, tensor<i32>, tensor<i32>) -> tensor<3x8xi64>
  return
}

// -----

func.func @update_large(%x: tensor<3x8xi64>, %u: tensor<3x9xi64>, %i: tensor<i32>) {
  // expected-error@+1 {{'xla.dynamic_update_slice' op [DynamicUpdateSlice-C3] dimension 1 of the update has size 9, more than the operand's 8}}
  %0 = xla.dynamic_update_slice %x, %u, %i, %i : (tensor<3x8xi64>, tensor<3x9xi64>, tensor<i32>, tensor<i32>) -> tensor<3x8xi64>
  return
}
