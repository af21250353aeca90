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

// -----

// Of a convolution, channels and features.
// CHECK-LABEL: func.func @main
// CHECK-DAG: %[[RE:.*]] = xla.real %arg1
// CHECK-DAG: %[[IM:.*]] = xla.imag %arg1
// CHECK-DAG: %[[FIRST:.*]] = xla.concatenate %[[RE]], %[[IM]], dim = 3
// CHECK-DAG: %[[SECOND:.*]] = xla.concatenate %{{.*}}, %[[RE]], dim = 3
// CHECK-DAG: %[[KERNEL:.*]] = xla.concatenate %[[FIRST]], %[[SECOND]], dim = 2
// CHECK: xla.convolution(%{{.*}}, %[[KERNEL]]) {{.*}} : (tensor<2x64x64x32xf32>, tensor<3x3x32x32xf32>) -> tensor<2x64x64x32xf32>
// CHECK: xla.slice %{{.*}} [0:2, 0:64, 0:64, 0:16]
// CHECK: xla.slice %{{.*}} [0:2, 0:64, 0:64, 16:32]
func.func @main(%x: tensor<2x64x64x16xcomplex<f32>>, %k: tensor<3x3x16x16xcomplex<f32>>) -> tensor<2x64x64x16xcomplex<f32>> {
  %0 = xla.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {feature_group_count = 1, batch_group_count = 1} : (tensor<2x64x64x16xcomplex<f32>>, tensor<3x3x16x16xcomplex<f32>>) -> tensor<2x64x64x16xcomplex<f32>>
  return %0 : tensor<2x64x64x16xcomplex<f32>>
}

// -----

// CHECK-LABEL: func.func @main
// CHECK: xla.convolution(%arg0, %arg1)
func.func @main(%x: tensor<2x64x64x64xcomplex<f32>>, %k: tensor<3x3x1x64xcomplex<f32>>) -> tensor<2x64x64x64xcomplex<f32>> {
  %0 = xla.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {feature_group_count = 64, batch_group_count = 1} : (tensor<2x64x64x64xcomplex<f32>>, tensor<3x3x1x64xcomplex<f32>>) -> tensor<2x64x64x64xcomplex<f32>>
  return %0 : tensor<2x64x64x64xcomplex<f32>>
}
