// RUN: xla-opt %s --split-input-file --to=kernels | FileCheck %s
// Loops of reductions.

// A tall reduction walks its rows as they lie in memory, and keeps the running values there. Threads share the columns.
// CHECK: xla_rt.plans = [#xla_rt.nest<1024x4096, lanes d0 16x1, jam d1 8, reduce d1, cut d0 512, in_memory>]
func.func @main(%x: tensor<4096x1024xf32>) -> tensor<1024xf32> {
  %init = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.reduce(%x init: %init) applies xla.maximum across dimensions = [0] : (tensor<4096x1024xf32>, tensor<f32>) -> tensor<1024xf32>
  return %0 : tensor<1024xf32>
}

// -----

// Not a short one, whose running values are four vectors in registers at a time.
// CHECK: xla_rt.plans = [#xla_rt.nest<1024x32, lanes d0 16x4, reduce d1>]
func.func @main(%x: tensor<32x1024xf32>) -> tensor<1024xf32> {
  %init = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.reduce(%x init: %init) applies xla.maximum across dimensions = [0] : (tensor<32x1024xf32>, tensor<f32>) -> tensor<1024xf32>
  return %0 : tensor<1024xf32>
}

// -----

// Nor one of rows below 512 bytes.
// CHECK: xla_rt.plans = [#xla_rt.nest<100x200, lanes d0 16x4, reduce d1>]
func.func @main(%x: tensor<200x100xf32>) -> tensor<100xf32> {
  %init = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.reduce(%x init: %init) applies xla.maximum across dimensions = [0] : (tensor<200x100xf32>, tensor<f32>) -> tensor<100xf32>
  return %0 : tensor<100xf32>
}

// -----

// Rows of a softmax are reduced twice and then divided: three nests over 16 of them.
// CHECK: xla_rt.plans = [#xla_rt.nest<64x16x100, lanes d2 16x4, loop d1>, #xla_rt.nest<64x16x100, lanes d2 16x1, loop d1>, #xla_rt.nest<64x16x100, lanes d2 16x1, loop d1>]
func.func @main(%x: tensor<64x100xf32>) -> tensor<64x100xf32> {
  %ninf = xla.constant dense<0xFF800000> : tensor<f32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %m = xla.reduce(%x init: %ninf) applies xla.maximum across dimensions = [1] : (tensor<64x100xf32>, tensor<f32>) -> tensor<64xf32>
  %mb = xla.broadcast_in_dim %m, dims = [0] : (tensor<64xf32>) -> tensor<64x100xf32>
  %d = xla.subtract %x, %mb : tensor<64x100xf32>
  %e = xla.exponential %d : tensor<64x100xf32>
  %s = xla.reduce(%e init: %zero) applies xla.add across dimensions = [1] : (tensor<64x100xf32>, tensor<f32>) -> tensor<64xf32>
  %sb = xla.broadcast_in_dim %s, dims = [0] : (tensor<64xf32>) -> tensor<64x100xf32>
  %r = xla.divide %e, %sb : tensor<64x100xf32>
  return %r : tensor<64x100xf32>
}

// -----

// Two running values, the greatest element and its index, are eight vectors each, and strips of columns are work.
// CHECK: xla_rt.plans = [#xla_rt.nest<1024x4096, lanes d0 16x8, reduce d1, cut d0 128>]
func.func @main(%x: tensor<4096x1024xf32>) -> tensor<1024xi32> {
  %ninf = xla.constant dense<0xFF800000> : tensor<f32>
  %zero = xla.constant dense<0> : tensor<i32>
  %i = xla.iota dim = 0 : tensor<4096x1024xi32>
  %m, %a = xla.reduce(%x init: %ninf), (%i init: %zero) across dimensions = [0] : (tensor<4096x1024xf32>, tensor<4096x1024xi32>, tensor<f32>, tensor<i32>) -> (tensor<1024xf32>, tensor<1024xi32>)
    reducer(%l: tensor<f32>, %r: tensor<f32>) (%li: tensor<i32>, %ri: tensor<i32>) {
    %gt = xla.compare GT, %l, %r, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %ne = xla.compare NE, %l, %l, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %first = xla.or %gt, %ne : tensor<i1>
    %eq = xla.compare EQ, %l, %r, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %lt = xla.compare LT, %li, %ri, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %tie = xla.and %eq, %lt : tensor<i1>
    %keep = xla.or %first, %tie : tensor<i1>
    %v = xla.select %first, %l, %r : tensor<i1>, tensor<f32>
    %k = xla.select %keep, %li, %ri : tensor<i1>, tensor<i32>
    xla.return %v, %k : tensor<f32>, tensor<i32>
  }
  return %a : tensor<1024xi32>
}

