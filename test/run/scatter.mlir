// REQUIRES: xla-run
// RUN: xla-run %s --target=reference
// RUN: not xla-run %s --target=cpu 2>&1 | FileCheck %s

// CHECK: scatter.mlir:[[#@LINE+7]]:{{[0-9]+}}: error: 'xla.scatter' op cannot be compiled: scattering has no lowering
func.func @main() {
  %x0 = stablehlo.constant dense<0.0> : tensor<5xf32>
  %i0 = stablehlo.constant dense<[[1], [3], [1]]> : tensor<3x1xi32>
  %u0 = stablehlo.constant dense<[10.0, 20.0, 30.0]> : tensor<3xf32>
  %x, %i, %u = stablehlo.optimization_barrier %x0, %i0, %u0 : tensor<5xf32>, tensor<3x1xi32>, tensor<3xf32>
  // x.at[i].add(u)
  %0 = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<5xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<5xf32>
  check.expect_eq_const %0, dense<[0.0, 40.0, 0.0, 20.0, 0.0]> : tensor<5xf32>
  return
}
