// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @f() {
  // expected-error @below {{has no inputs}}
  "xla_rt.scan"() <{dimension = 0, operandSegmentSizes = array<i32: 0, 0, 0>}> ({
    "xla_rt.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @f(%x: tensor<4x20xf32>, %i: tensor<4xf32>, %e: tensor<4x20xf32>) {
  // expected-error @below {{has the dimension 2, but inputs of rank 2}}
  %0 = xla_rt.scan ins(%x : tensor<4x20xf32>) initial(%i : tensor<4xf32>) outs(%e : tensor<4x20xf32>) dimension = 2 {
  ^bb0(%a: f32, %b: f32):
    xla_rt.yield %a : f32
  } -> tensor<4x20xf32>
  return
}

// -----

func.func @f(%x: tensor<4x20xf32>, %i: tensor<4xf32>, %e: tensor<4x20xf32>) {
  // expected-error @below {{has the dimension -1, but inputs of rank 2}}
  %0 = xla_rt.scan ins(%x : tensor<4x20xf32>) initial(%i : tensor<4xf32>) outs(%e : tensor<4x20xf32>) dimension = -1 {
  ^bb0(%a: f32, %b: f32):
    xla_rt.yield %a : f32
  } -> tensor<4x20xf32>
  return
}

// -----

func.func @f(%x: tensor<f32>, %i: tensor<f32>, %e: tensor<f32>) {
  // expected-error @below {{has the dimension 0, but inputs of rank 0}}
  %0 = xla_rt.scan ins(%x : tensor<f32>) initial(%i : tensor<f32>) outs(%e : tensor<f32>) dimension = 0 {
  ^bb0(%a: f32, %b: f32):
    xla_rt.yield %a : f32
  } -> tensor<f32>
  return
}

// -----

func.func @f(%x: tensor<4x20xf32>, %i: tensor<4xf32>, %e: tensor<4x21xf32>) {
  // expected-error @below {{has the input 0 of type 'tensor<4x20xf32>', but an out of type 'tensor<4x21xf32>' and a result of type 'tensor<4x21xf32>'}}
  %0 = xla_rt.scan ins(%x : tensor<4x20xf32>) initial(%i : tensor<4xf32>) outs(%e : tensor<4x21xf32>) dimension = 1 {
  ^bb0(%a: f32, %b: f32):
    xla_rt.yield %a : f32
  } -> tensor<4x21xf32>
  return
}

// -----

func.func @f(%x: tensor<4x20xf32>, %i: tensor<4xf32>, %e: tensor<4x20xf32>) {
  // expected-error @below {{has the input 0 of type 'tensor<4x20xf32>', but an out of type 'tensor<4x20xf32>' and a result of type 'tensor<4x20xf64>'}}
  %0 = xla_rt.scan ins(%x : tensor<4x20xf32>) initial(%i : tensor<4xf32>) outs(%e : tensor<4x20xf32>) dimension = 1 {
  ^bb0(%a: f32, %b: f32):
    xla_rt.yield %a : f32
  } -> tensor<4x20xf64>
  return
}

// -----

func.func @f(%x: tensor<4x20xf32>, %i: tensor<20xf32>, %e: tensor<4x20xf32>) {
  // expected-error @below {{has the initial value 0 of type 'tensor<20xf32>' instead of 'tensor<4xf32>'}}
  %0 = xla_rt.scan ins(%x : tensor<4x20xf32>) initial(%i : tensor<20xf32>) outs(%e : tensor<4x20xf32>) dimension = 1 {
  ^bb0(%a: f32, %b: f32):
    xla_rt.yield %a : f32
  } -> tensor<4x20xf32>
  return
}

// -----

func.func @f(%x: tensor<4x20xf32>, %i: tensor<4xf64>, %e: tensor<4x20xf32>) {
  // expected-error @below {{has the initial value 0 of type 'tensor<4xf64>' instead of 'tensor<4xf32>'}}
  %0 = xla_rt.scan ins(%x : tensor<4x20xf32>) initial(%i : tensor<4xf64>) outs(%e : tensor<4x20xf32>) dimension = 1 {
  ^bb0(%a: f32, %b: f32):
    xla_rt.yield %a : f32
  } -> tensor<4x20xf32>
  return
}

// -----

func.func @f(%x: tensor<4x?xf32>, %i: tensor<4xf32>, %e: tensor<4x?xf32>) {
  // expected-error @below {{operand #0 must be variadic of statically shaped tensor of any type values, but got 'tensor<4x?xf32>'}}
  %0 = xla_rt.scan ins(%x : tensor<4x?xf32>) initial(%i : tensor<4xf32>) outs(%e : tensor<4x?xf32>) dimension = 1 {
  ^bb0(%a: f32, %b: f32):
    xla_rt.yield %a : f32
  } -> tensor<4x?xf32>
  return
}

// -----

func.func @f(%x: tensor<4x20xf32>, %i: tensor<4xf32>, %e: tensor<4x20xf32>) {
  // expected-error @below {{combines values of types ('f32', 'f32'), but its combiner takes ('f32')}}
  %0 = xla_rt.scan ins(%x : tensor<4x20xf32>) initial(%i : tensor<4xf32>) outs(%e : tensor<4x20xf32>) dimension = 1 {
  ^bb0(%a: f32):
    xla_rt.yield %a : f32
  } -> tensor<4x20xf32>
  return
}

// -----

func.func @f(%x: tensor<4x20xf32>, %i: tensor<4xf32>, %e: tensor<4x20xf32>) {
  // expected-error @below {{combines values of types ('f32', 'f32'), but its combiner takes ('f32', 'f64')}}
  %0 = xla_rt.scan ins(%x : tensor<4x20xf32>) initial(%i : tensor<4xf32>) outs(%e : tensor<4x20xf32>) dimension = 1 {
  ^bb0(%a: f32, %b: f64):
    xla_rt.yield %a : f32
  } -> tensor<4x20xf32>
  return
}

// -----

func.func @f(%x: tensor<4x20xf32>, %i: tensor<4xf32>, %e: tensor<4x20xf32>) {
  %0 = xla_rt.scan ins(%x : tensor<4x20xf32>) initial(%i : tensor<4xf32>) outs(%e : tensor<4x20xf32>) dimension = 1 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.extf %a : f32 to f64
    // expected-error @below {{leaves values of types ('f64') in a combiner of ('f32')}}
    xla_rt.yield %c : f64
  } -> tensor<4x20xf32>
  return
}

