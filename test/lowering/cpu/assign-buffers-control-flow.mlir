// RUN: split-file %s %t
// RUN: cat %t/00.mlir %t/kernels.mlir > %t/all-00.mlir
// RUN: xla-opt %t/all-00.mlir --xla-assign-buffers | FileCheck %t/00.mlir
// RUN: xla-test-execute %t/all-00.mlir --from=kernels | FileCheck %t/00.mlir --check-prefix=EXEC
// RUN: cat %t/01.mlir %t/kernels.mlir > %t/all-01.mlir
// RUN: xla-opt %t/all-01.mlir --xla-assign-buffers | FileCheck %t/01.mlir
// RUN: xla-test-execute %t/all-01.mlir --from=kernels | FileCheck %t/01.mlir --check-prefix=EXEC
// RUN: cat %t/02.mlir %t/kernels.mlir > %t/all-02.mlir
// RUN: xla-opt %t/all-02.mlir --xla-assign-buffers | FileCheck %t/02.mlir
// RUN: xla-test-execute %t/all-02.mlir --from=kernels | FileCheck %t/02.mlir --check-prefix=EXEC
// RUN: cat %t/03.mlir %t/kernels.mlir > %t/all-03.mlir
// RUN: xla-opt %t/all-03.mlir --xla-assign-buffers | FileCheck %t/03.mlir
// RUN: xla-test-execute %t/all-03.mlir --from=kernels | FileCheck %t/03.mlir --check-prefix=EXEC
// RUN: cat %t/04.mlir %t/kernels.mlir > %t/all-04.mlir
// RUN: xla-opt %t/all-04.mlir --xla-assign-buffers | FileCheck %t/04.mlir
// RUN: xla-test-execute %t/all-04.mlir --from=kernels | FileCheck %t/04.mlir --check-prefix=EXEC
// RUN: cat %t/05.mlir %t/kernels.mlir > %t/all-05.mlir
// RUN: xla-opt %t/all-05.mlir --xla-assign-buffers | FileCheck %t/05.mlir
// RUN: xla-test-execute %t/all-05.mlir --from=kernels | FileCheck %t/05.mlir --check-prefix=EXEC
// RUN: cat %t/06.mlir %t/kernels.mlir > %t/all-06.mlir
// RUN: xla-opt %t/all-06.mlir --xla-assign-buffers | FileCheck %t/06.mlir
// RUN: xla-test-execute %t/all-06.mlir --from=kernels | FileCheck %t/06.mlir --check-prefix=EXEC
// RUN: cat %t/07.mlir %t/kernels.mlir > %t/all-07.mlir
// RUN: xla-opt %t/all-07.mlir --xla-assign-buffers | FileCheck %t/07.mlir
// RUN: xla-test-execute %t/all-07.mlir --from=kernels | FileCheck %t/07.mlir --check-prefix=EXEC
// RUN: cat %t/08.mlir %t/kernels.mlir > %t/all-08.mlir
// RUN: xla-opt %t/all-08.mlir --xla-assign-buffers | FileCheck %t/08.mlir
// RUN: xla-test-execute %t/all-08.mlir --from=kernels | FileCheck %t/08.mlir --check-prefix=EXEC
// RUN: cat %t/09.mlir %t/kernels.mlir > %t/all-09.mlir
// RUN: xla-opt %t/all-09.mlir --xla-assign-buffers | FileCheck %t/09.mlir
// RUN: xla-test-execute %t/all-09.mlir --from=kernels | FileCheck %t/09.mlir --check-prefix=EXEC
// RUN: cat %t/10.mlir %t/kernels.mlir > %t/all-10.mlir
// RUN: xla-opt %t/all-10.mlir --xla-assign-buffers | FileCheck %t/10.mlir
// RUN: xla-test-execute %t/all-10.mlir --from=kernels | FileCheck %t/10.mlir --check-prefix=EXEC
// RUN: cat %t/11.mlir %t/kernels.mlir > %t/all-11.mlir
// RUN: xla-opt %t/all-11.mlir --xla-assign-buffers | FileCheck %t/11.mlir
// RUN: xla-test-execute %t/all-11.mlir --from=kernels | FileCheck %t/11.mlir --check-prefix=EXEC
// RUN: cat %t/12.mlir %t/kernels.mlir > %t/all-12.mlir
// RUN: xla-opt %t/all-12.mlir --xla-assign-buffers | FileCheck %t/12.mlir
// RUN: xla-test-execute %t/all-12.mlir --from=kernels | FileCheck %t/12.mlir --check-prefix=EXEC
// RUN: cat %t/13.mlir %t/kernels.mlir > %t/all-13.mlir
// RUN: xla-opt %t/all-13.mlir --xla-assign-buffers | FileCheck %t/13.mlir
// RUN: xla-test-execute %t/all-13.mlir --from=kernels | FileCheck %t/13.mlir --check-prefix=EXEC
// RUN: cat %t/14.mlir %t/kernels.mlir > %t/all-14.mlir
// RUN: xla-opt %t/all-14.mlir --xla-assign-buffers | FileCheck %t/14.mlir
// RUN: xla-test-execute %t/all-14.mlir --from=kernels | FileCheck %t/14.mlir --check-prefix=EXEC

