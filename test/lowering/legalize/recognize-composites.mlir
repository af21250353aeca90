// RUN: xla-opt %s --split-input-file --xla-recognize-composites | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>
func.func @main(%x: tensor<4x8xf32>) -> (tensor<4x3xf32>, tensor<4x3xi32>) {
  // CHECK-NEXT: %[[VALUES:.*]], %[[INDICES:.*]] = xla.top_k(%[[X]], k = 3)
  %0:2 = xla.composite "chlo.top_k" %x {composite_attributes = {is_stable = true, k = 3 : i64}, decomposition = @top_k, version = 1 : i32} : (tensor<4x8xf32>) -> (tensor<4x3xf32>, tensor<4x3xi32>)
  // CHECK-NEXT: return %[[VALUES]], %[[INDICES]]
  return %0#0, %0#1 : tensor<4x3xf32>, tensor<4x3xi32>
}
func.func private @top_k(%x: tensor<4x8xf32>) -> (tensor<4x3xf32>, tensor<4x3xi32>) {
  %0 = xla.constant dense<0.0> : tensor<4x3xf32>
  %1 = xla.constant dense<0> : tensor<4x3xi32>
  return %0, %1 : tensor<4x3xf32>, tensor<4x3xi32>
}

// -----

// What is called so, but has no `k`, another one or other types, is what its decomposition says, as are other names.
// CHECK-LABEL: func.func @others(
func.func @others(%x: tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi32>, tensor<2xf32>, tensor<2xi32>, tensor<2xf32>, tensor<2xi64>, tensor<4xf32>) {
  // CHECK-COUNT-4: xla.composite
  %0:2 = xla.composite "chlo.top_k" %x {decomposition = @half} : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi32>)
  %1:2 = xla.composite "chlo.top_k" %x {composite_attributes = {k = 5 : i64}, decomposition = @half} : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi32>)
  %2:2 = xla.composite "chlo.top_k" %x {composite_attributes = {k = 2 : i64}, decomposition = @long} : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi64>)
  %3 = xla.composite "chlo.erf" %x {decomposition = @erf} : (tensor<4xf32>) -> tensor<4xf32>
  return %0#0, %0#1, %1#0, %1#1, %2#0, %2#1, %3 : tensor<2xf32>, tensor<2xi32>, tensor<2xf32>, tensor<2xi32>, tensor<2xf32>, tensor<2xi64>, tensor<4xf32>
}
func.func private @half(%x: tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi32>) {
  %0 = xla.slice %x [0:2] : (tensor<4xf32>) -> tensor<2xf32>
  %1 = xla.iota dim = 0 : tensor<2xi32>
  return %0, %1 : tensor<2xf32>, tensor<2xi32>
}
func.func private @long(%x: tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi64>) {
  %0 = xla.slice %x [0:2] : (tensor<4xf32>) -> tensor<2xf32>
  %1 = xla.iota dim = 0 : tensor<2xi64>
  return %0, %1 : tensor<2xf32>, tensor<2xi64>
}
func.func private @erf(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
