// RUN: xla-opt %s --target=cuda --to=kernels --split-input-file | FileCheck %s
// What a kernel of a GPU reads where it is, as windows do, or computes again.

// Padding, by each of two convolutions.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[A:.*]] = call @convolution_0(%arg0, %arg1)
// CHECK-NEXT: %[[B:.*]] = call @convolution_1(%arg0, %arg2)
// CHECK-NEXT: return %[[A]], %[[B]]
func.func @main(%x: tensor<2x8x8x16xf32>, %k: tensor<3x3x16x32xf32>, %l: tensor<3x3x16x64xf32>) -> (tensor<2x8x8x32xf32>, tensor<2x8x8x64xf32>) {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x8x16xf32>, tensor<3x3x16x32xf32>) -> tensor<2x8x8x32xf32>
  %1 = stablehlo.convolution(%x, %l) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x8x16xf32>, tensor<3x3x16x64xf32>) -> tensor<2x8x8x64xf32>
  return %0, %1 : tensor<2x8x8x32xf32>, tensor<2x8x8x64xf32>
}

// -----

// A kernel that is turned around, with padding: a gradient is one kernel.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[A:.*]] = call @convolution_0(%arg0, %arg1)
// CHECK-NEXT: return %[[A]]
func.func @main(%x: tensor<2x8x8x32xbf16>, %k: tensor<3x3x16x32xbf16>) -> tensor<2x8x8x16xbf16> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]], reverse = [true, true]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x8x32xbf16>, tensor<3x3x16x32xbf16>) -> tensor<2x8x8x16xbf16>
  return %0 : tensor<2x8x8x16xbf16>
}

// -----

// Whatever the padding is, if nothing is multiplied.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[A:.*]] = call @convolution_0(%arg0)
// CHECK-NEXT: return %[[A]]
func.func @main(%x: tensor<2x8x8x16xf32>) -> tensor<2x8x8x16xf32> {
  %ninf = xla.constant dense<0xFF800000> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %ninf) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) {window_dimensions = array<i64: 1, 3, 3, 1>, padding = dense<[[0, 0], [1, 1], [1, 1], [0, 0]]> : tensor<4x2xi64>}
      : (tensor<2x8x8x16xf32>, tensor<f32>) -> tensor<2x8x8x16xf32>
  return %0 : tensor<2x8x8x16xf32>
}

// -----

// What would leave no vectors of neighbours is padded in memory: channels.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[P:.*]] = call @elementwise_0(%arg0) : (tensor<2x8x8x15xbf16>) -> tensor<2x8x8x16xbf16>
// CHECK-NEXT: call @convolution_1(%[[P]], %arg1)
func.func @main(%x: tensor<2x8x8x15xbf16>, %k: tensor<3x3x16x32xbf16>) -> tensor<2x6x6x32xbf16> {
  %zero = xla.constant dense<0.0> : tensor<bf16>
  %p = stablehlo.pad %x, %zero, low = [0, 0, 0, 0], high = [0, 0, 0, 1], interior = [0, 0, 0, 0] : (tensor<2x8x8x15xbf16>, tensor<bf16>) -> tensor<2x8x8x16xbf16>
  %0 = stablehlo.convolution(%p, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x8x16xbf16>, tensor<3x3x16x32xbf16>) -> tensor<2x6x6x32xbf16>
  return %0 : tensor<2x6x6x32xbf16>
}

// -----

// And so is a factor with other padding than zeros.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[P:.*]] = call @elementwise_0(%arg0) : (tensor<2x8x8x16xbf16>) -> tensor<2x10x8x16xbf16>
// CHECK-NEXT: call @convolution_1(%[[P]], %arg1)
func.func @main(%x: tensor<2x8x8x16xbf16>, %k: tensor<3x3x16x32xbf16>) -> tensor<2x8x6x32xbf16> {
  %one = xla.constant dense<1.0> : tensor<bf16>
  %p = stablehlo.pad %x, %one, low = [0, 1, 0, 0], high = [0, 1, 0, 0], interior = [0, 0, 0, 0] : (tensor<2x8x8x16xbf16>, tensor<bf16>) -> tensor<2x10x8x16xbf16>
  %0 = stablehlo.convolution(%p, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x8x16xbf16>, tensor<3x3x16x32xbf16>) -> tensor<2x8x6x32xbf16>
  return %0 : tensor<2x8x6x32xbf16>
}

// -----

