// RUN: xla-opt %s --split-input-file --to=kernels="vector-bits=256" | FileCheck %s --check-prefixes=CHECK,SHORT
// RUN: xla-opt %s --split-input-file --to=kernels="vector-bits=512" | FileCheck %s --check-prefixes=CHECK,LONG

// How many vectors of a function are computed in turn: for large arrays, and sooner where vectors are shorter.

// CHECK-LABEL: @tanh_2m
// SHORT: xla_rt.plans = [#xla_rt.nest<2097152, lanes d0 8x4,
// LONG:  xla_rt.plans = [#xla_rt.nest<2097152, lanes d0 16x4,
module @tanh_2m {
  func.func @main(%x: tensor<2097152xf32>) -> tensor<2097152xf32> {
    %0 = xla.tanh %x : tensor<2097152xf32>
    return %0 : tensor<2097152xf32>
  }
}

// -----

// CHECK-LABEL: @tanh_1m
// SHORT: xla_rt.plans = [#xla_rt.nest<1048576, lanes d0 8x4,
// LONG:  xla_rt.plans = [#xla_rt.nest<1048576, lanes d0 16x1,
module @tanh_1m {
  func.func @main(%x: tensor<1048576xf32>) -> tensor<1048576xf32> {
    %0 = xla.tanh %x : tensor<1048576xf32>
    return %0 : tensor<1048576xf32>
  }
}

// -----

// CHECK-LABEL: @tanh_256k
// SHORT: xla_rt.plans = [#xla_rt.nest<262144, lanes d0 8x4,
// LONG:  xla_rt.plans = [#xla_rt.nest<262144, lanes d0 16x1,
module @tanh_256k {
  func.func @main(%x: tensor<262144xf32>) -> tensor<262144xf32> {
    %0 = xla.tanh %x : tensor<262144xf32>
    return %0 : tensor<262144xf32>
  }
}

// -----

// Rows that are no whole steps of four vectors may be such of two.
// CHECK-LABEL: @rows_of_80
// SHORT: lanes d1 8x2, work d0>
// LONG:  lanes d1 16x1, work d0>
module @rows_of_80 {
  func.func @main(%x: tensor<65536x80xf32>, %y: tensor<80xf32>) -> tensor<65536x80xf32> {
    %b = xla.broadcast_in_dim %y, dims = [1] : (tensor<80xf32>) -> tensor<65536x80xf32>
    %1 = xla.add %x, %b : tensor<65536x80xf32>
    %2 = xla.tanh %1 : tensor<65536x80xf32>
    return %2 : tensor<65536x80xf32>
  }
}

// -----

// CHECK-LABEL: @tanh_128k
// SHORT: xla_rt.plans = [#xla_rt.nest<131072, lanes d0 8x4,
// LONG:  xla_rt.plans = [#xla_rt.nest<131072, lanes d0 16x1,
module @tanh_128k {
  func.func @main(%x: tensor<131072xf32>) -> tensor<131072xf32> {
    %0 = xla.tanh %x : tensor<131072xf32>
    return %0 : tensor<131072xf32>
  }
}

// -----

// CHECK-LABEL: @tanh_32k
// SHORT: xla_rt.plans = [#xla_rt.nest<32768, lanes d0 8x2,
// LONG:  xla_rt.plans = [#xla_rt.nest<32768, lanes d0 16x1>]
module @tanh_32k {
  func.func @main(%x: tensor<32768xf32>) -> tensor<32768xf32> {
    %0 = xla.tanh %x : tensor<32768xf32>
    return %0 : tensor<32768xf32>
  }
}

// -----

// CHECK-LABEL: @tanh_16k
// SHORT: xla_rt.plans = [#xla_rt.nest<16384, lanes d0 8x1>]
// LONG:  xla_rt.plans = [#xla_rt.nest<16384, lanes d0 16x1>]
module @tanh_16k {
  func.func @main(%x: tensor<16384xf32>) -> tensor<16384xf32> {
    %0 = xla.tanh %x : tensor<16384xf32>
    return %0 : tensor<16384xf32>
  }
}

// -----

// Twelve operations that wait for each other.
// CHECK-LABEL: @chain
// SHORT: xla_rt.plans = [#xla_rt.nest<1048576, lanes d0 8x4,
// LONG:  xla_rt.plans = [#xla_rt.nest<1048576, lanes d0 16x1,
module @chain {
  func.func @main(%x: tensor<1048576xf32>) -> tensor<1048576xf32> {
    %0 = xla.multiply %x, %x : tensor<1048576xf32>
    %1 = xla.add %0, %x : tensor<1048576xf32>
    %2 = xla.multiply %1, %x : tensor<1048576xf32>
    %3 = xla.add %2, %x : tensor<1048576xf32>
    %4 = xla.multiply %3, %x : tensor<1048576xf32>
    %5 = xla.add %4, %x : tensor<1048576xf32>
    %6 = xla.multiply %5, %x : tensor<1048576xf32>
    %7 = xla.add %6, %x : tensor<1048576xf32>
    %8 = xla.multiply %7, %x : tensor<1048576xf32>
    %9 = xla.add %8, %x : tensor<1048576xf32>
    %10 = xla.multiply %9, %x : tensor<1048576xf32>
    %11 = xla.add %10, %x : tensor<1048576xf32>
    return %11 : tensor<1048576xf32>
  }
}

// -----

