// RUN: xla-opt %s --xla-inline-kernels=once=true | FileCheck %s
// RUN: xla-opt %s --xla-inline-kernels | FileCheck %s --check-prefix=LOOPS
// Kernels of a few instructions are written out in loops of the schedule. What else calls them keeps them. With `once`,
// those that are called in one place only are written out with their loops.

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
  // CHECK: call @loop.impl(
  func.call @loop.impl(%arena, %arena, %c0, %c1) : (!llvm.ptr, !llvm.ptr, index, index) -> ()
  // LOOPS: call @once.impl(
  // CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step
  // CHECK-NEXT: llvm.store %{{.*}}, %arg1
  func.call @once.impl(%arena, %results, %c0, %c1) : (!llvm.ptr, !llvm.ptr, index, index) -> ()
  // CHECK: call @memory.impl(
  func.call @memory.impl(%arena, %results, %c0, %c1) : (!llvm.ptr, !llvm.ptr, index, index) -> ()
  // CHECK: constant @task.impl
  %task = func.constant @task.impl : (!llvm.ptr, i64, i64, !llvm.ptr) -> ()
  %c1_i64 = arith.constant 1 : i64
  func.call @xla_rt_parallel_for(%task, %arena, %c1_i64, %c1_i64, %c1_i64) : ((!llvm.ptr, i64, i64, !llvm.ptr) -> (), !llvm.ptr, i64, i64, i64) -> ()
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

// What has loops of its own takes longer than a call, and is there once for its two calls.
// CHECK: func.func private @loop.impl(
func.func private @loop.impl(%p: !llvm.ptr, %q: !llvm.ptr, %begin: index, %end: index) {
  %zero = arith.constant 0 : i32
  %c1 = arith.constant 1 : index
  scf.for %i = %begin to %end step %c1 {
    llvm.store %zero, %q {alignment = 4 : i64} : i32, !llvm.ptr
  }
  return
}

// CHECK-NOT: @once.impl
func.func private @once.impl(%p: !llvm.ptr, %q: !llvm.ptr, %begin: index, %end: index) {
  %zero = arith.constant 0 : i32
  %c1 = arith.constant 1 : index
  scf.for %i = %begin to %end step %c1 {
    llvm.store %zero, %q {alignment = 4 : i64} : i32, !llvm.ptr
  }
  return
}

// In a loop, it would need new memory in each iteration.
// CHECK: func.func private @memory.impl(
func.func private @memory.impl(%p: !llvm.ptr, %q: !llvm.ptr, %begin: index, %end: index) {
  %c1 = arith.constant 1 : index
  %c1_i64 = arith.constant 1 : i64
  scf.for %i = %begin to %end step %c1 {
    %own = llvm.alloca %c1_i64 x i32 : (i64) -> !llvm.ptr
    func.call @fill(%own) : (!llvm.ptr) -> ()
  }
  return
}

// CHECK: func.func private @task.impl(
func.func private @task.impl(%args: !llvm.ptr, %begin: i64, %end: i64, %scratch: !llvm.ptr) {
  %zero = arith.constant 0 : i32
  llvm.store %zero, %args {alignment = 4 : i64} : i32, !llvm.ptr
  return
}

func.func private @fill(!llvm.ptr)
func.func private @xla_rt_parallel_for((!llvm.ptr, i64, i64, !llvm.ptr) -> (), !llvm.ptr, i64, i64, i64)
