// Constants of every kind of elements, and iota.
// RUN: xla-opt %s | FileCheck %s
// RUN: xla-opt %s --mlir-print-op-generic | xla-opt | FileCheck %s
// RUN: xla-opt %s --emit-bytecode | xla-opt | FileCheck %s

// CHECK-LABEL: func.func @constants(
func.func @constants() {
  // CHECK: xla.constant dense<[1, -2, 3]> : tensor<3xi32>
  %0 = xla.constant dense<[1, -2, 3]> : tensor<3xi32>
  // CHECK: xla.constant dense<0.000000e+00> : tensor<8x8xf32>
  %1 = xla.constant dense<0.000000e+00> : tensor<8x8xf32>
  // CHECK: xla.constant dense<[true, false]> : tensor<2xi1>
  %2 = xla.constant dense<[true, false]> : tensor<2xi1>
  // CHECK: xla.constant dense<> : tensor<0x3xf32>
  %3 = xla.constant dense<> : tensor<0x3xf32>
  // CHECK: xla.constant dense<255> : tensor<ui8>
  %4 = xla.constant dense<255> : tensor<ui8>
  // CHECK: xla.constant dense<[(1.000000e+00,2.000000e+00), (3.000000e+00,-4.000000e+00)]> : tensor<2xcomplex<f32>>
  %5 = xla.constant dense<[(1.000000e+00,2.000000e+00), (3.000000e+00,-4.000000e+00)]> : tensor<2xcomplex<f32>>
  // CHECK: xla.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %6 = xla.constant dense<"0x0000803F00000040"> : tensor<2xf32>
  // CHECK: xla.constant dense<0x7F800000> : tensor<f32>
  %7 = xla.constant dense<0x7F800000> : tensor<f32>
  // CHECK: xla.constant dense<[1.500000e+00, -5.000000e-01]> : tensor<2xf8E5M2>
  %8 = xla.constant dense<[1.500000e+00, -5.000000e-01]> : tensor<2xf8E5M2>
  // CHECK: xla.constant dense<[1, -2]> : tensor<2xi4>
  %9 = xla.constant dense<[1, -2]> : tensor<2xi4>
  // CHECK: xla.constant dense_resource<weights> : tensor<2x2xf32>
  %10 = xla.constant dense_resource<weights> : tensor<2x2xf32>
  // CHECK: xla.constant {note = "kept"} dense<1> : tensor<i32>
  %11 = xla.constant {note = "kept"} dense<1> : tensor<i32>
  // CHECK: xla.constant dense<1> : tensor<2x2xi32, #xla.layout<minor_to_major = [0, 1]>>
  %12 = xla.constant dense<1> : tensor<2x2xi32, #xla.layout<minor_to_major = [0, 1]>>
  return
}

// CHECK-LABEL: func.func @iota(
func.func @iota() {
  // CHECK: xla.iota dim = 0 : tensor<4x8xi32>
  %0 = xla.iota dim = 0 : tensor<4x8xi32>
  // CHECK: xla.iota dim = 1 : tensor<4x8xcomplex<f64>>
  %1 = xla.iota dim = 1 : tensor<4x8xcomplex<f64>>
  // CHECK: xla.iota dim = 0 : tensor<2050xf16>
  %2 = xla.iota dim = 0 : tensor<2050xf16>
  return
}

{-#
  dialect_resources: {
    builtin: {
      weights: "0x040000000000803F000000400000404000008040"
    }
  }
#-}
