// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @dims(%x: tensor<4xf32>) {
  // expected-error@+1 {{[Unary-C1] result dimensions [5] differ from the operand's [4]}}
  %0 = xla.floor %x : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @rank(%x: tensor<4xf32>) {
  // expected-error@+1 {{[Unary-C1] result dimensions [4, 1] differ from the operand's [4]}}
  %0 = xla.tanh %x : (tensor<4xf32>) -> tensor<4x1xf32>
  return
}

// -----

func.func @clz_float(%x: tensor<4xf32>) {
  // expected-error@+1 {{'xla.count_leading_zeros' op [Unary-C2] does not take elements of type 'f32', expected INT}}
  %0 = xla.count_leading_zeros %x : tensor<4xf32>
  return
}

// -----

func.func @floor_int(%x: tensor<4xi32>) {
  // expected-error@+1 {{'xla.floor' op [Unary-C2] does not take elements of type 'i32', expected FLOAT}}
  %0 = xla.floor %x : tensor<4xi32>
  return
}

// -----

func.func @not_float(%x: tensor<4xf32>) {
  // expected-error@+1 {{'xla.not' op [Unary-C2] does not take elements of type 'f32', expected PRED or INT}}
  %0 = xla.not %x : tensor<4xf32>
  return
}

// -----

func.func @abs_unsigned(%x: tensor<4xui32>) {
  // expected-error@+1 {{'xla.abs' op [Unary-C2] does not take elements of type 'ui32', expected SINT, FLOAT or COMPLEX}}
  %0 = xla.abs %x : tensor<4xui32>
  return
}

// -----

func.func @erf_complex(%x: tensor<4xcomplex<f32>>) {
  // expected-error@+1 {{'xla.erf' op [Unary-C2] does not take elements of type 'complex<f32>', expected FLOAT}}
  %0 = xla.erf %x : tensor<4xcomplex<f32>>
  return
}

// -----

func.func @negate_pred(%x: tensor<4xi1>) {
  // expected-error@+1 {{'xla.negate' op [Unary-C2] does not take elements of type 'i1', expected INT, FLOAT or COMPLEX}}
  %0 = xla.negate %x : tensor<4xi1>
  return
}

// -----

func.func @is_finite_result(%x: tensor<4xf32>) {
  // expected-error@+1 {{'xla.is_finite' op [Unary-C3] result types 'tensor<4xf32>' differ from the inferred 'tensor<4xi1>'}}
  %0 = xla.is_finite %x : tensor<4xf32>
  return
}

// -----

func.func @abs_complex_result(%x: tensor<4xcomplex<f32>>) {
  // expected-error@+1 {{'xla.abs' op [Unary-C3] result types 'tensor<4xcomplex<f32>>' differ from the inferred 'tensor<4xf32>'}}
  %0 = xla.abs %x : tensor<4xcomplex<f32>>
  return
}

// -----

func.func @result_type(%x: tensor<4xf32>) {
  // expected-error@+1 {{'xla.sine' op [Unary-C3] result types 'tensor<4xf64>' differ from the inferred 'tensor<4xf32>'}}
  %0 = xla.sine %x : (tensor<4xf32>) -> tensor<4xf64>
  return
}

// -----

func.func @not_an_array(%x: tuple<tensor<f32>>) {
  // expected-error@+1 {{'xla.abs' op [G-C5] operand #0 must be a ranked tensor of XLA elements, but got 'tuple<tensor<f32>>'}}
  %0 = xla.abs %x : (tuple<tensor<f32>>) -> tensor<f32>
  return
}

// -----

func.func @not_an_element(%x: tensor<4xindex>) {
  // expected-error@+1 {{'xla.negate' op [G-C5] operand #0 must be a ranked tensor of XLA elements, but got 'tensor<4xindex>'}}
  %0 = xla.negate %x : tensor<4xindex>
  return
}
