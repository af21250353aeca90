// RUN: xla-opt %s --split-input-file --xla-launch-loops | FileCheck %s
// A loop of small kernels is one kernel: its threads go through the loop and meet between two kernels of which one reads
// what the other has written.

// CHECK-LABEL: func.func @main(
// CHECK-NOT: scf.while
// CHECK: gpu.launch_func @kernels::@loop blocks in (%[[ONE:.*]], %[[ONE]], %[[ONE]]) threads in (%{{.*}}, %[[ONE]], %[[ONE]])
// CHECK-NOT: scf.while
// CHECK: return
// CHECK: gpu.module @kernels
// CHECK: gpu.func @loop({{.*}}) kernel attributes {known_block_size = array<i32: 512, 1, 1>
// CHECK: scf.while
// CHECK: func.call @reverse.impl(
// CHECK: gpu.barrier
// CHECK: scf.yield
module attributes {gpu.container_module} {
  func.func @main(%x: !llvm.ptr, %y: !llvm.ptr) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c20 = arith.constant 20 : index
    %r:3 = scf.while (%i = %c0, %a = %x, %b = %y) : (index, !llvm.ptr, !llvm.ptr) -> (index, !llvm.ptr, !llvm.ptr) {
      %more = arith.cmpi slt, %i, %c20 : index
      scf.condition(%more) %i, %a, %b : index, !llvm.ptr, !llvm.ptr
    } do {
    ^bb0(%i: index, %a: !llvm.ptr, %b: !llvm.ptr):
      func.call @reverse.impl(%a, %b, %c0, %c1) : (!llvm.ptr, !llvm.ptr, index, index) -> ()
      %next = arith.addi %i, %c1 : index
      scf.yield %next, %b, %a : index, !llvm.ptr, !llvm.ptr
    }
    return
  }
  func.func private @reverse.impl(%x: !llvm.ptr, %y: !llvm.ptr, %begin: index, %end: index)
      attributes {xla_rt.buffer_bytes = array<i64: 1604, 1604>, xla_rt.launches} {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@reverse blocks in (%c4, %c1, %c1) threads in (%c128, %c1, %c1) args(%x : !llvm.ptr, %y : !llvm.ptr)
    return
  }
  gpu.module @kernels {
    gpu.func @reverse(%x: !llvm.ptr, %y: !llvm.ptr) kernel attributes {xla_rt.cost = 245 : i64} {
      %block = gpu.block_id x
      %size = gpu.block_dim x
      %first = arith.muli %block, %size : index
      %thread = gpu.thread_id x
      %item = arith.addi %first, %thread : index
      %c401 = arith.constant 401 : index
      %some = arith.cmpi ult, %item, %c401 : index
      scf.if %some {
        %c1 = arith.constant 1 : index
        %next = arith.addi %item, %c1 : index
        func.call @reverse.impl(%x, %y, %item, %next) : (!llvm.ptr, !llvm.ptr, index, index) -> ()
      }
      gpu.return
    }
    func.func private @reverse.impl(%x: !llvm.ptr, %y: !llvm.ptr, %begin: index, %end: index) {
      %last = arith.constant 400 : i64
      %item = arith.index_cast %begin : index to i64
      %place = arith.subi %last, %item : i64
      %from = llvm.getelementptr %x[%place] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %to = llvm.getelementptr %y[%item] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %from : !llvm.ptr -> f32
      llvm.store %v, %to : f32, !llvm.ptr
      return
    }
  }
}

// -----

// One that is marked stays a loop of launches.
// CHECK-LABEL: func.func @main(
// CHECK: scf.while
// CHECK: call @k.impl(
// CHECK: xla_rt.launched
// CHECK: gpu.launch_func @kernels::@k
// CHECK-NOT: @loop
module attributes {gpu.container_module} {
  func.func @main(%x: !llvm.ptr) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c20 = arith.constant 20 : index
    %r = scf.while (%i = %c0) : (index) -> index {
      %more = arith.cmpi slt, %i, %c20 : index
      scf.condition(%more) %i : index
    } do {
    ^bb0(%i: index):
      func.call @k.impl(%x, %x, %c0, %c1) : (!llvm.ptr, !llvm.ptr, index, index) -> ()
      %next = arith.addi %i, %c1 : index
      scf.yield %next : index
    } attributes {xla_rt.launched}
    return
  }
  func.func private @k.impl(%x: !llvm.ptr, %y: !llvm.ptr, %begin: index, %end: index)
      attributes {xla_rt.buffer_bytes = array<i64: 4, 4>, xla_rt.launches} {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : !llvm.ptr)
    return
  }
  gpu.module @kernels {
    gpu.func @k(%x: !llvm.ptr) kernel {
      gpu.return
    }
  }
}
