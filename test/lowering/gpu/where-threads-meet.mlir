// RUN: xla-opt %s --target=cuda --to=loops --split-input-file | FileCheck %s
// Threads of a row meet where one reads what another one has written, and nowhere else.

// Elements are written and read back by the same thread.
// CHECK-LABEL: func.func private @rows_0.impl(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: index, %{{.*}}: index) {
// CHECK-NOT: sync
// CHECK: return
func.func @main(%x: tensor<70x256xf32>) -> tensor<70x256xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %e = xla.exponential %x : tensor<70x256xf32>
  %s = xla.reduce(%e init: %zero) applies xla.add across dimensions = [1]
      : (tensor<70x256xf32>, tensor<f32>) -> tensor<70xf32>
  %b = xla.broadcast_in_dim %s, dims = [0] : (tensor<70xf32>) -> tensor<70x256xf32>
  %r = xla.divide %e, %b : tensor<70x256xf32>
  return %r : tensor<70x256xf32>
}

// -----

// Their order is reversed: another thread reads them.
// CHECK-LABEL: func.func private @rows_0.impl(
// CHECK: nvvm.bar.warp.sync
// CHECK-NOT: sync
// CHECK: return
func.func @main(%x: tensor<70x256xf32>) -> tensor<70x256xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %e = xla.exponential %x : tensor<70x256xf32>
  %s = xla.reduce(%e init: %zero) applies xla.add across dimensions = [1]
      : (tensor<70x256xf32>, tensor<f32>) -> tensor<70xf32>
  %b = xla.broadcast_in_dim %s, dims = [0] : (tensor<70xf32>) -> tensor<70x256xf32>
  %d = xla.divide %e, %b : tensor<70x256xf32>
  %r = xla.reverse %d, dims = [1] : tensor<70x256xf32>
  return %r : tensor<70x256xf32>
}
