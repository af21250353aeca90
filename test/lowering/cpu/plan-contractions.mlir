// RUN: xla-opt %s --split-input-file --to=kernels | FileCheck %s
// Register tiles of matrix products and convolutions.

// A register tile: six rows by four vectors, of 32 registers. Work is cut along the columns.
// CHECK: xla_rt.plans = [#xla_rt.nest<96x192x64, lanes d1 16x4, jam d0 6, reduce d2, cut d1 64>]
func.func @main(%x: tensor<96x64xf32>, %y: tensor<64x192xf32>) -> tensor<96x192xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<96x64xf32>, tensor<64x192xf32>) -> tensor<96x192xf32>
  return %0 : tensor<96x192xf32>
}

// -----

// Many rows are cut, too; the last step along them overlaps, and of that along the columns there is a copy.
// CHECK: xla_rt.plans = [#xla_rt.nest<1000x200x64, lanes d1 16x4, jam d0 6, reduce d2, cut d1 64, cut d0 120, overlap>]
func.func @main(%x: tensor<1000x64xf32>, %y: tensor<64x200xf32>) -> tensor<1000x200xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<1000x64xf32>, tensor<64x200xf32>) -> tensor<1000x200xf32>
  return %0 : tensor<1000x200xf32>
}

// -----

// One vector of columns leaves registers for 24 rows.
// CHECK: xla_rt.plans = [#xla_rt.nest<96x16x100, lanes d1 16x1, jam d0 24, reduce d2>]
func.func @main(%x: tensor<96x100xf32>, %y: tensor<100x16xf32>) -> tensor<96x16xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<96x100xf32>, tensor<100x16xf32>) -> tensor<96x16xf32>
  return %0 : tensor<96x16xf32>
}

// -----

// Of rows 4 KiB apart the first-level cache holds eight lines.
// CHECK: xla_rt.plans = [#xla_rt.nest<96x16x1024, lanes d1 16x1, jam d0 8, reduce d2, cut d0 8>]
func.func @main(%x: tensor<96x1024xf32>, %y: tensor<1024x16xf32>) -> tensor<96x16xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<96x1024xf32>, tensor<1024x16xf32>) -> tensor<96x16xf32>
  return %0 : tensor<96x16xf32>
}

// -----

// A matrix times a vector: partial results in lanes, four rows share the vector.
// CHECK: xla_rt.plans = [#xla_rt.nest<64x1000, lanes d1 16x1, jam d0 4>]
func.func @main(%x: tensor<64x1000xf32>, %y: tensor<1000xf32>) -> tensor<64xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<64x1000xf32>, tensor<1000xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

// Batches are loops.
// CHECK: xla_rt.plans = [#xla_rt.nest<5x96x192x64, lanes d2 16x4, jam d1 6, work d0, reduce d3, cut d2 64>]
func.func @main(%x: tensor<5x96x64xf32>, %y: tensor<5x64x192xf32>) -> tensor<5x96x192xf32> {
  %0 = xla.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<5x96x64xf32>, tensor<5x64x192xf32>) -> tensor<5x96x192xf32>
  return %0 : tensor<5x96x192xf32>
}

// -----

// The sum of exponentials is no register tile.
// CHECK: xla_rt.plans = [#xla_rt.nest<96x192x64, lanes d1 16x1, work d0, reduce d2>]
func.func @main(%x: tensor<96x64xf32>, %y: tensor<64x192xf32>) -> tensor<96x192xf32> {
  %a = xla.broadcast_in_dim %x, dims = [0, 1] : (tensor<96x64xf32>) -> tensor<96x64x192xf32>
  %b = xla.broadcast_in_dim %y, dims = [1, 2] : (tensor<64x192xf32>) -> tensor<96x64x192xf32>
  %s = xla.add %a, %b : tensor<96x64x192xf32>
  %e = xla.exponential %s : tensor<96x64x192xf32>
  %init = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.reduce(%e init: %init) applies xla.add across dimensions = [1] : (tensor<96x64x192xf32>, tensor<f32>) -> tensor<96x192xf32>
  return %0 : tensor<96x192xf32>
}

// -----

// The channels of a convolution are walked with the columns of its window, inside its rows.
// CHECK: xla_rt.plans = [#xla_rt.nest<2x18x18x64x48x3x1, lanes d3 16x4, jam d2 6, work d0, d1, reduce d5, d4>]
func.func @main(%x: tensor<2x20x20x16xf32>, %y: tensor<3x3x16x64xf32>) -> tensor<2x18x18x64xf32> {
  %0 = xla.convolution(%x, %y) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x20x20x16xf32>, tensor<3x3x16x64xf32>) -> tensor<2x18x18x64xf32>
  return %0 : tensor<2x18x18x64xf32>
}

// -----

