// REQUIRES: xla-run
// RUN: xla-run %s --target=cpu
// RUN: xla-run %s --target=cuda-emulated
// RUN: xla-run %s --target=reference

func.func @main() {
  %x0 = stablehlo.constant dense<[[1.0, 5.0, 2.0], [4.0, 3.0, 6.0]]> : tensor<2x3xf32>
  %x = stablehlo.optimization_barrier %x0 : tensor<2x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>

  %rows = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %rows, dense<[8.0, 13.0]> : tensor<2xf32>
  %all = stablehlo.reduce(%x init: %lowest) applies stablehlo.maximum across dimensions = [0, 1]
    : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %all, dense<6.0> : tensor<f32>

  // Position and value of the largest element of each column: two results, a region of several ops.
  %i = stablehlo.iota dim = 0 : tensor<2x3xi32>
  %no = stablehlo.constant dense<-1> : tensor<i32>
  %value, %position = "stablehlo.reduce"(%x, %i, %lowest, %no) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %ai: tensor<i32>, %b: tensor<f32>, %bi: tensor<i32>):
    %ge = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %v = stablehlo.select %ge, %a, %b : tensor<i1>, tensor<f32>
    %p = stablehlo.select %ge, %ai, %bi : tensor<i1>, tensor<i32>
    stablehlo.return %v, %p : tensor<f32>, tensor<i32>
  }) : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
  check.expect_eq_const %value, dense<[4.0, 5.0, 6.0]> : tensor<3xf32>
  check.expect_eq_const %position, dense<[1, 0, 1]> : tensor<3xi32>

  %sums = "stablehlo.reduce_window"(%x, %zero) <{
    window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>,
    padding = dense<[[0, 0], [1, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<1x3xf32>
  check.expect_eq_const %sums, dense<[[5.0, 13.0, 16.0]]> : tensor<1x3xf32>

  %mapped = "stablehlo.map"(%x, %x) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.multiply %a, %b : tensor<f32>
    %q = stablehlo.subtract %p, %a : tensor<f32>
    stablehlo.return %q : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %mapped, dense<[[0.0, 20.0, 2.0], [12.0, 6.0, 30.0]]> : tensor<2x3xf32>

  // Barriers and maps between scalars of a computation.
  %inner = "stablehlo.reduce"(%x, %zero) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c:2 = stablehlo.optimization_barrier %a, %b : tensor<f32>, tensor<f32>
    %s = "stablehlo.map"(%c#0, %c#1) <{dimensions = array<i64>}> ({
    ^bb0(%d: tensor<f32>, %e: tensor<f32>):
      %f = stablehlo.add %d, %e : tensor<f32>
      stablehlo.return %f : tensor<f32>
    }) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %inner, dense<[8.0, 13.0]> : tensor<2xf32>
  return
}
