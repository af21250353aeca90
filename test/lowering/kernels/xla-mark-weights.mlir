// RUN: xla-opt %s --split-input-file --to=linalg | xla-opt --split-input-file --pass-pipeline='builtin.module(func.func(xla-fold-transposes,xla-mark-weights))' | FileCheck %s

// The exponentials of what is left of scores when the greatest of their row is subtracted, which are added up by rows.
// CHECK-LABEL: func.func @main
// CHECK: math.exp %{{.*}} fastmath<afn> : f32
func.func @main(%s: tensor<8x512xf32>) -> tensor<8x512xf32> {
  %ninf = xla.constant dense<0xFF800000> : tensor<f32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %m = xla.reduce(%s init: %ninf) applies xla.maximum across dimensions = [1] : (tensor<8x512xf32>, tensor<f32>) -> tensor<8xf32>
  %mb = xla.broadcast_in_dim %m, dims = [0] : (tensor<8xf32>) -> tensor<8x512xf32>
  %d = xla.subtract %s, %mb : tensor<8x512xf32>
  %e = xla.exponential %d : tensor<8x512xf32>
  %t = xla.reduce(%e init: %zero) applies xla.add across dimensions = [1] : (tensor<8x512xf32>, tensor<f32>) -> tensor<8xf32>
  %tb = xla.broadcast_in_dim %t, dims = [0] : (tensor<8xf32>) -> tensor<8x512xf32>
  %p = xla.divide %e, %tb : tensor<8x512xf32>
  return %p : tensor<8x512xf32>
}

// -----

// Added up along another dimension, all of them may be small.
// CHECK-LABEL: func.func @main
// CHECK: math.exp %{{[a-z0-9_]+}} : f32
func.func @main(%s: tensor<8x512xf32>) -> tensor<512xf32> {
  %ninf = xla.constant dense<0xFF800000> : tensor<f32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %m = xla.reduce(%s init: %ninf) applies xla.maximum across dimensions = [1] : (tensor<8x512xf32>, tensor<f32>) -> tensor<8xf32>
  %mb = xla.broadcast_in_dim %m, dims = [0] : (tensor<8xf32>) -> tensor<8x512xf32>
  %d = xla.subtract %s, %mb : tensor<8x512xf32>
  %e = xla.exponential %d : tensor<8x512xf32>
  %t = xla.reduce(%e init: %zero) applies xla.add across dimensions = [0] : (tensor<8x512xf32>, tensor<f32>) -> tensor<512xf32>
  return %t : tensor<512xf32>
}

// -----

// Without the maximum, a sum of small exponentials is what is asked for.
// CHECK-LABEL: func.func @main
// CHECK: math.exp %{{[a-z0-9_]+}} : f32
func.func @main(%s: tensor<8x512xf32>) -> tensor<8xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %e = xla.exponential %s : tensor<8x512xf32>
  %t = xla.reduce(%e init: %zero) applies xla.add across dimensions = [1] : (tensor<8x512xf32>, tensor<f32>) -> tensor<8xf32>
  return %t : tensor<8xf32>
}

// -----

// The greatest of other numbers: arguments may be positive.
// CHECK-LABEL: func.func @main
// CHECK: math.exp %{{[a-z0-9_]+}} : f32
func.func @main(%s: tensor<8x512xf32>, %o: tensor<8x512xf32>) -> tensor<8xf32> {
  %ninf = xla.constant dense<0xFF800000> : tensor<f32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %m = xla.reduce(%o init: %ninf) applies xla.maximum across dimensions = [1] : (tensor<8x512xf32>, tensor<f32>) -> tensor<8xf32>
  %mb = xla.broadcast_in_dim %m, dims = [0] : (tensor<8xf32>) -> tensor<8x512xf32>
  %d = xla.subtract %s, %mb : tensor<8x512xf32>
  %e = xla.exponential %d : tensor<8x512xf32>
  %t = xla.reduce(%e init: %zero) applies xla.add across dimensions = [1] : (tensor<8x512xf32>, tensor<f32>) -> tensor<8xf32>
  return %t : tensor<8xf32>
}

// -----

// The greatest of scores and 0, which need not be a score: all weights may be small, and their sum, too.
// CHECK-LABEL: func.func @main
// CHECK: math.exp %{{[a-z0-9_]+}} : f32
func.func @main(%s: tensor<8x512xf32>) -> tensor<8xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %m = xla.reduce(%s init: %zero) applies xla.maximum across dimensions = [1] : (tensor<8x512xf32>, tensor<f32>) -> tensor<8xf32>
  %mb = xla.broadcast_in_dim %m, dims = [0] : (tensor<8xf32>) -> tensor<8x512xf32>
  %d = xla.subtract %s, %mb : tensor<8x512xf32>
  %e = xla.exponential %d : tensor<8x512xf32>
  %t = xla.reduce(%e init: %zero) applies xla.add across dimensions = [1] : (tensor<8x512xf32>, tensor<f32>) -> tensor<8xf32>
  return %t : tensor<8xf32>
}

// -----

// The entropy of a softmax: 0 times the logarithm of 0 would be NaN.
// CHECK-LABEL: func.func @main
// CHECK: math.exp %{{[a-z0-9_]+}} : f32
func.func @main(%s: tensor<8x512xf32>) -> tensor<8xf32> {
  %ninf = xla.constant dense<0xFF800000> : tensor<f32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %m = xla.reduce(%s init: %ninf) applies xla.maximum across dimensions = [1] : (tensor<8x512xf32>, tensor<f32>) -> tensor<8xf32>
  %mb = xla.broadcast_in_dim %m, dims = [0] : (tensor<8xf32>) -> tensor<8x512xf32>
  %d = xla.subtract %s, %mb : tensor<8x512xf32>
  %e = xla.exponential %d : tensor<8x512xf32>
  %t = xla.reduce(%e init: %zero) applies xla.add across dimensions = [1] : (tensor<8x512xf32>, tensor<f32>) -> tensor<8xf32>
  %tb = xla.broadcast_in_dim %t, dims = [0] : (tensor<8xf32>) -> tensor<8x512xf32>
  %p = xla.divide %e, %tb : tensor<8x512xf32>
  %l = xla.log %p : tensor<8x512xf32>
  %pl = xla.multiply %p, %l : tensor<8x512xf32>
  %r = xla.reduce(%pl init: %zero) applies xla.add across dimensions = [1] : (tensor<8x512xf32>, tensor<f32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
