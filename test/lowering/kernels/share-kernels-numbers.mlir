// RUN: xla-opt %s --xla-share-kernels=constants=true | FileCheck %s

// Kernels that differ in terms and factors take them as arguments, which fill tensors if the constants are such. Of other
// operands, such as bounds, more is known if they are constants.
// CHECK-LABEL: func.func @main
// CHECK: %[[TWO:.*]] = arith.constant 2.000000e+00 : f32
// CHECK: %[[THREE:.*]] = arith.constant 3.000000e+00 : f32
// CHECK: call @elementwise_0(%arg0, %[[TWO]], %[[THREE]])
// CHECK: %[[FOUR:.*]] = arith.constant 4.000000e+00 : f32
// CHECK: %[[FIVE:.*]] = arith.constant 5.000000e+00 : f32
// CHECK: call @elementwise_0(%arg0, %[[FOUR]], %[[FIVE]])
// CHECK: call @elementwise_2(
// CHECK: func.func private @elementwise_0(%{{.*}}: tensor<8xf32>, %[[A:.*]]: f32, %[[B:.*]]: f32)
// CHECK: linalg.fill ins(%[[A]] : f32)
// CHECK: arith.constant 6.000000e+00
// CHECK: arith.addf %{{.*}}, %[[B]]
// CHECK-NOT: @elementwise_1
// CHECK: func.func private @elementwise_2
#id = affine_map<(d0) -> (d0)>
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @elementwise_0(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @elementwise_1(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = call @elementwise_2(%1) : (tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
func.func private @elementwise_0(%x: tensor<8xf32>) -> tensor<8xf32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>} {
  %e = tensor.empty() : tensor<8xf32>
  %a = arith.constant dense<2.0> : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %a : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %factor: f32, %out: f32):
    %b = arith.constant 3.0 : f32
    %c = arith.constant 6.0 : f32
    %0 = arith.mulf %in, %factor : f32
    %1 = arith.addf %0, %b : f32
    %2 = arith.maximumf %1, %c : f32
    %3 = math.exp %2 : f32
    linalg.yield %3 : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
func.func private @elementwise_1(%x: tensor<8xf32>) -> tensor<8xf32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>} {
  %e = tensor.empty() : tensor<8xf32>
  %a = arith.constant dense<4.0> : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %a : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %factor: f32, %out: f32):
    %b = arith.constant 5.0 : f32
    %c = arith.constant 6.0 : f32
    %0 = arith.mulf %in, %factor : f32
    %1 = arith.addf %0, %b : f32
    %2 = arith.maximumf %1, %c : f32
    %3 = math.exp %2 : f32
    linalg.yield %3 : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
// Another bound.
func.func private @elementwise_2(%x: tensor<8xf32>) -> tensor<8xf32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>} {
  %e = tensor.empty() : tensor<8xf32>
  %a = arith.constant dense<4.0> : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %a : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %factor: f32, %out: f32):
    %b = arith.constant 5.0 : f32
    %c = arith.constant 7.0 : f32
    %0 = arith.mulf %in, %factor : f32
    %1 = arith.addf %0, %b : f32
    %2 = arith.maximumf %1, %c : f32
    %3 = math.exp %2 : f32
    linalg.yield %3 : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
