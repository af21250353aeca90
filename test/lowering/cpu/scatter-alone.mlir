// RUN: xla-opt %s --split-input-file --to=loops | FileCheck %s
// Scatters of little work are not shared among cores.

// CHECK-LABEL: func.func @main(
// CHECK-NOT: xla_rt_parallel_for
// CHECK: call @scatter_0.impl(
func.func @main(%x: tensor<2000xf32>, %i: tensor<20000x1xi32>, %u: tensor<20000xf32>) -> tensor<2000xf32> {
  %0 = "xla.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #xla.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) : (tensor<2000xf32>, tensor<20000x1xi32>, tensor<20000xf32>) -> tensor<2000xf32>
  return %0 : tensor<2000xf32>
}

// -----

// CHECK-LABEL: func.func @main(
// CHECK: call @xla_rt_parallel_for(
func.func @main(%x: tensor<200000xf32>, %i: tensor<80000x1xi32>, %u: tensor<80000xf32>) -> tensor<200000xf32> {
  %0 = "xla.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #xla.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) : (tensor<200000xf32>, tensor<80000x1xi32>, tensor<80000xf32>) -> tensor<200000xf32>
  return %0 : tensor<200000xf32>
}

// -----

// Nor are those of single elements that stay in the second-level cache.
// CHECK-LABEL: func.func @main(
// CHECK-NOT: xla_rt_parallel_for
// CHECK: call @scatter_0.impl(
func.func @main(%x: tensor<2000xf32>, %i: tensor<80000x1xi32>, %u: tensor<80000xf32>) -> tensor<2000xf32> {
  %0 = "xla.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #xla.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) : (tensor<2000xf32>, tensor<80000x1xi32>, tensor<80000xf32>) -> tensor<2000xf32>
  return %0 : tensor<2000xf32>
}
