// RUN: xla-opt %s | FileCheck %s
// RUN: xla-opt %s | xla-opt | FileCheck %s

// A conversion to the operand's own type is written with one type, as StableHLO writes it.

// CHECK-LABEL: @same
func.func @same(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: xla.convert %{{.+}} : tensor<4xf32>{{$}}
  %r = stablehlo.convert %x : tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: @other
func.func @other(%x: tensor<4xf32>) -> tensor<4xi32> {
  // CHECK: xla.convert %{{.+}} : (tensor<4xf32>) -> tensor<4xi32>
  %r = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}