// Loops and branches of the schedule: what they carry, what they copy, and that they compute the right thing. Arguments are
// 0, 1, 2, ...; each test is put together with the kernels at the end.

//--- 00.mlir

// A body that works in place carries no pointers: the value stays in the result's buffer, the counter in the arena.

// EXEC: i32[4] 5 6 7 8
// 
// CHECK-LABEL: func.func @main(
// CHECK: "llvm.intr.memcpy"(%[[R:.*]], %{{.*}}, %{{.*}})
// CHECK-NOT: memcpy
// CHECK: scf.while : () -> () {
// CHECK: scf.condition(%{{[^ ]*}})
// CHECK: call @inc.impl(%[[R]], %[[R]],
// CHECK-NOT: memcpy
// CHECK: return
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %zero = arith.constant dense<0> : tensor<i32>
  %n = arith.constant dense<5> : tensor<i32>
  %r:2 = scf.while (%i = %zero, %a = %x) : (tensor<i32>, tensor<4xi32>) -> (tensor<i32>, tensor<4xi32>) {
    %p = func.call @less(%i, %n) : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %more = tensor.extract %p[] : tensor<i1>
    scf.condition(%more) %i, %a : tensor<i32>, tensor<4xi32>
  } do {
  ^bb0(%j: tensor<i32>, %a_: tensor<4xi32>):
    %i2 = func.call @next(%j) : (tensor<i32>) -> tensor<i32>
    %0 = func.call @inc(%a_) : (tensor<4xi32>) -> tensor<4xi32>
    scf.yield %i2, %0 : tensor<i32>, tensor<4xi32>
  }
  return %r#1 : tensor<4xi32>
}

//--- 01.mlir

// A tied update of a carried value happens in place as well.

// EXEC: i32[4] 100 100 100 100
// 
// CHECK-LABEL: func.func @main(
// CHECK: scf.while : () -> () {
// CHECK-NOT: memcpy
// CHECK: call @update.impl(%[[R:[^,]*]], %{{[^,]*}}, %[[R]],
// CHECK-NOT: memcpy
// CHECK: return
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %zero = arith.constant dense<0> : tensor<i32>
  %n = arith.constant dense<5> : tensor<i32>
  %r:2 = scf.while (%i = %zero, %a = %x) : (tensor<i32>, tensor<4xi32>) -> (tensor<i32>, tensor<4xi32>) {
    %p = func.call @less(%i, %n) : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %more = tensor.extract %p[] : tensor<i1>
    scf.condition(%more) %i, %a : tensor<i32>, tensor<4xi32>
  } do {
  ^bb0(%j: tensor<i32>, %a_: tensor<4xi32>):
    %i2 = func.call @next(%j) : (tensor<i32>) -> tensor<i32>
    %s = tensor.extract %j[] : tensor<i32>
    %s1 = arith.index_cast %s : i32 to index
    %c3 = arith.constant 3 : index
    %at = arith.minsi %s1, %c3 : index
    %0 = func.call @update(%a_, %at) : (tensor<4xi32>, index) -> tensor<4xi32>
    scf.yield %i2, %0 : tensor<i32>, tensor<4xi32>
  }
  return %r#1 : tensor<4xi32>
}

//--- 02.mlir

