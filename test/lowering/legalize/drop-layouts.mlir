// RUN: xla-opt %s --xla-drop-layouts | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-SAME: tensor<2x3xf32>) -> tensor<2x3xf32>
func.func @main(%x: tensor<2x3xf32, #xla.layout<minor_to_major = [0, 1]>>)
    -> tensor<2x3xf32, #xla.layout<minor_to_major = [0, 1]>> {
  // CHECK: xla.constant dense<1.000000e+00> : tensor<2x3xf32>
  %0 = xla.constant dense<1.0> : tensor<2x3xf32, #xla.layout<minor_to_major = [0, 1]>>
  // CHECK: xla.add {{.*}} : tensor<2x3xf32>
  %1 = xla.add %x, %0 : tensor<2x3xf32, #xla.layout<minor_to_major = [0, 1]>>
  return %1 : tensor<2x3xf32, #xla.layout<minor_to_major = [0, 1]>>
}
