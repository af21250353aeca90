// RUN: xla-opt %s --to=linalg | xla-opt --pass-pipeline='builtin.module(func.func(xla-split-reductions))' | FileCheck %s

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
