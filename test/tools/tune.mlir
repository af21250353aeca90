// `xla-run --tune` measures plans of the kernels, keeps them in a file, and runs the program with the best.
// REQUIRES: xla-run
// RUN: rm -rf %t && env MLIR_XLA_CACHE=%t xla-run --tune %s
// RUN: FileCheck %s --check-prefix=KEPT < %t/plans.json
// RUN: not xla-run --tune --target=reference %s 2>&1 | FileCheck %s --check-prefix=REFERENCE
// RUN: not xla-run --tune --from=kernels %s 2>&1 | FileCheck %s --check-prefix=STAGE

// KEPT: "#xla_rt.{{nest|tiles}}<300x200
// REFERENCE: error: the target 'reference' has no schedules to tune
// STAGE: error: --tune is for programs, not for stages of the compiler

func.func @main() {
  %x = xla.iota dim = 0 : tensor<300x200xf32>
  %y = xla.iota dim = 1 : tensor<300x200xf32>
  %z = xla.add %x, %y : tensor<300x200xf32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %s = xla.reduce(%z init: %zero) applies xla.add across dimensions = [0, 1]
      : (tensor<300x200xf32>, tensor<f32>) -> tensor<f32>
  %e = xla.constant dense<14940000.0> : tensor<f32>
  check.expect_eq %s, %e : tensor<f32>
  return
}
