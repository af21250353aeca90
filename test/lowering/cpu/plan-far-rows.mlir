// RUN: xla-opt %s --split-input-file --to=kernels=vector-bits=256 | FileCheck %s
// Rows of a product and of a convolution that read again what is not in the nearest cache, by tiles of 16 registers.

// Long rows of more than the second-level cache go by once, past all columns.
// CHECK: xla_rt.plans = [#xla_rt.nest<20000x64x512, lanes d1 8x2, jam d0 6, reduce d2, cut d0 120, overlap>]
func.func @main(%x: tensor<20000x512xf32>, %y: tensor<512x64xf32>) -> tensor<20000x64xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<20000x512xf32>, tensor<512x64xf32>) -> tensor<20000x64xf32>
  return %0 : tensor<20000x64xf32>
}

// -----

// Those that stay in it go past one panel of columns after the other.
// CHECK: xla_rt.plans = [#xla_rt.nest<240x64x512, {{.*}} cut d1 16,
func.func @main(%x: tensor<240x512xf32>, %y: tensor<512x64xf32>) -> tensor<240x64xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<240x512xf32>, tensor<512x64xf32>) -> tensor<240x64xf32>
  return %0 : tensor<240x64xf32>
}

// -----

// Six of 28 pixels compute no more in vain than three do, and read the kernel half as often.
// CHECK: #xla_rt.nest<8x28x{{[0-9]+}}x28x128x384x3x1, lanes d4 8x2, jam d3 6,
func.func @main(%x: tensor<8x28x28x128xf32>, %k: tensor<3x3x128x128xf32>) -> tensor<8x28x28x128xf32> {
  %0 = xla.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<8x28x28x128xf32>, tensor<3x3x128x128xf32>) -> tensor<8x28x28x128xf32>
  return %0 : tensor<8x28x28x128xf32>
}
