// RUN: xla-opt %s | FileCheck %s
// RUN: xla-opt %s | xla-opt | FileCheck %s

// CHLO in its own assembly and in generic form. What it has and xla lacks is expressed by other ops.

// CHECK-LABEL: func.func @broadcasting
// CHECK-SAME:    (%[[A:.*]]: tensor<3x4xf32>, %[[B:.*]]: tensor<4xf32>, %[[C:.*]]: tensor<3xf32>, %[[P:.*]]: tensor<4xi1>
func.func @broadcasting(%a: tensor<3x4xf32>, %b: tensor<4xf32>, %c: tensor<3xf32>, %p: tensor<4xi1>, %d: tensor<3x1xf32>) {
  // CHECK: %[[S0:.*]] = xla.broadcast_in_dim %[[B]], dims = [1] : (tensor<4xf32>) -> tensor<3x4xf32>
  // CHECK: xla.add %[[A]], %[[S0]] : tensor<3x4xf32>
  %0 = chlo.broadcast_add %a, %b : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  // CHECK: %[[S1:.*]] = xla.broadcast_in_dim %[[C]], dims = [0]
  // CHECK: xla.subtract %[[S1]], %[[A]]
  %1 = chlo.broadcast_subtract %c, %a {broadcast_dimensions = array<i64: 0>} : (tensor<3xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  // CHECK: xla.compare LT, %[[A]], %{{.*}}, TOTALORDER
  %2 = chlo.broadcast_compare %a, %b {compare_type = #chlo<comparison_type TOTALORDER>, comparison_direction = #chlo<comparison_direction LT>} : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xi1>
  // CHECK: %[[S3:.*]] = xla.broadcast_in_dim %[[P]], dims = [1] : (tensor<4xi1>) -> tensor<3x4xi1>
  // CHECK: xla.select %[[S3]], %[[A]], %{{.*}} : tensor<3x4xi1>, tensor<3x4xf32>
  %3 = chlo.broadcast_select %p, %a, %b : (tensor<4xi1>, tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  // CHECK: xla.complex %[[A]], %{{.*}} : tensor<3x4xcomplex<f32>>
  %4 = chlo.broadcast_complex %a, %b : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xcomplex<f32>>
  // CHECK: xla.zeta
  %5 = chlo.broadcast_zeta %a, %b : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  // CHECK: xla.polygamma
  %6 = chlo.broadcast_polygamma %a, %b : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  // CHECK: xla.next_after
  %7 = chlo.broadcast_next_after %a, %b : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  // Both sides have dimensions of size 1.
  // CHECK: %[[S8:.*]] = xla.broadcast_in_dim %{{.*}}, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x4xf32>
  // CHECK: %[[T8:.*]] = xla.broadcast_in_dim %[[B]], dims = [1]
  // CHECK: xla.multiply %[[S8]], %[[T8]]
  %8 = "chlo.broadcast_multiply"(%d, %b) : (tensor<3x1xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  // CHECK: xla.compare NE
  %9 = "chlo.broadcast_compare"(%a, %b) <{comparison_direction = #chlo<comparison_direction NE>}> : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xi1>
  // CHECK: xla.power %[[A]], %{{.*}}
  %10 = "chlo.broadcast_power"(%a, %c) <{broadcast_dimensions = array<i64: 0>}> : (tensor<3x4xf32>, tensor<3xf32>) -> tensor<3x4xf32>
  return
}

// CHECK-LABEL: func.func @others
func.func @others(%a: tensor<3xf32>, %i: tensor<4xi32>, %z: tensor<4xcomplex<f32>>, %w: tensor<2xf8E4M3FN>) {
  // CHECK: %[[V:.*]] = xla.constant dense<1.500000e+00> : tensor<f32>
  // CHECK: xla.broadcast_in_dim %[[V]], dims = [] : (tensor<f32>) -> tensor<3xf32>
  %0 = "chlo.constant_like"(%a) <{value = 1.5 : f32}> : (tensor<3xf32>) -> tensor<3xf32>
  // CHECK: xla.constant dense<7> : tensor<i32>
  %1 = "chlo.constant_like"(%i) <{value = 7 : i32}> : (tensor<4xi32>) -> tensor<4xi32>
  // CHECK: xla.constant dense<[1.000000e+00, 2.000000e+00]>
  %2 = chlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  // CHECK: %[[M:.*]] = xla.abs
  // CHECK: %[[I:.*]] = xla.constant dense<0x7F800000> : tensor<f32>
  // CHECK: xla.compare EQ, %[[M]], %{{.*}}
  %3 = chlo.is_inf %a : tensor<3xf32> -> tensor<3xi1>
  // CHECK: xla.constant dense<0x7F800000>
  %4 = chlo.is_pos_inf %a : tensor<3xf32> -> tensor<3xi1>
  // CHECK: xla.constant dense<0xFF800000>
  %5 = "chlo.is_neg_inf"(%a) : (tensor<3xf32>) -> tensor<3xi1>
  // CHECK: xla.constant dense<false>
  %6 = chlo.is_inf %w : tensor<2xf8E4M3FN> -> tensor<2xi1>
  // CHECK: xla.mulhi
  %7 = chlo.mulhi %i, %i : tensor<4xi32>, tensor<4xi32> -> tensor<4xi32>
  // CHECK: xla.acos
  // CHECK: xla.cosh
  // CHECK: xla.sine
  %8 = chlo._asin_acos_kernel %z : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  // CHECK: xla.top_k
  %9, %10 = chlo.top_k(%a, k = 2) : tensor<3xf32> -> (tensor<2xf32>, tensor<2xi32>)
  return
}

// CHECK-LABEL: func.func @scan
func.func @scan(%x: tensor<4x8xf32>, %c: tensor<8xf32>, %d: tensor<i32>) {
  // CHECK: "xla.scan"(%{{.*}}, %{{.*}}) <{dimension = 0 : i64, is_reverse = true, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}>
  %0:2 = chlo.scan(%x) inits (%c) dimension=0  attributes {is_reverse = true} {
  ^bb0(%e: tensor<8xf32>, %s: tensor<8xf32>):
    %t = stablehlo.add %e, %s : tensor<8xf32>
    stablehlo.return %t, %t : tensor<8xf32>, tensor<8xf32>
  } : (tensor<4x8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<8xf32>)
  // CHECK: "xla.scan"(%{{.*}}) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 0, 1>, resultSegmentSizes = array<i32: 0, 1>, scan_dim_size = 5 : i64}>
  %1 = chlo.scan() inits (%d) dimension=0  attributes {scan_dim_size = 5 : i64} {
  ^bb0(%s: tensor<i32>):
    stablehlo.return %s : tensor<i32>
  } : (tensor<i32>) -> tensor<i32>
  // CHECK: "xla.scan"
  %2:2 = "chlo.scan"(%x, %c) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%e: tensor<8xf32>, %s: tensor<8xf32>):
    "stablehlo.return"(%e, %s) : (tensor<8xf32>, tensor<8xf32>) -> ()
  }) : (tensor<4x8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<8xf32>)
  return
}

// CHECK-LABEL: func.func @ragged_dot
func.func @ragged_dot(%a: tensor<16x8xf32>, %b: tensor<4x8x32xf32>, %s: tensor<4xi32>) -> tensor<16x32xf32> {
  // CHECK: "xla.ragged_dot"
  %0 = "chlo.ragged_dot"(%a, %b, %s) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<16x8xf32>, tensor<4x8x32xf32>, tensor<4xi32>) -> tensor<16x32xf32>
  return %0 : tensor<16x32xf32>
}
