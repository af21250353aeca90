// RUN: xla-opt %s --split-input-file --to=loops=vector-bits=256 | FileCheck %s
// Tiles of few products take two steps in a turn of their loop, as counting takes as long as some of the products.

// CHECK-LABEL: func.func private @contraction_0.impl
// CHECK: scf.for {{.*}} to %c1024_i64 step %c2_i64 iter_args
// CHECK-COUNT-24: math.fma
// CHECK-NOT: math.fma
// CHECK: return
func.func @main(%x: tensor<1024x1024xf32>, %y: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %0 : tensor<1024x1024xf32>
}

// -----

// The last one of 1023 is a turn of its own.
// CHECK-LABEL: func.func private @contraction_0.impl
// CHECK: scf.for {{.*}} step %c2_i64 iter_args
// CHECK-COUNT-24: math.fma
// CHECK-NOT: math.fma
// CHECK: scf.for {{.*}} to %c1023_i64 step %c1_i64 iter_args
// CHECK-COUNT-12: math.fma
// CHECK-NOT: math.fma
// CHECK: return
func.func @main(%x: tensor<1024x1023xf32>, %y: tensor<1023x1024xf32>) -> tensor<1024x1024xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<1024x1023xf32>, tensor<1023x1024xf32>) -> tensor<1024x1024xf32>
  return %0 : tensor<1024x1024xf32>
}
