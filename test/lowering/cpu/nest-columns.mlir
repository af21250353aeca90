// RUN: xla-opt %s --to=loops="threads=1" --split-input-file | FileCheck %s
// RUN: xla-opt %s --to=kernels="threads=1" --split-input-file | FileCheck %s --check-prefix=PLAN

// Columns that are put together are computed for a vector of rows each, and alternate in the vectors that are stored.
// The last step has three rows.

// PLAN-LABEL: func.func private @elementwise_0
// PLAN-SAME: #xla_rt.nest<67x1, lanes d0 16x1>
// CHECK-LABEL: func.func private @elementwise_0.impl
// CHECK: %[[INSIDE:.*]] = arith.constant dense<[true, true, true, true, true, true, false, false, false, false, false, false, false, false, false, false]> : vector<16xi1>
// CHECK: scf.for
// CHECK: %[[SUM:.*]] = arith.addf %[[X:.*]], %[[Y:.*]] : vector<16xf32>
// CHECK: %[[PRODUCT:.*]] = arith.mulf %[[X]], %[[Y]] : vector<16xf32>
// CHECK: %[[LOW:.*]] = vector.shuffle %[[SUM]], %[[PRODUCT]] [0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23]
// CHECK: %[[HIGH:.*]] = vector.shuffle %[[SUM]], %[[PRODUCT]] [8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31]
// CHECK: llvm.store %[[LOW]], %[[TO:.*]] {
// CHECK: %[[NEXT:.*]] = llvm.getelementptr %[[TO]][16]
// CHECK: llvm.store %[[HIGH]], %[[NEXT]]
// CHECK: xla_rt.nonempty
// CHECK-COUNT-1: llvm.intr.masked.store %{{.*}}, %{{.*}}, %[[INSIDE]]
// CHECK-NOT: store
func.func @main(%x: tensor<67xf32>, %y: tensor<67xf32>) -> tensor<67x2xf32> {
  %0 = xla.add %x, %y : tensor<67xf32>
  %1 = xla.multiply %x, %y : tensor<67xf32>
  %2 = xla.reshape %0 : (tensor<67xf32>) -> tensor<67x1xf32>
  %3 = xla.reshape %1 : (tensor<67xf32>) -> tensor<67x1xf32>
  %4 = xla.concatenate %2, %3, dim = 1 : (tensor<67x1xf32>, tensor<67x1xf32>) -> tensor<67x2xf32>
  return %4 : tensor<67x2xf32>
}

// -----

// Three columns take two shuffles for each vector, four columns eight for four vectors.

// CHECK-LABEL: func.func private @elementwise_0.impl
// CHECK-COUNT-6: vector.shuffle
// CHECK-COUNT-3: llvm.store {{.*}} vector<16xi32>
// CHECK-LABEL: func.func private @elementwise_1.impl
// CHECK-COUNT-8: vector.shuffle
// CHECK-COUNT-4: llvm.store {{.*}} vector<16xi32>
func.func @main(%x: tensor<64x1xi32>, %y: tensor<64x1xi32>, %u: tensor<16x4x1xi32>) -> (tensor<64x3xi32>, tensor<16x4x4xi32>) {
  %0 = xla.concatenate %x, %y, %x, dim = 1 : (tensor<64x1xi32>, tensor<64x1xi32>, tensor<64x1xi32>) -> tensor<64x3xi32>
  %1 = xla.concatenate %u, %u, %u, %u, dim = 2 : (tensor<16x4x1xi32>, tensor<16x4x1xi32>, tensor<16x4x1xi32>, tensor<16x4x1xi32>) -> tensor<16x4x4xi32>
  return %0, %1 : tensor<64x3xi32>, tensor<16x4x4xi32>
}

// -----

// A product reads all columns again for each of its own: they are in memory, each written by a kernel.

