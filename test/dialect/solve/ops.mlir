// RUN: xla-opt %s | FileCheck %s
// RUN: xla-opt %s | xla-opt | FileCheck %s
// RUN: xla-opt %s --mlir-print-op-generic | xla-opt | FileCheck %s
// RUN: xla-opt %s --emit-bytecode | xla-opt | FileCheck %s

// CHECK-LABEL: func.func @cholesky
func.func @cholesky(%a: tensor<3x2x2xf32>, %c: tensor<2x2xcomplex<f64>>, %d: tensor<?x2xf16>) {
  // CHECK: xla.cholesky %{{.*}}, lower = true : tensor<3x2x2xf32>
  %0 = stablehlo.cholesky %a, lower = true : tensor<3x2x2xf32>
  // CHECK: xla.cholesky %{{.*}} : tensor<2x2xcomplex<f64>>
  %1 = xla.cholesky %c : tensor<2x2xcomplex<f64>>
  // CHECK: xla.cholesky %{{.*}} {note} : tensor<?x2xf16>
  %2 = xla.cholesky %d {note} : tensor<?x2xf16>
  return
}

// CHECK-LABEL: func.func @triangular_solve
func.func @triangular_solve(%a: tensor<3x2x2xf32>, %b: tensor<3x2x5xf32>, %c: tensor<2x2xcomplex<f64>>,
                            %d: tensor<7x2xcomplex<f64>>) {
  // CHECK: "xla.triangular_solve"(%{{.*}}, %{{.*}}) <{left_side = true, lower = true, transpose_a = #xla<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x2x2xf32>, tensor<3x2x5xf32>) -> tensor<3x2x5xf32>
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false,
    transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x2x2xf32>, tensor<3x2x5xf32>) -> tensor<3x2x5xf32>
  // CHECK: left_side = false, lower = false, transpose_a = #xla<transpose ADJOINT>, unit_diagonal = true
  %1 = "xla.triangular_solve"(%c, %d) <{left_side = false, lower = false, unit_diagonal = true,
    transpose_a = #xla<transpose ADJOINT>}> : (tensor<2x2xcomplex<f64>>, tensor<7x2xcomplex<f64>>) -> tensor<7x2xcomplex<f64>>
  return
}
