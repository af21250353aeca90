// RUN: xla-opt %s --target=cuda --to=loops --split-input-file | FileCheck %s
// Kernels that need nothing of each other are one launch.

// The same one for several arguments is there once, with a table of them.
// CHECK-LABEL: func.func @main
// CHECK-COUNT-1: call @elementwise_0_and_2_more.impl
// CHECK-NOT:     call
// CHECK:         return
// CHECK:       func.func private @elementwise_0_and_2_more.impl(
// CHECK-SAME:      attributes {xla_rt.launches}
// CHECK:         %[[TABLE:.*]] = llvm.alloca %{{.*}} x i64 {alignment = 8 : i64}
// CHECK:         gpu.launch_func @kernels::@elementwise_0_and_2_more blocks in (%c24, %c1, %c1) threads in (%c128, %c1, %c1) args(%[[TABLE]] : !llvm.ptr)
// CHECK:       gpu.func @elementwise_0_and_2_more(%[[TABLE:.*]]: !llvm.ptr {llvm.align = 8 : i64, llvm.byval = !llvm.array<6 x i64>}) kernel
// CHECK-SAME:      known_block_size = array<i32: 128, 1, 1>, xla_rt.parts = ["elementwise_0", "elementwise_0", "elementwise_0"]
// CHECK:         %[[BLOCK:.*]] = gpu.block_id x
// CHECK:         %[[NUMBER:.*]] = arith.divui %[[BLOCK]], %c8
// CHECK:         %[[OWN:.*]] = arith.remui %[[BLOCK]], %c8
// CHECK:         llvm.addrspacecast
// CHECK:         arith.muli %[[OWN]], %c128
// CHECK-COUNT-1: call @elementwise_0.impl
// CHECK-NOT:     call
// CHECK:         gpu.return
func.func @main(%x: tensor<1000xf32>, %y: tensor<1000xf32>, %z: tensor<1000xf32>) -> (tensor<1000xf32>, tensor<1000xf32>, tensor<1000xf32>) {
  %0 = xla.cosine %x : tensor<1000xf32>
  %1 = xla.optimization_barrier %0 : tensor<1000xf32>
  %2 = xla.cosine %y : tensor<1000xf32>
  %3 = xla.optimization_barrier %2 : tensor<1000xf32>
  %4 = xla.cosine %z : tensor<1000xf32>
  return %1, %3, %4 : tensor<1000xf32>, tensor<1000xf32>, tensor<1000xf32>
}