// A new value goes to the spare buffer; the two pointers are swapped and the result is copied once.

// EXEC: i32[4] 3 2 1 0
// 
// CHECK-LABEL: func.func @main(
// CHECK: %[[LOOP:.*]]:2 = scf.while (%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}) : (!llvm.ptr, !llvm.ptr) -> (!llvm.ptr, !llvm.ptr) {
// CHECK: scf.condition(%{{.*}}) %[[A]], %[[B]]
// CHECK: ^bb0(%[[C:.*]]: !llvm.ptr, %[[D:.*]]: !llvm.ptr):
// CHECK-NOT: memcpy
// CHECK: call @rev.impl(%[[C]], %[[D]],
// CHECK-NOT: memcpy
// CHECK: scf.yield %[[D]], %[[C]]
// CHECK: "llvm.intr.memcpy"(%{{.*}}, %[[LOOP]]#0,
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %zero = arith.constant dense<0> : tensor<i32>
  %n = arith.constant dense<5> : tensor<i32>
  %r:2 = scf.while (%i = %zero, %a = %x) : (tensor<i32>, tensor<4xi32>) -> (tensor<i32>, tensor<4xi32>) {
    %p = func.call @less(%i, %n) : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %more = tensor.extract %p[] : tensor<i1>
    scf.condition(%more) %i, %a : tensor<i32>, tensor<4xi32>
  } do {
  ^bb0(%j: tensor<i32>, %a_: tensor<4xi32>):
    %i2 = func.call @next(%j) : (tensor<i32>) -> tensor<i32>
    %0 = func.call @rev(%a_) : (tensor<4xi32>) -> tensor<4xi32>
    scf.yield %i2, %0 : tensor<i32>, tensor<4xi32>
  }
  return %r#1 : tensor<4xi32>
}

//--- 03.mlir

// Carried values that change places are pointers that change places.

// EXEC: i32[4] 5 6 7 8
// EXEC-NEXT: i32[4] 0 1 2 3
// 
// CHECK-LABEL: func.func @main(
// CHECK: scf.while (%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : (!llvm.ptr, !llvm.ptr) -> (!llvm.ptr, !llvm.ptr) {
// CHECK: ^bb0(%[[C:.*]]: !llvm.ptr, %[[D:.*]]: !llvm.ptr):
// CHECK-NOT: memcpy
// CHECK: scf.yield %[[D]], %[[C]]
func.func @main(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %zero = arith.constant dense<0> : tensor<i32>
  %n = arith.constant dense<5> : tensor<i32>
  %y0 = func.call @inc(%x) : (tensor<4xi32>) -> tensor<4xi32>
  %y1 = func.call @inc(%y0) : (tensor<4xi32>) -> tensor<4xi32>
  %y2 = func.call @inc(%y1) : (tensor<4xi32>) -> tensor<4xi32>
  %y3 = func.call @inc(%y2) : (tensor<4xi32>) -> tensor<4xi32>
  %y = func.call @inc(%y3) : (tensor<4xi32>) -> tensor<4xi32>
  %r:3 = scf.while (%i = %zero, %a = %x, %b = %y) : (tensor<i32>, tensor<4xi32>, tensor<4xi32>) -> (tensor<i32>, tensor<4xi32>, tensor<4xi32>) {
    %p = func.call @less(%i, %n) : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %more = tensor.extract %p[] : tensor<i1>
    scf.condition(%more) %i, %a, %b : tensor<i32>, tensor<4xi32>, tensor<4xi32>
  } do {
  ^bb0(%j: tensor<i32>, %a_: tensor<4xi32>, %b_: tensor<4xi32>):
    %i2 = func.call @next(%j) : (tensor<i32>) -> tensor<i32>

    scf.yield %i2, %b_, %a_ : tensor<i32>, tensor<4xi32>, tensor<4xi32>
  }
  return %r#1, %r#2 : tensor<4xi32>, tensor<4xi32>
}

//--- 04.mlir

// Fibonacci: (a, b) <- (b, a + b), the sum in place of a.

