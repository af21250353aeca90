// RUN: xla-opt %s --split-input-file --to=kernels | FileCheck %s --check-prefix=PLAN
// RUN: xla-opt %s --split-input-file --to=loops | FileCheck %s
// Short rows have their elements in lanes, and neighbours are folded together, by a tree over pairs of them.

// PLAN: #xla_rt.nest<4096x8, lanes d1 8x1, jam d0 8, cut d0 160>
// CHECK-LABEL: func.func private @reduction_0.impl
// CHECK: vector.shuffle {{.*}} [0, 8, 1, 9, 4, 12, 5, 13] : vector<8xf32>, vector<8xf32>
// CHECK: vector.shuffle {{.*}} [2, 10, 3, 11, 6, 14, 7, 15] : vector<8xf32>, vector<8xf32>
// CHECK: %[[L:.*]] = vector.shuffle %[[A:.*]], %[[B:.*]] [0, 1, 8, 9, 4, 5, 12, 13]
// CHECK: %[[R:.*]] = vector.shuffle %[[A]], %[[B]] [2, 3, 10, 11, 6, 7, 14, 15]
// CHECK: arith.addf %[[L]], %[[R]]
// CHECK: %[[L:.*]] = vector.shuffle %[[A:.*]], %[[B:.*]] [0, 1, 2, 3, 8, 9, 10, 11]
// CHECK: %[[R:.*]] = vector.shuffle %[[A]], %[[B]] [4, 5, 6, 7, 12, 13, 14, 15]
// CHECK: %[[SUMS:.*]] = arith.addf %[[L]], %[[R]]
// What is computed of results is so for all rows.
// CHECK: %[[ROOTS:.*]] = math.sqrt {{.*}} : vector<8xf32>
// CHECK: llvm.store %[[ROOTS]], {{.*}} : vector<8xf32>
// CHECK-NOT: vector.reduction
func.func @main(%x: tensor<4096x8xf32>) -> tensor<4096xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.multiply %x, %x : tensor<4096x8xf32>
  %1 = xla.reduce(%0 init: %zero) applies xla.add across dimensions = [1] : (tensor<4096x8xf32>, tensor<f32>) -> tensor<4096xf32>
  %2 = xla.sqrt %1 : tensor<4096xf32>
  return %2 : tensor<4096xf32>
}

// -----

// Truth values are bytes meanwhile: masks have no shuffles. Of four blocks of a register, halves are combined first.
// PLAN: #xla_rt.nest<4096x16, lanes d1 16x1, jam d0 16, cut d0 320>
// CHECK-LABEL: func.func private @reduction_0.impl
// CHECK: arith.extsi {{.*}} : vector<16xi1> to vector<16xi8>
// CHECK: vector.shuffle {{.*}} [0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23] : vector<16xi8>
// CHECK: arith.trunci {{.*}} : vector<16xi8> to vector<16xi1>
// CHECK-NOT: vector.reduction
func.func @main(%x: tensor<4096x16xf32>) -> tensor<4096xi1> {
  %zero = xla.constant dense<0.0> : tensor<4096x16xf32>
  %false = xla.constant dense<false> : tensor<i1>
  %0 = xla.compare GT, %x, %zero, FLOAT : (tensor<4096x16xf32>, tensor<4096x16xf32>) -> tensor<4096x16xi1>
  %1 = xla.reduce(%0 init: %false) applies xla.or across dimensions = [1] : (tensor<4096x16xi1>, tensor<i1>) -> tensor<4096xi1>
  return %1 : tensor<4096xi1>
}

// -----

// Rows of two vectors, of which the second one is masked.
// PLAN: #xla_rt.nest<4096x20, lanes d1 16x1, jam d0 16, cut d0 320>
// CHECK-LABEL: func.func private @reduction_0.impl
// CHECK: vector.shuffle {{.*}} [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23]
// CHECK: vector.shuffle {{.*}} [8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31]
// CHECK: vector.shuffle {{.*}} [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27]
// CHECK: vector.shuffle {{.*}} [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31]
func.func @main(%x: tensor<4096x20xf32>) -> tensor<4096xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.reduce(%x init: %zero) applies xla.add across dimensions = [1] : (tensor<4096x20xf32>, tensor<f32>) -> tensor<4096xf32>
  return %0 : tensor<4096xf32>
}

// -----

// Rows of five are found in five vectors, of which lanes are taken out; and sums of longer rows are folded in less time
// than those are read.
// PLAN: #xla_rt.nest<4096x5, lanes d0 16x1, reduce d1
func.func @main(%x: tensor<4096x5xf32>) -> tensor<4096xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.reduce(%x init: %zero) applies xla.add across dimensions = [1] : (tensor<4096x5xf32>, tensor<f32>) -> tensor<4096xf32>
  return %0 : tensor<4096xf32>
}

// -----

// PLAN: #xla_rt.nest<4096x48, lanes d1 16x3, work d0
func.func @main(%x: tensor<4096x48xf32>) -> tensor<4096xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.reduce(%x init: %zero) applies xla.add across dimensions = [1] : (tensor<4096x48xf32>, tensor<f32>) -> tensor<4096xf32>
  return %0 : tensor<4096xf32>
}

// -----

// Lanes that are taken out of columns are so once for all rows of a tile.
// PLAN: #xla_rt.nest<256x250x10, lanes d1 16x3, jam d0 8, reduce d2
func.func @main(%x: tensor<256x10xf32>, %y: tensor<250x10xf32>) -> tensor<256x250xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %a = xla.broadcast_in_dim %x, dims = [0, 2] : (tensor<256x10xf32>) -> tensor<256x250x10xf32>
  %b = xla.broadcast_in_dim %y, dims = [1, 2] : (tensor<250x10xf32>) -> tensor<256x250x10xf32>
  %0 = xla.subtract %a, %b : tensor<256x250x10xf32>
  %1 = xla.abs %0 : tensor<256x250x10xf32>
  %2 = xla.reduce(%1 init: %zero) applies xla.add across dimensions = [2] : (tensor<256x250x10xf32>, tensor<f32>) -> tensor<256x250xf32>
  return %2 : tensor<256x250xf32>
}
