// RUN: xla-opt %s --to=kernels --split-input-file | FileCheck %s
// RUN: xla-opt %s --target=cuda --to=kernels --split-input-file | FileCheck %s --check-prefix=GPU

// The padding of a convolution is computed for 14 rows of the result at a time, which read 16 rows of the input.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[R:.*]] = call @rows_0(%arg0, %arg1)
// CHECK-NEXT: return %[[R]]
// CHECK: func.func private @rows_0
// CHECK-SAME: xla_rt.kernel = #xla_rt.kernel<rows, [8, 56] by 14>
// CHECK-SAME: xla_rt.plans = [#xla_rt.nest<8x56x16x1x3712x1x1x1, lanes d4 16x1, loop d2>,
// CHECK-SAME: #xla_rt.nest<8x56x14x56x64x192x3x1, lanes d4 16x2, jam d3 8, loop d2, reduce d6, d5>]
// A GPU reads padding where it is.
// GPU-LABEL: func.func @main
// GPU-NEXT: call @convolution_0(%arg0, %arg1)
// GPU-NEXT: return
func.func @main(%x: tensor<8x56x56x64xf32>, %k: tensor<3x3x64x64xf32>) -> tensor<8x56x56x64xf32> {
  %0 = xla.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<8x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<8x56x56x64xf32>
  return %0 : tensor<8x56x56x64xf32>
}

// -----

// The rows are not the first dimensions of the result; what comes behind the sum follows.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[R:.*]] = call @rows_0(%arg0, %arg1, %arg2)
// CHECK-NEXT: return %[[R]]
// CHECK: #xla_rt.kernel<rows, [4, 30] by {{[0-9]+}}>
func.func @main(%x: tensor<4x16x30x40xf32>, %k: tensor<24x16x3x3xf32>, %b: tensor<24xf32>) -> tensor<4x24x30x40xf32> {
  %0 = xla.convolution(%x, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[1, 1], [1, 1]]} {feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x16x30x40xf32>, tensor<24x16x3x3xf32>) -> tensor<4x24x30x40xf32>
  %1 = xla.broadcast_in_dim %b, dims = [1] : (tensor<24xf32>) -> tensor<4x24x30x40xf32>
  %2 = xla.add %0, %1 : tensor<4x24x30x40xf32>
  return %2 : tensor<4x24x30x40xf32>
}

// -----

// Depthwise, each channel is a matrix of rows. A stride walks them two at a time.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: call @rows_0
// CHECK: #xla_rt.kernel<rows, [4, 32, 14] by 14>
func.func @main(%x: tensor<4x32x28x28xf32>, %k: tensor<32x1x5x5xf32>) -> tensor<4x32x14x14xf32> {
  %0 = xla.convolution(%x, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 2], pad = [[1, 2], [1, 2]]} {feature_group_count = 32 : i64, batch_group_count = 1 : i64} : (tensor<4x32x28x28xf32>, tensor<32x1x5x5xf32>) -> tensor<4x32x14x14xf32>
  return %0 : tensor<4x32x14x14xf32>
}

// -----

// A window that is no convolution. Padding alone is read where it is, because neighbours share what they read.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: call @[[POOL:.*]](%arg0)
// CHECK-NEXT: return
// CHECK: func.func private @[[POOL]]
// CHECK-SAME: xla_rt.plans = [#xla_rt.nest<4x56x56x32x3x3, lanes d3 16x1, jam d2 8, work d0, d1, reduce d4, d5, slide>]
// GPU-LABEL: func.func @main
// GPU-NEXT: call @convolution_0(%arg0, %arg1, %arg2)
// GPU-NEXT: return
func.func @main(%x: tensor<4x56x56x32xf32>) -> tensor<4x56x56x32xf32> {
  %c = xla.constant dense<0xFF800000> : tensor<f32>
  %0 = "xla.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 3, 3, 1>, padding = dense<[[0, 0], [1, 1], [1, 1], [0, 0]]> : tensor<4x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = xla.maximum %a, %b : tensor<f32>
    xla.return %m : tensor<f32>
  }) : (tensor<4x56x56x32xf32>, tensor<f32>) -> tensor<4x56x56x32xf32>
  return %0 : tensor<4x56x56x32xf32>
}

// -----

// What is computed besides is computed once for a block of rows.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: call @rows_0
// CHECK: #xla_rt.kernel<rows, [4, 56] by {{[0-9]+}}>
// CHECK-SAME: slide>]
func.func @main(%arg: tensor<4x56x56x32xf32>) -> tensor<4x56x56x32xf32> {
  %c = xla.constant dense<0xFF800000> : tensor<f32>
  %x = xla.negate %arg : tensor<4x56x56x32xf32>
  %0 = "xla.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 3, 3, 1>, padding = dense<[[0, 0], [1, 1], [1, 1], [0, 0]]> : tensor<4x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = xla.maximum %a, %b : tensor<f32>
    xla.return %m : tensor<f32>
  }) : (tensor<4x56x56x32xf32>, tensor<f32>) -> tensor<4x56x56x32xf32>
  return %0 : tensor<4x56x56x32xf32>
}

// -----