// -----

func.func @f(%x: tensor<8xf32>, %y: tensor<9xf32>, %i: tensor<f32>) {
  // expected-error @below {{has the input 1 of type 'tensor<9xf32>', but the first one is of type 'tensor<8xf32>'}}
  %0:2 = xla_rt.scan ins(%x, %y : tensor<8xf32>, tensor<9xf32>) initial(%i, %i : tensor<f32>, tensor<f32>)
      outs(%x, %y : tensor<8xf32>, tensor<9xf32>) dimension = 0 {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    xla_rt.yield %a, %b : f32, f32
  } -> tensor<8xf32>, tensor<9xf32>
  return
}

// -----

func.func @f(%x: tensor<8xf32>, %i: tensor<f32>) {
  // expected-error @below {{has 1 input, 2 initial values, 1 out and 1 result; there is one of each for every array}}
  %0 = xla_rt.scan ins(%x : tensor<8xf32>) initial(%i, %i : tensor<f32>, tensor<f32>) outs(%x : tensor<8xf32>)
      dimension = 0 {
  ^bb0(%a: f32, %b: f32):
    xla_rt.yield %a : f32
  } -> tensor<8xf32>
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @below {{expects parent op to be one of 'xla_rt.scan, xla_rt.scatter, xla_rt.sort'}}
  xla_rt.yield %x : f32
}