// EXEC: i32[4] 5 10 15 20
// EXEC-NEXT: i32[4] 8 16 24 32
// 
// CHECK-LABEL: func.func @main(
// CHECK: ^bb0(%[[C:.*]]: !llvm.ptr, %[[D:.*]]: !llvm.ptr):
// CHECK-NOT: memcpy
// CHECK: call @add.impl(%[[C]], %[[D]], %[[C]],
// CHECK: scf.yield %[[D]], %[[C]]
func.func @main(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %zero = arith.constant dense<0> : tensor<i32>
  %n = arith.constant dense<5> : tensor<i32>
  %c = arith.constant dense<0> : tensor<4xi32>
  %y = func.call @inc(%x) : (tensor<4xi32>) -> tensor<4xi32>
  %r:3 = scf.while (%i = %zero, %a = %c, %b = %y) : (tensor<i32>, tensor<4xi32>, tensor<4xi32>) -> (tensor<i32>, tensor<4xi32>, tensor<4xi32>) {
    %p = func.call @less(%i, %n) : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %more = tensor.extract %p[] : tensor<i1>
    scf.condition(%more) %i, %a, %b : tensor<i32>, tensor<4xi32>, tensor<4xi32>
  } do {
  ^bb0(%j: tensor<i32>, %a_: tensor<4xi32>, %b_: tensor<4xi32>):
    %i2 = func.call @next(%j) : (tensor<i32>) -> tensor<i32>
    %0 = func.call @add(%a_, %b_) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    scf.yield %i2, %b_, %0 : tensor<i32>, tensor<4xi32>, tensor<4xi32>
  }
  return %r#1, %r#2 : tensor<4xi32>, tensor<4xi32>
}

//--- 05.mlir

// A value yielded twice, a value from outside and a constant are copied, in the loop.

