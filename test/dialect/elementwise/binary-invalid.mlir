// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @element_types(%x: tensor<4xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'xla.add' op [Binary-C1] element types of the operands differ: 'i32' and 'f32'}}
  %0 = xla.add %x, %y : (tensor<4xi32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @ranks(%x: tensor<2x3xf32>, %y: tensor<3xf32>) {
  // expected-error@+1 {{'xla.add' op [Binary-C3] dimensions of the operands differ: [2, 3] and [3]; broadcast one of them explicitly}}
  %0 = xla.add %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @dims(%x: tensor<2x3xf32>, %y: tensor<2x1xf32>) {
  // expected-error@+1 {{'xla.maximum' op [Binary-C3] dimensions of the operands differ: [2, 3] and [2, 1]}}
  %0 = xla.maximum %x, %y : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @shift_float(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'xla.shift_left' op [Binary-C5] does not take elements of type 'f32', expected INT}}
  %0 = xla.shift_left %x, %y : tensor<4xf32>
  return
}

// -----

func.func @and_float(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'xla.and' op [Binary-C5] does not take elements of type 'f32', expected PRED or INT}}
  %0 = xla.and %x, %y : tensor<4xf32>
  return
}

// -----

func.func @remainder_complex(%x: tensor<4xcomplex<f32>>, %y: tensor<4xcomplex<f32>>) {
  // expected-error@+1 {{'xla.remainder' op [Binary-C5] does not take elements of type 'complex<f32>', expected INT or FLOAT}}
  %0 = xla.remainder %x, %y : tensor<4xcomplex<f32>>
  return
}

// -----

func.func @next_after_complex(%x: tensor<4xcomplex<f32>>) {
  // expected-error@+1 {{'xla.next_after' op [Binary-C5] does not take elements of type 'complex<f32>', expected FLOAT}}
  %0 = xla.next_after %x, %x : tensor<4xcomplex<f32>>
  return
}

// -----

func.func @atan2_int(%x: tensor<4xi32>, %y: tensor<4xi32>) {
  // expected-error@+1 {{'xla.atan2' op [Binary-C5] does not take elements of type 'i32', expected FLOAT or COMPLEX}}
  %0 = xla.atan2 %x, %y : tensor<4xi32>
  return
}

// -----

func.func @subtract_pred(%x: tensor<4xi1>, %y: tensor<4xi1>) {
  // expected-error@+1 {{'xla.subtract' op [Binary-C5] does not take elements of type 'i1', expected INT, FLOAT or COMPLEX}}
  %0 = xla.subtract %x, %y : tensor<4xi1>
  return
}

// -----

func.func @result_dims(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'xla.multiply' op [Binary-C6] result types 'tensor<5xf32>' differ from the inferred 'tensor<4xf32>'}}
  %0 = xla.multiply %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @result_element(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'xla.divide' op [Binary-C6] result types 'tensor<4xf64>' differ from the inferred 'tensor<4xf32>'}}
  %0 = xla.divide %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf64>
  return
}

// -----

func.func @complex_of_int(%x: tensor<4xi32>, %y: tensor<4xi32>) {
  // expected-error@+1 {{'xla.complex' op [Binary-C5] does not take elements of type 'i32', expected f32 or f64}}
  %0 = "xla.complex"(%x, %y) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @complex_mixed(%x: tensor<4xf32>, %y: tensor<4xf64>) {
  // expected-error@+1 {{'xla.complex' op [Binary-C1] element types of the operands differ: 'f32' and 'f64'}}
  %0 = xla.complex %x, %y : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @complex_result(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'xla.complex' op [Binary-C6] result types 'tensor<4xcomplex<f64>>' differ from the inferred 'tensor<4xcomplex<f32>>'}}
  %0 = xla.complex %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f64>>
  return
}

// -----

func.func @complex_syntax(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{expected a tensor of complex elements, got 'tensor<4xf32>'}}
  %0 = xla.complex %x, %y : tensor<4xf32>
  return
}

// -----

func.func @type_count(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{expected a function type with 2 inputs and one result, got '(tensor<4xf32>) -> tensor<4xf32>'}}
  %0 = xla.add %x, %y : (tensor<4xf32>) -> tensor<4xf32>
  return
}
