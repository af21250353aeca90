// RUN: xla-opt %s --to=kernels --split-input-file | FileCheck %s

// The least of the distances of each row: blocks of rows of products, of which nothing is left but numbers.
// CHECK-LABEL: func.func @main
// CHECK-NOT: tensor<600x500xf32>
// CHECK: return
// CHECK: func.func private @rows
// CHECK-SAME: xla_rt.kernel = #xla_rt.kernel<rows, [600] by {{[0-9]+}}>
// CHECK-NOT: func.func private @contraction
func.func @main(%x: tensor<600x64xf32>, %y: tensor<64x500xf32>, %n: tensor<500xf32>) -> tensor<600xf32> {
  %inf = xla.constant dense<0x7F800000> : tensor<f32>
  %p = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<600x64xf32>, tensor<64x500xf32>) -> tensor<600x500xf32>
  %nb = xla.broadcast_in_dim %n, dims = [1] : (tensor<500xf32>) -> tensor<600x500xf32>
  %d = xla.subtract %nb, %p : tensor<600x500xf32>
  %m = xla.reduce(%d init: %inf) applies xla.minimum across dimensions = [1] : (tensor<600x500xf32>, tensor<f32>) -> tensor<600xf32>
  return %m : tensor<600xf32>
}

// -----

// The logarithm of the sum of exponentials of each row, in two reductions.
// CHECK-LABEL: func.func @main
// CHECK: xla_rt.kernel = #xla_rt.kernel<rows, [600] by {{[0-9]+}}>
// CHECK-NOT: func.func private @contraction
func.func @main(%x: tensor<600x64xf32>, %y: tensor<64x500xf32>) -> tensor<600xf32> {
  %ninf = xla.constant dense<0xFF800000> : tensor<f32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %p = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<600x64xf32>, tensor<64x500xf32>) -> tensor<600x500xf32>
  %m = xla.reduce(%p init: %ninf) applies xla.maximum across dimensions = [1] : (tensor<600x500xf32>, tensor<f32>) -> tensor<600xf32>
  %mb = xla.broadcast_in_dim %m, dims = [0] : (tensor<600xf32>) -> tensor<600x500xf32>
  %d = xla.subtract %p, %mb : tensor<600x500xf32>
  %e = xla.exponential %d : tensor<600x500xf32>
  %s = xla.reduce(%e init: %zero) applies xla.add across dimensions = [1] : (tensor<600x500xf32>, tensor<f32>) -> tensor<600xf32>
  %l = xla.log %s : tensor<600xf32>
  %r = xla.add %l, %m : tensor<600xf32>
  return %r : tensor<600xf32>
}

// -----

// Too few rows for all cores, products that others read, and columns that are reduced: two kernels.
// CHECK-LABEL: func.func @main
// CHECK: func.func private @contraction
// CHECK-NOT: func.func private @rows
func.func @main(%x: tensor<40x64xf32>, %y: tensor<64x5000xf32>) -> tensor<40xf32> {
  %ninf = xla.constant dense<0xFF800000> : tensor<f32>
  %p = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<40x64xf32>, tensor<64x5000xf32>) -> tensor<40x5000xf32>
  %m = xla.reduce(%p init: %ninf) applies xla.maximum across dimensions = [1] : (tensor<40x5000xf32>, tensor<f32>) -> tensor<40xf32>
  return %m : tensor<40xf32>
}

// -----

// CHECK-LABEL: func.func @main
// CHECK: func.func private @contraction
// CHECK-NOT: #xla_rt.kernel<rows, [600] by
func.func @main(%x: tensor<600x64xf32>, %y: tensor<64x500xf32>) -> (tensor<600xf32>, tensor<600x500xf32>) {
  %ninf = xla.constant dense<0xFF800000> : tensor<f32>
  %p = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<600x64xf32>, tensor<64x500xf32>) -> tensor<600x500xf32>
  %m = xla.reduce(%p init: %ninf) applies xla.maximum across dimensions = [1] : (tensor<600x500xf32>, tensor<f32>) -> tensor<600xf32>
  return %m, %p : tensor<600xf32>, tensor<600x500xf32>
}

// -----

// CHECK-LABEL: func.func @main
// CHECK: func.func private @contraction
// CHECK-NOT: #xla_rt.kernel<rows, [600] by
func.func @main(%x: tensor<600x64xf32>, %y: tensor<64x500xf32>) -> tensor<500xf32> {
  %ninf = xla.constant dense<0xFF800000> : tensor<f32>
  %p = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<600x64xf32>, tensor<64x500xf32>) -> tensor<600x500xf32>
  %m = xla.reduce(%p init: %ninf) applies xla.maximum across dimensions = [0] : (tensor<600x500xf32>, tensor<f32>) -> tensor<500xf32>
  return %m : tensor<500xf32>
}

// -----

// The sum of two norms for each pair is computed with the distance, not with one of the norms.
// CHECK-LABEL: func.func @main
// CHECK-NOT: -> tensor<2048x2048xf32>
// CHECK: return
func.func @main(%x: tensor<2048x64xf32>, %y: tensor<2048x64xf32>) -> tensor<2048xf32> {
  %inf = xla.constant dense<0x7F800000> : tensor<f32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %xx = xla.multiply %x, %x : tensor<2048x64xf32>
  %yy = xla.multiply %y, %y : tensor<2048x64xf32>
  %nx = xla.reduce(%xx init: %zero) applies xla.add across dimensions = [1] : (tensor<2048x64xf32>, tensor<f32>) -> tensor<2048xf32>
  %ny = xla.reduce(%yy init: %zero) applies xla.add across dimensions = [1] : (tensor<2048x64xf32>, tensor<f32>) -> tensor<2048xf32>
  %bx = xla.broadcast_in_dim %nx, dims = [0] : (tensor<2048xf32>) -> tensor<2048x2048xf32>
  %by = xla.broadcast_in_dim %ny, dims = [1] : (tensor<2048xf32>) -> tensor<2048x2048xf32>
  %s = xla.add %bx, %by : tensor<2048x2048xf32>
  %x2 = xla.add %x, %x : tensor<2048x64xf32>
  %p = xla.dot_general %x2, %y, contracting_dims = [1] x [1] : (tensor<2048x64xf32>, tensor<2048x64xf32>) -> tensor<2048x2048xf32>
  %d = xla.subtract %s, %p : tensor<2048x2048xf32>
  %m = xla.reduce(%d init: %inf) applies xla.minimum across dimensions = [1] : (tensor<2048x2048xf32>, tensor<f32>) -> tensor<2048xf32>
  return %m : tensor<2048xf32>
}
