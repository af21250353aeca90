// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @value_type() {
  // expected-error@+1 {{'xla.constant' op [Constant-C1] result types 'tensor<2xi32>' differ from the inferred 'tensor<1xi32>'}}
  %0 = "xla.constant"() <{value = dense<1> : tensor<1xi32>}> : () -> tensor<2xi32>
  return
}

// -----

func.func @element_type() {
  // expected-error@+1 {{'xla.constant' op [Constant-C1] value must be a ranked tensor of XLA elements, got 'tensor<1xindex>'}}
  %0 = "xla.constant"() <{value = dense<1> : tensor<1xindex>}> : () -> tensor<1xi32>
  return
}

// -----

func.func @vector() {
  // expected-error@+1 {{expected elements of a ranked tensor, got 'vector<2xi32>'}}
  %0 = xla.constant dense<1> : vector<2xi32>
  return
}

// -----

func.func @iota_scalar() {
  // expected-error@+1 {{'xla.iota' op [Iota-C1] iota_dimension 0 is not a dimension of 'tensor<i32>'}}
  %0 = xla.iota dim = 0 : tensor<i32>
  return
}

// -----

func.func @iota_dimension() {
  // expected-error@+1 {{'xla.iota' op [Iota-C1] iota_dimension 2 is not a dimension of 'tensor<4x8xi32>'}}
  %0 = xla.iota dim = 2 : tensor<4x8xi32>
  return
}

// -----

func.func @iota_pred() {
  // expected-error@+1 {{'xla.iota' op [Iota-C2] does not produce elements of type 'i1', expected INT, FLOAT or COMPLEX}}
  %0 = xla.iota dim = 0 : tensor<2xi1>
  return
}
