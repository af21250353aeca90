// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @reshape_elements(%x: tensor<4x2x3xf32>) {
  // expected-error@+1 {{'xla.reshape' op [Reshape-C2] from [4, 2, 3] to [5, 5] the number of elements changes from 24 to 25}}
  %0 = xla.reshape %x : (tensor<4x2x3xf32>) -> tensor<5x5xf32>
  return
}

// -----

func.func @reshape_product_beyond_64_bits(%x: tensor<4xf32>) {
  // expected-error@+1 {{'xla.reshape' op [Reshape-C2] from [4] to [4611686018427387905, 4] the number of elements changes from 4 to more than 2^63}}
  %0 = xla.reshape %x : (tensor<4xf32>) -> tensor<4611686018427387905x4xf32>
  return
}

// -----

func.func @concatenate_beyond_64_bits(%x: tensor<9223372036854775807xi8>, %y: tensor<2xi8>) {
  // expected-error@+1 {{'xla.concatenate' op [Concatenate-C5] the sizes of dimension 0 add up to more than 2^63}}
  %0 = "xla.concatenate"(%x, %y) <{dimension = 0 : i64}> : (tensor<9223372036854775807xi8>, tensor<2xi8>) -> tensor<?xi8>
  return
}

// -----

func.func @reshape_type(%x: tensor<4xf32>) {
  // expected-error@+1 {{'xla.reshape' op [Reshape-C2] element type changes from 'f32' to 'i32'}}
  %0 = xla.reshape %x : (tensor<4xf32>) -> tensor<2x2xi32>
  return
}

// -----

func.func @transpose_twice(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{'xla.transpose' op [Transpose-C1] [0, 0] is not a permutation of the 2 dimensions of the operand}}
  %0 = xla.transpose %x, dims = [0, 0] : (tensor<2x3xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @transpose_short(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{'xla.transpose' op [Transpose-C1] [0] is not a permutation of the 2 dimensions of the operand}}
  %0 = xla.transpose %x, dims = [0] : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @transpose_range(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{'xla.transpose' op [Transpose-C1] [1, 2] is not a permutation of the 2 dimensions of the operand}}
  %0 = xla.transpose %x, dims = [1, 2] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @transpose_result(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{'xla.transpose' op [Transpose-C2] result types 'tensor<2x3xf32>' differ from the inferred 'tensor<3x2xf32>'}}
  %0 = xla.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @reverse_twice(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{'xla.reverse' op [Rev-C1] dimension 0 is listed twice}}
  %0 = xla.reverse %x, dims = [0, 0] : tensor<2x3xf32>
  return
}

// -----

func.func @reverse_range(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{'xla.reverse' op [Rev-C1] dimension 2 is not a dimension of 'tensor<2x3xf32>'}}
  %0 = xla.reverse %x, dims = [2] : tensor<2x3xf32>
  return
}

// -----

func.func @reverse_result(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{'xla.reverse' op [Rev-C2] result types 'tensor<3x2xf32>' differ from the inferred 'tensor<2x3xf32>'}}
  %0 = xla.reverse %x, dims = [0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @size_of_tuple(%x: tuple<tensor<f32>>) {
  // expected-error@+1 {{'xla.get_dimension_size' op [GetDimensionSize-C1] operand #0 must be a ranked tensor of XLA elements, but got 'tuple<tensor<f32>>'}}
  %0 = xla.get_dimension_size %x, dim = 0 : (tuple<tensor<f32>>) -> tensor<i32>
  return
}

// -----

func.func @size_dimension(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{'xla.get_dimension_size' op [GetDimensionSize-C2] dimension 2 is not a dimension of 'tensor<2x3xf32>'}}
  %0 = xla.get_dimension_size %x, dim = 2 : (tensor<2x3xf32>) -> tensor<i32>
  return
}

// -----

func.func @size_result(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{'xla.get_dimension_size' op [GetDimensionSize-C3] result types 'tensor<i64>' differ from the inferred 'tensor<i32>'}}
  %0 = xla.get_dimension_size %x, dim = 0 : (tensor<2x3xf32>) -> tensor<i64>
  return
}
