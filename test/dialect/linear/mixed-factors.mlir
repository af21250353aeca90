// RUN: xla-opt %s --split-input-file --verify-diagnostics | FileCheck %s

// JAX multiplies f32 by bf16 where a gradient is f32, and XLA takes it: the factors are widened to one type.
// CHECK-LABEL: func.func @custom_form
// CHECK-SAME: %[[A:.*]]: tensor<2x3xf32>, %[[B:.*]]: tensor<3x4xbf16>
// CHECK: %[[WIDE:.*]] = xla.convert %[[B]] : (tensor<3x4xbf16>) -> tensor<3x4xf32>
// CHECK: xla.dot_general %[[A]], %[[WIDE]], contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
func.func @custom_form(%a: tensor<2x3xf32>, %b: tensor<3x4xbf16>) -> tensor<2x4xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xbf16>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @generic_form
// CHECK: %[[WIDE:.*]] = xla.convert %arg0 : (tensor<2x3xi8>) -> tensor<2x3xi32>
// CHECK: xla.dot_general %[[WIDE]], %arg1
func.func @generic_form(%a: tensor<2x3xi8>, %b: tensor<3x4xi32>) -> tensor<2x4xi32> {
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xi8>, tensor<3x4xi32>) -> tensor<2x4xi32>
  return %0 : tensor<2x4xi32>
}

// Neither of 16 bits holds the other.
// CHECK-LABEL: func.func @halves
// CHECK-DAG: xla.convert %arg0 : (tensor<2x3xf16>) -> tensor<2x3xf32>
// CHECK-DAG: xla.convert %arg1 : (tensor<3x4xbf16>) -> tensor<3x4xf32>
func.func @halves(%a: tensor<2x3xf16>, %b: tensor<3x4xbf16>) -> tensor<2x4xf32> {
  %0 = mhlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xf16>, tensor<3x4xbf16>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

func.func @integer_by_float(%a: tensor<2x3xi32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  // expected-error @+1 {{'xla.dot_general' op [DotGeneral-C5] element types of lhs and rhs differ: 'tensor<2x3xi32>' and 'tensor<3x4xf32>'}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xi32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

func.func @signs(%a: tensor<2x3xui8>, %b: tensor<3x4xi32>) -> tensor<2x4xi32> {
  // expected-error @+1 {{[DotGeneral-C5] element types of lhs and rhs differ}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xui8>, tensor<3x4xi32>) -> tensor<2x4xi32>
  return %0 : tensor<2x4xi32>
}

// -----

// What is written in this dialect says so itself.
func.func @own(%a: tensor<2x3xf32>, %b: tensor<3x4xbf16>) -> tensor<2x4xf32> {
  // expected-error @+1 {{[DotGeneral-C5] element types of lhs and rhs differ}}
  %0 = xla.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xbf16>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
