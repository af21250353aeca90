// RUN: xla-opt %s | FileCheck %s
// RUN: xla-opt %s | xla-opt | FileCheck %s
// RUN: xla-opt %s --mlir-print-op-generic | xla-opt | FileCheck %s
// RUN: xla-opt %s --emit-bytecode | xla-opt | FileCheck %s

// CHECK-LABEL: func.func @reduce_compact
func.func @reduce_compact(%x: tensor<4x2x3xf32>, %zero: tensor<f32>) {
  // CHECK: xla.reduce(%{{.*}} init: %{{.*}}) applies xla.add across dimensions = [1] : (tensor<4x2x3xf32>, tensor<f32>) -> tensor<4x3xf32>
  %0 = xla.reduce(%x init: %zero) applies xla.add across dimensions = [1] : (tensor<4x2x3xf32>, tensor<f32>) -> tensor<4x3xf32>
  // CHECK: applies xla.add across dimensions = [2, 0, 1] {note = 1 : i32} : (tensor<4x2x3xf32>, tensor<f32>) -> tensor<f32>
  %1 = xla.reduce(%x init: %zero) applies stablehlo.add across dimensions = [2, 0, 1] {note = 1 : i32} : (tensor<4x2x3xf32>, tensor<f32>) -> tensor<f32>
  // CHECK: applies xla.add across dimensions = [] : (tensor<4x2x3xf32>, tensor<f32>) -> tensor<4x2x3xf32>
  %2 = xla.reduce(%x init: %zero) applies mhlo.add across dimensions = [] : (tensor<4x2x3xf32>, tensor<f32>) -> tensor<4x2x3xf32>
  // The generic form of a single binary op prints compactly.
  // CHECK: applies xla.add across dimensions = [0]
  %3 = "xla.reduce"(%x, %zero) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = xla.add %a, %b : tensor<f32>
    xla.return %sum : tensor<f32>
  }) : (tensor<4x2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @reduce_region
func.func @reduce_region(%x: tensor<4x2x3xf32>, %i: tensor<4x2x3xi32>, %zero: tensor<f32>, %none: tensor<i32>) {
  // Swapped operands, attributes and further ops need the region.
  // CHECK:      xla.reduce(%{{.*}} init: %{{.*}}) across dimensions = [0] : (tensor<4x2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  // CHECK-NEXT: reducer(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>) {
  // CHECK-NEXT:   xla.add %[[B]], %[[A]] : tensor<f32>
  %0 = xla.reduce(%x init: %zero) across dimensions = [0] : (tensor<4x2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
   reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %sum = xla.add %b, %a : tensor<f32>
    xla.return %sum : tensor<f32>
  }
  // CHECK: reducer
  // CHECK-NEXT: xla.add {{.*}} {note}
  %1 = xla.reduce(%x init: %zero) across dimensions = [0] : (tensor<4x2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
   reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %sum = xla.add %a, %b {note} : tensor<f32>
    xla.return %sum : tensor<f32>
  }
  // CHECK:      xla.reduce(%{{.*}} init: %{{.*}}), (%{{.*}} init: %{{.*}}) across dimensions = [0, 2]
  // CHECK-SAME:   (tensor<4x2x3xf32>, tensor<4x2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
  // CHECK-NEXT: reducer(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>) (%[[IA:.*]]: tensor<i32>, %[[IB:.*]]: tensor<i32>) {
  // CHECK-NEXT:   xla.add %[[A]], %[[B]]
  // CHECK-NEXT:   xla.add %[[IA]], %[[IB]]
  %2:2 = xla.reduce(%x init: %zero), (%i init: %none) across dimensions = [0, 2]
    : (tensor<4x2x3xf32>, tensor<4x2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%ia: tensor<i32>, %ib: tensor<i32>) {
    %sum = xla.add %a, %b : tensor<f32>
    %isum = xla.add %ia, %ib : tensor<i32>
    xla.return %sum, %isum : tensor<f32>, tensor<i32>
  }
  return
}

// CHECK-LABEL: func.func @reduce_window
func.func @reduce_window(%x: tensor<4x6xf32>, %i: tensor<4x6xi32>, %zero: tensor<f32>, %none: tensor<i32>) {
  // CHECK: "xla.reduce_window"(%{{.*}}, %{{.*}}) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 3>}> ({
  // CHECK: }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<2x2xf32>
  %0 = "xla.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<2x2xf32>
  // Dilations and padding; a window that does not fit has no position.
  // CHECK: -> (tensor<0x6xf32>, tensor<0x6xi32>)
  %1:2 = "xla.reduce_window"(%x, %i, %zero, %none) <{
    window_dimensions = array<i64: 9, 3>, window_strides = array<i64: 1, 2>, base_dilations = array<i64: 2, 3>,
    window_dilations = array<i64: 1, 2>, padding = dense<[[0, 1], [2, -3]]> : tensor<2x2xi64>
  }> ({
  ^bb0(%a: tensor<f32>, %ia: tensor<i32>, %b: tensor<f32>, %ib: tensor<i32>):
    xla.return %a, %ib : tensor<f32>, tensor<i32>
  }) : (tensor<4x6xf32>, tensor<4x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<0x6xf32>, tensor<0x6xi32>)
  return
}

// CHECK-LABEL: func.func @select_and_scatter
func.func @select_and_scatter(%x: tensor<4x5xf32>, %source: tensor<2x2xf32>, %init: tensor<f32>, %true: tensor<i1>) {
  // CHECK: "xla.select_and_scatter"
  // CHECK: }) : (tensor<4x5xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x5xf32>
  %0 = "xla.select_and_scatter"(%x, %source, %init) <{
    window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 2>
  }> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %true : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    xla.return %s : tensor<f32>
  }) : (tensor<4x5xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x5xf32>
  return
}
