// RUN: xla-opt %s --split-input-file --to=kernels | FileCheck %s
// Which dimension goes to vector lanes, and how many of them.

// Neighbouring dimensions that all addresses walk alike are one; its lanes fill a register.
// CHECK: xla_rt.plans = [#xla_rt.nest<1x1000, lanes d1 16x1>]
func.func @main(%x: tensor<10x100xf32>) -> tensor<10x100xf32> {
  %0 = xla.negate %x : tensor<10x100xf32>
  return %0 : tensor<10x100xf32>
}

// -----

// The widest element decides.
// CHECK: xla_rt.plans = [#xla_rt.nest<1000, lanes d0 8x1>]
func.func @main(%x: tensor<1000xf32>) -> tensor<1000xf64> {
  %0 = xla.convert %x : (tensor<1000xf32>) -> tensor<1000xf64>
  return %0 : tensor<1000xf64>
}

// -----

// Bytes are computed in lanes of 16 bits.
// CHECK: xla_rt.plans = [#xla_rt.nest<1000, lanes d0 32x1>]
func.func @main(%x: tensor<1000xi8>) -> tensor<1000xi8> {
  %0 = xla.not %x : tensor<1000xi8>
  return %0 : tensor<1000xi8>
}

// -----

// Vectors of each of the parts of complex numbers.
// CHECK: xla_rt.plans = [#xla_rt.nest<1000, lanes d0 16x1>]
func.func @main(%x: tensor<1000xcomplex<f32>>) -> tensor<1000xcomplex<f32>> {
  %0 = xla.negate %x : tensor<1000xcomplex<f32>>
  return %0 : tensor<1000xcomplex<f32>>
}

// -----

// Of too few rows for a transposition in registers, lanes are scattered: of all rows in one step, which fills lines.
// CHECK: xla_rt.plans = [#xla_rt.nest<64x3, lanes d0 16x4, jam d1 3>]
func.func @main(%x: tensor<3x64xf32>) -> tensor<64x3xf32> {
  %0 = xla.transpose %x, dims = [1, 0] : (tensor<3x64xf32>) -> tensor<64x3xf32>
  return %0 : tensor<64x3xf32>
}

// -----

// The other way round, too,
// CHECK: xla_rt.plans = [#xla_rt.nest<3x64, lanes d1 16x4, jam d0 3>]
func.func @main(%x: tensor<64x3xf32>) -> tensor<3x64xf32> {
  %0 = xla.transpose %x, dims = [1, 0] : (tensor<64x3xf32>) -> tensor<3x64xf32>
  return %0 : tensor<3x64xf32>
}

// -----

// but short rows that are far apart in what is read are vectors of their own,
// CHECK: xla_rt.plans = [#xla_rt.nest<64x50x3, lanes d2 4x1, work d0, d1>]
func.func @main(%x: tensor<50x64x3xf32>) -> tensor<64x50x3xf32> {
  %0 = xla.transpose %x, dims = [1, 0, 2] : (tensor<50x64x3xf32>) -> tensor<64x50x3xf32>
  return %0 : tensor<64x50x3xf32>
}

// -----

// and those that are repeated are stored several times in a step.
// CHECK: xla_rt.plans = [#xla_rt.nest<500x2x3, lanes d2 4x1, jam d1 2, work d0>]
func.func @main(%x: tensor<500x3xf32>) -> tensor<500x2x3xf32> {
  %0 = xla.broadcast_in_dim %x, dims = [0, 2] : (tensor<500x3xf32>) -> tensor<500x2x3xf32>
  return %0 : tensor<500x2x3xf32>
}

// -----

// A dimension of few elements deserves narrow vectors,
// CHECK: xla_rt.plans = [#xla_rt.nest<300x3, lanes d1 4x1, work d0>]
func.func @main(%x: tensor<300x3xf64>, %y: tensor<300xf64>) -> tensor<300x3xf64> {
  %b = xla.broadcast_in_dim %y, dims = [0] : (tensor<300xf64>) -> tensor<300x3xf64>
  %0 = xla.add %x, %b : tensor<300x3xf64>
  return %0 : tensor<300x3xf64>
}

