// RUN: xla-opt %s --to=kernels --split-input-file | FileCheck %s

// What kernels hand to each other in memory, and what they compute again instead.

// Equal kernels are one.
// CHECK-LABEL: func.func @main
// CHECK: %[[A:.*]] = call @[[K:.*]](%arg0)
// CHECK: %[[B:.*]] = call @[[K]](%arg1)
// CHECK: return %[[A]], %[[B]]
// CHECK-COUNT-1: func.func private
// CHECK-NOT: func.func private
func.func @main(%x: tensor<64xf32>, %y: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %0 = xla.negate %x : tensor<64xf32>
  %1 = xla.negate %y : tensor<64xf32>
  return %0, %1 : tensor<64xf32>, tensor<64xf32>
}

// -----

// Not those of other types or other operations.
// CHECK-LABEL: func.func @main
// CHECK-COUNT-3: func.func private
func.func @main(%x: tensor<64xf32>, %y: tensor<64xf32>, %z: tensor<65xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<65xf32>) {
  %0 = xla.negate %x : tensor<64xf32>
  %1 = xla.abs %y : tensor<64xf32>
  %2 = xla.negate %z : tensor<65xf32>
  return %0, %1, %2 : tensor<64xf32>, tensor<64xf32>, tensor<65xf32>
}

// -----

// A scalar that several kernels read as a tensor is read as it is: no kernel has a third argument of 4096 elements.
// CHECK-LABEL: func.func @main
// CHECK: call @[[K:.*]](%arg2, %arg0)
// CHECK: call @[[K]](%arg2, %arg1)
// CHECK: func.func private @[[K]](%{{.*}}: tensor<f32>, %{{.*}}: tensor<4096xf32>) -> tensor<4096xf32>
func.func @main(%x: tensor<4096xf32>, %y: tensor<4096xf32>, %s: tensor<f32>) -> (tensor<4096xf32>, tensor<4096xf32>) {
  %b = xla.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<4096xf32>
  %0 = xla.multiply %x, %b : tensor<4096xf32>
  %1 = xla.multiply %y, %b : tensor<4096xf32>
  return %0, %1 : tensor<4096xf32>, tensor<4096xf32>
}

// -----

// Squares that only a sum reads are computed in its kernel, though what they are squares of is in memory.
// CHECK-LABEL: func.func @main
// CHECK: %[[D:.*]] = call @elementwise
// CHECK: %[[S:.*]] = call @reduction{{.*}}(%[[D]])
// CHECK: return %[[D]], %[[S]]
// CHECK: func.func private @elementwise{{.*}} -> tensor<64x4096xf32>
func.func @main(%x: tensor<64x4096xf32>, %y: tensor<64x4096xf32>) -> (tensor<64x4096xf32>, tensor<4096xf32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %d = xla.subtract %x, %y : tensor<64x4096xf32>
  %q = xla.multiply %d, %d : tensor<64x4096xf32>
  %s = xla.reduce(%q init: %zero) applies xla.add across dimensions = [0] : (tensor<64x4096xf32>, tensor<f32>) -> tensor<4096xf32>
  return %d, %s : tensor<64x4096xf32>, tensor<4096xf32>
}

// -----

// The derivative of tanh follows from its value, which the second product reads many times and so is in memory: the kernel
// of the first has one result.
// CHECK-LABEL: func.func @main
// CHECK-NOT: :2 = call
// CHECK: return
func.func @main(%x: tensor<256x256xf32>, %w: tensor<256x1024xf32>, %v: tensor<1024x256xf32>, %g: tensor<256x256xf32>) -> (tensor<256x256xf32>, tensor<256x1024xf32>) {
  %one = xla.constant dense<1.0> : tensor<256x1024xf32>
  %u = xla.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<256x256xf32>, tensor<256x1024xf32>) -> tensor<256x1024xf32>
  %t = xla.tanh %u : tensor<256x1024xf32>
  %r = xla.dot_general %t, %v, contracting_dims = [1] x [0] : (tensor<256x1024xf32>, tensor<1024x256xf32>) -> tensor<256x256xf32>
  %q = xla.multiply %t, %t : tensor<256x1024xf32>
  %d = xla.subtract %one, %q : tensor<256x1024xf32>
  %h = xla.dot_general %g, %v, contracting_dims = [1] x [1] : (tensor<256x256xf32>, tensor<1024x256xf32>) -> tensor<256x1024xf32>
  %k = xla.multiply %h, %d : tensor<256x1024xf32>
  return %r, %k : tensor<256x256xf32>, tensor<256x1024xf32>
}