// EXEC: i32[4] 6 7 8 9
// EXEC-NEXT: i32[4] 6 7 8 9
// EXEC-NEXT: i32[4] 0 1 2 3
// EXEC-NEXT: i32[4] 7 7 7 7
// 
// CHECK-LABEL: func.func @main(
// CHECK: scf.while
// CHECK: } do {
// CHECK-COUNT-2: "llvm.intr.memcpy"
// CHECK: call @xla_rt_fill
// CHECK: scf.yield
func.func @main(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
  %zero = arith.constant dense<0> : tensor<i32>
  %n = arith.constant dense<5> : tensor<i32>
  %y = func.call @inc(%x) : (tensor<4xi32>) -> tensor<4xi32>
  %seven = arith.constant dense<7> : tensor<4xi32>
  %r:5 = scf.while (%i = %zero, %a = %y, %b = %y, %c = %y, %d = %y) : (tensor<i32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> (tensor<i32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
    %p = func.call @less(%i, %n) : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %more = tensor.extract %p[] : tensor<i1>
    scf.condition(%more) %i, %a, %b, %c, %d : tensor<i32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
  } do {
  ^bb0(%j: tensor<i32>, %a_: tensor<4xi32>, %b_: tensor<4xi32>, %c_: tensor<4xi32>, %d_: tensor<4xi32>):
    %i2 = func.call @next(%j) : (tensor<i32>) -> tensor<i32>
    %0 = func.call @inc(%a_) : (tensor<4xi32>) -> tensor<4xi32>
    scf.yield %i2, %0, %0, %x, %seven : tensor<i32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
  }
  return %r#1, %r#2, %r#3, %r#4 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
}

//--- 06.mlir

// A loop that carries a value unchanged does not touch it: no copy of the argument before the loop either.

// EXEC: i32[4] 0 5 10 15
// EXEC-NEXT: i32[4] 0 1 2 3
// 
// CHECK-LABEL: func.func @main(
// CHECK-NOT: memcpy
// CHECK: scf.while : () -> () {
// CHECK: call @add.impl(%[[R:[^,]*]], %[[X:[^,]*]], %[[R]],
// CHECK: "llvm.intr.memcpy"(%{{.*}}, %[[X]],
func.func @main(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %zero = arith.constant dense<0> : tensor<i32>
  %n = arith.constant dense<5> : tensor<i32>
  %c = arith.constant dense<0> : tensor<4xi32>
  %r:3 = scf.while (%i = %zero, %a = %c, %b = %x) : (tensor<i32>, tensor<4xi32>, tensor<4xi32>) -> (tensor<i32>, tensor<4xi32>, tensor<4xi32>) {
    %p = func.call @less(%i, %n) : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %more = tensor.extract %p[] : tensor<i1>
    scf.condition(%more) %i, %a, %b : tensor<i32>, tensor<4xi32>, tensor<4xi32>
  } do {
  ^bb0(%j: tensor<i32>, %a_: tensor<4xi32>, %b_: tensor<4xi32>):
    %i2 = func.call @next(%j) : (tensor<i32>) -> tensor<i32>
    %0 = func.call @add(%a_, %b_) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    scf.yield %i2, %0, %b_ : tensor<i32>, tensor<4xi32>, tensor<4xi32>
  }
  return %r#1, %r#2 : tensor<4xi32>, tensor<4xi32>
}

//--- 07.mlir

// Nested loops share the pair of buffers: the inner loop swaps what the outer one carries, whatever the order is when
// it ends.

// EXEC: i32[4] 18 17 16 15
// 
// CHECK-LABEL: func.func @main(
// CHECK: scf.while
// CHECK: scf.while
// CHECK-NOT: "llvm.intr.memcpy"
// CHECK: call @rev.impl
// CHECK-NOT: "llvm.intr.memcpy"
// CHECK: call @inc.impl
// CHECK: scf.yield
// CHECK: scf.yield
// CHECK: "llvm.intr.memcpy"
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %zero = arith.constant dense<0> : tensor<i32>
  %n = arith.constant dense<5> : tensor<i32>
  %three = arith.constant dense<3> : tensor<i32>
  %r:2 = scf.while (%i = %zero, %a = %x) : (tensor<i32>, tensor<4xi32>) -> (tensor<i32>, tensor<4xi32>) {
    %p = func.call @less(%i, %n) : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %more = tensor.extract %p[] : tensor<i1>
    scf.condition(%more) %i, %a : tensor<i32>, tensor<4xi32>
  } do {
  ^bb0(%j: tensor<i32>, %a_: tensor<4xi32>):
    %i2 = func.call @next(%j) : (tensor<i32>) -> tensor<i32>
    %q:2 = scf.while (%k = %zero, %u = %a_) : (tensor<i32>, tensor<4xi32>) -> (tensor<i32>, tensor<4xi32>) {
      %p1 = func.call @less(%k, %three) : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %b1 = tensor.extract %p1[] : tensor<i1>
      scf.condition(%b1) %k, %u : tensor<i32>, tensor<4xi32>
    } do {
    ^bb0(%k_: tensor<i32>, %u_: tensor<4xi32>):
      %k2 = func.call @next(%k_) : (tensor<i32>) -> tensor<i32>
      %v = func.call @rev(%u_) : (tensor<4xi32>) -> tensor<4xi32>
      %v2 = func.call @inc(%v) : (tensor<4xi32>) -> tensor<4xi32>
      scf.yield %k2, %v2 : tensor<i32>, tensor<4xi32>
    }
    scf.yield %i2, %q#1 : tensor<i32>, tensor<4xi32>
  }
  return %r#1 : tensor<4xi32>
}

//--- 08.mlir

// A branch that keeps the value and one that updates it in place: nothing to carry.

// EXEC: i32[4] 3 4 5 6
// 
// CHECK-LABEL: func.func @main(
// CHECK: scf.while : () -> () {
// CHECK-NOT: memcpy
// CHECK: scf.if
// CHECK-NEXT: call @inc.impl(%[[R:[^,]*]], %[[R]],
// CHECK-NOT: memcpy
// CHECK: return
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %zero = arith.constant dense<0> : tensor<i32>
  %n = arith.constant dense<5> : tensor<i32>
  %r:2 = scf.while (%i = %zero, %a = %x) : (tensor<i32>, tensor<4xi32>) -> (tensor<i32>, tensor<4xi32>) {
    %p = func.call @less(%i, %n) : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %more = tensor.extract %p[] : tensor<i1>
    scf.condition(%more) %i, %a : tensor<i32>, tensor<4xi32>
  } do {
  ^bb0(%j: tensor<i32>, %a_: tensor<4xi32>):
    %i2 = func.call @next(%j) : (tensor<i32>) -> tensor<i32>
    %s = tensor.extract %j[] : tensor<i32>
    %one = arith.constant 1 : i32
    %odd = arith.andi %s, %one : i32
    %zero32 = arith.constant 0 : i32
    %even = arith.cmpi eq, %odd, %zero32 : i32
    %0 = scf.if %even -> tensor<4xi32> {
      %1 = func.call @inc(%a_) : (tensor<4xi32>) -> tensor<4xi32>
      scf.yield %1 : tensor<4xi32>
    } else {
      scf.yield %a_ : tensor<4xi32>
    }
    scf.yield %i2, %0 : tensor<i32>, tensor<4xi32>
  }
  return %r#1 : tensor<4xi32>
}

