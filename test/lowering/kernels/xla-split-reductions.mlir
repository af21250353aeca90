// RUN: xla-opt %s --to=linalg | xla-opt --pass-pipeline='builtin.module(func.func(xla-split-reductions))' | FileCheck %s

// Partial results fit into a page: 64 of them, not one for each of the 4096 rows.
// CHECK-LABEL: func.func @main
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction", "reduction"]{{.*}} ins({{.*}} : tensor<64x64x1024xf32>) outs({{.*}} : tensor<64xf32>)
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction"]{{.*}} ins({{.*}} : tensor<64xf32>) outs({{.*}} : tensor<f32>)
func.func @main(%x: tensor<4096x1024xf32>) -> tensor<f32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %s = xla.reduce(%x init: %zero) applies xla.add across dimensions = [0, 1] : (tensor<4096x1024xf32>, tensor<f32>) -> tensor<f32>
  return %s : tensor<f32>
}
