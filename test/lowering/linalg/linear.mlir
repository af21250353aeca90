// RUN: xla-opt %s --xla-legalize-to-linalg --split-input-file | FileCheck %s

// CHECK: #[[LHS:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK: #[[RHS:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK: #[[OUT:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func.func @matmul
func.func @matmul(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  // CHECK: %[[ZERO:.*]] = linalg.fill
  // CHECK: linalg.generic {indexing_maps = [#[[LHS]], #[[RHS]], #[[OUT]]], iterator_types = ["parallel", "parallel", "reduction"]}
  // CHECK-SAME: outs(%[[ZERO]] : tensor<2x4xf32>)
  // CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %[[ACC:.*]]: f32):
  // CHECK-NEXT: %[[P:.*]] = arith.mulf %[[A]], %[[B]]
  // CHECK-NEXT: arith.addf %[[ACC]], %[[P]]
  %0 = xla.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

// No transposition: the maps say which dimension is which.
// CHECK: #[[LHS:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d1, d4, d0, d3)>
// CHECK: #[[RHS:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d4, d2)>
// CHECK: #[[OUT:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>
// CHECK-LABEL: func.func @general
func.func @general(%a: tensor<5x2x7x3xf32>, %b: tensor<3x7x2x4xf32>) -> tensor<7x5x4xf32> {
  // CHECK-NOT: transpose
  // CHECK: linalg.generic {indexing_maps = [#[[LHS]], #[[RHS]], #[[OUT]]]
  %0 = xla.dot_general %a, %b, batching_dims = [2] x [1], contracting_dims = [3, 1] x [0, 2]
    : (tensor<5x2x7x3xf32>, tensor<3x7x2x4xf32>) -> tensor<7x5x4xf32>
  return %0 : tensor<7x5x4xf32>
}

// -----

// Narrow floats accumulate in f32 and are rounded once.
// CHECK-LABEL: func.func @bf16
func.func @bf16(%a: tensor<2x3xbf16>, %b: tensor<3x4xbf16>) -> tensor<2x4xbf16> {
  // CHECK: outs(%{{.*}} : tensor<2x4xf32>)
  // CHECK-COUNT-2: arith.extf %{{.*}} : bf16 to f32
  // CHECK: arith.mulf
  // CHECK: arith.addf
  // CHECK: linalg.generic
  // CHECK: arith.truncf %{{.*}} : f32 to bf16
  %0 = xla.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xbf16>, tensor<3x4xbf16>) -> tensor<2x4xbf16>
  return %0 : tensor<2x4xbf16>
}

// -----

// Integers compute in the result's type, with the operands' signs.
// CHECK-LABEL: func.func @integers
func.func @integers(%a: tensor<2x3xui8>, %b: tensor<3x4xui8>, %c: tensor<2x3xi8>, %d: tensor<3x4xi8>)
    -> (tensor<2x4xui32>, tensor<2x4xi32>) {
  // CHECK: arith.extui
  // CHECK: arith.muli
  // CHECK: arith.addi
  %0 = xla.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xui8>, tensor<3x4xui8>) -> tensor<2x4xui32>
  // CHECK: arith.extsi
  %1 = xla.dot_general %c, %d, contracting_dims = [1] x [0] : (tensor<2x3xi8>, tensor<3x4xi8>) -> tensor<2x4xi32>
  return %0, %1 : tensor<2x4xui32>, tensor<2x4xi32>
}

// -----

// An outer product sums nothing; an empty sum is zero.
// CHECK-LABEL: func.func @no_sum
func.func @no_sum(%a: tensor<2xf32>, %b: tensor<3xf32>, %c: tensor<2x0xf32>, %d: tensor<0x3xf32>)
    -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  // CHECK: iterator_types = ["parallel", "parallel"]
  // CHECK: %[[P:.*]] = arith.mulf
  // CHECK-NEXT: linalg.yield %[[P]]
  %0 = xla.dot_general %a, %b, contracting_dims = [] x [] : (tensor<2xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: %[[ZERO:.*]] = linalg.fill
  // CHECK: return %{{.*}}, %[[ZERO]]
  %1 = xla.dot_general %c, %d, contracting_dims = [1] x [0] : (tensor<2x0xf32>, tensor<0x3xf32>) -> tensor<2x3xf32>
  return %0, %1 : tensor<2x3xf32>, tensor<2x3xf32>
}