// -----

// but where these are less than a quarter of a register, the other one fills it.
// CHECK: xla_rt.plans = [#xla_rt.nest<300x3, lanes d0 16x1, jam d1 3>]
func.func @main(%x: tensor<300x3xf32>, %y: tensor<300xf32>) -> tensor<300x3xf32> {
  %b = xla.broadcast_in_dim %y, dims = [0] : (tensor<300xf32>) -> tensor<300x3xf32>
  %0 = xla.add %x, %b : tensor<300x3xf32>
  return %0 : tensor<300x3xf32>
}

// -----

// Many short rows are one dimension, of which a step takes whole rows.
// CHECK: xla_rt.plans = [#xla_rt.nest<1x3000, lanes d1 16x3>]
func.func @main(%x: tensor<1000x3xf32>, %y: tensor<1000xf32>) -> tensor<1000x3xf32> {
  %b = xla.broadcast_in_dim %y, dims = [0] : (tensor<1000xf32>) -> tensor<1000x3xf32>
  %0 = xla.add %x, %b : tensor<1000x3xf32>
  return %0 : tensor<1000x3xf32>
}

// -----

// So they are where indices are among the values.
// CHECK: xla_rt.plans = [#xla_rt.nest<1x3000, lanes d1 16x3>]
func.func @main(%x: tensor<1000x3xf32>) -> tensor<1000x3xf32> {
  %i = xla.iota dim = 0 : tensor<1000x3xf32>
  %j = xla.iota dim = 1 : tensor<1000x3xf32>
  %0 = xla.multiply %x, %j : tensor<1000x3xf32>
  %1 = xla.add %0, %i : tensor<1000x3xf32>
  return %1 : tensor<1000x3xf32>
}

// -----

// Where much is computed of each element, five vectors of whole rows would be long code: vectors of other rows, which are full, though
// results are stored one by one.
// CHECK: xla_rt.plans = [#xla_rt.nest<1000x5, lanes d0 16x1, work d1, masked, distribute 32>]
func.func @main(%key: tensor<1000xf32>) -> tensor<1000x5xf32> {
  %k = xla.broadcast_in_dim %key, dims = [0] : (tensor<1000xf32>) -> tensor<1000x5xf32>
  %i = xla.iota dim = 1 : tensor<1000x5xf32>
  %0 = xla.add %k, %i : tensor<1000x5xf32>
  %1 = xla.sine %0 : tensor<1000x5xf32>
  %2 = xla.exponential %1 : tensor<1000x5xf32>
  %3 = xla.tanh %2 : tensor<1000x5xf32>
  %4 = xla.log_plus_one %3 : tensor<1000x5xf32>
  %5 = xla.sine %4 : tensor<1000x5xf32>
  %6 = xla.exponential %5 : tensor<1000x5xf32>
  return %6 : tensor<1000x5xf32>
}

// -----

// Four elements of a row fill one vector with others.
// CHECK: xla_rt.plans = [#xla_rt.nest<1x4000, lanes d1 16x1, distribute 32>]
func.func @main(%key: tensor<1000xf32>) -> tensor<1000x4xf32> {
  %k = xla.broadcast_in_dim %key, dims = [0] : (tensor<1000xf32>) -> tensor<1000x4xf32>
  %i = xla.iota dim = 1 : tensor<1000x4xf32>
  %0 = xla.add %k, %i : tensor<1000x4xf32>
  %1 = xla.sine %0 : tensor<1000x4xf32>
  %2 = xla.exponential %1 : tensor<1000x4xf32>
  %3 = xla.tanh %2 : tensor<1000x4xf32>
  %4 = xla.log_plus_one %3 : tensor<1000x4xf32>
  %5 = xla.sine %4 : tensor<1000x4xf32>
  %6 = xla.exponential %5 : tensor<1000x4xf32>
  return %6 : tensor<1000x4xf32>
}

