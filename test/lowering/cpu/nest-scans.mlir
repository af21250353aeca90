// RUN: xla-opt %s --split-input-file --xla-emit-kernels=vector-bits=128 | FileCheck %s
// Loops that carry running values.

// A scan in every lane: one operation per vector, from the first row to the last.
// CHECK-LABEL: func.func private @columns.impl
// CHECK: scf.for %[[ROW:.*]] = %c0_i64 to %c9_i64 step %c1_i64 iter_args(%[[RUNNING:.*]] = %{{.*}}) -> (vector<4xf32>)
// CHECK: %[[X:.*]] = llvm.load {{.*}} -> vector<4xf32>
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[RUNNING]], %[[X]] : vector<4xf32>
// CHECK: llvm.store %[[SUM]]
// CHECK: scf.yield %[[SUM]]
func.func private @columns(%x: tensor<9x4xf32>, %init: tensor<4xf32>) -> tensor<9x4xf32> attributes {xla_rt.kernel = #xla_rt.kernel<scan>} {
  %empty = tensor.empty() : tensor<9x4xf32>
  %0 = xla_rt.scan ins(%x : tensor<9x4xf32>) initial(%init : tensor<4xf32>) outs(%empty : tensor<9x4xf32>) dimension = 0 {
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %a, %b : f32
    xla_rt.yield %sum : f32
  } -> tensor<9x4xf32>
  return %0 : tensor<9x4xf32>
}

// -----

// Lanes of one scan: shifts by one and two, with neutral values behind, then what is before. The last lane goes on. The
// last two elements are masked.
// CHECK-LABEL: func.func private @row.impl
// CHECK: scf.for {{.*}} iter_args(%[[BEFORE:.*]] = %{{.*}}) -> (vector<4xf32>)
// CHECK: %[[X:.*]] = llvm.load
// CHECK-NEXT: %[[BY1:.*]] = vector.shuffle %[[X]], %[[ZERO:.*]] [7, 0, 1, 2]
// CHECK-NEXT: %[[PAIRS:.*]] = arith.addf %[[BY1]], %[[X]]
// CHECK-NEXT: %[[BY2:.*]] = vector.shuffle %[[PAIRS]], %[[ZERO]] [6, 7, 0, 1]
// CHECK-NEXT: %[[ALL:.*]] = arith.addf %[[BY2]], %[[PAIRS]]
// CHECK-NEXT: %[[SUMS:.*]] = arith.addf %[[BEFORE]], %[[ALL]]
// CHECK-NEXT: %[[LAST:.*]] = vector.extract %[[SUMS]][3]
// CHECK-NEXT: %[[NEXT:.*]] = vector.broadcast %[[LAST]]
// CHECK: llvm.store %[[SUMS]]
// CHECK: scf.yield %[[NEXT]]
// CHECK: llvm.intr.masked.load
// CHECK: arith.select
// CHECK: llvm.store {{.*}} : vector<2xf32>
func.func private @row(%x: tensor<6xf32>, %init: tensor<f32>) -> tensor<6xf32> attributes {xla_rt.kernel = #xla_rt.kernel<scan>} {
  %empty = tensor.empty() : tensor<6xf32>
  %0 = xla_rt.scan ins(%x : tensor<6xf32>) initial(%init : tensor<f32>) outs(%empty : tensor<6xf32>) dimension = 0 {
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %a, %b : f32
    xla_rt.yield %sum : f32
  } -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

// Backwards the last elements come first, and operands stay in the order of indices. Lanes without a neighbour keep
// what they have, where no neutral value is known.
// CHECK-LABEL: func.func private @backwards.impl
// CHECK: %[[REST:.*]] = llvm.intr.masked.load
// CHECK: scf.for %[[STEP:.*]] = {{.*}} iter_args(%[[BEFORE:.*]] = %{{.*}}) -> (vector<4xi32>)
// CHECK: arith.subi %c0_i64, %[[STEP]]
// CHECK: %[[X:.*]] = llvm.load
// CHECK-NEXT: %[[BY1:.*]] = vector.shuffle %[[X]], %[[X]] [1, 2, 3, 4]
// CHECK-NEXT: %[[TWICE:.*]] = arith.addi %[[X]], %[[X]]
// CHECK-NEXT: %[[PAIRS:.*]] = arith.subi %[[TWICE]], %[[BY1]]
// CHECK-NEXT: arith.select %{{.*}}, %[[PAIRS]], %[[X]]
// CHECK: vector.extract %{{.*}}[0]
func.func private @backwards(%x: tensor<6xi32>, %init: tensor<i32>) -> tensor<6xi32> attributes {xla_rt.kernel = #xla_rt.kernel<scan>} {
  %empty = tensor.empty() : tensor<6xi32>
  %0 = xla_rt.scan ins(%x : tensor<6xi32>) initial(%init : tensor<i32>) outs(%empty : tensor<6xi32>) dimension = 0 reverse {
  ^bb0(%a: i32, %b: i32):
    %twice = arith.addi %a, %a : i32
    %difference = arith.subi %twice, %b : i32
    xla_rt.yield %difference : i32
  } -> tensor<6xi32>
  return %0 : tensor<6xi32>
}

// -----

// A long sum in parts of 512 steps: what comes before a part is added to what the part has come to.
// CHECK-LABEL: func.func private @long.impl
// CHECK: scf.for %[[PART:.*]] = {{.*}} step %c4096_i64 iter_args(%[[BASE:.*]] = %{{.*}}) -> (vector<4xf32>)
// CHECK: %[[SUM:.*]] = scf.for {{.*}} iter_args(%[[BEFORE:.*]] = %[[ZERO:.*]]) -> (vector<4xf32>)
// CHECK: arith.addf %[[BASE]], %[[BEFORE]]
// CHECK: %[[TOTAL:.*]] = arith.addf %[[BASE]], %[[SUM]]
// CHECK: scf.yield %[[TOTAL]]
func.func private @long(%x: tensor<65536xf32>, %init: tensor<f32>) -> tensor<65536xf32> attributes {xla_rt.kernel = #xla_rt.kernel<scan>} {
  %empty = tensor.empty() : tensor<65536xf32>
  %0 = xla_rt.scan ins(%x : tensor<65536xf32>) initial(%init : tensor<f32>) outs(%empty : tensor<65536xf32>) dimension = 0 {
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %a, %b : f32
    xla_rt.yield %sum : f32
  } -> tensor<65536xf32>
  return %0 : tensor<65536xf32>
}

// -----

// Nothing to do.
// CHECK-LABEL: func.func private @empty
func.func private @empty(%x: tensor<0x3xf32>, %init: tensor<3xf32>) -> tensor<0x3xf32> attributes {xla_rt.kernel = #xla_rt.kernel<scan>} {
  %empty = tensor.empty() : tensor<0x3xf32>
  %0 = xla_rt.scan ins(%x : tensor<0x3xf32>) initial(%init : tensor<3xf32>) outs(%empty : tensor<0x3xf32>) dimension = 0 {
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %a, %b : f32
    xla_rt.yield %sum : f32
  } -> tensor<0x3xf32>
  return %0 : tensor<0x3xf32>
}
