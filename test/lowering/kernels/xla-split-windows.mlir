// RUN: xla-opt %s --to=linalg --split-input-file | xla-opt --split-input-file --pass-pipeline='builtin.module(func.func(xla-split-reductions))' | FileCheck %s

// The gradient of a kernel: halves of each image give one of their own, which are added up.
// CHECK-DAG: #[[X:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d4, d0 + d5 * 28 + d7, d1 + d6, d2)>
// CHECK-DAG: #[[Y:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d4, d5, d7, d6, d3)>
// CHECK-DAG: #[[PARTS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d4, d5, d0, d1, d2, d3)>
// CHECK-LABEL: func.func @main
// CHECK: %[[G:.*]] = tensor.expand_shape %arg1 {{\[\[}}0], [1, 2], [3], [4]] {{.*}} into tensor<8x2x28x56x64xf32>
// CHECK: %[[PARTIAL:.*]] = linalg.generic {indexing_maps = [#[[X]], #[[Y]], #[[PARTS]]]
// CHECK-SAME: iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]
// CHECK-SAME: ins(%arg0, %[[G]] :
// CHECK-SAME: outs({{.*}} : tensor<8x2x3x3x64x64xf32>)
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["reduction", "reduction", "parallel", "parallel", "parallel", "parallel"]
// CHECK-SAME: ins(%[[PARTIAL]] : tensor<8x2x3x3x64x64xf32>)
func.func @main(%x: tensor<8x58x58x64xf32>, %g: tensor<8x56x56x64xf32>) -> tensor<3x3x64x64xf32> {
  %0 = xla.convolution(%x, %g) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {} {feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<8x58x58x64xf32>, tensor<8x56x56x64xf32>) -> tensor<3x3x64x64xf32>
  return %0 : tensor<3x3x64x64xf32>
}

// -----

// Not one whose partial results would take a large part of the memory of its factors, nor a convolution.
// CHECK-LABEL: func.func @main
// CHECK-NOT: "reduction", "reduction", "parallel"
// CHECK: return
func.func @main(%x: tensor<8x16x16x256xf32>, %g: tensor<8x14x14x256xf32>, %k: tensor<3x3x512x64xf32>, %y: tensor<8x30x30x512xf32>) -> (tensor<3x3x256x256xf32>, tensor<8x28x28x64xf32>) {
  %0 = xla.convolution(%x, %g) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {} {feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<8x16x16x256xf32>, tensor<8x14x14x256xf32>) -> tensor<3x3x256x256xf32>
  %1 = xla.convolution(%y, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<8x30x30x512xf32>, tensor<3x3x512x64xf32>) -> tensor<8x28x28x64xf32>
  return %0, %1 : tensor<3x3x256x256xf32>, tensor<8x28x28x64xf32>
}