//--- 09.mlir

// A branch that keeps the value and one that computes a new one: the branch decides which pointer goes on.

// EXEC: i32[4] 3 2 1 0
// 
// CHECK-LABEL: func.func @main(
// CHECK: scf.while (
// CHECK-NOT: memcpy
// CHECK: %[[IF:.*]]:2 = scf.if
// CHECK-NEXT: call @rev.impl(%[[C:[^,]*]], %[[D:[^,]*]],
// CHECK-NEXT: scf.yield %[[D]], %[[C]]
// CHECK: scf.yield %[[C]], %[[D]]
// CHECK: scf.yield %[[IF]]#0, %[[IF]]#1
// CHECK: "llvm.intr.memcpy"
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %zero = arith.constant dense<0> : tensor<i32>
  %n = arith.constant dense<5> : tensor<i32>
  %r:2 = scf.while (%i = %zero, %a = %x) : (tensor<i32>, tensor<4xi32>) -> (tensor<i32>, tensor<4xi32>) {
    %p = func.call @less(%i, %n) : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %more = tensor.extract %p[] : tensor<i1>
    scf.condition(%more) %i, %a : tensor<i32>, tensor<4xi32>
  } do {
  ^bb0(%j: tensor<i32>, %a_: tensor<4xi32>):
    %i2 = func.call @next(%j) : (tensor<i32>) -> tensor<i32>
    %s = tensor.extract %j[] : tensor<i32>
    %one = arith.constant 1 : i32
    %odd = arith.andi %s, %one : i32
    %zero32 = arith.constant 0 : i32
    %even = arith.cmpi eq, %odd, %zero32 : i32
    %0 = scf.if %even -> tensor<4xi32> {
      %1 = func.call @rev(%a_) : (tensor<4xi32>) -> tensor<4xi32>
      scf.yield %1 : tensor<4xi32>
    } else {
      scf.yield %a_ : tensor<4xi32>
    }
    scf.yield %i2, %0 : tensor<i32>, tensor<4xi32>
  }
  return %r#1 : tensor<4xi32>
}

//--- 10.mlir

// The cases of a switch may give back buffers in different orders.

// EXEC: i32[4] 2 3 4 5
// EXEC-NEXT: i32[4] 1 2 3 4
// 
// CHECK-LABEL: func.func @main(
// CHECK: scf.index_switch
// CHECK: default
// CHECK: call @rev.impl
// CHECK: call @inc.impl(%[[U:[^,]*]], %[[U]],
// CHECK: scf.yield
func.func @main(%x: tensor<4xi32>, %y: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %c1 = arith.constant 1 : index
  %t = func.call @inc(%x) : (tensor<4xi32>) -> tensor<4xi32>
  %u = func.call @inc(%t) : (tensor<4xi32>) -> tensor<4xi32>
  %0:2 = scf.index_switch %c1 -> tensor<4xi32>, tensor<4xi32>
  case 0 {
    scf.yield %t, %u : tensor<4xi32>, tensor<4xi32>
  }
  case 1 {
    scf.yield %u, %t : tensor<4xi32>, tensor<4xi32>
  }
  default {
    %1 = func.call @rev(%t) : (tensor<4xi32>) -> tensor<4xi32>
    %2 = func.call @inc(%u) : (tensor<4xi32>) -> tensor<4xi32>
    scf.yield %1, %2 : tensor<4xi32>, tensor<4xi32>
  }
  return %0#0, %0#1 : tensor<4xi32>, tensor<4xi32>
}

//--- 11.mlir

// Branches with new values of their own write to the same buffer, here the result's.

