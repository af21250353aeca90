// RUN: xla-opt %s --to=kernels="vector-bits=256" --split-input-file | FileCheck %s
// RUN: xla-opt %s --to=kernels="vector-bits=512" --split-input-file | FileCheck %s --check-prefix=WIDE

// Two products of half a million multiplications each, a bias and a function are one kernel, for blocks of rows: work
// for all cores, and nothing between them in memory.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[R:.*]] = call @rows_0(
// CHECK-NEXT: return %[[R]]
// CHECK: func.func private @rows_0
// CHECK-SAME: xla_rt.kernel = #xla_rt.kernel<rows, [32] by 4>
// CHECK-SAME: xla_rt.plans = [#xla_rt.nest<32x4x128x128, lanes d2 8x4, jam d1 2, reduce d3>,
// CHECK-SAME: #xla_rt.nest<32x4x128x128, lanes d2 8x4, jam d1 2, reduce d3>]
// WIDE: xla_rt.kernel = #xla_rt.kernel<rows, [32] by 4>
func.func @main(%x: tensor<32x128xf32>, %w: tensor<128x128xf32>, %h: tensor<32x128xf32>, %u: tensor<128x128xf32>,
    %b: tensor<128xf32>) -> tensor<32x128xf32> {
  %y = xla.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<32x128xf32>, tensor<128x128xf32>) -> tensor<32x128xf32>
  %z = xla.dot_general %h, %u, contracting_dims = [1] x [0] : (tensor<32x128xf32>, tensor<128x128xf32>) -> tensor<32x128xf32>
  %bias = xla.broadcast_in_dim %b, dims = [1] : (tensor<128xf32>) -> tensor<32x128xf32>
  %s = xla.add %y, %z : tensor<32x128xf32>
  %a = xla.add %s, %bias : tensor<32x128xf32>
  %r = xla.tanh %a : tensor<32x128xf32>
  return %r : tensor<32x128xf32>
}

// -----

// Of three products with different numbers of steps, too.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[R:.*]] = call @rows_0(
// CHECK-NEXT: return %[[R]]
// CHECK: xla_rt.kernel = #xla_rt.kernel<rows, [48] by 6>
func.func @main(%x: tensor<48x100xf32>, %w: tensor<100x96xf32>, %h: tensor<48x64xf32>, %u: tensor<64x96xf32>,
    %c: tensor<48x80xf32>, %v: tensor<80x96xf32>) -> tensor<48x96xf32> {
  %y = xla.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<48x100xf32>, tensor<100x96xf32>) -> tensor<48x96xf32>
  %z = xla.dot_general %h, %u, contracting_dims = [1] x [0] : (tensor<48x64xf32>, tensor<64x96xf32>) -> tensor<48x96xf32>
  %q = xla.dot_general %c, %v, contracting_dims = [1] x [0] : (tensor<48x80xf32>, tensor<80x96xf32>) -> tensor<48x96xf32>
  %s = xla.add %y, %z : tensor<48x96xf32>
  %r = xla.add %s, %q : tensor<48x96xf32>
  return %r : tensor<48x96xf32>
}

// -----

// Somebody else reads one of them.
// CHECK-LABEL: func.func @main
// CHECK-COUNT-2: call @contraction
// CHECK: return
func.func @main(%x: tensor<32x128xf32>, %w: tensor<128x128xf32>, %h: tensor<32x128xf32>, %u: tensor<128x128xf32>)
    -> (tensor<32x128xf32>, tensor<32x128xf32>) {
  %y = xla.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<32x128xf32>, tensor<128x128xf32>) -> tensor<32x128xf32>
  %z = xla.dot_general %h, %u, contracting_dims = [1] x [0] : (tensor<32x128xf32>, tensor<128x128xf32>) -> tensor<32x128xf32>
  %r = xla.add %y, %z : tensor<32x128xf32>
  return %y, %r : tensor<32x128xf32>, tensor<32x128xf32>
}

// -----

// Each is work for all cores, of which loops or tiles may have larger blocks.
// CHECK-LABEL: func.func @main
// CHECK-COUNT-2: call @contraction
// CHECK: return
func.func @main(%x: tensor<128x128xf32>, %w: tensor<128x128xf32>, %h: tensor<128x128xf32>, %u: tensor<128x128xf32>)
    -> tensor<128x128xf32> {
  %y = xla.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
  %z = xla.dot_general %h, %u, contracting_dims = [1] x [0] : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
  %r = xla.add %y, %z : tensor<128x128xf32>
  return %r : tensor<128x128xf32>
}

// -----

// Blocks would read columns again that the second-level cache does not hold.
// CHECK-LABEL: func.func @main
// CHECK-NOT: call @rows
// CHECK: return
func.func @main(%x: tensor<16x128xf32>, %w: tensor<128x384xf32>, %h: tensor<16x128xf32>, %u: tensor<128x384xf32>)
    -> tensor<16x384xf32> {
  %y = xla.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<16x128xf32>, tensor<128x384xf32>) -> tensor<16x384xf32>
  %z = xla.dot_general %h, %u, contracting_dims = [1] x [0] : (tensor<16x128xf32>, tensor<128x384xf32>) -> tensor<16x384xf32>
  %r = xla.add %y, %z : tensor<16x384xf32>
  return %r : tensor<16x384xf32>
}
