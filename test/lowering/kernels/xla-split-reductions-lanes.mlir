// RUN: xla-opt %s --to=linalg | xla-opt --pass-pipeline='builtin.module(func.func(xla-split-reductions))' | FileCheck %s

// A short innermost dimension that is kept is no parallel work: the outermost reduced dimension is, or as many parts of it as
// leave no more partial results than a page holds.
// CHECK-LABEL: func.func @main
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "reduction", "reduction", "parallel"]
// CHECK-SAME: outs(%{{.*}} : tensor<16x64xf32>)
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["reduction", "parallel"]
// CHECK-SAME: outs(%{{.*}} : tensor<64xf32>)
func.func @main(%x: tensor<32x784x64xf32>) -> tensor<64xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %s = xla.reduce(%x init: %zero) applies xla.add across dimensions = [0, 1] : (tensor<32x784x64xf32>, tensor<f32>) -> tensor<64xf32>
  return %s : tensor<64xf32>
}
