// RUN: xla-opt %s --to=loops=vector-bits=256 | FileCheck %s
// Rows of 256 bytes that come from memory, by a processor whose owners have no list of theirs: each would read the
// stream of updates with gaps. One core updates all of them and asks for what it needs next.

// CHECK-LABEL: func.func @main
// CHECK-NOT: xla_rt_parallel_for
// CHECK: call @scatter_0.impl
// CHECK: func.func private @scatter_0.impl
// CHECK: llvm.intr.prefetch
func.func @main(%x: tensor<5000x64xf32>, %i: tensor<200000x1xi32>, %u: tensor<200000x64xf32>) -> tensor<5000x64xf32> {
  %0 = "xla.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) : (tensor<5000x64xf32>, tensor<200000x1xi32>, tensor<200000x64xf32>) -> tensor<5000x64xf32>
  return %0 : tensor<5000x64xf32>
}
