// RUN: xla-opt %s --split-input-file --to=kernels | FileCheck %s
// Steps, blocks and transpositions of elementwise code.

// Long vectors are cut for the threads.
// CHECK: xla_rt.plans = [#xla_rt.nest<100000, lanes d0 16x1, cut d0 2048>]
func.func @main(%x: tensor<100000xf32>) -> tensor<100000xf32> {
  %0 = xla.negate %x : tensor<100000xf32>
  return %0 : tensor<100000xf32>
}

// -----

// Short ones are not.
// CHECK: xla_rt.plans = [#xla_rt.nest<4096, lanes d0 16x1>]
func.func @main(%x: tensor<4096xf32>) -> tensor<4096xf32> {
  %0 = xla.negate %x : tensor<4096xf32>
  return %0 : tensor<4096xf32>
}

// -----

// A few vectors in a row are one step; rows are loops.
// CHECK: xla_rt.plans = [#xla_rt.nest<1000x64, lanes d1 16x4, work d0>]
func.func @main(%x: tensor<1000x64xf32>, %y: tensor<64xf32>) -> tensor<1000x64xf32> {
  %b = xla.broadcast_in_dim %y, dims = [1] : (tensor<64xf32>) -> tensor<1000x64xf32>
  %0 = xla.add %x, %b : tensor<1000x64xf32>
  return %0 : tensor<1000x64xf32>
}

// -----

// Five vectors in a row are a loop.
// CHECK: xla_rt.plans = [#xla_rt.nest<1000x80, lanes d1 16x1, work d0>]
func.func @main(%x: tensor<1000x80xf32>, %y: tensor<80xf32>) -> tensor<1000x80xf32> {
  %b = xla.broadcast_in_dim %y, dims = [1] : (tensor<80xf32>) -> tensor<1000x80xf32>
  %0 = xla.add %x, %b : tensor<1000x80xf32>
  return %0 : tensor<1000x80xf32>
}

// -----

// Nor are four vectors of more arithmetic one step.
// CHECK: xla_rt.plans = [#xla_rt.nest<1000x64, lanes d1 16x1, work d0>]
func.func @main(%x: tensor<1000x64xf32>, %y: tensor<64xf32>) -> tensor<1000x64xf32> {
  %b = xla.broadcast_in_dim %y, dims = [1] : (tensor<64xf32>) -> tensor<1000x64xf32>
  %0 = xla.add %x, %b : tensor<1000x64xf32>
  %1 = xla.multiply %0, %b : tensor<1000x64xf32>
  %2 = xla.add %1, %b : tensor<1000x64xf32>
  %3 = xla.multiply %2, %b : tensor<1000x64xf32>
  %4 = xla.add %3, %b : tensor<1000x64xf32>
  %5 = xla.multiply %4, %b : tensor<1000x64xf32>
  %6 = xla.add %5, %b : tensor<1000x64xf32>
  %7 = xla.multiply %6, %b : tensor<1000x64xf32>
  %8 = xla.add %7, %b : tensor<1000x64xf32>
  return %8 : tensor<1000x64xf32>
}

// -----

// A transposition reads chunks of 128 bits along the other dimension.
// CHECK: xla_rt.plans = [#xla_rt.nest<64x128, lanes d1 16x1, jam d0 4, transpose 4>]
func.func @main(%x: tensor<128x64xf32>) -> tensor<64x128xf32> {
  %0 = xla.transpose %x, dims = [1, 0] : (tensor<128x64xf32>) -> tensor<64x128xf32>
  return %0 : tensor<64x128xf32>
}

// -----

// Two elements of 64 bits are a chunk, and large matrices are cut into blocks: of a line of what is read, if the caches
// hold it and the result is written past them, row after row.
// CHECK: xla_rt.plans = [#xla_rt.nest<1024x2048, lanes d1 8x1, jam d0 2, cut d1 512, cut d0 8, transpose 2, stream>]
func.func @main(%x: tensor<2048x1024xf64>) -> tensor<1024x2048xf64> {
  %0 = xla.transpose %x, dims = [1, 0] : (tensor<2048x1024xf64>) -> tensor<1024x2048xf64>
  return %0 : tensor<1024x2048xf64>
}

