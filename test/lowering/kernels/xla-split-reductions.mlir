// RUN: xla-opt %s --to=linalg | xla-opt --pass-pipeline='builtin.module(func.func(xla-split-reductions))' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]{{.*}} ins({{.*}} : tensor<4096x1024xf32>) outs({{.*}} : tensor<4096xf32>)
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction"]{{.*}} ins({{.*}} : tensor<4096xf32>) outs({{.*}} : tensor<f32>)
func.func @main(%x: tensor<4096x1024xf32>) -> tensor<f32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %s = xla.reduce(%x init: %zero) applies xla.add across dimensions = [0, 1] : (tensor<4096x1024xf32>, tensor<f32>) -> tensor<f32>
  return %s : tensor<f32>
}
