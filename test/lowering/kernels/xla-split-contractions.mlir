// RUN: xla-opt %s --to=linalg --split-input-file | xla-opt --split-input-file --pass-pipeline='builtin.module(func.func(xla-split-reductions))' | FileCheck %s

// A contraction along a long dimension runs block by block, so that a block of the second operand stays in the cache.
// CHECK-LABEL: func.func @main
// CHECK: %[[X:.*]] = tensor.expand_shape %arg0 {{\[\[}}0], [1, 2]] {{.*}} into tensor<64x16x1024xf32>
// CHECK: %[[Y:.*]] = tensor.expand_shape %arg1 {{\[\[}}0, 1], [2]] {{.*}} into tensor<16x1024x64xf32>
// CHECK: %[[PARTIAL:.*]] = linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "parallel", "reduction"]
// CHECK-SAME: ins(%[[X]], %[[Y]] :
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["reduction", "parallel", "parallel"]
// CHECK-SAME: ins(%[[PARTIAL]] : tensor<16x64x64xf32>)
func.func @main(%x: tensor<64x16384xf32>, %y: tensor<16384x64xf32>) -> tensor<64x64xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<64x16384xf32>, tensor<16384x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// -----

// Few sums of many products are work for all cores in parts: a vector by a tall matrix.
// CHECK-LABEL: func.func @main
// CHECK: %[[X:.*]] = tensor.expand_shape %arg0 {{\[\[}}0, 1]] {{.*}} into tensor<16x256xf32>
// CHECK: %[[Y:.*]] = tensor.expand_shape %arg1 {{\[\[}}0, 1], [2]] {{.*}} into tensor<16x256x64xf32>
// CHECK: %[[PARTIAL:.*]] = linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "reduction"]
// CHECK-SAME: ins(%[[X]], %[[Y]] :
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[PARTIAL]] : tensor<16x64xf32>)
func.func @main(%x: tensor<4096xf32>, %y: tensor<4096x64xf32>) -> tensor<64xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<4096xf32>, tensor<4096x64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

// A product of two vectors likewise.
// CHECK-LABEL: func.func @main
// CHECK: linalg.generic
// CHECK: } -> tensor<16xf32>
// CHECK: linalg.generic
// CHECK-SAME: ins(%{{.*}} : tensor<16xf32>)
func.func @main(%x: tensor<65536xf32>, %y: tensor<65536xf32>) -> tensor<f32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<65536xf32>, tensor<65536xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// Sums along rows of memory are work each, and few products are one core's.
// CHECK-LABEL: func.func @main
// CHECK-NOT: tensor.expand_shape
// CHECK: return
func.func @main(%x: tensor<64x4096xf32>, %y: tensor<4096xf32>, %z: tensor<1024x64xf32>, %w: tensor<1024xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<64x4096xf32>, tensor<4096xf32>) -> tensor<64xf32>
  %1 = xla.dot_general %w, %z, contracting_dims = [0] x [0] : (tensor<1024xf32>, tensor<1024x64xf32>) -> tensor<64xf32>
  return %0, %1 : tensor<64xf32>, tensor<64xf32>
}
