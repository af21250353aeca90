// RUN: xla-opt --to=loops %s | FileCheck %s

// Functions become arithmetic. The sine and the cosine of one angle share the branch for large angles, within which
// products with 1 / (2 pi) lose their whole turns.

// CHECK-LABEL: func.func private @elementwise_{{[0-9]+}}.impl
// CHECK-NOT:     math.{{sin|cos|exp}}
// CHECK:         scf.if
// CHECK:           math.roundeven
// CHECK-NOT:     scf.if
// CHECK-NOT:     math.{{sin|cos|exp}}
// CHECK:         return
func.func @main(%x: tensor<8xcomplex<f64>>) -> tensor<8xcomplex<f64>> {
  %0 = xla.exponential %x : tensor<8xcomplex<f64>>
  return %0 : tensor<8xcomplex<f64>>
}
