// Reshape, transpose, reverse and get_dimension_size.
// RUN: xla-opt %s | FileCheck %s
// RUN: xla-opt %s --mlir-print-op-generic | xla-opt | FileCheck %s
// RUN: xla-opt %s --emit-bytecode | xla-opt | FileCheck %s

// CHECK-LABEL: func.func @reshape(
func.func @reshape(%x: tensor<4x2x3xf32>, %o: tensor<1x1xf32>, %e: tensor<0x3xf32>, %d: tensor<?xf32>) {
  // CHECK: xla.reshape %{{.+}} : (tensor<4x2x3xf32>) -> tensor<24xf32>
  %0 = xla.reshape %x : (tensor<4x2x3xf32>) -> tensor<24xf32>
  // CHECK: xla.reshape %{{.+}} : (tensor<4x2x3xf32>) -> tensor<8x3xf32>
  %1 = xla.reshape %x : (tensor<4x2x3xf32>) -> tensor<8x3xf32>
  // CHECK: xla.reshape %{{.+}} : (tensor<1x1xf32>) -> tensor<f32>
  %2 = xla.reshape %o : (tensor<1x1xf32>) -> tensor<f32>
  // CHECK: xla.reshape %{{.+}} : (tensor<f32>) -> tensor<1x1xf32>
  %3 = xla.reshape %2 : (tensor<f32>) -> tensor<1x1xf32>
  // CHECK: xla.reshape %{{.+}} : (tensor<0x3xf32>) -> tensor<7x0xf32>
  %4 = xla.reshape %e : (tensor<0x3xf32>) -> tensor<7x0xf32>
  // CHECK: xla.reshape %{{.+}} : (tensor<?xf32>) -> tensor<2x3xf32>
  %5 = xla.reshape %d : (tensor<?xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @transpose(
func.func @transpose(%x: tensor<2x3x4xf32>, %s: tensor<i8>, %d: tensor<?x4xf32>) {
  // CHECK: xla.transpose %{{.+}}, dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  %0 = xla.transpose %x, dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  // CHECK: xla.transpose %{{.+}}, dims = [] : (tensor<i8>) -> tensor<i8>
  %1 = xla.transpose %s, dims = [] : (tensor<i8>) -> tensor<i8>
  // CHECK: xla.transpose %{{.+}}, dims = [1, 0] : (tensor<?x4xf32>) -> tensor<4x?xf32>
  %2 = xla.transpose %d, dims = [1, 0] : (tensor<?x4xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @reverse(
func.func @reverse(%x: tensor<2x3xf32>) {
  // CHECK: xla.reverse %{{.+}}, dims = [0, 1] : tensor<2x3xf32>
  %0 = xla.reverse %x, dims = [0, 1] : tensor<2x3xf32>
  // CHECK: xla.reverse %{{.+}}, dims = [] : tensor<2x3xf32>
  %1 = xla.reverse %x, dims = [] : tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @get_dimension_size(
func.func @get_dimension_size(%x: tensor<2x?xf32>) {
  // CHECK: xla.get_dimension_size %{{.+}}, dim = 0 : (tensor<2x?xf32>) -> tensor<i32>
  %0 = xla.get_dimension_size %x, dim = 0 : (tensor<2x?xf32>) -> tensor<i32>
  // CHECK: xla.get_dimension_size %{{.+}}, dim = 1 : (tensor<2x?xf32>) -> tensor<i32>
  %1 = xla.get_dimension_size %x, dim = 1 : (tensor<2x?xf32>) -> tensor<i32>
  return
}
