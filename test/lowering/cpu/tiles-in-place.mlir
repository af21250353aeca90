// RUN: xla-opt %s --split-input-file --to=kernels | FileCheck %s
// RUN: xla-opt %s --split-input-file --to=kernels=vector-bits=256 | FileCheck %s --check-prefix=AVX2
// Products of floats whose columns are neighbours in memory: tiles that read them where they are, or pack blocks of them.

// Blocks of rows, columns, steps and sums in the second-level cache. Steps of 4096 bytes fall on the same lines of it: packed.
// CHECK: xla_rt.plans = [#xla_rt.tiles<1024x1024x1024, m d0 96, n d1 128, k d2 1024, register 6x4, lanes 16, instruction fma, pack b, prefetch 8>]
// AVX2: xla_rt.plans = [#xla_rt.tiles<1024x1024x1024, m d0 96, n d1 64, k d2 1024, register 6x2, lanes 8, instruction fma, pack b, prefetch 8>]
func.func @main(%x: tensor<1024x1024xf32>, %y: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %0 : tensor<1024x1024xf32>
}

// -----

// Less of them, so that there are enough items.
// CHECK: xla_rt.plans = [#xla_rt.tiles<256x256x256, m d0 48, n d1 64, k d2 256, register 6x4, lanes 16, instruction fma>]
// AVX2: xla_rt.plans = [#xla_rt.tiles<256x256x256, m d0 90, n d1 32, k d2 256, register 6x2, lanes 8, instruction fma>]
func.func @main(%x: tensor<256x256xf32>, %y: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  return %0 : tensor<256x256xf32>
}

// -----

// Few rows: the columns are read in order, in long runs where that is many for a narrow tile.
// CHECK: xla_rt.plans = [#xla_rt.tiles<8x2048x2048, m d0 8, n d1 256, k d2 8, register 4x4, lanes 16, instruction fma>]
// AVX2: xla_rt.plans = [#xla_rt.tiles<8x2048x2048, m d0 8, n d1 512, k d2 8, register 4x2, lanes 8, instruction fma>]
func.func @main(%x: tensor<8x2048xf32>, %y: tensor<2048x2048xf32>) -> tensor<8x2048xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<8x2048xf32>, tensor<2048x2048xf32>) -> tensor<8x2048xf32>
  return %0 : tensor<8x2048xf32>
}

// -----

// The same of wider rows. A step of a narrow tile would read a line of a page: its columns are packed, pages of each.
// CHECK: xla_rt.plans = [#xla_rt.tiles<16x4096x1024, m d0 16, n d1 512, k d2 8, register 4x4, lanes 16, instruction fma>]
// AVX2: xla_rt.plans = [#xla_rt.tiles<16x4096x1024, m d0 16, n d1 1024, k d2 64, register 4x2, lanes 8, instruction fma, pack b>]
func.func @main(%x: tensor<16x1024xf32>, %y: tensor<1024x4096xf32>) -> tensor<16x4096xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<16x1024xf32>, tensor<1024x4096xf32>) -> tensor<16x4096xf32>
  return %0 : tensor<16x4096xf32>
}

// -----

// Wider elements, whose steps are as far apart.
// CHECK: xla_rt.plans = [#xla_rt.tiles<512x512x512, m d0 90, n d1 32, k d2 512, register 6x4, lanes 8, instruction fma, pack b, prefetch 8>]
// AVX2: xla_rt.plans = [#xla_rt.tiles<512x512x512, m d0 90, n d1 32, k d2 512, register 6x2, lanes 4, instruction fma, pack b>]
func.func @main(%x: tensor<512x512xf64>, %y: tensor<512x512xf64>) -> tensor<512x512xf64> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<512x512xf64>, tensor<512x512xf64>) -> tensor<512x512xf64>
  return %0 : tensor<512x512xf64>
}

// -----

// Vectors of columns that reach across lines are packed.
// CHECK: xla_rt.plans = [#xla_rt.tiles<1021x1025x1023, m d0 96, n d1 128, k d2 1024, register 6x4, lanes 16, instruction fma, pack b, prefetch 8>]
// AVX2: xla_rt.plans = [#xla_rt.tiles<1021x1025x1023, m d0 96, n d1 64, k d2 1024, register 6x2, lanes 8, instruction fma, pack b, prefetch 8>]
func.func @main(%x: tensor<1021x1023xf32>, %y: tensor<1023x1025xf32>) -> tensor<1021x1025xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<1021x1023xf32>, tensor<1023x1025xf32>) -> tensor<1021x1025xf32>
  return %0 : tensor<1021x1025xf32>
}

