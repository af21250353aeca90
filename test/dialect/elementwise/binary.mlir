// Every binary op on each class of element types it takes.
// RUN: xla-opt %s | FileCheck %s
// RUN: xla-opt %s --mlir-print-op-generic | xla-opt | FileCheck %s
// RUN: xla-opt %s --emit-bytecode | xla-opt | FileCheck %s

// CHECK-LABEL: func.func @float(
func.func @float(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) {
  // CHECK: xla.add %{{.+}}, %{{.+}} : tensor<2x3xf32>
  %0 = xla.add %x, %y : tensor<2x3xf32>
  // CHECK: xla.subtract %{{.+}}, %{{.+}} : tensor<2x3xf32>
  %1 = xla.subtract %x, %y : tensor<2x3xf32>
  // CHECK: xla.multiply %{{.+}}, %{{.+}} : tensor<2x3xf32>
  %2 = xla.multiply %x, %y : tensor<2x3xf32>
  // CHECK: xla.divide %{{.+}}, %{{.+}} : tensor<2x3xf32>
  %3 = xla.divide %x, %y : tensor<2x3xf32>
  // CHECK: xla.power %{{.+}}, %{{.+}} : tensor<2x3xf32>
  %4 = xla.power %x, %y : tensor<2x3xf32>
  // CHECK: xla.remainder %{{.+}}, %{{.+}} : tensor<2x3xf32>
  %5 = xla.remainder %x, %y : tensor<2x3xf32>
  // CHECK: xla.maximum %{{.+}}, %{{.+}} : tensor<2x3xf32>
  %6 = xla.maximum %x, %y : tensor<2x3xf32>
  // CHECK: xla.minimum %{{.+}}, %{{.+}} : tensor<2x3xf32>
  %7 = xla.minimum %x, %y : tensor<2x3xf32>
  // CHECK: xla.atan2 %{{.+}}, %{{.+}} : tensor<2x3xf32>
  %8 = xla.atan2 %x, %y : tensor<2x3xf32>
  // CHECK: xla.next_after %{{.+}}, %{{.+}} : tensor<2x3xf32>
  %9 = xla.next_after %x, %y : tensor<2x3xf32>
  // CHECK: xla.next_after %{{.+}}, %{{.+}} : tensor<2x3xf32>
  %10 = chlo.next_after %x, %y : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
  // CHECK: xla.complex %{{.+}}, %{{.+}} : tensor<2x3xcomplex<f32>>
  %z = xla.complex %x, %y : tensor<2x3xcomplex<f32>>
  return
}

// CHECK-LABEL: func.func @signed(
func.func @signed(%x: tensor<4xi8>, %y: tensor<4xi8>) {
  // CHECK: xla.add %{{.+}}, %{{.+}} : tensor<4xi8>
  %0 = xla.add %x, %y : tensor<4xi8>
  // CHECK: xla.subtract %{{.+}}, %{{.+}} : tensor<4xi8>
  %1 = xla.subtract %x, %y : tensor<4xi8>
  // CHECK: xla.multiply %{{.+}}, %{{.+}} : tensor<4xi8>
  %2 = xla.multiply %x, %y : tensor<4xi8>
  // CHECK: xla.divide %{{.+}}, %{{.+}} : tensor<4xi8>
  %3 = xla.divide %x, %y : tensor<4xi8>
  // CHECK: xla.power %{{.+}}, %{{.+}} : tensor<4xi8>
  %4 = xla.power %x, %y : tensor<4xi8>
  // CHECK: xla.remainder %{{.+}}, %{{.+}} : tensor<4xi8>
  %5 = xla.remainder %x, %y : tensor<4xi8>
  // CHECK: xla.maximum %{{.+}}, %{{.+}} : tensor<4xi8>
  %6 = xla.maximum %x, %y : tensor<4xi8>
  // CHECK: xla.minimum %{{.+}}, %{{.+}} : tensor<4xi8>
  %7 = xla.minimum %x, %y : tensor<4xi8>
  // CHECK: xla.and %{{.+}}, %{{.+}} : tensor<4xi8>
  %8 = xla.and %x, %y : tensor<4xi8>
  // CHECK: xla.or %{{.+}}, %{{.+}} : tensor<4xi8>
  %9 = xla.or %x, %y : tensor<4xi8>
  // CHECK: xla.xor %{{.+}}, %{{.+}} : tensor<4xi8>
  %10 = xla.xor %x, %y : tensor<4xi8>
  // CHECK: xla.shift_left %{{.+}}, %{{.+}} : tensor<4xi8>
  %11 = xla.shift_left %x, %y : tensor<4xi8>
  // CHECK: xla.shift_right_arithmetic %{{.+}}, %{{.+}} : tensor<4xi8>
  %12 = xla.shift_right_arithmetic %x, %y : tensor<4xi8>
  // CHECK: xla.shift_right_logical %{{.+}}, %{{.+}} : tensor<4xi8>
  %13 = xla.shift_right_logical %x, %y : tensor<4xi8>
  return
}

