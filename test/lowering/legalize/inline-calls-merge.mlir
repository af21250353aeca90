// RUN: xla-opt %s --xla-inline-calls --split-input-file | FileCheck %s
// RUN: xla-opt %s --xla-inline-calls --split-input-file --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=LOC

// Equal calls of a block are one, also those that are equal only then.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4xf32>
// CHECK-NEXT: %[[TX:.*]] = xla.tanh %[[X]]
// CHECK-NEXT: %[[TTX:.*]] = xla.tanh %[[TX]]
// CHECK-NEXT: %[[TY:.*]] = xla.tanh %[[Y]]
// CHECK-NEXT: %[[A:.*]] = xla.add %[[TTX]], %[[TTX]]
// CHECK-NEXT: %[[B:.*]] = xla.add %[[A]], %[[TY]]
// CHECK-NEXT: return %[[B]]
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = call @f(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = call @f(%1) : (tensor<4xf32>) -> tensor<4xf32>
  %4 = call @f(%y) : (tensor<4xf32>) -> tensor<4xf32>
  %5 = xla.add %2, %3 : tensor<4xf32>
  %6 = xla.add %5, %4 : tensor<4xf32>
  return %6 : tensor<4xf32>
}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.tanh %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A side effect happens as often as it is called for, be it in a callee's region.
// CHECK-LABEL: func.func @main(
// CHECK-COUNT-2: xla.custom_call @effect
// CHECK: return
func.func @main(%x: tensor<f32>, %p: tensor<i1>) -> (tensor<f32>, tensor<f32>) {
  %0 = call @f(%x, %p) : (tensor<f32>, tensor<i1>) -> tensor<f32>
  %1 = call @f(%x, %p) : (tensor<f32>, tensor<i1>) -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}
func.func private @f(%x: tensor<f32>, %p: tensor<i1>) -> tensor<f32> {
  %0 = "xla.if"(%p) ({
    %1 = func.call @g(%x) : (tensor<f32>) -> tensor<f32>
    xla.return %1 : tensor<f32>
  }, {
    xla.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @g(%x: tensor<f32>) -> tensor<f32> {
  %0 = xla.custom_call @effect(%x) {has_side_effect = true} : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// The location of an operation is the stack of calls, innermost first.
// LOC-LABEL: func.func @main(
// LOC: xla.abs {{.*}} loc(callsite("abs" at callsite("inner" at "outer")))
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @f(%x) : (tensor<f32>) -> tensor<f32> loc("outer")
  return %0 : tensor<f32>
}
func.func private @f(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @g(%x) : (tensor<f32>) -> tensor<f32> loc("inner")
  return %0 : tensor<f32>
}
func.func private @g(%x: tensor<f32>) -> tensor<f32> {
  %0 = xla.abs %x : tensor<f32> loc("abs")
  return %0 : tensor<f32>
}
