// RUN: xla-opt %s --split-input-file --xla-merge-launches | FileCheck %s
// Calls of a block that need nothing of each other are one launch: its first blocks do the first call.

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<1000xf32>, %[[Y:.*]]: tensor<1000xf32>)
// CHECK: %[[BOTH:.*]]:2 = call @k_and_1_more(%[[X]], %[[Y]])
// CHECK-NEXT: return %[[BOTH]]#0, %[[BOTH]]#1
// CHECK: gpu.module @kernels
// CHECK: gpu.func @k_and_1_more({{.*}}) kernel
// CHECK: %[[BLOCK:.*]] = gpu.block_id x
// CHECK: arith.divui %[[BLOCK]], %c2
// CHECK: func.call @k.impl(
// CHECK: gpu.launch_func @kernels::@k_and_1_more blocks in (%c4{{.*}}, %{{.*}}, %{{.*}}) threads in (%c128{{.*}},
module attributes {gpu.container_module} {
  func.func @main(%x: tensor<1000xf32>, %y: tensor<1000xf32>) -> (tensor<1000xf32>, tensor<1000xf32>) {
    %0 = call @k(%x) : (tensor<1000xf32>) -> tensor<1000xf32>
    %1 = call @k(%y) : (tensor<1000xf32>) -> tensor<1000xf32>
    return %0, %1 : tensor<1000xf32>, tensor<1000xf32>
  }
  func.func private @k.impl(%x: !llvm.ptr, %y: !llvm.ptr, %begin: index, %end: index) attributes {xla_rt.launches} {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@k blocks in (%c2, %c1, %c1) threads in (%c128, %c1, %c1) args(%x : !llvm.ptr, %y : !llvm.ptr)
    return
  }
  func.func private @k(tensor<1000xf32>) -> tensor<1000xf32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
      xla_rt.implementation = #xla_rt.implementation<@k.impl, cost = 5000, results = [may_reuse 0]>}
  gpu.module @kernels {
    gpu.func @k(%x: !llvm.ptr, %y: !llvm.ptr) kernel attributes {xla_rt.cost = 2611 : i64} {
      %thread = gpu.thread_id x
      %block = gpu.block_id x
      %size = gpu.block_dim x
      %first = arith.muli %block, %size : index
      %item = arith.addi %first, %thread : index
      %c1 = arith.constant 1 : index
      %next = arith.addi %item, %c1 : index
      func.call @k.impl(%x, %y, %item, %next) : (!llvm.ptr, !llvm.ptr, index, index) -> ()
      gpu.return
    }
    func.func private @k.impl(%x: !llvm.ptr, %y: !llvm.ptr, %begin: index, %end: index) {
      return
    }
  }
}

// -----

// One that reads what another computes is launched behind it.
// CHECK-LABEL: func.func @main(
// CHECK: %[[FIRST:.*]] = call @k(%{{.*}})
// CHECK-NEXT: call @k(%[[FIRST]])
// CHECK-NOT: _more
module attributes {gpu.container_module} {
  func.func @main(%x: tensor<100000xf32>) -> tensor<100000xf32> {
    %0 = call @k(%x) : (tensor<100000xf32>) -> tensor<100000xf32>
    %1 = call @k(%0) : (tensor<100000xf32>) -> tensor<100000xf32>
    return %1 : tensor<100000xf32>
  }
  func.func private @k.impl(%x: !llvm.ptr, %y: !llvm.ptr, %begin: index, %end: index) attributes {xla_rt.launches} {
    %c1 = arith.constant 1 : index
    %c782 = arith.constant 782 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@k blocks in (%c782, %c1, %c1) threads in (%c128, %c1, %c1) args(%x : !llvm.ptr, %y : !llvm.ptr)
    return
  }
  func.func private @k(tensor<100000xf32>) -> tensor<100000xf32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
      xla_rt.implementation = #xla_rt.implementation<@k.impl, cost = 5000, results = [may_reuse 0]>}
  gpu.module @kernels {
    gpu.func @k(%x: !llvm.ptr, %y: !llvm.ptr) kernel attributes {xla_rt.cost = 2611 : i64} {
      gpu.return
    }
  }
}
