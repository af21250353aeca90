// RUN: xla-opt --verify-diagnostics --split-input-file %s

func.func @rank(%a: tensor<1xf32>, %b: tensor<f32>, %n: tensor<1xi64>) {
  // expected-error @+1 {{'xla.rng' op [RngUniform-C1] a is 'tensor<1xf32>' instead of a scalar}}
  %0 = xla.rng %a, %b, %n, distribution = UNIFORM : (tensor<1xf32>, tensor<f32>, tensor<1xi64>) -> tensor<3xf32>
  return
}

// -----

func.func @normal_rank(%a: tensor<f32>, %b: tensor<1xf32>, %n: tensor<1xi64>) {
  // expected-error @+1 {{[RngNormal-C1] b is 'tensor<1xf32>' instead of a scalar}}
  %0 = xla.rng %a, %b, %n, distribution = NORMAL : (tensor<f32>, tensor<1xf32>, tensor<1xi64>) -> tensor<3xf32>
  return
}

// -----

func.func @element(%a: tensor<complex<f32>>, %n: tensor<1xi64>) {
  // expected-error @+1 {{[RngUniform-C2] does not take elements of type 'complex<f32>'}}
  %0 = xla.rng %a, %a, %n, distribution = UNIFORM : (tensor<complex<f32>>, tensor<complex<f32>>, tensor<1xi64>) -> tensor<3xcomplex<f32>>
  return
}

// -----

func.func @normal_element(%a: tensor<i32>, %n: tensor<1xi64>) {
  // expected-error @+1 {{[RngNormal-C2] does not take elements of type 'i32'}}
  %0 = xla.rng %a, %a, %n, distribution = NORMAL : (tensor<i32>, tensor<i32>, tensor<1xi64>) -> tensor<3xi32>
  return
}

// -----

func.func @elements(%a: tensor<f32>, %b: tensor<f64>, %n: tensor<1xi64>) {
  // expected-error @+1 {{[RngUniform-C3] the element types}}
  %0 = xla.rng %a, %b, %n, distribution = UNIFORM : (tensor<f32>, tensor<f64>, tensor<1xi64>) -> tensor<3xf32>
  return
}

// -----

func.func @normal_elements(%a: tensor<f32>, %n: tensor<1xi64>) {
  // expected-error @+1 {{[RngNormal-C3] the element types}}
  %0 = xla.rng %a, %a, %n, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<3xf16>
  return
}

// -----

func.func @shape(%a: tensor<f32>, %n: tensor<2xi64>) {
  // expected-error @+1 {{[RngUniform-C5] shape is 'tensor<2xi64>' instead of one integer for each dimension}}
  %0 = xla.rng %a, %a, %n, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<3xf32>
  return
}

// -----

func.func @sizes(%a: tensor<f32>) {
  %n = xla.constant dense<4> : tensor<1xi64>
  // expected-error @+1 {{[RngNormal-C5] shape asks for 4 elements in dimension 0 of the result 'tensor<3xf32>'}}
  %0 = xla.rng %a, %a, %n, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<3xf32>
  return
}

// -----

func.func @state(%state: tensor<3xui64>) {
  // expected-error @+1 {{'xla.rng_bit_generator' op [RngBitGenerator-C1] the state of THREE_FRY is 'tensor<3xui64>' instead of tensor<2xui64>}}
  %0, %1 = xla.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<3xui64>) -> (tensor<3xui64>, tensor<4xui32>)
  return
}

// -----

func.func @philox_state(%state: tensor<4xui64>) {
  // expected-error @+1 {{[RngBitGenerator-C1] the state of PHILOX is 'tensor<4xui64>' instead of tensor<3xui64>}}
  %0, %1 = xla.rng_bit_generator %state, algorithm = PHILOX : (tensor<4xui64>) -> (tensor<4xui64>, tensor<4xui32>)
  return
}

// -----

func.func @new_state(%state: tensor<3xui64>) {
  // expected-error @+1 {{[RngBitGenerator-C2] the new state is 'tensor<2xui64>' instead of 'tensor<3xui64>'}}
  %0, %1 = xla.rng_bit_generator %state, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  return
}

// -----

func.func @output(%state: tensor<3xui64>) {
  // expected-error @+1 {{[RngBitGenerator-C3] does not give elements of type 'i1'}}
  %0, %1 = xla.rng_bit_generator %state, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<4xi1>)
  return
}
