// REQUIRES: xla-run
// RUN: xla-run %s --target=cpu
// RUN: xla-run %s --target=cuda-emulated
// RUN: xla-run %s --target=reference

func.func @main() {
  %a0 = stablehlo.constant dense<[[1.0, 5.0, 2.0]]> : tensor<1x3xf32>
  %b0 = stablehlo.constant dense<[[4.0, 3.0, 2.0]]> : tensor<1x3xf32>
  %c0 = stablehlo.constant dense<[[-1.0, 7.0, 2.0]]> : tensor<1x3xf32>
  %a, %b, %c = stablehlo.optimization_barrier %a0, %b0, %c0 : tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %no = stablehlo.constant dense<-1> : tensor<i32>

  // Which part is the largest: the first of equal ones.
  %x = stablehlo.concatenate %a, %b, %c, dim = 0 : (tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<3x3xf32>
  %i = stablehlo.iota dim = 0 : tensor<3x3xi32>
  %value, %position = "stablehlo.reduce"(%x, %i, %lowest, %no) <{dimensions = array<i64: 0>}> ({
  ^bb0(%p: tensor<f32>, %pi: tensor<i32>, %q: tensor<f32>, %qi: tensor<i32>):
    %ge = stablehlo.compare GE, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %v = stablehlo.select %ge, %p, %q : tensor<i1>, tensor<f32>
    %w = stablehlo.select %ge, %pi, %qi : tensor<i1>, tensor<i32>
    stablehlo.return %v, %w : tensor<f32>, tensor<i32>
  }) : (tensor<3x3xf32>, tensor<3x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
  check.expect_eq_const %value, dense<[4.0, 7.0, 2.0]> : tensor<3xf32>
  check.expect_eq_const %position, dense<[1, 2, 0]> : tensor<3xi32>

  // An initial value that is no identity, and an index along the other dimension.
  %y = stablehlo.concatenate %a, %b, dim = 0 : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  %j = stablehlo.iota dim = 1 : tensor<2x3xf32>
  %z = stablehlo.multiply %y, %j : tensor<2x3xf32>
  %sum = stablehlo.reduce(%z init: %one) applies stablehlo.add across dimensions = [0]
    : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_eq_const %sum, dense<[1.0, 9.0, 9.0]> : tensor<3xf32>

  // All of it, with a weight for each part.
  %w0 = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %weights = stablehlo.optimization_barrier %w0 : tensor<2xf32>
  %wide = stablehlo.broadcast_in_dim %weights, dims = [0] : (tensor<2xf32>) -> tensor<2x3xf32>
  %u = stablehlo.concatenate %b, %c, dim = 0 : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  %weighted = stablehlo.multiply %u, %wide : tensor<2x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %all = stablehlo.reduce(%weighted init: %zero) applies stablehlo.add across dimensions = [1, 0]
    : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %all, dense<42.0> : tensor<f32>
  return
}
