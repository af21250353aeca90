// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @compare_element_types(%x: tensor<4xi32>, %y: tensor<4xui32>) {
  // expected-error@+1 {{'xla.compare' op [Compare-C1] element types of the operands differ: 'i32' and 'ui32'}}
  %0 = xla.compare LT, %x, %y : (tensor<4xi32>, tensor<4xui32>) -> tensor<4xi1>
  return
}

// -----

func.func @compare_dims(%x: tensor<2x3xf32>, %y: tensor<3xf32>) {
  // expected-error@+1 {{'xla.compare' op [Compare-C3] dimensions of the operands differ: [2, 3] and [3]}}
  %0 = xla.compare LT, %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  return
}

// -----

func.func @compare_result(%x: tensor<4xf32>) {
  // expected-error@+1 {{'xla.compare' op [Compare-C5] result types 'tensor<4xi8>' differ from the inferred 'tensor<4xi1>'}}
  %0 = xla.compare LT, %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi8>
  return
}

// -----

func.func @compare_complex(%x: tensor<4xcomplex<f32>>) {
  // expected-error@+1 {{'xla.compare' op [Compare-C6] LT is not defined for 'complex<f32>', only EQ and NE are}}
  %0 = xla.compare LT, %x, %x : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xi1>
  return
}

// -----

func.func @compare_type_float(%x: tensor<4xi32>) {
  // expected-error@+1 {{'xla.compare' op [Compare-C6] compare_type FLOAT does not fit elements of type 'i32'}}
  %0 = xla.compare LT, %x, %x, FLOAT : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return
}

// -----

func.func @compare_type_total(%x: tensor<4xi32>) {
  // expected-error@+1 {{'xla.compare' op [Compare-C6] compare_type TOTALORDER does not fit elements of type 'i32'}}
  %0 = xla.compare LT, %x, %x, TOTALORDER : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return
}

// -----

func.func @compare_type_signed(%x: tensor<4xui32>) {
  // expected-error@+1 {{'xla.compare' op [Compare-C6] compare_type SIGNED does not fit elements of type 'ui32'}}
  %0 = xla.compare LT, %x, %x, SIGNED : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xi1>
  return
}

// -----

func.func @compare_type_unsigned(%x: tensor<4xi32>) {
  // expected-error@+1 {{'xla.compare' op [Compare-C6] compare_type UNSIGNED does not fit elements of type 'i32'}}
  %0 = xla.compare LT, %x, %x, UNSIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return
}

// -----

func.func @select_pred(%p: tensor<4xi32>, %x: tensor<4xf32>) {
  // expected-error@+1 {{'xla.select' op [Select-C1] pred must have elements of type i1, got 'i32'}}
  %0 = xla.select %p, %x, %x : tensor<4xi32>, tensor<4xf32>
  return
}

// -----

func.func @select_choices(%p: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xi32>) {
  // expected-error@+1 {{'xla.select' op [Select-C2] on_true 'tensor<4xf32>' and on_false 'tensor<4xi32>' differ}}
  %0 = xla.select %p, %x, %y : (tensor<4xi1>, tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_result(%p: tensor<4xi1>, %x: tensor<4xf32>) {
  // expected-error@+1 {{'xla.select' op [Select-C2] result types 'tensor<5xf32>' differ from the inferred 'tensor<4xf32>'}}
  %0 = xla.select %p, %x, %x : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @select_pred_dims(%p: tensor<2xi1>, %x: tensor<4xf32>) {
  // expected-error@+1 {{'xla.select' op [Select-C3] pred must be a scalar or have the dimensions [4] of on_true, got [2]}}
  %0 = xla.select %p, %x, %x : tensor<2xi1>, tensor<4xf32>
  return
}

// -----

func.func @select_tuple(%p: tensor<i1>, %x: tuple<tensor<f32>>) {
  // expected-error@+1 {{'xla.select' op [Select-C4] operand #1 must be a ranked tensor of XLA elements, but got 'tuple<tensor<f32>>'}}
  %0 = xla.select %p, %x, %x : tensor<i1>, tuple<tensor<f32>>
  return
}

// -----

func.func @select_scalar_choices(%p: tensor<4xi1>, %x: tensor<f32>) {
  // expected-error@+1 {{'xla.select' op [Select-C5] pred must be a scalar or have the dimensions [] of on_true, got [4]}}
  %0 = xla.select %p, %x, %x : tensor<4xi1>, tensor<f32>
  return
}

// -----

func.func @select_scalar_choice(%p: tensor<4xi1>, %x: tensor<f32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'xla.select' op [Select-C5] on_true 'tensor<f32>' and on_false 'tensor<4xf32>' differ}}
  %0 = xla.select %p, %x, %y : (tensor<4xi1>, tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_syntax(%p: tensor<4xi1>, %x: tensor<f32>) {
  // expected-error@+1 {{expected the types of predicate and result, or a function type}}
  %0 = xla.select %p, %x, %x : tensor<4xi1>
  return
}

// -----

func.func @clamp_element_types(%a: tensor<f32>, %x: tensor<3xi32>, %b: tensor<i32>) {
  // expected-error@+1 {{'xla.clamp' op [Clamp-C1] element types differ: min 'f32', operand 'i32', max 'i32'}}
  %0 = xla.clamp %a, %x, %b : (tensor<f32>, tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
  return
}

// -----

func.func @clamp_complex(%x: tensor<3xcomplex<f32>>) {
  // expected-error@+1 {{'xla.clamp' op [Clamp-C1] does not take elements of type 'complex<f32>'}}
  %0 = xla.clamp %x, %x, %x : tensor<3xcomplex<f32>>
  return
}

// -----

func.func @clamp_min(%a: tensor<2xi32>, %x: tensor<3xi32>) {
  // expected-error@+1 {{'xla.clamp' op [Clamp-C2] min must be a scalar or have the dimensions [3] of the operand, got [2]}}
  %0 = xla.clamp %a, %x, %x : (tensor<2xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  return
}

// -----

func.func @clamp_max(%a: tensor<2xi32>, %x: tensor<3xi32>) {
  // expected-error@+1 {{'xla.clamp' op [Clamp-C3] max must be a scalar or have the dimensions [3] of the operand, got [2]}}
  %0 = xla.clamp %x, %x, %a : (tensor<3xi32>, tensor<3xi32>, tensor<2xi32>) -> tensor<3xi32>
  return
}

// -----

func.func @clamp_scalar_operand(%a: tensor<3xi32>, %x: tensor<i32>) {
  // expected-error@+1 {{'xla.clamp' op [Clamp-C4] min must be a scalar or have the dimensions [] of the operand, got [3]}}
  %0 = xla.clamp %a, %x, %x : (tensor<3xi32>, tensor<i32>, tensor<i32>) -> tensor<3xi32>
  return
}

// -----

func.func @clamp_result(%x: tensor<3xi32>) {
  // expected-error@+1 {{'xla.clamp' op [Clamp-C4] result types 'tensor<4xi32>' differ from the inferred 'tensor<3xi32>'}}
  %0 = xla.clamp %x, %x, %x : (tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<4xi32>
  return
}
