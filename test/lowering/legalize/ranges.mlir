// RUN: xla-opt %s --xla-simplify --split-input-file | FileCheck %s

// What JAX makes of `x[i - 1]` and `x[i]` for the counter of a loop from 1 to 9, which another counter ends.
// CHECK-LABEL: func.func @counter(
func.func @counter(%x: tensor<9xf32>) -> tensor<f32> {
  // CHECK: cond
  // CHECK: xla.compare LT
  // CHECK: do
  // CHECK-NOT: xla.compare
  // CHECK-NOT: xla.select
  // CHECK: xla.dynamic_slice
  // CHECK: xla.compare LT, %{{.*}}, %{{.*}} : (tensor<f32>
  %zero = xla.constant dense<0> : tensor<i32>
  %one = xla.constant dense<1> : tensor<i32>
  %sum = xla.constant dense<0.0> : tensor<f32>
  %r:3 = xla.while(%n = %zero, %i = %one, %v = %sum) : tensor<i32>, tensor<i32>, tensor<f32>
  cond {
    %nine = xla.constant dense<9> : tensor<i32>
    %c = xla.compare LT, %n, %nine : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  } do {
    %before = xla.subtract %i, %one : tensor<i32>
    %p = xla.compare LT, %before, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %size = xla.constant dense<9> : tensor<i32>
    %wrapped = xla.add %before, %size : tensor<i32>
    %at = xla.select %p, %wrapped, %before : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %s = xla.dynamic_slice %x, %at, sizes = [1] : (tensor<9xf32>, tensor<i32>) -> tensor<1xf32>
    %e = xla.reshape %s : (tensor<1xf32>) -> tensor<f32>
    %less = xla.compare LT, %e, %v : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %w = xla.select %less, %v, %e : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %next = xla.add %n, %one : tensor<i32>
    %later = xla.add %i, %one : tensor<i32>
    xla.return %next, %later, %w : tensor<i32>, tensor<i32>, tensor<f32>
  }
  return %r#2 : tensor<f32>
}

// -----

// The counter from 0 is less than 1 in the first iteration, and what has no bound may be anything.
// CHECK-LABEL: func.func @undecided(
func.func @undecided(%x: tensor<i32>) -> (tensor<i32>, tensor<i1>) {
  // CHECK: do
  // CHECK: %[[P:.*]] = xla.compare LT
  // CHECK: xla.select %[[P]]
  // CHECK: xla.compare LT, %arg0
  %zero = xla.constant dense<0> : tensor<i32>
  %one = xla.constant dense<1> : tensor<i32>
  %r:2 = xla.while(%i = %zero, %v = %x) : tensor<i32>, tensor<i32>
  cond {
    %nine = xla.constant dense<9> : tensor<i32>
    %c = xla.compare LT, %i, %nine : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %c : tensor<i1>
  } do {
    %p = xla.compare LT, %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %w = xla.select %p, %v, %i : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %next = xla.add %i, %one : tensor<i32>
    xla.return %next, %w : tensor<i32>, tensor<i32>
  }
  %more = xla.add %x, %one : tensor<i32>
  %less = xla.compare LT, %x, %more : (tensor<i32>, tensor<i32>) -> tensor<i1>
  return %r#1, %less : tensor<i32>, tensor<i1>
}

// -----

// CHECK-LABEL: func.func @bounds(
// CHECK-SAME: %[[X:.*]]: tensor<8xi32>
func.func @bounds(%x: tensor<8xi32>) -> (tensor<8xi1>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>) {
  // CHECK-DAG: %[[TRUE:.*]] = xla.constant dense<true> : tensor<8xi1>
  // CHECK-DAG: %[[I:.*]] = xla.iota
  // CHECK-DAG: %[[LEFT:.*]] = xla.remainder %[[X]]
  // CHECK-NOT: xla.minimum
  // CHECK: %[[MAX:.*]] = xla.maximum %[[LEFT]]
  // CHECK-NOT: xla.clamp
  // CHECK: return %[[TRUE]], %[[I]], %[[LEFT]], %[[MAX]]
  %zero = xla.constant dense<0> : tensor<8xi32>
  %three = xla.constant dense<3> : tensor<8xi32>
  %eight = xla.constant dense<8> : tensor<8xi32>
  %i = xla.iota dim = 0 : tensor<8xi32>
  %below = xla.compare GT, %eight, %i : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
  %first = xla.clamp %zero, %i, %eight : tensor<8xi32>
  // In [-2, 2].
  %left = xla.remainder %x, %three : tensor<8xi32>
  %least = xla.minimum %left, %three : tensor<8xi32>
  %greatest = xla.maximum %left, %zero : tensor<8xi32>
  return %below, %first, %least, %greatest : tensor<8xi1>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>
}

// -----

// 200 is -56 in eight bits.
// CHECK-LABEL: func.func @wraps_around(
func.func @wraps_around() -> tensor<100xi1> {
  // CHECK: xla.compare LT
  %zero = xla.constant dense<0> : tensor<100xi8>
  %i = xla.iota dim = 0 : tensor<100xi8>
  %double = xla.add %i, %i : tensor<100xi8>
  %less = xla.compare LT, %double, %zero : (tensor<100xi8>, tensor<100xi8>) -> tensor<100xi1>
  return %less : tensor<100xi1>
}
