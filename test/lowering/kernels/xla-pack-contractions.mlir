// RUN: xla-opt %s --to=linalg | xla-opt --pass-pipeline='builtin.module(func.func(xla-pack-contractions))' | FileCheck %s

// The right-hand side goes to panels of 64 columns, which the contraction reads.
// CHECK: affine_map<(d0, d1, d2) -> (d1 floordiv 64, d2, d1 mod 64)>
// CHECK-LABEL: func.func @main
// CHECK: tensor.empty() : tensor<16x1024x64xf32>
// CHECK: %[[P:.*]] = linalg.generic {{.*}} ins(%arg1 : tensor<1024x1024xf32>) outs({{.*}} : tensor<16x1024x64xf32>)
// CHECK: linalg.generic {{.*}} ins(%arg0, %[[P]] : tensor<1024x1024xf32>, tensor<16x1024x64xf32>)
func.func @main(%a: tensor<1024x1024xf32>, %b: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %0 = xla.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %0 : tensor<1024x1024xf32>
}
