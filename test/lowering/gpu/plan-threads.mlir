// RUN: xla-opt %s --target=cuda --to=kernels --split-input-file | FileCheck %s
// What the planner decides for a GPU.

// Accesses of 16 bytes where all can be aligned.
// CHECK: @elementwise{{.*}} xla_rt.plans = [#xla_rt.nest<{{.*}}lanes d{{[0-9]}} 4x1, cut d{{[0-9]}} 4, aligned>]
// One thread for each element where they cannot.
// CHECK: @elementwise{{.*}} xla_rt.plans = [#xla_rt.nest<{{.*}}work d{{[0-9]}}>]
// A warp for each row, of which each thread has pieces: two elements here, as there are not four for each.
// CHECK: @reduction{{.*}} xla_rt.plans = [#xla_rt.nest<600x100, lanes d1 2x1, work d0, threads d1 32, aligned>]
// Threads that read neighbours for neighbouring results, of which there are enough.
// CHECK: @reduction{{.*}} xla_rt.plans = [#xla_rt.nest<70000x40, work d0, reduce d1>]
func.func @main(%x: tensor<64x32xf32>, %y: tensor<63x31xf32>, %z: tensor<600x100xf32>, %w: tensor<40x70000xf32>)
    -> (tensor<64x32xf32>, tensor<63x31xf32>, tensor<600xf32>, tensor<70000xf32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.add %x, %x : tensor<64x32xf32>
  %1 = xla.add %y, %y : tensor<63x31xf32>
  %2 = xla.reduce(%z init: %zero) applies xla.add across dimensions = [1] : (tensor<600x100xf32>, tensor<f32>) -> tensor<600xf32>
  %3 = xla.reduce(%w init: %zero) applies xla.add across dimensions = [0] : (tensor<40x70000xf32>, tensor<f32>) -> tensor<70000xf32>
  return %0, %1, %2, %3 : tensor<64x32xf32>, tensor<63x31xf32>, tensor<600xf32>, tensor<70000xf32>
}

// -----

// Warps share columns of which there are fewer. A row has as many threads as it takes until all rows together ask for
// what the cache gives, if each has some elements; few rows are blocks'.
// CHECK-DAG: xla_rt.plans = [#xla_rt.nest<64x256x256, work d0, reduce d2, threads d2 1024, columns d1>]
// CHECK-DAG: xla_rt.plans = [#xla_rt.nest<4096x1024, lanes d1 4x1, work d0, threads d1 32, aligned>]
// CHECK-DAG: xla_rt.plans = [#xla_rt.nest<2048x1024, lanes d1 4x1, work d0, threads d1 64, aligned>]
// CHECK-DAG: xla_rt.plans = [#xla_rt.nest<200x1024, lanes d1 4x1, work d0, threads d1 128, aligned>]
// CHECK-DAG: xla_rt.plans = [#xla_rt.nest<100x512, lanes d1 2x1, work d0, threads d1 256, aligned>]
func.func @main(%x: tensor<64x256x256xf32>, %y: tensor<4096x1024xf32>, %z: tensor<2048x1024xf32>, %v: tensor<200x1024xf32>, %w: tensor<100x512xf32>)
    -> (tensor<64x256xf32>, tensor<4096xf32>, tensor<2048xf32>, tensor<200xf32>, tensor<100xf32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.reduce(%x init: %zero) applies xla.add across dimensions = [1] : (tensor<64x256x256xf32>, tensor<f32>) -> tensor<64x256xf32>
  %1 = xla.reduce(%y init: %zero) applies xla.add across dimensions = [1] : (tensor<4096x1024xf32>, tensor<f32>) -> tensor<4096xf32>
  %2 = xla.reduce(%z init: %zero) applies xla.add across dimensions = [1] : (tensor<2048x1024xf32>, tensor<f32>) -> tensor<2048xf32>
  %3 = xla.reduce(%v init: %zero) applies xla.add across dimensions = [1] : (tensor<200x1024xf32>, tensor<f32>) -> tensor<200xf32>
  %4 = xla.reduce(%w init: %zero) applies xla.add across dimensions = [1] : (tensor<100x512xf32>, tensor<f32>) -> tensor<100xf32>
  return %0, %1, %2, %3, %4 : tensor<64x256xf32>, tensor<4096xf32>, tensor<2048xf32>, tensor<200xf32>, tensor<100xf32>
}

