// RUN: xla-opt --xla-simplify --split-input-file %s | FileCheck %s
// RUN: xla-opt --xla-simplify=device=true --split-input-file %s | FileCheck %s --check-prefix=DEVICE

// Of the columns that one step puts together and the next takes apart, none is a tensor of all; the last one is.
// CHECK-LABEL: func.func @columns
// CHECK: %[[A:.*]] = xla.multiply %arg0
// CHECK: %[[B:.*]] = xla.multiply %arg1
// CHECK: %[[SUM:.*]] = xla.add %arg0, %[[B]]
// CHECK: xla.add %[[A]], %[[SUM]] : tensor<64xf32>
// CHECK: xla.add %[[B]], %arg1 : tensor<64xf32>
// CHECK: xla.concatenate %{{.*}}, %{{.*}}, dim = 1
// CHECK-NEXT: return
func.func @columns(%a: tensor<64xf32>, %b: tensor<64xf32>, %c: tensor<f32>) -> tensor<64x2xf32> {
  %a1 = xla.reshape %a : (tensor<64xf32>) -> tensor<64x1xf32>
  %b1 = xla.reshape %b : (tensor<64xf32>) -> tensor<64x1xf32>
  %0 = xla.concatenate %a1, %b1, dim = 1 : (tensor<64x1xf32>, tensor<64x1xf32>) -> tensor<64x2xf32>
  %s = xla.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<64x2xf32>
  %1 = xla.multiply %0, %s : tensor<64x2xf32>
  %2 = xla.slice %1 [0:64, 1:2] : (tensor<64x2xf32>) -> tensor<64x1xf32>
  %3 = xla.add %a1, %2 : tensor<64x1xf32>
  %4 = xla.concatenate %3, %b1, dim = 1 : (tensor<64x1xf32>, tensor<64x1xf32>) -> tensor<64x2xf32>
  %5 = xla.add %1, %4 : tensor<64x2xf32>
  return %5 : tensor<64x2xf32>
}

// -----

// What is in memory anyway is read in parts, and scalars of a select as they are.
// CHECK-LABEL: func.func @memory
// CHECK: %[[A:.*]] = xla.tanh %arg0
// CHECK: %[[X:.*]] = xla.slice %arg2 [0:8]
// CHECK: %[[FIRST:.*]] = xla.select %arg3, %[[A]], %[[X]]
// CHECK: %[[Y:.*]] = xla.slice %arg2 [8:12]
// CHECK: %[[LAST:.*]] = xla.select %arg3, %arg1, %[[Y]]
// CHECK: xla.concatenate %[[FIRST]], %[[LAST]], dim = 0
func.func @memory(%a: tensor<8xf32>, %b: tensor<4xf32>, %x: tensor<12xf32>, %p: tensor<i1>) -> tensor<12xf32> {
  %t = xla.tanh %a : tensor<8xf32>
  %0 = xla.concatenate %t, %b, dim = 0 : (tensor<8xf32>, tensor<4xf32>) -> tensor<12xf32>
  %1 = xla.select %p, %0, %x : tensor<i1>, tensor<12xf32>
  return %1 : tensor<12xf32>
}

// -----

// Elements of parts that are in memory are read from there.
// CHECK-LABEL: func.func @roll
// CHECK: %[[ROLLED:.*]] = xla.concatenate
// CHECK: xla.add %[[ROLLED]], %arg0
func.func @roll(%x: tensor<12xf32>) -> tensor<12xf32> {
  %a = xla.slice %x [8:12] : (tensor<12xf32>) -> tensor<4xf32>
  %b = xla.slice %x [0:8] : (tensor<12xf32>) -> tensor<8xf32>
  %0 = xla.concatenate %a, %b, dim = 0 : (tensor<4xf32>, tensor<8xf32>) -> tensor<12xf32>
  %1 = xla.add %0, %x : tensor<12xf32>
  return %1 : tensor<12xf32>
}

// -----

