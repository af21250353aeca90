// RUN: xla-opt %s --split-input-file --to=linalg | xla-opt --split-input-file --pass-pipeline='builtin.module(func.func(xla-fold-widenings))' | FileCheck %s

// Bytes that the program widens itself, for products of different types, are widened by the contraction.
// CHECK-LABEL: func.func @main
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1 : tensor<64x64xi8>, tensor<64x64xi8>)
// CHECK-NEXT: ^bb0(%[[X:.*]]: i8, %[[Y:.*]]: i8, %{{.*}}: i32):
// CHECK-DAG: arith.extui %[[X]] : i8 to i32
// CHECK-DAG: arith.extsi %[[Y]] : i8 to i32
// CHECK: arith.muli
func.func @main(%a: tensor<64x64xui8>, %b: tensor<64x64xi8>) -> tensor<64x64xi32> {
  %x = xla.convert %a : (tensor<64x64xui8>) -> tensor<64x64xi32>
  %y = xla.convert %b : (tensor<64x64xi8>) -> tensor<64x64xi32>
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<64x64xi32>, tensor<64x64xi32>) -> tensor<64x64xi32>
  return %0 : tensor<64x64xi32>
}

// -----

// A factor that is not narrow leaves the other one as it is.
// CHECK-LABEL: func.func @main
// CHECK: %[[X:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<64x64xi8>)
// CHECK: linalg.generic {{.*}} ins(%[[X]], %arg1 : tensor<64x64xi32>, tensor<64x64xi32>)
func.func @main(%a: tensor<64x64xi8>, %b: tensor<64x64xi32>) -> tensor<64x64xi32> {
  %x = xla.convert %a : (tensor<64x64xi8>) -> tensor<64x64xi32>
  %0 = xla.dot_general %x, %b, contracting_dims = [1] x [0] : (tensor<64x64xi32>, tensor<64x64xi32>) -> tensor<64x64xi32>
  return %0 : tensor<64x64xi32>
}

// -----

// Nor are sums of other widths for these instructions.
// CHECK-LABEL: func.func @main
// CHECK: linalg.generic {{.*}} ins({{.*}} : tensor<64x64xi64>, tensor<64x64xi64>)
func.func @main(%a: tensor<64x64xi8>, %b: tensor<64x64xi8>) -> tensor<64x64xi64> {
  %x = xla.convert %a : (tensor<64x64xi8>) -> tensor<64x64xi64>
  %y = xla.convert %b : (tensor<64x64xi8>) -> tensor<64x64xi64>
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<64x64xi64>, tensor<64x64xi64>) -> tensor<64x64xi64>
  return %0 : tensor<64x64xi64>
}
