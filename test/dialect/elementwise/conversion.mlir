// Convert, bitcast_convert and reduce_precision.
// RUN: xla-opt %s | FileCheck %s
// RUN: xla-opt %s --mlir-print-op-generic | xla-opt | FileCheck %s
// RUN: xla-opt %s --emit-bytecode | xla-opt | FileCheck %s

// CHECK-LABEL: func.func @convert(
func.func @convert(%x: tensor<2x?xf32>, %i: tensor<3xi4>) {
  // CHECK: xla.convert %{{.+}} : (tensor<2x?xf32>) -> tensor<2x?xi1>
  %c0 = xla.convert %x : (tensor<2x?xf32>) -> tensor<2x?xi1>
  // CHECK: xla.convert %{{.+}} : (tensor<2x?xf32>) -> tensor<2x?xi2>
  %c1 = xla.convert %x : (tensor<2x?xf32>) -> tensor<2x?xi2>
  // CHECK: xla.convert %{{.+}} : (tensor<2x?xf32>) -> tensor<2x?xi8>
  %c2 = xla.convert %x : (tensor<2x?xf32>) -> tensor<2x?xi8>
  // CHECK: xla.convert %{{.+}} : (tensor<2x?xf32>) -> tensor<2x?xui64>
  %c3 = xla.convert %x : (tensor<2x?xf32>) -> tensor<2x?xui64>
  // CHECK: xla.convert %{{.+}} : (tensor<2x?xf32>) -> tensor<2x?xbf16>
  %c4 = xla.convert %x : (tensor<2x?xf32>) -> tensor<2x?xbf16>
  // CHECK: xla.convert %{{.+}} : (tensor<2x?xf32>) -> tensor<2x?xf16>
  %c5 = xla.convert %x : (tensor<2x?xf32>) -> tensor<2x?xf16>
  // CHECK: xla.convert %{{.+}} : (tensor<2x?xf32>) -> tensor<2x?xf64>
  %c6 = xla.convert %x : (tensor<2x?xf32>) -> tensor<2x?xf64>
  // CHECK: xla.convert %{{.+}} : (tensor<2x?xf32>) -> tensor<2x?xf8E4M3>
  %c7 = xla.convert %x : (tensor<2x?xf32>) -> tensor<2x?xf8E4M3>
  // CHECK: xla.convert %{{.+}} : (tensor<2x?xf32>) -> tensor<2x?xf8E5M2>
  %c8 = xla.convert %x : (tensor<2x?xf32>) -> tensor<2x?xf8E5M2>
  // CHECK: xla.convert %{{.+}} : (tensor<2x?xf32>) -> tensor<2x?xf8E4M3FN>
  %c9 = xla.convert %x : (tensor<2x?xf32>) -> tensor<2x?xf8E4M3FN>
  // CHECK: xla.convert %{{.+}} : (tensor<2x?xf32>) -> tensor<2x?xf8E5M2FNUZ>
  %c10 = xla.convert %x : (tensor<2x?xf32>) -> tensor<2x?xf8E5M2FNUZ>
  // CHECK: xla.convert %{{.+}} : (tensor<2x?xf32>) -> tensor<2x?xf8E4M3FNUZ>
  %c11 = xla.convert %x : (tensor<2x?xf32>) -> tensor<2x?xf8E4M3FNUZ>
  // CHECK: xla.convert %{{.+}} : (tensor<2x?xf32>) -> tensor<2x?xf8E4M3B11FNUZ>
  %c12 = xla.convert %x : (tensor<2x?xf32>) -> tensor<2x?xf8E4M3B11FNUZ>
  // CHECK: xla.convert %{{.+}} : (tensor<2x?xf32>) -> tensor<2x?xf8E3M4>
  %c13 = xla.convert %x : (tensor<2x?xf32>) -> tensor<2x?xf8E3M4>
  // CHECK: xla.convert %{{.+}} : (tensor<2x?xf32>) -> tensor<2x?xf8E8M0FNU>
  %c14 = xla.convert %x : (tensor<2x?xf32>) -> tensor<2x?xf8E8M0FNU>
  // CHECK: xla.convert %{{.+}} : (tensor<2x?xf32>) -> tensor<2x?xf6E2M3FN>
  %c15 = xla.convert %x : (tensor<2x?xf32>) -> tensor<2x?xf6E2M3FN>
  // CHECK: xla.convert %{{.+}} : (tensor<2x?xf32>) -> tensor<2x?xf6E3M2FN>
  %c16 = xla.convert %x : (tensor<2x?xf32>) -> tensor<2x?xf6E3M2FN>
  // CHECK: xla.convert %{{.+}} : (tensor<2x?xf32>) -> tensor<2x?xf4E2M1FN>
  %c17 = xla.convert %x : (tensor<2x?xf32>) -> tensor<2x?xf4E2M1FN>
  // CHECK: xla.convert %{{.+}} : (tensor<2x?xf32>) -> tensor<2x?xcomplex<f32>>
  %c18 = xla.convert %x : (tensor<2x?xf32>) -> tensor<2x?xcomplex<f32>>
  // CHECK: xla.convert %{{.+}} : (tensor<2x?xf32>) -> tensor<2x?xcomplex<f64>>
  %c19 = xla.convert %x : (tensor<2x?xf32>) -> tensor<2x?xcomplex<f64>>
  // CHECK: xla.convert %{{.+}} : (tensor<3xi4>) -> tensor<3xf32>
  %i0 = xla.convert %i : (tensor<3xi4>) -> tensor<3xf32>
  return
}

