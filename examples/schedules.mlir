// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Six programs whose schedules docs/schedules.md explains:
//   xla-opt --split-input-file --to=kernels examples/schedules.mlir | grep xla_rt.plans

func.func @main(%x: tensor<1024x1024xf32>, %y: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0]
      : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %0 : tensor<1024x1024xf32>
}

// -----

func.func @main(%x: tensor<8x32x32x64xf32>, %w: tensor<3x3x64x128xf32>) -> tensor<8x30x30x128xf32> {
  %0 = xla.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [0, 0]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<8x32x32x64xf32>, tensor<3x3x64x128xf32>) -> tensor<8x30x30x128xf32>
  return %0 : tensor<8x30x30x128xf32>
}

// -----

func.func @main(%x: tensor<512x1000xf32>) -> tensor<512x1000xf32> {
  %infinity = xla.constant dense<0xFF800000> : tensor<f32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %m = xla.reduce(%x init: %infinity) applies xla.maximum across dimensions = [1]
      : (tensor<512x1000xf32>, tensor<f32>) -> tensor<512xf32>
  %mb = xla.broadcast_in_dim %m, dims = [0] : (tensor<512xf32>) -> tensor<512x1000xf32>
  %d = xla.subtract %x, %mb : tensor<512x1000xf32>
  %e = xla.exponential %d : tensor<512x1000xf32>
  %s = xla.reduce(%e init: %zero) applies xla.add across dimensions = [1]
      : (tensor<512x1000xf32>, tensor<f32>) -> tensor<512xf32>
  %sb = xla.broadcast_in_dim %s, dims = [0] : (tensor<512xf32>) -> tensor<512x1000xf32>
  %0 = xla.divide %e, %sb : tensor<512x1000xf32>
  return %0 : tensor<512x1000xf32>
}

// -----

func.func @main(%x: tensor<2048x4096xf32>) -> tensor<4096x2048xf32> {
  %0 = xla.transpose %x, dims = [1, 0] : (tensor<2048x4096xf32>) -> tensor<4096x2048xf32>
  return %0 : tensor<4096x2048xf32>
}

// -----

func.func @main(%x: tensor<512x1024xf32>) -> tensor<512x1024xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = "xla.reduce_window"(%x, %zero) <{
    window_dimensions = array<i64: 1, 1024>, padding = dense<[[0, 0], [1023, 0]]> : tensor<2x2xi64>
  }> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) : (tensor<512x1024xf32>, tensor<f32>) -> tensor<512x1024xf32>
  return %0 : tensor<512x1024xf32>
}

// -----

func.func @main(%x: tensor<1024x512xf32>) -> tensor<1024x512xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = "xla.reduce_window"(%x, %zero) <{
    window_dimensions = array<i64: 1024, 1>, padding = dense<[[1023, 0], [0, 0]]> : tensor<2x2xi64>
  }> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) : (tensor<1024x512xf32>, tensor<f32>) -> tensor<1024x512xf32>
  return %0 : tensor<1024x512xf32>
}
