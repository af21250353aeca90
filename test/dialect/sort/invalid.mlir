// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @no_operands() {
  // expected-error @+1 {{[Sort-C1] has no operands}}
  "xla.sort"() ({
    %p = xla.constant dense<true> : tensor<i1>
    xla.return %p : tensor<i1>
  }) : () -> ()
  return
}

// -----

func.func @dims(%x: tensor<2xf32>, %y: tensor<3xf32>) {
  // expected-error @+1 {{[Sort-C2] dims of operand 1 differ from those of operand 0}}
  %0:2 = "xla.sort"(%x, %y) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    %p = xla.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }) : (tensor<2xf32>, tensor<3xf32>) -> (tensor<2xf32>, tensor<3xf32>)
  return
}

// -----

func.func @parameters(%x: tensor<2xf32>) {
  // expected-error @+1 {{[Sort-C3] comparator takes}}
  %0 = "xla.sort"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>):
    %p = xla.constant dense<true> : tensor<i1>
    xla.return %p : tensor<i1>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @result(%x: tensor<2xf32>) {
  // expected-error @+1 {{[Sort-C3] comparator does not return one tensor<i1>}}
  %0 = "xla.sort"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %a : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @side_effect(%x: tensor<2xf32>) {
  // expected-error @+1 {{[Sort-C3] comparator contains 'xla.custom_call', which has side effects}}
  %0 = "xla.sort"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = xla.custom_call @f(%a, %b) {has_side_effect = true} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @dimension(%x: tensor<2xf32>) {
  // expected-error @+1 {{[Sort-C4] dimension 1 is no dimension of}}
  %0 = "xla.sort"(%x) <{dimension = 1 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = xla.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @types(%x: tensor<2xf32>) {
  // expected-error @+1 {{[Sort-C5]}}
  %0 = "xla.sort"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = xla.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }) : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @scalar(%x: tensor<f32>) {
  // expected-error @+1 {{[TopK-C1] the operand 'tensor<f32>' has no dimension}}
  %v, %i = xla.top_k(%x, k = 0) : tensor<f32> -> (tensor<f32>, tensor<i32>)
  return
}

// -----

func.func @too_many(%x: tensor<3xf32>) {
  // expected-error @+1 {{[TopK-C2] k = 4 does not lie between 0 and 3}}
  %v, %i = xla.top_k(%x, k = 4) : tensor<3xf32> -> (tensor<4xf32>, tensor<4xi32>)
  return
}

// -----

func.func @complex(%x: tensor<3xcomplex<f32>>) {
  // expected-error @+1 {{[TopK-C3]}}
  %v, %i = xla.top_k(%x, k = 1) : tensor<3xcomplex<f32>> -> (tensor<1xcomplex<f32>>, tensor<1xi32>)
  return
}

// -----

func.func @indices(%x: tensor<3xf32>) {
  // expected-error @+1 {{[TopK-C4]}}
  %v, %i = xla.top_k(%x, k = 1) : tensor<3xf32> -> (tensor<1xf32>, tensor<1xi64>)
  return
}