// -----

// A thread computes one function of four elements, but not five; where there are many elements, all have enough of them.
// CHECK: @elementwise{{.*}} xla_rt.plans = [#xla_rt.nest<1x1024, lanes d1 4x1, cut d1 4, aligned>]
// CHECK: @elementwise{{.*}} xla_rt.plans = [#xla_rt.nest<1x1024, work d1>]
// CHECK: @elementwise{{.*}} xla_rt.plans = [#xla_rt.nest<1x65536, lanes d1 4x1, cut d1 4, aligned>]
func.func @main(%x: tensor<16x64xf32>, %y: tensor<16x64xf32>, %z: tensor<1024x64xf32>) -> (tensor<16x64xf32>, tensor<16x64xf32>, tensor<1024x64xf32>) {
  %0 = xla.tanh %x : tensor<16x64xf32>
  %a = xla.tanh %y : tensor<16x64xf32>
  %b = xla.sine %a : tensor<16x64xf32>
  %c = xla.tanh %b : tensor<16x64xf32>
  %d = xla.exponential %c : tensor<16x64xf32>
  %1 = xla.cosine %d : tensor<16x64xf32>
  %e = xla.tanh %z : tensor<1024x64xf32>
  %f = xla.sine %e : tensor<1024x64xf32>
  %g = xla.tanh %f : tensor<1024x64xf32>
  %h = xla.exponential %g : tensor<1024x64xf32>
  %2 = xla.cosine %h : tensor<1024x64xf32>
  return %0, %1, %2 : tensor<16x64xf32>, tensor<16x64xf32>, tensor<1024x64xf32>
}

// -----