// -----

// Not what is far from each other in memory.
// CHECK: xla_rt.plans = [#xla_rt.nest<1000x3, lanes d0 16x1, jam d1 3>]
func.func @main(%x: tensor<3x1000xf32>, %y: tensor<1000xf32>) -> tensor<1000x3xf32> {
  %t = xla.transpose %x, dims = [1, 0] : (tensor<3x1000xf32>) -> tensor<1000x3xf32>
  %b = xla.broadcast_in_dim %y, dims = [0] : (tensor<1000xf32>) -> tensor<1000x3xf32>
  %0 = xla.add %t, %b : tensor<1000x3xf32>
  return %0 : tensor<1000x3xf32>
}

// -----

// Of a long reduction, lanes that are all full, though results are not neighbours along them.
// CHECK: xla_rt.plans = [#xla_rt.nest<100x3x64, lanes d0 16x4, {{.*}}reduce d2
func.func @main(%w: tensor<64x100xf32>, %x: tensor<64x3xf32>) -> tensor<100x3xf32> {
  %0 = xla.dot_general %w, %x, contracting_dims = [0] x [0] : (tensor<64x100xf32>, tensor<64x3xf32>) -> tensor<100x3xf32>
  return %0 : tensor<100x3xf32>
}

// -----

// Whatever is reversed is contiguous, too.
// CHECK: xla_rt.plans = [#xla_rt.nest<8x100, lanes d1 16x1, work d0>]
func.func @main(%x: tensor<8x100xf32>) -> tensor<8x100xf32> {
  %0 = xla.reverse %x, dims = [1] : tensor<8x100xf32>
  return %0 : tensor<8x100xf32>
}

// -----

// Index arithmetic of 64 bits beside narrower data does not halve the lanes.
// CHECK: xla_rt.plans = [#xla_rt.nest<100, lanes d0 16x1>]
func.func @main(%x: tensor<100xf32>) -> tensor<100xf32> {
  %i = xla.iota dim = 0 : tensor<100xi64>
  %c = xla.constant dense<7> : tensor<100xi64>
  %p = xla.compare LT, %i, %c : (tensor<100xi64>, tensor<100xi64>) -> tensor<100xi1>
  %n = xla.negate %x : tensor<100xf32>
  %0 = xla.select %p, %n, %x : (tensor<100xi1>, tensor<100xf32>, tensor<100xf32>) -> tensor<100xf32>
  return %0 : tensor<100xf32>
}

// -----

// Without a dimension along which anything is contiguous, the one that the result is written along.
// CHECK: xla_rt.plans = [#xla_rt.nest<1x640, lanes d1 16x1>]
func.func @main(%x: tensor<16x40x100xf32>) -> tensor<16x40xf32> {
  %s = xla.slice %x [0:16:1, 0:40:1, 7:8:1] : (tensor<16x40x100xf32>) -> tensor<16x40x1xf32>
  %0 = xla.reshape %s : (tensor<16x40x1xf32>) -> tensor<16x40xf32>
  return %0 : tensor<16x40xf32>
}

// -----

// Fewer elements than half of the lanes: scalars, if one is left.
// CHECK: xla_rt.plans = [#xla_rt.nest<1>]
func.func @main(%x: tensor<1xf32>) -> tensor<1xf32> {
  %0 = xla.negate %x : tensor<1xf32>
  return %0 : tensor<1xf32>
}

// -----

// Lanes along the columns of the result would read lines that are 64 KiB apart, none of them twice. The factor that
// lanes along the rows gather is shared by all columns, so that more of them share fewer vectors.
// CHECK: xla_rt.plans = [#xla_rt.nest<256x32x64, lanes d0 16x3, jam d1 8, reduce d2, cut d0 48>]
func.func @main(%x: tensor<256x64xf32>, %y: tensor<32x64x256xf32>) -> tensor<256x32xf32> {
  %0 = xla.dot_general %x, %y, batching_dims = [0] x [2], contracting_dims = [1] x [1] : (tensor<256x64xf32>, tensor<32x64x256xf32>) -> tensor<256x32xf32>
  return %0 : tensor<256x32xf32>
}