// Also what follows from it, if that is there as a whole: the next roll reads it there.
// CHECK-LABEL: func.func @rolls
// CHECK: %[[ROLLED:.*]] = xla.concatenate
// CHECK: %[[SUM:.*]] = xla.add %[[ROLLED]], %arg1 : tensor<12xf32>
// CHECK: xla.slice %[[SUM]] [11:12]
// CHECK: return %{{.*}}, %[[SUM]]
func.func @rolls(%x: tensor<12xf32>, %y: tensor<12xf32>) -> (tensor<12xf32>, tensor<12xf32>) {
  %a = xla.slice %x [1:12] : (tensor<12xf32>) -> tensor<11xf32>
  %b = xla.slice %x [0:1] : (tensor<12xf32>) -> tensor<1xf32>
  %c = xla.concatenate %a, %b, dim = 0 : (tensor<11xf32>, tensor<1xf32>) -> tensor<12xf32>
  %sum = xla.add %c, %y : tensor<12xf32>
  %d = xla.slice %sum [11:12] : (tensor<12xf32>) -> tensor<1xf32>
  %e = xla.slice %sum [0:11] : (tensor<12xf32>) -> tensor<11xf32>
  %f = xla.concatenate %d, %e, dim = 0 : (tensor<1xf32>, tensor<11xf32>) -> tensor<12xf32>
  %r = xla.subtract %sum, %f : tensor<12xf32>
  return %r, %sum : tensor<12xf32>, tensor<12xf32>
}

// -----

// Where they are added to what has other parts, those are cut, whatever the order.
// CHECK-LABEL: func.func @cut
// CHECK: %[[T:.*]] = xla.tanh %arg0
// CHECK: %[[X:.*]] = xla.slice %arg1 [0:2]
// CHECK: %[[BOTH:.*]] = xla.concatenate %arg2, %[[X]], dim = 0 : (tensor<6xf32>, tensor<2xf32>) -> tensor<8xf32>
// CHECK: %[[FIRST:.*]] = xla.add %[[BOTH]], %[[T]]
// CHECK: %[[REST:.*]] = xla.slice %arg1 [2:6]
// CHECK: %[[LAST:.*]] = xla.add %[[REST]], %arg3
// CHECK: xla.concatenate %[[FIRST]], %[[LAST]], dim = 0
func.func @cut(%a: tensor<8xf32>, %x: tensor<6xf32>, %y: tensor<6xf32>, %b: tensor<4xf32>) -> tensor<12xf32> {
  %t = xla.tanh %a : tensor<8xf32>
  %0 = xla.concatenate %t, %b, dim = 0 : (tensor<8xf32>, tensor<4xf32>) -> tensor<12xf32>
  %1 = xla.concatenate %y, %x, dim = 0 : (tensor<6xf32>, tensor<6xf32>) -> tensor<12xf32>
  %2 = xla.add %1, %0 : tensor<12xf32>
  return %2 : tensor<12xf32>
}

// -----

// Not what others read, too.
// CHECK-LABEL: func.func @read_by_others
// CHECK: %[[A:.*]] = xla.concatenate %{{.*}}, %arg1
// CHECK: %[[B:.*]] = xla.concatenate %arg2, %arg2
// CHECK: xla.add %[[A]], %[[B]]
func.func @read_by_others(%a: tensor<8xf32>, %b: tensor<4xf32>, %x: tensor<6xf32>) -> (tensor<12xf32>, tensor<12xf32>) {
  %t = xla.tanh %a : tensor<8xf32>
  %0 = xla.concatenate %t, %b, dim = 0 : (tensor<8xf32>, tensor<4xf32>) -> tensor<12xf32>
  %1 = xla.concatenate %x, %x, dim = 0 : (tensor<6xf32>, tensor<6xf32>) -> tensor<12xf32>
  %2 = xla.add %0, %1 : tensor<12xf32>
  return %1, %2 : tensor<12xf32>, tensor<12xf32>
}

// -----

