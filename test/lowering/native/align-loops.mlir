// Functions and loops that are one block begin with a cache line, wherever they are; other blocks do not.
// RUN: xla-test-execute %s --from=llvm --assembly | FileCheck %s

// CHECK: .p2align 6
// CHECK: xla_main:
// CHECK-NOT: .p2align
// CHECK: .p2align 6
// CHECK-NEXT: [[INNER:.*]]:
// CHECK-NOT: .p2align
// CHECK: jl [[INNER]]
// CHECK-NOT: .p2align
// CHECK: ret{{q?$}}
llvm.func @main(%args: !llvm.ptr, %results: !llvm.ptr, %arena: !llvm.ptr) attributes {xla_rt.arena_size = 64 : i64, xla_rt.signature = (tensor<16xi32>) -> tensor<16xi32>} {
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %c16 = llvm.mlir.constant(16 : i64) : i64
  %source = llvm.load %args : !llvm.ptr -> !llvm.ptr
  %target = llvm.load %results : !llvm.ptr -> !llvm.ptr
  llvm.br ^outer(%c0 : i64)
^outer(%i: i64):
  llvm.br ^inner(%c0 : i64)
^inner(%j: i64):
  %from = llvm.getelementptr %source[%j] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  %x = llvm.load %from : !llvm.ptr -> i32
  %to = llvm.getelementptr %target[%j] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  llvm.store %x, %to : i32, !llvm.ptr
  %j1 = llvm.add %j, %c1 : i64
  %more = llvm.icmp "slt" %j1, %c16 : i64
  llvm.cond_br %more, ^inner(%j1 : i64), ^next
^next:
  %i1 = llvm.add %i, %c1 : i64
  %again = llvm.icmp "slt" %i1, %c16 : i64
  llvm.cond_br %again, ^outer(%i1 : i64), ^end
^end:
  llvm.return
}
