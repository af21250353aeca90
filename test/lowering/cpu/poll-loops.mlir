// RUN: xla-opt %s --xla-poll-loops --split-input-file | FileCheck %s
// RUN: xla-opt %s --xla-poll-loops --split-input-file | xla-opt --split-input-file -o /dev/null

// Loops of the schedule carry a budget from which iterations take: here what the body calls, and their own work.

// CHECK: func.func private @xla_rt_poll()
// CHECK-LABEL: func.func @main
// CHECK: %[[FULL:.*]] = arith.constant 100000 : i64
// CHECK: scf.while (%[[B:.*]] = %[[FULL]]) : (i64) -> i64 {
// CHECK: scf.condition(%{{.*}}) %[[B]] : i64
// CHECK: ^bb0(%[[LEFT:.*]]: i64):
// CHECK: %[[REST:.*]] = arith.subi %[[LEFT]], %{{.*}} : i64
// CHECK: %[[SPENT:.*]] = arith.cmpi slt, %[[REST]]
// CHECK: %[[NEXT:.*]] = scf.if %[[SPENT]] -> (i64) {
// CHECK-NEXT: func.call @xla_rt_poll
// CHECK: scf.yield %{{.*}} : i64
// CHECK: } else {
// CHECK: scf.yield %[[REST]] : i64
// CHECK: }
// CHECK: func.call @small.impl
// CHECK: scf.yield %[[NEXT]] : i64
// CHECK-LABEL: func.func private @small.impl
// CHECK-NOT: call
func.func @main(%args: !llvm.ptr, %results: !llvm.ptr, %arena: !llvm.ptr) attributes {xla_rt.arena_size = 0 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.while : () -> () {
    %more = llvm.load %args : !llvm.ptr -> i1
    scf.condition(%more)
  } do {
    func.call @small.impl(%args, %c0, %c1) : (!llvm.ptr, index, index) -> ()
    scf.yield
  }
  return
}
func.func private @small.impl(%p: !llvm.ptr, %begin: index, %end: index) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c1000 = arith.constant 1000 : i64
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c1000 step %c1 : i64 {
    %q = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %zero, %q : f32, !llvm.ptr
  }
  return
}

// -----

// Loops that take a millisecond or more are cut; those that they consist of are not touched. What is carried goes
// through both.

