// REQUIRES: xla-run
// RUN: xla-run %s --target=cpu
// RUN: xla-run %s --target=cuda-emulated
// RUN: xla-run %s --target=reference

func.func @main() {
  %x0 = stablehlo.constant dense<[[3.0, 0.0, -1.0, 0x7FC00000], [-0.0, 2.0, 0xFF800000, 0.0]]> : tensor<2x4xf32>
  %x = stablehlo.optimization_barrier %x0 : tensor<2x4xf32>
  %i = stablehlo.iota dim = 1 : tensor<2x4xi32>

  // The order of each row, greatest first; NaN is greater than all numbers.
  %0:2 = "stablehlo.sort"(%x, %i) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %p: tensor<i32>, %q: tensor<i32>):
    %before = stablehlo.compare GT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<2x4xf32>, tensor<2x4xi32>) -> (tensor<2x4xf32>, tensor<2x4xi32>)
  check.expect_eq_const %0#1, dense<[[3, 0, 1, 2], [1, 3, 0, 2]]> : tensor<2x4xi32>

  // Columns, by a comparator that is no order of keys: those without NaN.
  %c = stablehlo.slice %x [0:2, 0:2] : (tensor<2x4xf32>) -> tensor<2x2xf32>
  %1 = "stablehlo.sort"(%c) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %difference = stablehlo.subtract %a, %b : tensor<f32>
    %before = stablehlo.compare LT, %difference, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %1, dense<[[-0.0, 0.0], [3.0, 2.0]]> : tensor<2x2xf32>

  %values, %indices = chlo.top_k(%c, k = 1) : tensor<2x2xf32> -> (tensor<2x1xf32>, tensor<2x1xi32>)
  check.expect_eq_const %values, dense<[[3.0], [2.0]]> : tensor<2x1xf32>
  check.expect_eq_const %indices, dense<[[0], [1]]> : tensor<2x1xi32>

  // An approximation of the greatest elements of each column finds them all.
  %none = stablehlo.constant dense<-1> : tensor<i32>
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %j = stablehlo.iota dim = 0 : tensor<2x2xi32>
  %2:2 = stablehlo.custom_call @ApproxTopK(%c, %j, %lowest, %none) {
    called_computations = [@greater], mhlo.backend_config = {reduction_dim = 0 : i64, top_k = 1 : i64}
  } : (tensor<2x2xf32>, tensor<2x2xi32>, tensor<f32>, tensor<i32>) -> (tensor<1x2xf32>, tensor<1x2xi32>)
  check.expect_eq_const %2#0, dense<[[3.0, 2.0]]> : tensor<1x2xf32>
  check.expect_eq_const %2#1, dense<[[0, 1]]> : tensor<1x2xi32>
  return
}
func.func private @greater(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  stablehlo.return %0 : tensor<i1>
}