// -----

// The three components of a force have the same exponential: lanes are bodies, whose coordinates are not neighbours.
// CHECK: xla_rt.plans = [#xla_rt.nest<200x3x200, lanes d0 8x1, jam d1 3, reduce d2, cut d0 8>]
func.func @main(%x: tensor<200x3xf64>) -> tensor<200x3xf64> {
  %zero = xla.constant dense<0.0> : tensor<f64>
  %rows = xla.broadcast_in_dim %x, dims = [1, 2] : (tensor<200x3xf64>) -> tensor<200x200x3xf64>
  %columns = xla.broadcast_in_dim %x, dims = [0, 2] : (tensor<200x3xf64>) -> tensor<200x200x3xf64>
  %apart = xla.subtract %rows, %columns : tensor<200x200x3xf64>
  %squares = xla.multiply %apart, %apart : tensor<200x200x3xf64>
  %far = xla.reduce(%squares init: %zero) applies xla.add across dimensions = [2] : (tensor<200x200x3xf64>, tensor<f64>) -> tensor<200x200xf64>
  %near = xla.negate %far : tensor<200x200xf64>
  %strength = xla.exponential %near : tensor<200x200xf64>
  %strengths = xla.broadcast_in_dim %strength, dims = [0, 1] : (tensor<200x200xf64>) -> tensor<200x200x3xf64>
  %forces = xla.multiply %strengths, %apart : tensor<200x200x3xf64>
  %sums = xla.reduce(%forces init: %zero) applies xla.add across dimensions = [1] : (tensor<200x200x3xf64>, tensor<f64>) -> tensor<200x3xf64>
  return %sums : tensor<200x3xf64>
}

// -----

// Three channels would leave most lanes empty: lanes are the pixels, whose results are stored three elements apart.
// CHECK: xla_rt.plans = [#xla_rt.nest<8x1x2304x3, lanes d2 16x1, jam d3 3, work d0>]
func.func @main(%x: tensor<8x3x48x48xf32>) -> tensor<8x48x48x3xbf16> {
  %0 = xla.transpose %x, dims = [0, 2, 3, 1] : (tensor<8x3x48x48xf32>) -> tensor<8x48x48x3xf32>
  %1 = xla.convert %0 : (tensor<8x48x48x3xf32>) -> tensor<8x48x48x3xbf16>
  return %1 : tensor<8x48x48x3xbf16>
}

// -----

// With more of them, vectors along the channels are full.
// CHECK: xla_rt.plans = [#xla_rt.nest<8x1x2304x16, lanes d3 16x1
func.func @main(%x: tensor<8x16x48x48xf32>) -> tensor<8x48x48x16xbf16> {
  %0 = xla.transpose %x, dims = [0, 2, 3, 1] : (tensor<8x16x48x48xf32>) -> tensor<8x48x48x16xf32>
  %1 = xla.convert %0 : (tensor<8x48x48x16xf32>) -> tensor<8x48x48x16xbf16>
  return %1 : tensor<8x48x48x16xbf16>
}

// -----

