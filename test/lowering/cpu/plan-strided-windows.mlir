// RUN: xla-opt %s --split-input-file --to=kernels | FileCheck %s --check-prefix=AVX512
// RUN: xla-opt %s --split-input-file --to=kernels=vector-bits=256 | FileCheck %s --check-prefix=AVX2
// A strided convolution of few channels. Seven steps of the window do not fill a vector of 8: pixels do, which a step puts
// together from every second element. More channels share fewer such vectors: two for six of them with 16 registers,
// three for eight with 32.

// AVX512: lanes d4 16x3, jam d3 8, {{.*}}reduce d5, d6, d7
// AVX2: lanes d4 8x2, jam d3 6, {{.*}}reduce d5, d6, d7
func.func @main(%x: tensor<4x3x224x224xf32>, %k: tensor<64x3x7x7xf32>) -> tensor<4x64x112x112xf32> {
  %0 = xla.convolution(%x, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 2], pad = [[2, 3], [2, 3]]} {feature_group_count = 1, batch_group_count = 1} : (tensor<4x3x224x224xf32>, tensor<64x3x7x7xf32>) -> tensor<4x64x112x112xf32>
  return %0 : tensor<4x64x112x112xf32>
}

// -----

// Nor do they where the sums are stored as f16, and are no running values in memory.
// AVX512: lanes d4 16x3, jam d3 8, {{.*}}reduce d5, d6, d7
// AVX2: lanes d4 8x2, jam d3 6, {{.*}}reduce d5, d6, d7
func.func @main(%x: tensor<4x3x224x224xf16>, %k: tensor<64x3x7x7xf16>) -> tensor<4x64x112x112xf16> {
  %0 = xla.convolution(%x, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 2], pad = [[2, 3], [2, 3]]} {feature_group_count = 1, batch_group_count = 1} : (tensor<4x3x224x224xf16>, tensor<64x3x7x7xf16>) -> tensor<4x64x112x112xf16>
  return %0 : tensor<4x64x112x112xf16>
}
