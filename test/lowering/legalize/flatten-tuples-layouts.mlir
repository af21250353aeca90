// RUN: xla-opt %s --xla-flatten-tuples | FileCheck %s

// The layouts of a call whose tuples are taken apart: those of a result's elements are given, those of an operand's are
// row-major.
// CHECK-LABEL: func.func @main
func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %t = xla.tuple %x, %y : tuple<tensor<2x3xf32>, tensor<2x3xf32>>
  // CHECK: xla.custom_call @callee
  // CHECK-SAME: operand_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>]
  // CHECK-SAME: result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>]
  %0 = xla.custom_call @callee(%t, %x) {operand_layouts = [dense<> : tensor<0xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>]} : (tuple<tensor<2x3xf32>, tensor<2x3xf32>>, tensor<2x3xf32>) -> tuple<tensor<2x3xf32>, tensor<4xf32>>
  %1 = xla.get_tuple_element %0[0] : (tuple<tensor<2x3xf32>, tensor<4xf32>>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}
