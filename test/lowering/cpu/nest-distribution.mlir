// RUN: xla-opt %s --split-input-file --to=loops="vector-bits=512 threads=1" | FileCheck %s

// Steps that are long chains of instructions: several loops over a block of steps, one after the other.

// The values between them are in memory; an array that is no whole blocks has a shorter last one.
// CHECK-LABEL: func.func private @elementwise_0.impl(
// CHECK: llvm.alloca %c32_i64 x vector<16x{{[fi]}}32>
// CHECK: scf.for %[[BLOCK:.*]] = %{{.*}} to %[[END:.*]] step %c512_i64
// CHECK:   %[[WHOLE:.*]] = arith.addi %[[BLOCK]], %c512_i64
// CHECK:   %[[LAST:.*]] = arith.minsi %[[WHOLE]], %[[END]]
// CHECK:   scf.for %[[STEP:.*]] = %[[BLOCK]] to %[[LAST]] step %c16_i64
// CHECK:     llvm.store %{{.*}} : vector<16x{{[fi]}}32>, !llvm.ptr
// CHECK:   }
// CHECK:   scf.for %[[STEP:.*]] = %[[BLOCK]] to %[[LAST]] step %c16_i64
// CHECK:     %[[PLACE:.*]] = llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, vector<16x[[TYPE:[fi]32]]>
// CHECK:     llvm.load %[[PLACE]] : !llvm.ptr -> vector<16x[[TYPE]]>
// CHECK:     llvm.store %{{.*}}, %{{.*}} {alignment = 4 : i64} : vector<16xf32>
// CHECK-NEXT: }
func.func @softplus(%x: tensor<50000xf32>) -> tensor<50000xf32> {
  %0 = xla.exponential %x : tensor<50000xf32>
  %1 = xla.log_plus_one %0 : tensor<50000xf32>
  return %1 : tensor<50000xf32>
}

// -----

// A sum is carried through the last of them.
// CHECK-LABEL: func.func private @reduction_0.impl(
// CHECK: scf.for %[[BLOCK:.*]] = %{{.*}} to %{{.*}} step %c512_i64 iter_args(%[[CARRIED:.*]] = %{{.*}}) -> (vector<16xf32>)
// CHECK:   scf.for %{{.*}} = %[[BLOCK]] to %{{.*}} step %c16_i64 : i64 {
// CHECK:   }
// CHECK:   %[[SUM:.*]] = scf.for %{{.*}} = %[[BLOCK]] to %{{.*}} step %c16_i64 iter_args(%{{.*}} = %[[CARRIED]]) -> (vector<16xf32>)
// CHECK:   }
// CHECK:   scf.yield %[[SUM]] : vector<16xf32>
func.func @sums(%x: tensor<64x4096xf32>) -> tensor<64xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.exponential %x : tensor<64x4096xf32>
  %1 = xla.log_plus_one %0 : tensor<64x4096xf32>
  %2 = xla.reduce(%1 init: %zero) applies xla.add across dimensions = [1] : (tensor<64x4096xf32>, tensor<f32>) -> tensor<64xf32>
  return %2 : tensor<64xf32>
}

// -----

// A function is no long chain.
// CHECK-LABEL: func.func private @elementwise_0.impl(
// CHECK-NOT: llvm.alloca
// CHECK: scf.for
// CHECK:   scf.for
// CHECK-NOT: scf.for
// CHECK: return
func.func @exp(%x: tensor<50000xf32>) -> tensor<50000xf32> {
  %0 = xla.exponential %x : tensor<50000xf32>
  return %0 : tensor<50000xf32>
}
