// RUN: xla-opt %s --canonicalize --split-input-file | FileCheck %s
// RUN: xla-opt %s --loop-invariant-code-motion --split-input-file | FileCheck %s --check-prefix=LICM

// CHECK-LABEL: func.func @never_runs
// CHECK-SAME: (%[[X:.*]]: tensor<f32>, %[[Y:.*]]: tensor<f32>)
func.func @never_runs(%x: tensor<f32>, %y: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  // CHECK-NEXT: return %[[X]], %[[Y]]
  %0:2 = xla.while(%a = %x, %b = %y) : tensor<f32>, tensor<f32>
  cond {
    %false = xla.constant dense<false> : tensor<i1>
    xla.return %false : tensor<i1>
  } do {
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %b, %sum : tensor<f32>, tensor<f32>
  }
  return %0#0, %0#1 : tensor<f32>, tensor<f32>
}

// -----

// The condition's side effect happens once, also when it is false at once.
// CHECK-LABEL: func.func @effect_in_condition
func.func @effect_in_condition(%x: tensor<f32>) {
  // CHECK: xla.while
  // CHECK: xla.custom_call @print
  %0 = xla.while(%a = %x) : tensor<f32>
  cond {
    xla.custom_call @print(%a) {has_side_effect = true} : (tensor<f32>) -> ()
    %false = xla.constant dense<false> : tensor<i1>
    xla.return %false : tensor<i1>
  } do {
    %sum = xla.add %a, %a : tensor<f32>
    xla.return %sum : tensor<f32>
  }
  return
}

// -----

// CHECK-LABEL: func.func @unchanged
// CHECK-SAME: (%[[X:.*]]: tensor<f32>, %[[N:.*]]: tensor<f32>, %[[C:.*]]: tensor<f32>)
func.func @unchanged(%x: tensor<f32>, %n: tensor<f32>, %c: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) {
  // %n is returned unchanged, %c is returned from outside, 1.0 is the same constant inside and outside.
  // CHECK: %[[ONE:.*]] = xla.constant dense<1.000000e+00>
  // CHECK: %[[R:.*]] = xla.while(%[[A:.*]] = %[[X]]) : tensor<f32> attributes {note}
  // CHECK: xla.compare LT, %[[A]], %[[N]]
  // CHECK: %[[S:.*]] = xla.add %[[A]], %[[C]]
  // CHECK: %[[S1:.*]] = xla.add %[[S]], %[[ONE]]
  // CHECK: xla.return %[[S1]] : tensor<f32>
  // CHECK: return %[[R]], %[[N]], %[[C]], %[[ONE]]
  %one = xla.constant dense<1.0> : tensor<f32>
  %0:4 = xla.while(%a = %x, %b = %n, %d = %c, %e = %one) : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32> attributes {note}
  cond {
    %less = xla.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %less : tensor<i1>
  } do {
    %one_inside = xla.constant dense<1.0> : tensor<f32>
    %sum = xla.add %a, %d : tensor<f32>
    %sum1 = xla.add %sum, %e : tensor<f32>
    xla.return %sum1, %b, %c, %one_inside : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
  }
  return %0#0, %0#1, %0#2, %0#3 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
}

// -----

// CHECK-LABEL: func.func @unneeded
// CHECK-SAME: (%[[X:.*]]: tensor<f32>, %[[N:.*]]: tensor<f32>)
func.func @unneeded(%x: tensor<f32>, %n: tensor<f32>) -> tensor<f32> {
  // The second and third value feed only each other; the fourth feeds the first.
  // CHECK: xla.while(%[[A:.*]] = %[[X]], %[[D:.*]] = %[[X]]) : tensor<f32>, tensor<f32>
  // CHECK: do {
  // CHECK-NEXT: %[[S:.*]] = xla.add %[[A]], %[[D]]
  // CHECK-NEXT: %[[M:.*]] = xla.multiply %[[D]], %[[D]]
  // CHECK-NEXT: xla.return %[[S]], %[[M]] : tensor<f32>, tensor<f32>
  %0:4 = xla.while(%a = %x, %b = %x, %c = %x, %d = %x) : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
  cond {
    %less = xla.compare LT, %a, %n : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %less : tensor<i1>
  } do {
    %sum = xla.add %a, %d : tensor<f32>
    %p = xla.subtract %b, %c : tensor<f32>
    %q = xla.divide %c, %b : tensor<f32>
    %m = xla.multiply %d, %d : tensor<f32>
    xla.return %sum, %p, %q, %m : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
  }
  return %0#0 : tensor<f32>
}

// -----

// What a side effect or a nested region reads is needed.
// CHECK-LABEL: func.func @needed_by_effect
// CHECK-SAME: (%[[X:.*]]: tensor<f32>, %[[P:.*]]: tensor<i1>)
func.func @needed_by_effect(%x: tensor<f32>, %p: tensor<i1>) {
  // CHECK: xla.while(%{{.*}} = %[[X]]) : tensor<f32>
  // CHECK: xla.custom_call @print
  %0:2 = xla.while(%a = %x, %b = %x) : tensor<f32>, tensor<f32>
  cond {
    xla.return %p : tensor<i1>
  } do {
    "xla.if"(%p) ({
      xla.custom_call @print(%a) {has_side_effect = true} : (tensor<f32>) -> ()
      xla.return
    }, {
      xla.return
    }) : (tensor<i1>) -> ()
    %sum = xla.add %a, %a : tensor<f32>
    %mul = xla.multiply %b, %b : tensor<f32>
    xla.return %sum, %mul : tensor<f32>, tensor<f32>
  }
  return
}

// -----

// LICM-LABEL: func.func @hoist
// LICM: xla.exponential
// LICM: xla.while
// LICM-NOT: xla.exponential
func.func @hoist(%x: tensor<f32>, %p: tensor<i1>) -> tensor<f32> {
  %0 = xla.while(%a = %x) : tensor<f32>
  cond {
    xla.return %p : tensor<i1>
  } do {
    %e = xla.exponential %x : tensor<f32>
    %sum = xla.add %a, %e : tensor<f32>
    xla.return %sum : tensor<f32>
  }
  return %0 : tensor<f32>
}