// -----

// Rows that do not follow each other have longer parts in an item.
// CHECK: xla_rt.plans = [#xla_rt.nest<80x40x40x32, lanes d3 16x1, jam d0 4, work d1, d2, cut d0 64, transpose 4, stream>]
func.func @main(%x: tensor<32x40x40x80xf32>) -> tensor<80x40x40x32xf32> {
  %0 = xla.transpose %x, dims = [3, 2, 1, 0] : (tensor<32x40x40x80xf32>) -> tensor<80x40x40x32xf32>
  return %0 : tensor<80x40x40x32xf32>
}

// -----

// Bytes are chunks of 16, and 64 of them a line. The last step begins early enough to be whole.
// CHECK: xla_rt.plans = [#xla_rt.nest<70x128, lanes d1 64x1, jam d0 16, overlap, transpose 16>]
func.func @main(%x: tensor<128x70xi8>) -> tensor<70x128xi8> {
  %0 = xla.transpose %x, dims = [1, 0] : (tensor<128x70xi8>) -> tensor<70x128xi8>
  return %0 : tensor<70x128xi8>
}

// -----

// Fewer lanes, if there are not so many neighbours.
// CHECK: xla_rt.plans = [#xla_rt.nest<64x40, lanes d1 32x1, jam d0 16, transpose 16>]
func.func @main(%x: tensor<40x64xi1>) -> tensor<64x40xi1> {
  %0 = xla.transpose %x, dims = [1, 0] : (tensor<40x64xi1>) -> tensor<64x40xi1>
  return %0 : tensor<64x40xi1>
}

// -----

// What is read at the same place of another argument may be in the memory of the result: nothing is done twice.
// CHECK: xla_rt.plans = [#xla_rt.nest<70x128, lanes d1 16x1, jam d0 4, transpose 4>]
func.func @main(%x: tensor<128x70xf32>, %y: tensor<70x128xf32>) -> tensor<70x128xf32> {
  %0 = xla.transpose %x, dims = [1, 0] : (tensor<128x70xf32>) -> tensor<70x128xf32>
  %1 = xla.add %0, %y : tensor<70x128xf32>
  return %1 : tensor<70x128xf32>
}

// -----

// Eight elements of 16 bits are a chunk.
// CHECK: xla_rt.plans = [#xla_rt.nest<64x128, lanes d1 32x1, jam d0 8, transpose 8>]
func.func @main(%x: tensor<128x64xbf16>) -> tensor<64x128xbf16> {
  %t = xla.transpose %x, dims = [1, 0] : (tensor<128x64xbf16>) -> tensor<64x128xbf16>
  return %t : tensor<64x128xbf16>
}

// -----

// So are four of 32 bits on their way to wider ones.
// CHECK: xla_rt.plans = [#xla_rt.nest<64x128, lanes d1 8x1, jam d0 4, cut d0 32, transpose 4>]
func.func @main(%x: tensor<128x64xf32>) -> tensor<64x128xf64> {
  %t = xla.transpose %x, dims = [1, 0] : (tensor<128x64xf32>) -> tensor<64x128xf32>
  %0 = xla.convert %t : (tensor<64x128xf32>) -> tensor<64x128xf64>
  return %0 : tensor<64x128xf64>
}

// -----

// What may lie outside is gathered.
// CHECK: xla_rt.plans = [#xla_rt.nest<80x64, lanes d1 16x4, work d0>]
func.func @main(%x: tensor<64x64xf32>) -> tensor<80x64xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %t = xla.transpose %x, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = xla.pad %t, %zero, low = [8, 0], high = [8, 0], interior = [0, 0] : (tensor<64x64xf32>, tensor<f32>) -> tensor<80x64xf32>
  return %0 : tensor<80x64xf32>
}

// -----

