// RUN: xla-opt %s --target=cuda --to=kernels --split-input-file | FileCheck %s
// RUN: xla-opt %s --target=cuda --to=loops --split-input-file | FileCheck %s --check-prefix=CODE
// Attention of few rows is one kernel, past whose rows keys are streamed by many blocks; those of a second launch
// combine what they have.

// CHECK-LABEL: @main
// CHECK-COUNT-1: call @
// CHECK-NOT: call @
// CHECK: xla_rt.kernel = #xla_rt.kernel<rows, [4] by 4>
// CHECK-SAME: xla_rt.plans = [#xla_rt.stream<4x4x2048x16, rows d1 4, keys d2 8, lanes d3 4x8, threads 128, split 16>,
// CHECK-SAME: #xla_rt.nest<4x4x2048x1, reduce d2>, #xla_rt.nest<4x4x2048x1, reduce d2>, #xla_rt.nest<4x4x2048x1, loop d2>,
// CHECK-SAME: #xla_rt.stream<4x4x24x2048, rows d1 4, keys d3 8, lanes d2 4x8, threads 128, split 16>]

// Keys and values are loaded before sums are folded. There is one barrier.
// CODE: gpu.launch_func  @kernels::@rows_0 blocks in (%c16,
// CODE: gpu.launch_func  @kernels::@rows_0_fold
// CODE: gpu.func @rows_0(
// CODE: scf.for
// CODE-COUNT-16: llvm.load {{.*}} -> vector<4xf32>
// CODE: gpu.shuffle  xor
// CODE: gpu.shuffle  idx
// CODE: math.fma
// CODE: gpu.barrier
// CODE-NOT: gpu.barrier
// CODE: gpu.func @rows_0_fold(
// CODE: arith.divf
func.func @main(%q: tensor<4x16xf32>, %k: tensor<2048x16xf32>, %v: tensor<2048x24xf32>) -> tensor<4x24xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %least = xla.constant dense<0xFF800000> : tensor<f32>
  %s = xla.dot_general %q, %k, contracting_dims = [1] x [1] : (tensor<4x16xf32>, tensor<2048x16xf32>) -> tensor<4x2048xf32>
  %m = xla.reduce(%s init: %least) applies xla.maximum across dimensions = [1] : (tensor<4x2048xf32>, tensor<f32>) -> tensor<4xf32>
  %ms = xla.broadcast_in_dim %m, dims = [0] : (tensor<4xf32>) -> tensor<4x2048xf32>
  %d = xla.subtract %s, %ms : tensor<4x2048xf32>
  %e = xla.exponential %d : tensor<4x2048xf32>
  %l = xla.reduce(%e init: %zero) applies xla.add across dimensions = [1] : (tensor<4x2048xf32>, tensor<f32>) -> tensor<4xf32>
  %ls = xla.broadcast_in_dim %l, dims = [0] : (tensor<4xf32>) -> tensor<4x2048xf32>
  %p = xla.divide %e, %ls : tensor<4x2048xf32>
  %r = xla.dot_general %p, %v, contracting_dims = [1] x [0] : (tensor<4x2048xf32>, tensor<2048x24xf32>) -> tensor<4x24xf32>
  return %r : tensor<4x24xf32>
}

// -----

// Heads with one query each have keys of their own. Those that a mask of lengths hides are not read.
// CHECK-LABEL: @main
// CHECK-COUNT-1: call @
// CHECK-NOT: call @
// CHECK: xla_rt.kernel = #xla_rt.kernel<rows, [12] by 1>
// CHECK-SAME: xla_rt.plans = [#xla_rt.stream<12x1x1000x64, rows d1 1, keys d2 8, lanes d3 4x16, threads 64, split 11>,

// CODE: gpu.func @rows_0(
// CODE: nvvm.vote.sync  any
// CODE: scf.for
// CODE: %[[READ:.*]] = nvvm.vote.sync  any
// CODE-NEXT: scf.if %[[READ]]
// CODE-COUNT-16: llvm.load {{.*}} -> vector<4xf32>
func.func @main(%q: tensor<12x64xf32>, %k: tensor<12x1000x64xf32>, %v: tensor<12x1000x64xf32>, %length: tensor<i32>) -> tensor<12x64xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %least = xla.constant dense<0xFF800000> : tensor<f32>
  %far = xla.constant dense<-1.0e30> : tensor<12x1000xf32>
  %i = xla.iota dim = 1 : tensor<12x1000xi32>
  %n = xla.broadcast_in_dim %length, dims = [] : (tensor<i32>) -> tensor<12x1000xi32>
  %isSeen = xla.compare LT, %i, %n : (tensor<12x1000xi32>, tensor<12x1000xi32>) -> tensor<12x1000xi1>
  %t = xla.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [1] x [2] : (tensor<12x64xf32>, tensor<12x1000x64xf32>) -> tensor<12x1000xf32>
  %s = xla.select %isSeen, %t, %far : tensor<12x1000xi1>, tensor<12x1000xf32>
  %m = xla.reduce(%s init: %least) applies xla.maximum across dimensions = [1] : (tensor<12x1000xf32>, tensor<f32>) -> tensor<12xf32>
  %ms = xla.broadcast_in_dim %m, dims = [0] : (tensor<12xf32>) -> tensor<12x1000xf32>
  %d = xla.subtract %s, %ms : tensor<12x1000xf32>
  %e = xla.exponential %d : tensor<12x1000xf32>
  %l = xla.reduce(%e init: %zero) applies xla.add across dimensions = [1] : (tensor<12x1000xf32>, tensor<f32>) -> tensor<12xf32>
  %ls = xla.broadcast_in_dim %l, dims = [0] : (tensor<12xf32>) -> tensor<12x1000xf32>
  %p = xla.divide %e, %ls : tensor<12x1000xf32>
  %r = xla.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<12x1000xf32>, tensor<12x1000x64xf32>) -> tensor<12x64xf32>
  return %r : tensor<12x64xf32>
}
