// RUN: xla-opt %s --xla-legalize-to-linalg --canonicalize --split-input-file | FileCheck %s

// What is padded between its elements, and added to what fills the gaps, goes to its places at once.

// CHECK-LABEL: func.func @alternating(
// CHECK-SAME:    %[[X:.*]]: tensor<4x3xf32>, %[[Y:.*]]: tensor<3x3xf32>)
// CHECK-NOT:   linalg.fill
// CHECK:       %[[EMPTY:.*]] = tensor.empty() : tensor<7x3xf32>
// CHECK:       %[[A:.*]] = linalg.generic {{.*}} ins(%[[X]] :
// CHECK:         arith.addf %{{.*}}, %cst
// CHECK:       %[[EVEN:.*]] = tensor.insert_slice %[[A]] into %[[EMPTY]][0, 0] [4, 3] [2, 1]
// CHECK:       %[[B:.*]] = linalg.generic {{.*}} ins(%[[Y]] :
// CHECK:       %[[ALL:.*]] = tensor.insert_slice %[[B]] into %[[EVEN]][1, 0] [3, 3] [2, 1]
// CHECK:       return %[[ALL]]
func.func @alternating(%x: tensor<4x3xf32>, %y: tensor<3x3xf32>) -> tensor<7x3xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %a = xla.pad %x, %zero, low = [0, 0], high = [0, 0], interior = [1, 0] : (tensor<4x3xf32>, tensor<f32>) -> tensor<7x3xf32>
  %b = xla.pad %y, %zero, low = [1, 0], high = [1, 0], interior = [1, 0] : (tensor<3x3xf32>, tensor<f32>) -> tensor<7x3xf32>
  %r = xla.add %a, %b : tensor<7x3xf32>
  return %r : tensor<7x3xf32>
}

// -----

// The parts of a concatenation go to their places one by one. Dimensions of size 1 may have been dropped in between.

// CHECK-LABEL: func.func @parts(
// CHECK-NOT:   tensor.concat
// CHECK:       tensor.insert_slice %{{.*}} into %{{.*}}[0, 0] [1, 3] [2, 1] : tensor<1x3xi1> into tensor<4x3xi1>
// CHECK:       tensor.insert_slice %{{.*}} into %{{.*}}[2, 0] [1, 3] [2, 1] : tensor<1x3xi1> into tensor<4x3xi1>
// CHECK:       tensor.insert_slice %{{.*}} into %{{.*}}[1, 0] [2, 3] [2, 1] : tensor<2x3xi1> into tensor<4x3xi1>
func.func @parts(%x: tensor<1x1x3xi1>, %y: tensor<1x1x3xi1>, %z: tensor<1x2x3xi1>) -> tensor<4x3xi1> {
  %no = xla.constant dense<false> : tensor<i1>
  %c = xla.concatenate %x, %y, dim = 1 : (tensor<1x1x3xi1>, tensor<1x1x3xi1>) -> tensor<1x2x3xi1>
  %a = xla.pad %c, %no, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<1x2x3xi1>, tensor<i1>) -> tensor<1x4x3xi1>
  %b = xla.pad %z, %no, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<1x2x3xi1>, tensor<i1>) -> tensor<1x4x3xi1>
  %d = xla.reshape %a : (tensor<1x4x3xi1>) -> tensor<4x3xi1>
  %e = xla.reshape %b : (tensor<1x4x3xi1>) -> tensor<4x3xi1>
  %r = xla.or %d, %e : tensor<4x3xi1>
  return %r : tensor<4x3xi1>
}

// -----

// Elements that meet, gaps that stay, and values that fill gaps and are not known are left as they are.

// CHECK-LABEL: func.func @others(
// CHECK-COUNT-5: linalg.fill
// CHECK-NOT:   linalg.fill
func.func @others(%x: tensor<3xf32>, %v: tensor<f32>) -> (tensor<6xf32>, tensor<7xf32>, tensor<6xf32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %a = xla.pad %x, %zero, low = [0], high = [1], interior = [1] : (tensor<3xf32>, tensor<f32>) -> tensor<6xf32>
  %b = xla.pad %x, %zero, low = [1], high = [0], interior = [1] : (tensor<3xf32>, tensor<f32>) -> tensor<6xf32>
  %c = xla.pad %x, %v, low = [1], high = [0], interior = [1] : (tensor<3xf32>, tensor<f32>) -> tensor<6xf32>
  %d = xla.pad %x, %zero, low = [0], high = [2], interior = [1] : (tensor<3xf32>, tensor<f32>) -> tensor<7xf32>
  %e = xla.pad %x, %zero, low = [1], high = [1], interior = [1] : (tensor<3xf32>, tensor<f32>) -> tensor<7xf32>
  %meet = xla.add %a, %a : tensor<6xf32>
  %gap = xla.add %d, %e : tensor<7xf32>
  %unknown = xla.add %b, %c : tensor<6xf32>
  return %meet, %gap, %unknown : tensor<6xf32>, tensor<7xf32>, tensor<6xf32>
}
