// RUN: xla-opt %s --canonicalize --cse --canonicalize | FileCheck %s

// Nothing is folded through a barrier, barriers are not merged and no operand is dropped while another result is used.
// CHECK-LABEL: func.func @barrier
// CHECK-SAME: (%[[X:.*]]: tensor<f32>, %[[Y:.*]]: tensor<f32>)
func.func @barrier(%x: tensor<f32>, %y: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  // CHECK: %[[ZERO:.*]] = xla.constant dense<0.000000e+00>
  // CHECK: %[[SUM:.*]] = xla.add %[[X]], %[[Y]]
  // CHECK: %[[A:.*]]:2 = xla.optimization_barrier %[[X]], %[[SUM]]
  // CHECK: %[[B:.*]]:2 = xla.optimization_barrier %[[X]], %[[SUM]]
  // CHECK: %[[C:.*]] = xla.optimization_barrier %[[ZERO]]
  // CHECK-NOT: xla.optimization_barrier
  // CHECK: return %[[A]]#0, %[[B]]#0, %[[C]]
  %zero = xla.constant dense<0.0> : tensor<f32>
  %sum = xla.add %x, %y : tensor<f32>
  %a:2 = xla.optimization_barrier %x, %sum : tensor<f32>, tensor<f32>
  %b:2 = xla.optimization_barrier %x, %sum : tensor<f32>, tensor<f32>
  %c = xla.optimization_barrier %zero : tensor<f32>
  // Unused as a whole.
  %d:2 = xla.optimization_barrier %x, %y : tensor<f32>, tensor<f32>
  return %a#0, %b#0, %c : tensor<f32>, tensor<f32>, tensor<f32>
}
