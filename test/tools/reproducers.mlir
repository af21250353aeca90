// A pass that fails, or that leaves invalid IR, is a bug of the compiler: the error says so and leaves a reproducer.

// RUN: rm -rf %t && mkdir %t
// RUN: not env TMPDIR=%t xla-test-backend --failing %s > %t/out 2>&1
// RUN: FileCheck %s --check-prefix=FAILING < %t/out
// FAILING: reproducers.mlir:[[#AT:]]:{{.*}}: error: internal compiler error in the stage 'counted', pass 'count-ops': this is a bug of mlir-xla, not of the program
// FAILING: reproducers.mlir:[[#AT]]:{{.*}}: note: cannot count
// FAILING: note: the program before it is in [[FILE:.*mlir-xla-linalg-.*.mlir]]; this repeats the failure: xla-opt --target=counter --from=linalg --to=counted="vector-bits=512 threads=0" [[FILE]]
// FAILING: reproducer: {{.*mlir-xla-linalg-.*.mlir}}
// FAILING-NOT: error:
// RUN: cat %t/*.mlir | FileCheck %s --check-prefix=PROGRAM
// PROGRAM: func.func @main
// PROGRAM: linalg.generic

// Invalid IR is found if the compiler looks for it, as it does in all tests.
// RUN: rm %t/*.mlir
// RUN: env MLIR_XLA_VERIFY_EACH=0 TMPDIR=%t xla-test-backend --invalid %s
// RUN: not env TMPDIR=%t xla-test-backend --invalid %s 2>&1 | FileCheck %s --check-prefix=INVALID
// INVALID: error: internal compiler error in the stage 'counted', pass 'count-ops': this is a bug of mlir-xla
// INVALID: note: {{.*}}block with no terminator
// RUN: cat %t/*.mlir | FileCheck %s --check-prefix=PROGRAM

// What the program is at fault for leaves no file, neither before nor after the checks of the input.
// RUN: rm %t/*.mlir
// RUN: not env TMPDIR=%t xla-test-backend --rejecting %s 2>&1 | FileCheck %s --check-prefix=REJECTING
// REJECTING-NOT: internal
// REJECTING: error: has more than there is
// REJECTING-NOT: internal
// RUN: not env TMPDIR=%t xla-test-backend --target=cpu %S/Inputs/no-main.mlir 2>&1 | FileCheck %s --check-prefix=MAIN
// MAIN-NOT: internal
// MAIN: error: cannot be compiled: it has no function @main
// RUN: not ls %t/*.mlir

// xla-opt does the same, and the command that it gives repeats the failure. What is given to that is a reproducer already.
// RUN: not env TMPDIR=%t xla-opt --from=linalg --to=llvm %S/Inputs/loop-in-kernel.mlir 2>&1 | FileCheck %s --check-prefix=OPT
// OPT: loop-in-kernel.mlir:14:10: error: 'scf.for' op cannot be computed inside a kernel
// OPT: loop-in-kernel.mlir:14:10: error: internal compiler error in the stage 'loops', pass 'xla-emit-kernels': this is a bug of mlir-xla, unless the stage 'linalg' was written by hand
// OPT: note: the program before it is in [[FILE:.*mlir-xla-kernels-.*.mlir]]; this repeats the failure: xla-opt --from=kernels --to=loops="vector-bits=512 threads=0" [[FILE]]
// RUN: sh -c 'test $(ls %t/*.mlir | wc -l) = 1'
// RUN: not env TMPDIR=%t xla-opt --from=kernels --to=loops="vector-bits=512 threads=0" %t/*.mlir 2>&1 | FileCheck %s --check-prefix=AGAIN
// AGAIN: error: 'scf.for' op cannot be computed inside a kernel
// AGAIN: error: internal compiler error in the stage 'loops'{{.*}}, unless the stage 'kernels' was written by hand
// AGAIN-NOT: note: the program before
// RUN: sh -c 'test $(ls %t/*.mlir | wc -l) = 1'

// Errors of programs leave none.
// RUN: rm %t/*.mlir
// RUN: not env TMPDIR=%t xla-opt --to=llvm %S/Inputs/no-scalar-form.mlir 2>&1 | FileCheck %s --check-prefix=PROGRAM-ERROR
// PROGRAM-ERROR-NOT: internal
// PROGRAM-ERROR: error: 'xla.reduce' op in a scalar computation: only scalar operands
// PROGRAM-ERROR-NOT: internal
// RUN: not ls %t/*.mlir

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
