// Map: the region takes and returns scalars; element types of inputs and result may differ.
// RUN: xla-opt %s | FileCheck %s
// RUN: xla-opt %s --mlir-print-op-generic | xla-opt | FileCheck %s
// RUN: xla-opt %s --emit-bytecode | xla-opt | FileCheck %s

// CHECK-LABEL: func.func @multiply(
func.func @multiply(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
  // CHECK: "xla.map"(%{{.+}}, %{{.+}}) <{dimensions = array<i64: 0>}> ({
  // CHECK-NEXT: ^bb0(%[[A:.+]]: tensor<f32>, %[[B:.+]]: tensor<f32>):
  // CHECK-NEXT: %[[R:.+]] = xla.multiply %[[A]], %[[B]] : tensor<f32>
  // CHECK-NEXT: xla.return %[[R]] : tensor<f32>
  // CHECK-NEXT: }) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %r = "xla.map"(%x, %y) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = xla.multiply %a, %b : tensor<f32>
    xla.return %0 : tensor<f32>
  }) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// CHECK-LABEL: func.func @changes_type(
func.func @changes_type(%x: tensor<2x4xi32>) -> tensor<2x4xf32> {
  // CHECK: }) : (tensor<2x4xi32>) -> tensor<2x4xf32>
  %r = "xla.map"(%x) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<i32>):
    %0 = xla.convert %a : (tensor<i32>) -> tensor<f32>
    xla.return %0 : tensor<f32>
  }) : (tensor<2x4xi32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}
