// RUN: xla-opt %s --xla-legalize-to-linalg=device | FileCheck %s
// For a device, channels of groups are taken apart before the image is padded, and images before they are.

// CHECK-LABEL: func.func @channels
// CHECK:         %[[X:.*]] = tensor.expand_shape %{{.*}} {{\[\[}}0], [1], [2, 3]] output_shape [2, 9, 2, 3]
// CHECK:         tensor.pad %[[X]] low[0, 1, 0, 0] high[0, 1, 0, 0]
// CHECK-NOT:     tensor.expand_shape {{.*}} tensor<2x11x6xf32>
func.func @channels(%x: tensor<2x9x6xf32>, %k: tensor<3x3x8xf32>) -> tensor<2x9x8xf32> {
  %0 = xla.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {feature_group_count = 2 : i64}
      : (tensor<2x9x6xf32>, tensor<3x3x8xf32>) -> tensor<2x9x8xf32>
  return %0 : tensor<2x9x8xf32>
}

// CHECK-LABEL: func.func @images
// CHECK:         %[[X:.*]] = tensor.expand_shape %{{.*}} {{\[\[}}0, 1], [2], [3]] output_shape [2, 3, 9, 6]
// CHECK:         tensor.pad %[[X]] low[0, 0, 1, 0] high[0, 0, 1, 0]
func.func @images(%x: tensor<6x9x6xf32>, %k: tensor<3x6x8xf32>) -> tensor<3x9x8xf32> {
  %0 = xla.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 2 : i64}
      : (tensor<6x9x6xf32>, tensor<3x6x8xf32>) -> tensor<3x9x8xf32>
  return %0 : tensor<3x9x8xf32>
}

// Gaps between pixels that results in phases do not leave out are a choice, too.
// CHECK-LABEL: func.func @gaps
// CHECK-SAME:    %[[X:[^:]*]]: tensor<2x9x6xf32>
// CHECK:         %[[PADDED:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<2x19x6xf32>)
// CHECK:           %[[I:.*]] = linalg.index 1
// CHECK:           %[[AT:.*]] = arith.subi %[[I]], %{{.*}}
// CHECK:           %[[INSIDE:.*]] = arith.cmpi ult, %[[AT]], %{{.*}}
// CHECK:           %[[REST:.*]] = arith.remui %[[AT]], %{{.*}}
// CHECK:           %[[EXACT:.*]] = arith.cmpi eq, %[[REST]]
// CHECK:           %[[BOTH:.*]] = arith.andi %[[INSIDE]], %[[EXACT]]
// CHECK:           %[[PIXEL:.*]] = arith.divui %[[AT]], %{{.*}}
// CHECK:           scf.if %[[BOTH]]
// CHECK:             tensor.extract %{{.*}}[%{{.*}}, %[[PIXEL]], %{{.*}}] : tensor<2x9x6xf32>
// CHECK-NOT:     tensor.insert_slice
func.func @gaps(%x: tensor<2x9x6xf32>, %k: tensor<3x6x8xf32>) -> tensor<2x6x8xf32> {
  %0 = xla.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [3], pad = [[1, 1]], lhs_dilate = [2]}
      : (tensor<2x9x6xf32>, tensor<3x6x8xf32>) -> tensor<2x6x8xf32>
  return %0 : tensor<2x6x8xf32>
}
