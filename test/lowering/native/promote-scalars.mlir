// What the schedule has on the stack is in registers where its address goes nowhere: the two numbers that this loop
// exchanges, its counter and its condition. None is in memory.
// RUN: xla-test-execute %s --from=llvm --assembly | FileCheck %s --implicit-check-not=rsp --implicit-check-not=movzb

// CHECK: xla_main:
// CHECK: cmpl $7
// CHECK: addl $1
// CHECK: ret{{q?$}}
llvm.func @main(%args: !llvm.ptr, %results: !llvm.ptr, %arena: !llvm.ptr) attributes {xla_rt.arena_size = 64 : i64, xla_rt.signature = (tensor<i32>, tensor<f32>) -> tensor<f32>} {
  %one = llvm.mlir.constant(1 : i64) : i64
  %0 = llvm.mlir.constant(0 : i32) : i32
  %1 = llvm.mlir.constant(1 : i32) : i32
  %7 = llvm.mlir.constant(7 : i32) : i32
  %bytes = llvm.mlir.constant(4 : i64) : i64
  %i = llvm.alloca %one x i32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
  %more = llvm.alloca %one x i8 {alignment = 64 : i64} : (i64) -> !llvm.ptr
  %a = llvm.alloca %one x f32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
  %b = llvm.alloca %one x f32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
  %t = llvm.alloca %one x f32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
  %first = llvm.load %args : !llvm.ptr -> !llvm.ptr
  %place = llvm.getelementptr %args[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  %second = llvm.load %place : !llvm.ptr -> !llvm.ptr
  llvm.store %0, %i : i32, !llvm.ptr
  "llvm.intr.memcpy"(%a, %first, %bytes) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  "llvm.intr.memcpy"(%b, %second, %bytes) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  llvm.br ^head
^head:
  %count = llvm.load %i : !llvm.ptr -> i32
  %less = llvm.icmp "slt" %count, %7 : i32
  %byte = llvm.zext %less : i1 to i8
  llvm.store %byte, %more : i8, !llvm.ptr
  %stored = llvm.load %more : !llvm.ptr -> i8
  %condition = llvm.trunc %stored : i8 to i1
  llvm.cond_br %condition, ^body, ^end
^body:
  %x = llvm.load %a : !llvm.ptr -> f32
  %y = llvm.load %b : !llvm.ptr -> f32
  %sum = llvm.fadd %x, %y : f32
  llvm.store %sum, %a : f32, !llvm.ptr
  "llvm.intr.memcpy"(%t, %a, %bytes) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  "llvm.intr.memcpy"(%a, %b, %bytes) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  "llvm.intr.memcpy"(%b, %t, %bytes) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  %old = llvm.load %i : !llvm.ptr -> i32
  %next = llvm.add %old, %1 : i32
  llvm.store %next, %i : i32, !llvm.ptr
  llvm.br ^head
^end:
  %result = llvm.load %results : !llvm.ptr -> !llvm.ptr
  "llvm.intr.memcpy"(%result, %b, %bytes) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  llvm.return
}
