// RUN: xla-opt %s --target=cuda --to=kernels | FileCheck %s
// Scans, columns and rows that are gathered, as the planner shares them among threads.

// Pieces of 16 bytes for each thread of a warp, or of a block if rows are long and few.
// CHECK-DAG: xla_rt.plans = [#xla_rt.nest<600x256, lanes d1 4x1, work d0, ordered d1, threads d1 32, aligned>]
// CHECK-DAG: xla_rt.plans = [#xla_rt.nest<80x1025, work d0, ordered d1, threads d1 256>]
// Scans next to each other are threads.
// CHECK-DAG: xla_rt.plans = [#xla_rt.nest<40x20000, work d1, ordered d0>]
// A long scan is done in tiles, of elements of 64 bits, too.
// CHECK-DAG: xla_rt.plans = [#xla_rt.nest<1048576, lanes d0 4x1, ordered d0, cut d0 4096, threads d0 256, aligned>]
// CHECK-DAG: xla_rt.plans = [#xla_rt.nest<1048576, lanes d0 2x1, ordered d0, cut d0 4096, threads d0 256, aligned>]
// One of complex numbers is cut: what parts come to, a scan of that, and two warps for each part.
// CHECK-DAG: xla_rt.plans = [#xla_rt.nest<2047x511, work d0, reduce d1, threads d1 32>]
// CHECK-DAG: xla_rt.plans = [#xla_rt.nest<2047, ordered d0, threads d0 256>]
// CHECK-DAG: xla_rt.plans = [#xla_rt.nest<2048x512, work d0, ordered d1, threads d1 64>]
// Columns of which there are few: threads are next to each other, and warps share what is above each other.
// CHECK-DAG: xla_rt.plans = [#xla_rt.nest<64x512, reduce d1, threads d1 1024, columns d0>]
// Rows that are gathered are read 16 bytes at a time.
// CHECK-DAG: xla_rt.plans = [#xla_rt.nest<48x64, lanes d1 4x1, work d0, cut d1 4, aligned>]
func.func @main(%x: tensor<600x256xf32>, %y: tensor<80x1025xf32>, %z: tensor<40x20000xf32>, %u: tensor<1048576xf32>, %v: tensor<1048576xf64>, %c: tensor<1048576xcomplex<f32>>, %w: tensor<512x64xf32>, %i: tensor<48x1xi32>)
    -> (tensor<600x256xf32>, tensor<80x1025xf32>, tensor<40x20000xf32>, tensor<1048576xf32>, tensor<1048576xf64>, tensor<1048576xcomplex<f32>>, tensor<64xf32>, tensor<48x64xf32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = "xla.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 1, 256>, padding = dense<[[0, 0], [255, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) : (tensor<600x256xf32>, tensor<f32>) -> tensor<600x256xf32>
  %1 = "xla.reduce_window"(%y, %zero) <{window_dimensions = array<i64: 1, 1025>, padding = dense<[[0, 0], [1024, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) : (tensor<80x1025xf32>, tensor<f32>) -> tensor<80x1025xf32>
  %2 = "xla.reduce_window"(%z, %zero) <{window_dimensions = array<i64: 40, 1>, padding = dense<[[39, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) : (tensor<40x20000xf32>, tensor<f32>) -> tensor<40x20000xf32>
  %3 = "xla.reduce_window"(%u, %zero) <{window_dimensions = array<i64: 1048576>, padding = dense<[[1048575, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) : (tensor<1048576xf32>, tensor<f32>) -> tensor<1048576xf32>
  %4 = xla.reduce(%w init: %zero) applies xla.add across dimensions = [0] : (tensor<512x64xf32>, tensor<f32>) -> tensor<64xf32>
  %5 = "xla.gather"(%w, %i) <{dimension_numbers = #xla.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 64>}> : (tensor<512x64xf32>, tensor<48x1xi32>) -> tensor<48x64xf32>
  %wide = xla.constant dense<0.0> : tensor<f64>
  %6 = "xla.reduce_window"(%v, %wide) <{window_dimensions = array<i64: 1048576>, padding = dense<[[1048575, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %sum = xla.add %a, %b : tensor<f64>
    xla.return %sum : tensor<f64>
  }) : (tensor<1048576xf64>, tensor<f64>) -> tensor<1048576xf64>
  %zeros = xla.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  %7 = "xla.reduce_window"(%c, %zeros) <{window_dimensions = array<i64: 1048576>, padding = dense<[[1048575, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %sum = xla.add %a, %b : tensor<complex<f32>>
    xla.return %sum : tensor<complex<f32>>
  }) : (tensor<1048576xcomplex<f32>>, tensor<complex<f32>>) -> tensor<1048576xcomplex<f32>>
  return %0, %1, %2, %3, %6, %7, %4, %5 : tensor<600x256xf32>, tensor<80x1025xf32>, tensor<40x20000xf32>, tensor<1048576xf32>, tensor<1048576xf64>, tensor<1048576xcomplex<f32>>, tensor<64xf32>, tensor<48x64xf32>
}
