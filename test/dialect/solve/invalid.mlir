// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @cholesky_vector(%a: tensor<4xf32>) {
  // expected-error @+1 {{'xla.cholesky' op [Cholesky-C1]}}
  %0 = "xla.cholesky"(%a) <{lower = true}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @cholesky_shape(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{'xla.cholesky' op [Cholesky-C2]}}
  %0 = "xla.cholesky"(%a) <{lower = true}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @cholesky_element(%a: tensor<2x2xi32>) {
  // expected-error @+1 {{'xla.cholesky' op [Cholesky-C3]}}
  %0 = "xla.cholesky"(%a) <{lower = true}> : (tensor<2x2xi32>) -> tensor<2x2xi32>
  return
}

// -----

func.func @cholesky_result(%a: tensor<2x2xf32>) {
  // expected-error @+1 {{'xla.cholesky' op [Cholesky-C4]}}
  %0 = "xla.cholesky"(%a) <{lower = true}> : (tensor<2x2xf32>) -> tensor<2x2xf64>
  return
}

// -----

func.func @solve_ranks(%a: tensor<2x2xf32>, %b: tensor<1x2x1xf32>) {
  // expected-error @+1 {{'xla.triangular_solve' op [TriangularSolve-C1]}}
  %0 = "xla.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false,
    transpose_a = #xla<transpose NO_TRANSPOSE>}> : (tensor<2x2xf32>, tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
  return
}

// -----

func.func @solve_vectors(%a: tensor<2xf32>, %b: tensor<2xf32>) {
  // expected-error @+1 {{'xla.triangular_solve' op [TriangularSolve-C1]}}
  %0 = "xla.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false,
    transpose_a = #xla<transpose NO_TRANSPOSE>}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @solve_shape(%a: tensor<2x3xf32>, %b: tensor<2x1xf32>) {
  // expected-error @+1 {{'xla.triangular_solve' op [TriangularSolve-C2]}}
  %0 = "xla.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false,
    transpose_a = #xla<transpose NO_TRANSPOSE>}> : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  return
}

// -----

func.func @solve_left(%a: tensor<2x2xf32>, %b: tensor<3x2xf32>) {
  // expected-error @+1 {{'xla.triangular_solve' op [TriangularSolve-C3]}}
  %0 = "xla.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false,
    transpose_a = #xla<transpose NO_TRANSPOSE>}> : (tensor<2x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @solve_right(%a: tensor<2x2xf32>, %b: tensor<2x3xf32>) {
  // expected-error @+1 {{'xla.triangular_solve' op [TriangularSolve-C3]}}
  %0 = "xla.triangular_solve"(%a, %b) <{left_side = false, lower = true, unit_diagonal = false,
    transpose_a = #xla<transpose NO_TRANSPOSE>}> : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @solve_batch(%a: tensor<4x2x2xf32>, %b: tensor<1x2x1xf32>) {
  // expected-error @+1 {{'xla.triangular_solve' op [TriangularSolve-C4]}}
  %0 = "xla.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false,
    transpose_a = #xla<transpose NO_TRANSPOSE>}> : (tensor<4x2x2xf32>, tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
  return
}

// -----

func.func @solve_elements(%a: tensor<2x2xf32>, %b: tensor<2x1xf64>) {
  // expected-error @+1 {{'xla.triangular_solve' op [TriangularSolve-C5]}}
  %0 = "xla.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false,
    transpose_a = #xla<transpose NO_TRANSPOSE>}> : (tensor<2x2xf32>, tensor<2x1xf64>) -> tensor<2x1xf64>
  return
}

// -----

func.func @solve_integers(%a: tensor<2x2xi32>, %b: tensor<2x1xi32>) {
  // expected-error @+1 {{'xla.triangular_solve' op [TriangularSolve-C5]}}
  %0 = "xla.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false,
    transpose_a = #xla<transpose NO_TRANSPOSE>}> : (tensor<2x2xi32>, tensor<2x1xi32>) -> tensor<2x1xi32>
  return
}

// -----

func.func @solve_result(%a: tensor<2x2xf32>, %b: tensor<2x1xf32>) {
  // expected-error @+1 {{'xla.triangular_solve' op [TriangularSolve-C6]}}
  %0 = "xla.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false,
    transpose_a = #xla<transpose NO_TRANSPOSE>}> : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<1x2xf32>
  return
}

// -----

func.func @solve_transpose(%a: tensor<2x2xf32>, %b: tensor<2x1xf32>) {
  // expected-error @+1 {{'xla.triangular_solve' op [TriangularSolve-C7]}}
  %0 = "xla.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false,
    transpose_a = #xla<transpose TRANSPOSE_INVALID>}> : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  return
}
