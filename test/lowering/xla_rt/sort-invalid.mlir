// RUN: xla-opt --split-input-file --verify-diagnostics %s

func.func @dimension(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{has the dimension 1, but inputs of rank 1}}
  %0 = xla_rt.sort ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) dimension = 1 {
  ^bb0(%a: f32, %b: f32):
    %p = arith.cmpf olt, %a, %b : f32
    xla_rt.yield %p : i1
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @outs(%x: tensor<4xf32>, %y: tensor<5xf32>) -> tensor<5xf32> {
  // expected-error @+1 {{has inputs of types ('tensor<4xf32>'), outs of types ('tensor<5xf32>')}}
  %0 = xla_rt.sort ins(%x : tensor<4xf32>) outs(%y : tensor<5xf32>) dimension = 0 {
  ^bb0(%a: f32, %b: f32):
    %p = arith.cmpf olt, %a, %b : f32
    xla_rt.yield %p : i1
  } -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

func.func @shapes(%x: tensor<4xf32>, %y: tensor<5xf32>) {
  // expected-error @+1 {{has an input of type 'tensor<5xf32>', but the first one is of type 'tensor<4xf32>'}}
  %0:2 = xla_rt.sort ins(%x, %y : tensor<4xf32>, tensor<5xf32>) outs(%x, %y : tensor<4xf32>, tensor<5xf32>)
      dimension = 0 {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    %p = arith.cmpf olt, %a, %b : f32
    xla_rt.yield %p : i1
  } -> tensor<4xf32>, tensor<5xf32>
  return
}

// -----

func.func @scalars(%x: tensor<4xf32>) {
  // expected-error @+1 {{has the scalar of type 'tensor<4xf32>', which is none}}
  %0 = xla_rt.sort ins(%x : tensor<4xf32>) scalars(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) dimension = 0 {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.cmpf olt, %a, %b : f32
    xla_rt.yield %p : i1
  } -> tensor<4xf32>
  return
}

// -----

func.func @parameters(%x: tensor<4xf32>) {
  // expected-error @+1 {{compares values of types ('f32', 'f32'), but its comparator takes ('f32', 'i32')}}
  %0 = xla_rt.sort ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) dimension = 0 {
  ^bb0(%a: f32, %b: i32):
    %p = arith.cmpf olt, %a, %a : f32
    xla_rt.yield %p : i1
  } -> tensor<4xf32>
  return
}

// -----

func.func @result(%x: tensor<4xf32>) {
  // expected-error @+1 {{has a comparator that does not leave one i1}}
  %0 = xla_rt.sort ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) dimension = 0 {
  ^bb0(%a: f32, %b: f32):
    xla_rt.yield %a : f32
  } -> tensor<4xf32>
  return
}
