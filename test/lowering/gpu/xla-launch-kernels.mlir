// RUN: xla-opt %s --split-input-file --verify-diagnostics --xla-launch-kernels | FileCheck %s
// Implementations move to the device, where kernels share their items of work among threads; what is left on the host
// launches those.

// A thread for each item; the rest of a warp has none.
// CHECK-LABEL: func.func private @k(
// CHECK-SAME: #xla_rt.implementation<@k.impl, cost = {{[0-9]+}}>
// CHECK: func.func private @k.impl(
// CHECK-SAME: %[[X:.*]]: !llvm.ptr, %[[Y:.*]]: !llvm.ptr, %{{.*}}: index, %{{.*}}: index) attributes {xla_rt.launches}
// CHECK: gpu.launch_func @kernels::@k blocks in (%c1{{.*}}, %c1{{.*}}, %c1{{.*}}) threads in (%c32{{.*}}, %c1{{.*}}, %c1{{.*}}) args(%[[X]] : !llvm.ptr, %[[Y]] : !llvm.ptr)
// CHECK: gpu.module @kernels
// CHECK: gpu.func @k(%[[A:.*]]: !llvm.ptr, %[[B:.*]]: !llvm.ptr) kernel
// CHECK: %[[SOME:.*]] = arith.cmpi ult, %[[ITEM:.*]], %c4
// CHECK: scf.if %[[SOME]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[ITEM]], %c1
// CHECK: func.call @k.impl(%[[A]], %[[B]], %[[ITEM]], %[[NEXT]])
// CHECK: func.func private @k.impl(
// CHECK: llvm.store
func.func private @k(tensor<4xf32>) -> tensor<4xf32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
    xla_rt.implementation = #xla_rt.implementation<@k.impl, work = 4>}
func.func private @k.impl(%x: !llvm.ptr, %y: !llvm.ptr, %begin: index, %end: index) {
  %one = arith.constant 1 : index
  scf.for %i = %begin to %end step %one {
    %n = arith.index_cast %i : index to i64
    %from = llvm.getelementptr %x[%n] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %y[%n] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %v = llvm.load %from : !llvm.ptr -> f32
    llvm.store %v, %to : f32, !llvm.ptr
  }
  return
}

// -----

// No work is no launch, and nothing on the device.
// CHECK-LABEL: func.func private @nothing.impl(
// CHECK-NEXT: return
// CHECK-NOT: gpu.func
func.func private @nothing(tensor<0xf32>) -> tensor<0xf32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
    xla_rt.implementation = #xla_rt.implementation<@nothing.impl, work = 0>}
func.func private @nothing.impl(%x: !llvm.ptr, %y: !llvm.ptr, %begin: index, %end: index) {
  return
}

// -----

// What launches already stays on the host.
// CHECK-LABEL: func.func private @launched.impl(
// CHECK-NEXT: return
// CHECK-NOT: gpu.module
func.func private @launched(tensor<4xf32>) -> tensor<4xf32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
    xla_rt.implementation = #xla_rt.implementation<@launched.impl, work = 4>}
func.func private @launched.impl(%x: !llvm.ptr, %y: !llvm.ptr, %begin: index, %end: index) attributes {xla_rt.launches} {
  return
}

// -----

// expected-error @below {{has no implementation that could move to the device}}
func.func private @missing(tensor<4xf32>) -> tensor<4xf32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
    xla_rt.implementation = #xla_rt.implementation<@missing.impl, work = 4>}
func.func private @missing.impl(!llvm.ptr, !llvm.ptr, index, index)

// -----

func.func private @calling(tensor<4xf32>) -> tensor<4xf32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
    xla_rt.implementation = #xla_rt.implementation<@calling.impl, work = 4>}
func.func private @calling.impl(%x: !llvm.ptr, %y: !llvm.ptr, %begin: index, %end: index) {
  // expected-error @below {{calls what is not on the device}}
  func.call @host() : () -> ()
  return
}
func.func private @host() {
  return
}
