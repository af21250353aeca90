// A backend is an object: another one beside the CPU's shares its first stages.

// RUN: xla-test-backend %s | FileCheck %s
// CHECK: stage xla
// CHECK: xla.add
// CHECK: stage legal
// CHECK: xla.add
// CHECK: stage linalg
// CHECK: linalg.generic
// CHECK: stage counted
// CHECK: counter.ops = [[COUNT:[0-9]+]]
// CHECK: stage count{{$}}
// CHECK-NEXT: [[COUNT]] ops
// CHECK-NEXT: counted [[COUNT]] ops

// RUN: xla-test-backend --target=cpu %s | FileCheck %s --check-prefix=CPU
// CPU: stage xla
// CPU: stage legal
// CPU: stage linalg
// CPU: stage kernels
// CPU: stage loops
// CPU: stage llvm
// CPU: stage binary
// CPU: stage load

// RUN: not xla-test-backend --target=conuter %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: backends.mlir:{{.*}}: error: unknown target 'conuter'; the targets are cpu cuda cuda-emulated counter; did you mean 'counter'?

// RUN: not xla-test-backend --run-threads=2 %s 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: backends.mlir:{{.*}}: error: the target 'counter' has no option 'threads'

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