// PLAN-LABEL: func.func @main(%arg0: tensor<64xf32>,
// PLAN: call @update
// PLAN: call @update
// PLAN: call @contraction
func.func @main(%x: tensor<64xf32>, %y: tensor<64xf32>, %w: tensor<2x48xf32>) -> tensor<64x48xf32> {
  %0 = xla.sine %x : tensor<64xf32>
  %1 = xla.cosine %y : tensor<64xf32>
  %2 = xla.reshape %0 : (tensor<64xf32>) -> tensor<64x1xf32>
  %3 = xla.reshape %1 : (tensor<64xf32>) -> tensor<64x1xf32>
  %4 = xla.concatenate %2, %3, dim = 1 : (tensor<64x1xf32>, tensor<64x1xf32>) -> tensor<64x2xf32>
  %5 = xla.dot_general %4, %w, contracting_dims = [1] x [0] : (tensor<64x2xf32>, tensor<2x48xf32>) -> tensor<64x48xf32>
  return %5 : tensor<64x48xf32>
}

// -----

// Reductions of a few elements that columns are computed of are in the same kernel, element by element.

// PLAN-LABEL: func.func @main(%arg0: tensor<50x3xf32>)
// PLAN-COUNT-1: call @elementwise_0
// PLAN-NOT: call
// PLAN: return
func.func @main(%x: tensor<50x3xf32>) -> tensor<50x2xf32> {
  %c = xla.constant dense<0xFF800000> : tensor<f32>
  %d = xla.constant dense<0x7F800000> : tensor<f32>
  %0 = xla.reduce(%x init: %c) applies xla.maximum across dimensions = [1] : (tensor<50x3xf32>, tensor<f32>) -> tensor<50xf32>
  %1 = xla.reduce(%x init: %d) applies xla.minimum across dimensions = [1] : (tensor<50x3xf32>, tensor<f32>) -> tensor<50xf32>
  %2 = xla.reshape %0 : (tensor<50xf32>) -> tensor<50x1xf32>
  %3 = xla.reshape %1 : (tensor<50xf32>) -> tensor<50x1xf32>
  %4 = xla.concatenate %2, %3, dim = 1 : (tensor<50x1xf32>, tensor<50x1xf32>) -> tensor<50x2xf32>
  return %4 : tensor<50x2xf32>
}

// -----

// Nine columns are three groups of three, six shuffles each; of the groups, nine vectors are made by 24.

// PLAN: tensor<64x9xf32> attributes {{.*}}#xla_rt.nest<64x1, lanes d0 16x1>
// CHECK-LABEL: func.func private @elementwise_0.impl
// CHECK-NOT: masked
// CHECK-COUNT-42: vector.shuffle
// CHECK-COUNT-9: llvm.store {{.*}} vector<16xf32>
// CHECK-NOT: llvm.store {{.*}} vector<16xf32>
// CHECK: return
func.func @main(%x: tensor<64x1xf32>, %y: tensor<64x1xf32>) -> tensor<64x3x3xf32> {
  %0 = xla.concatenate %x, %y, %x, dim = 1 : (tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x1xf32>) -> tensor<64x3xf32>
  %1 = xla.concatenate %y, %y, %x, dim = 1 : (tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x1xf32>) -> tensor<64x3xf32>
  %2 = xla.concatenate %x, %x, %y, dim = 1 : (tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x1xf32>) -> tensor<64x3xf32>
  %3 = xla.reshape %0 : (tensor<64x3xf32>) -> tensor<64x1x3xf32>
  %4 = xla.reshape %1 : (tensor<64x3xf32>) -> tensor<64x1x3xf32>
  %5 = xla.reshape %2 : (tensor<64x3xf32>) -> tensor<64x1x3xf32>
  %6 = xla.concatenate %3, %4, %5, dim = 1 : (tensor<64x1x3xf32>, tensor<64x1x3xf32>, tensor<64x1x3xf32>) -> tensor<64x3x3xf32>
  return %6 : tensor<64x3x3xf32>
}