// -----

// What the program returns, or what is small, is handed on.
// CHECK-LABEL: func.func @main
// CHECK: %[[S:.*]]:2 = call
// CHECK: call @{{.*}}(%[[S]]#
func.func @main(%x: tensor<100x10xf32>) -> (tensor<100x10xf32>, tensor<10xf32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %a = xla.exponential %x : tensor<100x10xf32>
  %b = xla.multiply %a, %a : tensor<100x10xf32>
  %s = xla.reduce(%a init: %zero) applies xla.add across dimensions = [0] : (tensor<100x10xf32>, tensor<f32>) -> tensor<10xf32>
  return %b, %s : tensor<100x10xf32>, tensor<10xf32>
}

// -----

// Sums that are broadcast where they are read are reductions like any other: one kernel for both.
// CHECK-LABEL: func.func @main
// CHECK: call @[[SUM:reduction_[0-9]+]](%arg0)
// CHECK: call @[[SUM]](%arg1)
// CHECK-NOT: kernel<rows
func.func @main(%x: tensor<2048x64xf32>, %y: tensor<2048x64xf32>) -> tensor<2048x2048xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %a = xla.multiply %x, %x : tensor<2048x64xf32>
  %b = xla.multiply %y, %y : tensor<2048x64xf32>
  %s = xla.reduce(%a init: %zero) applies xla.add across dimensions = [1] : (tensor<2048x64xf32>, tensor<f32>) -> tensor<2048xf32>
  %t = xla.reduce(%b init: %zero) applies xla.add across dimensions = [1] : (tensor<2048x64xf32>, tensor<f32>) -> tensor<2048xf32>
  %u = xla.broadcast_in_dim %s, dims = [0] : (tensor<2048xf32>) -> tensor<2048x2048xf32>
  %v = xla.broadcast_in_dim %t, dims = [1] : (tensor<2048xf32>) -> tensor<2048x2048xf32>
  %p = xla.dot_general %x, %y, contracting_dims = [1] x [1] : (tensor<2048x64xf32>, tensor<2048x64xf32>) -> tensor<2048x2048xf32>
  %w = xla.add %u, %v : tensor<2048x2048xf32>
  %d = xla.subtract %w, %p : tensor<2048x2048xf32>
  return %d : tensor<2048x2048xf32>
}

// -----

// Functions of sums that have their steps in lanes are a kernel of their own, with all else that is made of the sums.
// CHECK-LABEL: func.func @main
// CHECK: %[[S:.*]] = call @contraction{{.*}}(%arg0, %arg1) : {{.*}} -> tensor<4096xf32>
// CHECK: call @elementwise{{.*}}(%[[S]], %arg2)
func.func @main(%x: tensor<4096x64xf32>, %w: tensor<64xf32>, %y: tensor<4096xf32>) -> tensor<4096xf32> {
  %0 = xla.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4096x64xf32>, tensor<64xf32>) -> tensor<4096xf32>
  %1 = xla.negate %0 : tensor<4096xf32>
  %2 = xla.exponential %1 : tensor<4096xf32>
  %3 = xla.multiply %2, %y : tensor<4096xf32>
  return %3 : tensor<4096xf32>
}

// -----

// Where results are in lanes, functions of them are, too; and what is no function stays.
// CHECK-LABEL: func.func @main
// CHECK-COUNT-2: call @contraction
// CHECK-NOT: call @elementwise
func.func @main(%x: tensor<4096x64xf32>, %w: tensor<64xf32>, %m: tensor<64x64xf32>) -> (tensor<4096xf32>, tensor<4096x64xf32>) {
  %0 = xla.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4096x64xf32>, tensor<64xf32>) -> tensor<4096xf32>
  %1 = xla.negate %0 : tensor<4096xf32>
  %2 = xla.dot_general %x, %m, contracting_dims = [1] x [0] : (tensor<4096x64xf32>, tensor<64x64xf32>) -> tensor<4096x64xf32>
  %3 = xla.exponential %2 : tensor<4096x64xf32>
  return %1, %3 : tensor<4096xf32>, tensor<4096x64xf32>
}

// -----

