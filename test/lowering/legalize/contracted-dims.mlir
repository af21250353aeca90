// RUN: xla-opt %s --xla-simplify | FileCheck %s

// Contracted dimensions that are neighbours in both operands are in one order afterwards, so that they are one sum. What
// is computed is transposed, or else the smaller operand.
// CHECK-LABEL: func.func @contracted_in_order
// CHECK: %[[X:.*]] = xla.negate %arg0
// CHECK: %[[T:.*]] = xla.transpose %[[X]], dims = [0, 2, 1]
// CHECK: xla.dot_general %[[T]], %arg1, contracting_dims = [2, 1] x [1, 0]
func.func @contracted_in_order(%x: tensor<64x32x8xf32>, %y: tensor<8x32x40xf32>) -> tensor<64x40xf32> {
  %0 = xla.negate %x : tensor<64x32x8xf32>
  %1 = xla.dot_general %0, %y, contracting_dims = [1, 2] x [1, 0] : (tensor<64x32x8xf32>, tensor<8x32x40xf32>) -> tensor<64x40xf32>
  return %1 : tensor<64x40xf32>
}

// CHECK-LABEL: func.func @smaller_in_order
// CHECK: %[[T:.*]] = xla.transpose %arg1, dims = [1, 0, 2]
// CHECK: xla.dot_general %arg0, %[[T]], contracting_dims = [1, 2] x [0, 1]
func.func @smaller_in_order(%x: tensor<64x32x8xf32>, %y: tensor<8x32x40xf32>) -> tensor<64x40xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1, 2] x [1, 0] : (tensor<64x32x8xf32>, tensor<8x32x40xf32>) -> tensor<64x40xf32>
  return %0 : tensor<64x40xf32>
}

// A transpose that brings them in order stays, and so do those of few reads.
// CHECK-LABEL: func.func @stays_in_order
// CHECK: xla.transpose
// CHECK: xla.dot_general {{.*}} contracting_dims = [1, 2] x [0, 1]
// CHECK-NOT: xla.transpose
// CHECK: xla.dot_general %arg2, {{.*}}, contracting_dims = [0, 1] x [2, 1]
func.func @stays_in_order(%x: tensor<64x32x8xf32>, %y: tensor<8x32x40xf32>, %z: tensor<32x8xf32>) -> (tensor<64x40xf32>, tensor<64xf32>) {
  %0 = xla.transpose %y, dims = [1, 0, 2] : (tensor<8x32x40xf32>) -> tensor<32x8x40xf32>
  %1 = xla.dot_general %x, %0, contracting_dims = [1, 2] x [0, 1] : (tensor<64x32x8xf32>, tensor<32x8x40xf32>) -> tensor<64x40xf32>
  %2 = xla.transpose %x, dims = [0, 2, 1] : (tensor<64x32x8xf32>) -> tensor<64x8x32xf32>
  %3 = xla.dot_general %z, %2, contracting_dims = [0, 1] x [2, 1] : (tensor<32x8xf32>, tensor<64x8x32xf32>) -> tensor<64xf32>
  return %1, %3 : tensor<64x40xf32>, tensor<64xf32>
}
