// RUN: xla-opt %s --split-input-file --to=kernels | xla-opt --split-input-file --xla-emit-kernels=vector-bits=512 | FileCheck %s

// The parts of complex numbers are added up in lanes: a row of 14 numbers is one of 28 parts.
// CHECK-LABEL: func.func private @scatter_0.impl(
// CHECK:         scf.for %[[K:.*]] = %{{.*}} to %c7_i64
// CHECK:           arith.muli %[[K]], %c28_i64
// CHECK:           arith.addf {{.*}} : vector<16xf32>
// CHECK:           arith.addf {{.*}} : vector<8xf32>
// CHECK:           arith.addf {{.*}} : vector<4xf32>
// CHECK-NOT:       complex.
func.func @main(%x: tensor<5x14xcomplex<f32>>, %i: tensor<7x1xi32>, %u: tensor<7x14xcomplex<f32>>) -> tensor<5x14xcomplex<f32>> {
  %0 = "xla.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %s = xla.add %a, %b : tensor<complex<f32>>
    xla.return %s : tensor<complex<f32>>
  }) : (tensor<5x14xcomplex<f32>>, tensor<7x1xi32>, tensor<7x14xcomplex<f32>>) -> tensor<5x14xcomplex<f32>>
  return %0 : tensor<5x14xcomplex<f32>>
}

// -----

// Products are of both.
// CHECK-LABEL: func.func private @scatter_0.impl(
// CHECK:         complex.mul
func.func @main(%x: tensor<5x14xcomplex<f32>>, %i: tensor<7x1xi32>, %u: tensor<7x14xcomplex<f32>>) -> tensor<5x14xcomplex<f32>> {
  %0 = "xla.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %s = xla.multiply %a, %b : tensor<complex<f32>>
    xla.return %s : tensor<complex<f32>>
  }) : (tensor<5x14xcomplex<f32>>, tensor<7x1xi32>, tensor<7x14xcomplex<f32>>) -> tensor<5x14xcomplex<f32>>
  return %0 : tensor<5x14xcomplex<f32>>
}

// -----

// What replaces others is moved in lanes, too, and what was there is not read.
// CHECK-LABEL: func.func private @scatter_0.impl(
// CHECK:         scf.for %[[K:.*]] = %{{.*}} to %c7_i64
// CHECK:           arith.muli %[[K]], %c28_i64
// CHECK:           %[[WHOLE:.*]] = llvm.load {{.*}} -> vector<16xf32>
// CHECK-NEXT:      llvm.store %[[WHOLE]]
// CHECK-NOT:       complex.
func.func @main(%x: tensor<5x14xcomplex<f32>>, %i: tensor<7x1xi32>, %u: tensor<7x14xcomplex<f32>>) -> tensor<5x14xcomplex<f32>> {
  %0 = "xla.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    xla.return %b : tensor<complex<f32>>
  }) : (tensor<5x14xcomplex<f32>>, tensor<7x1xi32>, tensor<7x14xcomplex<f32>>) -> tensor<5x14xcomplex<f32>>
  return %0 : tensor<5x14xcomplex<f32>>
}
