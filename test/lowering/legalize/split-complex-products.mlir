// RUN: xla-opt %s --split-input-file --xla-split-complex-products | FileCheck %s

// The smaller operand has four parts.
// CHECK-LABEL: func.func @main
// CHECK-DAG: %[[RE:.*]] = xla.real %arg1
// CHECK-DAG: %[[IM:.*]] = xla.imag %arg1
// CHECK-DAG: %[[FIRST:.*]] = xla.concatenate %[[RE]], %[[IM]], dim = 1
// CHECK-DAG: %[[MINUS:.*]] = xla.negate %[[IM]]
// CHECK-DAG: %[[SECOND:.*]] = xla.concatenate %[[MINUS]], %[[RE]], dim = 1
// CHECK-DAG: %[[RIGHT:.*]] = xla.concatenate %[[FIRST]], %[[SECOND]], dim = 0
// CHECK-DAG: %[[LEFT:.*]] = xla.concatenate %{{.*}}, %{{.*}}, dim = 1 : (tensor<512x256xf32>, tensor<512x256xf32>)
// CHECK: %[[P:.*]] = xla.dot_general %[[LEFT]], %[[RIGHT]], contracting_dims = [1] x [0], precision = [HIGH, DEFAULT] : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
// CHECK: %[[X:.*]] = xla.slice %[[P]] [0:512, 0:256]
// CHECK: %[[Y:.*]] = xla.slice %[[P]] [0:512, 256:512]
// CHECK: xla.complex %[[X]], %[[Y]]
func.func @main(%a: tensor<512x256xcomplex<f32>>, %b: tensor<256x256xcomplex<f32>>) -> tensor<512x256xcomplex<f32>> {
  %0 = xla.dot_general %a, %b, contracting_dims = [1] x [0], precision = [HIGH, DEFAULT] : (tensor<512x256xcomplex<f32>>, tensor<256x256xcomplex<f32>>) -> tensor<512x256xcomplex<f32>>
  return %0 : tensor<512x256xcomplex<f32>>
}

// -----

// Here that is the left one, of a batch.
// CHECK-LABEL: func.func @main
// CHECK: xla.dot_general %{{.*}}, %{{.*}}, batching_dims = [1] x [0], contracting_dims = [0] x [2] : (tensor<2048x2x64xf64>, tensor<2x256x2048xf64>) -> tensor<2x64x256xf64>
// CHECK: xla.slice %{{.*}} [0:2, 0:32, 0:256]
// CHECK: xla.slice %{{.*}} [0:2, 32:64, 0:256]
func.func @main(%a: tensor<1024x2x32xcomplex<f64>>, %b: tensor<2x256x1024xcomplex<f64>>) -> tensor<2x32x256xcomplex<f64>> {
  %0 = xla.dot_general %a, %b, batching_dims = [1] x [0], contracting_dims = [0] x [2] : (tensor<1024x2x32xcomplex<f64>>, tensor<2x256x1024xcomplex<f64>>) -> tensor<2x32x256xcomplex<f64>>
  return %0 : tensor<2x32x256xcomplex<f64>>
}

// -----

// Small ones stay in the caches, and a few rows are less work than copies.
// CHECK-LABEL: func.func @main
// CHECK-COUNT-2: xla.dot_general {{.*}} -> tensor<{{.*}}xcomplex<f32>>
func.func @main(%a: tensor<128x128xcomplex<f32>>, %b: tensor<128x128xcomplex<f32>>, %c: tensor<16x1024xcomplex<f32>>, %d: tensor<1024x4096xcomplex<f32>>) -> (tensor<128x128xcomplex<f32>>, tensor<16x4096xcomplex<f32>>) {
  %0 = xla.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<128x128xcomplex<f32>>, tensor<128x128xcomplex<f32>>) -> tensor<128x128xcomplex<f32>>
  %1 = xla.dot_general %c, %d, contracting_dims = [1] x [0] : (tensor<16x1024xcomplex<f32>>, tensor<1024x4096xcomplex<f32>>) -> tensor<16x4096xcomplex<f32>>
  return %0, %1 : tensor<128x128xcomplex<f32>>, tensor<16x4096xcomplex<f32>>
}

// -----

// CHECK-LABEL: func.func @main
// CHECK: xla.dot_general %arg0, %arg1
func.func @main(%a: tensor<512x512xf32>, %b: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %0 = xla.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}