// What follows a convolution of one image, as of several, is part of its kernel.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[A:.*]] = call @reduction_0(%arg0, %arg1, %arg2)
// CHECK-NEXT: %[[B:.*]] = tensor.expand_shape %[[A]]
// CHECK-NEXT: return %[[B]]
func.func @main(%x: tensor<1x8x8x16xf32>, %k: tensor<3x3x16x32xf32>, %s: tensor<32xf32>) -> tensor<1x8x8x32xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x16xf32>, tensor<3x3x16x32xf32>) -> tensor<1x8x8x32xf32>
  %1 = stablehlo.broadcast_in_dim %s, dims = [3] : (tensor<32xf32>) -> tensor<1x8x8x32xf32>
  %2 = stablehlo.add %0, %1 : tensor<1x8x8x32xf32>
  return %2 : tensor<1x8x8x32xf32>
}

// -----

// Rows that are no softmax's: each product has the whole GPU.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[A:.*]] = call @contraction_0(%arg0, %arg1)
// CHECK-NEXT: %[[B:.*]] = call @rows_1(%[[A]])
// CHECK-NEXT: %[[C:.*]] = call @contraction_0(%[[B]], %arg2)
// CHECK-NEXT: return %[[C]]
func.func @main(%x: tensor<256x512xf32>, %a: tensor<512x512xf32>, %b: tensor<512x512xf32>) -> tensor<256x512xf32> {
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %y = stablehlo.dot_general %x, %a, contracting_dims = [1] x [0] : (tensor<256x512xf32>, tensor<512x512xf32>) -> tensor<256x512xf32>
  %most = stablehlo.reduce(%y init: %least) applies stablehlo.maximum across dimensions = [1] : (tensor<256x512xf32>, tensor<f32>) -> tensor<256xf32>
  %rows = stablehlo.broadcast_in_dim %most, dims = [0] : (tensor<256xf32>) -> tensor<256x512xf32>
  %z = stablehlo.divide %y, %rows : tensor<256x512xf32>
  %0 = stablehlo.dot_general %z, %b, contracting_dims = [1] x [0] : (tensor<256x512xf32>, tensor<512x512xf32>) -> tensor<256x512xf32>
  return %0 : tensor<256x512xf32>
}

// -----

// Blocks of queries divide them: no two write the same ones.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[R:.*]] = call @rows_0(%arg0, %arg1, %arg2)
// CHECK-NEXT: return %[[R]]
// CHECK: xla_rt.kernel<rows, [8, 100] by 25>
func.func @main(%q: tensor<8x100x32xf32>, %k: tensor<8x90x32xf32>, %v: tensor<8x90x32xf32>) -> tensor<8x100x32xf32> {
  %ninf = xla.constant dense<0xFF800000> : tensor<f32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %s = xla.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<8x100x32xf32>, tensor<8x90x32xf32>) -> tensor<8x100x90xf32>
  %m = xla.reduce(%s init: %ninf) applies xla.maximum across dimensions = [2] : (tensor<8x100x90xf32>, tensor<f32>) -> tensor<8x100xf32>
  %mb = xla.broadcast_in_dim %m, dims = [0, 1] : (tensor<8x100xf32>) -> tensor<8x100x90xf32>
  %d = xla.subtract %s, %mb : tensor<8x100x90xf32>
  %e = xla.exponential %d : tensor<8x100x90xf32>
  %t = xla.reduce(%e init: %zero) applies xla.add across dimensions = [2] : (tensor<8x100x90xf32>, tensor<f32>) -> tensor<8x100xf32>
  %tb = xla.broadcast_in_dim %t, dims = [0, 1] : (tensor<8x100xf32>) -> tensor<8x100x90xf32>
  %p = xla.divide %e, %tb : tensor<8x100x90xf32>
  %r = xla.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x100x90xf32>, tensor<8x90x32xf32>) -> tensor<8x100x32xf32>
  return %r : tensor<8x100x32xf32>
}

// -----

