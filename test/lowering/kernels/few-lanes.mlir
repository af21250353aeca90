// RUN: xla-opt %s --to=kernels --split-input-file | FileCheck %s
// Nests for each row keep what one leaves for the next in registers, but leave most lanes empty where rows are short, and
// all cores but one idle where there is only one row.

// Pairs, divided by the greatest of each: lanes are along the pairs, also where these are reduced.
// CHECK-LABEL: func.func @main
// CHECK-NOT: kernel<rows
// CHECK: xla_rt.plans = [#xla_rt.nest<128x2, lanes d0 16x{{[0-9]}}, reduce d1>]
// CHECK-NOT: kernel<rows
func.func @main(%x: tensor<128x2xf32>) -> tensor<128x2xf32> {
  %least = xla.constant dense<0xFF800000> : tensor<f32>
  %e = xla.exponential %x : tensor<128x2xf32>
  %m = xla.reduce(%e init: %least) applies xla.maximum across dimensions = [1] : (tensor<128x2xf32>, tensor<f32>) -> tensor<128xf32>
  %mb = xla.broadcast_in_dim %m, dims = [0] : (tensor<128xf32>) -> tensor<128x2xf32>
  %d = xla.divide %e, %mb : tensor<128x2xf32>
  return %d : tensor<128x2xf32>
}

// -----

// With rows of 8, half of the lanes are full.
// CHECK-LABEL: func.func @main
// CHECK: kernel<rows
func.func @main(%x: tensor<128x8xf32>) -> tensor<128x8xf32> {
  %least = xla.constant dense<0xFF800000> : tensor<f32>
  %e = xla.exponential %x : tensor<128x8xf32>
  %m = xla.reduce(%e init: %least) applies xla.maximum across dimensions = [1] : (tensor<128x8xf32>, tensor<f32>) -> tensor<128xf32>
  %mb = xla.broadcast_in_dim %m, dims = [0] : (tensor<128xf32>) -> tensor<128x8xf32>
  %d = xla.divide %e, %mb : tensor<128x8xf32>
  return %d : tensor<128x8xf32>
}

// -----

// Many divisions for each of some thousand elements are work for several cores, which share the long row.
// CHECK-LABEL: func.func @main
// CHECK-NOT: kernel<rows
// CHECK: xla_rt.plans = [#xla_rt.nest<20000, lanes d0 16x1, cut d0 {{[0-9]+}}>]
// CHECK: xla_rt.plans = [#xla_rt.nest<20000, lanes d0 {{[0-9x]+}}>]
func.func @main(%x: tensor<20000xf32>, %y: tensor<20000xf32>) -> (tensor<20000xf32>, tensor<i1>) {
  %false = xla.constant dense<false> : tensor<i1>
  %0 = xla.divide %x, %y : tensor<20000xf32>
  %1 = xla.add %0, %x : tensor<20000xf32>
  %2 = xla.divide %y, %1 : tensor<20000xf32>
  %3 = xla.add %2, %y : tensor<20000xf32>
  %4 = xla.divide %x, %3 : tensor<20000xf32>
  %5 = xla.add %4, %0 : tensor<20000xf32>
  %6 = xla.divide %y, %5 : tensor<20000xf32>
  %7 = xla.tanh %6 : tensor<20000xf32>
  %8 = xla.compare GT, %7, %y : (tensor<20000xf32>, tensor<20000xf32>) -> tensor<20000xi1>
  %9 = xla.reduce(%8 init: %false) applies xla.or across dimensions = [0] : (tensor<20000xi1>, tensor<i1>) -> tensor<i1>
  return %7, %9 : tensor<20000xf32>, tensor<i1>
}

// -----

// A few operations are over before another core is awake.
// CHECK-LABEL: func.func @main
// CHECK: kernel<rows
// CHECK-SAME: nest<20000, lanes d0 16x{{[0-9]}}>
func.func @main(%x: tensor<20000xf32>, %y: tensor<20000xf32>) -> (tensor<20000xf32>, tensor<i1>) {
  %false = xla.constant dense<false> : tensor<i1>
  %0 = xla.multiply %x, %y : tensor<20000xf32>
  %1 = xla.compare GT, %0, %y : (tensor<20000xf32>, tensor<20000xf32>) -> tensor<20000xi1>
  %2 = xla.reduce(%1 init: %false) applies xla.or across dimensions = [0] : (tensor<20000xi1>, tensor<i1>) -> tensor<i1>
  return %0, %2 : tensor<20000xf32>, tensor<i1>
}