// Accesses cannot be vectors. Where a device does not have all threads at once, each has several elements: two or four,
// or eight that are read at many places, along the outermost dimension that has whole steps, or else one with enough
// iterations. Of many functions, and of long sums, a thread has one.
// CHECK-DAG: xla_rt.plans = [#xla_rt.nest<240x1001, work d0, d1>]
// CHECK-DAG: xla_rt.plans = [#xla_rt.nest<340x1001, jam d0 2, apart, work d1>]
// CHECK-DAG: xla_rt.plans = [#xla_rt.nest<1003x2004, jam d1 4, apart, work d0>]
// CHECK-DAG: xla_rt.plans = [#xla_rt.nest<1005x2001, jam d0 4, apart, work d1>]
// CHECK-DAG: xla_rt.plans = [#xla_rt.nest<3000001, jam d0 4, apart>]
// CHECK-DAG: xla_rt.plans = [#xla_rt.nest<1009x2003, work d0, d1>]
// CHECK-DAG: xla_rt.plans = [#xla_rt.nest<2000003x16, jam d0 4, apart, reduce d1>]
// CHECK-DAG: xla_rt.plans = [#xla_rt.nest<2000003x17, work d0, reduce d1>]
// CHECK-DAG: xla_rt.plans = [#xla_rt.nest<2001x2001, jam d0 8, apart, work d1>]
func.func @main(%q: tensor<2003x2003xf32>, %a: tensor<240x1002xf32>, %b: tensor<340x1002xf32>, %c: tensor<1003x2005xf32>, %d: tensor<1005x2002xf32>,
    %e: tensor<3000002xf32>, %f: tensor<1009x2004xf32>, %g: tensor<16x2000003xf32>, %h: tensor<17x2000003xf32>)
    -> (tensor<240x1001xf32>, tensor<340x1001xf32>, tensor<1003x2004xf32>, tensor<1005x2001xf32>, tensor<3000001xf32>,
        tensor<1009x2003xf32>, tensor<2000003xf32>, tensor<2000003xf32>, tensor<2001x2001xf32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.slice %a [0:240, 1:1002] : (tensor<240x1002xf32>) -> tensor<240x1001xf32>
  %1 = xla.slice %b [0:340, 1:1002] : (tensor<340x1002xf32>) -> tensor<340x1001xf32>
  %2 = xla.slice %c [0:1003, 1:2005] : (tensor<1003x2005xf32>) -> tensor<1003x2004xf32>
  %3 = xla.slice %d [0:1005, 1:2002] : (tensor<1005x2002xf32>) -> tensor<1005x2001xf32>
  %4 = xla.slice %e [1:3000002] : (tensor<3000002xf32>) -> tensor<3000001xf32>
  %s = xla.slice %f [0:1009, 1:2004] : (tensor<1009x2004xf32>) -> tensor<1009x2003xf32>
  %t = xla.tanh %s : tensor<1009x2003xf32>
  %u = xla.sine %t : tensor<1009x2003xf32>
  %v = xla.tanh %u : tensor<1009x2003xf32>
  %w = xla.exponential %v : tensor<1009x2003xf32>
  %5 = xla.cosine %w : tensor<1009x2003xf32>
  %6 = xla.reduce(%g init: %zero) applies xla.add across dimensions = [0] : (tensor<16x2000003xf32>, tensor<f32>) -> tensor<2000003xf32>
  %7 = xla.reduce(%h init: %zero) applies xla.add across dimensions = [0] : (tensor<17x2000003xf32>, tensor<f32>) -> tensor<2000003xf32>
  %q0 = xla.slice %q [0:2001, 0:2001] : (tensor<2003x2003xf32>) -> tensor<2001x2001xf32>
  %q1 = xla.slice %q [0:2001, 1:2002] : (tensor<2003x2003xf32>) -> tensor<2001x2001xf32>
  %q2 = xla.slice %q [0:2001, 2:2003] : (tensor<2003x2003xf32>) -> tensor<2001x2001xf32>
  %q3 = xla.slice %q [1:2002, 0:2001] : (tensor<2003x2003xf32>) -> tensor<2001x2001xf32>
  %q4 = xla.slice %q [1:2002, 2:2003] : (tensor<2003x2003xf32>) -> tensor<2001x2001xf32>
  %q5 = xla.slice %q [2:2003, 0:2001] : (tensor<2003x2003xf32>) -> tensor<2001x2001xf32>
  %q6 = xla.slice %q [2:2003, 1:2002] : (tensor<2003x2003xf32>) -> tensor<2001x2001xf32>
  %q7 = xla.slice %q [2:2003, 2:2003] : (tensor<2003x2003xf32>) -> tensor<2001x2001xf32>
  %s0 = xla.add %q0, %q1 : tensor<2001x2001xf32>
  %s1 = xla.add %s0, %q2 : tensor<2001x2001xf32>
  %s2 = xla.add %s1, %q3 : tensor<2001x2001xf32>
  %s3 = xla.add %s2, %q4 : tensor<2001x2001xf32>
  %s4 = xla.add %s3, %q5 : tensor<2001x2001xf32>
  %s5 = xla.add %s4, %q6 : tensor<2001x2001xf32>
  %8 = xla.add %s5, %q7 : tensor<2001x2001xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<240x1001xf32>, tensor<340x1001xf32>, tensor<1003x2004xf32>, tensor<1005x2001xf32>,
      tensor<3000001xf32>, tensor<1009x2003xf32>, tensor<2000003xf32>, tensor<2000003xf32>, tensor<2001x2001xf32>
}

// -----

