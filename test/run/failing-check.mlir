// REQUIRES: xla-run
// RUN: not xla-run %s --target=cpu 2>&1 | FileCheck %s
// RUN: not xla-run %s --target=cuda-emulated 2>&1 | FileCheck %s
// RUN: not xla-run %s --target=reference 2>&1 | FileCheck %s

// What the other tests here rely on: a wrong element is found, named and makes xla-run fail.
// CHECK: check failed: {{.*}}check.expect_eq_const: element [1] is 3.0, expected 4.0
func.func @main() {
  %x0 = stablehlo.constant dense<[1.0, 1.5]> : tensor<2xf32>
  %x = stablehlo.optimization_barrier %x0 : tensor<2xf32>
  %double = stablehlo.add %x, %x : tensor<2xf32>
  check.expect_eq_const %double, dense<[2.0, 4.0]> : tensor<2xf32>
  return
}
