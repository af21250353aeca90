// REQUIRES: xla-run
// RUN: xla-run %s --target=cpu
// RUN: xla-run %s --target=cuda-emulated
// RUN: xla-run %s --target=reference

func.func @main() {
  %x0 = stablehlo.constant dense<[[0, 1, 2], [10, 11, 12], [20, 21, 22], [30, 31, 32]]> : tensor<4x3xi32>
  %rows0 = stablehlo.constant dense<[[2], [0], [9], [-1]]> : tensor<4x1xi32>
  %points0 = stablehlo.constant dense<[[0, 3, 1], [2, 0, 5]]> : tensor<2x3xi64>
  %x, %rows, %points = stablehlo.optimization_barrier %x0, %rows0, %points0
    : tensor<4x3xi32>, tensor<4x1xi32>, tensor<2x3xi64>

  // Whole rows; indices beyond the ends are clamped.
  %taken = "stablehlo.gather"(%x, %rows) <{
    dimension_numbers = #stablehlo.gather<
      offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 3>, indices_are_sorted = false}>
    : (tensor<4x3xi32>, tensor<4x1xi32>) -> tensor<4x3xi32>
  check.expect_eq_const %taken, dense<[[20, 21, 22], [0, 1, 2], [30, 31, 32], [0, 1, 2]]> : tensor<4x3xi32>

  // Points (row, column) whose coordinates lie in dimension 0 of the indices.
  %elements = "stablehlo.gather"(%x, %points) <{
    dimension_numbers = #stablehlo.gather<
      collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 0>,
    slice_sizes = array<i64: 1, 1>, indices_are_sorted = false}>
    : (tensor<4x3xi32>, tensor<2x3xi64>) -> tensor<3xi32>
  check.expect_eq_const %elements, dense<[2, 30, 12]> : tensor<3xi32>
  return
}
