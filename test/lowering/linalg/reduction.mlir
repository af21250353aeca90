// RUN: xla-opt %s --xla-legalize-to-linalg --split-input-file | FileCheck %s

// CHECK: #[[IN:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK: #[[OUT:.*]] = affine_map<(d0, d1, d2) -> (d1)>
// CHECK-LABEL: func.func @reduce(
// CHECK-SAME: %[[X:.*]]: tensor<4x2x3xf32>
func.func @reduce(%x: tensor<4x2x3xf32>) -> tensor<2xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  // CHECK: %[[FILL:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<2xf32>)
  // CHECK: linalg.generic {indexing_maps = [#[[IN]], #[[OUT]]], iterator_types = ["reduction", "parallel", "reduction"]}
  // CHECK-SAME: ins(%[[X]] : tensor<4x2x3xf32>) outs(%[[FILL]] : tensor<2xf32>)
  // The running value comes first.
  // CHECK-NEXT: ^bb0(%[[NEW:.*]]: f32, %[[ACC:.*]]: f32):
  // CHECK-NEXT: arith.addf %[[ACC]], %[[NEW]]
  %0 = xla.reduce(%x init: %zero) applies xla.add across dimensions = [2, 0] : (tensor<4x2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// Several arrays, any computation.
// CHECK-LABEL: func.func @argmax
func.func @argmax(%x: tensor<4x8xf32>, %i: tensor<4x8xui32>, %v: tensor<f32>, %k: tensor<ui32>) -> (tensor<4xf32>, tensor<4xui32>) {
  // CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<4x8xi32>)
  // CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[I:.*]]: i32, %[[V:.*]]: f32, %[[K:.*]]: i32):
  // CHECK-NEXT: %[[GE:.*]] = arith.cmpf oge, %[[V]], %[[X]]
  // CHECK-NEXT: %[[NV:.*]] = arith.select %[[GE]], %[[V]], %[[X]]
  // CHECK-NEXT: %[[NK:.*]] = arith.select %[[GE]], %[[K]], %[[I]]
  // CHECK-NEXT: linalg.yield %[[NV]], %[[NK]] : f32, i32
  %0:2 = xla.reduce(%x init: %v), (%i init: %k) across dimensions = [1]
    : (tensor<4x8xf32>, tensor<4x8xui32>, tensor<f32>, tensor<ui32>) -> (tensor<4xf32>, tensor<4xui32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%ia: tensor<ui32>, %ib: tensor<ui32>) {
    %keep = xla.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %m = xla.select %keep, %a, %b : tensor<i1>, tensor<f32>
    %im = xla.select %keep, %ia, %ib : tensor<i1>, tensor<ui32>
    xla.return %m, %im : tensor<f32>, tensor<ui32>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xui32>
}

// -----

// Nothing to reduce: the computation once, with the initial value first; outs is not read.
// CHECK-LABEL: func.func @no_dimensions
func.func @no_dimensions(%x: tensor<4xf32>, %c: tensor<f32>) -> tensor<4xf32> {
  // CHECK: linalg.generic {{.*}} iterator_types = ["parallel"]}
  // CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[C:.*]]: f32, %{{.*}}: f32):
  // CHECK-NEXT: arith.maximumf %[[C]], %[[X]]
  %0 = xla.reduce(%x init: %c) applies xla.maximum across dimensions = [] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
