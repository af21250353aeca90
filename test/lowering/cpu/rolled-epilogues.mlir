// RUN: xla-opt %s --split-input-file --to=loops=threads=1 | FileCheck %s

// A function of the 24 vectors of a tile: its code is there once, in loops over vectors and rows, and reads the sums
// from the stack. Its constants are read there, too, before the loops, so that none takes a register from the sums.
// CHECK-LABEL: func.func private @contraction_0.impl
// CHECK-DAG: %[[NUMBER:.*]] = llvm.alloca {{.*}} x f32
// CHECK-DAG: %[[SUMS:.*]] = llvm.alloca %{{.*}} x vector<16xf32> {alignment = 64
// CHECK: %[[TILE:.*]]:24 = scf.for
// CHECK: llvm.store %[[TILE]]#0, %[[SUMS]]
// CHECK-COUNT-23: llvm.store %[[TILE]]
// CHECK: llvm.load %{{.*}} -> f32
// CHECK: scf.for {{.*}} to %c4_i64
// CHECK:   scf.for {{.*}} to %c6_i64
// CHECK:     %[[SLOT:.*]] = llvm.getelementptr %[[SUMS]][%{{.*}}]
// CHECK:     llvm.load %[[SLOT]] {{.*}} -> vector<16xf32>
// CHECK:     arith.divf %{{[0-9]+}}, %{{[0-9]+}} : vector<16xf32>
// CHECK-NOT: arith.divf
// CHECK:     llvm.store {{.*}} : vector<16xf32>
// CHECK-NOT: llvm.store
// CHECK: return
func.func @main(%x: tensor<96x32xf32>, %y: tensor<32x192xf32>) -> tensor<96x192xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<96x32xf32>, tensor<32x192xf32>) -> tensor<96x192xf32>
  %1 = xla.tanh %0 : tensor<96x192xf32>
  return %1 : tensor<96x192xf32>
}

// -----

// The last columns fill no vector: each step of the loop has its own mask.
// CHECK-LABEL: func.func private @contraction_0.impl
// CHECK: scf.for {{.*}} to %c2_i64
// CHECK:   %[[MASK:.*]] = llvm.intr.get.active.lane.mask
// CHECK:   scf.for {{.*}} to %c12_i64
// CHECK:     llvm.intr.masked.store {{.*}} %[[MASK]]
// CHECK-NOT: llvm.intr.masked.store
// CHECK: return
func.func @main(%x: tensor<96x8xf32>, %y: tensor<8x20xf32>) -> tensor<96x20xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<96x8xf32>, tensor<8x20xf32>) -> tensor<96x20xf32>
  %1 = xla.tanh %0 : tensor<96x20xf32>
  return %1 : tensor<96x20xf32>
}

// -----

// Few instructions stay in registers.
// CHECK-LABEL: func.func private @contraction_0.impl
// CHECK-NOT: llvm.alloca
// CHECK: %[[TILE:.*]]:24 = scf.for
// CHECK-COUNT-24: arith.maximumf {{.*}} : vector<16xf32>
// CHECK: return
func.func @main(%x: tensor<96x32xf32>, %y: tensor<32x192xf32>) -> tensor<96x192xf32> {
  %zero = xla.constant dense<0.0> : tensor<96x192xf32>
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<96x32xf32>, tensor<32x192xf32>) -> tensor<96x192xf32>
  %1 = xla.maximum %0, %zero : tensor<96x192xf32>
  return %1 : tensor<96x192xf32>
}

// -----

// Of a masked step, only vectors that begin inside: the mask of another one would hold all lanes.
// CHECK-LABEL: func.func private @contraction_0.impl
// CHECK: %[[TILE:.*]]:20 = scf.for
// CHECK: %[[LEFT:.*]] = arith.subi %c245_i64, %[[COLUMN:.*]] : i64
// CHECK: %[[INSIDE:.*]] = arith.divui %[[LEFT]], %c16_i64
// CHECK: %[[VECTORS:.*]] = arith.minsi %c4_i64, %[[INSIDE]]
// CHECK: scf.for {{.*}} to %[[VECTORS]]
// CHECK: return
func.func @main(%x: tensor<45x33xf32>, %y: tensor<33x230xf32>) -> tensor<45x230xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<45x33xf32>, tensor<33x230xf32>) -> tensor<45x230xf32>
  %1 = xla.tanh %0 : tensor<45x230xf32>
  return %1 : tensor<45x230xf32>
}