// CHECK-LABEL: func.func @main
// CHECK: call @long.impl
// CHECK-LABEL: func.func private @long.impl
// CHECK: %[[STEP:.*]] = arith.constant 4 : i64
// CHECK: %[[UPPER:.*]] = arith.constant 100000000 : i64
// CHECK: %[[WIDTH:.*]] = arith.constant {{.*}} : i64
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %[[UPPER]] step %[[WIDTH]] iter_args(%[[OUTER:.*]] = %{{.*}}) -> (f32) : i64 {
// CHECK-NEXT: func.call @xla_rt_poll
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %[[J]], %[[WIDTH]]
// CHECK-NEXT: %[[END:.*]] = arith.minsi %[[SUM]], %[[UPPER]]
// CHECK-NEXT: %[[RESULT:.*]] = scf.for %{{.*}} = %[[J]] to %[[END]] step %[[STEP]] iter_args(%{{.*}} = %[[OUTER]]) -> (f32) : i64 {
// CHECK-NOT: call
// CHECK: } {xla_rt.nonempty}
// CHECK-NEXT: scf.yield %[[RESULT]]
func.func @main(%args: !llvm.ptr, %results: !llvm.ptr, %arena: !llvm.ptr) attributes {xla_rt.arena_size = 0 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  func.call @long.impl(%args, %c0, %c1) : (!llvm.ptr, index, index) -> ()
  return
}
func.func private @long.impl(%p: !llvm.ptr, %begin: index, %end: index) {
  %c0 = arith.constant 0 : i64
  %c4 = arith.constant 4 : i64
  %n = arith.constant 100000000 : i64
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %i = %c0 to %n step %c4 iter_args(%a = %zero) -> (f32) : i64 {
    %q = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %q : !llvm.ptr -> f32
    %b = arith.addf %a, %x : f32
    scf.yield %b : f32
  }
  llvm.store %sum, %p : f32, !llvm.ptr
  return
}

// -----

// The thread pool polls once in a few grains of a parallel loop: nothing is done about its task.

// CHECK-LABEL: func.func private @task.impl
// CHECK: scf.for
// CHECK-NEXT: scf.for
// CHECK-NOT: call
// CHECK: return
func.func private @xla_rt_parallel_for((!llvm.ptr, i64, i64, !llvm.ptr) -> (), !llvm.ptr, i64, i64, i64)
func.func @main(%args: !llvm.ptr, %results: !llvm.ptr, %arena: !llvm.ptr) attributes {xla_rt.arena_size = 0 : i64} {
  %c0 = arith.constant 0 : i64
  %grain = arith.constant 1 : i64
  %n = arith.constant 4096 : i64
  %f = func.constant @task.impl : (!llvm.ptr, i64, i64, !llvm.ptr) -> ()
  func.call @xla_rt_parallel_for(%f, %args, %n, %grain, %c0)
    : ((!llvm.ptr, i64, i64, !llvm.ptr) -> (), !llvm.ptr, i64, i64, i64) -> ()
  return
}
func.func private @task.impl(%p: !llvm.ptr, %from: i64, %to: i64, %scratch: !llvm.ptr) {
  %begin = arith.index_cast %from : i64 to index
  %end = arith.index_cast %to : i64 to index
  %first = arith.index_cast %begin : index to i64
  %last = arith.index_cast %end : index to i64
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %n = arith.constant 10000 : i64
  %zero = arith.constant 0.0 : f32
  scf.for %j = %first to %last step %c1 : i64 {
    scf.for %i = %c0 to %n step %c1 : i64 {
      %q = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %zero, %q : f32, !llvm.ptr
    }
  } {xla_rt.nonempty}
  return
}

// -----

// Where a few grains take long, the task has polls.

// CHECK-LABEL: func.func private @task.impl
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} : i64 {
// CHECK-NEXT: func.call @xla_rt_poll
// CHECK: scf.for
// CHECK-NOT: call
// CHECK: return
func.func private @xla_rt_parallel_for((!llvm.ptr, i64, i64, !llvm.ptr) -> (), !llvm.ptr, i64, i64, i64)
func.func @main(%args: !llvm.ptr, %results: !llvm.ptr, %arena: !llvm.ptr) attributes {xla_rt.arena_size = 0 : i64} {
  %c0 = arith.constant 0 : i64
  %grain = arith.constant 1000 : i64
  %n = arith.constant 4096 : i64
  %f = func.constant @task.impl : (!llvm.ptr, i64, i64, !llvm.ptr) -> ()
  func.call @xla_rt_parallel_for(%f, %args, %n, %grain, %c0)
    : ((!llvm.ptr, i64, i64, !llvm.ptr) -> (), !llvm.ptr, i64, i64, i64) -> ()
  return
}
func.func private @task.impl(%p: !llvm.ptr, %from: i64, %to: i64, %scratch: !llvm.ptr) {
  %begin = arith.index_cast %from : i64 to index
  %end = arith.index_cast %to : i64 to index
  %first = arith.index_cast %begin : index to i64
  %last = arith.index_cast %end : index to i64
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %n = arith.constant 10000 : i64
  %zero = arith.constant 0.0 : f32
  scf.for %j = %first to %last step %c1 : i64 {
    scf.for %i = %c0 to %n step %c1 : i64 {
      %q = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %zero, %q : f32, !llvm.ptr
    }
  } {xla_rt.nonempty}
  return
}

// -----

// A direct call of much work is made for a few items at a time. The kernel stays as it is.

// CHECK-LABEL: func.func @main
// CHECK: scf.for %[[BEGIN:.*]] = %c0 to %c4096 step %[[FEW:.*]] {
// CHECK-NEXT: func.call @xla_rt_poll
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %[[BEGIN]], %[[FEW]]
// CHECK-NEXT: %[[END:.*]] = arith.minsi %[[SUM]], %c4096
// CHECK-NEXT: func.call @rows.impl(%{{.*}}, %[[BEGIN]], %[[END]])
// CHECK-NEXT: } {xla_rt.nonempty}
// CHECK-LABEL: func.func private @rows.impl
// CHECK-NOT: call
func.func @main(%args: !llvm.ptr, %results: !llvm.ptr, %arena: !llvm.ptr) attributes {xla_rt.arena_size = 0 : i64} {
  %c0 = arith.constant 0 : index
  %c4096 = arith.constant 4096 : index
  func.call @rows.impl(%args, %c0, %c4096) : (!llvm.ptr, index, index) -> ()
  return
}
func.func private @rows.impl(%p: !llvm.ptr, %begin: index, %end: index) {
  %first = arith.index_cast %begin : index to i64
  %last = arith.index_cast %end : index to i64
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %n = arith.constant 10000 : i64
  %zero = arith.constant 0.0 : f32
  scf.for %j = %first to %last step %c1 : i64 {
    scf.for %i = %c0 to %n step %c1 : i64 {
      %q = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %zero, %q : f32, !llvm.ptr
    }
  } {xla_rt.nonempty}
  return
}

// -----

// A long line of calls has polls in it, here after every other one.

// CHECK-LABEL: func.func @main
// CHECK: call @half.impl
// CHECK-NEXT: call @half.impl
// CHECK-NEXT: call @xla_rt_poll
// CHECK-NEXT: call @half.impl
// CHECK-NEXT: return
func.func @main(%args: !llvm.ptr, %results: !llvm.ptr, %arena: !llvm.ptr) attributes {xla_rt.arena_size = 0 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  func.call @half.impl(%args, %c0, %c1) : (!llvm.ptr, index, index) -> ()
  func.call @half.impl(%args, %c0, %c1) : (!llvm.ptr, index, index) -> ()
  func.call @half.impl(%args, %c0, %c1) : (!llvm.ptr, index, index) -> ()
  return
}
func.func private @half.impl(%p: !llvm.ptr, %begin: index, %end: index) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %n = arith.constant 1200000 : i64
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 : i64 {
    %q = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %zero, %q : f32, !llvm.ptr
  }
  return
}

