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

// -----

// Padding around rows: all lanes agree on whether they are inside, so one load has either of two addresses.
// CHECK-LABEL: func.func private @elementwise_0.impl
// CHECK: %[[ZERO:.*]] = llvm.alloca {{.*}} x vector<16xf32>
// CHECK: llvm.store {{.*}}, %[[ZERO]]
// CHECK: %[[FROM:.*]] = arith.select %{{.*}}, %{{.*}}, %[[ZERO]] : !llvm.ptr
// CHECK: llvm.load %[[FROM]] {{.*}} -> vector<16xf32>
// CHECK-NOT: masked
func.func @main(%x: tensor<8x128xf32>) -> tensor<10x128xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.pad %x, %zero, low = [1, 0], high = [1, 0], interior = [0, 0] : (tensor<8x128xf32>, tensor<f32>) -> tensor<10x128xf32>
  return %0 : tensor<10x128xf32>
}

// -----

// Padding behind rows: lanes below the bound are read, the others have the padding's value from the load itself.
// CHECK-LABEL: func.func private @elementwise_0.impl
// CHECK: %[[LEFT:.*]] = arith.maxsi
// CHECK: %[[COUNT:.*]] = arith.trunci %[[LEFT]]
// CHECK: %[[MASK:.*]] = llvm.intr.get.active.lane.mask %{{.*}}, %[[COUNT]] : i32, i32 to vector<16xi1>
// CHECK: llvm.intr.masked.load %{{.*}}, %[[MASK]], %{{.*}} {alignment = 4 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf32>)
// CHECK-NOT: arith.select
func.func @main(%x: tensor<8x100xf32>) -> tensor<8x128xf32> {
  %one = xla.constant dense<1.0> : tensor<f32>
  %0 = xla.pad %x, %one, low = [0, 0], high = [0, 28], interior = [0, 0] : (tensor<8x100xf32>, tensor<f32>) -> tensor<8x128xf32>
  return %0 : tensor<8x128xf32>
}

// -----

// A tall reduction accumulates in memory; one pass over the running values takes eight rows, a constant apart, and adds
// their sum.
// CHECK-LABEL: func.func private @reduction_0.impl
// CHECK: scf.for
// CHECK: %[[RUNNING:.*]] = llvm.load %[[AT:.*]] {alignment
// CHECK: llvm.getelementptr %{{.*}}[1024] : (!llvm.ptr) -> !llvm.ptr, f32
// CHECK-COUNT-7: arith.addf
// CHECK: %[[SUM:.*]] = arith.addf %[[RUNNING]]
// CHECK-NEXT: llvm.store %[[SUM]], %[[AT]]
func.func @main(%x: tensor<4096x1024xf32>) -> tensor<1024xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.reduce(%x init: %zero) applies xla.add across dimensions = [0] : (tensor<4096x1024xf32>, tensor<f32>) -> tensor<1024xf32>
  return %0 : tensor<1024xf32>
}
