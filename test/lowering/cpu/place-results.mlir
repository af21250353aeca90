// RUN: xla-opt %s --split-input-file --to=kernels | xla-opt --split-input-file --xla-emit-kernels | FileCheck %s
// A result may live in the memory of an argument that is read at the same place, whatever the type of either, but one of
// its own type comes first.

// CHECK-LABEL: func.func private @elementwise_0(
// CHECK-SAME:  results = [may_reuse 0]
func.func @main(%x: tensor<100xi32>) -> tensor<100xf32> {
  %0 = xla.convert %x : (tensor<100xi32>) -> tensor<100xf32>
  return %0 : tensor<100xf32>
}

// -----

// CHECK-LABEL: func.func private @elementwise_0(
// CHECK-SAME:  results = [may_reuse 1]
func.func @main(%x: tensor<100xi32>, %y: tensor<100xf32>) -> tensor<100xf32> {
  %0 = xla.convert %x : (tensor<100xi32>) -> tensor<100xf32>
  %1 = xla.add %0, %y : tensor<100xf32>
  return %1 : tensor<100xf32>
}

// -----

// Elements of other sizes are at other places.
// CHECK-LABEL: func.func private @elementwise_0(
// CHECK-NOT:   may_reuse
func.func @main(%x: tensor<100xi32>) -> tensor<100xf64> {
  %0 = xla.convert %x : (tensor<100xi32>) -> tensor<100xf64>
  return %0 : tensor<100xf64>
}

// -----

// Blocks of rows that divide them do each row once, after it was read.
// CHECK-LABEL: func.func private @rows_0(
// CHECK-SAME:  results = [may_reuse 0]
func.func @main(%x: tensor<96x32xf32>) -> tensor<96x32xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %e = xla.exponential %x : tensor<96x32xf32>
  %s = xla.reduce(%e init: %zero) applies xla.add across dimensions = [1] : (tensor<96x32xf32>, tensor<f32>) -> tensor<96xf32>
  %b = xla.broadcast_in_dim %s, dims = [0] : (tensor<96xf32>) -> tensor<96x32xf32>
  %r = xla.divide %e, %b : tensor<96x32xf32>
  return %r : tensor<96x32xf32>
}

// -----

// Of 97 rows the last block does some again, which must be what they were.
// CHECK-LABEL: func.func private @rows_0(
// CHECK-NOT:   may_reuse
func.func @main(%x: tensor<97x32xf32>) -> tensor<97x32xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %e = xla.exponential %x : tensor<97x32xf32>
  %s = xla.reduce(%e init: %zero) applies xla.add across dimensions = [1] : (tensor<97x32xf32>, tensor<f32>) -> tensor<97xf32>
  %b = xla.broadcast_in_dim %s, dims = [0] : (tensor<97xf32>) -> tensor<97x32xf32>
  %r = xla.divide %e, %b : tensor<97x32xf32>
  return %r : tensor<97x32xf32>
}
