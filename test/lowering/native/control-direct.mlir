// RUN: xla-opt %s --xla-convert-to-llvm --split-input-file | FileCheck %s

// Functions, calls, loops and branches, with `index` as i64.
// CHECK-LABEL: llvm.func internal @k(
// CHECK-SAME: %[[X:.*]]: !llvm.ptr {llvm.noalias}, %[[N:.*]]: i64, %[[S:.*]]: i32) -> i64
func.func private @k(%x: !llvm.ptr {llvm.noalias}, %n: index, %s: i32) -> index {
  // CHECK-DAG: %[[C0:.*]] = llvm.mlir.constant(0 : i64) : i64
  // CHECK-DAG: %[[C1:.*]] = llvm.mlir.constant(1 : i64) : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[WIDE:.*]] = llvm.sext %[[S]] : i32 to i64
  %wide = arith.index_cast %s : i32 to index
  // A loop that may not run at all tests at its beginning.
  // CHECK: llvm.br ^[[TEST:.*]](%[[C0]], %[[WIDE]] : i64, i64)
  // CHECK: ^[[TEST]](%[[I:.*]]: i64, %[[SUM:.*]]: i64):
  // CHECK: %[[MORE:.*]] = llvm.icmp "slt" %[[I]], %[[N]] : i64
  // CHECK: llvm.cond_br %[[MORE]], ^[[BODY:.*]], ^[[END:.*]]
  // CHECK: ^[[BODY]]:
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%a = %wide) -> index {
    // CHECK: llvm.cond_br %{{.*}}, ^[[THEN:.*]], ^[[ELSE:.*]]
    %p = arith.cmpi eq, %i, %a : index
    // CHECK: ^[[THEN]]:
    // CHECK: llvm.br ^[[JOIN:.*]](%{{.*}} : i64)
    // CHECK: ^[[ELSE]]:
    // CHECK: llvm.br ^[[JOIN]](%[[SUM]] : i64)
    // CHECK: ^[[JOIN]](%[[CHOSEN:.*]]: i64):
    %b = scf.if %p -> index {
      %twice = arith.addi %a, %a : index
      scf.yield %twice : index
    } else {
      scf.yield %a : index
    }
    // CHECK: llvm.cond_br %{{.*}}, ^[[STORE:.*]], ^[[NEXT:.*]]
    // CHECK: ^[[STORE]]:
    // CHECK: llvm.store
    // CHECK: llvm.br ^[[NEXT]]
    // CHECK: ^[[NEXT]]:
    scf.if %p {
      llvm.store %x, %x : !llvm.ptr, !llvm.ptr
    }
    // CHECK: %[[NEXTI:.*]] = llvm.add %[[I]], %[[C1]] : i64
    // CHECK: llvm.br ^[[TEST]](%[[NEXTI]], %[[CHOSEN]] : i64, i64)
    scf.yield %b : index
  }
  // CHECK: ^[[END]]:
  // CHECK: llvm.br ^[[BEFORE:.*]](%[[SUM]] : i64)
  // CHECK: ^[[BEFORE]](%[[W:.*]]: i64):
  // CHECK: llvm.cond_br %{{.*}}, ^[[DO:.*]](%[[W]] : i64), ^[[DONE:.*]]
  %left = scf.while (%w = %sum) : (index) -> index {
    %q = arith.cmpi sgt, %w, %c1 : index
    scf.condition(%q) %w : index
  } do {
  // CHECK: ^[[DO]](%[[V:.*]]: i64):
  // CHECK: %[[LESS:.*]] = llvm.sub %[[V]], %[[C1]]
  // CHECK: llvm.br ^[[BEFORE]](%[[LESS]] : i64)
  ^bb0(%v: index):
    %less = arith.subi %v, %c1 : index
    scf.yield %less : index
  }
  // CHECK: ^[[DONE]]:
  // CHECK: llvm.trunc %[[W]] : i64 to i32
  %narrow = arith.index_cast %left : index to i32
  llvm.store %narrow, %x : i32, !llvm.ptr
  // CHECK: llvm.return %[[W]] : i64
  return %left : index
}

// CHECK-LABEL: llvm.func @main(
func.func @main(%x: !llvm.ptr, %v: vector<8xf32>) {
  // CHECK: %[[K:.*]] = llvm.mlir.addressof @k : !llvm.ptr
  // CHECK: llvm.call @run(%[[K]]) : (!llvm.ptr) -> ()
  %k = func.constant @k : (!llvm.ptr, index, i32) -> index
  func.call @run(%k) : ((!llvm.ptr, index, i32) -> index) -> ()
  // CHECK: llvm.call @k(
  %n = arith.constant 7 : index
  %s = arith.constant 3 : i32
  %r = func.call @k(%x, %n, %s) : (!llvm.ptr, index, i32) -> index
  // CHECK: %[[START:.*]] = llvm.mlir.constant(-0.000000e+00 : f32)
  // CHECK: "llvm.intr.vector.reduce.fadd"(%[[START]], %{{.*}}) <{fastmathFlags = #llvm.fastmath<reassoc>}>
  %start = arith.constant -0.0 : f32
  %sum = vector.reduction <add>, %v, %start : vector<8xf32> into f32
  llvm.store %sum, %x : f32, !llvm.ptr
  // CHECK: "llvm.intr.vector.reduce.smax"
  %i = arith.fptosi %v : vector<8xf32> to vector<8xi32>
  %most = vector.reduction <maxsi>, %i : vector<8xi32> into i32
  llvm.store %most, %x : i32, !llvm.ptr
  // CHECK: llvm.return
  return
}
// CHECK: llvm.func @run(!llvm.ptr)
func.func private @run((!llvm.ptr, index, i32) -> index)

// -----

// What has types that are others for LLVM is left to upstream's conversion, with all around it.
// CHECK-LABEL: llvm.func internal @complex(
// CHECK-SAME: !llvm.struct<(f32, f32)>, %{{.*}}: i64)
// CHECK: llvm.icmp "slt"
func.func @complex(%z: complex<f32>, %n: index) -> complex<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> complex<f32> {
    %b = complex.add %a, %z : complex<f32>
    scf.yield %b : complex<f32>
  }
  return %r : complex<f32>
}
