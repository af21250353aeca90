// RUN: xla-opt %s --target=cuda --to=kernels --split-input-file | FileCheck %s
// What the planner decides for a GPU.

// Accesses of 16 bytes where all can be aligned.
// CHECK: @elementwise{{.*}} xla_rt.plans = [#xla_rt.nest<{{.*}}lanes d{{[0-9]}} 4x1, cut d{{[0-9]}} 4, aligned>]
// One thread for each element where they cannot.
// CHECK: @elementwise{{.*}} xla_rt.plans = [#xla_rt.nest<{{.*}}work d{{[0-9]}}>]
// A warp for each row.
// CHECK: @reduction{{.*}} xla_rt.plans = [#xla_rt.nest<600x100, work d0, reduce d1, threads d1 32>]
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
// CHECK-DAG: xla_rt.plans = [#xla_rt.nest<4096x1024, work d0, reduce d1, threads d1 32>]
// CHECK-DAG: xla_rt.plans = [#xla_rt.nest<2048x1024, work d0, reduce d1, threads d1 64>]
// CHECK-DAG: xla_rt.plans = [#xla_rt.nest<200x1024, work d0, reduce d1, threads d1 128>]
// CHECK-DAG: xla_rt.plans = [#xla_rt.nest<100x512, work d0, reduce d1, threads d1 256>]
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
