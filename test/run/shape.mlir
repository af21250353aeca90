// REQUIRES: xla-run
// RUN: xla-run %s --target=cpu
// RUN: xla-run %s --target=cuda-emulated
// RUN: xla-run %s --target=reference

func.func @main() {
  %x0 = stablehlo.iota dim = 0 : tensor<6xi32>
  %flat = stablehlo.optimization_barrier %x0 : tensor<6xi32>
  %x = stablehlo.reshape %flat : (tensor<6xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %x, dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi32>
  %transpose = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xi32>) -> tensor<3x2xi32>
  check.expect_eq_const %transpose, dense<[[0, 3], [1, 4], [2, 5]]> : tensor<3x2xi32>
  %reverse = stablehlo.reverse %x, dims = [0, 1] : tensor<2x3xi32>
  check.expect_eq_const %reverse, dense<[[5, 4, 3], [2, 1, 0]]> : tensor<2x3xi32>
  %columns = stablehlo.iota dim = 1 : tensor<2x3xi32>
  check.expect_eq_const %columns, dense<[[0, 1, 2], [0, 1, 2]]> : tensor<2x3xi32>

  %row = stablehlo.slice %x [1:2, 0:3:2] : (tensor<2x3xi32>) -> tensor<1x2xi32>
  check.expect_eq_const %row, dense<[[3, 5]]> : tensor<1x2xi32>
  %wide = stablehlo.broadcast_in_dim %row, dims = [1, 2] : (tensor<1x2xi32>) -> tensor<2x2x2xi32>
  check.expect_eq_const %wide, dense<[[[3, 5], [3, 5]], [[3, 5], [3, 5]]]> : tensor<2x2x2xi32>
  %joined = stablehlo.concatenate %x, %reverse, dim = 0 : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<4x3xi32>
  check.expect_eq_const %joined, dense<[[0, 1, 2], [3, 4, 5], [5, 4, 3], [2, 1, 0]]> : tensor<4x3xi32>

  // One hole between elements; at the edges one in front and one element less behind.
  %nine = stablehlo.constant dense<9> : tensor<i32>
  %pad = stablehlo.pad %flat, %nine, low = [1], high = [-1], interior = [1] : (tensor<6xi32>, tensor<i32>) -> tensor<11xi32>
  check.expect_eq_const %pad, dense<[9, 0, 9, 1, 9, 2, 9, 3, 9, 4, 9]> : tensor<11xi32>

  // Start indices are clamped so that the slice fits.
  %far0 = stablehlo.constant dense<7> : tensor<i32>
  %below0 = stablehlo.constant dense<-3> : tensor<i32>
  %far, %below = stablehlo.optimization_barrier %far0, %below0 : tensor<i32>, tensor<i32>
  %piece = stablehlo.dynamic_slice %x, %below, %far, sizes = [1, 2] : (tensor<2x3xi32>, tensor<i32>, tensor<i32>) -> tensor<1x2xi32>
  check.expect_eq_const %piece, dense<[[1, 2]]> : tensor<1x2xi32>
  %update = stablehlo.constant dense<[[-1, -2]]> : tensor<1x2xi32>
  %updated = "stablehlo.dynamic_update_slice"(%x, %update, %far, %below)
    : (tensor<2x3xi32>, tensor<1x2xi32>, tensor<i32>, tensor<i32>) -> tensor<2x3xi32>
  check.expect_eq_const %updated, dense<[[0, 1, 2], [-1, -2, 5]]> : tensor<2x3xi32>

  // Nothing at all is fine as well.
  %none = stablehlo.slice %flat [4:4] : (tensor<6xi32>) -> tensor<0xi32>
  check.expect_eq_const %none, dense<> : tensor<0xi32>
  return
}
