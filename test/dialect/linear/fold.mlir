// RUN: xla-opt %s --canonicalize --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @dot_to_dot_general
func.func @dot_to_dot_general(%v: tensor<3xf32>, %a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> (tensor<f32>, tensor<2x4xf64>) {
  // CHECK: xla.dot_general %{{.*}}, %{{.*}}, contracting_dims = [0] x [0] : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  %0 = xla.dot %v, %v : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  // CHECK: xla.dot_general %{{.*}}, %{{.*}}, contracting_dims = [1] x [0], precision = [HIGH, DEFAULT] {note} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf64>
  %1 = xla.dot %a, %b, precision = [HIGH, DEFAULT] {note} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf64>
  return %0, %1 : tensor<f32>, tensor<2x4xf64>
}

// -----

// CHECK-LABEL: func.func @empty_contraction
func.func @empty_contraction(%a: tensor<2x0xf32>, %b: tensor<0x4xf32>, %c: tensor<0xcomplex<f32>>) -> (tensor<2x4xf32>, tensor<complex<f32>>) {
  // CHECK-DAG: %[[A:.*]] = xla.constant dense<0.000000e+00> : tensor<2x4xf32>
  // CHECK-DAG: %[[C:.*]] = xla.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
  // CHECK: return %[[A]], %[[C]]
  %0 = xla.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x0xf32>, tensor<0x4xf32>) -> tensor<2x4xf32>
  %1 = xla.dot_general %c, %c, contracting_dims = [0] x [0] : (tensor<0xcomplex<f32>>, tensor<0xcomplex<f32>>) -> tensor<complex<f32>>
  return %0, %1 : tensor<2x4xf32>, tensor<complex<f32>>
}

// -----

// CHECK-LABEL: func.func @one_element
// CHECK-SAME: (%[[A:.*]]: tensor<7x4x1xf32>, %[[B:.*]]: tensor<7x1x5xf32>)
func.func @one_element(%a: tensor<7x4x1xf32>, %b: tensor<7x1x5xf32>) -> tensor<7x4x5xf32> {
  // CHECK-DAG: %[[RA:.*]] = xla.reshape %[[A]] : (tensor<7x4x1xf32>) -> tensor<7x4xf32>
  // CHECK-DAG: %[[RB:.*]] = xla.reshape %[[B]] : (tensor<7x1x5xf32>) -> tensor<7x5xf32>
  // CHECK-DAG: %[[BA:.*]] = xla.broadcast_in_dim %[[RA]], dims = [0, 1] : (tensor<7x4xf32>) -> tensor<7x4x5xf32>
  // CHECK-DAG: %[[BB:.*]] = xla.broadcast_in_dim %[[RB]], dims = [0, 2] : (tensor<7x5xf32>) -> tensor<7x4x5xf32>
  // CHECK: xla.multiply %[[BA]], %[[BB]]
  %0 = xla.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<7x4x1xf32>, tensor<7x1x5xf32>) -> tensor<7x4x5xf32>
  return %0 : tensor<7x4x5xf32>
}

// -----

// CHECK-LABEL: func.func @outer_product
// CHECK-SAME: (%[[A:.*]]: tensor<4xi32>, %[[B:.*]]: tensor<5xi32>)
func.func @outer_product(%a: tensor<4xi32>, %b: tensor<5xi32>) -> tensor<4x5xi32> {
  // CHECK-DAG: %[[BA:.*]] = xla.broadcast_in_dim %[[A]], dims = [0]
  // CHECK-DAG: %[[BB:.*]] = xla.broadcast_in_dim %[[B]], dims = [1]
  // CHECK: xla.multiply %[[BA]], %[[BB]]
  %0 = xla.dot_general %a, %b, contracting_dims = [] x [] : (tensor<4xi32>, tensor<5xi32>) -> tensor<4x5xi32>
  return %0 : tensor<4x5xi32>
}

// -----

// Products in a wider type stay a contraction.
// CHECK-LABEL: func.func @widening
func.func @widening(%a: tensor<4x1xi8>, %b: tensor<1x5xi8>) -> tensor<4x5xi32> {
  // CHECK: xla.dot_general
  %0 = xla.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x1xi8>, tensor<1x5xi8>) -> tensor<4x5xi32>
  return %0 : tensor<4x5xi32>
}
