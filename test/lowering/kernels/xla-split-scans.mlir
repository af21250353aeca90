// RUN: xla-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(xla-split-scans))' | FileCheck %s

// One long scan: 64 blocks, of which the totals of all but the last come before another.
// CHECK-LABEL: func.func @long(
// CHECK-SAME: %[[X:.*]]: tensor<4194304xf32>, %[[INIT:.*]]: tensor<f32>
// CHECK: %[[BLOCKS:.*]] = tensor.expand_shape %[[X]] {{\[\[}}0, 1]] output_shape [64, 65536]
// CHECK: %[[ALL:.*]] = tensor.extract_slice %[[BLOCKS]][0, 0] [63, 65536] [1, 1]
// CHECK: %[[NEUTRAL:.*]] = arith.constant -0.000000e+00 : f32
// CHECK: %[[NONE:.*]] = linalg.fill ins(%[[NEUTRAL]] : f32)
// CHECK: %[[TOTALS:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%[[ALL]] : tensor<63x65536xf32>) outs(%[[NONE]] : tensor<63xf32>)
// CHECK-NEXT: ^bb0(%[[LATER:.*]]: f32, %[[EARLIER:.*]]: f32):
// CHECK-NEXT: arith.addf %[[EARLIER]], %[[LATER]] : f32
// CHECK: %[[ENDS:.*]] = xla_rt.scan ins(%[[TOTALS]] : tensor<63xf32>) initial(%[[INIT]] : tensor<f32>) {{.*}} dimension = 0
// CHECK: %[[BEFORE:.*]] = linalg.generic {{.*}} ins(%[[INIT]] : tensor<f32>) outs(%{{.*}} : tensor<64xf32>)
// CHECK: %[[BLOCK:.*]] = linalg.index 0
// CHECK: %[[PREVIOUS:.*]] = arith.subi %[[BLOCK]], %{{.*}} : index
// CHECK: tensor.extract %[[ENDS]][%[[PREVIOUS]]]
// CHECK: %[[PARTS:.*]] = xla_rt.scan ins(%[[BLOCKS]] : tensor<64x65536xf32>) initial(%[[BEFORE]] : tensor<64xf32>) {{.*}} dimension = 1
// CHECK: %[[RESULT:.*]] = tensor.collapse_shape %[[PARTS]] {{\[\[}}0, 1]] : tensor<64x65536xf32> into tensor<4194304xf32>
// CHECK: return %[[RESULT]]
func.func @long(%x: tensor<4194304xf32>, %init: tensor<f32>) -> tensor<4194304xf32> {
  %empty = tensor.empty() : tensor<4194304xf32>
  %0 = xla_rt.scan ins(%x : tensor<4194304xf32>) initial(%init : tensor<f32>) outs(%empty : tensor<4194304xf32>)
      dimension = 0 {
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %a, %b : f32
    xla_rt.yield %sum : f32
  } -> tensor<4194304xf32>
  return %0 : tensor<4194304xf32>
}

// -----

// Backwards the first block comes last, and the totals of the others come before. A function is worth it much earlier,
// and totals begin with first elements.
// CHECK-LABEL: func.func @expensive(
// CHECK: tensor.expand_shape %{{.*}} {{\[\[}}0], [1, 2], [3]] output_shape [2, 100, 200, 3]
// CHECK: tensor.extract_slice %{{.*}}[0, 1, 1, 0] [2, 99, 199, 3] [1, 1, 1, 1]
// CHECK: tensor.extract_slice %{{.*}}[0, 1, 0, 0] [2, 99, 1, 3] [1, 1, 1, 1] : tensor<2x100x200x3xf32> to tensor<2x99x3xf32>
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction", "parallel"]
// CHECK: xla_rt.scan {{.*}} dimension = 1 reverse
// CHECK-NOT: arith.subi
// CHECK: xla_rt.scan {{.*}} dimension = 2 reverse
func.func @expensive(%x: tensor<2x20000x3xf32>, %init: tensor<2x3xf32>) -> tensor<2x20000x3xf32> {
  %empty = tensor.empty() : tensor<2x20000x3xf32>
  %0 = xla_rt.scan ins(%x : tensor<2x20000x3xf32>) initial(%init : tensor<2x3xf32>) outs(%empty : tensor<2x20000x3xf32>)
      dimension = 1 reverse {
  ^bb0(%a: f32, %b: f32):
    %e = math.exp %a : f32
    %f = math.exp %b : f32
    %s = arith.addf %e, %f : f32
    %l = math.log %s : f32
    xla_rt.yield %l : f32
  } -> tensor<2x20000x3xf32>
  return %0 : tensor<2x20000x3xf32>
}

// -----

// Sums that the caches hold, or of which there are enough, are not cut.
// CHECK-LABEL: func.func @short(
// CHECK-NOT: tensor.expand_shape
func.func @short(%x: tensor<65536xf32>, %init: tensor<f32>, %y: tensor<32x65536xf32>, %inits: tensor<32xf32>)
    -> (tensor<65536xf32>, tensor<32x65536xf32>) {
  %empty = tensor.empty() : tensor<65536xf32>
  %0 = xla_rt.scan ins(%x : tensor<65536xf32>) initial(%init : tensor<f32>) outs(%empty : tensor<65536xf32>)
      dimension = 0 {
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %a, %b : f32
    xla_rt.yield %sum : f32
  } -> tensor<65536xf32>
  %many = tensor.empty() : tensor<32x65536xf32>
  %1 = xla_rt.scan ins(%y : tensor<32x65536xf32>) initial(%inits : tensor<32xf32>) outs(%many : tensor<32x65536xf32>)
      dimension = 1 {
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %a, %b : f32
    xla_rt.yield %sum : f32
  } -> tensor<32x65536xf32>
  return %0, %1 : tensor<65536xf32>, tensor<32x65536xf32>
}
