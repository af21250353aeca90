// RUN: xla-opt %s | FileCheck %s
// RUN: xla-opt %s | xla-opt | FileCheck %s
// RUN: xla-opt %s --mlir-print-op-generic | xla-opt | FileCheck %s
// RUN: xla-opt %s --emit-bytecode | xla-opt | FileCheck %s

// CHECK-LABEL: func.func @sort
func.func @sort(%k: tensor<4x8xf32>, %v: tensor<4x8xi32>) {
  // CHECK:      "xla.sort"(%{{.*}}, %{{.*}}) <{dimension = 0 : i64, is_stable = true}> ({
  // CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>, %{{.*}}: tensor<i32>, %{{.*}}: tensor<i32>):
  // CHECK-NEXT:   xla.compare LT, %[[A]], %[[B]], TOTALORDER
  %0:2 = "stablehlo.sort"(%k, %v) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %x: tensor<i32>, %y: tensor<i32>):
    %before = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
  // The last dimension, not stable.
  // CHECK: "xla.sort"(%{{.*}}) ({
  %1 = "xla.sort"(%k) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %before = xla.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %before : tensor<i1>
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK-LABEL: func.func @top_k
func.func @top_k(%x: tensor<4x8xf32>) {
  // CHECK: xla.top_k(%{{.*}}, k = 3) : tensor<4x8xf32> -> (tensor<4x3xf32>, tensor<4x3xi32>)
  %v, %i = chlo.top_k(%x, k = 3) : tensor<4x8xf32> -> (tensor<4x3xf32>, tensor<4x3xi32>)
  // CHECK: xla.top_k(%{{.*}}, k = 0) {note = 1 : i32} : tensor<4x8xf32> -> (tensor<4x0xf32>, tensor<4x0xi32>)
  %w, %j = xla.top_k(%x, k = 0) {note = 1 : i32} : tensor<4x8xf32> -> (tensor<4x0xf32>, tensor<4x0xi32>)
  return
}
