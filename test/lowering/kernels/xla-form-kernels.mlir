// RUN: xla-opt %s --to=kernels --split-input-file | FileCheck %s

// A softmax is one kernel of several nests over its rows.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[R:.*]] = call @rows_0(%arg0)
// CHECK-NEXT: return %[[R]]
// CHECK: func.func private @rows_0
// CHECK-SAME: xla_rt.kernel = #xla_rt.kernel<rows, [64] by 16>
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

// Bias and activation are the epilogue of the contraction.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[R:.*]] = call @contraction_0(%arg0, %arg1, %arg2)
// CHECK-NEXT: return %[[R]]
func.func @main(%x: tensor<64x100xf32>, %w: tensor<100x32xf32>, %b: tensor<32xf32>) -> tensor<64x32xf32> {
  %0 = xla.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x100xf32>, tensor<100x32xf32>) -> tensor<64x32xf32>
  %1 = xla.broadcast_in_dim %b, dims = [1] : (tensor<32xf32>) -> tensor<64x32xf32>
  %2 = xla.add %0, %1 : tensor<64x32xf32>
  %3 = xla.tanh %2 : tensor<64x32xf32>
  return %3 : tensor<64x32xf32>
}

// -----

// Nothing fuses across a barrier.
// CHECK-LABEL: func.func @main
// CHECK: call @elementwise_0
// CHECK: call @elementwise_1
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = xla.exponential %x : tensor<8xf32>
  %1 = xla.optimization_barrier %0 : tensor<8xf32>
  %2 = xla.add %1, %1 : tensor<8xf32>
  return %2 : tensor<8xf32>
}

// -----

// A scan with elementwise code before it and over its results, which are results as well. What reads them elsewhere is
// another kernel, and so is another scan.
// CHECK-LABEL: func.func @main(
// CHECK: %[[S:.*]]:2 = call @scan_0(%{{.*}}) : (tensor<4x20xf32>) -> (tensor<4x20xf32>, tensor<4x20xf32>)
// CHECK: %[[T:.*]] = call @scan_1(%[[S]]#1)
// CHECK: %[[R:.*]] = call @elementwise_2(%[[S]]#0)
// CHECK: return %[[T]], %[[R]]
// CHECK: func.func private @scan_0
// CHECK-SAME: xla_rt.kernel = #xla_rt.kernel<scan>
// CHECK: arith.mulf
// CHECK: xla_rt.scan
// CHECK: arith.negf
// CHECK: func.func private @scan_1
func.func @main(%x: tensor<4x20xf32>) -> (tensor<4x20xf32>, tensor<20x4xf32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %square = xla.multiply %x, %x : tensor<4x20xf32>
  %sums = "xla.reduce_window"(%square, %zero) <{window_dimensions = array<i64: 1, 20>, padding = dense<[[0, 0], [19, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) : (tensor<4x20xf32>, tensor<f32>) -> tensor<4x20xf32>
  %negated = xla.negate %sums : tensor<4x20xf32>
  %again = "xla.reduce_window"(%negated, %zero) <{window_dimensions = array<i64: 4, 1>, padding = dense<[[3, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) : (tensor<4x20xf32>, tensor<f32>) -> tensor<4x20xf32>
  %transposed = xla.transpose %sums, dims = [1, 0] : (tensor<4x20xf32>) -> tensor<20x4xf32>
  return %again, %transposed : tensor<4x20xf32>, tensor<20x4xf32>
}

// -----

// Two products of a vector and a matrix are two kernels, each of which walks along the rows of its matrix: one kernel for
// each element of the result would walk down the columns.
// CHECK-LABEL: func.func @main
// CHECK-COUNT-2: call @contraction_
// CHECK-NOT: call @rows
func.func @main(%x: tensor<32xf32>, %a: tensor<32x32xf32>, %b: tensor<32x32xf32>) -> tensor<32xf32> {
  %0 = xla.dot_general %x, %a, contracting_dims = [0] x [0] : (tensor<32xf32>, tensor<32x32xf32>) -> tensor<32xf32>
  %1 = xla.dot_general %x, %b, contracting_dims = [0] x [0] : (tensor<32xf32>, tensor<32x32xf32>) -> tensor<32xf32>
  %2 = xla.add %0, %1 : tensor<32xf32>
  %3 = xla.tanh %2 : tensor<32xf32>
  return %3 : tensor<32xf32>
}

// -----

// The sum computes %i on the way, and the barrier hands that on: with %q in its kernel, %d would need the sum, which needs
// %d. That %i stands before all of %d does not matter.
// CHECK-LABEL: func.func @main
// CHECK: %[[D:.*]] = call @rows_{{.*}}(%arg1)
// CHECK: %[[L:.*]]:2 = call @rows_{{.*}}(%arg0, %[[D]])
// CHECK: %[[U:.*]] = xla.optimization_barrier %[[L]]#0
// CHECK: %[[Q:.*]] = call @elementwise_{{.*}}(%[[U]], %[[D]])
// CHECK: return %[[L]]#1, %[[Q]]
func.func @main(%x: tensor<64xf32>, %a: tensor<64x100xf32>) -> (tensor<f32>, tensor<64x100xf32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %i = xla.exponential %x : tensor<64xf32>
  %m = xla.reduce(%a init: %zero) applies xla.add across dimensions = [1] : (tensor<64x100xf32>, tensor<f32>) -> tensor<64xf32>
  %mb = xla.broadcast_in_dim %m, dims = [0] : (tensor<64xf32>) -> tensor<64x100xf32>
  %d = xla.subtract %a, %mb : tensor<64x100xf32>
  %column = xla.slice %d [0:64, 0:1] : (tensor<64x100xf32>) -> tensor<64x1xf32>
  %c = xla.reshape %column : (tensor<64x1xf32>) -> tensor<64xf32>
  %s = xla.add %c, %i : tensor<64xf32>
  %l = xla.reduce(%s init: %zero) applies xla.add across dimensions = [0] : (tensor<64xf32>, tensor<f32>) -> tensor<f32>
  %u = xla.optimization_barrier %i : tensor<64xf32>
  %ub = xla.broadcast_in_dim %u, dims = [0] : (tensor<64xf32>) -> tensor<64x100xf32>
  %q = xla.add %d, %ub : tensor<64x100xf32>
  return %l, %q : tensor<f32>, tensor<64x100xf32>
}
