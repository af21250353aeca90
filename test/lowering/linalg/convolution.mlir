// RUN: xla-opt %s --xla-legalize-to-linalg --split-input-file | FileCheck %s

// CHECK-DAG: #[[LHS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 * 2 + d5, d2 * 2 + d6, d4)>
// CHECK-DAG: #[[RHS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d5, d6, d4, d3)>
// CHECK-DAG: #[[OUT:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
// CHECK-LABEL: func.func @strided(
// CHECK-SAME: %[[X:.*]]: tensor<8x32x32x3xf32>, %[[K:.*]]: tensor<3x3x3x16xf32>
func.func @strided(%x: tensor<8x32x32x3xf32>, %k: tensor<3x3x3x16xf32>) -> tensor<8x16x16x16xf32> {
  // CHECK: %[[P:.*]] = tensor.pad %[[X]] low[0, 1, 1, 0] high[0, 1, 1, 0]
  // CHECK: linalg.generic {indexing_maps = [#[[LHS]], #[[RHS]], #[[OUT]]]
  // CHECK-SAME: ins(%[[P]], %[[K]]
  %0 = xla.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {stride = [2, 2], pad = [[1, 1], [1, 1]]}
    : (tensor<8x32x32x3xf32>, tensor<3x3x3x16xf32>) -> tensor<8x16x16x16xf32>
  return %0 : tensor<8x16x16x16xf32>
}

// -----

