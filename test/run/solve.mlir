// REQUIRES: xla-run
// RUN: xla-run %s --target=cpu
// RUN: xla-run %s --target=cuda-emulated
// RUN: xla-run %s --target=reference

func.func @main() {
  %a0 = stablehlo.constant dense<[[[4.0, 0x7FC00000], [2.0, 5.0]], [[9.0, 0x7FC00000], [3.0, 5.0]]]> : tensor<2x2x2xf32>
  %b0 = stablehlo.constant dense<[[[2.0, 4.0], [3.0, 4.0]], [[3.0, 6.0], [3.0, 4.0]]]> : tensor<2x2x2xf32>
  %a, %b = stablehlo.optimization_barrier %a0, %b0 : tensor<2x2x2xf32>, tensor<2x2x2xf32>

  // Only the lower triangle is read; the upper one of the result is zero.
  %l = stablehlo.cholesky %a, lower = true : tensor<2x2x2xf32>
  check.expect_eq_const %l, dense<[[[2.0, 0.0], [1.0, 2.0]], [[3.0, 0.0], [1.0, 2.0]]]> : tensor<2x2x2xf32>

  // The factor is still needed: it stays as it is.
  %x = "stablehlo.triangular_solve"(%l, %b) <{left_side = true, lower = true, unit_diagonal = false,
    transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  check.expect_eq_const %x, dense<[[[1.0, 2.0], [1.0, 1.0]], [[1.0, 2.0], [1.0, 1.0]]]> : tensor<2x2x2xf32>
  check.expect_eq_const %l, dense<[[[2.0, 0.0], [1.0, 2.0]], [[3.0, 0.0], [1.0, 2.0]]]> : tensor<2x2x2xf32>

  // The same array on both sides.
  %i = "stablehlo.triangular_solve"(%l, %l) <{left_side = true, lower = true, unit_diagonal = false,
    transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  check.expect_eq_const %i, dense<[[[1.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [0.0, 1.0]]]> : tensor<2x2x2xf32>

  // LAPACK's pivots count from 1.
  %m0 = stablehlo.constant dense<[[1.0, 2.0], [2.0, 6.0]]> : tensor<2x2xf64>
  %m = stablehlo.optimization_barrier %m0 : tensor<2x2xf64>
  %lu:3 = stablehlo.custom_call @lapack_dgetrf_ffi(%m) {mhlo.backend_config = {},
    operand_layouts = [dense<[0, 1]> : tensor<2xindex>],
    result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>]}
    : (tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<2xi32>, tensor<i32>)
  check.expect_eq_const %lu#0, dense<[[2.0, 6.0], [0.5, -1.0]]> : tensor<2x2xf64>
  check.expect_eq_const %lu#1, dense<[2, 2]> : tensor<2xi32>
  check.expect_eq_const %lu#2, dense<0> : tensor<i32>

  // XLA's name for it counts from 0 and gives the permutation.
  %named:3 = stablehlo.custom_call @LuDecomposition(%m) : (tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<2xi32>, tensor<2xi32>)
  check.expect_eq %named#0, %lu#0 : tensor<2x2xf64>
  check.expect_eq_const %named#1, dense<[1, 1]> : tensor<2xi32>
  check.expect_eq_const %named#2, dense<[1, 0]> : tensor<2xi32>
  return
}
