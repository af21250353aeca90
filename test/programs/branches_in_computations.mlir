// Conditionals inside the computations of map and reduce.
func.func @main(%x: tensor<7x33xf32>, %y: tensor<7x33xf32>, %i: tensor<7x33xi32>) -> (tensor<7x33xf32>, tensor<7xf32>, tensor<7x33xf32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = "xla.map"(%x, %y) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = xla.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %half = xla.constant dense<0.5> : tensor<f32>
    %r = "xla.if"(%p) ({
      %e = xla.exponential %a : tensor<f32>
      %s = xla.multiply %e, %half : tensor<f32>
      xla.return %s : tensor<f32>
    }, {
      %s = xla.subtract %b, %half : tensor<f32>
      xla.return %s : tensor<f32>
    }) : (tensor<i1>) -> tensor<f32>
    %q = xla.add %r, %half : tensor<f32>
    xla.return %q : tensor<f32>
  }) : (tensor<7x33xf32>, tensor<7x33xf32>) -> tensor<7x33xf32>
  %1 = "xla.reduce"(%x, %zero) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %aa = xla.abs %a : tensor<f32>
    %ab = xla.abs %b : tensor<f32>
    %p = xla.compare GE, %aa, %ab : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %r = "xla.if"(%p) ({
      xla.return %a : tensor<f32>
    }, {
      xla.return %b : tensor<f32>
    }) : (tensor<i1>) -> tensor<f32>
    xla.return %r : tensor<f32>
  }) : (tensor<7x33xf32>, tensor<f32>) -> tensor<7xf32>
  %2 = "xla.map"(%x, %i) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>, %n: tensor<i32>):
    %r:2 = "xla.case"(%n) ({
      xla.return %a, %a : tensor<f32>, tensor<f32>
    }, {
      %s = xla.negate %a : tensor<f32>
      xla.return %s, %a : tensor<f32>, tensor<f32>
    }, {
      %s = xla.tanh %a : tensor<f32>
      xla.return %s, %s : tensor<f32>, tensor<f32>
    }) : (tensor<i32>) -> (tensor<f32>, tensor<f32>)
    %q = xla.add %r#0, %r#1 : tensor<f32>
    xla.return %q : tensor<f32>
  }) : (tensor<7x33xf32>, tensor<7x33xi32>) -> tensor<7x33xf32>
  return %0, %1, %2 : tensor<7x33xf32>, tensor<7xf32>, tensor<7x33xf32>
}