// Heads of which no block has enough: each product has the whole GPU.
// CHECK-LABEL: func.func @main
// CHECK: call @contraction
// CHECK: call @rows
// CHECK: call @contraction
// CHECK-NOT: {{.*}} by {{[0-9]}}
func.func @main(%q: tensor<8x100x256xf32>, %k: tensor<8x90x256xf32>, %v: tensor<8x90x256xf32>) -> tensor<8x100x256xf32> {
  %ninf = xla.constant dense<0xFF800000> : tensor<f32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %s = xla.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<8x100x256xf32>, tensor<8x90x256xf32>) -> tensor<8x100x90xf32>
  %m = xla.reduce(%s init: %ninf) applies xla.maximum across dimensions = [2] : (tensor<8x100x90xf32>, tensor<f32>) -> tensor<8x100xf32>
  %mb = xla.broadcast_in_dim %m, dims = [0, 1] : (tensor<8x100xf32>) -> tensor<8x100x90xf32>
  %d = xla.subtract %s, %mb : tensor<8x100x90xf32>
  %e = xla.exponential %d : tensor<8x100x90xf32>
  %t = xla.reduce(%e init: %zero) applies xla.add across dimensions = [2] : (tensor<8x100x90xf32>, tensor<f32>) -> tensor<8x100xf32>
  %tb = xla.broadcast_in_dim %t, dims = [0, 1] : (tensor<8x100xf32>) -> tensor<8x100x90xf32>
  %p = xla.divide %e, %tb : tensor<8x100x90xf32>
  %r = xla.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x100x90xf32>, tensor<8x90x256xf32>) -> tensor<8x100x256xf32>
  return %r : tensor<8x100x256xf32>
}

// -----

// Weights of fewer bytes and their scales, for rows of which a block has all, are computed as they are brought.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[R:.*]] = call @contraction_0({{.*}}) : (tensor<64x80xi8>, tensor<80xbf16>, tensor<16x64xbf16>)
// CHECK-NEXT: return %[[R]]
func.func @main(%x: tensor<16x64xbf16>, %w: tensor<64x80xi8>, %s: tensor<80xbf16>) -> tensor<16x80xbf16> {
  %c = stablehlo.convert %w : (tensor<64x80xi8>) -> tensor<64x80xbf16>
  %b = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<80xbf16>) -> tensor<64x80xbf16>
  %m = stablehlo.multiply %c, %b : tensor<64x80xbf16>
  %r = stablehlo.dot_general %x, %m, contracting_dims = [1] x [0] : (tensor<16x64xbf16>, tensor<64x80xbf16>) -> tensor<16x80xbf16>
  return %r : tensor<16x80xbf16>
}

// -----

// Through the view of groups that share a scale, too.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[R:.*]] = call @contraction_0({{.*}}) : (tensor<64x80xi8>, tensor<2x80xf32>, tensor<16x64xbf16>)
// CHECK-NEXT: return %[[R]]
func.func @main(%x: tensor<16x64xbf16>, %w: tensor<64x80xi8>, %s: tensor<2x80xf32>) -> tensor<16x80xbf16> {
  %c = stablehlo.convert %w : (tensor<64x80xi8>) -> tensor<64x80xf32>
  %g = stablehlo.reshape %c : (tensor<64x80xf32>) -> tensor<2x32x80xf32>
  %b = stablehlo.broadcast_in_dim %s, dims = [0, 2] : (tensor<2x80xf32>) -> tensor<2x32x80xf32>
  %m = stablehlo.multiply %g, %b : tensor<2x32x80xf32>
  %f = stablehlo.reshape %m : (tensor<2x32x80xf32>) -> tensor<64x80xf32>
  %n = stablehlo.convert %f : (tensor<64x80xf32>) -> tensor<64x80xbf16>
  %r = stablehlo.dot_general %x, %n, contracting_dims = [1] x [0] : (tensor<16x64xbf16>, tensor<64x80xbf16>) -> tensor<16x80xbf16>
  return %r : tensor<16x80xbf16>
}

// -----

// Keys and values of heads are attention's.
// CHECK-LABEL: func.func @main
// CHECK:      call @elementwise_0
// CHECK-NEXT: call @contraction_1
func.func @main(%x: tensor<3x16x64xbf16>, %w: tensor<3x64x80xi8>) -> tensor<3x16x80xbf16> {
  %c = stablehlo.convert %w : (tensor<3x64x80xi8>) -> tensor<3x64x80xbf16>
  %r = stablehlo.dot_general %x, %c, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<3x16x64xbf16>, tensor<3x64x80xbf16>) -> tensor<3x16x80xbf16>
  return %r : tensor<3x16x80xbf16>
}

// -----

// For more rows, or of as many bytes, they go to memory first, from where tensor cores read them as they are.
// CHECK-LABEL: func.func @main
// CHECK:      call @elementwise_0
// CHECK-NEXT: call @contraction_1
// CHECK-NEXT: call @elementwise_2
// CHECK-NEXT: call @contraction_3
func.func @main(%x: tensor<129x64xbf16>, %w: tensor<64x80xi8>, %y: tensor<16x64xbf16>, %v: tensor<64x80xbf16>) -> (tensor<129x80xbf16>, tensor<16x80xbf16>) {
  %c = stablehlo.convert %w : (tensor<64x80xi8>) -> tensor<64x80xbf16>
  %0 = stablehlo.dot_general %x, %c, contracting_dims = [1] x [0] : (tensor<129x64xbf16>, tensor<64x80xbf16>) -> tensor<129x80xbf16>
  %d = stablehlo.multiply %v, %v : tensor<64x80xbf16>
  %1 = stablehlo.dot_general %y, %d, contracting_dims = [1] x [0] : (tensor<16x64xbf16>, tensor<64x80xbf16>) -> tensor<16x80xbf16>
  return %0, %1 : tensor<129x80xbf16>, tensor<16x80xbf16>
}

