// RUN: xla-opt %s --target=cuda --to=loops | FileCheck %s --check-prefix=LOOPS
// RUN: xla-opt %s --target=cuda --to=llvm | FileCheck %s --check-prefix=NVVM
// A kernel becomes one of the device and a launch on the host; the schedule calls the latter.

// LOOPS: func.func @main
// LOOPS: call @reduction_0.impl(
// LOOPS: func.func private @reduction_0.impl({{.*}}) attributes {xla_rt.buffer_bytes = array<i64: {{[0-9]+, [0-9]+}}>, xla_rt.launches} {
// LOOPS: gpu.launch_func @kernels::@reduction_0 blocks in (%{{.*}}, %{{.*}}, %{{.*}}) threads in (%{{.*}}, %{{.*}}, %{{.*}}) args(%{{.*}} : !llvm.ptr, %{{.*}} : !llvm.ptr)
// LOOPS: gpu.module @kernels {
// LOOPS: gpu.func @reduction_0(%[[X:.*]]: !llvm.ptr, %[[Y:.*]]: !llvm.ptr) kernel attributes {xla_rt.cost = {{[0-9]+}} : i64} {
// LOOPS: %[[TEAM:.*]] = arith.divui %{{.*}}, %c32
// LOOPS: func.call @reduction_0.impl(%[[X]], %[[Y]], %[[TEAM]],
// LOOPS: func.func private @reduction_0.impl(
// LOOPS-COUNT-5: gpu.shuffle xor
// The team's first thread stores.
// LOOPS: scf.if
// LOOPS: llvm.store

// NVVM: llvm.func internal @reduction_0.impl(
// NVVM: llvm.call @xla_rt_cuda_launch(
// NVVM: gpu.module @kernels
// NVVM: llvm.func @reduction_0({{.*}}) attributes {{.*}}nvvm.kernel
// NVVM: nvvm.read.ptx.sreg.tid.x
// NVVM-COUNT-5: nvvm.shfl.sync bfly
func.func @main(%x: tensor<60x100xf32>) -> tensor<60xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.reduce(%x init: %zero) applies xla.add across dimensions = [1] : (tensor<60x100xf32>, tensor<f32>) -> tensor<60xf32>
  return %0 : tensor<60xf32>
}
