// A kernel waits for those in front of it before it reads memory: by an instruction of sm_90, which code for older devices
// has in a comment.
// RUN: xla-run --target=cuda --to=binary %s | FileCheck %s --check-prefixes=CHECK,OLD
// RUN: xla-run --target=cuda --chip=sm_90a --to=binary %s | FileCheck %s --check-prefixes=CHECK,NEW

// CHECK-LABEL: .entry
// CHECK-NOT: ld.global
// OLD: //.sm_90 griddepcontrol.wait;
// NEW-NOT: sm_90 grid
// NEW: griddepcontrol.wait;
// CHECK: ld.global
// CHECK: ret;
func.func @main(%x: tensor<100xf32>) -> tensor<100xf32> {
  %0 = xla.negate %x : tensor<100xf32>
  return %0 : tensor<100xf32>
}