// Sums of pairs wait for few others: a vector of them has work for all units.
// CHECK-LABEL: @tree
// CHECK: xla_rt.plans = [#xla_rt.nest<1048576, lanes d0 {{8|16}}x1,
module @tree {
  func.func @main(%a: tensor<1048576xf32>, %b: tensor<1048576xf32>, %c: tensor<1048576xf32>,
                  %d: tensor<1048576xf32>) -> tensor<1048576xf32> {
    %0 = xla.multiply %a, %b : tensor<1048576xf32>
    %1 = xla.multiply %a, %c : tensor<1048576xf32>
    %2 = xla.multiply %a, %d : tensor<1048576xf32>
    %3 = xla.multiply %b, %c : tensor<1048576xf32>
    %4 = xla.multiply %b, %d : tensor<1048576xf32>
    %5 = xla.multiply %c, %d : tensor<1048576xf32>
    %6 = xla.subtract %0, %1 : tensor<1048576xf32>
    %7 = xla.subtract %2, %3 : tensor<1048576xf32>
    %8 = xla.subtract %4, %5 : tensor<1048576xf32>
    %9 = xla.subtract %6, %7 : tensor<1048576xf32>
    %10 = xla.multiply %8, %9 : tensor<1048576xf32>
    %11 = xla.multiply %10, %6 : tensor<1048576xf32>
    return %11 : tensor<1048576xf32>
  }
}

// -----

// Sums of functions along rows, too, but not if the rows are few.
// CHECK-LABEL: @sums_of_functions
// LONG: xla_rt.plans = [#xla_rt.nest<2048x1024, lanes d1 16x4, work d0
// SHORT: xla_rt.plans = [#xla_rt.nest<2048x1024, lanes d1 8x4, work d0
module @sums_of_functions {
  func.func @main(%x: tensor<2048x1024xf32>) -> tensor<2048xf32> {
    %0 = xla.tanh %x : tensor<2048x1024xf32>
    %zero = xla.constant dense<0.0> : tensor<f32>
    %1 = xla.reduce(%0 init: %zero) applies xla.add across dimensions = [1] : (tensor<2048x1024xf32>, tensor<f32>) -> tensor<2048xf32>
    return %1 : tensor<2048xf32>
  }
}

// -----

// CHECK-LABEL: @few_sums_of_functions
// LONG: xla_rt.plans = [#xla_rt.nest<512x1024, lanes d1 16x1, work d0
module @few_sums_of_functions {
  func.func @main(%x: tensor<512x1024xf32>) -> tensor<512xf32> {
    %0 = xla.tanh %x : tensor<512x1024xf32>
    %zero = xla.constant dense<0.0> : tensor<f32>
    %1 = xla.reduce(%0 init: %zero) applies xla.add across dimensions = [1] : (tensor<512x1024xf32>, tensor<f32>) -> tensor<512xf32>
    return %1 : tensor<512xf32>
  }
}

// -----

// Functions that are longer fill the time by themselves where vectors are long.
// CHECK-LABEL: @erfc_2m
// SHORT: xla_rt.plans = [#xla_rt.nest<2097152, lanes d0 8x2,
// LONG:  xla_rt.plans = [#xla_rt.nest<2097152, lanes d0 16x1,
module @erfc_2m {
  func.func @main(%x: tensor<2097152xf32>) -> tensor<2097152xf32> {
    %0 = xla.erfc %x : tensor<2097152xf32>
    return %0 : tensor<2097152xf32>
  }
}

// -----

// CHECK-LABEL: @power_256k
// SHORT: xla_rt.plans = [#xla_rt.nest<262144, lanes d0 8x2,
// LONG:  xla_rt.plans = [#xla_rt.nest<262144, lanes d0 16x1,
module @power_256k {
  func.func @main(%x: tensor<262144xf32>, %y: tensor<262144xf32>) -> tensor<262144xf32> {
    %0 = xla.power %x, %y : tensor<262144xf32>
    return %0 : tensor<262144xf32>
  }
}

// -----

// A sine fills the time by itself.
// CHECK-LABEL: @exp_and_sine
// CHECK: xla_rt.plans = [#xla_rt.nest<262144, lanes d0 {{8|16}}x1,
module @exp_and_sine {
  func.func @main(%x: tensor<262144xf32>) -> tensor<262144xf32> {
    %0 = xla.exponential %x : tensor<262144xf32>
    %1 = xla.sine %x : tensor<262144xf32>
    %2 = xla.multiply %0, %1 : tensor<262144xf32>
    return %2 : tensor<262144xf32>
  }
}

// -----

// Two functions that are interleaved are not cut as well; of three, two vectors are, and they are cut.
// CHECK-LABEL: @two_functions
// SHORT: xla_rt.plans = [#xla_rt.nest<262144, lanes d0 8x4, cut d0 {{[0-9]+}}>]
// LONG:  xla_rt.plans = [#xla_rt.nest<262144, lanes d0 16x1, cut d0 {{[0-9]+}}, distribute 32>]
module @two_functions {
  func.func @main(%x: tensor<262144xf32>) -> tensor<262144xf32> {
    %0 = xla.exponential %x : tensor<262144xf32>
    %1 = xla.log_plus_one %0 : tensor<262144xf32>
    return %1 : tensor<262144xf32>
  }
}

// -----

// CHECK-LABEL: @three_functions
// SHORT: xla_rt.plans = [#xla_rt.nest<262144, lanes d0 8x2, cut d0 {{[0-9]+}}, distribute 32>]
// LONG:  xla_rt.plans = [#xla_rt.nest<262144, lanes d0 16x1, cut d0 {{[0-9]+}}, distribute 32>]
module @three_functions {
  func.func @main(%x: tensor<262144xf32>) -> tensor<262144xf32> {
    %0 = xla.exponential %x : tensor<262144xf32>
    %1 = xla.log_plus_one %0 : tensor<262144xf32>
    %2 = xla.tanh %1 : tensor<262144xf32>
    %3 = xla.multiply %x, %2 : tensor<262144xf32>
    return %3 : tensor<262144xf32>
  }
}