// Functions of numbers that rows of a vector each read are a kernel of their own, where they have lanes; fewer are not,
// nor are those that longer rows read, which take longer themselves.
// CHECK-LABEL: func.func @main
// CHECK: %[[S:.*]] = call @elementwise{{.*}}(%arg0) : (tensor<128xf32>) -> tensor<128xf32>
// CHECK: call @elementwise{{.*}}(%[[S]], %arg1) : {{.*}} -> tensor<128x8xf32>
func.func @main(%x: tensor<128xf32>, %y: tensor<128x8xf32>) -> tensor<128x8xf32> {
  %0 = xla.exponential %x : tensor<128xf32>
  %1 = xla.log_plus_one %0 : tensor<128xf32>
  %2 = xla.broadcast_in_dim %1, dims = [0] : (tensor<128xf32>) -> tensor<128x8xf32>
  %3 = xla.multiply %2, %y : tensor<128x8xf32>
  return %3 : tensor<128x8xf32>
}

// -----

// CHECK-LABEL: func.func @main
// CHECK-COUNT-2: call @
// CHECK-NOT: call @
func.func @main(%x: tensor<16xf32>, %y: tensor<16x8xf32>, %z: tensor<16x64xf32>) -> (tensor<16x8xf32>, tensor<16x64xf32>) {
  %0 = xla.exponential %x : tensor<16xf32>
  %1 = xla.log_plus_one %0 : tensor<16xf32>
  %2 = xla.broadcast_in_dim %1, dims = [0] : (tensor<16xf32>) -> tensor<16x8xf32>
  %3 = xla.multiply %2, %y : tensor<16x8xf32>
  %4 = xla.sine %x : tensor<16xf32>
  %5 = xla.exponential %4 : tensor<16xf32>
  %6 = xla.broadcast_in_dim %5, dims = [0] : (tensor<16xf32>) -> tensor<16x64xf32>
  %7 = xla.multiply %6, %z : tensor<16x64xf32>
  return %3, %7 : tensor<16x8xf32>, tensor<16x64xf32>
}

// -----

// Parts are put into uninitialised memory, which is not copied, for each concatenation.
// CHECK-LABEL: func.func @main
// CHECK: %[[E:.*]] = tensor.empty
// CHECK: call @update{{.*}}(%arg0, %[[E]])
// CHECK: %[[F:.*]] = tensor.empty
// CHECK: call @update{{.*}}(%arg1, %[[F]])
func.func @main(%x: tensor<64xf32>, %y: tensor<64xf32>) -> (tensor<128xf32>, tensor<128xf32>) {
  %0 = xla.concatenate %x, %y, dim = 0 : (tensor<64xf32>, tensor<64xf32>) -> tensor<128xf32>
  %1 = xla.concatenate %y, %x, dim = 0 : (tensor<64xf32>, tensor<64xf32>) -> tensor<128xf32>
  return %0, %1 : tensor<128xf32>, tensor<128xf32>
}

// -----

// Of each column an exponential, and more, which every row would compute again: a kernel of its own.
// CHECK-LABEL: func.func @main
// CHECK: %[[S:.*]] = call @[[COLUMNS:.*]](%arg1)
// CHECK: call @{{.*}}(%[[S]], %arg0)
// CHECK: func.func private @[[COLUMNS]](%{{.*}}: tensor<24xf32>) -> tensor<24xf32>
func.func @main(%x: tensor<4096x24xf32>, %s: tensor<24xf32>) -> tensor<4096x24xf32> {
  %0 = xla.exponential %s : tensor<24xf32>
  %1 = xla.negate %0 : tensor<24xf32>
  %2 = xla.broadcast_in_dim %1, dims = [1] : (tensor<24xf32>) -> tensor<4096x24xf32>
  %3 = xla.multiply %x, %2 : tensor<4096x24xf32>
  return %3 : tensor<4096x24xf32>
}

// -----

// Of each row, it is known in the loop along the row.
// CHECK-LABEL: func.func @main
// CHECK-COUNT-1: func.func private
// CHECK-NOT: func.func private
func.func @main(%x: tensor<4096x24xf32>, %s: tensor<4096xf32>) -> tensor<4096x24xf32> {
  %0 = xla.exponential %s : tensor<4096xf32>
  %1 = xla.negate %0 : tensor<4096xf32>
  %2 = xla.broadcast_in_dim %1, dims = [0] : (tensor<4096xf32>) -> tensor<4096x24xf32>
  %3 = xla.multiply %x, %2 : tensor<4096x24xf32>
  return %3 : tensor<4096x24xf32>
}

// -----

// Few elements take no longer than a kernel more.
// CHECK-LABEL: func.func @main
// CHECK-COUNT-1: func.func private
// CHECK-NOT: func.func private
func.func @main(%x: tensor<40x24xf32>, %s: tensor<24xf32>) -> tensor<40x24xf32> {
  %0 = xla.exponential %s : tensor<24xf32>
  %1 = xla.negate %0 : tensor<24xf32>
  %2 = xla.broadcast_in_dim %1, dims = [1] : (tensor<24xf32>) -> tensor<40x24xf32>
  %3 = xla.multiply %x, %2 : tensor<40x24xf32>
  return %3 : tensor<40x24xf32>
}

