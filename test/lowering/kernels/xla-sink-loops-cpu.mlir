// RUN: xla-opt %s --split-input-file --to=kernels="vector-bits=512" | FileCheck %s
// Loops of few elementwise operations are loops for each element on a CPU, too.

// Four vectors at a time: three values that are handed on, and two that are read.
// CHECK-LABEL: @mandelbrot
// CHECK:       xla_rt.plans = [#xla_rt.nest<4096, lanes d0 16x4, cut d0 320>]
// CHECK:       scf.for %{{.*}} = %c0 to %c50 step %c1 iter_args({{.*}}) -> (f32, f32, i32)
module @mandelbrot {
  func.func @main(%re: tensor<4096xf32>, %im: tensor<4096xf32>) -> tensor<4096xi32> {
    %zero = xla.constant dense<0> : tensor<i32>
    %one = xla.constant dense<1> : tensor<i32>
    %limit = xla.constant dense<50> : tensor<i32>
    %z = xla.constant dense<0.0> : tensor<4096xf32>
    %count = xla.constant dense<0> : tensor<4096xi32>
    %four = xla.constant dense<4.0> : tensor<4096xf32>
    %0:4 = xla.while(%n = %zero, %x = %z, %y = %z, %c = %count) : tensor<i32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xi32>
    cond {
      %p = xla.compare LT, %n, %limit, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      xla.return %p : tensor<i1>
    } do {
      %xx = xla.multiply %x, %x : tensor<4096xf32>
      %yy = xla.multiply %y, %y : tensor<4096xf32>
      %norm = xla.add %xx, %yy : tensor<4096xf32>
      %inside = xla.compare LT, %norm, %four, FLOAT : (tensor<4096xf32>, tensor<4096xf32>) -> tensor<4096xi1>
      %d = xla.subtract %xx, %yy : tensor<4096xf32>
      %nx = xla.add %d, %re : tensor<4096xf32>
      %xy = xla.multiply %x, %y : tensor<4096xf32>
      %xy2 = xla.add %xy, %xy : tensor<4096xf32>
      %ny = xla.add %xy2, %im : tensor<4096xf32>
      %k = xla.convert %inside : (tensor<4096xi1>) -> tensor<4096xi32>
      %sx = xla.select %inside, %nx, %x : (tensor<4096xi1>, tensor<4096xf32>, tensor<4096xf32>) -> tensor<4096xf32>
      %sy = xla.select %inside, %ny, %y : (tensor<4096xi1>, tensor<4096xf32>, tensor<4096xf32>) -> tensor<4096xf32>
      %sc = xla.add %c, %k : tensor<4096xi32>
      %m = xla.add %n, %one : tensor<i32>
      xla.return %m, %sx, %sy, %sc : tensor<i32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xi32>
    }
    return %0#3 : tensor<4096xi32>
  }
}

// -----

// Functions wait for each other.
// CHECK-LABEL: @functions
// CHECK:       scf.for {{.*}} -> (tensor<4096xf32>)
// CHECK:         func.call
module @functions {
  func.func @main(%x: tensor<4096xf32>) -> tensor<4096xf32> {
    %zero = xla.constant dense<0> : tensor<i32>
    %one = xla.constant dense<1> : tensor<i32>
    %limit = xla.constant dense<50> : tensor<i32>
    %0:2 = xla.while(%n = %zero, %v = %x) : tensor<i32>, tensor<4096xf32>
    cond {
      %p = xla.compare LT, %n, %limit, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      xla.return %p : tensor<i1>
    } do {
      %w = xla.tanh %v : tensor<4096xf32>
      %m = xla.add %n, %one : tensor<i32>
      xla.return %m, %w : tensor<i32>, tensor<4096xf32>
    }
    return %0#1 : tensor<4096xf32>
  }
}

// -----

// Complex numbers have no lanes within loops.
// CHECK-LABEL: @complex
// CHECK:       scf.for {{.*}} -> (tensor<4096xcomplex<f32>>)
// CHECK:         func.call
module @complex {
  func.func @main(%x: tensor<4096xcomplex<f32>>) -> tensor<4096xcomplex<f32>> {
    %zero = xla.constant dense<0> : tensor<i32>
    %one = xla.constant dense<1> : tensor<i32>
    %limit = xla.constant dense<50> : tensor<i32>
    %0:2 = xla.while(%n = %zero, %v = %x) : tensor<i32>, tensor<4096xcomplex<f32>>
    cond {
      %p = xla.compare LT, %n, %limit, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      xla.return %p : tensor<i1>
    } do {
      %w = xla.multiply %v, %v : tensor<4096xcomplex<f32>>
      %m = xla.add %n, %one : tensor<i32>
      xla.return %m, %w : tensor<i32>, tensor<4096xcomplex<f32>>
    }
    return %0#1 : tensor<4096xcomplex<f32>>
  }
}
