// A loop whose first iteration is certain is one block; a loop that runs once is none.
// RUN: xla-opt %s --xla-convert-to-llvm | FileCheck %s

// CHECK-LABEL: llvm.func internal @certain(
// CHECK-NEXT: %[[LB:.*]] = llvm.mlir.constant(0 : i64)
// CHECK-NEXT: %[[UB:.*]] = llvm.mlir.constant(8 : i64)
// CHECK-NEXT: %[[STEP:.*]] = llvm.mlir.constant(2 : i64)
// CHECK-NEXT: llvm.br ^[[BODY:.*]](%[[LB]], %arg0 : i64, f32)
// CHECK-NEXT: ^[[BODY]](%[[I:.*]]: i64, %[[X:.*]]: f32):
// CHECK-NEXT: %[[Y:.*]] = llvm.fadd %[[X]], %[[X]]
// CHECK-NEXT: %[[NEXT:.*]] = llvm.add %[[I]], %[[STEP]]
// CHECK-NEXT: %[[MORE:.*]] = llvm.icmp "slt" %[[NEXT]], %[[UB]]
// CHECK-NEXT: llvm.cond_br %[[MORE]], ^[[BODY]](%[[NEXT]], %[[Y]] : i64, f32), ^[[END:.*]]
// CHECK-NEXT: ^[[END]]:
// CHECK-NEXT: llvm.return %[[Y]]
func.func private @certain(%x: f32) -> f32 {
  %lb = arith.constant 0 : i64
  %ub = arith.constant 8 : i64
  %step = arith.constant 2 : i64
  %r = scf.for %i = %lb to %ub step %step iter_args(%a = %x) -> (f32) : i64 {
    %y = arith.addf %a, %a : f32
    scf.yield %y : f32
  }
  return %r : f32
}

// CHECK-LABEL: llvm.func internal @once(
// CHECK-NOT: llvm.br
// CHECK-NOT: llvm.cond_br
// CHECK: llvm.store
// CHECK: llvm.return %arg1
func.func private @once(%begin: i64, %x: f32, %p: !llvm.ptr) -> f32 {
  %step = arith.constant 4 : i64
  %end = arith.addi %begin, %step : i64
  %r = scf.for %i = %begin to %end step %step iter_args(%a = %x) -> (f32) : i64 {
    llvm.store %i, %p : i64, !llvm.ptr
    scf.yield %a : f32
  }
  return %r : f32
}

// CHECK-LABEL: llvm.func internal @promised(
// CHECK: llvm.br ^[[BODY:.*]](%arg0 : i64)
// CHECK: ^[[BODY]](%[[I:.*]]: i64):
// CHECK: llvm.cond_br %{{.*}}, ^[[BODY]](%{{.*}} : i64), ^{{.*}}
func.func private @promised(%begin: i64, %end: i64, %p: !llvm.ptr) {
  %step = arith.constant 1 : i64
  scf.for %i = %begin to %end step %step : i64 {
    llvm.store %i, %p : i64, !llvm.ptr
  } {xla_rt.nonempty}
  return
}

// An empty loop stays empty: it is tested before its first iteration.
// CHECK-LABEL: llvm.func internal @uncertain(
// CHECK: llvm.br ^[[TEST:.*]](%arg0 : i64)
// CHECK: ^[[TEST]](%[[I:.*]]: i64):
// CHECK-NEXT: llvm.icmp "slt" %[[I]], %arg1
func.func private @uncertain(%begin: i64, %end: i64, %p: !llvm.ptr) {
  %step = arith.constant 1 : i64
  scf.for %i = %begin to %end step %step : i64 {
    llvm.store %i, %p : i64, !llvm.ptr
  }
  return
}

// The schedule's loops over items of work have indices of type `index`. In a loop they are left to the conversion.
// CHECK-LABEL: llvm.func internal @in_a_loop(
// CHECK: llvm.call @item(%{{.*}}) : (i64) -> ()
// CHECK: llvm.return
func.func private @item(%i: index)
func.func private @in_a_loop(%start: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r = scf.while (%left = %start) : (i64) -> i64 {
    %more = arith.cmpi sgt, %left, %zero : i64
    scf.condition(%more) %left : i64
  } do {
  ^bb0(%left: i64):
    scf.for %i = %c0 to %c8 step %c1 {
      func.call @item(%i) : (index) -> ()
    } {xla_rt.nonempty}
    %rest = arith.subi %left, %one : i64
    scf.yield %rest : i64
  }
  return %r : i64
}
