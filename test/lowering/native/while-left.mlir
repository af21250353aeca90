// A loop in a loop of the schedule, and one in a branch of it, where something (scf.index_switch) leaves control flow to upstream's patterns.
// RUN: xla-opt %s --xla-convert-to-llvm | FileCheck %s

// CHECK-LABEL: llvm.func @main(
// CHECK-NOT: scf.
// CHECK-NOT: cf.br
// CHECK: llvm.switch
func.func @main(%p: !llvm.ptr, %n: i64, %which: index) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  %zero = arith.constant 0 : i32
  %r = scf.while (%i = %n) : (i64) -> i64 {
    %more = arith.cmpi sgt, %i, %c0 : i64
    scf.condition(%more) %i : i64
  } do {
  ^bb0(%i: i64):
    scf.for %j = %c0 to %c16 step %c1 : i64 {
      %at = llvm.getelementptr %p[%j] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %zero, %at : i32, !llvm.ptr
    } {xla_rt.nonempty}
    %next = arith.subi %i, %c1 : i64
    scf.yield %next : i64
  }
  scf.index_switch %which
  case 0 {
    llvm.store %r, %p : i64, !llvm.ptr
    scf.for %j = %c0 to %c16 step %c1 : i64 {
      %at = llvm.getelementptr %p[%j] : (!llvm.ptr, i64) -> !llvm.ptr, i64
      llvm.store %j, %at : i64, !llvm.ptr
    } {xla_rt.nonempty}
    scf.yield
  }
  default {
  }
  return
}