// CHECK-LABEL: func.func @bitcast(
func.func @bitcast(%f: tensor<10xf32>, %h: tensor<10x2xf16>, %s: tensor<i32>, %z: tensor<2xcomplex<f64>>) {
  // CHECK: xla.bitcast_convert %{{.+}} : (tensor<10xf32>) -> tensor<10xui32>
  %0 = xla.bitcast_convert %f : (tensor<10xf32>) -> tensor<10xui32>
  // CHECK: xla.bitcast_convert %{{.+}} : (tensor<10xf32>) -> tensor<10x2xf16>
  %1 = xla.bitcast_convert %f : (tensor<10xf32>) -> tensor<10x2xf16>
  // CHECK: xla.bitcast_convert %{{.+}} : (tensor<10x2xf16>) -> tensor<10xf32>
  %2 = xla.bitcast_convert %h : (tensor<10x2xf16>) -> tensor<10xf32>
  // CHECK: xla.bitcast_convert %{{.+}} : (tensor<i32>) -> tensor<4xi8>
  %3 = xla.bitcast_convert %s : (tensor<i32>) -> tensor<4xi8>
  // CHECK: xla.bitcast_convert %{{.+}} : (tensor<2xcomplex<f64>>) -> tensor<2x2xcomplex<f32>>
  %4 = xla.bitcast_convert %z : (tensor<2xcomplex<f64>>) -> tensor<2x2xcomplex<f32>>
  // CHECK: xla.bitcast_convert %{{.+}} : (tensor<i32>) -> tensor<8xi4>
  %5 = xla.bitcast_convert %s : (tensor<i32>) -> tensor<8xi4>
  return
}

// CHECK-LABEL: func.func @reduce_precision(
func.func @reduce_precision(%x: tensor<4xf32>) {
  // CHECK: xla.reduce_precision %{{.+}}, format = e5m10 : tensor<4xf32>
  %0 = xla.reduce_precision %x, format = e5m10 : tensor<4xf32>
  // CHECK: xla.reduce_precision %{{.+}}, format = e1m0 : tensor<4xf32>
  %1 = xla.reduce_precision %x, format = e1m0 : tensor<4xf32>
  return
}
