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
func.func @main(%x: tensor<1001xf32>, %y: tensor<1001xf32>) -> (tensor<1001xf32>, tensor<1001xf32>) {
  %0 = xla.reverse %x, dims = [0] : tensor<1001xf32>
  %1 = xla.optimization_barrier %0 : tensor<1001xf32>
  %2 = xla.reverse %1, dims = [0] : tensor<1001xf32>
  %3 = xla.add %2, %x : tensor<1001xf32>
  %4 = xla.optimization_barrier %3 : tensor<1001xf32>
  %5 = xla.cosine %y : tensor<1001xf32>
  return %4, %5 : tensor<1001xf32>, tensor<1001xf32>
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

// The first one waits for the second, which writes what is computed later.
// CHECK-LABEL: func.func @main
// CHECK:         call @elementwise_0.impl(
// CHECK:         call @contraction_2.impl(
// CHECK:         call @update_1_and_update_3.impl(
// CHECK-NOT:     call
// CHECK:         return
func.func @main(%x: tensor<512x512xf32>, %y: tensor<512x64xf32>, %z: tensor<1024x512xf32>, %w: tensor<64x512xf32>) -> tensor<1024x512xf32> {
  %o = xla.constant dense<0> : tensor<i32>
  %j = xla.constant dense<512> : tensor<i32>
  %c = xla.reverse %z, dims = [1] : tensor<1024x512xf32>
  %b = xla.optimization_barrier %c : tensor<1024x512xf32>
  %0 = xla.dynamic_update_slice %b, %x, %o, %o : (tensor<1024x512xf32>, tensor<512x512xf32>, tensor<i32>, tensor<i32>) -> tensor<1024x512xf32>
  %p = xla.dot_general %y, %w, contracting_dims = [1] x [0] : (tensor<512x64xf32>, tensor<64x512xf32>) -> tensor<512x512xf32>
  %q = xla.optimization_barrier %p : tensor<512x512xf32>
  %1 = xla.dynamic_update_slice %0, %q, %j, %o : (tensor<1024x512xf32>, tensor<512x512xf32>, tensor<i32>, tensor<i32>) -> tensor<1024x512xf32>
  return %1 : tensor<1024x512xf32>
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

// -----

// What is small and reads what all blocks compute is done by the last of them: it finds out by a counter, which it leaves
// at zero. Its own blocks take turns, and meet in between where they have shared memory.
// CHECK-LABEL: func.func @main
// CHECK:         call @reduction_0_then_reduction_1.impl(
// CHECK-NOT:     call
// CHECK:         return
// CHECK:       gpu.module @kernels
// CHECK-DAG:     llvm.mlir.global internal @[[COUNTER:.*_arrived]](dense<0> : tensor<1xi32>) {addr_space = 1 : i32, alignment = 4 : i64} : !llvm.array<1 x i32>
// CHECK-DAG:     llvm.mlir.global internal @[[FLAG:.*_flag]]() {addr_space = 3 : i32, alignment = 4 : i64} : i32
// CHECK:         gpu.func @reduction_0_then_reduction_1(
// CHECK-SAME:      xla_rt.last_parts = 1 : i64, xla_rt.parts = ["reduction_0", "reduction_1"]
// CHECK:           call @reduction_0.impl
// CHECK:           %[[PLACE:.*]] = llvm.mlir.addressof @[[FLAG]]
// CHECK:           gpu.barrier
// CHECK-NEXT:      scf.if
// CHECK:             llvm.fence syncscope("device") acq_rel
// CHECK-NEXT:        %[[BEFORE:.*]] = llvm.atomicrmw uinc_wrap %{{.*}}, %{{.*}} syncscope("device") monotonic
// CHECK-NEXT:        llvm.fence syncscope("device") acq_rel
// CHECK-NEXT:        llvm.store %[[BEFORE]], %[[PLACE]]
// CHECK:           gpu.barrier
// CHECK-NEXT:      %[[NUMBER:.*]] = llvm.load %[[PLACE]]
// CHECK:           %[[IS_LAST:.*]] = arith.cmpi eq, %[[NUMBER]]
// CHECK-NEXT:      scf.if %[[IS_LAST]]
// CHECK:             call @reduction_1.impl
// CHECK:             gpu.barrier
// CHECK:             call @reduction_1.impl
// CHECK-NOT:         gpu.barrier
// CHECK:           gpu.return
func.func @main(%x: tensor<8192x64xf32>) -> tensor<64xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.reduce(%x init: %zero) applies xla.add across dimensions = [0] : (tensor<8192x64xf32>, tensor<f32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

// What a block's first thread has written alone it counts without waiting for the others.
// CHECK-LABEL: func.func @main
// CHECK:         gpu.func @reduction_0_then_reduction_1(
// CHECK:           call @reduction_0.impl
// CHECK-NOT:       gpu.barrier
// CHECK:           llvm.atomicrmw uinc_wrap
// CHECK:           gpu.barrier
// CHECK:           call @reduction_1.impl
// CHECK:           gpu.return
func.func @main(%x: tensor<131072xi32>) -> tensor<i32> {
  %zero = xla.constant dense<0> : tensor<i32>
  %0 = xla.reduce(%x init: %zero) applies xla.add across dimensions = [0] : (tensor<131072xi32>, tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}

// -----

// A kernel of one block needs no counter for that.
// CHECK-LABEL: func.func @main
// CHECK:         call @reduction_0_then_elementwise_1.impl(
// CHECK-NOT:     call
// CHECK:         return
// CHECK:         gpu.func @reduction_0_then_elementwise_1(
// CHECK-NOT:       atomicrmw
// CHECK:           call @reduction_0.impl
// CHECK:           gpu.barrier
// CHECK:           call @elementwise_1.impl
// CHECK-NOT:       atomicrmw
// CHECK:           gpu.return
func.func @main(%x: tensor<1x3000xf32>) -> (tensor<1xf32>, tensor<8xf32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.reduce(%x init: %zero) applies xla.add across dimensions = [1] : (tensor<1x3000xf32>, tensor<f32>) -> tensor<1xf32>
  %1 = xla.optimization_barrier %0 : tensor<1xf32>
  %2 = xla.broadcast_in_dim %1, dims = [0] : (tensor<1xf32>) -> tensor<8xf32>
  %3 = xla.cosine %2 : tensor<8xf32>
  return %0, %3 : tensor<1xf32>, tensor<8xf32>
}

// -----

// Those that follow the same part do not wait for each other.
// CHECK-LABEL: func.func @main
// CHECK:         call @reduction_0_and_2_more.impl(
// CHECK-NOT:     call
// CHECK:         return
// CHECK:         gpu.func @reduction_0_and_2_more(
// CHECK:           call @reduction_0.impl
// CHECK:           gpu.barrier
// CHECK:           call @elementwise_{{[12]}}.impl
// CHECK-NOT:       gpu.barrier
// CHECK:           call @elementwise_{{[12]}}.impl
// CHECK:           gpu.return
func.func @main(%x: tensor<1x3000xf32>) -> (tensor<8xf32>, tensor<9xf32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.reduce(%x init: %zero) applies xla.add across dimensions = [1] : (tensor<1x3000xf32>, tensor<f32>) -> tensor<1xf32>
  %1 = xla.optimization_barrier %0 : tensor<1xf32>
  %2 = xla.broadcast_in_dim %1, dims = [0] : (tensor<1xf32>) -> tensor<8xf32>
  %3 = xla.cosine %2 : tensor<8xf32>
  %4 = xla.broadcast_in_dim %1, dims = [0] : (tensor<1xf32>) -> tensor<9xf32>
  %5 = xla.sine %4 : tensor<9xf32>
  return %3, %5 : tensor<8xf32>, tensor<9xf32>
}

// -----

// The second step of sums of rows is the last block's, of as many threads as the first one's.
// CHECK-LABEL: func.func @main
// CHECK:         call @reduction_0_then_reduction_1.impl(
// CHECK-NOT:     call
// CHECK:         return
// CHECK:         gpu.func @reduction_0_then_reduction_1({{.*}}known_block_size = array<i32: 256, 1, 1>
func.func @main(%x: tensor<16x131072xf32>) -> tensor<16xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.reduce(%x init: %zero) applies xla.add across dimensions = [1] : (tensor<16x131072xf32>, tensor<f32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

// Sums down so many columns would be two turns of the last block, one after the other.
// CHECK-LABEL: func.func @main
// CHECK:         call @reduction_0.impl(
// CHECK:         call @scan_1.impl(
// CHECK:         call @scan_2.impl(
func.func @main(%x: tensor<1024x512xf32>) -> tensor<1024x512xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = "xla.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 1024, 1>, padding = dense<[[1023, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) : (tensor<1024x512xf32>, tensor<f32>) -> tensor<1024x512xf32>
  return %0 : tensor<1024x512xf32>
}

// -----

// A thousand results are more than the last block of 128 threads should do.
// CHECK-LABEL: func.func @main
// CHECK-COUNT-2: call @elementwise_0.impl(
// CHECK:         return
func.func @main(%x: tensor<1000xf32>) -> tensor<1000xf32> {
  %0 = xla.reverse %x, dims = [0] : tensor<1000xf32>
  %1 = xla.optimization_barrier %0 : tensor<1000xf32>
  %2 = xla.reverse %1, dims = [0] : tensor<1000xf32>
  return %2 : tensor<1000xf32>
}

// -----

// Arguments that are overwritten are copied with what is launched before, if something is.
// CHECK-LABEL: func.func @main
// CHECK-NOT:     xla_rt_cuda_copy
// CHECK:         call @elementwise_0_and_copy_of_8000.impl(
// CHECK-NEXT:    call @scatter_1.impl(
// CHECK:         return
// CHECK:         gpu.func @elementwise_0_and_copy_of_8000(
// CHECK:           %[[IS_ELSEWHERE:.*]] = arith.cmpi ne, %{{.*}}, %{{.*}} : i64
// CHECK-NEXT:      scf.if %[[IS_ELSEWHERE]]
// CHECK:             %[[PIECE:.*]] = llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr -> vector<4xi32>
// CHECK:             llvm.store %[[PIECE]], %{{.*}} {alignment = 16 : i64}
func.func @main(%x: tensor<500x4xf32>, %i: tensor<40x1xi32>, %u: tensor<40x4xf32>) -> tensor<500x4xf32> {
  %n = xla.not %i : tensor<40x1xi32>
  %r = "xla.scatter"(%x, %n, %u) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) : (tensor<500x4xf32>, tensor<40x1xi32>, tensor<40x4xf32>) -> tensor<500x4xf32>
  return %r : tensor<500x4xf32>
}

// -----

// CHECK-LABEL: func.func @main
// CHECK:         call @xla_rt_cuda_copy(
// CHECK:         call @scatter_0.impl(
func.func @main(%x: tensor<500x4xf32>, %i: tensor<40x1xi32>, %u: tensor<40x4xf32>) -> tensor<500x4xf32> {
  %r = "xla.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) : (tensor<500x4xf32>, tensor<40x1xi32>, tensor<40x4xf32>) -> tensor<500x4xf32>
  return %r : tensor<500x4xf32>
}

// -----

// A convolution beside another product may have the registers that it needs, whatever number of blocks that allows.
// CHECK-LABEL: func.func @main
// CHECK:         call @convolution_0_and_contraction_1.impl(
// CHECK:       gpu.func @convolution_0_and_contraction_1(
// CHECK-SAME:    nvvm.minctasm = 1 : i32
func.func @main(%x: tensor<128x14x14x64xf32>, %k: tensor<3x3x64x32xf32>, %a: tensor<3136x64xf32>, %b: tensor<64x10xf32>) -> (tensor<128x14x14x32xf32>, tensor<3136x10xf32>) {
  %0 = xla.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]]} {feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<128x14x14x64xf32>, tensor<3x3x64x32xf32>) -> tensor<128x14x14x32xf32>
  %1 = xla.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<3136x64xf32>, tensor<64x10xf32>) -> tensor<3136x10xf32>
  return %0, %1 : tensor<128x14x14x32xf32>, tensor<3136x10xf32>
}

