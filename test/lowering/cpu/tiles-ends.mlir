// RUN: xla-opt %s --split-input-file --to=loops | FileCheck %s
// Sizes that no tile divides. Tiles that transpose what they pack read pieces of 16 bytes and exchange them in registers:
// no element is gathered by itself, but for those of a last step. What else is left over begins earlier, without masks.

// Rows, in blocks of steps: six do not divide them.
// CHECK-LABEL: func.func private @contraction_0.impl
// CHECK-NOT: masked
// CHECK: llvm.load {{.*}} -> vector<4xf32>
// CHECK-NOT: masked
// CHECK: return
func.func @main(%x: tensor<1024x1024xf32>, %y: tensor<1024x256xf32>) -> tensor<1024x256xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<1024x1024xf32>, tensor<1024x256xf32>) -> tensor<1024x256xf32>
  return %0 : tensor<1024x256xf32>
}

// -----

// Columns: vectors of 16 do not divide them. The last one has four lanes.
// CHECK-LABEL: func.func private @contraction_0.impl
// CHECK-NOT: masked.gather
// CHECK: llvm.load {{.*}} -> vector<4xf32>
// CHECK-NOT: masked.gather
// CHECK: return
func.func @main(%x: tensor<300x512xf32>, %y: tensor<500x512xf32>) -> tensor<300x500xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [1] : (tensor<300x512xf32>, tensor<500x512xf32>) -> tensor<300x500xf32>
  return %0 : tensor<300x500xf32>
}

// -----

// Steps, of rows: the last one of 1001, by itself.
// CHECK-LABEL: func.func private @contraction_0.impl
// CHECK: llvm.load {{.*}} -> vector<4xf32>
// CHECK: return
func.func @main(%x: tensor<1001x500xf32>, %y: tensor<1001x500xf32>) -> tensor<500x500xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<1001x500xf32>, tensor<1001x500xf32>) -> tensor<500x500xf32>
  return %0 : tensor<500x500xf32>
}

// -----

// The last tile of columns begins earlier, so that no store has a mask.
// CHECK-LABEL: func.func private @contraction_0.impl
// CHECK: arith.minsi %{{.*}}, %c436_i64
// CHECK-NOT: masked
// CHECK: return
func.func @main(%x: tensor<512x512xf32>, %y: tensor<512x500xf32>) -> tensor<512x500xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<512x512xf32>, tensor<512x500xf32>) -> tensor<512x500xf32>
  return %0 : tensor<512x500xf32>
}

// -----

// Nor do loops over a few steps use masks.
// CHECK-LABEL: func.func private @contraction_0.impl
// CHECK-NOT: get.active.lane.mask
// CHECK: return
func.func @main(%x: tensor<2048x8xf32>, %y: tensor<8x3000xf32>) -> tensor<2048x3000xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<2048x8xf32>, tensor<8x3000xf32>) -> tensor<2048x3000xf32>
  return %0 : tensor<2048x3000xf32>
}