// A small input, and one that is not simple to compute again, are padded as a whole.
// CHECK-LABEL: func.func @main
// CHECK: call @elementwise
// CHECK: call @convolution
// CHECK: call @elementwise
// CHECK: call @convolution
func.func @main(%x: tensor<1x12x12x8xf32>, %y: tensor<8x32x32x8xf32>, %k: tensor<3x3x8x16xf32>) -> (tensor<1x12x12x16xf32>, tensor<8x32x32x16xf32>) {
  %0 = xla.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x12x12x8xf32>, tensor<3x3x8x16xf32>) -> tensor<1x12x12x16xf32>
  %t = xla.tanh %y : tensor<8x32x32x8xf32>
  %1 = xla.convolution(%t, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<8x32x32x8xf32>, tensor<3x3x8x16xf32>) -> tensor<8x32x32x16xf32>
  return %0, %1 : tensor<1x12x12x16xf32>, tensor<8x32x32x16xf32>
}

// -----

// The gradient of a stride: each phase of the result is a kernel that pads what it reads for a block of rows, and writes
// its sums to every second place of the result. The one with one element of the window reads its input where it is.
// CHECK-LABEL: func.func @main
// CHECK-NOT: call @update
// CHECK-COUNT-3: call @rows_{{[0-9]+}}(%arg0, %{{.*}}, %{{.*}}) : (tensor<4x28x28x32xf32>, tensor<{{.*}}>, tensor<4x56x56x16xf32>) -> tensor<4x56x56x16xf32>
// CHECK: call @reduction_{{[0-9]+}}(%arg0, %{{.*}}, %{{.*}}) : (tensor<4x28x28x32xf32>, tensor<{{.*}}>, tensor<4x56x56x16xf32>) -> tensor<4x56x56x16xf32>
// A GPU's blocks have results of their own, among which a kernel chooses.
// GPU-LABEL: func.func @main(%arg0: tensor<4x28x28x32xf32>
// GPU-COUNT-4: (%arg0, %arg1)
// GPU-NEXT: call @elementwise_4(
// GPU-NEXT: return
func.func @main(%x: tensor<4x28x28x32xf32>, %k: tensor<3x3x16x32xf32>) -> tensor<4x56x56x16xf32> {
  %0 = xla.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {pad = [[2, 1], [2, 1]], lhs_dilate = [2, 2], reverse = [true, true]} : (tensor<4x28x28x32xf32>, tensor<3x3x16x32xf32>) -> tensor<4x56x56x16xf32>
  return %0 : tensor<4x56x56x16xf32>
}

// -----

// The gradient of a kernel: the window is of the result. Halves of an image are padded for all of it.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[G:.*]] = tensor.expand_shape %arg1
// CHECK-NEXT: %[[P:.*]] = call @rows_0(%arg0, %[[G]])
// CHECK-NEXT: call @reduction_1(%[[P]])
// CHECK: func.func private @rows_0
// CHECK-SAME: xla_rt.kernel = #xla_rt.kernel<rows, [8, 2] by 1>
// CHECK-SAME: xla_rt.plans = [#xla_rt.nest<8x2x30x1x3712x1x1x1x1, lanes d4 16x1, loop d2>,
// CHECK-SAME: #xla_rt.nest<8x2x1x3x1x192x64x56x28, lanes d6 16x4, jam d5 6, loop d3, reduce d8, d7>]
func.func @main(%x: tensor<8x56x56x64xf32>, %g: tensor<8x56x56x64xf32>) -> tensor<3x3x64x64xf32> {
  %0 = xla.convolution(%x, %g) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[1, 1], [1, 1]]} {feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<8x56x56x64xf32>, tensor<8x56x56x64xf32>) -> tensor<3x3x64x64xf32>
  return %0 : tensor<3x3x64x64xf32>
}

// -----

// Of two images there are too few parts for all cores.
// CHECK-LABEL: func.func @main
// CHECK: call @elementwise_0(%arg0)
// CHECK-NOT: kernel<rows
func.func @main(%x: tensor<2x112x112x64xf32>, %g: tensor<2x112x112x64xf32>) -> tensor<3x3x64x64xf32> {
  %0 = xla.convolution(%x, %g) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[1, 1], [1, 1]]} {feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x112x112x64xf32>, tensor<2x112x112x64xf32>) -> tensor<3x3x64x64xf32>
  return %0 : tensor<3x3x64x64xf32>
}

// -----

// A window of one row of pixels: what a block computes is whole rows, so that tiles take six pixels.
// CHECK-LABEL: func.func @main
// CHECK: #xla_rt.kernel<rows, [1, 17] by 1>
// CHECK-SAME: jam d3 6
func.func @main(%x: tensor<1x17x17x192xf32>, %k: tensor<1x7x192x192xf32>) -> tensor<1x17x17x192xf32> {
  %0 = xla.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[0, 0], [3, 3]]} {feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x17x17x192xf32>, tensor<1x7x192x192xf32>) -> tensor<1x17x17x192xf32>
  return %0 : tensor<1x17x17x192xf32>
}

// -----

// Of few rows, blocks are of pixels: so many that steps of tiles fill them.
// CHECK-LABEL: func.func @main
// CHECK: #xla_rt.kernel<rows, [1, 12, 17] by 6>
// CHECK-SAME: jam d3 6
func.func @main(%x: tensor<1x12x17x64xf32>, %k: tensor<1x5x64x64xf32>) -> tensor<1x12x17x64xf32> {
  %0 = xla.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[0, 0], [2, 2]]} {feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x12x17x64xf32>, tensor<1x5x64x64xf32>) -> tensor<1x12x17x64xf32>
  return %0 : tensor<1x12x17x64xf32>
}
