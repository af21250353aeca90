// RUN: xla-opt %s --split-input-file --to=loops | FileCheck %s
// Rows of a few elements: steps are whole rows, so that lanes are at the same places of them in every step.

// What does not depend on the row is read before all loops, and one place of three further on in each vector.
// CHECK-LABEL: func.func private @elementwise_0.impl
// CHECK: %[[Y:.*]] = llvm.intr.masked.load %arg0, {{.*}} -> vector<16xf32>
// CHECK: %[[FIRST:.*]] = vector.shuffle %[[Y]], %[[Y]] [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0]
// CHECK: vector.shuffle {{.*}} [1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1]
// CHECK: vector.shuffle {{.*}} [2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2]
// CHECK: scf.for %[[I:[a-z0-9]+]] = {{.*}} to %c3024_i64 step %c48_i64
// CHECK: %[[AT:.*]] = llvm.getelementptr %arg1[%[[I]]]
// CHECK: %[[X:.*]] = llvm.load %[[AT]] {{.*}} -> vector<16xf32>
// CHECK: arith.addf %[[X]], %[[FIRST]]
func.func @main(%x: tensor<1008x3xf32>, %y: tensor<3xf32>) -> tensor<1008x3xf32> {
  %b = xla.broadcast_in_dim %y, dims = [1] : (tensor<3xf32>) -> tensor<1008x3xf32>
  %0 = xla.add %x, %b : tensor<1008x3xf32>
  return %0 : tensor<1008x3xf32>
}

// -----

// One value for each row of five: four are in the lanes of the first vector. A vector reads no more than its own.
// CHECK-LABEL: func.func private @elementwise_0.impl
// CHECK-DAG: %[[FOUR:.*]] = arith.constant dense<[true, true, true, true, false, false, false, false, false, false, false, false, false, false, false, false]>
// CHECK: scf.for %[[I:[a-z0-9]+]] = {{.*}} step %c80_i64
// CHECK: %[[ROW:.*]] = arith.divui %[[I]], %c5_i64
// CHECK: %[[AT:.*]] = llvm.getelementptr %arg0[%[[ROW]]]
// CHECK: %[[Y:.*]] = llvm.intr.masked.load %[[AT]], %[[FOUR]]
// CHECK: vector.shuffle %[[Y]], %[[Y]] [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3]
// CHECK: %[[NEXT:.*]] = llvm.getelementptr %[[AT]][3]
// CHECK: %[[Z:.*]] = llvm.intr.masked.load %[[NEXT]]
// CHECK: vector.shuffle %[[Z]], %[[Z]] [0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3]
func.func @main(%x: tensor<1600x5xf32>, %y: tensor<1600xf32>) -> tensor<1600x5xf32> {
  %b = xla.broadcast_in_dim %y, dims = [0] : (tensor<1600xf32>) -> tensor<1600x5xf32>
  %0 = xla.add %x, %b : tensor<1600x5xf32>
  return %0 : tensor<1600x5xf32>
}

// -----

// Rows in reversed order lie in two vectors.
// CHECK-LABEL: func.func private @elementwise_0.impl
// CHECK: scf.for {{.*}} step %c48_i64
// CHECK: %[[LOW:.*]] = llvm.load %[[AT:[0-9]+]] {{.*}} -> vector<16xf32>
// CHECK: %[[SOME:.*]] = vector.shuffle %[[LOW]], %[[LOW]] [15, 0, 0, 12, 13, 14, 9, 10, 11, 6, 7, 8, 3, 4, 5, 0]
// CHECK: %[[NEXT:.*]] = llvm.getelementptr %[[AT]][16]
// CHECK: %[[HIGH:.*]] = llvm.intr.masked.load %[[NEXT]]
// CHECK: vector.shuffle %[[SOME]], %[[HIGH]] [0, 16, 17, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
// CHECK-NOT: gather
func.func @main(%x: tensor<8x160x3xf32>) -> tensor<8x160x3xf32> {
  %0 = xla.reverse %x, dims = [1] : tensor<8x160x3xf32>
  return %0 : tensor<8x160x3xf32>
}

// -----

// Points times a matrix: four points in a vector, which share the matrix.
// CHECK-LABEL: func.func private @contraction_0.impl
// CHECK: scf.for %[[I:[a-z0-9]+]] = {{.*}} step %c64_i64
// CHECK: llvm.getelementptr %{{.*}}[%[[I]]]
// CHECK: scf.for %[[K:.*]] = %c0_i64 to %c4_i64
// CHECK: vector.shuffle {{.*}} [0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12]
// CHECK: vector.shuffle {{.*}} [0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12]
// CHECK-NOT: vector.shuffle {{.*}} [0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12]
// CHECK: scf.yield
func.func @main(%p: tensor<4096x4xf32>, %m: tensor<4x4xf32>) -> tensor<4096x4xf32> {
  %0 = xla.dot_general %p, %m, contracting_dims = [1] x [1] : (tensor<4096x4xf32>, tensor<4x4xf32>) -> tensor<4096x4xf32>
  return %0 : tensor<4096x4xf32>
}

// -----

// What is known of each image is long, but exists once, beside three vectors of pixels: their rows are joined.
// CHECK-LABEL: func.func private @elementwise_0.impl
// CHECK: llvm.store {{.*}} : vector<16xf32>
func.func @main(%x: tensor<64x64x3xf32>, %s: tensor<64xf32>) -> tensor<64x64x3xf32> {
  %0 = xla.tanh %s : tensor<64xf32>
  %1 = xla.sine %0 : tensor<64xf32>
  %2 = xla.log_plus_one %1 : tensor<64xf32>
  %3 = xla.broadcast_in_dim %2, dims = [0] : (tensor<64xf32>) -> tensor<64x64x3xf32>
  %4 = xla.reverse %x, dims = [1] : tensor<64x64x3xf32>
  %5 = xla.multiply %4, %3 : tensor<64x64x3xf32>
  return %5 : tensor<64x64x3xf32>
}

// -----

// An image of twice the size: rows of two equal elements are one dimension, though the rows of the image are read at quotients.
// CHECK-LABEL: func.func private @elementwise_0.impl
// CHECK: %[[X:.*]] = llvm.intr.masked.load {{.*}} -> vector<16xf32>
// CHECK-NEXT: vector.shuffle %[[X]], %[[X]] [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7]
func.func @main(%x: tensor<50x64xf32>) -> tensor<100x128xf32> {
  %0 = xla.broadcast_in_dim %x, dims = [0, 2] : (tensor<50x64xf32>) -> tensor<50x2x64xf32>
  %1 = xla.reshape %0 : (tensor<50x2x64xf32>) -> tensor<100x64xf32>
  %2 = xla.broadcast_in_dim %1, dims = [0, 1] : (tensor<100x64xf32>) -> tensor<100x64x2xf32>
  %3 = xla.reshape %2 : (tensor<100x64x2xf32>) -> tensor<100x128xf32>
  return %3 : tensor<100x128xf32>
}
