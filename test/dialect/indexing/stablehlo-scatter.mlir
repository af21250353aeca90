// RUN: xla-opt %s | FileCheck %s
// RUN: xla-opt %s --mlir-print-op-generic | xla-opt | FileCheck %s

// What JAX gives for `x.at[i].add(u)`: the number of inputs and updates follows from that of the operands.

// CHECK-LABEL: func.func public @main
// CHECK: "xla.scatter"(%{{.*}}, %{{.*}}, %{{.*}}) <{
// CHECK-SAME: scatter_dimension_numbers = #xla.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
func.func public @main(%arg0: tensor<5xf32> loc("x"), %arg1: tensor<3x1xi32>, %arg2: tensor<3xf32>) -> (tensor<5xf32> {jax.result_info = "result"}) {
  %6 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg3: tensor<f32> loc("a"), %arg4: tensor<f32> loc("b")):
    %7 = stablehlo.add %arg3, %arg4 : tensor<f32> loc("sum")
    stablehlo.return %7 : tensor<f32> loc("sum")
  }) : (tensor<5xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<5xf32> loc("scatter-add")
  return %6 : tensor<5xf32>
}

// CHECK-LABEL: func.func @generic
// CHECK: "xla.scatter"
// CHECK: }) : (tensor<5xf32>, tensor<5xi32>, tensor<3x1xi32>, tensor<3xf32>, tensor<3xi32>) -> (tensor<5xf32>, tensor<5xi32>)
func.func @generic(%x: tensor<5xf32>, %y: tensor<5xi32>, %i: tensor<3x1xi32>, %u: tensor<3xf32>, %v: tensor<3xi32>) {
  %0:2 = "stablehlo.scatter"(%x, %y, %i, %u, %v) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %ia: tensor<i32>, %b: tensor<f32>, %ib: tensor<i32>):
    "stablehlo.return"(%b, %ib) : (tensor<f32>, tensor<i32>) -> ()
  }) : (tensor<5xf32>, tensor<5xi32>, tensor<3x1xi32>, tensor<3xf32>, tensor<3xi32>) -> (tensor<5xf32>, tensor<5xi32>)
  return
}