// Two tensors that other ops read would be in memory instead of one; and so would be what one kernel computes with.
// CHECK-LABEL: func.func @wholes
// CHECK: %[[C:.*]] = xla.concatenate
// CHECK-DAG: xla.negate %[[C]]
// CHECK-DAG: xla.abs %[[C]]
// CHECK: %[[D:.*]] = xla.concatenate
// CHECK: xla.add %[[D]]
func.func @wholes(%a: tensor<8xf32>, %b: tensor<4xf32>, %x: tensor<12xf32>) -> (tensor<12xf32>, tensor<12xf32>, tensor<12xf32>) {
  %0 = xla.concatenate %a, %b, dim = 0 : (tensor<8xf32>, tensor<4xf32>) -> tensor<12xf32>
  %1 = xla.negate %0 : tensor<12xf32>
  %2 = xla.abs %0 : tensor<12xf32>
  %3 = xla.concatenate %b, %a, dim = 0 : (tensor<4xf32>, tensor<8xf32>) -> tensor<12xf32>
  %4 = xla.tanh %x : tensor<12xf32>
  %5 = xla.add %3, %4 : tensor<12xf32>
  return %1, %2, %5 : tensor<12xf32>, tensor<12xf32>, tensor<12xf32>
}

// -----

// Parts of other sizes stay together, and so do many.
// CHECK-LABEL: func.func @others
// CHECK: %[[A:.*]] = xla.concatenate
// CHECK: %[[B:.*]] = xla.concatenate
// CHECK: xla.add %[[A]], %[[B]]
// CHECK: %[[C:.*]] = xla.concatenate
// CHECK: xla.negate %[[C]]
func.func @others(%a: tensor<8xf32>, %b: tensor<4xf32>) -> (tensor<12xf32>, tensor<20xf32>) {
  %0 = xla.concatenate %a, %b, dim = 0 : (tensor<8xf32>, tensor<4xf32>) -> tensor<12xf32>
  %1 = xla.concatenate %b, %a, dim = 0 : (tensor<4xf32>, tensor<8xf32>) -> tensor<12xf32>
  %2 = xla.add %0, %1 : tensor<12xf32>
  %3 = xla.concatenate %b, %b, %b, %b, %b, dim = 0 : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<20xf32>
  %4 = xla.negate %3 : tensor<20xf32>
  return %2, %4 : tensor<12xf32>, tensor<20xf32>
}

// -----

// What vmap makes of jnp.stack: the parts are written where they belong.
// CHECK-LABEL: func.func @stack(
// CHECK-SAME: %[[A:.*]]: tensor<1x8xf32>, %[[B:.*]]: tensor<1x8xf32>)
func.func @stack(%a: tensor<1x8xf32>, %b: tensor<1x8xf32>) -> tensor<8x2xf32> {
  // CHECK-DAG: %[[X:.*]] = xla.reshape %[[A]] : (tensor<1x8xf32>) -> tensor<8x1xf32>
  // CHECK-DAG: %[[Y:.*]] = xla.reshape %[[B]] : (tensor<1x8xf32>) -> tensor<8x1xf32>
  // CHECK: %[[R:.*]] = xla.concatenate %[[X]], %[[Y]], dim = 1
  // CHECK-NEXT: return %[[R]]
  %0 = xla.concatenate %a, %b, dim = 0 : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<2x8xf32>
  %1 = xla.transpose %0, dims = [1, 0] : (tensor<2x8xf32>) -> tensor<8x2xf32>
  return %1 : tensor<8x2xf32>
}

// -----

// Rows of more than one element have to be transposed.
// CHECK-LABEL: func.func @rows(
func.func @rows(%a: tensor<2x8xf32>, %b: tensor<1x8xf32>) -> tensor<8x3xf32> {
  // CHECK: xla.concatenate
  // CHECK: xla.transpose
  %0 = xla.concatenate %a, %b, dim = 0 : (tensor<2x8xf32>, tensor<1x8xf32>) -> tensor<3x8xf32>
  %1 = xla.transpose %0, dims = [1, 0] : (tensor<3x8xf32>) -> tensor<8x3xf32>
  return %1 : tensor<8x3xf32>
}

