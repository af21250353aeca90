// RUN: xla-opt %s --xla-legalize-to-linalg --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @while(
// CHECK-SAME: %[[N:.*]]: tensor<i32>, %[[X:.*]]: tensor<4xi32>
func.func @while(%n: tensor<i32>, %x: tensor<4xui32>) -> tensor<4xui32> {
  %zero = xla.constant dense<0> : tensor<i32>
  %one = xla.constant dense<1> : tensor<i32>
  // CHECK: scf.while (%[[I:.*]] = %{{.*}}, %[[S:.*]] = %[[X]]) : (tensor<i32>, tensor<4xi32>) -> (tensor<i32>, tensor<4xi32>)
  // CHECK: linalg.generic {{.*}} ins(%[[I]], %[[N]]
  // CHECK: %[[MORE:.*]] = tensor.extract %{{.*}}[] : tensor<i1>
  // CHECK: scf.condition(%[[MORE]]) %[[I]], %[[S]] : tensor<i32>, tensor<4xi32>
  // CHECK: do {
  // CHECK: ^bb0(%{{.*}}: tensor<i32>, %{{.*}}: tensor<4xi32>):
  // CHECK: scf.yield %{{.*}}, %{{.*}} : tensor<i32>, tensor<4xi32>
  %0:2 = xla.while(%i = %zero, %s = %x) : tensor<i32>, tensor<4xui32>
  cond {
    %p = xla.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  } do {
    %next = xla.add %i, %one : tensor<i32>
    %double = xla.add %s, %s : tensor<4xui32>
    xla.return %next, %double : tensor<i32>, tensor<4xui32>
  }
  return %0#1 : tensor<4xui32>
}

// -----

// CHECK-LABEL: func.func @if(
// CHECK-SAME: %[[P:.*]]: tensor<i1>, %[[X:.*]]: tensor<4xf32>
func.func @if(%p: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: %[[PRED:.*]] = tensor.extract %[[P]][] : tensor<i1>
  // CHECK: scf.if %[[PRED]] -> (tensor<4xf32>)
  // CHECK-NEXT: scf.yield %[[X]]
  // CHECK: else
  // CHECK: arith.negf
  // CHECK: scf.yield
  %0 = "xla.if"(%p) ({
    xla.return %x : tensor<4xf32>
  }, {
    %1 = xla.negate %x : tensor<4xf32>
    xla.return %1 : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// The last branch serves every index out of range.
// CHECK-LABEL: func.func @case(
// CHECK-SAME: %[[I:.*]]: tensor<i32>
func.func @case(%i: tensor<i32>, %x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>) -> tensor<f32> {
  // CHECK: %[[S:.*]] = tensor.extract %[[I]][] : tensor<i32>
  // CHECK: %[[INDEX:.*]] = arith.index_cast %[[S]] : i32 to index
  // CHECK: scf.index_switch %[[INDEX]] -> tensor<f32>
  // CHECK-NEXT: case 0 {
  // CHECK: case 1 {
  // CHECK-NOT: case 2
  // CHECK: default {
  %0 = "xla.case"(%i) ({
    xla.return %x : tensor<f32>
  }, {
    xla.return %y : tensor<f32>
  }, {
    xla.return %z : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// CHECK-LABEL: func.func @kept
func.func @kept(%x: tensor<4xui8>, %y: tensor<f32>) -> (tensor<4xui8>, tensor<f32>) {
  // CHECK: %[[B:.*]]:2 = xla.optimization_barrier %{{.*}}, %{{.*}} : tensor<4xi8>, tensor<f32>
  %0:2 = xla.optimization_barrier %x, %y : tensor<4xui8>, tensor<f32>
  // CHECK: xla.custom_call @f(%[[B]]#0) {backend_config = "fast", xla_rt.signature = (tensor<4xui8>) -> tensor<4xui8>} : (tensor<4xi8>) -> tensor<4xi8>
  %1 = xla.custom_call @f(%0#0) {backend_config = "fast"} : (tensor<4xui8>) -> tensor<4xui8>
  return %1, %0#1 : tensor<4xui8>, tensor<f32>
}
