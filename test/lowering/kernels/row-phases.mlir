// RUN: xla-opt %s --to=kernels --split-input-file | FileCheck %s
// Kernels of rows that do each nest for a block of rows before the next one.

// Exponentials of a row wait for its maximum, and the logarithm for their sum. What there is once for a row is in lanes.
// CHECK: xla_rt.kernel = #xla_rt.kernel<rows, [1024] by 16>
// CHECK-SAME: [#xla_rt.nest<1024x16x40, lanes d2 16x2, loop d1>, #xla_rt.nest<1024x16x1, lanes d1 16x1>, #xla_rt.nest<1024x16x40, lanes d2 16x1, loop d1>, #xla_rt.nest<1024x16x1, lanes d1 16x1>]
func.func @main(%x: tensor<1024x40xf32>) -> tensor<1024xf32> {
  %ninf = xla.constant dense<0xFF800000> : tensor<f32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %m = xla.reduce(%x init: %ninf) applies xla.maximum across dimensions = [1] : (tensor<1024x40xf32>, tensor<f32>) -> tensor<1024xf32>
  %n = xla.negate %m : tensor<1024xf32>
  %b = xla.broadcast_in_dim %n, dims = [0] : (tensor<1024xf32>) -> tensor<1024x40xf32>
  %d = xla.add %x, %b : tensor<1024x40xf32>
  %e = xla.exponential %d : tensor<1024x40xf32>
  %s = xla.reduce(%e init: %zero) applies xla.add across dimensions = [1] : (tensor<1024x40xf32>, tensor<f32>) -> tensor<1024xf32>
  %l = xla.log %s : tensor<1024xf32>
  %r = xla.subtract %l, %n : tensor<1024xf32>
  return %r : tensor<1024xf32>
}

// -----

// 197 rows are 18 blocks of 11, of which one is done twice, rather than 13 of 16.
// CHECK: xla_rt.kernel = #xla_rt.kernel<rows, [4, 197] by 11>
func.func @main(%x: tensor<4x197x60xf32>) -> tensor<4x197x60xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %e = xla.exponential %x : tensor<4x197x60xf32>
  %s = xla.reduce(%e init: %zero) applies xla.add across dimensions = [2] : (tensor<4x197x60xf32>, tensor<f32>) -> tensor<4x197xf32>
  %b = xla.broadcast_in_dim %s, dims = [0, 1] : (tensor<4x197xf32>) -> tensor<4x197x60xf32>
  %r = xla.divide %e, %b : tensor<4x197x60xf32>
  return %r : tensor<4x197x60xf32>
}

// -----

// Longer rows are in smaller blocks, which stay in the first-level cache.
// CHECK: xla_rt.kernel = #xla_rt.kernel<rows, [1024] by 4>
func.func @main(%x: tensor<1024x800xf32>) -> tensor<1024x800xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %e = xla.exponential %x : tensor<1024x800xf32>
  %s = xla.reduce(%e init: %zero) applies xla.add across dimensions = [1] : (tensor<1024x800xf32>, tensor<f32>) -> tensor<1024xf32>
  %b = xla.broadcast_in_dim %s, dims = [0] : (tensor<1024xf32>) -> tensor<1024x800xf32>
  %r = xla.divide %e, %b : tensor<1024x800xf32>
  return %r : tensor<1024x800xf32>
}

// -----

// Those of which less than four rows would stay there are done one by one.
// CHECK: xla_rt.kernel = #xla_rt.kernel<rows, [1024]>
func.func @main(%x: tensor<1024x2000xf32>) -> tensor<1024x2000xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %e = xla.exponential %x : tensor<1024x2000xf32>
  %s = xla.reduce(%e init: %zero) applies xla.add across dimensions = [1] : (tensor<1024x2000xf32>, tensor<f32>) -> tensor<1024xf32>
  %b = xla.broadcast_in_dim %s, dims = [0] : (tensor<1024xf32>) -> tensor<1024x2000xf32>
  %r = xla.divide %e, %b : tensor<1024x2000xf32>
  return %r : tensor<1024x2000xf32>
}

// -----

// So are rows of little work, of which a processor looks ahead to several.
// CHECK: xla_rt.kernel = #xla_rt.kernel<rows, [1024]>
func.func @main(%x: tensor<1024x40xf32>) -> tensor<1024x40xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %q = xla.multiply %x, %x : tensor<1024x40xf32>
  %s = xla.reduce(%q init: %zero) applies xla.add across dimensions = [1] : (tensor<1024x40xf32>, tensor<f32>) -> tensor<1024xf32>
  %t = xla.rsqrt %s : tensor<1024xf32>
  %b = xla.broadcast_in_dim %t, dims = [0] : (tensor<1024xf32>) -> tensor<1024x40xf32>
  %r = xla.multiply %x, %b : tensor<1024x40xf32>
  return %r : tensor<1024x40xf32>
}

// -----

// Numbers of 16 bits are rounded at every step, which is more work.
// CHECK: xla_rt.kernel = #xla_rt.kernel<rows, [1024] by 16>
func.func @main(%x: tensor<1024x40xbf16>) -> tensor<1024x40xbf16> {
  %zero = xla.constant dense<0.0> : tensor<bf16>
  %q = xla.multiply %x, %x : tensor<1024x40xbf16>
  %s = xla.reduce(%q init: %zero) applies xla.add across dimensions = [1] : (tensor<1024x40xbf16>, tensor<bf16>) -> tensor<1024xbf16>
  %t = xla.rsqrt %s : tensor<1024xbf16>
  %b = xla.broadcast_in_dim %t, dims = [0] : (tensor<1024xbf16>) -> tensor<1024x40xbf16>
  %r = xla.multiply %x, %b : tensor<1024x40xbf16>
  return %r : tensor<1024x40xbf16>
}