// Blocks of several squares, which are those of several batches, or follow each other where they wait for more than
// memory; or of one, of which there are few, or where memory takes as long.
// CHECK-DAG: xla_rt.plans = [#xla_rt.nest<32x48x512x40, jam d0 4, apart, work d1, threads 256, square d2 d3>]
// CHECK-DAG: xla_rt.plans = [#xla_rt.nest<4x512x40, work d0, threads 256, square d1 d2>]
// CHECK-DAG: xla_rt.plans = [#xla_rt.nest<8192x4096, threads 256, square d0 d1>]
// CHECK-DAG: xla_rt.plans = [#xla_rt.nest<3001x1021, jam d1 2, apart, threads 256, square d0 d1>]
func.func @main(%x: tensor<48x32x40x512xf32>, %y: tensor<4x40x512xf32>, %z: tensor<4096x8192xf32>, %w: tensor<1021x3001xf32>)
    -> (tensor<32x48x512x40xf32>, tensor<4x512x40xf32>, tensor<8192x4096xf32>, tensor<3001x1021xf32>) {
  %0 = xla.transpose %x, dims = [1, 0, 3, 2] : (tensor<48x32x40x512xf32>) -> tensor<32x48x512x40xf32>
  %1 = xla.transpose %y, dims = [0, 2, 1] : (tensor<4x40x512xf32>) -> tensor<4x512x40xf32>
  %2 = xla.transpose %z, dims = [1, 0] : (tensor<4096x8192xf32>) -> tensor<8192x4096xf32>
  %3 = xla.transpose %w, dims = [1, 0] : (tensor<1021x3001xf32>) -> tensor<3001x1021xf32>
  return %0, %1, %2, %3 : tensor<32x48x512x40xf32>, tensor<4x512x40xf32>, tensor<8192x4096xf32>, tensor<3001x1021xf32>
}

// -----

// Four of two operands in f64 would be more shared memory than there is.
// CHECK: xla_rt.plans = [#xla_rt.nest<64x512x512, jam d0 2, apart, threads 256, square d1 d2>]
func.func @main(%x: tensor<64x512x512xf64>, %y: tensor<64x512x512xf64>) -> tensor<64x512x512xf64> {
  %0 = xla.transpose %x, dims = [0, 2, 1] : (tensor<64x512x512xf64>) -> tensor<64x512x512xf64>
  %1 = xla.transpose %y, dims = [0, 2, 1] : (tensor<64x512x512xf64>) -> tensor<64x512x512xf64>
  %2 = xla.add %0, %1 : tensor<64x512x512xf64>
  %3 = xla.negate %1 : tensor<64x512x512xf64>
  %4 = xla.multiply %2, %3 : tensor<64x512x512xf64>
  return %4 : tensor<64x512x512xf64>
}

// -----

// Threads share what is rounded to 16 bits at each step, and complex sums.
// CHECK-DAG: xla_rt.plans = [#xla_rt.nest<600x100, lanes d1 2x1, work d0, threads d1 32, aligned>]
// CHECK-DAG: xla_rt.plans = [#xla_rt.nest<500x100, lanes d1 2x1, work d0, threads d1 32, aligned>]
// CHECK-DAG: xla_rt.plans = [#xla_rt.nest<400x100, work d0, reduce d1, threads d1 32>]
func.func @main(%x: tensor<600x100xbf16>, %y: tensor<500x100xf16>, %z: tensor<400x100xcomplex<f32>>)
    -> (tensor<600xbf16>, tensor<500xf16>, tensor<400xcomplex<f32>>) {
  %bzero = xla.constant dense<0.0> : tensor<bf16>
  %hone = xla.constant dense<1.0> : tensor<f16>
  %czero = xla.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  %0 = xla.reduce(%x init: %bzero) applies xla.add across dimensions = [1] : (tensor<600x100xbf16>, tensor<bf16>) -> tensor<600xbf16>
  %1 = xla.reduce(%y init: %hone) applies xla.multiply across dimensions = [1] : (tensor<500x100xf16>, tensor<f16>) -> tensor<500xf16>
  %2 = xla.reduce(%z init: %czero) applies xla.add across dimensions = [1] : (tensor<400x100xcomplex<f32>>, tensor<complex<f32>>) -> tensor<400xcomplex<f32>>
  return %0, %1, %2 : tensor<600xbf16>, tensor<500xf16>, tensor<400xcomplex<f32>>
}