// -----

// Columns that stay in the caches, of one product or a batch of them, are none for tiles.
// CHECK-NOT: #xla_rt.tiles
// AVX2-NOT: #xla_rt.tiles
func.func @main(%x: tensor<96x64xf32>, %y: tensor<64x192xf32>) -> tensor<96x192xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<96x64xf32>, tensor<64x192xf32>) -> tensor<96x192xf32>
  return %0 : tensor<96x192xf32>
}

// -----

// CHECK-NOT: #xla_rt.tiles
// AVX2-NOT: #xla_rt.tiles
func.func @main(%x: tensor<5x96x64xf32>, %y: tensor<5x64x192xf32>) -> tensor<5x96x192xf32> {
  %0 = xla.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<5x96x64xf32>, tensor<5x64x192xf32>) -> tensor<5x96x192xf32>
  return %0 : tensor<5x96x192xf32>
}

// -----

// Columns along which steps are neighbours are packed by tiles, transposed. Items of neighbouring rows share them.
// CHECK: xla_rt.plans = [#xla_rt.tiles<512x512x512, m d0 90, n d1 64, k d2 512, register 6x4, lanes 16, instruction fma, pack b, prefetch 8>]
// AVX2: xla_rt.plans = [#xla_rt.tiles<512x512x512, m d0 90, n d1 32, k d2 512, register 6x2, lanes 8, instruction fma, pack b>]
func.func @main(%x: tensor<512x512xf32>, %y: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [1] : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}

// -----

// So are rows along which steps are far apart, of all columns that stay in the second-level cache.
// CHECK: xla_rt.plans = [#xla_rt.tiles<768x512x1024, m d0 96, n d1 512, k d2 128, register 6x4, lanes 16, instruction fma, pack a>]
// AVX2: xla_rt.plans = [#xla_rt.tiles<768x512x1024, m d0 192, n d1 256, k d2 256, register 6x2, lanes 8, instruction fma, pack a, b>]
func.func @main(%x: tensor<1024x768xf32>, %y: tensor<1024x512xf32>) -> tensor<768x512xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<1024x768xf32>, tensor<1024x512xf32>) -> tensor<768x512xf32>
  return %0 : tensor<768x512xf32>
}

// -----

// Both.
// CHECK: xla_rt.plans = [#xla_rt.tiles<768x512x1024, m d0 192, n d1 256, k d2 256, register 6x4, lanes 16, instruction fma, pack a, b>]
// AVX2: xla_rt.plans = [#xla_rt.tiles<768x512x1024, m d0 192, n d1 256, k d2 256, register 6x2, lanes 8, instruction fma, pack a, b>]
func.func @main(%x: tensor<1024x768xf32>, %y: tensor<512x1024xf32>) -> tensor<768x512xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [0] x [1] : (tensor<1024x768xf32>, tensor<512x1024xf32>) -> tensor<768x512xf32>
  return %0 : tensor<768x512xf32>
}

// -----

// Large columns of many rows are packed, block by block, and need no memory of the program.
// CHECK-NOT: tensor<32x2048x64xf32>
// CHECK: xla_rt.plans = [#xla_rt.tiles<512x2048x2048, m d0 258, n d1 128, k d2 512, register 6x4, lanes 16, instruction fma, pack b, prefetch 8>]
// AVX2: xla_rt.plans = [#xla_rt.tiles<512x2048x2048, m d0 258, n d1 128, k d2 512, register 6x2, lanes 8, instruction fma, pack b>]
func.func @main(%x: tensor<512x2048xf32>, %y: tensor<2048x2048xf32>) -> tensor<512x2048xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<512x2048xf32>, tensor<2048x2048xf32>) -> tensor<512x2048xf32>
  return %0 : tensor<512x2048xf32>
}

// -----

// Rows of several dimensions that are one in memory. They stream by a block of columns that is packed once.
// CHECK: xla_rt.plans = [#xla_rt.tiles<1x6272x256x256, m d1 252, n d2 256, k d3 256, register 6x4, lanes 16, instruction fma, pack b, prefetch 8>]
// AVX2: xla_rt.plans = [#xla_rt.tiles<1x6272x256x256, m d1 252, n d2 256, k d3 256, register 6x2, lanes 8, instruction fma, pack b>]
func.func @main(%x: tensor<224x28x256xf32>, %y: tensor<256x256xf32>) -> tensor<224x28x256xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [2] x [0] : (tensor<224x28x256xf32>, tensor<256x256xf32>) -> tensor<224x28x256xf32>
  return %0 : tensor<224x28x256xf32>
}