// EXEC: i32[4] 3 2 1 0
// 
// CHECK-LABEL: func.func @main(
// CHECK-SAME: xla_rt.arena_size = 0
// CHECK: scf.if %{{[^ ]*}} {
// CHECK-NEXT: call @rev.impl(%{{.*}}, %[[R:[^,]*]],
// CHECK-NEXT: } else {
// CHECK-NEXT: call @inc.impl(%{{.*}}, %[[R]],
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %true = arith.constant true
  %0 = scf.if %true -> tensor<4xi32> {
    %1 = func.call @rev(%x) : (tensor<4xi32>) -> tensor<4xi32>
    scf.yield %1 : tensor<4xi32>
  } else {
    %1 = func.call @inc(%x) : (tensor<4xi32>) -> tensor<4xi32>
    scf.yield %1 : tensor<4xi32>
  }
  return %0 : tensor<4xi32>
}

//--- 12.mlir

// A loop in a branch: its spare buffer belongs to both branches, and the else side passes the value on.

// EXEC: i32[4] 10 9 8 7
// 
// CHECK-LABEL: func.func @main(
// CHECK: scf.if
// CHECK: scf.while
// CHECK: } else {
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %true = arith.constant true
  %zero = arith.constant dense<0> : tensor<i32>
  %three = arith.constant dense<5> : tensor<i32>
  %a0 = func.call @inc(%x) : (tensor<4xi32>) -> tensor<4xi32>
  %a_ = func.call @inc(%a0) : (tensor<4xi32>) -> tensor<4xi32>
  %0 = scf.if %true -> tensor<4xi32> {
    %q:2 = scf.while (%k = %zero, %u = %a_) : (tensor<i32>, tensor<4xi32>) -> (tensor<i32>, tensor<4xi32>) {
      %p1 = func.call @less(%k, %three) : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %b1 = tensor.extract %p1[] : tensor<i1>
      scf.condition(%b1) %k, %u : tensor<i32>, tensor<4xi32>
    } do {
    ^bb0(%k_: tensor<i32>, %u_: tensor<4xi32>):
      %k2 = func.call @next(%k_) : (tensor<i32>) -> tensor<i32>
      %v = func.call @rev(%u_) : (tensor<4xi32>) -> tensor<4xi32>
      %v2 = func.call @inc(%v) : (tensor<4xi32>) -> tensor<4xi32>
      scf.yield %k2, %v2 : tensor<i32>, tensor<4xi32>
    }
    scf.yield %q#1 : tensor<4xi32>
  } else {
    scf.yield %a_ : tensor<4xi32>
  }
  return %0 : tensor<4xi32>
}

//--- 13.mlir

// A counted loop is a while loop.

// EXEC: i32[4] 6 7 8 9
// 
// CHECK-LABEL: func.func @main(
// CHECK: scf.while (%[[I:.*]] = %{{.*}}) : (index) -> index {
// CHECK: arith.cmpi slt, %[[I]],
// CHECK: call @inc.impl(%[[R:[^,]*]], %[[R]],
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c12 = arith.constant 12 : index
  %0 = scf.for %i = %c0 to %c12 step %c2 iter_args(%a = %x) -> tensor<4xi32> {
    %1 = func.call @inc(%a) : (tensor<4xi32>) -> tensor<4xi32>
    scf.yield %1 : tensor<4xi32>
  }
  return %0 : tensor<4xi32>
}

//--- 14.mlir

// The condition may compute what it hands to the body, also of another type than what the loop starts with.

// EXEC: i32[4] 5 6 7 8
// EXEC-NEXT: i32[] 5
// 
// CHECK-LABEL: func.func @main(
// CHECK: scf.while
func.func @main(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<i32>) {
  %zero = arith.constant dense<0> : tensor<i32>
  %n = arith.constant dense<5> : tensor<i32>
  %r:3 = scf.while (%i = %zero, %a = %x) : (tensor<i32>, tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<i32>) {
    %p = func.call @less(%i, %n) : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %more = tensor.extract %p[] : tensor<i1>
    %d = func.call @rev(%a) : (tensor<4xi32>) -> tensor<4xi32>
    %e = func.call @rev(%d) : (tensor<4xi32>) -> tensor<4xi32>
    scf.condition(%more) %d, %e, %i : tensor<4xi32>, tensor<4xi32>, tensor<i32>
  } do {
  ^bb0(%d: tensor<4xi32>, %e: tensor<4xi32>, %j: tensor<i32>):
    %j2 = func.call @next(%j) : (tensor<i32>) -> tensor<i32>
    %f = func.call @inc(%e) : (tensor<4xi32>) -> tensor<4xi32>
    scf.yield %j2, %f : tensor<i32>, tensor<4xi32>
  }
  return %r#1, %r#2 : tensor<4xi32>, tensor<i32>
}

