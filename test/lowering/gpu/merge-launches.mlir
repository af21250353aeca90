// RUN: xla-opt %s --target=cuda --to=loops --split-input-file | FileCheck %s
// Kernels that need nothing of each other are one launch.

// The same one for several arguments is there once, with a table of them.
// CHECK-LABEL: func.func @main
// CHECK:         call @elementwise_0_and_2_more.impl(
// CHECK-NOT:     call
// CHECK:         return
// CHECK:       gpu.module @kernels
// CHECK-NOT:     gpu.func @elementwise_0(
// CHECK:         gpu.func @elementwise_0_and_2_more(%[[TABLE:.*]]: !llvm.ptr {llvm.align = 8 : i64, llvm.byval = !llvm.array<6 x i64>}) kernel
// CHECK-SAME:      known_block_size = array<i32: 128, 1, 1>, xla_rt.parts = ["elementwise_0", "elementwise_0", "elementwise_0"]
// CHECK:           %[[BLOCK:.*]] = gpu.block_id x
// CHECK:           %[[NUMBER:.*]] = arith.divui %[[BLOCK]], %{{c2.*}} : index
// CHECK:           %[[OWN:.*]] = arith.remui %[[BLOCK]], %{{c2.*}} : index
// CHECK:           llvm.getelementptr %[[TABLE]]
// CHECK:           llvm.addrspacecast
// CHECK:           arith.muli %[[OWN]], %{{c128.*}} : index
// CHECK:           call @elementwise_0.impl
// CHECK-NOT:       call
// CHECK:           gpu.return
// CHECK:       func.func private @elementwise_0_and_2_more.impl(
// CHECK:         %[[ARRAY:.*]] = llvm.alloca %{{.*}} x i64 {alignment = 8 : i64}
// CHECK-COUNT-6: llvm.store
// CHECK:         gpu.launch_func @kernels::@elementwise_0_and_2_more blocks in (%{{c6.*}}, %{{c1.*}}, %{{c1.*}}) threads in (%{{c128.*}}, %{{c1.*}}, %{{c1.*}}) args(%[[ARRAY]] : !llvm.ptr)
func.func @main(%x: tensor<1000xf32>, %y: tensor<1000xf32>, %z: tensor<1000xf32>) -> (tensor<1000xf32>, tensor<1000xf32>, tensor<1000xf32>) {
  %0 = xla.cosine %x : tensor<1000xf32>
  %1 = xla.optimization_barrier %0 : tensor<1000xf32>
  %2 = xla.cosine %y : tensor<1000xf32>
  %3 = xla.optimization_barrier %2 : tensor<1000xf32>
  %4 = xla.cosine %z : tensor<1000xf32>
  return %1, %3, %4 : tensor<1000xf32>, tensor<1000xf32>, tensor<1000xf32>
}

// -----

// What waits for another is launched behind it; the others come to it, or to that.
// CHECK-LABEL: func.func @main
// CHECK:         call @elementwise_0_and_elementwise_2.impl(
// CHECK:         call @elementwise_1.impl(
// CHECK-NOT:     call
// CHECK:         return
func.func @main(%x: tensor<1000xf32>, %y: tensor<1000xf32>) -> (tensor<1000xf32>, tensor<1000xf32>) {
  %0 = xla.reverse %x, dims = [0] : tensor<1000xf32>
  %1 = xla.optimization_barrier %0 : tensor<1000xf32>
  %2 = xla.reverse %1, dims = [0] : tensor<1000xf32>
  %3 = xla.add %2, %x : tensor<1000xf32>
  %4 = xla.optimization_barrier %3 : tensor<1000xf32>
  %5 = xla.cosine %y : tensor<1000xf32>
  return %4, %5 : tensor<1000xf32>, tensor<1000xf32>
}

// -----

// Updates of different places are one launch, and write into one tensor; what is filled before has been filled.
// CHECK-LABEL: func.func @main
// CHECK:         call @{{.*}}.impl(
// CHECK:         call @update_{{.}}_and_update_{{.}}.impl(
// CHECK-NOT:     call
// CHECK:         return
// CHECK:       xla_rt.parts = ["update_{{.}}", "update_{{.}}"]
func.func @main(%x: tensor<8x5xf32>, %y: tensor<8x6xf32>, %z: tensor<8x30xf32>) -> tensor<8x30xf32> {
  %i = xla.constant dense<2> : tensor<i32>
  %j = xla.constant dense<9> : tensor<i32>
  %o = xla.constant dense<0> : tensor<i32>
  %c = xla.reverse %z, dims = [1] : tensor<8x30xf32>
  %b = xla.optimization_barrier %c : tensor<8x30xf32>
  %0 = xla.dynamic_update_slice %b, %x, %o, %i : (tensor<8x30xf32>, tensor<8x5xf32>, tensor<i32>, tensor<i32>) -> tensor<8x30xf32>
  %1 = xla.dynamic_update_slice %0, %y, %o, %j : (tensor<8x30xf32>, tensor<8x6xf32>, tensor<i32>, tensor<i32>) -> tensor<8x30xf32>
  return %1 : tensor<8x30xf32>
}

// -----

// Updates that meet are two.
// CHECK-LABEL: func.func @main
// CHECK:         call @{{.*}}.impl(
// CHECK:         call @update_{{.}}.impl(
// CHECK:         call @update_{{.}}.impl(
// CHECK:         return
func.func @main(%x: tensor<8x5xf32>, %y: tensor<8x6xf32>, %z: tensor<8x30xf32>) -> tensor<8x30xf32> {
  %i = xla.constant dense<2> : tensor<i32>
  %j = xla.constant dense<6> : tensor<i32>
  %o = xla.constant dense<0> : tensor<i32>
  %c = xla.reverse %z, dims = [1] : tensor<8x30xf32>
  %b = xla.optimization_barrier %c : tensor<8x30xf32>
  %0 = xla.dynamic_update_slice %b, %x, %o, %i : (tensor<8x30xf32>, tensor<8x5xf32>, tensor<i32>, tensor<i32>) -> tensor<8x30xf32>
  %1 = xla.dynamic_update_slice %0, %y, %o, %j : (tensor<8x30xf32>, tensor<8x6xf32>, tensor<i32>, tensor<i32>) -> tensor<8x30xf32>
  return %1 : tensor<8x30xf32>
}

// -----

// Kernels that fill the device for longer than a launch takes stay alone.
// CHECK-LABEL: func.func @main
// CHECK:         call @elementwise_0.impl(
// CHECK:         call @elementwise_0.impl(
// CHECK:         return
func.func @main(%x: tensor<8000000xf32>, %y: tensor<8000000xf32>) -> (tensor<8000000xf32>, tensor<8000000xf32>) {
  %0 = xla.cosine %x : tensor<8000000xf32>
  %1 = xla.cosine %y : tensor<8000000xf32>
  return %0, %1 : tensor<8000000xf32>, tensor<8000000xf32>
}