// A transposition into rows that are shorter than a line: what one item writes goes on in the loop over d1. Lanes beyond the
// row are neither read nor written. A large one reads whole lines.
// CHECK: xla_rt.plans = [#xla_rt.nest<512x512x1x9, lanes d3 16x1, jam d0 16, loop d1, cut d0 16, transpose 4>]
func.func @main(%x: tensor<3x3x512x512xf32>) -> tensor<512x512x3x3xf32> {
  %0 = xla.transpose %x, dims = [3, 2, 0, 1] : (tensor<3x3x512x512xf32>) -> tensor<512x512x3x3xf32>
  return %0 : tensor<512x512x3x3xf32>
}

// -----

// CHECK: xla_rt.plans = [#xla_rt.nest<500x512x1x9, lanes d3 16x1, jam d0 16, loop d1, cut d0 16, overlap, transpose 4>]
func.func @main(%x: tensor<3x3x512x500xf32>) -> tensor<500x512x3x3xf32> {
  %0 = xla.transpose %x, dims = [3, 2, 0, 1] : (tensor<3x3x512x500xf32>) -> tensor<500x512x3x3xf32>
  return %0 : tensor<500x512x3x3xf32>
}

// -----

// Rows that are written fall on the same lines of the first-level cache: few at a time, and whole lines of what is read.
// CHECK: xla_rt.plans = [#xla_rt.nest<512x512, lanes d1 16x1, jam d0 16, cut d0 16, transpose 4>]
func.func @main(%x: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %0 = xla.transpose %x, dims = [1, 0] : (tensor<512x512xf32>) -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}

// -----

// Of small ones, as many as there is room for, by steps that are short code.
// CHECK: xla_rt.plans = [#xla_rt.nest<256x512, lanes d1 16x1, jam d0 4, cut d0 16, transpose 4>]
func.func @main(%x: tensor<512x256xf32>) -> tensor<256x512xf32> {
  %0 = xla.transpose %x, dims = [1, 0] : (tensor<512x256xf32>) -> tensor<256x512xf32>
  return %0 : tensor<256x512xf32>
}

// -----

// Of what is larger than caches, rows of one step, if there is room for a line of no more.
// CHECK: xla_rt.plans = [#xla_rt.nest<1024x1024, lanes d1 16x1, jam d0 16, cut d1 512, cut d0 16, transpose 4>]
func.func @main(%x: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %0 = xla.transpose %x, dims = [1, 0] : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %0 : tensor<1024x1024xf32>
}

// -----

// Here only eight of those that are read are there at a time.
// CHECK: xla_rt.plans = [#xla_rt.nest<1024x512, lanes d1 16x1, jam d0 4, cut d0 512, transpose 4>]
func.func @main(%x: tensor<512x1024xf32>) -> tensor<1024x512xf32> {
  %0 = xla.transpose %x, dims = [1, 0] : (tensor<512x1024xf32>) -> tensor<1024x512xf32>
  return %0 : tensor<1024x512xf32>
}

// -----

// Here rows are anywhere.
// CHECK: xla_rt.plans = [#xla_rt.nest<1008x1000, lanes d1 16x1, jam d0 4, cut d0 512, transpose 4>]
func.func @main(%x: tensor<1000x1008xf32>) -> tensor<1008x1000xf32> {
  %0 = xla.transpose %x, dims = [1, 0] : (tensor<1000x1008xf32>) -> tensor<1008x1000xf32>
  return %0 : tensor<1008x1000xf32>
}

// -----

// Of what the caches do not hold, whole lines are read, and four of a row.
// CHECK: xla_rt.plans = [#xla_rt.nest<4096x2048, lanes d1 16x1, jam d0 16, cut d1 512, cut d0 64, transpose 4, stream>]
func.func @main(%x: tensor<2048x4096xf32>) -> tensor<4096x2048xf32> {
  %0 = xla.transpose %x, dims = [1, 0] : (tensor<2048x4096xf32>) -> tensor<4096x2048xf32>
  return %0 : tensor<4096x2048xf32>
}

// -----