// CHECK-LABEL: func.func @unsigned(
func.func @unsigned(%x: tensor<ui64>, %y: tensor<ui64>) {
  // CHECK: xla.add %{{.+}}, %{{.+}} : tensor<ui64>
  %0 = xla.add %x, %y : tensor<ui64>
  // CHECK: xla.subtract %{{.+}}, %{{.+}} : tensor<ui64>
  %1 = xla.subtract %x, %y : tensor<ui64>
  // CHECK: xla.multiply %{{.+}}, %{{.+}} : tensor<ui64>
  %2 = xla.multiply %x, %y : tensor<ui64>
  // CHECK: xla.divide %{{.+}}, %{{.+}} : tensor<ui64>
  %3 = xla.divide %x, %y : tensor<ui64>
  // CHECK: xla.power %{{.+}}, %{{.+}} : tensor<ui64>
  %4 = xla.power %x, %y : tensor<ui64>
  // CHECK: xla.remainder %{{.+}}, %{{.+}} : tensor<ui64>
  %5 = xla.remainder %x, %y : tensor<ui64>
  // CHECK: xla.maximum %{{.+}}, %{{.+}} : tensor<ui64>
  %6 = xla.maximum %x, %y : tensor<ui64>
  // CHECK: xla.minimum %{{.+}}, %{{.+}} : tensor<ui64>
  %7 = xla.minimum %x, %y : tensor<ui64>
  // CHECK: xla.and %{{.+}}, %{{.+}} : tensor<ui64>
  %8 = xla.and %x, %y : tensor<ui64>
  // CHECK: xla.or %{{.+}}, %{{.+}} : tensor<ui64>
  %9 = xla.or %x, %y : tensor<ui64>
  // CHECK: xla.xor %{{.+}}, %{{.+}} : tensor<ui64>
  %10 = xla.xor %x, %y : tensor<ui64>
  // CHECK: xla.shift_left %{{.+}}, %{{.+}} : tensor<ui64>
  %11 = xla.shift_left %x, %y : tensor<ui64>
  // CHECK: xla.shift_right_arithmetic %{{.+}}, %{{.+}} : tensor<ui64>
  %12 = xla.shift_right_arithmetic %x, %y : tensor<ui64>
  // CHECK: xla.shift_right_logical %{{.+}}, %{{.+}} : tensor<ui64>
  %13 = xla.shift_right_logical %x, %y : tensor<ui64>
  return
}

// CHECK-LABEL: func.func @pred(
func.func @pred(%x: tensor<4xi1>, %y: tensor<4xi1>) {
  // CHECK: xla.add %{{.+}}, %{{.+}} : tensor<4xi1>
  %0 = xla.add %x, %y : tensor<4xi1>
  // CHECK: xla.multiply %{{.+}}, %{{.+}} : tensor<4xi1>
  %1 = xla.multiply %x, %y : tensor<4xi1>
  // CHECK: xla.maximum %{{.+}}, %{{.+}} : tensor<4xi1>
  %2 = xla.maximum %x, %y : tensor<4xi1>
  // CHECK: xla.minimum %{{.+}}, %{{.+}} : tensor<4xi1>
  %3 = xla.minimum %x, %y : tensor<4xi1>
  // CHECK: xla.and %{{.+}}, %{{.+}} : tensor<4xi1>
  %4 = xla.and %x, %y : tensor<4xi1>
  // CHECK: xla.or %{{.+}}, %{{.+}} : tensor<4xi1>
  %5 = xla.or %x, %y : tensor<4xi1>
  // CHECK: xla.xor %{{.+}}, %{{.+}} : tensor<4xi1>
  %6 = xla.xor %x, %y : tensor<4xi1>
  return
}

// CHECK-LABEL: func.func @complex(
func.func @complex(%x: tensor<4xcomplex<f32>>, %y: tensor<4xcomplex<f32>>) {
  // CHECK: xla.add %{{.+}}, %{{.+}} : tensor<4xcomplex<f32>>
  %0 = xla.add %x, %y : tensor<4xcomplex<f32>>
  // CHECK: xla.subtract %{{.+}}, %{{.+}} : tensor<4xcomplex<f32>>
  %1 = xla.subtract %x, %y : tensor<4xcomplex<f32>>
  // CHECK: xla.multiply %{{.+}}, %{{.+}} : tensor<4xcomplex<f32>>
  %2 = xla.multiply %x, %y : tensor<4xcomplex<f32>>
  // CHECK: xla.divide %{{.+}}, %{{.+}} : tensor<4xcomplex<f32>>
  %3 = xla.divide %x, %y : tensor<4xcomplex<f32>>
  // CHECK: xla.power %{{.+}}, %{{.+}} : tensor<4xcomplex<f32>>
  %4 = xla.power %x, %y : tensor<4xcomplex<f32>>
  // CHECK: xla.atan2 %{{.+}}, %{{.+}} : tensor<4xcomplex<f32>>
  %5 = xla.atan2 %x, %y : tensor<4xcomplex<f32>>
  return
}

// CHECK-LABEL: func.func @dynamic(
func.func @dynamic(%x: tensor<?x3xf32>, %y: tensor<2x?xf32>) {
  // CHECK: xla.add %{{.+}}, %{{.+}} : (tensor<?x3xf32>, tensor<2x?xf32>) -> tensor<2x3xf32>
  %0 = xla.add %x, %y : (tensor<?x3xf32>, tensor<2x?xf32>) -> tensor<2x3xf32>
  // CHECK: xla.add %{{.+}}, %{{.+}} : tensor<?x3xf32>
  %1 = xla.add %x, %x : tensor<?x3xf32>
  return
}

// CHECK-LABEL: func.func @layout(
func.func @layout(%x: tensor<2x3xf32, #xla.layout<minor_to_major = [0, 1]>>, %y: tensor<2x3xf32>) {
  // CHECK: xla.add %{{.+}}, %{{.+}} : (tensor<2x3xf32, #xla.layout<minor_to_major = [0, 1]>>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = xla.add %x, %y : (tensor<2x3xf32, #xla.layout<minor_to_major = [0, 1]>>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}
