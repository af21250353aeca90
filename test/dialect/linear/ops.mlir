// RUN: xla-opt %s | FileCheck %s
// RUN: xla-opt %s | xla-opt | FileCheck %s
// RUN: xla-opt %s --mlir-print-op-generic | xla-opt | FileCheck %s
// RUN: xla-opt %s --emit-bytecode | xla-opt | FileCheck %s

// CHECK-LABEL: func.func @dot
func.func @dot(%v: tensor<3xf32>, %a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %i: tensor<2x3xi8>, %j: tensor<3x2xi8>, %p: tensor<3x3xi1>) {
  // CHECK: xla.dot %{{.*}}, %{{.*}} : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  %0 = xla.dot %v, %v : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  // CHECK: xla.dot %{{.*}}, %{{.*}}, precision = [HIGH, DEFAULT] : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
  %1 = xla.dot %a, %v, precision = [HIGH, DEFAULT] : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
  // CHECK: xla.dot %{{.*}}, %{{.*}}, precision = [] {note} : (tensor<3xf32>, tensor<3x4xf32>) -> tensor<4xf32>
  %2 = xla.dot %v, %b, precision = [] {note} : (tensor<3xf32>, tensor<3x4xf32>) -> tensor<4xf32>
  // CHECK: -> tensor<2x4xf32>
  %3 = xla.dot %a, %b : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  // A wider result of the same class.
  // CHECK: (tensor<2x3xi8>, tensor<3x2xi8>) -> tensor<2x2xi32>
  %4 = xla.dot %i, %j : (tensor<2x3xi8>, tensor<3x2xi8>) -> tensor<2x2xi32>
  // Integers are summed as floats.
  // CHECK: (tensor<2x3xi8>, tensor<3x2xi8>) -> tensor<2x2xbf16>
  %6 = xla.dot %i, %j : (tensor<2x3xi8>, tensor<3x2xi8>) -> tensor<2x2xbf16>
  // CHECK: (tensor<3x3xi1>, tensor<3x3xi1>) -> tensor<3x3xi1>
  %5 = xla.dot %p, %p : (tensor<3x3xi1>, tensor<3x3xi1>) -> tensor<3x3xi1>
  return
}

// CHECK-LABEL: func.func @dot_general
func.func @dot_general(%a: tensor<2x3x2xi32>, %b: tensor<3x2x2xi32>, %x: tensor<2x3xbf16>, %y: tensor<3x4xbf16>) {
  // CHECK: xla.dot_general %{{.*}}, %{{.*}}, batching_dims = [1] x [0], contracting_dims = [2] x [1] : (tensor<2x3x2xi32>, tensor<3x2x2xi32>) -> tensor<3x2x2xi32>
  %0 = xla.dot_general %a, %b, batching_dims = [1] x [0], contracting_dims = [2] x [1] : (tensor<2x3x2xi32>, tensor<3x2x2xi32>) -> tensor<3x2x2xi32>
  // CHECK: xla.dot_general %{{.*}}, %{{.*}}, contracting_dims = [1] x [0], precision = [HIGHEST, DEFAULT] : (tensor<2x3xbf16>, tensor<3x4xbf16>) -> tensor<2x4xf32>
  %1 = xla.dot_general %x, %y, contracting_dims = [1] x [0], precision = [HIGHEST, DEFAULT] : (tensor<2x3xbf16>, tensor<3x4xbf16>) -> tensor<2x4xf32>
  // CHECK: xla.dot_general %{{.*}}, %{{.*}}, contracting_dims = [] x [] : (tensor<2x3xbf16>, tensor<3x4xbf16>) -> tensor<2x3x3x4xbf16>
  %2 = xla.dot_general %x, %y, contracting_dims = [] x [] : (tensor<2x3xbf16>, tensor<3x4xbf16>) -> tensor<2x3x3x4xbf16>
  // CHECK: precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32{{.*}}> :
  %3 = xla.dot_general %x, %y, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3xbf16>, tensor<3x4xbf16>) -> tensor<2x4xbf16>
  // CHECK: contracting_dims = [1] x [0], algorithm = <
  %4 = "xla.dot_general"(%x, %y) <{
    dot_dimension_numbers = #xla.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>,
    algorithm = #xla.dot_algorithm<lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>
  }> : (tensor<2x3xbf16>, tensor<3x4xbf16>) -> tensor<2x4xbf16>
  return
}

// CHECK-LABEL: func.func @convolution
func.func @convolution(%x: tensor<2x8x8x4xf32>, %k: tensor<3x3x2x6xf32>, %k0: tensor<4x6xf32>, %x0: tensor<2x4xf32>, %x6: tensor<2x8x8x6xf32>) {
  // CHECK: xla.convolution(%{{.*}}, %{{.*}}) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
  // CHECK-SAME: window = {stride = [2, 1], pad = {{\[}}[1, -1], [0, 2]], lhs_dilate = [1, 2], rhs_dilate = [2, 1], reverse = [false, true]}
  // CHECK-SAME: {feature_group_count = 2 : i64, precision_config = [#xla<precision HIGHEST>, #xla<precision HIGHEST>]} : (tensor<2x8x8x4xf32>, tensor<3x3x2x6xf32>) -> tensor<2x2x15x6xf32>
  %0 = xla.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, -1], [0, 2]], lhs_dilate = [1, 2], rhs_dilate = [2, 1], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#xla<precision HIGHEST>, #xla<precision HIGHEST>]} : (tensor<2x8x8x4xf32>, tensor<3x3x2x6xf32>) -> tensor<2x2x15x6xf32>
  // CHECK: xla.convolution(%{{.*}}, %{{.*}}) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[f, 1, 0, b], window = {} {feature_group_count = 2 : i64}
  %1 = xla.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[f, 1, 0, b], window = {} {feature_group_count = 2 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x2x6xf32>) -> tensor<6x6x6x2xf32>
  // Window attributes come in any order; the result may be wider; a batch group count.
  // CHECK: window = {stride = [3, 1], rhs_dilate = [1, 2]} {batch_group_count = 2 : i64}
  %2 = "xla.convolution"(%x6, %k) <{
    dimension_numbers = #xla.conv<[b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f]>, batch_group_count = 2 : i64,
    feature_group_count = 1 : i64, window_strides = array<i64: 3, 1>, rhs_dilation = array<i64: 1, 2>
  }> : (tensor<2x8x8x6xf32>, tensor<3x3x2x6xf32>) -> tensor<1x2x4x2xf64>
  // No spatial dimensions.
  // CHECK: xla.convolution(%{{.*}}, %{{.*}}) dim_numbers = [b, f]x[i, o]->[b, f], window = {stride = [], pad = []} : (tensor<2x4xf32>, tensor<4x6xf32>) -> tensor<2x6xf32>
  %3 = xla.convolution(%x0, %k0) dim_numbers = [b, f]x[i, o]->[b, f], window = {pad = [], stride = []} : (tensor<2x4xf32>, tensor<4x6xf32>) -> tensor<2x6xf32>
  return
}
