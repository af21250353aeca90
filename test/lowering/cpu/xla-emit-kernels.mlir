// RUN: xla-opt %s --to=loops --split-input-file | FileCheck %s

// Vectors of the target's width, a masked remainder, no call and no allocation.
// CHECK-LABEL: func.func private @elementwise_0.impl
// CHECK: scf.for {{.*}} step
// CHECK:   llvm.load {{.*}} -> vector<16xf32>
// CHECK:   arith.addf {{.*}} : vector<16xf32>
// CHECK:   llvm.store
// CHECK: llvm.intr.masked.load
// CHECK: llvm.intr.masked.store
// CHECK-NOT: memref
func.func @main(%x: tensor<1000xf32>, %y: tensor<1000xf32>) -> tensor<1000xf32> {
  %0 = xla.add %x, %y : tensor<1000xf32>
  return %0 : tensor<1000xf32>
}

// -----

// A register tile: 6 rows by 4 vectors of columns accumulate in one loop.
// CHECK-LABEL: func.func private @contraction_0.impl
// CHECK: %{{.*}}:24 = scf.for
// CHECK-COUNT-24: math.fma {{.*}} : vector<16xf32>
// CHECK: scf.yield
func.func @main(%x: tensor<96x64xf32>, %y: tensor<64x192xf32>) -> tensor<96x192xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<96x64xf32>, tensor<64x192xf32>) -> tensor<96x192xf32>
  return %0 : tensor<96x192xf32>
}

// -----

// A transposition goes through registers: chunks of 128 bits, interleaving shuffles, contiguous stores.
// CHECK-LABEL: func.func private @elementwise_0.impl
// CHECK-COUNT-16: llvm.load {{.*}} -> vector<4xf32>
// CHECK-COUNT-8: vector.shuffle
// CHECK-COUNT-4: llvm.store {{.*}} : vector<16xf32>
func.func @main(%x: tensor<128x64xf32>) -> tensor<64x128xf32> {
  %0 = xla.transpose %x, dims = [1, 0] : (tensor<128x64xf32>) -> tensor<64x128xf32>
  return %0 : tensor<64x128xf32>
}
