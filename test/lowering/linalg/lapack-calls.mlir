// RUN: xla-opt %s --to=linalg --split-input-file | FileCheck %s

// LAPACK's matrices are column-major: they are transposed before and after.
// CHECK: #[[SWAP:.*]] = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
// CHECK-LABEL: func.func @main
// CHECK:         %[[T:.*]] = linalg.generic {indexing_maps = [#[[SWAP]]
// CHECK-SAME:      ins(%{{.*}} : tensor<3x5x4xf32>) outs(%{{.*}} : tensor<3x4x5xf32>)
// CHECK:         %[[QR:.*]]:2 = xla_rt.library_call "xla_rt_lapack_sgeqrf" outs(%[[T]], %{{.*}} : tensor<3x4x5xf32>, tensor<3x4xf32>)
// CHECK-SAME:      parameters = [5, 4] work = 3
// CHECK:         linalg.generic {indexing_maps = [#[[SWAP]]
// CHECK-SAME:      ins(%[[QR]]#0 : tensor<3x4x5xf32>) outs(%{{.*}} : tensor<3x5x4xf32>)
func.func @main(%a: tensor<3x5x4xf32>) -> (tensor<3x5x4xf32>, tensor<3x4xf32>) {
  %0:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%a) {backend_config = "", mhlo.backend_config = {},
    operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>],
    result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>]}
    : (tensor<3x5x4xf32>) -> (tensor<3x5x4xf32>, tensor<3x4xf32>)
  return %0#0, %0#1 : tensor<3x5x4xf32>, tensor<3x4xf32>
}

// -----

// Triangular matrices need no transposition.
// CHECK-LABEL: func.func @main
// CHECK-NEXT:    %[[E:.*]] = tensor.empty() : tensor<i32>
// CHECK-NEXT:    %[[L:.*]]:2 = xla_rt.library_call "xla_rt_lapack_dpotrf" outs(%arg0, %[[E]] : tensor<4x4xf64>, tensor<i32>)
// CHECK-SAME:      parameters = [4, 1, 1, 8, 2]
// CHECK-NEXT:    return %[[L]]#0, %[[L]]#1
func.func @main(%a: tensor<4x4xf64>) -> (tensor<4x4xf64>, tensor<i32>) {
  %0:2 = stablehlo.custom_call @lapack_dpotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8},
    operand_layouts = [dense<[0, 1]> : tensor<2xindex>],
    result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]}
    : (tensor<4x4xf64>) -> (tensor<4x4xf64>, tensor<i32>)
  return %0#0, %0#1 : tensor<4x4xf64>, tensor<i32>
}

// -----

// Without layouts LAPACK takes the rows for columns: the upper triangle for the lower one.
// CHECK: xla_rt.library_call "xla_rt_lapack_dpotrf" outs(%arg0, %{{.*}} : tensor<4x4xf64>, tensor<i32>)
// CHECK-SAME: parameters = [4, 1, 0, 8, 2]
func.func @main(%a: tensor<4x4xf64>) -> (tensor<4x4xf64>, tensor<i32>) {
  %0:2 = stablehlo.custom_call @lapack_dpotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}}
    : (tensor<4x4xf64>) -> (tensor<4x4xf64>, tensor<i32>)
  return %0#0, %0#1 : tensor<4x4xf64>, tensor<i32>
}

// -----

// XLA's own names have no layouts and mean the matrices as they are.
// CHECK: linalg.generic
// CHECK: xla_rt.library_call "xla_rt_lapack_cgeqrf"
// CHECK-SAME: outs(%{{.*}}, %{{.*}} : tensor<2x3xcomplex<f32>>, tensor<2xcomplex<f32>>)
// CHECK: linalg.generic
func.func @main(%a: tensor<3x2xcomplex<f32>>) -> (tensor<3x2xcomplex<f32>>, tensor<2xcomplex<f32>>) {
  %0:2 = stablehlo.custom_call @Qr(%a) : (tensor<3x2xcomplex<f32>>) -> (tensor<3x2xcomplex<f32>>, tensor<2xcomplex<f32>>)
  return %0#0, %0#1 : tensor<3x2xcomplex<f32>>, tensor<2xcomplex<f32>>
}

// -----

// Other targets stay, names that LAPACK has not among them.
// CHECK: xla.custom_call @lapack_cgesv_ffi
func.func @main(%a: tensor<3x3xcomplex<f32>>) -> tensor<3x3xcomplex<f32>> {
  %0 = stablehlo.custom_call @lapack_cgesv_ffi(%a) : (tensor<3x3xcomplex<f32>>) -> tensor<3x3xcomplex<f32>>
  return %0 : tensor<3x3xcomplex<f32>>
}
