// RUN: xla-opt %s --xla-share-kernels --split-input-file | FileCheck %s

// Kernels that differ in names and locations only are one, also for calls inside of loops.
// CHECK-LABEL: func.func @main
// CHECK: call @elementwise_0(%arg0)
// CHECK: call @elementwise_0(
// CHECK: scf.if
// CHECK: call @elementwise_0(
// CHECK: call @elementwise_3(
// CHECK: func.func private @elementwise_0
// CHECK-NOT: @elementwise_1
// CHECK-NOT: @elementwise_2
// CHECK: func.func private @elementwise_3
#id = affine_map<(d0) -> (d0)>
func.func @main(%x: tensor<8xf32>, %p: i1) -> tensor<8xf32> {
  %0 = call @elementwise_0(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @elementwise_1(%0) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = scf.if %p -> tensor<8xf32> {
    %a = func.call @elementwise_2(%1) : (tensor<8xf32>) -> tensor<8xf32>
    scf.yield %a : tensor<8xf32>
  } else {
    %b = func.call @elementwise_3(%1) : (tensor<8xf32>) -> tensor<8xf32>
    scf.yield %b : tensor<8xf32>
  }
  return %2 : tensor<8xf32>
}
func.func private @elementwise_0(%x: tensor<8xf32>) -> tensor<8xf32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>} {
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = arith.addf %in, %in : f32
    linalg.yield %y : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
func.func private @elementwise_1(%y: tensor<8xf32>) -> tensor<8xf32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>} {
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%y : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y0 = arith.addf %in, %in : f32
    linalg.yield %y0 : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
func.func private @elementwise_2(%x: tensor<8xf32>) -> tensor<8xf32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>} {
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = arith.addf %in, %in : f32
    linalg.yield %y : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
// Flags of an operation are a difference.
func.func private @elementwise_3(%x: tensor<8xf32>) -> tensor<8xf32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>} {
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = arith.addf %in, %in fastmath<reassoc> : f32
    linalg.yield %y : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// Constants, operands, and what is said of a kernel are differences.
// CHECK-LABEL: func.func @main
// CHECK: call @a
// CHECK: call @constant
// CHECK: call @operand
// CHECK: call @plan
func.func @main(%x: tensor<f32>, %y: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) {
  %0 = call @a(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %1 = call @constant(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %2 = call @operand(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %3 = call @plan(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %0, %1, %2, %3 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
}
func.func private @a(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>} {
  %c = arith.constant dense<1.0> : tensor<f32>
  %r = arith.addf %x, %c : tensor<f32>
  return %r : tensor<f32>
}
func.func private @constant(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>} {
  %c = arith.constant dense<2.0> : tensor<f32>
  %r = arith.addf %x, %c : tensor<f32>
  return %r : tensor<f32>
}
func.func private @operand(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>} {
  %c = arith.constant dense<1.0> : tensor<f32>
  %r = arith.addf %y, %c : tensor<f32>
  return %r : tensor<f32>
}
func.func private @plan(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> attributes {xla_rt.kernel = #xla_rt.kernel<reduction>} {
  %c = arith.constant dense<1.0> : tensor<f32>
  %r = arith.addf %x, %c : tensor<f32>
  return %r : tensor<f32>
}