// -----

// What an iteration stacks up the next one writes, where the first one wrote, and the last slice comes behind the loop.
// CHECK-LABEL: func.func @main
// CHECK:         scf.while
// CHECK:         do {
// CHECK:           func.call @update_[[UPDATE:[0-9]]]_and_2_more.impl(
// CHECK-NOT:       call @{{[a-z]}}
// CHECK:           scf.yield
// CHECK:         call @update_[[UPDATE]].impl(
// CHECK:         return
func.func @main(%xs: tensor<9x24x96xf32>, %h: tensor<24x96xf32>, %w: tensor<96x96xf32>) -> tensor<9x24x96xf32> {
  %begin = xla.constant dense<0> : tensor<i32>
  %none = xla.constant dense<0.0> : tensor<9x24x96xf32>
  %r:3 = xla.while(%i = %begin, %s = %h, %ys = %none) : tensor<i32>, tensor<24x96xf32>, tensor<9x24x96xf32>
  cond {
    %end = xla.constant dense<9> : tensor<i32>
    %c = xla.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  } do {
    %one = xla.constant dense<1> : tensor<i32>
    %zero = xla.constant dense<0> : tensor<i32>
    %slice = xla.dynamic_slice %xs, %i, %zero, %zero, sizes = [1, 24, 96] : (tensor<9x24x96xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x24x96xf32>
    %x = xla.reshape %slice : (tensor<1x24x96xf32>) -> tensor<24x96xf32>
    %d = xla.dot_general %s, %w, contracting_dims = [1] x [0] : (tensor<24x96xf32>, tensor<96x96xf32>) -> tensor<24x96xf32>
    %t = xla.add %d, %x : tensor<24x96xf32>
    %u = xla.reshape %t : (tensor<24x96xf32>) -> tensor<1x24x96xf32>
    %v = xla.dynamic_update_slice %ys, %u, %i, %zero, %zero : (tensor<9x24x96xf32>, tensor<1x24x96xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x24x96xf32>
    %j = xla.add %i, %one : tensor<i32>
    xla.return %j, %t, %v : tensor<i32>, tensor<24x96xf32>, tensor<9x24x96xf32>
  }
  return %r#2 : tensor<9x24x96xf32>
}

// -----

// Not so if the loop reads the stack.
// CHECK-LABEL: func.func @main
// CHECK:         do {
// CHECK:           func.call @contraction_
// CHECK:           func.call @update_{{[0-9]}}.impl(
// CHECK:           scf.yield
// CHECK-NOT:     call @update
// CHECK:         return
func.func @main(%h: tensor<24x96xf32>, %w: tensor<96x96xf32>) -> tensor<9x24x96xf32> {
  %begin = xla.constant dense<0> : tensor<i32>
  %none = xla.constant dense<0.0> : tensor<9x24x96xf32>
  %r:2 = xla.while(%i = %begin, %ys = %none) : tensor<i32>, tensor<9x24x96xf32>
  cond {
    %end = xla.constant dense<9> : tensor<i32>
    %c = xla.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  } do {
    %one = xla.constant dense<1> : tensor<i32>
    %zero = xla.constant dense<0> : tensor<i32>
    %slice = xla.dynamic_slice %ys, %i, %zero, %zero, sizes = [1, 24, 96] : (tensor<9x24x96xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x24x96xf32>
    %x = xla.reshape %slice : (tensor<1x24x96xf32>) -> tensor<24x96xf32>
    %s = xla.add %x, %h : tensor<24x96xf32>
    %d = xla.dot_general %s, %w, contracting_dims = [1] x [0] : (tensor<24x96xf32>, tensor<96x96xf32>) -> tensor<24x96xf32>
    %u = xla.reshape %d : (tensor<24x96xf32>) -> tensor<1x24x96xf32>
    %v = xla.dynamic_update_slice %ys, %u, %i, %zero, %zero : (tensor<9x24x96xf32>, tensor<1x24x96xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x24x96xf32>
    %j = xla.add %i, %one : tensor<i32>
    xla.return %j, %v : tensor<i32>, tensor<9x24x96xf32>
  }
  return %r#1 : tensor<9x24x96xf32>
}

// -----

// Each thread reads what it has written: the product of a row and a column by its number, and of a sum the elements
// that it is dealt.
// CHECK-LABEL: func.func @main
// CHECK:         gpu.func @elementwise_0_then_contraction_1(
// CHECK:           call @elementwise_0.impl
// CHECK-NOT:       gpu.barrier
// CHECK:           call @contraction_1.impl
// CHECK-NOT:       gpu.barrier
// CHECK:           gpu.return
func.func @main(%x: tensor<7x9xf32>, %y: tensor<9x7xf32>, %z: tensor<7x7xf32>) -> (tensor<7x7xf32>, tensor<7x7xf32>) {
  %0 = xla.cosine %z : tensor<7x7xf32>
  %1 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<7x9xf32>, tensor<9x7xf32>) -> tensor<7x7xf32>
  %2 = xla.multiply %1, %0 : tensor<7x7xf32>
  return %0, %2 : tensor<7x7xf32>, tensor<7x7xf32>
}

// -----

// CHECK-LABEL: func.func @main
// CHECK:         gpu.func @{{.*}}_0_then_reduction_1(
// CHECK:           call @{{.*}}_0.impl
// CHECK-NOT:       gpu.barrier
// CHECK:           call @reduction_1.impl
// CHECK:           gpu.return
func.func @main(%x: tensor<32x31xf32>) -> (tensor<32xf32>, tensor<f32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.reduce(%x init: %zero) applies xla.add across dimensions = [1] : (tensor<32x31xf32>, tensor<f32>) -> tensor<32xf32>
  %1 = xla.optimization_barrier %0 : tensor<32xf32>
  %2 = xla.reduce(%1 init: %zero) applies xla.maximum across dimensions = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
  return %0, %2 : tensor<32xf32>, tensor<f32>
}

// -----

// The second step of a sum may read what an earlier launch has computed, too.
// CHECK-LABEL: func.func @main
// CHECK:         call @reduction_0_then_reduction_1.impl(
// CHECK-NEXT:    call @reduction_2_then_reduction_3.impl(
// CHECK-NEXT:    return
func.func @main(%x: tensor<8192x64xf32>) -> tensor<64xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8192x64xf32>, tensor<f32>) -> tensor<64xf32>
  %m = stablehlo.tanh %s : tensor<64xf32>
  %b = stablehlo.broadcast_in_dim %m, dims = [1] : (tensor<64xf32>) -> tensor<8192x64xf32>
  %d = stablehlo.subtract %x, %b : tensor<8192x64xf32>
  %e = stablehlo.multiply %d, %d : tensor<8192x64xf32>
  %v = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8192x64xf32>, tensor<f32>) -> tensor<64xf32>
  %q = stablehlo.rsqrt %v : tensor<64xf32>
  %r = stablehlo.multiply %m, %q : tensor<64xf32>
  return %r : tensor<64xf32>
}
