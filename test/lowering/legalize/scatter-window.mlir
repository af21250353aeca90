// RUN: xla-opt %s --split-input-file --xla-simplify | FileCheck %s

// One element, at indices that may lie outside: then it is written as it was.
// CHECK-LABEL: func.func @element(
// CHECK-SAME: %[[X:.*]]: tensor<4x6xf32>, %[[I:.*]]: tensor<2xi32>, %[[U:.*]]: tensor<f32>
// CHECK-DAG: %[[ZERO:.*]] = xla.constant dense<0> : tensor<i32>
// CHECK-DAG: %[[LAST0:.*]] = xla.constant dense<3> : tensor<i32>
// CHECK-DAG: %[[LAST1:.*]] = xla.constant dense<5> : tensor<i32>
// CHECK: %[[SLICE0:.*]] = xla.slice %[[I]] [0:1]
// CHECK: %[[I0:.*]] = xla.reshape %[[SLICE0]]
// CHECK: %[[ABOVE0:.*]] = xla.compare GE, %[[I0]], %[[ZERO]]
// CHECK: %[[BELOW0:.*]] = xla.compare LE, %[[I0]], %[[LAST0]]
// CHECK: %[[INSIDE0:.*]] = xla.and %[[ABOVE0]], %[[BELOW0]]
// CHECK: %[[SLICE1:.*]] = xla.slice %[[I]] [1:2]
// CHECK: %[[I1:.*]] = xla.reshape %[[SLICE1]]
// CHECK: %[[ABOVE1:.*]] = xla.compare GE, %[[I1]], %[[ZERO]]
// CHECK: %[[BELOW1:.*]] = xla.compare LE, %[[I1]], %[[LAST1]]
// CHECK: %[[MORE:.*]] = xla.and %[[INSIDE0]], %[[ABOVE1]]
// CHECK: %[[INSIDE:.*]] = xla.and %[[MORE]], %[[BELOW1]]
// CHECK: %[[OLD:.*]] = xla.dynamic_slice %[[X]], %[[I0]], %[[I1]], sizes = [1, 1]
// CHECK: %[[NEW:.*]] = xla.reshape %[[U]]
// CHECK: %[[WRITTEN:.*]] = xla.select %[[INSIDE]], %[[NEW]], %[[OLD]]
// CHECK: %[[R:.*]] = xla.dynamic_update_slice %[[X]], %[[WRITTEN]], %[[I0]], %[[I1]]
// CHECK-NOT: xla.scatter
// CHECK: return %[[R]]
func.func @element(%x: tensor<4x6xf32>, %i: tensor<2xi32>, %u: tensor<f32>) -> tensor<4x6xf32> {
  %0 = "xla.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #xla.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]>}> ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    xla.return %new : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2xi32>, tensor<f32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// -----

// A part of a column, of which something is subtracted.
// CHECK-LABEL: func.func @column(
// CHECK: %[[OLD:.*]] = xla.dynamic_slice %arg0, %{{.*}}, %[[J:.*]], sizes = [3, 1]
// CHECK: %[[OLDS:.*]] = xla.reshape %[[OLD]]
// CHECK: %[[U:.*]] = xla.reshape %arg2
// CHECK: %[[LESS:.*]] = xla.subtract %[[OLDS]], %[[U]]
// CHECK: %[[SAME:.*]] = xla.reshape %[[OLD]]
// CHECK: %[[CHOSEN:.*]] = xla.select %{{.*}}, %[[LESS]], %[[SAME]]
// CHECK: %[[WRITTEN:.*]] = xla.reshape %[[CHOSEN]]
// CHECK: xla.dynamic_update_slice %arg0, %[[WRITTEN]], %{{.*}}, %[[J]]
func.func @column(%x: tensor<4x6xf32>, %j: tensor<1x1xui8>, %u: tensor<1x3xf32>) -> tensor<4x6xf32> {
  %0 = "xla.scatter"(%x, %j, %u) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [1], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %less = xla.subtract %old, %new : tensor<f32>
    xla.return %less : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<1x1xui8>, tensor<1x3xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// -----

// A window that may lie partly outside stays, as do several windows.
// CHECK-LABEL: func.func @partly(
// CHECK: xla.scatter
// CHECK-NOT: xla.dynamic_update_slice
func.func @partly(%x: tensor<6xf32>, %i: tensor<1xi32>, %u: tensor<2xf32>) -> tensor<6xf32> {
  %0 = "xla.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    xla.return %new : tensor<f32>
  }) : (tensor<6xf32>, tensor<1xi32>, tensor<2xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

// CHECK-LABEL: func.func @several(
// CHECK: xla.scatter
// CHECK-NOT: xla.dynamic_update_slice
func.func @several(%x: tensor<6xf32>, %i: tensor<2x1xi32>, %u: tensor<2xf32>) -> tensor<6xf32> {
  %0 = "xla.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #xla.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    xla.return %new : tensor<f32>
  }) : (tensor<6xf32>, tensor<2x1xi32>, tensor<2xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

// A constant index with which the window is inside needs no test.
// CHECK-LABEL: func.func @inner(
// CHECK-DAG: %[[ONE:.*]] = xla.constant dense<1> : tensor<i32>
// CHECK-DAG: %[[TWO:.*]] = xla.constant dense<2> : tensor<i32>
// CHECK-NEXT: %[[R:.*]] = xla.dynamic_update_slice %arg0, %arg1, %[[TWO]], %[[ONE]]
// CHECK-NEXT: return %[[R]]
func.func @inner(%x: tensor<6x6xf32>, %u: tensor<4x4xf32>) -> tensor<6x6xf32> {
  %i = xla.constant dense<[2, 1]> : tensor<2xi32>
  %0 = "xla.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]>}> ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    xla.return %new : tensor<f32>
  }) : (tensor<6x6xf32>, tensor<2xi32>, tensor<4x4xf32>) -> tensor<6x6xf32>
  return %0 : tensor<6x6xf32>
}

// -----

// CHECK-LABEL: func.func @beyond(
// CHECK: xla.scatter
// CHECK-NOT: xla.dynamic_update_slice
func.func @beyond(%x: tensor<6x6xf32>, %u: tensor<4x4xf32>) -> tensor<6x6xf32> {
  %i = xla.constant dense<[3, 1]> : tensor<2xi32>
  %0 = "xla.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]>}> ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    xla.return %new : tensor<f32>
  }) : (tensor<6x6xf32>, tensor<2xi32>, tensor<4x4xf32>) -> tensor<6x6xf32>
  return %0 : tensor<6x6xf32>
}
