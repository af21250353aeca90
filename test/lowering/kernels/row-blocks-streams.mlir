// RUN: xla-opt %s --to=kernels --split-input-file | FileCheck %s
// Two products with something reduced along rows in between, whose factors are too large to be read by every block of
// rows, or not.

// The last factor has 1 MiB: tiles read it for all rows, or so many that it counts for little.
// CHECK-LABEL: func.func @main
// CHECK: call @contraction
// CHECK: call @rows
// CHECK: call @contraction
// CHECK: xla_rt.plans = [#xla_rt.tiles<128x512x512,
func.func @main(%x: tensor<128x64xf32>, %v: tensor<64x512xf32>, %w: tensor<512x512xf32>) -> tensor<128x512xf32> {
  %ninf = xla.constant dense<0xFF800000> : tensor<f32>
  %s = xla.dot_general %x, %v, contracting_dims = [1] x [0] : (tensor<128x64xf32>, tensor<64x512xf32>) -> tensor<128x512xf32>
  %m = xla.reduce(%s init: %ninf) applies xla.maximum across dimensions = [1] : (tensor<128x512xf32>, tensor<f32>) -> tensor<128xf32>
  %mb = xla.broadcast_in_dim %m, dims = [0] : (tensor<128xf32>) -> tensor<128x512xf32>
  %p = xla.subtract %s, %mb : tensor<128x512xf32>
  %r = xla.dot_general %p, %w, contracting_dims = [1] x [0] : (tensor<128x512xf32>, tensor<512x512xf32>) -> tensor<128x512xf32>
  return %r : tensor<128x512xf32>
}

// -----

// So has the first one, whose columns are neighbours along the steps: tiles transpose them, and nothing is packed before.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: call @contraction
// CHECK-NEXT: call @rows
// CHECK-NEXT: call @contraction
// CHECK: xla_rt.plans = [#xla_rt.tiles<128x512x512,
// CHECK-SAME: pack b
func.func @main(%x: tensor<128x512xf32>, %v: tensor<512x512xf32>, %w: tensor<512x64xf32>) -> tensor<128x64xf32> {
  %ninf = xla.constant dense<0xFF800000> : tensor<f32>
  %s = xla.dot_general %x, %v, contracting_dims = [1] x [1] : (tensor<128x512xf32>, tensor<512x512xf32>) -> tensor<128x512xf32>
  %m = xla.reduce(%s init: %ninf) applies xla.maximum across dimensions = [1] : (tensor<128x512xf32>, tensor<f32>) -> tensor<128xf32>
  %mb = xla.broadcast_in_dim %m, dims = [0] : (tensor<128xf32>) -> tensor<128x512xf32>
  %p = xla.subtract %s, %mb : tensor<128x512xf32>
  %r = xla.dot_general %p, %w, contracting_dims = [1] x [0] : (tensor<128x512xf32>, tensor<512x64xf32>) -> tensor<128x64xf32>
  return %r : tensor<128x64xf32>
}

// -----

// Values of 2560 keys have 640 KiB, but a block of rows has as many scores: one kernel.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[R:.*]] = call @rows_0(%arg0, %arg1, %arg2)
// CHECK-NEXT: return %[[R]]
func.func @main(%x: tensor<64x64xf32>, %v: tensor<64x2560xf32>, %w: tensor<2560x64xf32>) -> tensor<64x64xf32> {
  %ninf = xla.constant dense<0xFF800000> : tensor<f32>
  %s = xla.dot_general %x, %v, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x2560xf32>) -> tensor<64x2560xf32>
  %m = xla.reduce(%s init: %ninf) applies xla.maximum across dimensions = [1] : (tensor<64x2560xf32>, tensor<f32>) -> tensor<64xf32>
  %mb = xla.broadcast_in_dim %m, dims = [0] : (tensor<64xf32>) -> tensor<64x2560xf32>
  %p = xla.subtract %s, %mb : tensor<64x2560xf32>
  %r = xla.dot_general %p, %w, contracting_dims = [1] x [0] : (tensor<64x2560xf32>, tensor<2560x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----

// A last factor that stays in the cache: its columns, neighbours along the steps, are packed for the blocks.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[W:.*]] = call @elementwise_0(%arg2) : (tensor<256x256xf32>) -> tensor<4x256x64xf32>
// CHECK-NEXT: %[[R:.*]] = call @rows_1(%arg0, %arg1, %[[W]])
// CHECK-NEXT: return %[[R]]
func.func @main(%x: tensor<64x64xf32>, %v: tensor<64x256xf32>, %w: tensor<256x256xf32>) -> tensor<64x256xf32> {
  %ninf = xla.constant dense<0xFF800000> : tensor<f32>
  %s = xla.dot_general %x, %v, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x256xf32>) -> tensor<64x256xf32>
  %m = xla.reduce(%s init: %ninf) applies xla.maximum across dimensions = [1] : (tensor<64x256xf32>, tensor<f32>) -> tensor<64xf32>
  %mb = xla.broadcast_in_dim %m, dims = [0] : (tensor<64xf32>) -> tensor<64x256xf32>
  %p = xla.subtract %s, %mb : tensor<64x256xf32>
  %r = xla.dot_general %p, %w, contracting_dims = [1] x [1] : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  return %r : tensor<64x256xf32>
}

// -----

// Eight rows are no blocks: as columns of the product, each row of the factor is read once.
// CHECK-LABEL: func.func @main
// CHECK: call @contraction{{.*}} -> tensor<512x8xf32>
func.func @main(%x: tensor<8x64xf32>, %v: tensor<64x256xf32>, %w: tensor<512x256xf32>) -> tensor<8x512xf32> {
  %ninf = xla.constant dense<0xFF800000> : tensor<f32>
  %s = xla.dot_general %x, %v, contracting_dims = [1] x [0] : (tensor<8x64xf32>, tensor<64x256xf32>) -> tensor<8x256xf32>
  %m = xla.reduce(%s init: %ninf) applies xla.maximum across dimensions = [1] : (tensor<8x256xf32>, tensor<f32>) -> tensor<8xf32>
  %mb = xla.broadcast_in_dim %m, dims = [0] : (tensor<8xf32>) -> tensor<8x256xf32>
  %p = xla.subtract %s, %mb : tensor<8x256xf32>
  %r = xla.dot_general %p, %w, contracting_dims = [1] x [1] : (tensor<8x256xf32>, tensor<512x256xf32>) -> tensor<8x512xf32>
  return %r : tensor<8x512xf32>
}
