// RUN: xla-opt %s --xla-simplify | FileCheck %s

// CHECK-LABEL: func.func @transpose_into_dot(
// CHECK-SAME: %[[A:.*]]: tensor<3x2xf32>, %[[B:.*]]: tensor<4x3xf32>
func.func @transpose_into_dot(%a: tensor<3x2xf32>, %b: tensor<4x3xf32>) -> tensor<2x4xf32> {
  // CHECK-NEXT: xla.dot_general %[[A]], %[[B]], contracting_dims = [0] x [1]
  %0 = xla.transpose %a, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %1 = xla.transpose %b, dims = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
  %2 = xla.dot_general %0, %1, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %2 : tensor<2x4xf32>
}

// The free dimensions of lhs would change their order.
// CHECK-LABEL: func.func @transpose_of_free_dims
func.func @transpose_of_free_dims(%a: tensor<5x2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x5x4xf32> {
  // CHECK: xla.transpose
  %0 = xla.transpose %a, dims = [1, 0, 2] : (tensor<5x2x3xf32>) -> tensor<2x5x3xf32>
  %1 = xla.dot_general %0, %b, contracting_dims = [2] x [0] : (tensor<2x5x3xf32>, tensor<3x4xf32>) -> tensor<2x5x4xf32>
  return %1 : tensor<2x5x4xf32>
}

// The output projection of attention: what is transposed is written in that order, by rows of the values.
// CHECK-LABEL: func.func @transpose_between_dots(
// CHECK: %[[O:.*]] = xla.dot_general %arg0, %arg1
// CHECK: %[[T:.*]] = xla.transpose %[[O]], dims = [0, 3, 1, 2]
// CHECK: xla.dot_general %[[T]], %arg2, contracting_dims = [2, 3] x [0, 1]
func.func @transpose_between_dots(%v: tensor<4x128x8x32xf32>, %p: tensor<4x8x128x128xf32>, %w: tensor<8x32x256xf32>) -> tensor<4x128x256xf32> {
  %0 = xla.dot_general %v, %p, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<4x128x8x32xf32>, tensor<4x8x128x128xf32>) -> tensor<4x8x32x128xf32>
  %1 = xla.transpose %0, dims = [0, 3, 1, 2] : (tensor<4x8x32x128xf32>) -> tensor<4x128x8x32xf32>
  %2 = xla.dot_general %1, %w, contracting_dims = [2, 3] x [0, 1] : (tensor<4x128x8x32xf32>, tensor<8x32x256xf32>) -> tensor<4x128x256xf32>
  return %2 : tensor<4x128x256xf32>
}

// CHECK-LABEL: func.func @transpose_of_dot(
// CHECK-SAME: %[[A:.*]]: tensor<7x2x3xf32>, %[[B:.*]]: tensor<7x3x4xf32>
func.func @transpose_of_dot(%a: tensor<7x2x3xf32>, %b: tensor<7x3x4xf32>) -> tensor<7x4x2xf32> {
  // CHECK-NEXT: xla.dot_general %[[B]], %[[A]], batching_dims = [0] x [0], contracting_dims = [1] x [2]
  // CHECK-SAME: -> tensor<7x4x2xf32>
  %0 = xla.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1]
    : (tensor<7x2x3xf32>, tensor<7x3x4xf32>) -> tensor<7x2x4xf32>
  %1 = xla.transpose %0, dims = [0, 2, 1] : (tensor<7x2x4xf32>) -> tensor<7x4x2xf32>
  return %1 : tensor<7x4x2xf32>
}

// CHECK-LABEL: func.func @converts(
// CHECK-SAME: %[[X:.*]]: tensor<4xbf16>, %[[I:.*]]: tensor<4xui8>, %[[F:.*]]: tensor<4xf32>
func.func @converts(%x: tensor<4xbf16>, %i: tensor<4xui8>, %f: tensor<4xf32>)
    -> (tensor<4xbf16>, tensor<4xi64>, tensor<4xf32>) {
  %0 = xla.convert %x : (tensor<4xbf16>) -> tensor<4xf32>
  %1 = xla.convert %0 : (tensor<4xf32>) -> tensor<4xbf16>
  %2 = xla.convert %i : (tensor<4xui8>) -> tensor<4xi16>
  // CHECK: %[[W:.*]] = xla.convert %[[I]] : (tensor<4xui8>) -> tensor<4xi64>
  %3 = xla.convert %2 : (tensor<4xi16>) -> tensor<4xi64>
  // This pair rounds.
  // CHECK: %[[N:.*]] = xla.convert %[[F]] : (tensor<4xf32>) -> tensor<4xf16>
  %4 = xla.convert %f : (tensor<4xf32>) -> tensor<4xf16>
  // CHECK: %[[R:.*]] = xla.convert %[[N]] : (tensor<4xf16>) -> tensor<4xf32>
  %5 = xla.convert %4 : (tensor<4xf16>) -> tensor<4xf32>
  // CHECK: return %[[X]], %[[W]], %[[R]]
  return %1, %3, %5 : tensor<4xbf16>, tensor<4xi64>, tensor<4xf32>
}