// -----

// A convolution whose kernel is large: rows are pixels, packed with the padding around them, and the kernel is read once
// for each block of them.
// CHECK: xla_rt.plans = [#xla_rt.tiles<49x512x4608, m d0 49, n d1 128, k d2 128, register 7x2, lanes 16, instruction fma, pack a>]
// AVX2: xla_rt.plans = [#xla_rt.tiles<49x512x4608, m d0 50, n d1 128, k d2 128, register 5x2, lanes 8, instruction fma, pack a>]
func.func @main(%x: tensor<1x7x7x512xf32>, %k: tensor<3x3x512x512xf32>) -> tensor<1x7x7x512xf32> {
  %0 = xla.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} : (tensor<1x7x7x512xf32>, tensor<3x3x512x512xf32>) -> tensor<1x7x7x512xf32>
  return %0 : tensor<1x7x7x512xf32>
}

// -----

// Columns of 1 MiB, of which a narrow tile would read a line of a page each. Many rows read what is packed.
// CHECK: xla_rt.plans = [#xla_rt.tiles<512x512x512, m d0 90, n d1 64, k d2 512, register 6x4, lanes 16, instruction fma, pack b, prefetch 8>]
// AVX2: xla_rt.plans = [#xla_rt.tiles<512x512x512, m d0 90, n d1 32, k d2 512, register 6x2, lanes 8, instruction fma, pack b>]
func.func @main(%x: tensor<512x512xf32>, %y: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}

// -----

// Steps that fall on other lines of the first-level cache stay there, more of them.
// CHECK: xla_rt.plans = [#xla_rt.tiles<17x3000x5000, m d0 18, n d1 384, k d2 16, register 6x4, lanes 16, instruction fma>]
// AVX2: xla_rt.plans = [#xla_rt.tiles<17x3000x5000, {{.*}} pack b>]
func.func @main(%x: tensor<17x5000xf32>, %y: tensor<5000x3000xf32>) -> tensor<17x3000xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<17x5000xf32>, tensor<5000x3000xf32>) -> tensor<17x3000xf32>
  return %0 : tensor<17x3000xf32>
}

// -----

// Of 130 columns, three tiles of 48 compute less than three of 64; rows that are few blocks are four.
// CHECK: xla_rt.plans = [#xla_rt.tiles<500x130x2048, m d0 125, n d1 144, k d2 256, register 5x3, lanes 16, instruction fma, pack a, b>]
// AVX2: xla_rt.plans = [#xla_rt.tiles<500x130x2048, {{.*}} pack a, b>]
func.func @main(%x: tensor<2048x500xf32>, %y: tensor<130x2048xf32>) -> tensor<500x130xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [0] x [1] : (tensor<2048x500xf32>, tensor<130x2048xf32>) -> tensor<500x130xf32>
  return %0 : tensor<500x130xf32>
}

// -----

// Results that would be one block are four, for as many cores.
// CHECK: xla_rt.plans = [#xla_rt.tiles<130x100x3000, m d0 66, n d1 64, k d2 500, register 6x4, lanes 16, instruction fma, pack b, prefetch 8>]
// AVX2: xla_rt.plans = [#xla_rt.tiles<130x100x3000,
func.func @main(%x: tensor<130x3000xf32>, %y: tensor<3000x100xf32>) -> tensor<130x100xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<130x3000xf32>, tensor<3000x100xf32>) -> tensor<130x100xf32>
  return %0 : tensor<130x100xf32>
}

// -----

// Many results of long sums need no partial sums.
// CHECK: xla_rt.plans = [#xla_rt.tiles<130x1021x5000, m d0 132, n d1 128, k d2 500, register 6x4, lanes 16, instruction fma, pack b, prefetch 8>]
// AVX2: xla_rt.plans = [#xla_rt.tiles<130x1021x5000, {{.*}} pack b>]
func.func @main(%x: tensor<130x5000xf32>, %y: tensor<1021x5000xf32>) -> tensor<130x1021xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [1] : (tensor<130x5000xf32>, tensor<1021x5000xf32>) -> tensor<130x1021xf32>
  return %0 : tensor<130x1021xf32>
}

// -----

// Few rows of few columns are two items.
// CHECK: xla_rt.plans = [#xla_rt.tiles<16x128x4096, m d0 16, n d1 64, k d2 32
func.func @main(%x: tensor<16x4096xf32>, %y: tensor<4096x128xf32>) -> tensor<16x128xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<16x4096xf32>, tensor<4096x128xf32>) -> tensor<16x128xf32>
  return %0 : tensor<16x128xf32>
}
