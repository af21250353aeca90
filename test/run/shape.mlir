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

  // Three channels of 1024 pixels, moved behind them, and then taken in another order.
  %numbers = stablehlo.iota dim = 0 : tensor<6144xi32>
  %planes = stablehlo.optimization_barrier %numbers : tensor<6144xi32>
  %images = stablehlo.reshape %planes : (tensor<6144xi32>) -> tensor<2x3x1024xi32>
  %pixels = stablehlo.transpose %images, dims = [0, 2, 1] : (tensor<2x3x1024xi32>) -> tensor<2x1024x3xi32>
  %image = stablehlo.iota dim = 0 : tensor<2x1024x3xi32>
  %pixel = stablehlo.iota dim = 1 : tensor<2x1024x3xi32>
  %channel = stablehlo.iota dim = 2 : tensor<2x1024x3xi32>
  %c3072 = stablehlo.constant dense<3072> : tensor<2x1024x3xi32>
  %c1024 = stablehlo.constant dense<1024> : tensor<2x1024x3xi32>
  %of_image = stablehlo.multiply %image, %c3072 : tensor<2x1024x3xi32>
  %of_channel = stablehlo.multiply %channel, %c1024 : tensor<2x1024x3xi32>
  %of_both = stablehlo.add %of_image, %of_channel : tensor<2x1024x3xi32>
  %expected_pixels = stablehlo.add %of_both, %pixel : tensor<2x1024x3xi32>
  check.expect_eq %pixels, %expected_pixels : tensor<2x1024x3xi32>
  %ascending = stablehlo.iota dim = 0 : tensor<1024x1xi32>
  %last = stablehlo.constant dense<1023> : tensor<1024x1xi32>
  %descending = stablehlo.subtract %last, %ascending : tensor<1024x1xi32>
  %known = stablehlo.optimization_barrier %expected_pixels : tensor<2x1024x3xi32>
  %places = stablehlo.optimization_barrier %descending : tensor<1024x1xi32>
  %taken = "stablehlo.gather"(%known, %places) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 2], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 2, 1, 3>}> : (tensor<2x1024x3xi32>, tensor<1024x1xi32>) -> tensor<2x1024x3xi32>
  %reversed_pixels = stablehlo.reverse %known, dims = [1] : tensor<2x1024x3xi32>
  check.expect_eq %taken, %reversed_pixels : tensor<2x1024x3xi32>
  return
}
