// RUN: xla-opt %s --xla-inline-kernels | FileCheck %s
// Kernels of a few instructions are written out in loops of the schedule. What else calls them keeps them.

// CHECK-LABEL: func.func @main(
func.func @main(%args: !llvm.ptr, %results: !llvm.ptr, %arena: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: call @next.impl(
  func.call @next.impl(%arena, %arena, %c0, %c1) : (!llvm.ptr, !llvm.ptr, index, index) -> ()
  // CHECK: scf.while
  scf.while : () -> () {
    // CHECK-NOT: call
    // CHECK: %[[I:.*]] = llvm.load %arg2 {{.*}} -> i32
    // CHECK: %[[MORE:.*]] = arith.cmpi slt, %[[I]], %{{.*}} : i32
    // CHECK: %[[BYTE:.*]] = arith.extui %[[MORE]]
    // CHECK: llvm.store %[[BYTE]], %arg1
    func.call @less.impl(%arena, %results, %c0, %c1) : (!llvm.ptr, !llvm.ptr, index, index) -> ()
    %byte = llvm.load %results : !llvm.ptr -> i8
    %more = arith.trunci %byte : i8 to i1
    // CHECK: scf.condition
    scf.condition(%more)
  } do {
    // CHECK-NOT: index_cast
    // CHECK: %[[J:.*]] = llvm.load %arg2 {{.*}} -> i32
    // CHECK: %[[NEXT:.*]] = arith.addi %[[J]],
    // CHECK: llvm.store %[[NEXT]], %arg2
    func.call @next.impl(%arena, %arena, %c0, %c1) : (!llvm.ptr, !llvm.ptr, index, index) -> ()
    // CHECK: func.call @loop.impl(
    func.call @loop.impl(%arena, %arena, %c0, %c1) : (!llvm.ptr, !llvm.ptr, index, index) -> ()
    scf.yield
  }
  return
}

// CHECK: func.func private @next.impl(
func.func private @next.impl(%p: !llvm.ptr, %q: !llvm.ptr, %begin: index, %end: index) {
  %unused = arith.index_cast %begin : index to i64
  %one = arith.constant 1 : i32
  %x = llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> i32
  %y = arith.addi %x, %one : i32
  llvm.store %y, %q {alignment = 4 : i64} : i32, !llvm.ptr
  return
}

// CHECK-NOT: @less.impl
func.func private @less.impl(%p: !llvm.ptr, %q: !llvm.ptr, %begin: index, %end: index) {
  %ten = arith.constant 10 : i32
  %x = llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> i32
  %y = arith.cmpi slt, %x, %ten : i32
  %z = arith.extui %y : i1 to i8
  llvm.store %z, %q {alignment = 1 : i64} : i8, !llvm.ptr
  return
}

// What has loops of its own takes longer than a call.
// CHECK: func.func private @loop.impl(
func.func private @loop.impl(%p: !llvm.ptr, %q: !llvm.ptr, %begin: index, %end: index) {
  %zero = arith.constant 0 : i32
  %c1 = arith.constant 1 : index
  scf.for %i = %begin to %end step %c1 {
    llvm.store %zero, %q {alignment = 4 : i64} : i32, !llvm.ptr
  }
  return
}