// -----

// A complex product with a vector, of which threads add up products.
// CHECK: xla_rt.plans = [#xla_rt.nest<400x100, work d0, reduce d1, threads d1 32>]
func.func @main(%x: tensor<400x100xcomplex<f32>>, %y: tensor<100xcomplex<f32>>) -> tensor<400xcomplex<f32>> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<400x100xcomplex<f32>>, tensor<100xcomplex<f32>>) -> tensor<400xcomplex<f32>>
  return %0 : tensor<400xcomplex<f32>>
}

// -----

// Rows of groups of 16 channels, which are next to each other, are dealt. Few long rows have up to 1024 threads.
// CHECK-DAG: xla_rt.plans = [#xla_rt.nest<3x5x200x16, work d0, d1, reduce d2, d3, threads d2 128>]
// CHECK-DAG: xla_rt.plans = [#xla_rt.nest<64x20000, lanes d1 4x1, work d0, threads d1 512, aligned>]
func.func @main(%x: tensor<3x200x5x16xf32>, %y: tensor<64x20000xf32>) -> (tensor<3x5xf32>, tensor<64xf32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.reduce(%x init: %zero) applies xla.add across dimensions = [1, 3] : (tensor<3x200x5x16xf32>, tensor<f32>) -> tensor<3x5xf32>
  %1 = xla.reduce(%y init: %zero) applies xla.add across dimensions = [1] : (tensor<64x20000xf32>, tensor<f32>) -> tensor<64xf32>
  return %0, %1 : tensor<3x5xf32>, tensor<64xf32>
}

// -----

// Four neighbouring windows of each channel, which have most of what they read in common, are a thread's.
// CHECK: xla_rt.plans = [#xla_rt.nest<{{.*}}jam d1 4, work d0, d2, d3, reduce d5, d4, cut d1 4, slide>]
func.func @main(%x: tensor<8x56x56x96xf32>, %k: tensor<7x7x1x96xf32>) -> tensor<8x56x56x96xf32> {
  %0 = xla.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[3, 3], [3, 3]]} {batch_group_count = 1 : i64, feature_group_count = 96 : i64} : (tensor<8x56x56x96xf32>, tensor<7x7x1x96xf32>) -> tensor<8x56x56x96xf32>
  return %0 : tensor<8x56x56x96xf32>
}

// -----

// Of all pairs of rows, which read each element many times, a thread has eight for one row that its neighbours do not have.
// A reduction of a shorter dimension than warps have threads is shared by fewer warps. Of few rows that are not next to each
// other, each has eight parts.
// CHECK-DAG: xla_rt.plans = [#xla_rt.nest<1024x1024x64, jam d0 8, work d1, reduce d2, cut d0 8>]
// CHECK-DAG: xla_rt.plans = [#xla_rt.nest<28x64x8x28, work d0, reduce d2, d3, threads d3 512, columns d1>]
// CHECK-DAG: xla_rt.plans = [#xla_rt.nest<8x64x64x512, lanes d3 2x1, work d0, d1, reduce d2, threads d3 256, aligned>]
func.func @main(%x: tensor<1024x64xbf16>, %y: tensor<1024x64xbf16>, %z: tensor<8x28x28x64xf32>, %w: tensor<512x64x512xf32>)
    -> (tensor<1024x1024xf32>, tensor<64xf32>, tensor<64xf32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %a = xla.broadcast_in_dim %x, dims = [0, 2] : (tensor<1024x64xbf16>) -> tensor<1024x1024x64xbf16>
  %b = xla.broadcast_in_dim %y, dims = [1, 2] : (tensor<1024x64xbf16>) -> tensor<1024x1024x64xbf16>
  %d = xla.subtract %a, %b : tensor<1024x1024x64xbf16>
  %e = xla.abs %d : tensor<1024x1024x64xbf16>
  %f = xla.convert %e : (tensor<1024x1024x64xbf16>) -> tensor<1024x1024x64xf32>
  %0 = xla.reduce(%f init: %zero) applies xla.add across dimensions = [2] : (tensor<1024x1024x64xf32>, tensor<f32>) -> tensor<1024x1024xf32>
  %1 = xla.reduce(%z init: %zero) applies xla.add across dimensions = [0, 1, 2] : (tensor<8x28x28x64xf32>, tensor<f32>) -> tensor<64xf32>
  %2 = xla.reduce(%w init: %zero) applies xla.add across dimensions = [0, 2] : (tensor<512x64x512xf32>, tensor<f32>) -> tensor<64xf32>
  return %0, %1, %2 : tensor<1024x1024xf32>, tensor<64xf32>, tensor<64xf32>
}

