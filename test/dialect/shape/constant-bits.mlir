// RUN: xla-opt %s | FileCheck %s

// Of a byte of a hexadecimal constant, the bits above the element's mean nothing.
// CHECK-LABEL: func.func @bits
func.func @bits() {
  // CHECK: xla.constant dense<[-8, -2, 0, 0, 7]> : tensor<5xi4>
  %0 = xla.constant dense<"0xF8FE100007"> : tensor<5xi4>
  // CHECK: xla.constant dense<[8, 14, 0, 0, 7]> : tensor<5xui4>
  %1 = stablehlo.constant dense<"0xF8FE100007"> : tensor<5xui4>
  // CHECK: xla.constant dense<3> : tensor<5xui2>
  %2 = "stablehlo.constant"() <{value = dense<"0xFF"> : tensor<5xui2>}> : () -> tensor<5xui2>
  // CHECK: xla.constant dense<[-0.000000e+00, -6.000000e+00]> : tensor<2xf4E2M1FN>
  %3 = "mhlo.constant"() {value = dense<"0xF80F"> : tensor<2xf4E2M1FN>} : () -> tensor<2xf4E2M1FN>
  // CHECK: xla.custom_call @check.expect_eq_const(%{{.+}}) {backend_config = {value = dense<[7, 0]> : tensor<2xi4>}
  %4 = xla.constant dense<[7, 0]> : tensor<2xi4>
  check.expect_eq_const %4, dense<"0xF7F0"> : tensor<2xi4>
  // CHECK: xla.custom_call @check.expect_eq_const(%{{.+}}) {backend_config = {value = dense<[7, 0]> : tensor<2xi4>}
  "check.expect_eq_const"(%4) <{value = dense<"0xF7F0"> : tensor<2xi4>}> : (tensor<2xi4>) -> ()
  return
}