// -----

// What two kernels read, each in slices of its own, is not worth a launch: both compute it again.
// CHECK-LABEL: func.func @main
// CHECK-COUNT-2: call @
// CHECK-NOT:     call @
// CHECK:         return
func.func @main(%x: tensor<64x32xf32>) -> (tensor<16x32xf32>, tensor<32x16xf32>) {
  %0 = stablehlo.slice %x [0:64:2, 0:32] : (tensor<64x32xf32>) -> tensor<32x32xf32>
  %1 = stablehlo.slice %x [1:64:2, 0:32] : (tensor<64x32xf32>) -> tensor<32x32xf32>
  %y = stablehlo.add %0, %1 : tensor<32x32xf32>
  %2 = stablehlo.slice %y [0:32:2, 0:32] : (tensor<32x32xf32>) -> tensor<16x32xf32>
  %3 = stablehlo.slice %y [1:32:2, 0:32] : (tensor<32x32xf32>) -> tensor<16x32xf32>
  %4 = stablehlo.multiply %2, %3 : tensor<16x32xf32>
  %5 = stablehlo.slice %y [0:32, 0:16] : (tensor<32x32xf32>) -> tensor<32x16xf32>
  %6 = stablehlo.slice %y [0:32, 16:32] : (tensor<32x32xf32>) -> tensor<32x16xf32>
  %7 = stablehlo.subtract %5, %6 : tensor<32x16xf32>
  return %4, %7 : tensor<16x32xf32>, tensor<32x16xf32>
}

// -----

// Of more elements, it is.
// CHECK-LABEL: func.func @main
// CHECK-COUNT-3: call @
// CHECK:         return
func.func @main(%x: tensor<4096x512xf32>) -> (tensor<1024x512xf32>, tensor<2048x256xf32>) {
  %0 = stablehlo.slice %x [0:4096:2, 0:512] : (tensor<4096x512xf32>) -> tensor<2048x512xf32>
  %1 = stablehlo.slice %x [1:4096:2, 0:512] : (tensor<4096x512xf32>) -> tensor<2048x512xf32>
  %y = stablehlo.add %0, %1 : tensor<2048x512xf32>
  %2 = stablehlo.slice %y [0:2048:2, 0:512] : (tensor<2048x512xf32>) -> tensor<1024x512xf32>
  %3 = stablehlo.slice %y [1:2048:2, 0:512] : (tensor<2048x512xf32>) -> tensor<1024x512xf32>
  %4 = stablehlo.multiply %2, %3 : tensor<1024x512xf32>
  %5 = stablehlo.slice %y [0:2048, 0:256] : (tensor<2048x512xf32>) -> tensor<2048x256xf32>
  %6 = stablehlo.slice %y [0:2048, 256:512] : (tensor<2048x512xf32>) -> tensor<2048x256xf32>
  %7 = stablehlo.subtract %5, %6 : tensor<2048x256xf32>
  return %4, %7 : tensor<1024x512xf32>, tensor<2048x256xf32>
}

// -----

// Functions of one argument are computed where they are written behind each other, and the argument by each.
// CHECK-LABEL: func.func @main
// CHECK-NOT: call @elementwise
// CHECK: %[[X:.*]] = call @update_0(%arg0,
// CHECK: %[[S:.*]] = call @update_1(%arg1, %arg0, %[[X]])
// CHECK: call @update_2(%arg1, %arg0, %[[S]])
func.func @main(%x: tensor<16x4xf32>, %y: tensor<4xf32>) -> tensor<16x12xf32> {
  %b = stablehlo.broadcast_in_dim %y, dims = [1] : (tensor<4xf32>) -> tensor<16x4xf32>
  %a = stablehlo.multiply %x, %b : tensor<16x4xf32>
  %s = stablehlo.sine %a : tensor<16x4xf32>
  %c = stablehlo.cosine %a : tensor<16x4xf32>
  %r = stablehlo.concatenate %x, %s, %c, dim = 1 : (tensor<16x4xf32>, tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x12xf32>
  return %r : tensor<16x12xf32>
}