// CHECK-LABEL: func.func @broadcasts(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>
func.func @broadcasts(%x: tensor<4xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  // CHECK: xla.broadcast_in_dim %[[X]], dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
  %0 = xla.broadcast_in_dim %x, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
  %1 = xla.broadcast_in_dim %0, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x8xf32>
  // CHECK: xla.broadcast_in_dim %[[X]], dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
  %2 = xla.reshape %x : (tensor<4xf32>) -> tensor<4x1xf32>
  %3 = xla.broadcast_in_dim %2, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x8xf32>
  return %1, %3 : tensor<4x8xf32>, tensor<4x8xf32>
}

// CHECK-LABEL: func.func @powers(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>
func.func @powers(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %two = xla.constant dense<2.0> : tensor<4xf32>
  %three = xla.constant dense<3.0> : tensor<4xf32>
  %odd = xla.constant dense<0.7> : tensor<4xf32>
  // CHECK: xla.multiply %[[X]], %[[X]]
  %0 = xla.power %x, %two : tensor<4xf32>
  // CHECK: %[[SQUARE:.*]] = xla.multiply %[[X]], %[[X]]
  // CHECK: xla.multiply %[[SQUARE]], %[[X]]
  %1 = xla.power %x, %three : tensor<4xf32>
  // CHECK: xla.power
  %2 = xla.power %x, %odd : tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @angles(
// CHECK-SAME: %[[Y:.*]]: tensor<4xf32>
func.func @angles(%y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %one = xla.constant dense<1.0> : tensor<4xf32>
  %minus = xla.constant dense<-1.0> : tensor<4xf32>
  // CHECK: xla.atan %[[Y]]
  %0 = xla.atan2 %y, %one : tensor<4xf32>
  // CHECK: xla.atan2 %[[Y]]
  %1 = xla.atan2 %y, %minus : tensor<4xf32>
  // CHECK: xla.atan2 %{{.*}}, %[[Y]]
  %2 = xla.atan2 %one, %y : tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// sqrt(-0.0) and sqrt(-inf) differ from the power.
// CHECK-LABEL: func.func @half_integer_power(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>
func.func @half_integer_power(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-DAG: %[[ONE:.*]] = xla.constant dense<1.000000e+00>
  // CHECK-DAG: %[[ZERO:.*]] = xla.constant dense<0.000000e+00>
  // CHECK-DAG: %[[INF:.*]] = xla.constant dense<0x7F800000>
  // CHECK-DAG: %[[NEGATIVE:.*]] = xla.constant dense<0xFF800000>
  // CHECK: %[[IS:.*]] = xla.compare EQ, %[[X]], %[[NEGATIVE]]
  // CHECK: %[[SUM:.*]] = xla.add %[[X]], %[[ZERO]]
  // CHECK: %[[BASE:.*]] = xla.select %[[IS]], %[[INF]], %[[SUM]]
  // CHECK: %[[ROOT:.*]] = xla.sqrt %[[BASE]]
  // CHECK: %[[INVERSE:.*]] = xla.divide %[[ONE]], %[[ROOT]]
  // CHECK: xla.divide %[[INVERSE]], %[[BASE]]
  %e = xla.constant dense<-1.5> : tensor<4xf32>
  %0 = xla.power %x, %e : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Power computes in f32, and rounds once.
// CHECK-LABEL: func.func @narrow_power(
func.func @narrow_power(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  // CHECK: xla.convert {{.*}} -> tensor<4xf32>
  // CHECK: xla.sqrt {{.*}} : tensor<4xf32>
  // CHECK: xla.convert {{.*}} -> tensor<4xbf16>
  %e = xla.constant dense<0.5> : tensor<4xbf16>
  %0 = xla.power %x, %e : tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// Two units of f64 would be exceeded.
// CHECK-LABEL: func.func @precise_power(
func.func @precise_power(%x: tensor<4xf64>) -> tensor<4xf64> {
  // CHECK: xla.power
  %e = xla.constant dense<-2.5> : tensor<4xf64>
  %0 = xla.power %x, %e : tensor<4xf64>
  return %0 : tensor<4xf64>
}

// CHECK-LABEL: func.func @gather_one_slice(
// CHECK-SAME: %[[X:.*]]: tensor<8x4xf32>
func.func @gather_one_slice(%x: tensor<8x4xf32>, %i: tensor<1xi32>) -> tensor<4xf32> {
  // CHECK: %[[S:.*]] = xla.dynamic_slice %[[X]], %{{.*}}, %{{.*}}, sizes = [1, 4]
  // CHECK: xla.reshape %[[S]] : (tensor<1x4xf32>) -> tensor<4xf32>
  %0 = "xla.gather"(%x, %i) <{
    dimension_numbers = #xla.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0]>,
    slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf32>, tensor<1xi32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// What is transposed anyway is reduced afterwards, so that it has one reader.
// CHECK-LABEL: func.func @transpose_of_reduce(
// CHECK-SAME: %[[X:.*]]: tensor<4x5x6xf32>
// CHECK: %[[T:.*]] = xla.transpose %[[X]], dims = [1, 0, 2]
// CHECK: %[[R:.*]] = xla.reduce(%[[T]] init: %{{.*}}) applies xla.maximum across dimensions = [2] : (tensor<5x4x6xf32>, tensor<f32>) -> tensor<5x4xf32>
// CHECK: return %{{.*}}, %[[R]]
func.func @transpose_of_reduce(%x: tensor<4x5x6xf32>, %init: tensor<f32>) -> (tensor<5x4x6xf32>, tensor<5x4xf32>) {
  %0 = xla.reduce(%x init: %init) applies xla.maximum across dimensions = [2] : (tensor<4x5x6xf32>, tensor<f32>) -> tensor<4x5xf32>
  %1 = xla.transpose %0, dims = [1, 0] : (tensor<4x5xf32>) -> tensor<5x4xf32>
  %2 = xla.transpose %x, dims = [1, 0, 2] : (tensor<4x5x6xf32>) -> tensor<5x4x6xf32>
  return %2, %1 : tensor<5x4x6xf32>, tensor<5x4xf32>
}

// -----

// Not in another order of rows, nor if sums would be in another order.
// CHECK-LABEL: func.func @other_transposes(
// CHECK-SAME: %[[X:.*]]: tensor<4x5x6xf32>
// CHECK: xla.reduce(%[[X]]
// CHECK: xla.reduce(%[[X]]
func.func @other_transposes(%x: tensor<4x5x6xf32>, %init: tensor<f32>)
    -> (tensor<4x6x5xf32>, tensor<6x5x4xf32>, tensor<5x4xf32>, tensor<4xf32>) {
  %0 = xla.reduce(%x init: %init) applies xla.add across dimensions = [2] : (tensor<4x5x6xf32>, tensor<f32>) -> tensor<4x5xf32>
  %1 = xla.transpose %0, dims = [1, 0] : (tensor<4x5xf32>) -> tensor<5x4xf32>
  %2 = xla.transpose %x, dims = [0, 2, 1] : (tensor<4x5x6xf32>) -> tensor<4x6x5xf32>
  %3 = xla.reduce(%x init: %init) applies xla.add across dimensions = [1, 2] : (tensor<4x5x6xf32>, tensor<f32>) -> tensor<4xf32>
  %4 = xla.transpose %3, dims = [0] : (tensor<4xf32>) -> tensor<4xf32>
  %5 = xla.reshape %x : (tensor<4x5x6xf32>) -> tensor<6x5x4xf32>
  return %2, %5, %1, %4 : tensor<4x6x5xf32>, tensor<6x5x4xf32>, tensor<5x4xf32>, tensor<4xf32>
}

// A kernel that is reversed along its window: the window goes backwards instead, or forwards again.
// CHECK-LABEL: func.func @reversed_kernel
func.func @reversed_kernel(%x: tensor<2x9x9x3xf32>, %k: tensor<3x3x3x4xf32>) -> (tensor<2x7x7x4xf32>, tensor<2x7x7x4xf32>) {
  // CHECK-NOT: xla.reverse
  // CHECK: xla.convolution(%{{.*}}, %[[K:.*]]) {{.*}} window = {reverse = [true, false]}
  // CHECK: xla.convolution(%{{.*}}, %[[K]]) {{.*}} window = {}
  %0 = xla.reverse %k, dims = [0, 1] : tensor<3x3x3x4xf32>
  %1 = xla.convolution(%x, %0) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {reverse = [false, true]}
    : (tensor<2x9x9x3xf32>, tensor<3x3x3x4xf32>) -> tensor<2x7x7x4xf32>
  %2 = xla.convolution(%x, %0) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {reverse = [true, true]}
    : (tensor<2x9x9x3xf32>, tensor<3x3x3x4xf32>) -> tensor<2x7x7x4xf32>
  return %1, %2 : tensor<2x7x7x4xf32>, tensor<2x7x7x4xf32>
}

// Features are no part of the window.
// CHECK-LABEL: func.func @reversed_features
func.func @reversed_features(%x: tensor<2x9x3xf32>, %k: tensor<3x3x4xf32>) -> tensor<2x7x4xf32> {
  // CHECK: xla.reverse
  %0 = xla.reverse %k, dims = [0, 1] : tensor<3x3x4xf32>
  %1 = xla.convolution(%x, %0) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {}
    : (tensor<2x9x3xf32>, tensor<3x3x4xf32>) -> tensor<2x7x4xf32>
  return %1 : tensor<2x7x4xf32>
}

// Numbers of elements in the order of memory, as JAX makes random bits of them, are those of a line.
// CHECK-LABEL: func.func @numbers
// CHECK: %[[LINE:.*]] = xla.iota dim = 0 : tensor<30xui64>
// CHECK: %[[NUMBERS:.*]] = xla.reshape %[[LINE]] : (tensor<30xui64>) -> tensor<5x2x3xui64>
// CHECK: return %[[NUMBERS]]
func.func @numbers() -> tensor<5x2x3xui64> {
  %six = xla.constant dense<6> : tensor<5x2x3xui64>
  %three = xla.constant dense<3> : tensor<5x2x3xui64>
  %i = xla.iota dim = 0 : tensor<5x2x3xui64>
  %j = xla.iota dim = 1 : tensor<5x2x3xui64>
  %k = xla.iota dim = 2 : tensor<5x2x3xui64>
  %0 = xla.multiply %six, %i : tensor<5x2x3xui64>
  %1 = xla.multiply %j, %three : tensor<5x2x3xui64>
  %2 = xla.add %0, %1 : tensor<5x2x3xui64>
  %3 = xla.add %2, %k : tensor<5x2x3xui64>
  return %3 : tensor<5x2x3xui64>
}

// Other sums of indices are not: columns first, and rows that are longer than they are.
// CHECK-LABEL: func.func @no_numbers
// CHECK-COUNT-2: xla.iota {{.*}} : tensor<5x3xi32>
// CHECK-COUNT-2: xla.add
func.func @no_numbers() -> (tensor<5x3xi32>, tensor<5x3xi32>) {
  %five = xla.constant dense<5> : tensor<5x3xi32>
  %four = xla.constant dense<4> : tensor<5x3xi32>
  %i = xla.iota dim = 0 : tensor<5x3xi32>
  %j = xla.iota dim = 1 : tensor<5x3xi32>
  %0 = xla.multiply %five, %j : tensor<5x3xi32>
  %1 = xla.add %i, %0 : tensor<5x3xi32>
  %2 = xla.multiply %four, %i : tensor<5x3xi32>
  %3 = xla.add %2, %j : tensor<5x3xi32>
  return %1, %3 : tensor<5x3xi32>, tensor<5x3xi32>
}

// -----

// An extremum of narrow floats is found in f32, which has an instruction for it; no step rounds.
// CHECK-LABEL: func.func @narrow_extremum(
// CHECK-SAME: %[[X:.*]]: tensor<4x8xbf16>
func.func @narrow_extremum(%x: tensor<4x8xbf16>) -> tensor<4xbf16> {
  // CHECK: %[[WIDE:.*]] = xla.convert %[[X]] : (tensor<4x8xbf16>) -> tensor<4x8xf32>
  // CHECK: %[[R:.*]] = xla.reduce(%[[WIDE]] init: %{{.*}}) applies xla.maximum across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  // CHECK: xla.convert %[[R]] : (tensor<4xf32>) -> tensor<4xbf16>
  %least = xla.constant dense<0xFF80> : tensor<bf16>
  %m = xla.reduce(%x init: %least) applies xla.maximum across dimensions = [1] : (tensor<4x8xbf16>, tensor<bf16>) -> tensor<4xbf16>
  return %m : tensor<4xbf16>
}

// -----

// Sums round at every step.
// CHECK-LABEL: func.func @narrow_sum(
func.func @narrow_sum(%x: tensor<4x8xbf16>) -> tensor<4xbf16> {
  // CHECK-NOT: xla.convert
  // CHECK: xla.reduce{{.*}} applies xla.add {{.*}} : (tensor<4x8xbf16>, tensor<bf16>) -> tensor<4xbf16>
  %zero = xla.constant dense<0.0> : tensor<bf16>
  %m = xla.reduce(%x init: %zero) applies xla.add across dimensions = [1] : (tensor<4x8xbf16>, tensor<bf16>) -> tensor<4xbf16>
  return %m : tensor<4xbf16>
}

// -----

// Narrow factors are widened once, to a type that has all their numbers and products of its own.
// CHECK-LABEL: func.func @narrow_factors
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xf8E4M3FN>, %[[Y:.*]]: tensor<8x2xf8E4M3FN>)
func.func @narrow_factors(%x: tensor<4x8xf8E4M3FN>, %y: tensor<8x2xf8E4M3FN>)
    -> (tensor<4x2xf32>, tensor<4x2xf8E4M3FN>) {
  // CHECK: %[[LEFT:.*]] = xla.convert %[[X]] : (tensor<4x8xf8E4M3FN>) -> tensor<4x8xbf16>
  // CHECK: %[[RIGHT:.*]] = xla.convert %[[Y]] : (tensor<8x2xf8E4M3FN>) -> tensor<8x2xbf16>
  // CHECK: %[[PRODUCT:.*]] = xla.dot_general %[[LEFT]], %[[RIGHT]], {{.*}} -> tensor<4x2xf32>
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0]
    : (tensor<4x8xf8E4M3FN>, tensor<8x2xf8E4M3FN>) -> tensor<4x2xf32>
  // CHECK: %[[SUM:.*]] = xla.dot_general {{.*}} : (tensor<4x8xbf16>, tensor<8x2xbf16>) -> tensor<4x2xf32>
  // CHECK: %[[ROUNDED:.*]] = xla.convert %[[SUM]] : (tensor<4x2xf32>) -> tensor<4x2xf8E4M3FN>
  %1 = xla.dot_general %x, %y, contracting_dims = [1] x [0]
    : (tensor<4x8xf8E4M3FN>, tensor<8x2xf8E4M3FN>) -> tensor<4x2xf8E4M3FN>
  // CHECK: return %[[PRODUCT]], %[[ROUNDED]]
  return %0, %1 : tensor<4x2xf32>, tensor<4x2xf8E4M3FN>
}

// -----

// 2^-127, the smallest of these numbers, is no normal one of bf16.
// CHECK-LABEL: func.func @powers_of_two
func.func @powers_of_two(%x: tensor<4x8xf8E8M0FNU>, %y: tensor<8x2xf8E8M0FNU>) -> tensor<4x2xf32> {
  // CHECK-NOT: bf16
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0]
    : (tensor<4x8xf8E8M0FNU>, tensor<8x2xf8E8M0FNU>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// -----

// CHECK-LABEL: func.func @narrow_windows
func.func @narrow_windows(%x: tensor<2x9x9x8xf8E5M2>, %w: tensor<3x3x8x4xf8E5M2>) -> tensor<2x7x7x4xf8E5M2> {
  // CHECK: xla.convolution{{.*}} : (tensor<2x9x9x8xbf16>, tensor<3x3x8x4xbf16>) -> tensor<2x7x7x4xf32>
  // CHECK: xla.convert {{.*}} -> tensor<2x7x7x4xf8E5M2>
  %0 = xla.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
    : (tensor<2x9x9x8xf8E5M2>, tensor<3x3x8x4xf8E5M2>) -> tensor<2x7x7x4xf8E5M2>
  return %0 : tensor<2x7x7x4xf8E5M2>
}
