// REQUIRES: xla-run
// RUN: not xla-run %s --target=cpu 2>&1 | FileCheck %s
// RUN: not xla-run %s --target=cuda-emulated 2>&1 | FileCheck %s
// RUN: not xla-run %s --target=reference 2>&1 | FileCheck %s

// The fourth iteration fails; later ones are not reported.
// CHECK: check failed: {{.*}}failing-check-in-loop.mlir":21:5: check.expect_close: element [1] is 16.0, expected 15.0
func.func @main() -> tensor<2xf32> {
  %x0 = stablehlo.constant dense<[0.5, 1.0]> : tensor<2xf32>
  %x = stablehlo.optimization_barrier %x0 : tensor<2xf32>
  %most = stablehlo.constant dense<15.0> : tensor<2xf32>
  %end = stablehlo.constant dense<100.0> : tensor<f32>
  %r = stablehlo.while(%y = %x) : tensor<2xf32> cond {
    %first = "stablehlo.slice"(%y) <{start_indices = array<i64: 0>, limit_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<2xf32>) -> tensor<1xf32>
    %scalar = stablehlo.reshape %first : (tensor<1xf32>) -> tensor<f32>
    %more = stablehlo.compare LT, %scalar, %end : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %next = stablehlo.add %y, %y : tensor<2xf32>
    %bounded = stablehlo.minimum %next, %most : tensor<2xf32>
    check.expect_close %next, %bounded, max_ulp_difference = 2 : tensor<2xf32>, tensor<2xf32>
    stablehlo.return %next : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}
