// RUN: xla-opt %s | FileCheck %s
// RUN: xla-opt %s --canonicalize | FileCheck %s --check-prefix=FOLDED

// CHECK-LABEL: func.func @operations
func.func @operations(%x: tensor<4xcomplex<f32>>, %y: tensor<4xcomplex<f32>>) {
  // CHECK: xla.maximum %{{.+}}, %{{.+}} : tensor<4xcomplex<f32>>
  %0 = xla.maximum %x, %y : tensor<4xcomplex<f32>>
  // CHECK: xla.minimum %{{.+}}, %{{.+}} : tensor<4xcomplex<f32>>
  %1 = stablehlo.minimum %x, %y : tensor<4xcomplex<f32>>
  // CHECK: xla.cbrt %{{.+}} : tensor<4xcomplex<f32>>
  %2 = xla.cbrt %x : tensor<4xcomplex<f32>>
  return
}

// Only the real part counts.
// FOLDED-LABEL: func.func @to_predicates
func.func @to_predicates() -> tensor<4xi1> {
  // FOLDED: xla.constant dense<[true, false, false, true]> : tensor<4xi1>
  %0 = xla.constant dense<[(1.0, 0.0), (0.0, 1.0), (-0.0, 2.0), (0x7FC00000, 0.0)]> : tensor<4xcomplex<f32>>
  %1 = xla.convert %0 : (tensor<4xcomplex<f32>>) -> tensor<4xi1>
  return %1 : tensor<4xi1>
}
