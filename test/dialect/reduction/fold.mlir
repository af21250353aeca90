// RUN: xla-opt %s --canonicalize --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @no_dims
// CHECK-SAME: (%[[X:.*]]: tensor<4x2xf32>, %[[I:.*]]: tensor<f32>)
func.func @no_dims(%x: tensor<4x2xf32>, %init: tensor<f32>) -> tensor<4x2xf32> {
  // CHECK: %[[B:.*]] = xla.broadcast_in_dim %[[I]], dims = [] : (tensor<f32>) -> tensor<4x2xf32>
  // CHECK: %[[R:.*]] = xla.subtract %[[B]], %[[X]]
  // CHECK: return %[[R]]
  %0 = xla.reduce(%x init: %init) applies xla.subtract across dimensions = [] : (tensor<4x2xf32>, tensor<f32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// -----

// CHECK-LABEL: func.func @one_element
// CHECK-SAME: (%[[X:.*]]: tensor<4x1x2x1xf32>, %[[I:.*]]: tensor<f32>)
func.func @one_element(%x: tensor<4x1x2x1xf32>, %init: tensor<f32>) -> tensor<4x2xf32> {
  // CHECK-DAG: %[[S:.*]] = xla.reshape %[[X]] : (tensor<4x1x2x1xf32>) -> tensor<4x2xf32>
  // CHECK-DAG: %[[B:.*]] = xla.broadcast_in_dim %[[I]], dims = [] : (tensor<f32>) -> tensor<4x2xf32>
  // CHECK: xla.maximum %[[B]], %[[S]]
  %0 = xla.reduce(%x init: %init) applies xla.maximum across dimensions = [3, 1] : (tensor<4x1x2x1xf32>, tensor<f32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// -----

// CHECK-LABEL: func.func @nothing
// CHECK-SAME: (%{{.*}}: tensor<4x0xf32>, %{{.*}}: tensor<4x0xi32>, %[[F:.*]]: tensor<f32>, %[[I:.*]]: tensor<i32>)
func.func @nothing(%x: tensor<4x0xf32>, %i: tensor<4x0xi32>, %f: tensor<f32>, %none: tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>) {
  // CHECK-DAG: %[[A:.*]] = xla.broadcast_in_dim %[[F]], dims = [] : (tensor<f32>) -> tensor<4xf32>
  // CHECK-DAG: %[[B:.*]] = xla.broadcast_in_dim %[[I]], dims = [] : (tensor<i32>) -> tensor<4xi32>
  // CHECK: return %[[A]], %[[B]]
  %0:2 = xla.reduce(%x init: %f), (%i init: %none) across dimensions = [1] : (tensor<4x0xf32>, tensor<4x0xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%ia: tensor<i32>, %ib: tensor<i32>) {
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum, %ib : tensor<f32>, tensor<i32>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xi32>
}

// -----

// CHECK-LABEL: func.func @splats
func.func @splats() -> (tensor<4xf32>, tensor<4xi8>, tensor<i32>, tensor<ui8>, tensor<i1>, tensor<f32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %one = xla.constant dense<1.5> : tensor<4x6xf32>
  %izero = xla.constant dense<7> : tensor<i8>
  %ione = xla.constant dense<50> : tensor<4x6xi8>
  %lowest = xla.constant dense<-5> : tensor<i32>
  %minus = xla.constant dense<-7> : tensor<4x6xi32>
  %ulow = xla.constant dense<3> : tensor<ui8>
  %uhigh = xla.constant dense<200> : tensor<4x6xui8>
  %false = xla.constant dense<false> : tensor<i1>
  %true = xla.constant dense<true> : tensor<4x6xi1>
  %inf = xla.constant dense<0xFF800000> : tensor<f32>
  // CHECK-DAG: %[[F:.*]] = xla.constant dense<9.000000e+00> : tensor<4xf32>
  %0 = xla.reduce(%one init: %zero) applies xla.add across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  // Integers wrap: 7 + 6 * 50 = 307 = 51 mod 256.
  // CHECK-DAG: %[[I:.*]] = xla.constant dense<51> : tensor<4xi8>
  %1 = xla.reduce(%ione init: %izero) applies xla.add across dimensions = [1] : (tensor<4x6xi8>, tensor<i8>) -> tensor<4xi8>
  // CHECK-DAG: %[[M:.*]] = xla.constant dense<-5> : tensor<i32>
  %2 = xla.reduce(%minus init: %lowest) applies xla.maximum across dimensions = [0, 1] : (tensor<4x6xi32>, tensor<i32>) -> tensor<i32>
  // CHECK-DAG: %[[U:.*]] = xla.constant dense<200> : tensor<ui8>
  %3 = xla.reduce(%uhigh init: %ulow) applies xla.maximum across dimensions = [0, 1] : (tensor<4x6xui8>, tensor<ui8>) -> tensor<ui8>
  // CHECK-DAG: %[[O:.*]] = xla.constant dense<true> : tensor<i1>
  %4 = xla.reduce(%true init: %false) applies xla.or across dimensions = [0, 1] : (tensor<4x6xi1>, tensor<i1>) -> tensor<i1>
  // CHECK-DAG: %[[X:.*]] = xla.constant dense<1.500000e+00> : tensor<f32>
  %5 = xla.reduce(%one init: %inf) applies xla.maximum across dimensions = [0, 1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<f32>
  // CHECK: return %[[F]], %[[I]], %[[M]], %[[U]], %[[O]], %[[X]]
  return %0, %1, %2, %3, %4, %5 : tensor<4xf32>, tensor<4xi8>, tensor<i32>, tensor<ui8>, tensor<i1>, tensor<f32>
}

// -----

// Sums that round depend on the order: 0.1 is no short binary fraction, 2^25 ones do not fit the mantissa, an initial
// value that is not zero may enter several times.
// CHECK-LABEL: func.func @inexact_splats
// CHECK-COUNT-3: xla.reduce
func.func @inexact_splats() -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %one = xla.constant dense<1.0> : tensor<f32>
  %tenths = xla.constant dense<0.1> : tensor<10xf32>
  %many = xla.constant dense<1.0> : tensor<33554432xf32>
  %few = xla.constant dense<1.0> : tensor<4xf32>
  %0 = xla.reduce(%tenths init: %zero) applies xla.add across dimensions = [0] : (tensor<10xf32>, tensor<f32>) -> tensor<f32>
  %1 = xla.reduce(%many init: %zero) applies xla.add across dimensions = [0] : (tensor<33554432xf32>, tensor<f32>) -> tensor<f32>
  %2 = xla.reduce(%few init: %one) applies xla.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %0, %1, %2 : tensor<f32>, tensor<f32>, tensor<f32>
}

// -----

// CHECK-LABEL: func.func @window_of_one
// CHECK-SAME: (%[[X:.*]]: tensor<4x2xf32>, %[[I:.*]]: tensor<f32>)
func.func @window_of_one(%x: tensor<4x2xf32>, %init: tensor<f32>) -> (tensor<4x2xf32>, tensor<4x1xf32>) {
  // CHECK: %[[B:.*]] = xla.broadcast_in_dim %[[I]]
  // CHECK: %[[R:.*]] = xla.add %[[B]], %[[X]]
  %0 = "xla.reduce_window"(%x, %init) <{window_dimensions = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) : (tensor<4x2xf32>, tensor<f32>) -> tensor<4x2xf32>
  // A stride skips elements.
  // CHECK: %[[W:.*]] = "xla.reduce_window"
  %1 = "xla.reduce_window"(%x, %init) <{window_dimensions = array<i64: 1, 1>, window_strides = array<i64: 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) : (tensor<4x2xf32>, tensor<f32>) -> tensor<4x1xf32>
  // CHECK: return %[[R]], %[[W]]
  return %0, %1 : tensor<4x2xf32>, tensor<4x1xf32>
}
