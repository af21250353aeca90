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

// -----

// Elements of a loop, as those that are gathered, lose dimensions of size 1, so that the loop may be one of each element.
// CHECK-LABEL: func.func @gathered
// CHECK-SAME: (%[[T:.*]]: tensor<65xf32>, %{{.*}}: tensor<100xi32>)
// CHECK: scf.for {{.*}} iter_args(%[[I:.*]] = %{{.*}})
// CHECK-NOT: _shape
// CHECK: %[[F:.*]] = linalg.generic {{.*}} ins(%[[I]] : tensor<100xi32>) outs(%{{.*}} : tensor<100xf32>)
// CHECK: tensor.extract %[[T]]
// CHECK: linalg.generic {{.*}} ins(%[[F]] : tensor<100xf32>)
// CHECK-NOT: _shape
func.func @gathered(%t: tensor<65xf32>, %x: tensor<100xi32>) -> tensor<100xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %0 = scf.for %n = %c0 to %c7 step %c1 iter_args(%i = %x) -> (tensor<100xi32>) {
    %column = tensor.expand_shape %i [[0, 1]] output_shape [100, 1] : tensor<100xi32> into tensor<100x1xi32>
    %e = tensor.empty() : tensor<100x1xf32>
    %g = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
        ins(%column : tensor<100x1xi32>) outs(%e : tensor<100x1xf32>) {
    ^bb0(%in: i32, %out: f32):
      %p = arith.index_castui %in : i32 to index
      %v = tensor.extract %t[%p] : tensor<65xf32>
      linalg.yield %v : f32
    } -> tensor<100x1xf32>
    %f = tensor.collapse_shape %g [[0, 1]] : tensor<100x1xf32> into tensor<100xf32>
    %d = tensor.empty() : tensor<100xi32>
    %j = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%f : tensor<100xf32>) outs(%d : tensor<100xi32>) {
    ^bb0(%in: f32, %out: i32):
      %v = arith.fptosi %in : f32 to i32
      linalg.yield %v : i32
    } -> tensor<100xi32>
    scf.yield %j : tensor<100xi32>
  }
  return %0 : tensor<100xi32>
}
