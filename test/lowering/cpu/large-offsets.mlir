// RUN: xla-opt %s --split-input-file --to=loops | FileCheck %s
// Constant indices of `llvm.getelementptr` have 29 bits. Larger offsets, in the arena or in a tensor, are values.

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARENA:[a-z0-9]+]]: !llvm.ptr) attributes {xla_rt.arena_size = 805306368 : i64
// CHECK-DAG: %[[FIRST:.*]] = arith.constant 268435456 : i64
// CHECK-DAG: llvm.getelementptr %[[ARENA]][%[[FIRST]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK-DAG: %[[SECOND:.*]] = arith.constant 536870912 : i64
// CHECK-DAG: llvm.getelementptr %[[ARENA]][%[[SECOND]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
func.func @main(%x: tensor<268435456xi8>) -> (tensor<8xi8>, tensor<8xi8>, tensor<8xi8>) {
  %0 = xla.add %x, %x : tensor<268435456xi8>
  %1 = xla.multiply %x, %x : tensor<268435456xi8>
  %2 = xla.not %x : tensor<268435456xi8>
  %3:3 = xla.optimization_barrier %0, %1, %2 : tensor<268435456xi8>, tensor<268435456xi8>, tensor<268435456xi8>
  %4 = xla.slice %3#0 [0:8] : (tensor<268435456xi8>) -> tensor<8xi8>
  %5 = xla.slice %3#1 [0:8] : (tensor<268435456xi8>) -> tensor<8xi8>
  %6 = xla.slice %3#2 [0:8] : (tensor<268435456xi8>) -> tensor<8xi8>
  return %4, %5, %6 : tensor<8xi8>, tensor<8xi8>, tensor<8xi8>
}

// -----

// Rows of 2^25 elements: the last ones of a block of 16 begin beyond.
// CHECK-LABEL: func.func private @elementwise_0.impl(
// CHECK-NOT: llvm.getelementptr %{{.*}}[-
// CHECK: llvm.getelementptr %{{.*}}[234881024] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK: %[[ROW:.*]] = arith.constant 268435456 : i64
// CHECK: llvm.getelementptr %{{.*}}[%[[ROW]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK-NOT: llvm.getelementptr %{{.*}}[-
func.func @main(%x: tensor<33554432x16xi8>) -> tensor<16x33554432xi8> {
  %0 = xla.transpose %x, dims = [1, 0] : (tensor<33554432x16xi8>) -> tensor<16x33554432xi8>
  return %0 : tensor<16x33554432xi8>
}
