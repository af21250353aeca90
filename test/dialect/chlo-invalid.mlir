// RUN: xla-opt --verify-diagnostics --split-input-file %s

func.func @dims(%a: tensor<3x4xf32>, %b: tensor<3xf32>) {
  // expected-error @+1 {{'chlo.broadcast_add' op cannot broadcast 'tensor<3xf32>' to dims of 'tensor<3x4xf32>'}}
  %0 = chlo.broadcast_add %a, %b : (tensor<3x4xf32>, tensor<3xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @dynamic(%a: tensor<?xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'chlo.broadcast_add' op broadcasts 'tensor<?xf32>', whose dims are not known}}
  %0 = chlo.broadcast_add %a, %b : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  return
}

// -----

func.func @result(%a: tensor<3xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'chlo.broadcast_add' op has the result 'tensor<2x3xf32>', but operands of rank 1}}
  %0 = chlo.broadcast_add %a, %b : (tensor<3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @sizes(%a: tensor<3x1xf32>) {
  // expected-error @+1 {{'chlo.broadcast_add' op has the result 'tensor<3x4xf32>', whose dimension 1 is that of no operand}}
  %0 = chlo.broadcast_add %a, %a : (tensor<3x1xf32>, tensor<3x1xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @dimensions(%a: tensor<3x4xf32>, %b: tensor<3xf32>) {
  // expected-error @+1 {{has broadcast_dimensions [2], which are not 1 ascending dimensions of 'tensor<3x4xf32>'}}
  %0 = chlo.broadcast_add %a, %b {broadcast_dimensions = array<i64: 2>} : (tensor<3x4xf32>, tensor<3xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @elements(%a: tensor<3xf32>, %b: tensor<3xi32>) {
  // expected-error @+1 {{'xla.add' op [Binary-C1]}}
  %0 = chlo.broadcast_add %a, %b : (tensor<3xf32>, tensor<3xi32>) -> tensor<3xf32>
  return
}

// -----

func.func @operands(%a: tensor<3xf32>) {
  // expected-error @+1 {{'chlo.broadcast_select' op takes 3 operands, not 2}}
  %0 = "chlo.broadcast_select"(%a, %a) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @value(%a: tensor<3xf32>) {
  // expected-error @+1 {{'chlo.constant_like' op has no value of the type 'f32'}}
  %0 = "chlo.constant_like"(%a) <{value = 1 : i32}> : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @infinity(%a: tensor<3xi32>) {
  // expected-error @+1 {{'chlo.is_inf' op takes floats and gives predicates, not 'tensor<3xi32>' -> 'tensor<3xi1>'}}
  %0 = chlo.is_inf %a : tensor<3xi32> -> tensor<3xi1>
  return
}

// -----

func.func @kernel(%a: tensor<3xf32>) {
  // expected-error @+1 {{'chlo._asin_acos_kernel' op takes and gives complex numbers, not 'tensor<3xf32>' -> 'tensor<3xf32>'}}
  %0 = chlo._asin_acos_kernel %a : tensor<3xf32> -> tensor<3xf32>
  return
}

// -----

func.func @no_such(%a: tensor<3xf32>) {
  // expected-error @+1 {{'chlo.broadcast_sine' has no counterpart}}
  %0 = chlo.broadcast_sine %a, %a : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @carried(%x: tensor<4xf32>, %c: tensor<f32>) {
  // expected-error @+1 {{has 0 results, fewer than the 1 carried value}}
  chlo.scan(%x) inits (%c) dimension=0 {
  ^bb0(%e: tensor<f32>, %s: tensor<f32>):
    stablehlo.return %s : tensor<f32>
  } : (tensor<4xf32>, tensor<f32>) -> ()
  return
}

// -----

func.func @no_operands() {
  // expected-error @+1 {{number of operands and types do not match: got 0 operands and 1 types}}
  %0 = chlo.mulhi : tensor<4xi32>
  return
}
