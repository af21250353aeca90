// Broadcast and broadcast_in_dim.
// RUN: xla-opt %s | FileCheck %s
// RUN: xla-opt %s --mlir-print-op-generic | xla-opt | FileCheck %s
// RUN: xla-opt %s --emit-bytecode | xla-opt | FileCheck %s

// CHECK-LABEL: func.func @broadcast_in_dim(
func.func @broadcast_in_dim(%x: tensor<3xi32>, %s: tensor<f32>, %r: tensor<1x3xi32>, %d: tensor<?xi32>) {
  // CHECK: xla.broadcast_in_dim %{{.+}}, dims = [1] : (tensor<3xi32>) -> tensor<2x3xi32>
  %0 = xla.broadcast_in_dim %x, dims = [1] : (tensor<3xi32>) -> tensor<2x3xi32>
  // CHECK: xla.broadcast_in_dim %{{.+}}, dims = [0] : (tensor<3xi32>) -> tensor<3x3xi32>
  %1 = xla.broadcast_in_dim %x, dims = [0] : (tensor<3xi32>) -> tensor<3x3xi32>
  // CHECK: xla.broadcast_in_dim %{{.+}}, dims = [0, 1] : (tensor<1x3xi32>) -> tensor<2x3xi32>
  %2 = xla.broadcast_in_dim %r, dims = [0, 1] : (tensor<1x3xi32>) -> tensor<2x3xi32>
  // CHECK: xla.broadcast_in_dim %{{.+}}, dims = [0, 2] : (tensor<1x3xi32>) -> tensor<1x5x3xi32>
  %3 = xla.broadcast_in_dim %r, dims = [0, 2] : (tensor<1x3xi32>) -> tensor<1x5x3xi32>
  // CHECK: xla.broadcast_in_dim %{{.+}}, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  %4 = xla.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  // CHECK: xla.broadcast_in_dim %{{.+}}, dims = [1] : (tensor<3xi32>) -> tensor<0x3xi32>
  %5 = xla.broadcast_in_dim %x, dims = [1] : (tensor<3xi32>) -> tensor<0x3xi32>
  // CHECK: xla.broadcast_in_dim %{{.+}}, dims = [1] : (tensor<?xi32>) -> tensor<2x?xi32>
  %6 = xla.broadcast_in_dim %d, dims = [1] : (tensor<?xi32>) -> tensor<2x?xi32>
  return
}

// CHECK-LABEL: func.func @broadcast(
func.func @broadcast(%x: tensor<2xi32>, %s: tensor<f32>) {
  // CHECK: xla.broadcast %{{.+}}, sizes = [2, 3] : (tensor<f32>) -> tensor<2x3xf32>
  %0 = xla.broadcast %s, sizes = [2, 3] : (tensor<f32>) -> tensor<2x3xf32>
  // CHECK: xla.broadcast %{{.+}}, sizes = [] : (tensor<2xi32>) -> tensor<2xi32>
  %1 = xla.broadcast %x, sizes = [] : (tensor<2xi32>) -> tensor<2xi32>
  // CHECK: xla.broadcast %{{.+}}, sizes = [0] : (tensor<2xi32>) -> tensor<0x2xi32>
  %2 = xla.broadcast %x, sizes = [0] : (tensor<2xi32>) -> tensor<0x2xi32>
  return
}
