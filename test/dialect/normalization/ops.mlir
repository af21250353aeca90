// RUN: xla-opt %s | FileCheck %s
// RUN: xla-opt %s | xla-opt | FileCheck %s
// RUN: xla-opt %s --mlir-print-op-generic | xla-opt | FileCheck %s
// RUN: xla-opt %s --emit-bytecode | xla-opt | FileCheck %s

// CHECK-LABEL: func.func @batch_norm
func.func @batch_norm(%x: tensor<8x4x16xf32>, %f: tensor<16xf32>, %b: tensor<4x2xbf16>, %g: tensor<4xbf16>) {
  // CHECK: "xla.batch_norm_training"(%{{.*}}) <{epsilon = 1.000000e-03 : f32, feature_index = 2 : i64}> : (tensor<8x4x16xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<8x4x16xf32>, tensor<16xf32>, tensor<16xf32>)
  %y, %mean, %var = "xla.batch_norm_training"(%x, %f, %f) <{epsilon = 1.0e-3 : f32, feature_index = 2 : i64}>
    : (tensor<8x4x16xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<8x4x16xf32>, tensor<16xf32>, tensor<16xf32>)
  // CHECK: "xla.batch_norm_inference"(%{{.*}}) <{epsilon = 0.000000e+00 : f32, feature_index = 0 : i64}> : (tensor<4x2xbf16>, tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>) -> tensor<4x2xbf16>
  %z = "xla.batch_norm_inference"(%b, %g, %g, %g, %g) <{epsilon = 0.0 : f32, feature_index = 0 : i64}>
    : (tensor<4x2xbf16>, tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>) -> tensor<4x2xbf16>
  // CHECK: "xla.batch_norm_grad"(%{{.*}}) <{epsilon = 1.000000e-03 : f32, feature_index = 2 : i64}> : (tensor<8x4x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<8x4x16xf32>) -> (tensor<8x4x16xf32>, tensor<16xf32>, tensor<16xf32>)
  %dx, %dscale, %doffset = "xla.batch_norm_grad"(%x, %f, %mean, %var, %y) <{epsilon = 1.0e-3 : f32, feature_index = 2 : i64}>
    : (tensor<8x4x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<8x4x16xf32>) -> (tensor<8x4x16xf32>, tensor<16xf32>, tensor<16xf32>)
  return
}
