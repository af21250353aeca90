// RUN: xla-opt %s --xla-check-legal --split-input-file --verify-diagnostics

func.func @main(%a: tensor<4x5xf32>) -> (tensor<4x5xf32>, tensor<i32>) {
  // expected-error @+1 {{@lapack_spotrf_ffi: operand 0 is 'tensor<4x5xf32>', expected 'tensor<5x5xf32>'}}
  %0:2 = xla.custom_call @lapack_spotrf_ffi(%a) : (tensor<4x5xf32>) -> (tensor<4x5xf32>, tensor<i32>)
  return %0#0, %0#1 : tensor<4x5xf32>, tensor<i32>
}

// -----

func.func @main(%a: tensor<4x4xf64>) -> tensor<4x4xf64> {
  // expected-error @+1 {{@lapack_dpotrf_ffi: has 1 results, expected 2}}
  %0 = xla.custom_call @lapack_dpotrf_ffi(%a) : (tensor<4x4xf64>) -> tensor<4x4xf64>
  return %0 : tensor<4x4xf64>
}

// -----

func.func @main(%a: tensor<4x4xf64>) -> (tensor<4x4xf64>, tensor<i32>) {
  // expected-error @+1 {{@lapack_spotrf_ffi: operand 0 is 'tensor<4x4xf64>', expected 'tensor<4x4xf32>'}}
  %0:2 = xla.custom_call @lapack_spotrf_ffi(%a) : (tensor<4x4xf64>) -> (tensor<4x4xf64>, tensor<i32>)
  return %0#0, %0#1 : tensor<4x4xf64>, tensor<i32>
}

// -----

func.func @main(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // expected-error @+1 {{@lapack_sgeqrf_ffi: operand 0 is 'tensor<4xf32>', no matrix or batch of matrices}}
  %0:2 = xla.custom_call @lapack_sgeqrf_ffi(%a) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// -----

func.func @main(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{@lapack_strsm_ffi: takes more than 1 operands}}
  %0 = xla.custom_call @lapack_strsm_ffi(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

func.func @main(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{@lapack_strsm_ffi: the attribute side = 88 is none of the characters LR}}
  %0 = xla.custom_call @lapack_strsm_ffi(%a, %a) {backend_config = {side = 88 : ui8}}
    : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

func.func @main(%a: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<3xf32>, tensor<i32>) {
  // expected-error @+1 {{@lapack_sgehrd_ffi: the attribute high = 9 : i32 is not in [0, 4]}}
  %0:3 = xla.custom_call @lapack_sgehrd_ffi(%a) {backend_config = {high = 9 : i32}}
    : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<3xf32>, tensor<i32>)
  return %0#0, %0#1, %0#2 : tensor<4x4xf32>, tensor<3xf32>, tensor<i32>
}

// -----

func.func @main(%a: tensor<4x2xf32>, %tau: tensor<3xf32>) -> tensor<4x2xf32> {
  // expected-error @+1 {{@lapack_sorgqr_ffi: 3 reflectors do not make matrices of 4x2}}
  %0 = xla.custom_call @lapack_sorgqr_ffi(%a, %tau) : (tensor<4x2xf32>, tensor<3xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// -----

func.func @main(%a: tensor<4x2xf32>, %tau: tensor<3xf32>, %c: tensor<4x5xf32>) -> tensor<4x5xf32> {
  // expected-error @+1 {{@lapack_sormqr_ffi: 3 reflectors are more than matrices of 4x2 have}}
  %0 = xla.custom_call @lapack_sormqr_ffi(%a, %tau, %c) : (tensor<4x2xf32>, tensor<3xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// -----

func.func @main(%a: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>) {
  // expected-error @+1 {{@lapack_sgeqrf_ffi: the layouts of operand 0 and result 0, which replaces it, differ}}
  %0:2 = xla.custom_call @lapack_sgeqrf_ffi(%a) {operand_layouts = [dense<[0, 1]> : tensor<2xindex>],
    result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>]}
    : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<4x4xf32>, tensor<4xf32>
}

// -----

func.func @main(%a: tensor<4x4xi32>) -> (tensor<4x4xi32>, tensor<4xi32>) {
  // expected-error @+1 {{@Qr: operand 0 is no array of f32, f64 or their complex numbers}}
  %0:2 = xla.custom_call @Qr(%a) : (tensor<4x4xi32>) -> (tensor<4x4xi32>, tensor<4xi32>)
  return %0#0, %0#1 : tensor<4x4xi32>, tensor<4xi32>
}
