// RUN: xla-opt %s --xla-to-kernels --xla-emit-kernels --split-input-file | FileCheck %s

// Sums commute: one vector of partial sums, folded once at the end.
// CHECK-LABEL: func.func private @reduction_0.impl
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<16xi32>)
// CHECK-NOT: vector.shuffle
// CHECK: scf.yield
// CHECK: vector.reduction <add>
func.func @main(%x: tensor<8x64xi32>) -> tensor<8xi32> {
  %zero = xla.constant dense<0> : tensor<i32>
  %r = xla.reduce(%x init: %zero) applies xla.add across dimensions = [1] : (tensor<8x64xi32>, tensor<i32>) -> tensor<8xi32>
  return %r : tensor<8xi32>
}

// -----

// The first element that is not zero: in every step neighbours meet, then neighbours of the results.
// CHECK-LABEL: func.func private @reduction_0.impl
// CHECK: scf.for
// CHECK: vector.shuffle {{.*}} [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30]
// CHECK: vector.shuffle {{.*}} [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31]
// CHECK: scf.yield
// CHECK: vector.extract %{{.*}}[0]
func.func @main(%x: tensor<8x64xi32>) -> tensor<8xi32> {
  %zero = xla.constant dense<0> : tensor<i32>
  %r = "xla.reduce"(%x, %zero) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %z = xla.constant dense<0> : tensor<i32>
    %is = "xla.compare"(%a, %z) {comparison_direction = #xla<comparison_direction NE>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %s = "xla.select"(%is, %a, %b) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "xla.return"(%s) : (tensor<i32>) -> ()
  }) : (tensor<8x64xi32>, tensor<i32>) -> tensor<8xi32>
  return %r : tensor<8xi32>
}

// -----

// JAX's argmax: lanes are interleaved, and sorted by index when they are folded.
// CHECK-LABEL: func.func private @reduction_0.impl
// CHECK: scf.for {{.*}} iter_args
// CHECK-NOT: vector.shuffle
// CHECK: scf.yield
// CHECK: %[[FIRST:.*]] = arith.cmpi sle, {{.*}} : vector<16xi32>
// CHECK: arith.select %[[FIRST]]
func.func @main(%x: tensor<8x64xf32>) -> tensor<8xi32> {
  %i = xla.iota dim = 1 : tensor<8x64xi32>
  %low = xla.constant dense<0xFF800000> : tensor<f32>
  %zero = xla.constant dense<0> : tensor<i32>
  %r:2 = "xla.reduce"(%x, %i, %low, %zero) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %m: tensor<i32>, %b: tensor<f32>, %n: tensor<i32>):
    %gt = "xla.compare"(%a, %b) {comparison_direction = #xla<comparison_direction GT>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %nan = "xla.compare"(%a, %a) {comparison_direction = #xla<comparison_direction NE>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %own = xla.or %gt, %nan : tensor<i1>
    %eq = "xla.compare"(%a, %b) {comparison_direction = #xla<comparison_direction EQ>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %lt = "xla.compare"(%m, %n) {comparison_direction = #xla<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %tie = xla.and %eq, %lt : tensor<i1>
    %left = xla.or %own, %tie : tensor<i1>
    %v = "xla.select"(%own, %a, %b) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %k = "xla.select"(%left, %m, %n) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "xla.return"(%v, %k) : (tensor<f32>, tensor<i32>) -> ()
  }) : (tensor<8x64xf32>, tensor<8x64xi32>, tensor<f32>, tensor<i32>) -> (tensor<8xf32>, tensor<8xi32>)
  return %r#1 : tensor<8xi32>
}

// -----

// A long sum runs in parts of 512 steps; their sum is on the stack.
// CHECK-LABEL: func.func private @reduction_0.impl
// CHECK: %[[TOTAL:.*]] = llvm.alloca {{.*}} x vector<4xf32>
// CHECK: scf.for
// CHECK:   scf.for {{.*}} iter_args({{.*}}) -> (vector<4xf32>)
// CHECK:   %[[SUM:.*]] = llvm.load %[[TOTAL]]
// CHECK:   %[[NEXT:.*]] = arith.addf %[[SUM]]
// CHECK:   llvm.store %[[NEXT]], %[[TOTAL]]
func.func @main(%x: tensor<10007x3xf32>) -> tensor<3xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %r = xla.reduce(%x init: %zero) applies xla.add across dimensions = [0] : (tensor<10007x3xf32>, tensor<f32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// Quotients of indices beyond 2^32 are divided in 64 bits.
// CHECK-LABEL: func.func private @elementwise_0.impl
// CHECK-NOT: arith.trunci
// CHECK: arith.divui {{.*}} : vector<8xi64>
// CHECK-NOT: arith.trunci
// CHECK: return
func.func @main() -> tensor<40xi64> {
  %n = xla.iota dim = 1 : tensor<3x2147483648xi64>
  %flat = xla.reshape %n : (tensor<3x2147483648xi64>) -> tensor<6442450944xi64>
  %part = xla.slice %flat [6442450904:6442450944] : (tensor<6442450944xi64>) -> tensor<40xi64>
  return %part : tensor<40xi64>
}
