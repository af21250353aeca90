// RUN: xla-opt %s --split-input-file --to=kernels=instructions=pmaddwd | FileCheck %s
// RUN: xla-opt %s --split-input-file --to=kernels="vector-bits=256 instructions=pmaddwd" | FileCheck %s --check-prefix=NARROW
// A few rows by columns that are neighbours along the sum: all rows are one step, so that columns are read once.

// CHECK-LABEL: func.func @main
// CHECK: #xla_rt.nest<5x4096x512, lanes d2 16x1, jam d0 5, work d1>
// NARROW-LABEL: func.func @main
// NARROW: #xla_rt.nest<5x4096x512, lanes d2 8x1, jam d0 5, work d1>
func.func @main(%x: tensor<5x512xf32>, %y: tensor<4096x512xf32>) -> tensor<5x4096xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [1] : (tensor<5x512xf32>, tensor<4096x512xf32>) -> tensor<5x4096xf32>
  return %0 : tensor<5x4096xf32>
}

// -----

// Two have several vectors, which wait for each other less.
// CHECK-LABEL: func.func @main
// CHECK: #xla_rt.nest<2x4096x512, lanes d2 16x4, jam d0 2, work d1>
func.func @main(%x: tensor<2x512xf32>, %y: tensor<4096x512xf32>) -> tensor<2x4096xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [1] : (tensor<2x512xf32>, tensor<4096x512xf32>) -> tensor<2x4096xf32>
  return %0 : tensor<2x4096xf32>
}

// -----

// Columns that stay in the first-level cache may be read again.
// CHECK-LABEL: func.func @main
// CHECK: #xla_rt.nest<4x32x64, lanes d2 16x1, jam d1 4, work d0
func.func @main(%x: tensor<4x64xf32>, %y: tensor<32x64xf32>) -> tensor<4x32xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [1] : (tensor<4x64xf32>, tensor<32x64xf32>) -> tensor<4x32xf32>
  return %0 : tensor<4x32xf32>
}

// -----

// Longer steps of more rows: the columns are the rows of a product with few columns.
// CHECK-LABEL: func.func @main
// CHECK: #xla_rt.nest<4096x6x2048, lanes d1
func.func @main(%x: tensor<6x2048xf32>, %y: tensor<4096x2048xf32>) -> tensor<6x4096xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [1] : (tensor<6x2048xf32>, tensor<4096x2048xf32>) -> tensor<6x4096xf32>
  return %0 : tensor<6x4096xf32>
}

// -----

// Rows of bf16 are widened once: of each of their vectors, a step would take two instructions.
// CHECK-LABEL: func.func @main
// CHECK: %[[X:.*]] = call @elementwise_0(%arg0) : (tensor<8x512xbf16>) -> tensor<8x512xf32>
// CHECK: call @contraction_1(%[[X]], %arg1)
// CHECK: #xla_rt.nest<8x4096x512, lanes d2 16x1, jam d0 8, work d1>
func.func @main(%x: tensor<8x512xbf16>, %y: tensor<4096x512xbf16>) -> tensor<8x4096xbf16> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [1] : (tensor<8x512xbf16>, tensor<4096x512xbf16>) -> tensor<8x4096xbf16>
  return %0 : tensor<8x4096xbf16>
}
