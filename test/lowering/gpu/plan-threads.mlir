// RUN: xla-opt %s --target=cuda --to=kernels | FileCheck %s
// What the planner decides for a GPU.

// Accesses of 16 bytes where all can be aligned.
// CHECK: @elementwise{{.*}} xla_rt.plans = [#xla_rt.nest<{{.*}}lanes d{{[0-9]}} 4x1, cut d{{[0-9]}} 4, aligned>]
// One thread for each element where they cannot.
// CHECK: @elementwise{{.*}} xla_rt.plans = [#xla_rt.nest<{{.*}}work d{{[0-9]}}>]
// A warp for each row.
// CHECK: @reduction{{.*}} xla_rt.plans = [#xla_rt.nest<600x100, work d0, reduce d1, threads d1 32>]
// Threads that read neighbours for neighbouring results.
// CHECK: @reduction{{.*}} xla_rt.plans = [#xla_rt.nest<20000x40, work d0, reduce d1>]
func.func @main(%x: tensor<64x32xf32>, %y: tensor<63x31xf32>, %z: tensor<600x100xf32>, %w: tensor<40x20000xf32>)
    -> (tensor<64x32xf32>, tensor<63x31xf32>, tensor<600xf32>, tensor<20000xf32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.add %x, %x : tensor<64x32xf32>
  %1 = xla.add %y, %y : tensor<63x31xf32>
  %2 = xla.reduce(%z init: %zero) applies xla.add across dimensions = [1] : (tensor<600x100xf32>, tensor<f32>) -> tensor<600xf32>
  %3 = xla.reduce(%w init: %zero) applies xla.add across dimensions = [0] : (tensor<40x20000xf32>, tensor<f32>) -> tensor<20000xf32>
  return %0, %1, %2, %3 : tensor<64x32xf32>, tensor<63x31xf32>, tensor<600xf32>, tensor<20000xf32>
}
