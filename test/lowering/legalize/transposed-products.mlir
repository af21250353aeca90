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

// A transpose that brings them in order stays; what is read a few times is not transposed.
// CHECK-LABEL: func.func @stays_in_order
// CHECK: xla.transpose
// CHECK: xla.dot_general {{.*}} contracting_dims = [1, 2] x [0, 1]
// CHECK-NOT: xla.transpose
// CHECK: xla.dot_general %arg2, %arg2, contracting_dims = [1, 2] x [2, 1]
func.func @stays_in_order(%x: tensor<64x32x8xf32>, %y: tensor<8x32x40xf32>, %z: tensor<8x16x16xf32>) -> (tensor<64x40xf32>, tensor<8x8xf32>) {
  %0 = xla.transpose %y, dims = [1, 0, 2] : (tensor<8x32x40xf32>) -> tensor<32x8x40xf32>
  %1 = xla.dot_general %x, %0, contracting_dims = [1, 2] x [0, 1] : (tensor<64x32x8xf32>, tensor<32x8x40xf32>) -> tensor<64x40xf32>
  %2 = xla.dot_general %z, %z, contracting_dims = [1, 2] x [2, 1] : (tensor<8x16x16xf32>, tensor<8x16x16xf32>) -> tensor<8x8xf32>
  return %1, %2 : tensor<64x40xf32>, tensor<8x8xf32>
}

// What is read a few times is not transposed for it, but in the product: large rows by a small matrix, which is
// transposed instead.
// CHECK-LABEL: func.func @read_rarely
// CHECK: %[[T:.*]] = xla.transpose %arg1, dims = [1, 0, 2]
// CHECK: xla.dot_general %arg0, %[[T]], contracting_dims = [2, 1] x [1, 0]
func.func @read_rarely(%x: tensor<4096x8x32xf32>, %y: tensor<32x8x4xf32>) -> tensor<4096x4xf32> {
  %0 = xla.transpose %x, dims = [0, 2, 1] : (tensor<4096x8x32xf32>) -> tensor<4096x32x8xf32>
  %1 = xla.dot_general %0, %y, contracting_dims = [1, 2] x [0, 1] : (tensor<4096x32x8xf32>, tensor<32x8x4xf32>) -> tensor<4096x4xf32>
  return %1 : tensor<4096x4xf32>
}

// Dimensions that are no neighbours are not one sum in any order.
// CHECK-LABEL: func.func @apart
// CHECK-NOT: xla.transpose
// CHECK: xla.dot_general %arg0, %arg1, contracting_dims = [2, 0] x [0, 1]
func.func @apart(%x: tensor<64x256x64xf32>, %y: tensor<64x64x16xf32>) -> tensor<256x16xf32> {
  %0 = xla.transpose %x, dims = [2, 1, 0] : (tensor<64x256x64xf32>) -> tensor<64x256x64xf32>
  %1 = xla.dot_general %0, %y, contracting_dims = [0, 2] x [0, 1] : (tensor<64x256x64xf32>, tensor<64x64x16xf32>) -> tensor<256x16xf32>
  return %1 : tensor<256x16xf32>
}

// Of two transposes only the one that brings the dimensions in order stays.
// CHECK-LABEL: func.func @one_of_two
// CHECK: %[[T:.*]] = xla.transpose %arg0, dims = [0, 2, 1]
// CHECK-NOT: xla.transpose
// CHECK: xla.dot_general %[[T]], %arg1, contracting_dims = [1, 2] x [1, 2]
func.func @one_of_two(%x: tensor<64x8x32xf32>, %y: tensor<40x32x8xf32>) -> tensor<64x40xf32> {
  %0 = xla.transpose %x, dims = [0, 2, 1] : (tensor<64x8x32xf32>) -> tensor<64x32x8xf32>
  %1 = xla.transpose %y, dims = [1, 2, 0] : (tensor<40x32x8xf32>) -> tensor<32x8x40xf32>
  %2 = xla.dot_general %0, %1, contracting_dims = [1, 2] x [0, 1] : (tensor<64x32x8xf32>, tensor<32x8x40xf32>) -> tensor<64x40xf32>
  return %2 : tensor<64x40xf32>
}

// A matrix that is computed of a transposed one is computed in the order of that, and the product reads it so: deviations
// from the means of columns, of which a covariance is the product.
// CHECK-LABEL: func.func @deviations
// CHECK: %[[M:.*]] = xla.broadcast_in_dim %arg1, dims = [1] : (tensor<128xf32>) -> tensor<2000x128xf32>
// CHECK: %[[D:.*]] = xla.subtract %arg0, %[[M]]
// CHECK: xla.dot_general %[[D]], %[[D]], contracting_dims = [0] x [0]
// CHECK-NOT: xla.transpose
// CHECK: return
func.func @deviations(%x: tensor<2000x128xf32>, %mean: tensor<128xf32>) -> tensor<128x128xf32> {
  %0 = xla.transpose %x, dims = [1, 0] : (tensor<2000x128xf32>) -> tensor<128x2000xf32>
  %1 = xla.broadcast_in_dim %mean, dims = [0] : (tensor<128xf32>) -> tensor<128x2000xf32>
  %2 = xla.subtract %0, %1 : tensor<128x2000xf32>
  %3 = xla.transpose %2, dims = [1, 0] : (tensor<128x2000xf32>) -> tensor<2000x128xf32>
  %4 = xla.dot_general %2, %3, contracting_dims = [1] x [0] : (tensor<128x2000xf32>, tensor<2000x128xf32>) -> tensor<128x128xf32>
  return %4 : tensor<128x128xf32>
}

// What something else reads as it is stays.
// CHECK-LABEL: func.func @read_elsewhere
// CHECK: xla.transpose
// CHECK: xla.dot_general {{.*}} contracting_dims = [1] x [0]
func.func @read_elsewhere(%x: tensor<200x128xf32>, %y: tensor<200x64xf32>) -> (tensor<128x64xf32>, tensor<128x200xf32>) {
  %0 = xla.transpose %x, dims = [1, 0] : (tensor<200x128xf32>) -> tensor<128x200xf32>
  %1 = xla.tanh %0 : tensor<128x200xf32>
  %2 = xla.dot_general %1, %y, contracting_dims = [1] x [0] : (tensor<128x200xf32>, tensor<200x64xf32>) -> tensor<128x64xf32>
  return %2, %1 : tensor<128x64xf32>, tensor<128x200xf32>
}
