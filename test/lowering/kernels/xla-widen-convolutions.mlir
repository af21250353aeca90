// RUN: xla-opt %s --split-input-file --to=linalg | xla-opt --split-input-file --pass-pipeline='builtin.module(func.func(xla-widen-convolutions))' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK: %[[X:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<2x12x12x5xf16>) outs(%{{.*}} : tensor<2x12x12x5xf32>)
// CHECK: arith.extf
// CHECK: %[[K:.*]] = linalg.generic {{.*}} ins(%arg1 : tensor<3x3x5x64xf16>) outs(%{{.*}} : tensor<3x3x5x64xf32>)
// CHECK: arith.extf
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[K]] : tensor<2x12x12x5xf32>, tensor<3x3x5x64xf32>)
// CHECK-NEXT: ^bb0(%[[L:.*]]: f32, %[[R:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: arith.mulf %[[L]], %[[R]] : f32
func.func @main(%x: tensor<2x12x12x5xf16>, %k: tensor<3x3x5x64xf16>) -> tensor<2x10x10x64xf16> {
  %0 = xla.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {feature_group_count = 1, batch_group_count = 1} : (tensor<2x12x12x5xf16>, tensor<3x3x5x64xf16>) -> tensor<2x10x10x64xf16>
  return %0 : tensor<2x10x10x64xf16>
}

// -----

// Each element of the image is read nine times.
// CHECK-LABEL: func.func @main
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<{{.*}}xbf16>, tensor<{{.*}}xbf16>)
// CHECK: arith.extf
// CHECK: arith.extf
// CHECK: arith.mulf
func.func @main(%x: tensor<2x12x12x64xbf16>, %k: tensor<3x3x1x64xbf16>) -> tensor<2x10x10x64xbf16> {
  %0 = xla.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {feature_group_count = 64, batch_group_count = 1} : (tensor<2x12x12x64xbf16>, tensor<3x3x1x64xbf16>) -> tensor<2x10x10x64xbf16>
  return %0 : tensor<2x10x10x64xbf16>
}

// -----

// Products of matrices have no windows: who packs them widens them.
// CHECK-LABEL: func.func @main
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1 : tensor<64x64xf16>, tensor<64x64xf16>)
func.func @main(%x: tensor<64x64xf16>, %y: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  return %0 : tensor<64x64xf16>
}