// -----

// Three sums of the same columns: threads of smaller blocks, which have more registers.
// CHECK: xla_rt.plans = [#xla_rt.nest<64x{{.*}}, threads d{{.}} 512, columns d{{.}}
func.func @main(%x: tensor<8192x64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %s = xla.multiply %x, %x : tensor<8192x64xf32>
  %0 = xla.reduce(%x init: %zero) applies xla.add across dimensions = [0] : (tensor<8192x64xf32>, tensor<f32>) -> tensor<64xf32>
  %1 = xla.reduce(%s init: %zero) applies xla.add across dimensions = [0] : (tensor<8192x64xf32>, tensor<f32>) -> tensor<64xf32>
  %2 = xla.reduce(%x init: %zero) applies xla.maximum across dimensions = [0] : (tensor<8192x64xf32>, tensor<f32>) -> tensor<64xf32>
  return %0, %1, %2 : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}

// -----

// Rows of bf16: eight elements of a thread, four if it computes functions of them. All nests of a kernel have the same
// pieces, so that those of f32 that are read or written beside make it four; rows that are no such vectors have none.
// CHECK-DAG: xla_rt.plans = [#xla_rt.nest<600x1024, lanes d1 8x1, work d0, threads d1 128, aligned>]
// CHECK-DAG: xla_rt.plans = [#xla_rt.nest<700x1024, lanes d1 4x1, threads d1 128, aligned>, #xla_rt.nest<700x1024, lanes d1 4x1, threads d1 128, aligned>]
// CHECK-DAG: xla_rt.plans = [#xla_rt.nest<800x1001, work d0, reduce d1, threads d1 64>]
func.func @main(%x: tensor<600x1024xbf16>, %y: tensor<700x1024xbf16>, %z: tensor<800x1001xbf16>)
    -> (tensor<600xbf16>, tensor<700x1024xf32>, tensor<800xbf16>) {
  %low = xla.constant dense<0xFF80> : tensor<bf16>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.reduce(%x init: %low) applies xla.maximum across dimensions = [1] : (tensor<600x1024xbf16>, tensor<bf16>) -> tensor<600xbf16>
  %w = xla.convert %y : (tensor<700x1024xbf16>) -> tensor<700x1024xf32>
  %s = xla.reduce(%w init: %zero) applies xla.add across dimensions = [1] : (tensor<700x1024xf32>, tensor<f32>) -> tensor<700xf32>
  %b = xla.broadcast_in_dim %s, dims = [0] : (tensor<700xf32>) -> tensor<700x1024xf32>
  %1 = xla.subtract %w, %b : tensor<700x1024xf32>
  %2 = xla.reduce(%z init: %low) applies xla.maximum across dimensions = [1] : (tensor<800x1001xbf16>, tensor<bf16>) -> tensor<800xbf16>
  return %0, %1, %2 : tensor<600xbf16>, tensor<700x1024xf32>, tensor<800xbf16>
}
