// RUN: xla-opt %s --to=linalg --split-input-file | FileCheck %s

// The operand is factorised in place: 16 small matrices are an item of work.
// CHECK-LABEL: func.func @main
// CHECK-SAME:    %[[A:.*]]: tensor<4x8x6x6xf32>
// CHECK-NEXT:    %[[R:.*]] = xla_rt.library_call "xla_rt_lapack_spotrf" outs(%[[A]] : tensor<4x8x6x6xf32>)
// CHECK-SAME:      parameters = [6, 32, 1, 16, 1] work = 2
// CHECK-NEXT:    return %[[R]]
func.func @main(%a: tensor<4x8x6x6xf32>) -> tensor<4x8x6x6xf32> {
  %0 = xla.cholesky %a, lower = true : tensor<4x8x6x6xf32>
  return %0 : tensor<4x8x6x6xf32>
}

// -----

// A large matrix is one.
// CHECK: xla_rt.library_call "xla_rt_lapack_zpotrf"
// CHECK-SAME: parameters = [40, 3, 0, 1, 1] work = 3
func.func @main(%a: tensor<3x40x40xcomplex<f64>>) -> tensor<3x40x40xcomplex<f64>> {
  %0 = xla.cholesky %a : tensor<3x40x40xcomplex<f64>>
  return %0 : tensor<3x40x40xcomplex<f64>>
}

// -----

// Narrow floats are computed in f32.
// CHECK: arith.extf
// CHECK: xla_rt.library_call "xla_rt_lapack_spotrf"
// CHECK: arith.truncf
func.func @main(%a: tensor<4x4xbf16>) -> tensor<4x4xbf16> {
  %0 = xla.cholesky %a, lower = true : tensor<4x4xbf16>
  return %0 : tensor<4x4xbf16>
}

// -----

// Few systems are cut by their right-hand sides.
// CHECK: xla_rt.library_call "xla_rt_lapack_dsolve" ins(%{{.*}} : tensor<100x100xf64>) outs(%{{.*}} : tensor<100x256xf64>)
// CHECK-SAME: parameters = [100, 256, 1, 0, 84, 1, 4] work = 4
func.func @main(%a: tensor<100x100xf64>, %b: tensor<100x256xf64>) -> tensor<100x256xf64> {
  %0 = "xla.triangular_solve"(%a, %b) <{left_side = true, lower = false, unit_diagonal = true,
    transpose_a = #xla<transpose TRANSPOSE>}> : (tensor<100x100xf64>, tensor<100x256xf64>) -> tensor<100x256xf64>
  return %0 : tensor<100x256xf64>
}

// -----

// CHECK: xla_rt.library_call "xla_rt_lapack_csolve"
// CHECK-SAME: parameters = [2, 7, 0, 1, 67, 0, 1] work = 9
func.func @main(%a: tensor<9x2x2xcomplex<f32>>, %b: tensor<9x7x2xcomplex<f32>>) -> tensor<9x7x2xcomplex<f32>> {
  %0 = "xla.triangular_solve"(%a, %b) <{left_side = false, lower = true, unit_diagonal = false,
    transpose_a = #xla<transpose ADJOINT>}>
    : (tensor<9x2x2xcomplex<f32>>, tensor<9x7x2xcomplex<f32>>) -> tensor<9x7x2xcomplex<f32>>
  return %0 : tensor<9x7x2xcomplex<f32>>
}
