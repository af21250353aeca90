// RUN: xla-opt %s --xla-flatten-tuples --split-input-file | FileCheck %s

// Signatures: nested tuples, attributes of what is no tuple.
// CHECK-LABEL: func.func @signature(
// CHECK-SAME: %[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<2xi32>, %[[C:.*]]: tensor<i1>, %[[D:.*]]: tensor<f32> {test.kept})
// CHECK-SAME: -> (tensor<i1>, tensor<f32>, tensor<2xi32>)
func.func @signature(%t: tuple<tensor<f32>, tuple<tensor<2xi32>, tensor<i1>>>, %d: tensor<f32> {test.kept})
    -> tuple<tensor<i1>, tuple<tensor<f32>, tensor<2xi32>>> {
  %0 = xla.get_tuple_element %t[1] : (tuple<tensor<f32>, tuple<tensor<2xi32>, tensor<i1>>>) -> tuple<tensor<2xi32>, tensor<i1>>
  %1 = xla.get_tuple_element %0[0] : (tuple<tensor<2xi32>, tensor<i1>>) -> tensor<2xi32>
  %2 = xla.get_tuple_element %0[1] : (tuple<tensor<2xi32>, tensor<i1>>) -> tensor<i1>
  %3 = xla.tuple %d, %1 : tuple<tensor<f32>, tensor<2xi32>>
  %4 = xla.tuple %2, %3 : tuple<tensor<i1>, tuple<tensor<f32>, tensor<2xi32>>>
  // CHECK-NEXT: return %[[C]], %[[D]], %[[B]] : tensor<i1>, tensor<f32>, tensor<2xi32>
  return %4 : tuple<tensor<i1>, tuple<tensor<f32>, tensor<2xi32>>>
}

// -----

// CHECK-LABEL: func.func @loop(
// CHECK-SAME: %[[A:.*]]: tensor<i32>, %[[B:.*]]: tensor<4xf32>
func.func @loop(%a: tensor<i32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %t = xla.tuple %a, %b : tuple<tensor<i32>, tensor<4xf32>>
  // CHECK: %[[W:.*]]:2 = xla.while(%{{.*}} = %[[A]], %{{.*}} = %[[B]]) : tensor<i32>, tensor<4xf32>
  %w = "xla.while"(%t) ({
  ^bb0(%s: tuple<tensor<i32>, tensor<4xf32>>):
    %i = xla.get_tuple_element %s[0] : (tuple<tensor<i32>, tensor<4xf32>>) -> tensor<i32>
    %p = xla.compare LT, %i, %a : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }, {
  ^bb0(%s: tuple<tensor<i32>, tensor<4xf32>>):
    // CHECK: xla.return %{{.*}}, %{{.*}} : tensor<i32>, tensor<4xf32>
    xla.return %s : tuple<tensor<i32>, tensor<4xf32>>
  }) : (tuple<tensor<i32>, tensor<4xf32>>) -> tuple<tensor<i32>, tensor<4xf32>>
  // CHECK: %[[O:.*]]:2 = xla.optimization_barrier %[[W]]#0, %[[W]]#1 : tensor<i32>, tensor<4xf32>
  %o = xla.optimization_barrier %w : tuple<tensor<i32>, tensor<4xf32>>
  // CHECK: %[[C:.*]]:2 = xla.custom_call @f(%[[O]]#0, %[[O]]#1) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
  %c = xla.custom_call @f(%o) : (tuple<tensor<i32>, tensor<4xf32>>) -> tuple<tensor<i32>, tensor<4xf32>>
  %r = xla.get_tuple_element %c[1] : (tuple<tensor<i32>, tensor<4xf32>>) -> tensor<4xf32>
  // CHECK: return %[[C]]#1
  return %r : tensor<4xf32>
}
