// RUN: xla-opt %s --split-input-file --to=kernels | FileCheck %s --check-prefix=PLAN
// RUN: xla-opt %s --split-input-file --to=loops | FileCheck %s
// Long code is there once: the last step is whole, and every step masks what it reads, writes and adds.

// PLAN: #xla_rt.nest<1000, lanes d0 16x1, masked, distribute 32>
// CHECK-LABEL: func.func private @elementwise_0.impl
// CHECK: scf.for {{.*}} to %c1008_i64
// CHECK: llvm.intr.masked.load
// CHECK-COUNT-2: llvm.x86.avx512.mask.scalef
// CHECK: llvm.intr.masked.store
// CHECK-NOT: llvm.x86.avx512.mask.scalef
// CHECK: return
func.func @main(%x: tensor<1000xf32>) -> tensor<1000xf32> {
  %0 = xla.exponential %x : tensor<1000xf32>
  %1 = xla.negate %0 : tensor<1000xf32>
  %2 = xla.exponential %1 : tensor<1000xf32>
  return %2 : tensor<1000xf32>
}

// -----

// PLAN: #xla_rt.nest<1001, lanes d0 16x1, masked
// CHECK-LABEL: func.func private @reduction_0.impl
// CHECK: llvm.intr.masked.load
// CHECK: llvm.x86.avx512.mask.scalef
// CHECK: scf.for {{.*}} iter_args(%[[SUM:.*]] = {{.*}}) -> (vector<16xf32>)
// CHECK: %[[NEXT:.*]] = arith.addf %[[SUM]], {{.*}} : vector<16xf32>
// CHECK: %[[LEFT:.*]] = arith.subi %c1001_i64
// CHECK: arith.select {{.*}}, %[[NEXT]], %[[SUM]] : vector<16xi1>, vector<16xf32>
// CHECK-NOT: llvm.x86.avx512.mask.scalef
// CHECK: return
func.func @main(%x: tensor<1001xf32>) -> tensor<f32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.exponential %x : tensor<1001xf32>
  %1 = xla.log_plus_one %0 : tensor<1001xf32>
  %2 = xla.reduce(%1 init: %zero) applies xla.add across dimensions = [0] : (tensor<1001xf32>, tensor<f32>) -> tensor<f32>
  return %2 : tensor<f32>
}

// -----

// Masks of short code, and of large arrays, would take longer than it takes to compile a copy.
// PLAN: #xla_rt.nest<1000, lanes d0 16x1>
func.func @main(%x: tensor<1000xf32>) -> tensor<1000xf32> {
  %0 = xla.exponential %x : tensor<1000xf32>
  return %0 : tensor<1000xf32>
}

// -----

// PLAN: #xla_rt.nest<100001, lanes d0 16x1, cut d0 {{[0-9]+}}, distribute 32>
func.func @main(%x: tensor<100001xf32>) -> tensor<100001xf32> {
  %0 = xla.exponential %x : tensor<100001xf32>
  %1 = xla.negate %0 : tensor<100001xf32>
  %2 = xla.exponential %1 : tensor<100001xf32>
  return %2 : tensor<100001xf32>
}

// -----

// Rows of four vectors by steps of three: a second whole step would compute two of them in vain.
// PLAN: #xla_rt.nest<1000x50, lanes d1 16x3, work d0>
func.func @main(%x: tensor<1000x50xf32>, %y: tensor<50xf32>) -> tensor<1000x50xf32> {
  %0 = xla.broadcast_in_dim %y, dims = [1] : (tensor<50xf32>) -> tensor<1000x50xf32>
  %1 = xla.multiply %x, %0 : tensor<1000x50xf32>
  %2 = xla.exponential %1 : tensor<1000x50xf32>
  %3 = xla.negate %2 : tensor<1000x50xf32>
  %4 = xla.exponential %3 : tensor<1000x50xf32>
  return %4 : tensor<1000x50xf32>
}