// Bias and activation behind a contraction are in its nest. Two vectors of columns leave registers for twelve rows;
// eight load more for each product, and compute none of 64 twice.
// CHECK: xla_rt.plans = [#xla_rt.nest<64x32x100, lanes d1 16x2, jam d0 8, reduce d2>]
func.func @main(%x: tensor<64x100xf32>, %w: tensor<100x32xf32>, %b: tensor<32xf32>) -> tensor<64x32xf32> {
  %0 = xla.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x100xf32>, tensor<100x32xf32>) -> tensor<64x32xf32>
  %1 = xla.broadcast_in_dim %b, dims = [1] : (tensor<32xf32>) -> tensor<64x32xf32>
  %2 = xla.add %0, %1 : tensor<64x32xf32>
  %3 = xla.tanh %2 : tensor<64x32xf32>
  return %3 : tensor<64x32xf32>
}

// -----

// A row of seven pixels takes one step of half of the vectors: two of four would compute one in vain.
// CHECK: xla_rt.plans = [#xla_rt.nest<2x7x7x64x48x3x1, lanes d3 16x2, jam d2 7, work d0, d1, reduce d5, d4, cut d3 32>]
func.func @main(%x: tensor<2x9x9x16xf32>, %y: tensor<3x3x16x64xf32>) -> tensor<2x7x7x64xf32> {
  %0 = xla.convolution(%x, %y) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
    : (tensor<2x9x9x16xf32>, tensor<3x3x16x64xf32>) -> tensor<2x7x7x64xf32>
  return %0 : tensor<2x7x7x64xf32>
}

// -----

// The gradient of a kernel whose innermost dimension is the window: lanes are for channels, of which the gradient of the
// result has neighbours once it is transposed. Few rows are cut into many items.
// CHECK: xla_rt.plans = [#xla_rt.nest<2x1x1024x64, {{.*}} transpose 4>]
// CHECK: xla_rt.plans = [#xla_rt.nest<64x64x3x3x2x32x32, lanes d0 16x4, jam d1 6, work d2, d3, reduce d4, d5, d6, cut d1 12, overlap>]
func.func @main(%x: tensor<2x64x34x34xf32>, %g: tensor<2x64x32x32xf32>) -> tensor<64x64x3x3xf32> {
  %0 = xla.convolution(%x, %g) dim_numbers = [f, b, 0, 1]x[i, o, 0, 1]->[f, b, 0, 1], window = {}
    : (tensor<2x64x34x34xf32>, tensor<2x64x32x32xf32>) -> tensor<64x64x3x3xf32>
  return %0 : tensor<64x64x3x3xf32>
}

// -----

// A matrix of short rows times a vector reads rows as they are in memory, whatever is read once for each result.
// CHECK: xla_rt.plans = [#xla_rt.nest<200x16, lanes d1 16x1, jam d0 16, overlap>]
func.func @main(%x: tensor<200x16xf32>, %y: tensor<16xf32>, %z: tensor<200xf32>) -> tensor<200xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<200x16xf32>, tensor<16xf32>) -> tensor<200xf32>
  %1 = xla.subtract %0, %z : tensor<200xf32>
  return %1 : tensor<200xf32>
}

// -----

// A window of one row of pixels, whose elements are neighbours along all steps: rows are packed, so that nothing asks
// for padding at each of them.
// CHECK: xla_rt.plans = [#xla_rt.tiles<64x384x1152, {{.*}} pack a>]
func.func @main(%x: tensor<1x8x8x384xf32>, %k: tensor<1x3x384x384xf32>) -> tensor<1x8x8x384xf32> {
  %0 = xla.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[0, 0], [1, 1]]} {feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x384xf32>, tensor<1x3x384x384xf32>) -> tensor<1x8x8x384xf32>
  return %0 : tensor<1x8x8x384xf32>
}

// -----

// Columns 1024 bytes apart push each other out of the first-level cache: six rows, which read them less often, although
// the last step does most of its rows again; and four where they stay there.
// CHECK: xla_rt.plans = [#xla_rt.nest<128x128x128, lanes d1 8x4, jam d0 6, reduce d2, cut d1 32, cut d0 120, overlap>]
func.func @main(%x: tensor<128x128xf64>, %y: tensor<128x128xf64>) -> tensor<128x128xf64> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<128x128xf64>, tensor<128x128xf64>) -> tensor<128x128xf64>
  return %0 : tensor<128x128xf64>
}

// -----

// CHECK: xla_rt.plans = [#xla_rt.nest<64x64x64, lanes d1 8x4, jam d0 4, reduce d2, cut d1 32>]
func.func @main(%x: tensor<64x64xf64>, %y: tensor<64x64xf64>) -> tensor<64x64xf64> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<64x64xf64>, tensor<64x64xf64>) -> tensor<64x64xf64>
  return %0 : tensor<64x64xf64>
}