// -----

// Of many columns that are put side by side each would be written element by element: they are rows first. A device
// writes all of them at once.
// CHECK-LABEL: func.func @many_columns(
// CHECK: %[[S:.*]] = xla.concatenate {{.*}}, dim = 0 : ({{.*}}) -> tensor<5x64xf32>
// CHECK: xla.transpose %[[S]], dims = [1, 0]
// DEVICE-LABEL: func.func @many_columns(
// DEVICE: xla.concatenate {{.*}}, dim = 1
// DEVICE-NOT: xla.transpose
func.func @many_columns(%a: tensor<64x1xf32>, %b: tensor<64x1xf32>) -> tensor<64x5xf32> {
  %0 = xla.concatenate %a, %b, %a, %b, %a, dim = 1 : (tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x1xf32>) -> tensor<64x5xf32>
  return %0 : tensor<64x5xf32>
}

// -----

// A few, or of few rows, stay as they are.
// CHECK-LABEL: func.func @short_columns(
// CHECK-NOT: xla.transpose
func.func @short_columns(%a: tensor<8x1xf32>, %b: tensor<64x1xf32>) -> (tensor<8x5xf32>, tensor<64x4xf32>) {
  %0 = xla.concatenate %a, %a, %a, %a, %a, dim = 1 : (tensor<8x1xf32>, tensor<8x1xf32>, tensor<8x1xf32>, tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x5xf32>
  %1 = xla.concatenate %b, %b, %b, %b, dim = 1 : (tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x1xf32>) -> tensor<64x4xf32>
  return %0, %1 : tensor<8x5xf32>, tensor<64x4xf32>
}

// -----

// Matrices of columns that are stacked are rows of them.
// CHECK-LABEL: func.func @matrices(
// CHECK-SAME: %[[A:.*]]: tensor<64x1xf32>, %[[B:.*]]: tensor<64x1xf32>)
// CHECK: %[[ALL:.*]] = xla.concatenate %[[A]], %[[B]], %[[B]], %[[A]], dim = 1
// CHECK: xla.reshape %[[ALL]] : (tensor<64x4xf32>) -> tensor<64x2x2xf32>
// DEVICE-LABEL: func.func @matrices(
// DEVICE: xla.concatenate {{.*}} -> tensor<64x2x2xf32>
func.func @matrices(%a: tensor<64x1xf32>, %b: tensor<64x1xf32>) -> tensor<64x2x2xf32> {
  %0 = xla.concatenate %a, %b, dim = 1 : (tensor<64x1xf32>, tensor<64x1xf32>) -> tensor<64x2xf32>
  %1 = xla.concatenate %b, %a, dim = 1 : (tensor<64x1xf32>, tensor<64x1xf32>) -> tensor<64x2xf32>
  %2 = xla.reshape %0 : (tensor<64x2xf32>) -> tensor<64x1x2xf32>
  %3 = xla.reshape %1 : (tensor<64x2xf32>) -> tensor<64x1x2xf32>
  %4 = xla.concatenate %2, %3, dim = 1 : (tensor<64x1x2xf32>, tensor<64x1x2xf32>) -> tensor<64x2x2xf32>
  return %4 : tensor<64x2x2xf32>
}

// -----

// A row that something else reads, too, is one in memory.
// CHECK-LABEL: func.func @read_twice(
// CHECK: xla.concatenate {{.*}} -> tensor<64x2x2xf32>
func.func @read_twice(%a: tensor<64x1xf32>, %b: tensor<64x1xf32>) -> (tensor<64x2x2xf32>, tensor<64x2xf32>) {
  %0 = xla.concatenate %a, %b, dim = 1 : (tensor<64x1xf32>, tensor<64x1xf32>) -> tensor<64x2xf32>
  %1 = xla.concatenate %b, %a, dim = 1 : (tensor<64x1xf32>, tensor<64x1xf32>) -> tensor<64x2xf32>
  %2 = xla.reshape %0 : (tensor<64x2xf32>) -> tensor<64x1x2xf32>
  %3 = xla.reshape %1 : (tensor<64x2xf32>) -> tensor<64x1x2xf32>
  %4 = xla.concatenate %2, %3, dim = 1 : (tensor<64x1x2xf32>, tensor<64x1x2xf32>) -> tensor<64x2x2xf32>
  return %4, %0 : tensor<64x2x2xf32>, tensor<64x2xf32>
}

// -----

// Long parts that are only reduced are reduced by themselves: along them, where the first one has the initial value, or
// beside them, where all have.
// CHECK-LABEL: func.func @reduced
// CHECK-DAG: %[[NONE:.*]] = xla.constant dense<-0.000000e+00> : tensor<f32>
// CHECK-NOT: xla.concatenate {{.*}}tensor<96x64xf32>
// CHECK-DAG: %[[A:.*]] = xla.reduce({{.*}} init: %arg2) applies xla.add across dimensions = [0, 1] : (tensor<32x64xf32>, tensor<f32>) -> tensor<f32>
// CHECK-DAG: %[[B:.*]] = xla.reduce({{.*}} init: %[[NONE]]) applies xla.add across dimensions = [0, 1] : (tensor<64x64xf32>, tensor<f32>) -> tensor<f32>
// CHECK-DAG: xla.add %[[A]], %[[B]] : tensor<f32>
// CHECK-DAG: %[[C:.*]] = xla.reduce({{.*}} init: %arg2) applies xla.maximum across dimensions = [1] : (tensor<32x64xf32>, tensor<f32>) -> tensor<32xf32>
// CHECK-DAG: %[[D:.*]] = xla.reduce({{.*}} init: %arg2) applies xla.maximum across dimensions = [1] : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
// CHECK: xla.concatenate %[[C]], %[[D]], dim = 0
// DEVICE-LABEL: func.func @reduced
// DEVICE: xla.concatenate {{.*}}tensor<96x64xf32>
func.func @reduced(%a: tensor<32x64xf32>, %b: tensor<64x64xf32>, %init: tensor<f32>) -> (tensor<f32>, tensor<96xf32>) {
  %t = xla.tanh %a : tensor<32x64xf32>
  %0 = xla.concatenate %t, %b, dim = 0 : (tensor<32x64xf32>, tensor<64x64xf32>) -> tensor<96x64xf32>
  %1 = xla.reduce(%0 init: %init) applies xla.add across dimensions = [0, 1] : (tensor<96x64xf32>, tensor<f32>) -> tensor<f32>
  %2 = xla.reduce(%0 init: %init) applies xla.maximum across dimensions = [1] : (tensor<96x64xf32>, tensor<f32>) -> tensor<96xf32>
  return %1, %2 : tensor<f32>, tensor<96xf32>
}

// -----

// What anything else reads is in memory, and sums of narrow floats would be rounded after each part.
// CHECK-LABEL: func.func @whole
// CHECK-COUNT-2: xla.reduce({{.*}}tensor<192x64x
func.func @whole(%a: tensor<96x64xf32>, %b: tensor<96x64xbf16>) -> (tensor<f32>, tensor<192x64xf32>, tensor<bf16>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %none = xla.constant dense<0.0> : tensor<bf16>
  %0 = xla.concatenate %a, %a, dim = 0 : (tensor<96x64xf32>, tensor<96x64xf32>) -> tensor<192x64xf32>
  %1 = xla.reduce(%0 init: %zero) applies xla.add across dimensions = [0, 1] : (tensor<192x64xf32>, tensor<f32>) -> tensor<f32>
  %2 = xla.concatenate %b, %b, dim = 0 : (tensor<96x64xbf16>, tensor<96x64xbf16>) -> tensor<192x64xbf16>
  %3 = xla.reduce(%2 init: %none) applies xla.add across dimensions = [0, 1] : (tensor<192x64xbf16>, tensor<bf16>) -> tensor<bf16>
  return %1, %0, %3 : tensor<f32>, tensor<192x64xf32>, tensor<bf16>
}
