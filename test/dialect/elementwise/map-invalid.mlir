// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @no_inputs() {
  // expected-error@+1 {{'xla.map' op [Map-C1] expects at least one input}}
  %r = "xla.map"() <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>):
    "xla.return"(%a) : (tensor<f32>) -> ()
  }) : () -> tensor<3xf32>
  return
}

// -----

func.func @dims(%x: tensor<2xf32>, %y: tensor<3xf32>) {
  // expected-error@+1 {{'xla.map' op [Map-C2] dimensions of input 1 are [3], those of input 0 are [2]}}
  %r = "xla.map"(%x, %y) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "xla.return"(%a) : (tensor<f32>) -> ()
  }) : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @parameter_type(%x: tensor<2xf32>) {
  // expected-error@+1 {{'xla.map' op [Map-C3] parameter 0 of the computation must be 'tensor<f32>', got 'tensor<i32>'}}
  %r = "xla.map"(%x) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<i32>):
    "xla.return"(%a) : (tensor<i32>) -> ()
  }) : (tensor<2xf32>) -> tensor<2xi32>
  return
}

// -----

func.func @parameter_rank(%x: tensor<2xf32>) {
  // expected-error@+1 {{'xla.map' op [Map-C3] parameter 0 of the computation must be 'tensor<f32>', got 'tensor<2xf32>'}}
  %r = "xla.map"(%x) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<2xf32>):
    "xla.return"(%a) : (tensor<2xf32>) -> ()
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @parameter_count(%x: tensor<2xf32>, %y: tensor<2xf32>) {
  // expected-error@+1 {{'xla.map' op [Map-C3] the computation has 1 parameter for 2 inputs}}
  %r = "xla.map"(%x, %y) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>):
    "xla.return"(%a) : (tensor<f32>) -> ()
  }) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @no_result(%x: tensor<2xf32>) {
  // expected-error@+1 {{'xla.map' op [Map-C3] the computation must return one scalar}}
  %r = "xla.map"(%x) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>):
    "xla.return"() : () -> ()
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @two_results(%x: tensor<2xf32>) {
  // expected-error@+1 {{'xla.map' op [Map-C3] the computation must return one scalar}}
  %r = "xla.map"(%x) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>):
    "xla.return"(%a, %a) : (tensor<f32>, tensor<f32>) -> ()
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @partial(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{'xla.map' op [Map-C4] dimensions must be all of 0..1 in order, got [1]}}
  %r = "xla.map"(%x) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>):
    "xla.return"(%a) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @order(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{'xla.map' op [Map-C4] dimensions must be all of 0..1 in order, got [1, 0]}}
  %r = "xla.map"(%x) <{dimensions = array<i64: 1, 0>}> ({
  ^bb0(%a: tensor<f32>):
    "xla.return"(%a) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @result_type(%x: tensor<2xf32>) {
  // expected-error@+1 {{'xla.map' op [Map-C5] result types 'tensor<2xi32>' differ from the inferred 'tensor<2xf32>'}}
  %r = "xla.map"(%x) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>):
    "xla.return"(%a) : (tensor<f32>) -> ()
  }) : (tensor<2xf32>) -> tensor<2xi32>
  return
}

// -----

func.func @extra_parameter(%x: tensor<2xf32>) {
  // expected-error@+1 {{'xla.map' op [Map-C6] the computation has 2 parameters for 1 input}}
  %r = "xla.map"(%x) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "xla.return"(%a) : (tensor<f32>) -> ()
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @empty(%x: tensor<2xf32>) {
  // expected-error@+1 {{'xla.map' op region #0 ('computation') failed to verify constraint: region with 1 blocks}}
  %r = "xla.map"(%x) <{dimensions = array<i64: 0>}> ({
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}