//--- kernels.mlir

func.func private @inc(tensor<4xi32>) -> tensor<4xi32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
                xla_rt.implementation = #xla_rt.implementation<@inc.impl, results = [may_reuse 0]>}
func.func private @inc.impl(%x: !llvm.ptr, %r: !llvm.ptr, %begin: index, %end: index) {
  %0 = llvm.load %x {alignment = 4 : i64} : !llvm.ptr -> vector<4xi32>
  %c = arith.constant dense<1> : vector<4xi32>
  %1 = arith.addi %0, %c : vector<4xi32>
  llvm.store %1, %r {alignment = 4 : i64} : vector<4xi32>, !llvm.ptr
  return
}
// r[i] = x[3 - i]: may not work in place, and is written such that it would show.
func.func private @rev(tensor<4xi32>) -> tensor<4xi32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
                xla_rt.implementation = #xla_rt.implementation<@rev.impl>}
func.func private @rev.impl(%x: !llvm.ptr, %r: !llvm.ptr, %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %j = arith.subi %c3, %i : index
    %i64 = arith.index_cast %i : index to i64
    %j64 = arith.index_cast %j : index to i64
    %p = llvm.getelementptr %x[%j64] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %v = llvm.load %p : !llvm.ptr -> i32
    %q = llvm.getelementptr %r[%i64] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %v, %q : i32, !llvm.ptr
  }
  return
}
func.func private @add(tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
                xla_rt.implementation = #xla_rt.implementation<@add.impl, results = [may_reuse 0]>}
func.func private @add.impl(%x: !llvm.ptr, %y: !llvm.ptr, %r: !llvm.ptr, %begin: index, %end: index) {
  %0 = llvm.load %x {alignment = 4 : i64} : !llvm.ptr -> vector<4xi32>
  %1 = llvm.load %y {alignment = 4 : i64} : !llvm.ptr -> vector<4xi32>
  %2 = arith.addi %0, %1 : vector<4xi32>
  llvm.store %2, %r {alignment = 4 : i64} : vector<4xi32>, !llvm.ptr
  return
}
func.func private @less(tensor<i32>, tensor<i32>) -> tensor<i1>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
                xla_rt.implementation = #xla_rt.implementation<@less.impl>}
func.func private @less.impl(%x: !llvm.ptr, %y: !llvm.ptr, %r: !llvm.ptr, %begin: index, %end: index) {
  %0 = llvm.load %x : !llvm.ptr -> i32
  %1 = llvm.load %y : !llvm.ptr -> i32
  %2 = arith.cmpi slt, %0, %1 : i32
  %3 = arith.extui %2 : i1 to i8
  llvm.store %3, %r : i8, !llvm.ptr
  return
}
func.func private @next(tensor<i32>) -> tensor<i32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
                xla_rt.implementation = #xla_rt.implementation<@next.impl, results = [may_reuse 0]>}
func.func private @next.impl(%x: !llvm.ptr, %r: !llvm.ptr, %begin: index, %end: index) {
  %0 = llvm.load %x : !llvm.ptr -> i32
  %c = arith.constant 1 : i32
  %1 = arith.addi %0, %c : i32
  llvm.store %1, %r : i32, !llvm.ptr
  return
}
func.func private @update(tensor<4xi32>, index) -> tensor<4xi32>
    attributes {xla_rt.kernel = #xla_rt.kernel<update>,
                xla_rt.implementation = #xla_rt.implementation<@update.impl, results = [updates 0]>}
func.func private @update.impl(%x: !llvm.ptr, %i: index, %r: !llvm.ptr, %begin: index, %end: index) {
  %i64 = arith.index_cast %i : index to i64
  %p = llvm.getelementptr %r[%i64] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  %c = arith.constant 100 : i32
  llvm.store %c, %p : i32, !llvm.ptr
  return
}
