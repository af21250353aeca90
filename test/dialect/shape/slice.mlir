// Concatenate, pad, slice, dynamic_slice and dynamic_update_slice.
// RUN: xla-opt %s | FileCheck %s
// RUN: xla-opt %s --mlir-print-op-generic | xla-opt | FileCheck %s
// RUN: xla-opt %s --emit-bytecode | xla-opt | FileCheck %s

// CHECK-LABEL: func.func @concatenate(
func.func @concatenate(%x: tensor<3x2xi64>, %y: tensor<1x2xi64>, %e: tensor<0x2xi64>, %d: tensor<?x2xi64>) {
  // CHECK: xla.concatenate %{{.+}}, %{{.+}}, dim = 0 : (tensor<3x2xi64>, tensor<1x2xi64>) -> tensor<4x2xi64>
  %0 = xla.concatenate %x, %y, dim = 0 : (tensor<3x2xi64>, tensor<1x2xi64>) -> tensor<4x2xi64>
  // CHECK: xla.concatenate %{{.+}}, dim = 1 : (tensor<3x2xi64>) -> tensor<3x2xi64>
  %1 = xla.concatenate %x, dim = 1 : (tensor<3x2xi64>) -> tensor<3x2xi64>
  // CHECK: xla.concatenate %{{.+}}, %{{.+}}, %{{.+}}, dim = 0 : (tensor<3x2xi64>, tensor<0x2xi64>, tensor<1x2xi64>) -> tensor<4x2xi64>
  %2 = xla.concatenate %x, %e, %y, dim = 0 : (tensor<3x2xi64>, tensor<0x2xi64>, tensor<1x2xi64>) -> tensor<4x2xi64>
  // CHECK: xla.concatenate %{{.+}}, %{{.+}}, dim = 0 : (tensor<3x2xi64>, tensor<?x2xi64>) -> tensor<?x2xi64>
  %3 = xla.concatenate %x, %d, dim = 0 : (tensor<3x2xi64>, tensor<?x2xi64>) -> tensor<?x2xi64>
  return
}

// CHECK-LABEL: func.func @pad(
func.func @pad(%x: tensor<2x3xi32>, %v: tensor<i32>, %e: tensor<0xi32>, %y: tensor<3xi32>) {
  // CHECK: xla.pad %{{.+}}, %{{.+}}, low = [1, 0], high = [0, 2], interior = [0, 1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<3x7xi32>
  %0 = xla.pad %x, %v, low = [1, 0], high = [0, 2], interior = [0, 1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<3x7xi32>
  // CHECK: xla.pad %{{.+}}, %{{.+}}, low = [-1], high = [-1], interior = [1] : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
  %1 = xla.pad %y, %v, low = [-1], high = [-1], interior = [1] : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
  // CHECK: xla.pad %{{.+}}, %{{.+}}, low = [-2], high = [3], interior = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<4xi32>
  %2 = xla.pad %y, %v, low = [-2], high = [3], interior = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<4xi32>
  // CHECK: xla.pad %{{.+}}, %{{.+}}, low = [1], high = [1], interior = [5] : (tensor<0xi32>, tensor<i32>) -> tensor<2xi32>
  %3 = xla.pad %e, %v, low = [1], high = [1], interior = [5] : (tensor<0xi32>, tensor<i32>) -> tensor<2xi32>
  // CHECK: xla.pad %{{.+}}, %{{.+}}, low = [], high = [], interior = [] : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %4 = xla.pad %v, %v, low = [], high = [], interior = [] : (tensor<i32>, tensor<i32>) -> tensor<i32>
  return
}

// CHECK-LABEL: func.func @slice(
func.func @slice(%x: tensor<4x8xi64>, %s: tensor<f32>) {
  // CHECK: xla.slice %{{.+}} [1:3, 4:8:2] : (tensor<4x8xi64>) -> tensor<2x2xi64>
  %0 = xla.slice %x [1:3, 4:8:2] : (tensor<4x8xi64>) -> tensor<2x2xi64>
  // CHECK: xla.slice %{{.+}} [0:4, 0:8] : (tensor<4x8xi64>) -> tensor<4x8xi64>
  %1 = xla.slice %x [0:4, 0:8] : (tensor<4x8xi64>) -> tensor<4x8xi64>
  // CHECK: xla.slice %{{.+}} [2:2, 1:8:3] : (tensor<4x8xi64>) -> tensor<0x3xi64>
  %2 = xla.slice %x [2:2, 1:8:3] : (tensor<4x8xi64>) -> tensor<0x3xi64>
  // CHECK: xla.slice %{{.+}} [] : (tensor<f32>) -> tensor<f32>
  %3 = xla.slice %s [] : (tensor<f32>) -> tensor<f32>
  return
}

// CHECK-LABEL: func.func @dynamic_slice(
func.func @dynamic_slice(%x: tensor<4x4xi32>, %i: tensor<i64>, %u: tensor<ui32>, %s: tensor<f32>) {
  // CHECK: xla.dynamic_slice %{{.+}}, %{{.+}}, %{{.+}}, sizes = [2, 3] : (tensor<4x4xi32>, tensor<i64>, tensor<i64>) -> tensor<2x3xi32>
  %0 = xla.dynamic_slice %x, %i, %i, sizes = [2, 3] : (tensor<4x4xi32>, tensor<i64>, tensor<i64>) -> tensor<2x3xi32>
  // CHECK: xla.dynamic_slice %{{.+}}, %{{.+}}, %{{.+}}, sizes = [0, 4] : (tensor<4x4xi32>, tensor<ui32>, tensor<ui32>) -> tensor<0x4xi32>
  %1 = xla.dynamic_slice %x, %u, %u, sizes = [0, 4] : (tensor<4x4xi32>, tensor<ui32>, tensor<ui32>) -> tensor<0x4xi32>
  // CHECK: xla.dynamic_slice %{{.+}}, sizes = [] : (tensor<f32>) -> tensor<f32>
  %2 = xla.dynamic_slice %s, sizes = [] : (tensor<f32>) -> tensor<f32>
  return
}

// CHECK-LABEL: func.func @dynamic_update_slice(
func.func @dynamic_update_slice(%x: tensor<4x4xi32>, %u: tensor<2x3xi32>, %i: tensor<i64>, %s: tensor<f32>) {
  // CHECK: xla.dynamic_update_slice %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} : (tensor<4x4xi32>, tensor<2x3xi32>, tensor<i64>, tensor<i64>) -> tensor<4x4xi32>
  %0 = xla.dynamic_update_slice %x, %u, %i, %i : (tensor<4x4xi32>, tensor<2x3xi32>, tensor<i64>, tensor<i64>) -> tensor<4x4xi32>
  // CHECK: xla.dynamic_update_slice %{{.+}}, %{{.+}} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %1 = xla.dynamic_update_slice %s, %s : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}
