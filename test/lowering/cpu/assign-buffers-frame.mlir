// RUN: xla-opt %s --split-input-file --xla-assign-buffers=frame=4096 | FileCheck %s

// Small values are on the stack of @main; what does not fit is in the arena.

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARENA:[a-z0-9]*]]: !llvm.ptr) attributes {xla_rt.arena_size = 3840 : i64
// CHECK: %[[SIZE:.*]] = arith.constant 3840 : i64
// CHECK: %[[FRAME:.*]] = llvm.alloca %[[SIZE]] x i8 {alignment = 64 : i64}
// CHECK: %[[OUT:.*]] = llvm.load %{{.*}}1 :
// CHECK: call @k.impl(%{{.*}}, %[[FRAME]],
// CHECK: call @k.impl(%[[FRAME]], %[[ARENA]],
// CHECK: call @k.impl(%[[ARENA]], %[[OUT]],
func.func @main(%x: tensor<960xf32>) -> tensor<960xf32> {
  %0 = func.call @k(%x) : (tensor<960xf32>) -> tensor<960xf32>
  %1 = func.call @k(%0) : (tensor<960xf32>) -> tensor<960xf32>
  %2 = func.call @k(%1) : (tensor<960xf32>) -> tensor<960xf32>
  return %2 : tensor<960xf32>
}
func.func private @k(tensor<960xf32>) -> tensor<960xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
                xla_rt.implementation = #xla_rt.implementation<@k.impl, work = 960>}
func.func private @k.impl(!llvm.ptr, !llvm.ptr, index, index)

// -----

// Of two buffers that change their roles one is the result. What is in the other is copied there, if that is the value.

// CHECK-LABEL: func.func @main(
// CHECK-SAME: xla_rt.arena_size = 0 : i64
// CHECK: %[[FRAME:.*]] = llvm.alloca
// CHECK: %[[OUT:.*]] = llvm.load %{{.*}}1 :
// CHECK: %[[LOOP:.*]]:3 = scf.while (%{{.*}} = %{{.*}}, %{{.*}} = %[[OUT]], %{{.*}} = %[[FRAME]])
// CHECK: %[[SAME:.*]] = llvm.load %{{.*}}1 :
// CHECK: %[[ELSEWHERE:.*]] = llvm.icmp "ne" %[[LOOP]]#1, %[[SAME]] : !llvm.ptr
// CHECK: scf.if %[[ELSEWHERE]] {
// CHECK-NEXT: "llvm.intr.memcpy"(%[[SAME]], %[[LOOP]]#1,
// CHECK: {{^ *}}}
// CHECK-NEXT: return
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%a = %x) -> tensor<4xf32> {
    %0 = func.call @k(%a) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
func.func private @k(tensor<4xf32>) -> tensor<4xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
                xla_rt.implementation = #xla_rt.implementation<@k.impl, work = 4>}
func.func private @k.impl(!llvm.ptr, !llvm.ptr, index, index)