// -----

// So has one whose items are no grains, however little that seems to be.

// CHECK-LABEL: func.func private @task.impl
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} : i64 {
// CHECK-NEXT: func.call @xla_rt_poll
// CHECK: return
func.func private @xla_rt_parallel_for((!llvm.ptr, i64, i64, !llvm.ptr) -> (), !llvm.ptr, i64, i64, i64)
func.func @main(%args: !llvm.ptr, %results: !llvm.ptr, %arena: !llvm.ptr) attributes {xla_rt.arena_size = 0 : i64} {
  %c0 = arith.constant 0 : i64
  %n = arith.constant 64 : i64
  %f = func.constant @task.impl : (!llvm.ptr, i64, i64, !llvm.ptr) -> ()
  func.call @xla_rt_parallel_for(%f, %args, %n, %c0, %c0)
    : ((!llvm.ptr, i64, i64, !llvm.ptr) -> (), !llvm.ptr, i64, i64, i64) -> ()
  return
}
func.func private @task.impl(%p: !llvm.ptr, %from: i64, %to: i64, %scratch: !llvm.ptr) {
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  scf.for %j = %from to %to step %c1 : i64 {
    %q = llvm.getelementptr %p[%j] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %zero, %q : f32, !llvm.ptr
  } {xla_rt.nonempty}
  return
}

// -----

// A direct call of items that take long is not split: they may have something in common, such as packed columns. Their
// loop polls.

// CHECK-LABEL: func.func @main
// CHECK-NOT: scf.for
// CHECK: call @items.impl(%{{.*}}, %c0{{.*}}, %c100{{.*}})
// CHECK-LABEL: func.func private @items.impl
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK-NEXT: func.call @xla_rt_poll
func.func @main(%args: !llvm.ptr, %results: !llvm.ptr, %arena: !llvm.ptr) attributes {xla_rt.arena_size = 0 : i64} {
  %c0 = arith.constant 0 : index
  %c100 = arith.constant 100 : index
  func.call @items.impl(%args, %c0, %c100) : (!llvm.ptr, index, index) -> ()
  return
}
func.func private @items.impl(%p: !llvm.ptr, %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100000 : index
  %zero = arith.constant 0.0 : f32
  scf.for %j = %begin to %end step %c1 {
    scf.for %i = %c0 to %n step %c1 {
      %k = arith.index_cast %i : index to i64
      %q = llvm.getelementptr %p[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %zero, %q : f32, !llvm.ptr
    }
  } {xla_rt.nonempty}
  return
}

// -----

// Also where loops within such items poll: how long those take is an estimate.

// CHECK-LABEL: func.func private @longer.impl
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK-NEXT: func.call @xla_rt_poll
// CHECK: scf.for
// CHECK-NEXT: func.call @xla_rt_poll
func.func @main(%args: !llvm.ptr, %results: !llvm.ptr, %arena: !llvm.ptr) attributes {xla_rt.arena_size = 0 : i64} {
  %c0 = arith.constant 0 : index
  %c10 = arith.constant 10 : index
  func.call @longer.impl(%args, %c0, %c10) : (!llvm.ptr, index, index) -> ()
  return
}
func.func private @longer.impl(%p: !llvm.ptr, %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100000000 : index
  %zero = arith.constant 0.0 : f32
  scf.for %j = %begin to %end step %c1 {
    scf.for %i = %c0 to %n step %c1 {
      %k = arith.index_cast %i : index to i64
      %q = llvm.getelementptr %p[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %zero, %q : f32, !llvm.ptr
    }
  } {xla_rt.nonempty}
  return
}