// Pixels that are read at places that data decide are copied as vectors of their own, if nothing else takes longer.
// CHECK: xla_rt.plans = [#xla_rt.nest<1000x3, lanes d1 4x1, work d0>]
func.func @main(%x: tensor<500x3xf32>, %i: tensor<1000x1xi32>) -> tensor<1000x3xf32> {
  %0 = "xla.gather"(%x, %i) <{dimension_numbers = #xla.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<500x3xf32>, tensor<1000x1xi32>) -> tensor<1000x3xf32>
  return %0 : tensor<1000x3xf32>
}

// -----

// Where they are takes longer to compute: for one after the other in lanes along the pixels.
// CHECK: xla_rt.plans = [#xla_rt.nest<1000x3, lanes d0 16x1, work d1, masked, distribute 32>]
func.func @main(%x: tensor<500x3xf32>, %y: tensor<1000xf32>) -> tensor<1000x3xf32> {
  %a = xla.sine %y : tensor<1000xf32>
  %b = xla.exponential %a : tensor<1000xf32>
  %c = xla.convert %b : (tensor<1000xf32>) -> tensor<1000xi32>
  %i = xla.reshape %c : (tensor<1000xi32>) -> tensor<1000x1xi32>
  %0 = "xla.gather"(%x, %i) <{dimension_numbers = #xla.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<500x3xf32>, tensor<1000x1xi32>) -> tensor<1000x3xf32>
  return %0 : tensor<1000x3xf32>
}

// -----

// Rows of pairs fill less than a quarter of the lanes: one vector along the other dimension, and results stored two
// elements apart, take fewer steps. 25 pairs are 25 steps as rows, and 4 as lanes.
// CHECK: xla_rt.plans = [#xla_rt.nest<25x25x2, lanes d1 16x1, jam d2 2, work d0>]
func.func @main(%x: tensor<25x2xf32>) -> tensor<25x25x2xf32> {
  %a = xla.broadcast_in_dim %x, dims = [0, 2] : (tensor<25x2xf32>) -> tensor<25x25x2xf32>
  %b = xla.broadcast_in_dim %x, dims = [1, 2] : (tensor<25x2xf32>) -> tensor<25x25x2xf32>
  %0 = xla.subtract %a, %b : tensor<25x25x2xf32>
  return %0 : tensor<25x25x2xf32>
}

// -----

// 12 of them are no vector.
// CHECK: xla_rt.plans = [#xla_rt.nest<12x12x2, lanes d2 2x1, work d0, d1>]
func.func @main(%x: tensor<12x2xf32>) -> tensor<12x12x2xf32> {
  %a = xla.broadcast_in_dim %x, dims = [0, 2] : (tensor<12x2xf32>) -> tensor<12x12x2xf32>
  %b = xla.broadcast_in_dim %x, dims = [1, 2] : (tensor<12x2xf32>) -> tensor<12x12x2xf32>
  %0 = xla.subtract %a, %b : tensor<12x12x2xf32>
  return %0 : tensor<12x12x2xf32>
}

// -----

// What is broadcast along rows is read again and again, and does not decide: the larger operand is transposed.
// CHECK: xla_rt.plans = [#xla_rt.nest<768x512, lanes d1 16x1, jam d0 {{[0-9]+}}, {{.*}}transpose 4
func.func @main(%x: tensor<512x768xf32>, %scale: tensor<768xf32>, %bias: tensor<768xf32>) -> tensor<768x512xf32> {
  %s = xla.broadcast_in_dim %scale, dims = [1] : (tensor<768xf32>) -> tensor<512x768xf32>
  %b = xla.broadcast_in_dim %bias, dims = [1] : (tensor<768xf32>) -> tensor<512x768xf32>
  %0 = xla.multiply %x, %s : tensor<512x768xf32>
  %1 = xla.add %0, %b : tensor<512x768xf32>
  %2 = xla.transpose %1, dims = [1, 0] : (tensor<512x768xf32>) -> tensor<768x512xf32>
  return %2 : tensor<768x512xf32>
}

// -----

// A number of 64 bits that is the same for all elements is no reason for fewer lanes.
// CHECK: xla_rt.plans = [#xla_rt.nest<1000, lanes d0 16x1>]
func.func @main(%x: tensor<1000xf32>, %n: tensor<i64>) -> tensor<1000xf32> {
  %two = xla.constant dense<2> : tensor<i64>
  %0 = xla.multiply %n, %two : tensor<i64>
  %1 = xla.convert %0 : (tensor<i64>) -> tensor<f32>
  %2 = xla.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<1000xf32>
  %3 = xla.add %x, %2 : tensor<1000xf32>
  return %3 : tensor<1000xf32>
}
