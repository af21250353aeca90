// RUN: xla-opt %s --xla-simplify --cse --split-input-file | FileCheck %s

// Dimensions of size 1 leave what computes; reshapes that meet are one.
// CHECK-LABEL: func.func @elementwise
// CHECK-SAME: (%[[X:.*]]: tensor<4x1x8xf32>, %[[P:.*]]: tensor<i1>
// CHECK: %[[R:.*]] = xla.reshape %[[X]] : (tensor<4x1x8xf32>) -> tensor<4x8xf32>
// CHECK: %[[T:.*]] = xla.tanh %[[R]] : tensor<4x8xf32>
// CHECK: %[[S:.*]] = xla.select %[[P]], %[[T]], %[[R]] : tensor<i1>, tensor<4x8xf32>
// CHECK: %[[C:.*]] = xla.compare LT, %[[S]], %[[R]] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
// CHECK: xla.reshape %[[C]] : (tensor<4x8xi1>) -> tensor<4x1x8xi1>
func.func @elementwise(%x: tensor<4x1x8xf32>, %p: tensor<i1>) -> tensor<4x1x8xi1> {
  %t = xla.tanh %x : tensor<4x1x8xf32>
  %s = xla.select %p, %t, %x : tensor<i1>, tensor<4x1x8xf32>
  %c = xla.compare LT, %s, %x : (tensor<4x1x8xf32>, tensor<4x1x8xf32>) -> tensor<4x1x8xi1>
  return %c : tensor<4x1x8xi1>
}

// -----

// A tensor of one element keeps its dimensions, and one without such dimensions is left alone.
// CHECK-LABEL: func.func @nothing
// CHECK-NOT: xla.reshape
func.func @nothing(%x: tensor<1x1xf32>, %y: tensor<4x8xf32>) -> (tensor<1x1xf32>, tensor<4x8xf32>) {
  %0 = xla.tanh %x : tensor<1x1xf32>
  %1 = xla.tanh %y : tensor<4x8xf32>
  return %0, %1 : tensor<1x1xf32>, tensor<4x8xf32>
}

// -----

// CHECK-LABEL: func.func @broadcast
// CHECK-SAME: (%[[X:.*]]: tensor<4x1xf32>)
// CHECK: %[[R:.*]] = xla.reshape %[[X]] : (tensor<4x1xf32>) -> tensor<4xf32>
// CHECK: %[[B:.*]] = xla.broadcast_in_dim %[[R]], dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
// CHECK: xla.reshape %[[B]] : (tensor<4x8xf32>) -> tensor<4x1x8xf32>
func.func @broadcast(%x: tensor<4x1xf32>) -> tensor<4x1x8xf32> {
  %0 = xla.broadcast_in_dim %x, dims = [0, 2] : (tensor<4x1xf32>) -> tensor<4x1x8xf32>
  return %0 : tensor<4x1x8xf32>
}

// -----

// Moving only dimensions of size 1 is no transposition.
// CHECK-LABEL: func.func @transpose
// CHECK-SAME: (%[[X:.*]]: tensor<4x1x8xf32>)
// CHECK-DAG: %[[A:.*]] = xla.reshape %[[X]] : (tensor<4x1x8xf32>) -> tensor<1x4x8xf32>
// CHECK-DAG: %[[R:.*]] = xla.reshape %[[X]] : (tensor<4x1x8xf32>) -> tensor<4x8xf32>
// CHECK-DAG: %[[T:.*]] = xla.transpose %[[R]], dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
// CHECK-DAG: %[[B:.*]] = xla.reshape %[[T]] : (tensor<8x4xf32>) -> tensor<8x1x4xf32>
// CHECK: return %[[A]], %[[B]]
func.func @transpose(%x: tensor<4x1x8xf32>) -> (tensor<1x4x8xf32>, tensor<8x1x4xf32>) {
  %0 = xla.transpose %x, dims = [1, 0, 2] : (tensor<4x1x8xf32>) -> tensor<1x4x8xf32>
  %1 = xla.transpose %x, dims = [2, 1, 0] : (tensor<4x1x8xf32>) -> tensor<8x1x4xf32>
  return %0, %1 : tensor<1x4x8xf32>, tensor<8x1x4xf32>
}

// -----

// What is reduced is combined with the initial value, however many elements there are.
// CHECK-LABEL: func.func @reduce
// CHECK-SAME: (%[[X:.*]]: tensor<4x1x1x8xf32>
// CHECK: %[[R:.*]] = xla.reshape %[[X]] : (tensor<4x1x1x8xf32>) -> tensor<4x1x8xf32>
// CHECK: %[[S:.*]] = xla.reduce(%[[R]] init: %{{.*}}) applies xla.add across dimensions = [1, 2] : (tensor<4x1x8xf32>, tensor<f32>) -> tensor<4xf32>
// CHECK: xla.reshape %[[S]] : (tensor<4xf32>) -> tensor<4x1xf32>
func.func @reduce(%x: tensor<4x1x1x8xf32>, %init: tensor<f32>) -> tensor<4x1xf32> {
  %0 = xla.reduce(%x init: %init) applies xla.add across dimensions = [2, 3]
      : (tensor<4x1x1x8xf32>, tensor<f32>) -> tensor<4x1xf32>
  return %0 : tensor<4x1xf32>
}

// -----

// Of a product only those that are contracted stay.
// CHECK-LABEL: func.func @dot_general
// CHECK-SAME: (%[[X:.*]]: tensor<1x4x1x8x1xf32>, %[[Y:.*]]: tensor<1x8x1x6xf32>)
// CHECK-DAG: %[[A:.*]] = xla.reshape %[[X]] : (tensor<1x4x1x8x1xf32>) -> tensor<4x8x1xf32>
// CHECK-DAG: %[[B:.*]] = xla.reshape %[[Y]] : (tensor<1x8x1x6xf32>) -> tensor<8x1x6xf32>
// CHECK: %[[D:.*]] = xla.dot_general %[[A]], %[[B]], contracting_dims = [1, 2] x [0, 1] : (tensor<4x8x1xf32>, tensor<8x1x6xf32>) -> tensor<4x6xf32>
// CHECK: xla.reshape %[[D]] : (tensor<4x6xf32>) -> tensor<1x4x1x6xf32>
func.func @dot_general(%x: tensor<1x4x1x8x1xf32>, %y: tensor<1x8x1x6xf32>) -> tensor<1x4x1x6xf32> {
  %0 = xla.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [3, 4] x [1, 2]
      : (tensor<1x4x1x8x1xf32>, tensor<1x8x1x6xf32>) -> tensor<1x4x1x6xf32>
  return %0 : tensor<1x4x1x6xf32>
}

// -----

// CHECK-LABEL: func.func @iota
// CHECK-DAG: %[[I:.*]] = xla.iota dim = 1 : tensor<4x8xi32>
// CHECK-DAG: xla.reshape %[[I]] : (tensor<4x8xi32>) -> tensor<4x1x8xi32>
// CHECK-DAG: xla.constant dense<0> : tensor<3x1xi32>
func.func @iota() -> (tensor<4x1x8xi32>, tensor<3x1xi32>) {
  %0 = xla.iota dim = 2 : tensor<4x1x8xi32>
  %1 = xla.iota dim = 1 : tensor<3x1xi32>
  return %0, %1 : tensor<4x1x8xi32>, tensor<3x1xi32>
}