// -----

// The three components of a sum have a division in common: a step does it once for all of them.
// CHECK: xla_rt.plans = [#xla_rt.nest<500x3x500, lanes d2 16x1, jam d1 3, work d0>]
func.func @main(%x: tensor<500x3xf32>, %y: tensor<500x500xf32>, %z: tensor<500x500xf32>) -> tensor<500x3xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %q = xla.divide %y, %z : tensor<500x500xf32>
  %qb = xla.broadcast_in_dim %q, dims = [0, 1] : (tensor<500x500xf32>) -> tensor<500x500x3xf32>
  %xb = xla.broadcast_in_dim %x, dims = [1, 2] : (tensor<500x3xf32>) -> tensor<500x500x3xf32>
  %a = xla.abs %xb : tensor<500x500x3xf32>
  %p = xla.minimum %qb, %a : tensor<500x500x3xf32>
  %0 = xla.reduce(%p init: %zero) applies xla.add across dimensions = [1] : (tensor<500x500x3xf32>, tensor<f32>) -> tensor<500x3xf32>
  return %0 : tensor<500x3xf32>
}

// -----

// Vectors by matrices of a batch: rows of each matrix are walked in order, with sums in memory.
// CHECK: xla_rt.plans = [#xla_rt.nest<16x1024x1024, lanes d1 16x1, jam d2 8, work d0, reduce d2, cut d1 512, in_memory>]
func.func @main(%x: tensor<16x1024xf32>, %w: tensor<16x1024x1024xf32>) -> tensor<16x1024xf32> {
  %0 = xla.dot_general %x, %w, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<16x1024xf32>, tensor<16x1024x1024xf32>) -> tensor<16x1024xf32>
  return %0 : tensor<16x1024xf32>
}

// -----

// Short rows: registers walk more of them at a time.
// CHECK: xla_rt.plans = [#xla_rt.nest<64x256x256, lanes d1 16x4, work d0, reduce d2>]
func.func @main(%x: tensor<64x256xf32>, %w: tensor<64x256x256xf32>) -> tensor<64x256xf32> {
  %0 = xla.dot_general %x, %w, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<64x256xf32>, tensor<64x256x256xf32>) -> tensor<64x256xf32>
  return %0 : tensor<64x256xf32>
}

// -----

// Short rows in every step of a longer loop: neighbours, which are a line of memory, have a running value each.
// CHECK: xla_rt.plans = [#xla_rt.nest<16x8x1024x8, lanes d3 8x1, jam d1 8, work d0, reduce d2>]
func.func @main(%x: tensor<16x1024x8x8xf32>) -> tensor<16x8xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.reduce(%x init: %zero) applies xla.add across dimensions = [1, 3] : (tensor<16x1024x8x8xf32>, tensor<f32>) -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

// So do two sums of the same rows, of half as many each.
// CHECK: xla_rt.plans = [#xla_rt.nest<16x8x1024x8, lanes d3 8x1, jam d1 4, work d0, reduce d2, cut d1 4>]
func.func @main(%x: tensor<16x1024x8x8xf32>) -> (tensor<16x8xf32>, tensor<16x8xf32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.reduce(%x init: %zero) applies xla.add across dimensions = [1, 3] : (tensor<16x1024x8x8xf32>, tensor<f32>) -> tensor<16x8xf32>
  %s = xla.multiply %x, %x : tensor<16x1024x8x8xf32>
  %1 = xla.reduce(%s init: %zero) applies xla.add across dimensions = [1, 3] : (tensor<16x1024x8x8xf32>, tensor<f32>) -> tensor<16x8xf32>
  return %0, %1 : tensor<16x8xf32>, tensor<16x8xf32>
}
