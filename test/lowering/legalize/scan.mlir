// RUN: xla-opt %s --xla-decompose-composites | FileCheck %s

// One commutative op that may be associated otherwise is a cumulative reduction.

// CHECK-LABEL: func.func @sums
// CHECK:         %[[SUMS:.*]] = "xla.reduce_window"(%arg0, %{{.*}}) <{padding = dense<{{\[\[}}39, 0], [0, 0]]>
// CHECK-SAME:      window_dimensions = array<i64: 40, 1>
// CHECK:         %[[FIRST:.*]] = xla.broadcast_in_dim %arg1, dims = [1]
// CHECK:         %[[ALL:.*]] = xla.add %[[FIRST]], %[[SUMS]]
// CHECK:         xla.slice %[[ALL]] [39:40, 0:5]
func.func @sums(%x: tensor<40x5xf32>, %c: tensor<5xf32>) -> (tensor<40x5xf32>, tensor<5xf32>) {
  %0:2 = chlo.scan(%x) inits (%c) dimension=0 attributes {is_associative = true} {
  ^bb0(%e: tensor<5xf32>, %s: tensor<5xf32>):
    %n = xla.add %e, %s : tensor<5xf32>
    xla.return %n, %n : tensor<5xf32>, tensor<5xf32>
  } : (tensor<40x5xf32>, tensor<5xf32>) -> (tensor<40x5xf32>, tensor<5xf32>)
  return %0#0, %0#1 : tensor<40x5xf32>, tensor<5xf32>
}

// Sums of floats in their order, and anything else, are a loop.

// CHECK-LABEL: func.func @in_order
// CHECK-NOT:     reduce_window
// CHECK:         xla.while
// CHECK:           %[[I:.*]] = xla.subtract
// CHECK:           xla.dynamic_slice %arg0, %[[I]], %{{.*}}, sizes = [1, 5]
// CHECK:           xla.add
// CHECK:           xla.dynamic_update_slice
func.func @in_order(%x: tensor<40x5xf32>, %c: tensor<5xf32>) -> (tensor<40x5xf32>, tensor<5xf32>) {
  %0:2 = chlo.scan(%x) inits (%c) dimension=0 attributes {is_reverse = true} {
  ^bb0(%e: tensor<5xf32>, %s: tensor<5xf32>):
    %n = xla.add %e, %s : tensor<5xf32>
    xla.return %n, %n : tensor<5xf32>, tensor<5xf32>
  } : (tensor<40x5xf32>, tensor<5xf32>) -> (tensor<40x5xf32>, tensor<5xf32>)
  return %0#0, %0#1 : tensor<40x5xf32>, tensor<5xf32>
}
