// RUN: xla-opt %s --split-input-file --xla-assign-buffers | FileCheck %s

// One kernel from an argument to a result: no arena.

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARGS:.*]]: !llvm.ptr, %[[RESULTS:.*]]: !llvm.ptr, %[[ARENA:.*]]: !llvm.ptr)
// CHECK-SAME: xla_rt.arena_size = 0 : i64
// CHECK-SAME: xla_rt.signature = (tensor<4xf32>) -> tensor<4xf32>
// CHECK-DAG: %[[OUT:.*]] = llvm.load %[[RESULTS]]
// CHECK-DAG: %[[X:.*]] = llvm.load %[[ARGS]]
// CHECK: call @k.impl(%[[X]], %[[OUT]], %{{.*}}, %{{.*}})
// CHECK-NEXT: return
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @k(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @k(tensor<4xf32>) -> tensor<4xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
                xla_rt.implementation = #xla_rt.implementation<@k.impl, work = 4>}
func.func private @k.impl(!llvm.ptr, !llvm.ptr, index, index)

// -----

// In a chain whose kernels may work in place, everything happens in the result's buffer; the argument is not written.

// CHECK-LABEL: func.func @main(
// CHECK-SAME: xla_rt.arena_size = 0 : i64
// CHECK: call @k.impl(%[[X:.*]], %[[OUT:.*]], %{{.*}}, %{{.*}})
// CHECK-NEXT: call @k.impl(%[[OUT]], %[[OUT]],
// CHECK-NEXT: call @k.impl(%[[OUT]], %[[OUT]],
// CHECK-NEXT: return
func.func @main(%x: tensor<2x2xf32>) -> tensor<4xf32> {
  %v = tensor.collapse_shape %x [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
  %0 = func.call @k(%v) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = func.call @k(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = func.call @k(%1) : (tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
func.func private @k(tensor<4xf32>) -> tensor<4xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
                xla_rt.implementation = #xla_rt.implementation<@k.impl, work = 4, results = [may_reuse 0]>}
func.func private @k.impl(!llvm.ptr, !llvm.ptr, index, index)

// -----

// Values whose lives do not overlap share memory: four values that may not be computed in place need two buffers, and
// the last one is the result.

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARENA:[a-z0-9]*]]: !llvm.ptr) attributes {xla_rt.arena_size = 7680 : i64
// CHECK: %[[B:.*]] = llvm.getelementptr %[[ARENA]][3840]
// CHECK: %[[OUT:.*]] = llvm.load %{{.*}}1 :
// CHECK: call @k.impl(%{{.*}}, %[[ARENA]],
// CHECK: call @k.impl(%[[ARENA]], %[[B]],
// CHECK: call @k.impl(%[[B]], %[[ARENA]],
// CHECK: call @k.impl(%[[ARENA]], %[[OUT]],
func.func @main(%x: tensor<960xf32>) -> tensor<960xf32> {
  %0 = func.call @k(%x) : (tensor<960xf32>) -> tensor<960xf32>
  %1 = func.call @k(%0) : (tensor<960xf32>) -> tensor<960xf32>
  %2 = func.call @k(%1) : (tensor<960xf32>) -> tensor<960xf32>
  %3 = func.call @k(%2) : (tensor<960xf32>) -> tensor<960xf32>
  return %3 : tensor<960xf32>
}
func.func private @k(tensor<960xf32>) -> tensor<960xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
                xla_rt.implementation = #xla_rt.implementation<@k.impl, work = 4>}
func.func private @k.impl(!llvm.ptr, !llvm.ptr, index, index)

// -----

// A large one takes the memory of a result that is computed later, or a piece of it.

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARENA:[a-z0-9]*]]: !llvm.ptr) attributes {xla_rt.arena_size = 4096 : i64
// CHECK: call @k.impl(%{{.*}}, %[[ARENA]], %{{.*}}, %{{.*}})
// CHECK: call @k.impl(%[[ARENA]], %[[OUT:[a-z0-9]*]],
// CHECK: call @k.impl(%[[OUT]], %[[ARENA]],
// CHECK: call @k.impl(%[[ARENA]], %[[OUT]],
func.func @main(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %0 = func.call @k(%x) : (tensor<1024xf32>) -> tensor<1024xf32>
  %1 = func.call @k(%0) : (tensor<1024xf32>) -> tensor<1024xf32>
  %2 = func.call @k(%1) : (tensor<1024xf32>) -> tensor<1024xf32>
  %3 = func.call @k(%2) : (tensor<1024xf32>) -> tensor<1024xf32>
  return %3 : tensor<1024xf32>
}
func.func private @k(tensor<1024xf32>) -> tensor<1024xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
                xla_rt.implementation = #xla_rt.implementation<@k.impl, work = 4>}
func.func private @k.impl(!llvm.ptr, !llvm.ptr, index, index)

// -----

// A result that is an argument, a constant or another result is copied.

// CHECK: llvm.mlir.global internal constant @xla.const("\01\00\00\00\02\00\00\00")
// CHECK-LABEL: func.func @main(
// CHECK: call @k.impl(%[[X:.*]], %[[R0:.*]], %{{.*}}, %{{.*}})
// CHECK: %[[P1:.*]] = llvm.getelementptr %{{.*}}[1]
// CHECK: %[[R1:.*]] = llvm.load %[[P1]]
// CHECK: "llvm.intr.memcpy"(%[[R1]], %[[R0]],
// CHECK: %[[R2:.*]] = llvm.load
// CHECK: "llvm.intr.memcpy"(%[[R2]], %[[X]],
// CHECK: %[[R3:.*]] = llvm.load
// CHECK: "llvm.intr.memcpy"(%[[R3]], %{{.*}},
func.func @main(%x: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) {
  %c = arith.constant dense<[1, 2]> : tensor<2xi32>
  %0 = func.call @k(%x) : (tensor<2xi32>) -> tensor<2xi32>
  return %0, %0, %x, %c : tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>
}
func.func private @k(tensor<2xi32>) -> tensor<2xi32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
                xla_rt.implementation = #xla_rt.implementation<@k.impl, work = 2>}
func.func private @k.impl(!llvm.ptr, !llvm.ptr, index, index)

// -----

// A tied argument is copied when it is needed afterwards or not ours, and only then. Scratch space is the callee's for
// the time of the call.

// CHECK-LABEL: func.func @main(
// CHECK-SAME: xla_rt.arena_size = 1024 : i64
// CHECK: "llvm.intr.memcpy"(%[[OUT:.*]], %[[X:.*]], %{{.*}})
// CHECK-NEXT: call @update.impl(%[[OUT]], %[[OUT]], %[[SCRATCH:.*]], %{{.*}}, %{{.*}})
// CHECK-NOT: memcpy
// CHECK: call @update.impl(%[[OUT]], %[[OUT]], %[[SCRATCH]],
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @update(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = func.call @update(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @update(tensor<4xf32>) -> tensor<4xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<update>,
                xla_rt.implementation = #xla_rt.implementation<@update.impl, scratch = 1024, results = [updates 0]>}
func.func private @update.impl(!llvm.ptr, !llvm.ptr, !llvm.ptr, index, index)

// -----

// Costly kernels run on all cores: their implementation takes the operands from an array.

// CHECK-LABEL: func.func @main(
// CHECK: %[[ARRAY:.*]] = llvm.alloca %{{.*}} x !llvm.ptr
// CHECK: llvm.store %{{.*}}, %[[ARRAY]]
// CHECK: %[[TASK:.*]] = {{.*}}constant @k.impl
// CHECK: call @xla_rt_parallel_for(%[[TASK]], %[[ARRAY]], %{{.*}}, %{{.*}}, %{{.*}})
// CHECK: func.func private @k.impl(%[[A:.*]]: !llvm.ptr, %[[BEGIN:.*]]: i64, %[[END:.*]]: i64, %{{.*}}: !llvm.ptr)
// CHECK: %[[X:.*]] = llvm.load %[[A]] : !llvm.ptr -> !llvm.ptr
// CHECK: %[[AT:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i64
// CHECK: %[[I:.*]] = arith.index_cast %[[AT]] : i64 to index
// CHECK: arith.index_cast %[[BEGIN]] : i64 to index
// CHECK: arith.index_cast %[[END]] : i64 to index
func.func @main(%x: tensor<1024xf32>, %i: tensor<index>) -> tensor<1024xf32> {
  %at = tensor.extract %i[] : tensor<index>
  %0 = func.call @k(%x, %at) : (tensor<1024xf32>, index) -> tensor<1024xf32>
  return %0 : tensor<1024xf32>
}
func.func private @k(tensor<1024xf32>, index) -> tensor<1024xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
                xla_rt.implementation = #xla_rt.implementation<@k.impl, work = 1024, cost = 1000000>}
func.func private @k.impl(%x: !llvm.ptr, %i: index, %y: !llvm.ptr, %begin: index, %end: index) {
  %at = arith.index_cast %i : index to i64
  %p = llvm.getelementptr %x[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %e = llvm.load %p : !llvm.ptr -> f32
  llvm.store %e, %y : f32, !llvm.ptr
  return
}

// -----

// A large constant stays outside of the code.

// CHECK: llvm.mlir.global external constant @xla.const() {{.*}}xla_rt.data = dense<1.000000e+00> : tensor<4096xf32>
// CHECK-LABEL: func.func @main(
// CHECK: call @k.impl(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})
func.func @main() -> tensor<4096xf32> {
  %c = arith.constant dense<1.0> : tensor<4096xf32>
  %0 = func.call @k(%c) : (tensor<4096xf32>) -> tensor<4096xf32>
  return %0 : tensor<4096xf32>
}
func.func private @k(tensor<4096xf32>) -> tensor<4096xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
                xla_rt.implementation = #xla_rt.implementation<@k.impl, work = 4, results = [may_reuse 0]>}
func.func private @k.impl(!llvm.ptr, !llvm.ptr, index, index)

// -----

// What one core is to update it copies itself, if its cache holds that; all cores copy what is larger.

// CHECK-LABEL: func.func @main(
// CHECK: "llvm.intr.memcpy"
// CHECK: call @small.impl(
// CHECK: call @xla_rt_copy(
// CHECK: call @large.impl(
func.func @main(%x: tensor<262144xf32>, %y: tensor<1048576xf32>) -> (tensor<262144xf32>, tensor<1048576xf32>) {
  %0 = func.call @small(%x) : (tensor<262144xf32>) -> tensor<262144xf32>
  %1 = func.call @large(%y) : (tensor<1048576xf32>) -> tensor<1048576xf32>
  return %0, %1 : tensor<262144xf32>, tensor<1048576xf32>
}
func.func private @small(tensor<262144xf32>) -> tensor<262144xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<update>,
                xla_rt.implementation = #xla_rt.implementation<@small.impl, work = 1, results = [updates 0]>}
func.func private @small.impl(!llvm.ptr, !llvm.ptr, index, index)
func.func private @large(tensor<1048576xf32>) -> tensor<1048576xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<update>,
                xla_rt.implementation = #xla_rt.implementation<@large.impl, work = 1, results = [updates 0]>}
func.func private @large.impl(!llvm.ptr, !llvm.ptr, index, index)
