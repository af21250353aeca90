// RUN: xla-opt %s --target=cuda --to=kernels --split-input-file | FileCheck %s
// RUN: xla-opt %s --target=cuda --to=loops --split-input-file | FileCheck %s --check-prefix=CODE
// Scores, the softmax of their rows and its product with values are one kernel of blocks of threads.

// CHECK-LABEL: @main
// CHECK-COUNT-1: call @
// CHECK-NOT: call @
// CHECK: xla_rt.plans = [#xla_rt.blocks<1024x32x1024x64, m d1 16, n d2 64, k d3 64, register 2x4, work d0>,
// CHECK-SAME: #xla_rt.nest<1024x32x1024x1, reduce d2>, #xla_rt.nest<1024x32x1024x1, reduce d2>, #xla_rt.nest<1024x32x1024x1, loop d2>,
// CHECK-SAME: #xla_rt.blocks<1024x32x64x1024, m d1 16, n d2 64, k d3 64, register 2x4, work d0>]

// Keys come past the registers while values are multiplied, and the other way round.
// CODE: gpu.func @rows_0
// CODE: nvvm.cp.async.commit.group
// CODE: scf.for
// CODE: nvvm.cp.async.wait.group 0
// CODE-NEXT: gpu.barrier
// CODE: nvvm.cp.async.commit.group
// CODE: math.fma
// CODE: gpu.barrier
// CODE: nvvm.cp.async.commit.group
// CODE: gpu.shuffle  xor
// CODE: nvvm.cp.async.wait.group 1
// CODE-NEXT: gpu.barrier
// CODE: math.fma
// CODE: arith.divf
func.func @main(%q: tensor<1024x64xf32>, %k: tensor<1024x64xf32>, %v: tensor<1024x64xf32>) -> tensor<1024x64xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %least = xla.constant dense<0xFF800000> : tensor<f32>
  %s = xla.dot_general %q, %k, contracting_dims = [1] x [1] : (tensor<1024x64xf32>, tensor<1024x64xf32>) -> tensor<1024x1024xf32>
  %m = xla.reduce(%s init: %least) applies xla.maximum across dimensions = [1] : (tensor<1024x1024xf32>, tensor<f32>) -> tensor<1024xf32>
  %ms = xla.broadcast_in_dim %m, dims = [0] : (tensor<1024xf32>) -> tensor<1024x1024xf32>
  %d = xla.subtract %s, %ms : tensor<1024x1024xf32>
  %e = xla.exponential %d : tensor<1024x1024xf32>
  %l = xla.reduce(%e init: %zero) applies xla.add across dimensions = [1] : (tensor<1024x1024xf32>, tensor<f32>) -> tensor<1024xf32>
  %ls = xla.broadcast_in_dim %l, dims = [0] : (tensor<1024xf32>) -> tensor<1024x1024xf32>
  %p = xla.divide %e, %ls : tensor<1024x1024xf32>
  %r = xla.dot_general %p, %v, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x64xf32>) -> tensor<1024x64xf32>
  return %r : tensor<1024x64xf32>
}

// -----

// Scores that are rounded to bf16, scaled in it and widened for their softmax.
// CHECK-LABEL: @main
// CHECK-COUNT-1: call @
// CHECK-NOT: call @
// CHECK: instruction mma
func.func @main(%q: tensor<1024x64xbf16>, %k: tensor<1024x64xbf16>, %v: tensor<1024x64xbf16>) -> tensor<1024x64xbf16> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %least = xla.constant dense<0xFF800000> : tensor<f32>
  %scale = xla.constant dense<1.250000e-01> : tensor<1024x1024xbf16>
  %t = xla.dot_general %q, %k, contracting_dims = [1] x [1] : (tensor<1024x64xbf16>, tensor<1024x64xbf16>) -> tensor<1024x1024xbf16>
  %u = xla.multiply %t, %scale : tensor<1024x1024xbf16>
  %s = xla.convert %u : (tensor<1024x1024xbf16>) -> tensor<1024x1024xf32>
  %m = xla.reduce(%s init: %least) applies xla.maximum across dimensions = [1] : (tensor<1024x1024xf32>, tensor<f32>) -> tensor<1024xf32>
  %ms = xla.broadcast_in_dim %m, dims = [0] : (tensor<1024xf32>) -> tensor<1024x1024xf32>
  %d = xla.subtract %s, %ms : tensor<1024x1024xf32>
  %e = xla.exponential %d : tensor<1024x1024xf32>
  %l = xla.reduce(%e init: %zero) applies xla.add across dimensions = [1] : (tensor<1024x1024xf32>, tensor<f32>) -> tensor<1024xf32>
  %ls = xla.broadcast_in_dim %l, dims = [0] : (tensor<1024xf32>) -> tensor<1024x1024xf32>
  %p = xla.divide %e, %ls : tensor<1024x1024xf32>
  %w = xla.convert %p : (tensor<1024x1024xf32>) -> tensor<1024x1024xbf16>
  %r = xla.dot_general %w, %v, contracting_dims = [1] x [0] : (tensor<1024x1024xbf16>, tensor<1024x64xbf16>) -> tensor<1024x64xbf16>
  return %r : tensor<1024x64xbf16>
}
