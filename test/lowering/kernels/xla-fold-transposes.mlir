// RUN: xla-opt %s --pass-pipeline='builtin.module(func.func(xla-fold-transposes))' --split-input-file | FileCheck %s

// The contraction writes its result transposed.
// CHECK-DAG: #[[NM:.*]] = affine_map<(d0, d1, d2) -> (d1, d0)>
// CHECK-LABEL: func.func @fold
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<16x8xf32>
// CHECK: %[[INIT:.*]] = linalg.fill {{.*}} outs(%[[EMPTY]]
// CHECK: %[[R:.*]] = linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}, #[[NM]]]
// CHECK-SAME: outs(%[[INIT]] : tensor<16x8xf32>)
// CHECK-NOT: linalg.generic
// CHECK: return %[[R]]
func.func @fold(%x: tensor<8x4xf32>, %y: tensor<4x16xf32>) -> tensor<16x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<8x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e0 : tensor<8x16xf32>) -> tensor<8x16xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<8x4xf32>, tensor<4x16xf32>) outs(%init : tensor<8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x16xf32>
  %e1 = tensor.empty() : tensor<16x8xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<8x16xf32>) outs(%e1 : tensor<16x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<16x8xf32>
  return %1 : tensor<16x8xf32>
}

// -----

// A result with another reader keeps its order.
// CHECK-LABEL: func.func @other_reader
// CHECK-COUNT-2: linalg.generic
func.func @other_reader(%x: tensor<8x4xf32>, %y: tensor<4x16xf32>) -> (tensor<16x8xf32>, tensor<8x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<8x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e0 : tensor<8x16xf32>) -> tensor<8x16xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<8x4xf32>, tensor<4x16xf32>) outs(%init : tensor<8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x16xf32>
  %e1 = tensor.empty() : tensor<16x8xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<8x16xf32>) outs(%e1 : tensor<16x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<16x8xf32>
  return %1, %0 : tensor<16x8xf32>, tensor<8x16xf32>
}

// -----

// The same through elementwise code, whose other operands are read in the other order.
// CHECK-DAG: #[[FLIP:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-DAG: #[[ALL:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[OUT:.*]] = affine_map<(d0, d1, d2) -> (d1, d0)>
// CHECK-LABEL: func.func @through_elementwise
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}, #[[OUT]]]
// CHECK: -> tensor<6x4xf32>
// CHECK: linalg.generic {indexing_maps = [#[[ALL]], #[[FLIP]], #[[ALL]]]
// CHECK: -> tensor<6x4xf32>
// CHECK: linalg.generic {indexing_maps = [#[[ALL]], #[[ALL]], #[[ALL]]]
func.func @through_elementwise(%x: tensor<4x5xf32>, %y: tensor<5x6xf32>, %b: tensor<4x6xf32>, %c: tensor<6x4xf32>) -> tensor<6x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<4x5xf32>, tensor<5x6xf32>) outs(%f : tensor<4x6xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %1 = arith.mulf %p, %q : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x6xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%0, %b : tensor<4x6xf32>, tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %4 = arith.addf %p, %q : f32
    linalg.yield %4 : f32
  } -> tensor<4x6xf32>
  %t = tensor.empty() : tensor<6x4xf32>
  %5 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%3, %c : tensor<4x6xf32>, tensor<6x4xf32>) outs(%t : tensor<6x4xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %6 = arith.mulf %p, %q : f32
    linalg.yield %6 : f32
  } -> tensor<6x4xf32>
  return %5 : tensor<6x4xf32>
}