// Complex numbers that are only moved are 64 bits.
// CHECK: xla_rt.plans = [#xla_rt.nest<64x128, lanes d1 8x1, jam d0 2, cut d0 32, transpose 2>]
func.func @main(%x: tensor<128x64xcomplex<f32>>) -> tensor<64x128xcomplex<f32>> {
  %0 = xla.transpose %x, dims = [1, 0] : (tensor<128x64xcomplex<f32>>) -> tensor<64x128xcomplex<f32>>
  return %0 : tensor<64x128xcomplex<f32>>
}

// -----

// Those that are computed with are pairs of numbers of 32 bits.
// CHECK: xla_rt.plans = [#xla_rt.nest<128, lanes d0 16x1>]
func.func @main(%x: tensor<128xcomplex<f32>>) -> tensor<128xcomplex<f32>> {
  %0 = xla.add %x, %x : tensor<128xcomplex<f32>>
  return %0 : tensor<128xcomplex<f32>>
}

// -----

// Functions of a large array: instructions of four vectors in turn. Not where the last step would need code of its own.
// CHECK: xla_rt.plans = [#xla_rt.nest<4194304, lanes d0 16x4, cut d0 2048>]
func.func @main(%x: tensor<4194304xf32>) -> tensor<4194304xf32> {
  %0 = xla.exponential %x : tensor<4194304xf32>
  return %0 : tensor<4194304xf32>
}

// -----

// CHECK: xla_rt.plans = [#xla_rt.nest<4194305, lanes d0 16x1, cut d0 2048>]
func.func @main(%x: tensor<4194305xf32>) -> tensor<4194305xf32> {
  %0 = xla.exponential %x : tensor<4194305xf32>
  return %0 : tensor<4194305xf32>
}

// -----

// Numbers of elements in the order of memory are those of a line, and no rows of two.
// CHECK: xla_rt.plans = [#xla_rt.nest<1x2000, lanes d1 16x1>]
func.func @main(%x: tensor<1000x2xi32>) -> tensor<1000x2xi32> {
  %two = xla.constant dense<2> : tensor<1000x2xi32>
  %i = xla.iota dim = 0 : tensor<1000x2xi32>
  %j = xla.iota dim = 1 : tensor<1000x2xi32>
  %0 = xla.multiply %i, %two : tensor<1000x2xi32>
  %1 = xla.add %0, %j : tensor<1000x2xi32>
  %2 = xla.xor %x, %1 : tensor<1000x2xi32>
  return %2 : tensor<1000x2xi32>
}

// -----

// Padding has a comparison for each vector, which costs no more than to ask whether the step is in the interior.
// CHECK: xla_rt.plans = [#xla_rt.nest<256x256, lanes d1 16x1, work d0>]
func.func @main(%x: tensor<254x254xf32>, %c: tensor<f32>) -> tensor<256x256xf32> {
  %0 = xla.pad %x, %c, low = [1, 1], high = [1, 1], interior = [0, 0] : (tensor<254x254xf32>, tensor<f32>) -> tensor<256x256xf32>
  return %0 : tensor<256x256xf32>
}

// -----

// Of bytes, masks take more.
// CHECK: xla_rt.plans = [#xla_rt.nest<512x512, lanes d1 32x1, work d0, partition>]
func.func @main(%x: tensor<510x510xui8>, %c: tensor<ui8>) -> tensor<512x512xui8> {
  %0 = xla.pad %x, %c, low = [1, 1], high = [1, 1], interior = [0, 0] : (tensor<510x510xui8>, tensor<ui8>) -> tensor<512x512xui8>
  return %0 : tensor<512x512xui8>
}

// -----

// Nor has it lanes of complex numbers that are padded.
// CHECK: xla_rt.plans = [#xla_rt.nest<133x22, work d0, d1>]
func.func @main(%x: tensor<130x19xcomplex<f64>>, %c: tensor<complex<f64>>) -> tensor<133x22xcomplex<f64>> {
  %0 = xla.pad %x, %c, low = [1, 1], high = [2, 2], interior = [0, 0] : (tensor<130x19xcomplex<f64>>, tensor<complex<f64>>) -> tensor<133x22xcomplex<f64>>
  return %0 : tensor<133x22xcomplex<f64>>
}