// -----

// What caches hold, and what follows from a row and a column, is computed again by the two kernels that read it.
// CHECK-LABEL: func.func @main
// CHECK: %[[MAX:.*]] = call @reduction_0(%arg0, %arg1)
// CHECK: call @reduction_1(%arg0, %arg1, %[[MAX]])
// CHECK-NOT: call
func.func @main(%a: tensor<32x7xf32>, %t: tensor<7x7xf32>) -> tensor<32x7xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.broadcast_in_dim %a, dims = [0, 1] : (tensor<32x7xf32>) -> tensor<32x7x7xf32>
  %1 = xla.broadcast_in_dim %t, dims = [1, 2] : (tensor<7x7xf32>) -> tensor<32x7x7xf32>
  %2 = xla.add %0, %1 : tensor<32x7x7xf32>
  %max = xla.reduce(%2 init: %zero) applies xla.maximum across dimensions = [1]
      : (tensor<32x7x7xf32>, tensor<f32>) -> tensor<32x7xf32>
  %3 = xla.broadcast_in_dim %max, dims = [0, 2] : (tensor<32x7xf32>) -> tensor<32x7x7xf32>
  %4 = xla.subtract %2, %3 : tensor<32x7x7xf32>
  %5 = xla.exponential %4 : tensor<32x7x7xf32>
  %6 = xla.reduce(%5 init: %zero) applies xla.add across dimensions = [1]
      : (tensor<32x7x7xf32>, tensor<f32>) -> tensor<32x7xf32>
  return %6 : tensor<32x7xf32>
}

// -----

// Not by three.
// CHECK-LABEL: func.func @main
// CHECK: %[[SUM:.*]] = call @elementwise_{{[0-9]}}(%arg0, %arg1)
// CHECK-COUNT-3: call @reduction_{{[0-9]}}({{.*}}%[[SUM]]
func.func @main(%a: tensor<32x7xf32>, %t: tensor<7x7xf32>) -> tensor<32x7xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = xla.broadcast_in_dim %a, dims = [0, 1] : (tensor<32x7xf32>) -> tensor<32x7x7xf32>
  %1 = xla.broadcast_in_dim %t, dims = [1, 2] : (tensor<7x7xf32>) -> tensor<32x7x7xf32>
  %2 = xla.add %0, %1 : tensor<32x7x7xf32>
  %max = xla.reduce(%2 init: %zero) applies xla.maximum across dimensions = [1]
      : (tensor<32x7x7xf32>, tensor<f32>) -> tensor<32x7xf32>
  %3 = xla.broadcast_in_dim %max, dims = [0, 2] : (tensor<32x7xf32>) -> tensor<32x7x7xf32>
  %4 = xla.multiply %2, %3 : tensor<32x7x7xf32>
  %5 = xla.reduce(%4 init: %zero) applies xla.minimum across dimensions = [1]
      : (tensor<32x7x7xf32>, tensor<f32>) -> tensor<32x7xf32>
  %6 = xla.broadcast_in_dim %5, dims = [0, 2] : (tensor<32x7xf32>) -> tensor<32x7x7xf32>
  %7 = xla.multiply %2, %6 : tensor<32x7x7xf32>
  %8 = xla.reduce(%7 init: %zero) applies xla.add across dimensions = [1]
      : (tensor<32x7x7xf32>, tensor<f32>) -> tensor<32x7xf32>
  return %8 : tensor<32x7xf32>
}

// -----

// Functions of what windows overlap in are computed once, and so is their padding.
// CHECK-LABEL: func.func @main
// CHECK: %[[SWISH:.*]] = call @elementwise_{{[0-9]}}(%arg0)
// CHECK: call @{{.*}}%[[SWISH]]
func.func @main(%x: tensor<8x64x48x48xf32>, %k: tensor<64x1x3x3xf32>) -> tensor<8x64x24x24xf32> {
  %s = xla.logistic %x : tensor<8x64x48x48xf32>
  %y = xla.multiply %x, %s : tensor<8x64x48x48xf32>
  %0 = xla.convolution(%y, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 2], pad = [[1, 1], [1, 1]]} {feature_group_count = 64 : i64, batch_group_count = 1 : i64} : (tensor<8x64x48x48xf32>, tensor<64x1x3x3xf32>) -> tensor<8x64x24x24xf32>
  return %0 : tensor<8x64x24x24xf32>
}
