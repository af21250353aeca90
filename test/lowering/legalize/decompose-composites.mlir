// RUN: xla-opt %s --xla-decompose-composites | FileCheck %s

// CHECK-LABEL: func.func @dot
func.func @dot(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %v: tensor<3xf32>)
    -> (tensor<2x4xf32>, tensor<4xf32>, tensor<f32>) {
  // CHECK: xla.dot_general %{{.*}}, %{{.*}}, contracting_dims = [1] x [0], precision = [DEFAULT, HIGHEST]
  %0 = xla.dot %a, %b, precision = [DEFAULT, HIGHEST] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  // CHECK: xla.dot_general %{{.*}}, %{{.*}}, contracting_dims = [0] x [0]
  %1 = xla.dot %v, %b : (tensor<3xf32>, tensor<3x4xf32>) -> tensor<4xf32>
  // CHECK: xla.dot_general %{{.*}}, %{{.*}}, contracting_dims = [0] x [0]
  %2 = xla.dot %v, %v : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  return %0, %1, %2 : tensor<2x4xf32>, tensor<4xf32>, tensor<f32>
}

// CHECK-LABEL: func.func @broadcast
func.func @broadcast(%x: tensor<3xf32>) -> tensor<4x5x3xf32> {
  // CHECK: xla.broadcast_in_dim %{{.*}}, dims = [2] : (tensor<3xf32>) -> tensor<4x5x3xf32>
  %0 = xla.broadcast %x, sizes = [4, 5] : (tensor<3xf32>) -> tensor<4x5x3xf32>
  return %0 : tensor<4x5x3xf32>
}

// CHECK-LABEL: func.func @inference(
// CHECK-SAME: %[[X:[^:]*]]: tensor<8x16xf32>, %[[SCALE:[^:]*]]: tensor<16xf32>, %[[OFFSET:[^:]*]]: tensor<16xf32>, %[[MEAN:[^:]*]]: tensor<16xf32>, %[[VAR:[^:]*]]: tensor<16xf32>
func.func @inference(%x: tensor<8x16xf32>, %scale: tensor<16xf32>, %offset: tensor<16xf32>, %mean: tensor<16xf32>,
                     %var: tensor<16xf32>) -> tensor<8x16xf32> {
  // CHECK: %[[SHIFTED:.*]] = xla.add %[[VAR]]
  // CHECK: %[[S:.*]] = xla.sqrt %[[SHIFTED]]
  // CHECK: %[[M:.*]] = xla.broadcast_in_dim %[[MEAN]], dims = [1]
  // CHECK: %[[C:.*]] = xla.subtract %[[X]], %[[M]]
  // CHECK: %[[Q:.*]] = xla.divide %[[SCALE]], %[[S]]
  // CHECK: %[[QB:.*]] = xla.broadcast_in_dim %[[Q]], dims = [1]
  // CHECK: %[[P:.*]] = xla.multiply %[[C]], %[[QB]]
  // CHECK: %[[O:.*]] = xla.broadcast_in_dim %[[OFFSET]], dims = [1]
  // CHECK: xla.add %[[P]], %[[O]]
  %0 = "xla.batch_norm_inference"(%x, %scale, %offset, %mean, %var) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}>
    : (tensor<8x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// Narrow types compute in f32.
// CHECK-LABEL: func.func @training
func.func @training(%x: tensor<8x4x16xbf16>, %scale: tensor<16xbf16>, %offset: tensor<16xbf16>)
    -> (tensor<8x4x16xbf16>, tensor<16xbf16>, tensor<16xbf16>) {
  // CHECK: xla.convert %{{.*}} : (tensor<8x4x16xbf16>) -> tensor<8x4x16xf32>
  // CHECK: xla.reduce({{.*}}) applies xla.add across dimensions = [0, 1] : (tensor<8x4x16xf32>, tensor<f32>) -> tensor<16xf32>
  // CHECK: dense<3.200000e+01>
  // CHECK: xla.convert %{{.*}} : (tensor<8x4x16xf32>) -> tensor<8x4x16xbf16>
  %0:3 = "xla.batch_norm_training"(%x, %scale, %offset) <{epsilon = 1.0e-3 : f32, feature_index = 2 : i64}>
    : (tensor<8x4x16xbf16>, tensor<16xbf16>, tensor<16xbf16>) -> (tensor<8x4x16xbf16>, tensor<16xbf16>, tensor<16xbf16>)
  return %0#0, %0#1, %0#2 : tensor<8x4x16xbf16>, tensor<16xbf16>, tensor<16xbf16>
}

// CHECK-LABEL: func.func @grad
// CHECK-NOT: batch_norm
func.func @grad(%x: tensor<8x16xf32>, %scale: tensor<16xf32>, %mean: tensor<16xf32>, %var: tensor<16xf32>,
                %dy: tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<16xf32>, tensor<16xf32>) {
  // CHECK-COUNT-4: xla.reduce
  %0:3 = "xla.batch_norm_grad"(%x, %scale, %mean, %var, %dy) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}>
    : (tensor<8x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<8x16xf32>)
    -> (tensor<8x16xf32>, tensor<16xf32>, tensor<16xf32>)
  return %0#0, %0#1, %0#2 : tensor<8x16xf32>, tensor<16xf32>, tensor<16xf32>
}