// A kernel of one element is a contraction with a matrix.
// CHECK-DAG: #[[LHS:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d2, d3)>
// CHECK-DAG: #[[RHS:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d1, d4)>
// CHECK-LABEL: func.func @pointwise
func.func @pointwise(%x: tensor<8x3x5x5xf32>, %k: tensor<16x3x1x1xf32>) -> tensor<8x16x5x5xf32> {
  // CHECK: %[[M:.*]] = tensor.collapse_shape %{{.*}} : tensor<16x3x1x1xf32> into tensor<16x3xf32>
  // CHECK: linalg.generic {indexing_maps = [#[[LHS]], #[[RHS]], {{.*}} ins(%{{.*}}, %[[M]] :
  %0 = xla.convolution(%x, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {}
    : (tensor<8x3x5x5xf32>, tensor<16x3x1x1xf32>) -> tensor<8x16x5x5xf32>
  return %0 : tensor<8x16x5x5xf32>
}

// -----

// Depthwise: the group is a parallel loop, and nothing needs to be split.
// CHECK-DAG: #[[LHS:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1 + d3, d2)>
// CHECK-DAG: #[[RHS:.*]] = affine_map<(d0, d1, d2, d3) -> (d3, 0, d2)>
// CHECK-LABEL: func.func @depthwise
func.func @depthwise(%x: tensor<2x9x6xf32>, %k: tensor<3x1x6xf32>) -> tensor<2x7x6xf32> {
  // CHECK-NOT: expand_shape
  // CHECK: linalg.generic {indexing_maps = [#[[LHS]], #[[RHS]],
  // CHECK-SAME: iterator_types = ["parallel", "parallel", "parallel", "reduction"]
  %0 = xla.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {feature_group_count = 6 : i64}
    : (tensor<2x9x6xf32>, tensor<3x1x6xf32>) -> tensor<2x7x6xf32>
  return %0 : tensor<2x7x6xf32>
}

// -----

// Groups: features of input, kernel and result are split into (group, feature).
// CHECK-DAG: #[[LHS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 + d5, d2, d4)>
// CHECK-DAG: #[[RHS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d5, d4, d2, d3)>
// CHECK-LABEL: func.func @groups
func.func @groups(%x: tensor<2x9x6xf32>, %k: tensor<3x3x8xf32>) -> tensor<2x7x8xf32> {
  // CHECK: tensor.expand_shape %{{.*}} : tensor<2x9x6xf32> into tensor<2x9x2x3xf32>
  // CHECK: tensor.expand_shape %{{.*}} : tensor<3x3x8xf32> into tensor<3x3x2x4xf32>
  // CHECK: linalg.generic {indexing_maps = [#[[LHS]], #[[RHS]],
  // CHECK-SAME: outs(%{{.*}} : tensor<2x7x2x4xf32>)
  // CHECK: tensor.collapse_shape %{{.*}} : tensor<2x7x2x4xf32> into tensor<2x7x8xf32>
  %0 = xla.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {feature_group_count = 2 : i64}
    : (tensor<2x9x6xf32>, tensor<3x3x8xf32>) -> tensor<2x7x8xf32>
  return %0 : tensor<2x7x8xf32>
}

// -----

// Dilated input, dilated and reversed kernel, negative padding.
// CHECK-DAG: #[[REVERSED:.*]] = affine_map<(d0, d1, d2) -> (-d0 + 2, d1, d2)>
// CHECK-DAG: #[[LHS:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1 + d4 * 2, d3)>
// CHECK-LABEL: func.func @dilated
func.func @dilated(%x: tensor<2x9x3xf32>, %k: tensor<3x3x4xf32>) -> tensor<2x12x4xf32> {
  // CHECK: %[[S:.*]] = tensor.extract_slice %{{.*}}[0, 1, 0] [2, 8, 3] [1, 1, 1]
  // CHECK: tensor.insert_slice %[[S]] into %{{.*}}[0, 1, 0] [2, 8, 3] [1, 2, 1] : tensor<2x8x3xf32> into tensor<2x16x3xf32>
  // CHECK: linalg.generic {indexing_maps = [#[[REVERSED]],
  // CHECK: linalg.generic {indexing_maps = [#[[LHS]],
  %0 = xla.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {pad = [[-1, 0]], lhs_dilate = [2], rhs_dilate = [2], reverse = [true]}
    : (tensor<2x9x3xf32>, tensor<3x3x4xf32>) -> tensor<2x12x4xf32>
  return %0 : tensor<2x12x4xf32>
}

// -----

// Of a window that goes backwards each phase takes its own elements: even results the outer ones, from the last on.
// CHECK-LABEL: func.func @phases_backwards(
// CHECK-SAME: %[[X:.*]]: tensor<2x9x3xf32>, %[[K:.*]]: tensor<4x3x4xf32>
func.func @phases_backwards(%x: tensor<2x9x3xf32>, %k: tensor<4x3x4xf32>) -> tensor<2x18x4xf32> {
  // CHECK: tensor.pad %[[X]] low[0, 1, 0] high[0, 0, 0]
  // CHECK: tensor.extract_slice %[[K]][1, 0, 0] [2, 3, 4] [2, 1, 1]
  // CHECK: tensor.pad %[[X]] low[0, 0, 0] high[0, 1, 0]
  // CHECK: tensor.extract_slice %[[K]][0, 0, 0] [2, 3, 4] [2, 1, 1]
  %0 = xla.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {pad = [[2, 2]], lhs_dilate = [2], reverse = [true]}
    : (tensor<2x9x3xf32>, tensor<4x3x4xf32>) -> tensor<2x18x4xf32>
  return %0 : tensor<2x18x4xf32>
}

// -----

// The gradient of such a kernel: its window is the image, and all pixels are one sum.
// CHECK-DAG: #[[LHS:.*]] = affine_map<(d0, d1, d2) -> (d2, d0)>
// CHECK-DAG: #[[RHS:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-LABEL: func.func @pixels
func.func @pixels(%x: tensor<8x5x6x3xf32>, %k: tensor<8x5x6x16xf32>) -> tensor<1x1x3x16xf32> {
  // CHECK: linalg.generic {indexing_maps = [#[[LHS]], #[[RHS]], {{.*}} ins(%{{.*}}, %{{.*}} : tensor<240x3xf32>, tensor<240x16xf32>)
  // CHECK: tensor.expand_shape %{{.*}} : tensor<3x16xf32> into tensor<1x1x3x16xf32>
  %0 = xla.convolution(%x, %k) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {}
    : (tensor<8x5x6x3xf32>, tensor<8x5x6x16xf32>) -> tensor<1x1x3x16xf32>
  return %0 : tensor<1x1x3x16xf32>
}

// -----

// The gradient of a stride: even results meet the outer elements of the window, odd ones the one in the middle.
// CHECK-DAG: #[[LHS:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1 + d4, d3)>
// CHECK-DAG: #[[ONE:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
// CHECK-LABEL: func.func @phases(
// CHECK-SAME: %[[X:.*]]: tensor<2x9x3xf32>, %[[K:.*]]: tensor<3x3x4xf32>
func.func @phases(%x: tensor<2x9x3xf32>, %k: tensor<3x3x4xf32>) -> tensor<2x18x4xf32> {
  // CHECK: %[[R:.*]] = tensor.empty() : tensor<2x18x4xf32>
  // CHECK: %[[P:.*]] = tensor.pad %[[X]] low[0, 1, 0] high[0, 0, 0]
  // CHECK: %[[OUTER:.*]] = tensor.extract_slice %[[K]][0, 0, 0] [2, 3, 4] [2, 1, 1]
  // CHECK: %[[EVEN:.*]] = linalg.generic {indexing_maps = [#[[LHS]], {{.*}} ins(%[[P]], %[[OUTER]] :
  // CHECK: %[[HALF:.*]] = tensor.insert_slice %[[EVEN]] into %[[R]][0, 0, 0] [2, 9, 4] [1, 2, 1]
  // CHECK: %[[MIDDLE:.*]] = tensor.extract_slice %[[K]][1, 0, 0] [1, 3, 4] [1, 1, 1]
  // CHECK-NOT: tensor.pad
  // CHECK: %[[ODD:.*]] = linalg.generic {indexing_maps = [#[[ONE]], {{.*}} ins(%[[X]],
  // CHECK: tensor.insert_slice %[[ODD]] into %[[HALF]][0, 1, 0] [2, 9, 4] [1, 2, 1]
  %0 = xla.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[2, 1]], lhs_dilate = [2]}
    : (tensor<2x9x3xf32>, tensor<3x3x4xf32>) -> tensor<2x18x4xf32>
  return %0 : tensor<2x18x4xf32>
}

// -----

// Results that no element of the window meets are zero.
// CHECK-LABEL: func.func @holes
func.func @holes(%x: tensor<2x9x3xf32>, %k: tensor<1x3x4xf32>) -> tensor<2x17x4xf32> {
  // CHECK: %[[ZERO:.*]] = linalg.fill {{.*}} outs(%{{.*}} : tensor<2x17x4xf32>)
  // CHECK-COUNT-1: tensor.insert_slice %{{.*}} into %[[ZERO]][0, 0, 0] [2, 9, 4] [1, 2, 1]
  // CHECK-NOT: insert_slice
  %0 = xla.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {lhs_dilate = [2]}
    : (tensor<2x9x3xf32>, tensor<1x3x4xf32>) -> tensor<2x17x4xf32>
  return %0 : tensor<2x17x4xf32>
}
