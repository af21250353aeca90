// RUN: xla-opt %s --xla-legalize-to-linalg | FileCheck %s

// CHECK-DAG: #[[WINDOW:.*]] = affine_map<(d0, d1) -> (d0 * 2 + d1)>
// CHECK-DAG: #[[AROUND:.*]] = affine_map<(d0, d1) -> (d0 + d1)>
// CHECK-LABEL: func.func @max_pool_gradient(
// CHECK-SAME: %[[X:.*]]: tensor<6xf32>, %[[DY:.*]]: tensor<3xf32>
func.func @max_pool_gradient(%x: tensor<6xf32>, %dy: tensor<3xf32>) -> tensor<6xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  // The index of the element that each window selects.
  // CHECK: %[[S:.*]]:2 = linalg.generic {indexing_maps = [#[[WINDOW]],
  // CHECK-SAME: iterator_types = ["parallel", "reduction"]} ins(%[[X]],
  // CHECK: arith.cmpf oge
  // CHECK: linalg.yield {{.*}} : f32, i32
  // What each window sends to an element: the gradients stand two apart, as the windows do.
  // CHECK: tensor.insert_slice %[[DY]] into %{{.*}}[1] [3] [2] : tensor<3xf32> into tensor<7xf32>
  // CHECK: tensor.insert_slice %[[S]]#1 into %{{.*}}[1] [3] [2] : tensor<3xi32> into tensor<7xi32>
  // CHECK: linalg.generic {indexing_maps = [#[[AROUND]], #[[AROUND]],
  // CHECK: arith.cmpi eq
  // CHECK: arith.addf
  %0 = "xla.select_and_scatter"(%x, %dy, %zero) <{
    window_dimensions = array<i64: 2>, window_strides = array<i64: 2>
  }> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %ge = xla.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %ge : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) : (tensor<6xf32>, tensor<3xf32>, tensor<f32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// Numbers of many elements have 64 bits.
// CHECK-LABEL: func.func @many(
// CHECK: linalg.yield {{.*}} : f32, i64
func.func @many(%x: tensor<600000000xf32>, %dy: tensor<300000000xf32>) -> tensor<600000000xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = "xla.select_and_scatter"(%x, %dy, %zero) <{
    window_dimensions = array<i64: 2>, window_strides = array<i64: 2>
  }> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %ge = xla.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    xla.return %ge : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) : (tensor<600000000xf32>, tensor<300000000xf32>, tensor<f32>) -> tensor<600000000xf32>
  return %0 : tensor<600000000xf32>
}
