// RUN: xla-reduce %s --xla-reduction=test=%S/Inputs/has-sine.sh | FileCheck %s
// RUN: not xla-reduce %s --xla-reduction=test=%S/Inputs/never.sh 2>&1 | FileCheck %s --check-prefix=NEVER

// NEVER: error: the input is not interesting: '{{.*}}never.sh' must exit with 1 for it

// A script that cannot be run is an error like any other.
// RUN: not xla-reduce %s --xla-reduction=test=%S/Inputs/missing.sh 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: cannot run the script '{{.*}}missing.sh' of --xla-reduction=test=SCRIPT: {{.*}}No such file
// MISSING-NOT: LLVM ERROR
// RUN: cp %S/Inputs/never.sh %t.sh && chmod -x %t.sh
// RUN: not xla-reduce %s --xla-reduction=test=%t.sh 2>&1 | FileCheck %s --check-prefix=DENIED
// DENIED: error: cannot run the script '{{.*}}.sh' of --xla-reduction=test=SCRIPT: {{.*}}Permission denied
// DENIED-NOT: LLVM ERROR

// Nor is an output that cannot be written, or nothing to do, passed over in silence.
// RUN: not xla-reduce %s --xla-reduction=test=%S/Inputs/has-sine.sh -o %t/missing/x.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OUTPUT
// OUTPUT: xla-reduce: cannot open output file '{{.*}}missing/x.mlir': No such file or directory
// RUN: not xla-reduce %s 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: xla-reduce: nothing to do; --xla-reduction=test=SCRIPT makes a program smaller

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %{{.*}}: tensor<4xf32>)
// CHECK-NEXT: %[[SINE:.*]] = xla.sine %[[X]]
// CHECK-NEXT: return %[[SINE]]
// CHECK-NOT: func.func
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.tanh %x : tensor<4xf32>
  %1 = xla.add %0, %y : tensor<4xf32>
  %2 = call @unrelated(%1) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = xla.sine %1 : tensor<4xf32>
  %4 = xla.multiply %3, %3 : tensor<4xf32>
  return %4 : tensor<4xf32>
}
func.func private @unrelated(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.cosine %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
