// RUN: xla-opt --xla-simplify --split-input-file %s | FileCheck %s
// RUN: xla-opt --xla-simplify=device=true --split-input-file %s | FileCheck %s

// CHECK-LABEL: func.func @largest
// CHECK-NOT: xla.concatenate
// CHECK-NOT: xla.reduce(
// CHECK-COUNT-2: xla.maximum {{.*}} : tensor<7x9xi32>
func.func @largest(%a: tensor<1x7x9xi32>, %b: tensor<1x7x9xi32>, %c: tensor<1x7x9xi32>) -> tensor<7x9xi32> {
  %least = xla.constant dense<-2147483648> : tensor<i32>
  %0 = xla.concatenate %a, %b, %c, dim = 0 : (tensor<1x7x9xi32>, tensor<1x7x9xi32>, tensor<1x7x9xi32>) -> tensor<3x7x9xi32>
  %1 = xla.reduce(%0 init: %least) applies xla.maximum across dimensions = [0] : (tensor<3x7x9xi32>, tensor<i32>) -> tensor<7x9xi32>
  return %1 : tensor<7x9xi32>
}

// -----

// Elementwise ops between the stack and the sum, and weights of the parts.
// CHECK-LABEL: func.func @weighted
// CHECK-NOT: xla.concatenate
// CHECK-DAG: xla.slice %arg2 [0:1]
// CHECK-DAG: xla.slice %arg2 [1:2]
// CHECK: return {{.*}} : tensor<7xf32>
func.func @weighted(%a: tensor<7x1xf32>, %b: tensor<7x1xf32>, %w: tensor<2xf32>) -> tensor<7xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.concatenate %a, %b, dim = 1 : (tensor<7x1xf32>, tensor<7x1xf32>) -> tensor<7x2xf32>
  %1 = xla.broadcast_in_dim %w, dims = [1] : (tensor<2xf32>) -> tensor<7x2xf32>
  %2 = xla.multiply %0, %1 : tensor<7x2xf32>
  %3 = xla.reduce(%2 init: %zero) applies xla.add across dimensions = [1] : (tensor<7x2xf32>, tensor<f32>) -> tensor<7xf32>
  return %3 : tensor<7xf32>
}

// -----

// Other dimensions are reduced afterwards.
// CHECK-LABEL: func.func @all
// CHECK-NOT: xla.concatenate
// CHECK: xla.add {{.*}} : tensor<7xi32>
// CHECK: xla.reduce({{.*}}dimensions = [0]
func.func @all(%a: tensor<1x7xi32>, %b: tensor<1x7xi32>) -> tensor<i32> {
  %zero = xla.constant dense<0> : tensor<i32>
  %0 = xla.concatenate %a, %b, dim = 0 : (tensor<1x7xi32>, tensor<1x7xi32>) -> tensor<2x7xi32>
  %1 = xla.reduce(%0 init: %zero) applies xla.add across dimensions = [0, 1] : (tensor<2x7xi32>, tensor<i32>) -> tensor<i32>
  return %1 : tensor<i32>
}

// -----

// Sums of narrow floats would be rounded after each step.
// CHECK-LABEL: func.func @narrow
// CHECK: xla.concatenate
func.func @narrow(%a: tensor<1x7xbf16>, %b: tensor<1x7xbf16>) -> tensor<7xbf16> {
  %zero = xla.constant dense<0.0> : tensor<bf16>
  %0 = xla.concatenate %a, %b, dim = 0 : (tensor<1x7xbf16>, tensor<1x7xbf16>) -> tensor<2x7xbf16>
  %1 = xla.reduce(%0 init: %zero) applies xla.add across dimensions = [0] : (tensor<2x7xbf16>, tensor<bf16>) -> tensor<7xbf16>
  return %1 : tensor<7xbf16>
}

// -----

// A stack that others read is in memory anyway, and one of longer parts is left as it is.
// CHECK-LABEL: func.func @kept
// CHECK-COUNT-2: xla.concatenate
func.func @kept(%a: tensor<1x7xi32>, %b: tensor<2x7xi32>) -> (tensor<7xi32>, tensor<2x7xi32>, tensor<7xi32>) {
  %zero = xla.constant dense<0> : tensor<i32>
  %0 = xla.concatenate %a, %a, dim = 0 : (tensor<1x7xi32>, tensor<1x7xi32>) -> tensor<2x7xi32>
  %1 = xla.reduce(%0 init: %zero) applies xla.add across dimensions = [0] : (tensor<2x7xi32>, tensor<i32>) -> tensor<7xi32>
  %2 = xla.concatenate %b, %a, dim = 0 : (tensor<2x7xi32>, tensor<1x7xi32>) -> tensor<3x7xi32>
  %3 = xla.reduce(%2 init: %zero) applies xla.add across dimensions = [0] : (tensor<3x7xi32>, tensor<i32>) -> tensor<7xi32>
  return %1, %0, %3 : tensor<7xi32>, tensor<2x7xi32>, tensor<7xi32>
}
