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

// A cumulative sum is a scan: distances 1, 2, 4, 8, 16. An initial value that changes nothing is left out.
// CHECK-LABEL: func.func @cumulative(
// CHECK-SAME: %[[X:.*]]: tensor<4x20xf32>
func.func @cumulative(%x: tensor<4x20xf32>) -> tensor<4x20xf32> {
  %zero = xla.constant dense<-0.0> : tensor<f32>
  // CHECK: %[[EARLY:.*]] = tensor.extract_slice %[[X]][0, 0] [4, 19] [1, 1]
  // CHECK: %[[LATE:.*]] = tensor.extract_slice %[[X]][0, 1] [4, 19] [1, 1]
  // CHECK: %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[EARLY]], %[[LATE]]
  // CHECK: %[[FIRST:.*]] = tensor.extract_slice %[[X]][0, 0] [4, 1] [1, 1]
  // CHECK: %[[STEP:.*]] = tensor.concat dim(1) %[[FIRST]], %[[SUM]]
  // CHECK: tensor.extract_slice %[[STEP]][0, 0] [4, 18] [1, 1]
  // CHECK-COUNT-4: tensor.concat
  // CHECK-NOT: tensor.concat
  %0 = "xla.reduce_window"(%x, %zero) <{
    window_dimensions = array<i64: 1, 20>, padding = dense<[[0, 0], [19, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = xla.add %a, %b : tensor<f32>
    xla.return %m : tensor<f32>
  }) : (tensor<4x20xf32>, tensor<f32>) -> tensor<4x20xf32>
  return %0 : tensor<4x20xf32>
}

// -----

// 0 does change something: -0 becomes 0.
// CHECK-LABEL: func.func @from_zero(
// CHECK-SAME: %[[X:.*]]: tensor<20xf32>
func.func @from_zero(%x: tensor<20xf32>) -> tensor<20xf32> {
  %zero = xla.constant dense<0.0> : tensor<f32>
  // CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00>
  // CHECK: %[[FIRST:.*]] = linalg.generic {{.*}} ins(%[[ZERO]], %[[X]]
  // CHECK: arith.addf
  // CHECK: tensor.extract_slice %[[FIRST]][0] [19] [1]
  %0 = "xla.reduce_window"(%x, %zero) <{
    window_dimensions = array<i64: 20>, padding = dense<[[19, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = xla.add %a, %b : tensor<f32>
    "xla.return"(%m) : (tensor<f32>) -> ()
  }) : (tensor<20xf32>, tensor<f32>) -> tensor<20xf32>
  return %0 : tensor<20xf32>
}
