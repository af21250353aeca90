// RUN: xla-opt %s --to=loops --split-input-file | FileCheck %s

// Blocks of a long vector: the last one ends earlier, and what is left over belongs to it.
// CHECK-LABEL: func.func private @elementwise_0.impl
// CHECK: scf.for %[[BLOCK:.*]] = %{{.*}} to %{{.*}} step %c1_i64
// CHECK: %[[LOWER:.*]] = arith.muli %[[BLOCK]], %c2048_i64
// CHECK: %[[END:.*]] = arith.addi %[[LOWER]], %c2048_i64
// CHECK: %[[UPPER:.*]] = arith.minsi %[[END]], %c100000_i64
// CHECK: scf.for %{{.*}} = %[[LOWER]] to %[[UPPER]] step %c16_i64
// CHECK: %[[LAST:.*]] = arith.cmpi eq, %[[BLOCK]], %c48_i64
// CHECK: scf.if %[[LAST]]
// CHECK: llvm.intr.masked.store
func.func @main(%x: tensor<100003xf32>) -> tensor<100003xf32> {
  %0 = xla.negate %x : tensor<100003xf32>
  return %0 : tensor<100003xf32>
}

// -----

// Whole blocks need neither.
// CHECK-LABEL: func.func private @elementwise_0.impl
// CHECK: %[[LOWER:.*]] = arith.muli %{{.*}}, %c2048_i64
// CHECK: %[[END:.*]] = arith.addi %[[LOWER]], %c2048_i64
// CHECK: scf.for %{{.*}} = %[[LOWER]] to %[[END]] step
// CHECK-NOT: scf.if
func.func @main(%x: tensor<102400xf32>) -> tensor<102400xf32> {
  %0 = xla.negate %x : tensor<102400xf32>
  return %0 : tensor<102400xf32>
}
