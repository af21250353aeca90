// RUN: xla-opt --xla-expand-approx-top-k %s | FileCheck %s

// CHECK-NOT:   @greater
// CHECK-LABEL: func.func public @main
// CHECK:         %[[S:.*]]:2 = "xla.sort"(%{{.*}}, %{{.*}}) <{dimension = 1 : i64, is_stable = true}>
// CHECK:           xla.compare GT
// CHECK:           xla.return
// CHECK:         xla.slice %[[S]]#0 [0:8, 0:3]
// CHECK:         xla.slice %[[S]]#1 [0:8, 0:3]
func.func @greater(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  stablehlo.return %0 : tensor<i1>
}
func.func public @main(%x: tensor<8x16xf32>) -> (tensor<8x3xf32>, tensor<8x3xi32>) {
  %i = stablehlo.iota dim = 1 : tensor<8x16xi32>
  %none = stablehlo.constant dense<-1> : tensor<i32>
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0:2 = stablehlo.custom_call @ApproxTopK(%x, %i, %lowest, %none) {
    called_computations = [@greater],
    mhlo.backend_config = {aggregate_to_topk = true, is_fallback = true, reduction_dim = 1 : i64, top_k = 3 : i64}
  } : (tensor<8x16xf32>, tensor<8x16xi32>, tensor<f32>, tensor<i32>) -> (tensor<8x3xf32>, tensor<8x3xi32>)
  return %0#0, %0#1 : tensor<8x3xf32>, tensor<8x3xi32>
}
