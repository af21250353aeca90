// RUN: xla-opt %s --split-input-file --xla-to-kernels | FileCheck %s
// RUN: xla-opt %s --split-input-file --xla-to-kernels=vector-bits=256 | FileCheck %s --check-prefix=AVX
// RUN: xla-opt %s --split-input-file --xla-to-kernels --xla-emit-kernels | FileCheck %s --check-prefix=EMITTED
// Loops in order: which dimension is in lanes.

// Sums down the columns: a scan in every lane, with eight vectors of running values in registers, or four.
// CHECK-LABEL: func.func @main
// CHECK: xla_rt.plans = [#xla_rt.nest<1024x512, lanes d1 16x8, ordered d0, cut d1 128>]
// EMITTED: xla_rt.implementation = #xla_rt.implementation<@scan_0.impl, work = 4,
// AVX: xla_rt.plans = [#xla_rt.nest<1024x512, lanes d1 8x4, ordered d0, cut d1 32>]
func.func @main(%x: tensor<1024x512xf32>) -> tensor<1024x512xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = "xla.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 1024, 1>, padding = dense<[[1023, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) : (tensor<1024x512xf32>, tensor<f32>) -> tensor<1024x512xf32>
  return %0 : tensor<1024x512xf32>
}

// -----

// Sums along rows: lanes are the elements of one scan. It may overwrite what it reads.
// CHECK-LABEL: func.func @main
// CHECK: xla_rt.plans = [#xla_rt.nest<512x1024, lanes d1 16x2, work d0, ordered d1>]
// EMITTED: results = [may_reuse 0]
// AVX: xla_rt.plans = [#xla_rt.nest<512x1024, lanes d1 8x2, work d0, ordered d1>]
func.func @main(%x: tensor<512x1024xf32>) -> tensor<512x1024xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = "xla.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 1, 1024>, padding = dense<[[0, 0], [0, 1023]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) : (tensor<512x1024xf32>, tensor<f32>) -> tensor<512x1024xf32>
  return %0 : tensor<512x1024xf32>
}

// -----

// Expensive combiners are evaluated once for each element, for many rows at a time.
// CHECK-LABEL: func.func @main
// CHECK: xla_rt.plans = [#xla_rt.nest<512x1000, lanes d0 16x2, ordered d1, cut d0 32>]
func.func @main(%x: tensor<512x1000xf32>) -> tensor<512x1000xf32> {
  %lowest = xla.constant dense<0xFF800000> : tensor<f32>
  %0 = "xla.reduce_window"(%x, %lowest) <{window_dimensions = array<i64: 1, 1000>, padding = dense<[[0, 0], [999, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %e = xla.exponential %a : tensor<f32>
    %f = xla.exponential %b : tensor<f32>
    %sum = xla.add %e, %f : tensor<f32>
    %log = xla.log %sum : tensor<f32>
    xla.return %log : tensor<f32>
  }) : (tensor<512x1000xf32>, tensor<f32>) -> tensor<512x1000xf32>
  return %0 : tensor<512x1000xf32>
}

// -----

// A few rows leave the lanes to the elements.
// CHECK-LABEL: func.func @main
// CHECK: xla_rt.plans = [#xla_rt.nest<3x1000, lanes d1 16x1, work d0, ordered d1>]
func.func @main(%x: tensor<3x1000xf32>) -> tensor<3x1000xf32> {
  %lowest = xla.constant dense<0xFF800000> : tensor<f32>
  %0 = "xla.reduce_window"(%x, %lowest) <{window_dimensions = array<i64: 1, 1000>, padding = dense<[[0, 0], [999, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %e = xla.exponential %a : tensor<f32>
    %f = xla.exponential %b : tensor<f32>
    %sum = xla.add %e, %f : tensor<f32>
    %log = xla.log %sum : tensor<f32>
    xla.return %log : tensor<f32>
  }) : (tensor<3x1000xf32>, tensor<f32>) -> tensor<3x1000xf32>
  return %0 : tensor<3x1000xf32>
}

// -----

// Complex numbers have lanes; the booleans of one scan have none, but those of several have.
// CHECK-LABEL: func.func @main
// CHECK: xla_rt.plans = [#xla_rt.nest<40x50, lanes d1 16x3, ordered d0>]
// CHECK: xla_rt.plans = [#xla_rt.nest<40x50, work d0, ordered d1>]
// CHECK: xla_rt.plans = [#xla_rt.nest<40x50, lanes d1 32x1, ordered d0>]
func.func @main(%x: tensor<40x50xcomplex<f32>>, %y: tensor<40x50xi1>) -> (tensor<40x50xcomplex<f32>>, tensor<40x50xi1>, tensor<40x50xi1>) {
  %zero = xla.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  %false = xla.constant dense<false> : tensor<i1>
  %0 = "xla.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 40, 1>, padding = dense<[[39, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %sum = xla.add %a, %b : tensor<complex<f32>>
    xla.return %sum : tensor<complex<f32>>
  }) : (tensor<40x50xcomplex<f32>>, tensor<complex<f32>>) -> tensor<40x50xcomplex<f32>>
  %1 = "xla.reduce_window"(%y, %false) <{window_dimensions = array<i64: 1, 50>, padding = dense<[[0, 0], [49, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %or = xla.or %a, %b : tensor<i1>
    xla.return %or : tensor<i1>
  }) : (tensor<40x50xi1>, tensor<i1>) -> tensor<40x50xi1>
  %2 = "xla.reduce_window"(%y, %false) <{window_dimensions = array<i64: 40, 1>, padding = dense<[[39, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %or = xla.or %a, %b : tensor<i1>
    xla.return %or : tensor<i1>
  }) : (tensor<40x50xi1>, tensor<i1>) -> tensor<40x50xi1>
  return %0, %1, %2 : tensor<40x50xcomplex<f32>>, tensor<40x50xi1>, tensor<40x50xi1>
}
