// RUN: xla-opt %s --xla-legalize-to-linalg --split-input-file | FileCheck %s

// Window dimensions of size 1 have no loop; an unused operand gives the extent of the others.
// CHECK-DAG: #[[IN:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1 * 2 + d3, d2 + d4 * 2)>
// CHECK-DAG: #[[WINDOW:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d3, d4)>
// CHECK-DAG: #[[OUT:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>
// CHECK-LABEL: func.func @pool(
// CHECK-SAME: %[[X:.*]]: tensor<8x6x7xf32>
func.func @pool(%x: tensor<8x6x7xf32>) -> tensor<8x3x5xf32> {
  %lowest = xla.constant dense<0xFF800000> : tensor<f32>
  // CHECK: %[[LOWEST:.*]] = arith.constant 0xFF800000 : f32
  // CHECK: %[[P:.*]] = tensor.pad %[[X]] low[0, 0, 1] high[0, 0, 1]
  // CHECK: tensor.yield %[[LOWEST]]
  // CHECK: %[[W:.*]] = tensor.empty() : tensor<2x3xf32>
  // CHECK: linalg.generic {indexing_maps = [#[[IN]], #[[WINDOW]], #[[OUT]]]
  // CHECK-SAME: iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]
  // CHECK-SAME: ins(%[[P]], %[[W]] : tensor<8x6x9xf32>, tensor<2x3xf32>)
  // CHECK-NEXT: ^bb0(%[[NEW:.*]]: f32, %{{.*}}: f32, %[[ACC:.*]]: f32):
  // CHECK-NEXT: arith.maximumf %[[ACC]], %[[NEW]]
  %0 = "xla.reduce_window"(%x, %lowest) <{
    window_dimensions = array<i64: 1, 2, 3>, window_strides = array<i64: 1, 2, 1>, window_dilations = array<i64: 1, 1, 2>,
    padding = dense<[[0, 0], [0, 0], [1, 1]]> : tensor<3x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = xla.maximum %a, %b : tensor<f32>
    xla.return %m : tensor<f32>
  }) : (tensor<8x6x7xf32>, tensor<f32>) -> tensor<8x3x5xf32>
  return %0 : tensor<8x3x5xf32>
}

// -----

// Base dilation puts the initial value between elements.
// CHECK-LABEL: func.func @dilated
func.func @dilated(%x: tensor<3xi32>) -> tensor<4xi32> {
  %zero = xla.constant dense<0> : tensor<i32>
  // CHECK: %[[F:.*]] = linalg.fill {{.*}} -> tensor<5xi32>
  // CHECK: tensor.insert_slice %{{.*}} into %[[F]][0] [3] [2]
  %0 = "xla.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 2>, base_dilations = array<i64: 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %m = xla.add %a, %b : tensor<i32>
    xla.return %m : tensor<i32>
  }) : (tensor<3xi32>, tensor<i32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

// A window over all elements up to each position is a scan.
// CHECK-LABEL: func.func @cumulative(
// CHECK-SAME: %[[X:.*]]: tensor<4x20xf32>
func.func @cumulative(%x: tensor<4x20xf32>) -> tensor<4x20xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  // CHECK: %[[ZERO:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<4xf32>)
  // CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<4x20xf32>
  // CHECK: %[[SUMS:.*]] = xla_rt.scan ins(%[[X]] : tensor<4x20xf32>) initial(%[[ZERO]] : tensor<4xf32>)
  // CHECK-SAME: outs(%[[EMPTY]] : tensor<4x20xf32>) dimension = 1 {
  // CHECK-NEXT: ^bb0(%[[EARLIER:.*]]: f32, %[[LATER:.*]]: f32):
  // CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[EARLIER]], %[[LATER]] : f32
  // CHECK-NEXT: xla_rt.yield %[[SUM]] : f32
  // CHECK: return %[[SUMS]]
  %0 = "xla.reduce_window"(%x, %zero) <{
    window_dimensions = array<i64: 1, 20>, padding = dense<[[0, 0], [19, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = xla.add %a, %b : tensor<f32>
    xla.return %m : tensor<f32>
  }) : (tensor<4x20xf32>, tensor<f32>) -> tensor<4x20xf32>
  return %0 : tensor<4x20xf32>
}

// -----

// Padding behind the elements makes it one from the last to the first. Its body may read scalars from outside, and there
// may be several arrays.
// CHECK-LABEL: func.func @reversed(
// CHECK-SAME: %[[X:.*]]: tensor<20xi32>, %[[Y:.*]]: tensor<20xi32>, %[[SCALE:.*]]: tensor<i32>
func.func @reversed(%x: tensor<20xi32>, %y: tensor<20xi32>, %scale: tensor<i32>) -> (tensor<20xi32>, tensor<20xi32>) {
  %zero = xla.constant dense<0> : tensor<i32>
  // CHECK: %[[FACTOR:.*]] = tensor.extract %[[SCALE]][] : tensor<i32>
  // CHECK: xla_rt.scan ins(%[[X]], %[[Y]] : {{.*}} dimension = 0 reverse {
  // CHECK-NEXT: ^bb0(%[[A:.*]]: i32, %[[B:.*]]: i32, %[[C:.*]]: i32, %[[D:.*]]: i32):
  // CHECK: arith.muli %[[A]], %[[FACTOR]]
  // CHECK: xla_rt.yield %{{.*}}, %{{.*}} : i32, i32
  %0:2 = "xla.reduce_window"(%x, %y, %zero, %zero) <{
    window_dimensions = array<i64: 20>, padding = dense<[[0, 19]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
    %scaled = xla.multiply %a, %scale : tensor<i32>
    %m = xla.add %scaled, %c : tensor<i32>
    %n = xla.add %b, %d : tensor<i32>
    xla.return %m, %n : tensor<i32>, tensor<i32>
  }) : (tensor<20xi32>, tensor<20xi32>, tensor<i32>, tensor<i32>) -> (tensor<20xi32>, tensor<20xi32>)
  return %0#0, %0#1 : tensor<20xi32>, tensor<20xi32>
}

// -----

// A sum of narrow floats is rounded where it is stored.
// CHECK-LABEL: func.func @narrow(
func.func @narrow(%x: tensor<20xbf16>) -> tensor<20xbf16> {
  %zero = xla.constant dense<0.0> : tensor<bf16>
  // CHECK: %[[WIDE:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<20xbf16>) outs(%{{.*}} : tensor<20xf32>)
  // CHECK: xla_rt.scan ins(%[[WIDE]] : tensor<20xf32>)
  // CHECK: arith.addf %{{.*}}, %{{.*}} : f32
  // CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<20xbf16>)
  %0 = "xla.reduce_window"(%x, %zero) <{
    window_dimensions = array<i64: 20>, padding = dense<[[19, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %m = xla.add %a, %b : tensor<bf16>
    xla.return %m : tensor<bf16>
  }) : (tensor<20xbf16>, tensor<bf16>) -> tensor<20xbf16>
  return %0 : tensor<20xbf16>
}

// -----

// Windows along two dimensions are none.
// CHECK-LABEL: func.func @area(
// CHECK-NOT: xla_rt.scan
func.func @area(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  %0 = "xla.reduce_window"(%x, %zero) <{
    window_dimensions = array<i64: 3, 4>, padding = dense<[[2, 0], [3, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = xla.add %a, %b : tensor<f32>
    xla.return %m : tensor<f32>
  }) : (tensor<3x4xf32>, tensor<f32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}
