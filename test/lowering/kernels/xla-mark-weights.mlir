// RUN: xla-opt %s --split-input-file --to=linalg | xla-opt --split-input-file --pass-pipeline='builtin.module(func.func(xla-fold-transposes,xla-mark-weights))' | FileCheck %s

// The exponentials of what is left of scores when the greatest of their row is subtracted, which are added up by rows.
// CHECK-LABEL: func.func @main
// CHECK: math.exp %{{[a-z0-9_]+}} fastmath<afn> : f32
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

// -----

// A mask of keys after the query: half of the vectors of weights are all zero.
// CHECK-LABEL: func.func @main
// CHECK: math.exp %{{[a-z0-9_]+}} fastmath<afn> {xla_rt.masked} : f32
func.func @main(%s: tensor<8x512xf32>) -> tensor<8x512xf32> {
  %ninf = xla.constant dense<0xFF800000> : tensor<f32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %i = xla.iota dim = 0 : tensor<8x512xi32>
  %j = xla.iota dim = 1 : tensor<8x512xi32>
  %mask = xla.compare GE, %i, %j : (tensor<8x512xi32>, tensor<8x512xi32>) -> tensor<8x512xi1>
  %low = xla.constant dense<-1.0e+30> : tensor<8x512xf32>
  %x = xla.select %mask, %s, %low : tensor<8x512xi1>, tensor<8x512xf32>
  %m = xla.reduce(%x init: %ninf) applies xla.maximum across dimensions = [1] : (tensor<8x512xf32>, tensor<f32>) -> tensor<8xf32>
  %mb = xla.broadcast_in_dim %m, dims = [0] : (tensor<8xf32>) -> tensor<8x512xf32>
  %d = xla.subtract %x, %mb : tensor<8x512xf32>
  %e = xla.exponential %d : tensor<8x512xf32>
  %t = xla.reduce(%e init: %zero) applies xla.add across dimensions = [1] : (tensor<8x512xf32>, tensor<f32>) -> tensor<8xf32>
  %tb = xla.broadcast_in_dim %t, dims = [0] : (tensor<8xf32>) -> tensor<8x512xf32>
  %p = xla.divide %e, %tb : tensor<8x512xf32>
  return %p : tensor<8x512xf32>
}

// -----

// A mask that is added. The choice between numbers of usual size is none.
// CHECK-LABEL: func.func @main
// CHECK: math.exp %{{[a-z0-9_]+}} fastmath<afn> {xla_rt.masked} : f32
// CHECK: math.exp %{{[a-z0-9_]+}} fastmath<afn> : f32
func.func @main(%s: tensor<8x512xf32>, %mask: tensor<512xi1>) -> (tensor<8x512xf32>, tensor<8x512xf32>) {
  %ninf = xla.constant dense<0xFF800000> : tensor<f32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %zeros = xla.constant dense<0.0> : tensor<512xf32>
  %low = xla.constant dense<-1.0e+9> : tensor<512xf32>
  %usual = xla.constant dense<-8.0> : tensor<512xf32>
  %b0 = xla.select %mask, %zeros, %low : tensor<512xi1>, tensor<512xf32>
  %b1 = xla.select %mask, %zeros, %usual : tensor<512xi1>, tensor<512xf32>
  %bb0 = xla.broadcast_in_dim %b0, dims = [1] : (tensor<512xf32>) -> tensor<8x512xf32>
  %bb1 = xla.broadcast_in_dim %b1, dims = [1] : (tensor<512xf32>) -> tensor<8x512xf32>
  %x0 = xla.add %s, %bb0 : tensor<8x512xf32>
  %x1 = xla.add %s, %bb1 : tensor<8x512xf32>
  %m0 = xla.reduce(%x0 init: %ninf) applies xla.maximum across dimensions = [1] : (tensor<8x512xf32>, tensor<f32>) -> tensor<8xf32>
  %m1 = xla.reduce(%x1 init: %ninf) applies xla.maximum across dimensions = [1] : (tensor<8x512xf32>, tensor<f32>) -> tensor<8xf32>
  %mb0 = xla.broadcast_in_dim %m0, dims = [0] : (tensor<8xf32>) -> tensor<8x512xf32>
  %mb1 = xla.broadcast_in_dim %m1, dims = [0] : (tensor<8xf32>) -> tensor<8x512xf32>
  %d0 = xla.subtract %x0, %mb0 : tensor<8x512xf32>
  %d1 = xla.subtract %x1, %mb1 : tensor<8x512xf32>
  %e0 = xla.exponential %d0 : tensor<8x512xf32>
  %e1 = xla.exponential %d1 : tensor<8x512xf32>
  %t0 = xla.reduce(%e0 init: %zero) applies xla.add across dimensions = [1] : (tensor<8x512xf32>, tensor<f32>) -> tensor<8xf32>
  %t1 = xla.reduce(%e1 init: %zero) applies xla.add across dimensions = [1] : (tensor<8x512xf32>, tensor<f32>) -> tensor<8xf32>
  %tb0 = xla.broadcast_in_dim %t0, dims = [0] : (tensor<8xf32>) -> tensor<8x512xf32>
  %tb1 = xla.broadcast_in_dim %t1, dims = [0] : (tensor<8xf32>) -> tensor<8x512xf32>
  %p0 = xla.divide %e0, %tb0 : tensor<8x512xf32>
  %p1 = xla.divide %e1, %tb1 : tensor<8x512xf32>
  return %p0, %p1 : tensor<8x512xf32>, tensor<8x512xf32>
}
