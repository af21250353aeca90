// Functions of xla ops are inlined by MLIR's own pass.
// RUN: xla-opt %s --inline | FileCheck %s

func.func private @callee(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = "xla.map"(%x) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>):
    %0 = xla.tanh %a : tensor<f32>
    xla.return %0 : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @caller(
// CHECK-NEXT: %[[R:.+]] = "xla.map"
// CHECK: return %[[R]]
func.func @caller(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = func.call @callee(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
