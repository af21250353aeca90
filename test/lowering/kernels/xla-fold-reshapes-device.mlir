// RUN: xla-opt %s --pass-pipeline='builtin.module(func.func(xla-fold-reshapes{device=true}))' --split-input-file | FileCheck %s
// Loops of one iteration of sums of products, whose readers drop them.

// A convolution of one image: its window reads the image at 0.
// CHECK-DAG: #[[X:.*]] = affine_map<(d0, d1, d2, d3) -> (0, d0 + d2, d3)>
// CHECK-DAG: #[[K:.*]] = affine_map<(d0, d1, d2, d3) -> (d2, d3, d1)>
// CHECK-DAG: #[[R:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
// CHECK-LABEL: func.func @window
// CHECK-SAME: (%[[A:.*]]: tensor<1x10x4xf32>, %[[B:.*]]: tensor<3x4x5xf32>)
// CHECK: %[[S:.*]] = linalg.generic {indexing_maps = [#[[X]], #[[K]], #[[R]]], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
// CHECK-SAME: ins(%[[A]], %[[B]] : tensor<1x10x4xf32>, tensor<3x4x5xf32>)
// CHECK: return %[[S]] : tensor<8x5xf32>
func.func @window(%x: tensor<1x10x4xf32>, %k: tensor<3x4x5xf32>) -> tensor<8x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x5xf32>) -> tensor<1x8x5xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(n, i, o, w, c) -> (n, i + w, c)>, affine_map<(n, i, o, w, c) -> (w, c, o)>, affine_map<(n, i, o, w, c) -> (n, i, o)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%x, %k : tensor<1x10x4xf32>, tensor<3x4x5xf32>) outs(%f : tensor<1x8x5xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %p = arith.mulf %l, %r : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<1x8x5xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<1x8x5xf32> into tensor<8x5xf32>
  return %1 : tensor<8x5xf32>
}

// -----

// A contraction is still one: its factor loses the dimension, too.
// CHECK-DAG: #[[X:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-LABEL: func.func @contraction
// CHECK-SAME: (%[[A:.*]]: tensor<1x8x4xf32>, %[[B:.*]]: tensor<4x5xf32>)
// CHECK: %[[C:.*]] = tensor.collapse_shape %[[A]] {{\[}}[0, 1], [2]] : tensor<1x8x4xf32> into tensor<8x4xf32>
// CHECK: linalg.generic {indexing_maps = [#[[X]],
// CHECK-SAME: ins(%[[C]], %[[B]] : tensor<8x4xf32>, tensor<4x5xf32>)
func.func @contraction(%x: tensor<1x8x4xf32>, %y: tensor<4x5xf32>) -> tensor<8x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x5xf32>) -> tensor<1x8x5xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(n, i, o, c) -> (n, i, c)>, affine_map<(n, i, o, c) -> (c, o)>, affine_map<(n, i, o, c) -> (n, i, o)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %y : tensor<1x8x4xf32>, tensor<4x5xf32>) outs(%f : tensor<1x8x5xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %p = arith.mulf %l, %r : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<1x8x5xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<1x8x5xf32> into tensor<8x5xf32>
  return %1 : tensor<8x5xf32>
}

// -----

// One reader wants it.
// CHECK-LABEL: func.func @kept
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "parallel", "reduction"]
func.func @kept(%x: tensor<1x8x4xf32>, %y: tensor<4x5xf32>) -> (tensor<8x5xf32>, tensor<1x8x5xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x5xf32>) -> tensor<1x8x5xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(n, i, o, c) -> (n, i, c)>, affine_map<(n, i, o, c) -> (c, o)>, affine_map<(n, i, o, c) -> (n, i, o)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %y : tensor<1x8x4xf32>, tensor<4x5xf32>) outs(%f : tensor<1x8x5xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %p = arith.mulf %l, %r : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<1x8x5xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<1x8x5xf32> into tensor<8x5xf32>
  return %1, %0 : tensor<8x5xf32>, tensor<1x8x5xf32>
}
