// Concatenate, pad, slice and the dynamic ones: identities, chains, simpler ops, constants.
// RUN: xla-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @concatenate_one(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: return %[[X]] : tensor<4xf32>
func.func @concatenate_one(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = xla.concatenate %x, dim = 0 : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @concatenate_empty(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-SAME: %[[E:[^:]+]]:
// CHECK-NEXT: return %[[X]]
func.func @concatenate_empty(%x: tensor<4xf32>, %e: tensor<0xf32>) -> tensor<4xf32> {
  %r = xla.concatenate %e, %x, %e, dim = 0 : (tensor<0xf32>, tensor<4xf32>, tensor<0xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @concatenate_nested(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-SAME: %[[Y:[^:]+]]:
// CHECK-SAME: %[[Z:[^:]+]]:
// CHECK-NEXT: %[[R:.+]] = xla.concatenate %[[X]], %[[Y]], %[[Z]], dim = 0 : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<12xf32>
// CHECK-NEXT: return %[[R]]
func.func @concatenate_nested(%x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<4xf32>) -> tensor<12xf32> {
  %0 = xla.concatenate %x, %y, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  %r = xla.concatenate %0, %z, dim = 0 : (tensor<8xf32>, tensor<4xf32>) -> tensor<12xf32>
  return %r : tensor<12xf32>
}

// CHECK-LABEL: func.func @concatenate_rows(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<{{\[\[}}1, 2], [3, 4], [5, 6], [7, 8]]> : tensor<4x2xi32>
// CHECK-NEXT: return %[[C]] : tensor<4x2xi32>
func.func @concatenate_rows() -> tensor<4x2xi32> {
  %x = xla.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %y = xla.constant dense<[[7, 8]]> : tensor<1x2xi32>
  %r = xla.concatenate %x, %y, dim = 0 : (tensor<3x2xi32>, tensor<1x2xi32>) -> tensor<4x2xi32>
  return %r : tensor<4x2xi32>
}

// CHECK-LABEL: func.func @concatenate_columns(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<{{\[\[}}1, 2, 5], [3, 4, 6]]> : tensor<2x3xi32>
// CHECK-NEXT: return %[[C]] : tensor<2x3xi32>
func.func @concatenate_columns() -> tensor<2x3xi32> {
  %x = xla.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %y = xla.constant dense<[[5], [6]]> : tensor<2x1xi32>
  %r = xla.concatenate %x, %y, dim = 1 : (tensor<2x2xi32>, tensor<2x1xi32>) -> tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}

// CHECK-LABEL: func.func @concatenate_splats(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<3> : tensor<200000xi32>
// CHECK-NEXT: return %[[C]] : tensor<200000xi32>
func.func @concatenate_splats() -> tensor<200000xi32> {
  %x = xla.constant dense<3> : tensor<100000xi32>
  %r = xla.concatenate %x, %x, dim = 0 : (tensor<100000xi32>, tensor<100000xi32>) -> tensor<200000xi32>
  return %r : tensor<200000xi32>
}

// CHECK-LABEL: func.func @pad_nothing(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-SAME: %[[V:[^:]+]]:
// CHECK-NEXT: return %[[X]]
func.func @pad_nothing(%x: tensor<4xf32>, %v: tensor<f32>) -> tensor<4xf32> {
  %r = xla.pad %x, %v, low = [0], high = [0], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @pad_crops(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-SAME: %[[V:[^:]+]]:
// CHECK-NEXT: %[[R:.+]] = xla.slice %[[X]] [1:8] : (tensor<10xi32>) -> tensor<7xi32>
// CHECK-NEXT: return %[[R]]
func.func @pad_crops(%x: tensor<10xi32>, %v: tensor<i32>) -> tensor<7xi32> {
  %r = xla.pad %x, %v, low = [-1], high = [-2], interior = [0] : (tensor<10xi32>, tensor<i32>) -> tensor<7xi32>
  return %r : tensor<7xi32>
}

// CHECK-LABEL: func.func @pad_of_nothing(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-SAME: %[[V:[^:]+]]:
// CHECK-NEXT: %[[R:.+]] = xla.broadcast_in_dim %[[V]], dims = [] : (tensor<i32>) -> tensor<2xi32>
// CHECK-NEXT: return %[[R]]
func.func @pad_of_nothing(%x: tensor<0xi32>, %v: tensor<i32>) -> tensor<2xi32> {
  %r = xla.pad %x, %v, low = [1], high = [1], interior = [5] : (tensor<0xi32>, tensor<i32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// CHECK-LABEL: func.func @pad_same_splat(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<0> : tensor<9xi32>
// CHECK-NEXT: return %[[C]] : tensor<9xi32>
func.func @pad_same_splat() -> tensor<9xi32> {
  %x = xla.constant dense<0> : tensor<4xi32>
  %v = xla.constant dense<0> : tensor<i32>
  %r = xla.pad %x, %v, low = [1], high = [1], interior = [1] : (tensor<4xi32>, tensor<i32>) -> tensor<9xi32>
  return %r : tensor<9xi32>
}

// CHECK-LABEL: func.func @slice_all(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: return %[[X]] : tensor<4xf32>
func.func @slice_all(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = xla.slice %x [0:4] : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @slice_twice(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[R:.+]] = xla.slice %[[X]] [4:7:2] : (tensor<10xi32>) -> tensor<2xi32>
// CHECK-NEXT: return %[[R]]
func.func @slice_twice(%x: tensor<10xi32>) -> tensor<2xi32> {
  %0 = xla.slice %x [2:10:2] : (tensor<10xi32>) -> tensor<4xi32>
  %r = xla.slice %0 [1:3] : (tensor<4xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// CHECK-LABEL: func.func @slice_of_concatenate(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-SAME: %[[Y:[^:]+]]:
// CHECK-NEXT: %[[R:.+]] = xla.slice %[[Y]] [1:3] : (tensor<4xf32>) -> tensor<2xf32>
// CHECK-NEXT: return %[[R]]
func.func @slice_of_concatenate(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<2xf32> {
  %0 = xla.concatenate %x, %y, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  %r = xla.slice %0 [5:7] : (tensor<8xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: func.func @slice_is_input(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-SAME: %[[Y:[^:]+]]:
// CHECK-NEXT: return %[[X]]
func.func @slice_is_input(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = xla.concatenate %x, %y, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  %r = xla.slice %0 [0:4] : (tensor<8xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @slice_constant(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<[1, 4, 7]> : tensor<3xi32>
// CHECK-NEXT: return %[[C]] : tensor<3xi32>
func.func @slice_constant() -> tensor<3xi32> {
  %x = xla.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]> : tensor<10xi32>
  %r = xla.slice %x [1:8:3] : (tensor<10xi32>) -> tensor<3xi32>
  return %r : tensor<3xi32>
}

// CHECK-LABEL: func.func @slice_constant_2d(
// CHECK-NEXT: %[[C:.+]] = xla.constant dense<{{\[\[}}7, 8], [10, 11]]> : tensor<2x2xi32>
// CHECK-NEXT: return %[[C]] : tensor<2x2xi32>
func.func @slice_constant_2d() -> tensor<2x2xi32> {
  %x = xla.constant dense<[[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]]> : tensor<4x3xi32>
  %r = xla.slice %x [2:4, 1:3] : (tensor<4x3xi32>) -> tensor<2x2xi32>
  return %r : tensor<2x2xi32>
}

// CHECK-LABEL: func.func @dynamic_slice_constant(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[R:.+]] = xla.slice %[[X]] [2:5] : (tensor<10xi32>) -> tensor<3xi32>
// CHECK-NEXT: return %[[R]]
func.func @dynamic_slice_constant(%x: tensor<10xi32>) -> tensor<3xi32> {
  %i = xla.constant dense<2> : tensor<i64>
  %r = xla.dynamic_slice %x, %i, sizes = [3] : (tensor<10xi32>, tensor<i64>) -> tensor<3xi32>
  return %r : tensor<3xi32>
}

// CHECK-LABEL: func.func @dynamic_slice_clamps(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[R:.+]] = xla.slice %[[X]] [7:10] : (tensor<10xi32>) -> tensor<3xi32>
// CHECK-NEXT: return %[[R]]
func.func @dynamic_slice_clamps(%x: tensor<10xi32>) -> tensor<3xi32> {
  %i = xla.constant dense<9> : tensor<i8>
  %r = xla.dynamic_slice %x, %i, sizes = [3] : (tensor<10xi32>, tensor<i8>) -> tensor<3xi32>
  return %r : tensor<3xi32>
}

// CHECK-LABEL: func.func @dynamic_slice_negative(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[R:.+]] = xla.slice %[[X]] [0:3] : (tensor<10xi32>) -> tensor<3xi32>
// CHECK-NEXT: return %[[R]]
func.func @dynamic_slice_negative(%x: tensor<10xi32>) -> tensor<3xi32> {
  %i = xla.constant dense<-3> : tensor<i64>
  %r = xla.dynamic_slice %x, %i, sizes = [3] : (tensor<10xi32>, tensor<i64>) -> tensor<3xi32>
  return %r : tensor<3xi32>
}

// CHECK-LABEL: func.func @dynamic_slice_unsigned(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[R:.+]] = xla.slice %[[X]] [7:10] : (tensor<10xi32>) -> tensor<3xi32>
// CHECK-NEXT: return %[[R]]
func.func @dynamic_slice_unsigned(%x: tensor<10xi32>) -> tensor<3xi32> {
  %i = xla.constant dense<4294967295> : tensor<ui32>
  %r = xla.dynamic_slice %x, %i, sizes = [3] : (tensor<10xi32>, tensor<ui32>) -> tensor<3xi32>
  return %r : tensor<3xi32>
}

// CHECK-LABEL: func.func @dynamic_slice_full_dim(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-SAME: %[[I:[^:]+]]:
// CHECK-NEXT: %[[R:.+]] = xla.slice %[[X]] [1:3, 0:5] : (tensor<4x5xi32>) -> tensor<2x5xi32>
// CHECK-NEXT: return %[[R]]
func.func @dynamic_slice_full_dim(%x: tensor<4x5xi32>, %i: tensor<i32>) -> tensor<2x5xi32> {
  %c = xla.constant dense<1> : tensor<i32>
  %r = xla.dynamic_slice %x, %c, %i, sizes = [2, 5] : (tensor<4x5xi32>, tensor<i32>, tensor<i32>) -> tensor<2x5xi32>
  return %r : tensor<2x5xi32>
}

// CHECK-LABEL: func.func @dynamic_slice_all(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-SAME: %[[I:[^:]+]]:
// CHECK-NEXT: return %[[X]]
func.func @dynamic_slice_all(%x: tensor<4xf32>, %i: tensor<i32>) -> tensor<4xf32> {
  %r = xla.dynamic_slice %x, %i, sizes = [4] : (tensor<4xf32>, tensor<i32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @dynamic_slice_stays(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-SAME: %[[I:[^:]+]]:
// CHECK-NEXT: %[[R:.+]] = xla.dynamic_slice %[[X]], %[[I]], sizes = [2]
// CHECK-NEXT: return %[[R]]
func.func @dynamic_slice_stays(%x: tensor<4xf32>, %i: tensor<i32>) -> tensor<2xf32> {
  %r = xla.dynamic_slice %x, %i, sizes = [2] : (tensor<4xf32>, tensor<i32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: func.func @update_all(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-SAME: %[[U:[^:]+]]:
// CHECK-SAME: %[[I:[^:]+]]:
// CHECK-NEXT: return %[[U]]
func.func @update_all(%x: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<i32>) -> tensor<4xf32> {
  %r = xla.dynamic_update_slice %x, %u, %i : (tensor<4xf32>, tensor<4xf32>, tensor<i32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @update_nothing(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-SAME: %[[U:[^:]+]]:
// CHECK-SAME: %[[I:[^:]+]]:
// CHECK-NEXT: return %[[X]]
func.func @update_nothing(%x: tensor<4xf32>, %u: tensor<0xf32>, %i: tensor<i32>) -> tensor<4xf32> {
  %r = xla.dynamic_update_slice %x, %u, %i : (tensor<4xf32>, tensor<0xf32>, tensor<i32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// As many elements as before are not the same ones.
// CHECK-LABEL: func.func @pad_moves
// CHECK-COUNT-2: xla.pad
func.func @pad_moves(%x: tensor<4xf32>, %c: tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = xla.pad %x, %c, low = [1], high = [-1], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = xla.pad %x, %c, low = [-1], high = [1], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// Padding that a slice leaves out.
// CHECK-LABEL: func.func @slice_of_pad(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[R:.+]] = xla.slice %[[X]] [0:9, 1:6:2] : (tensor<9x8xf32>) -> tensor<9x3xf32>
// CHECK-NEXT: return %[[R]]
func.func @slice_of_pad(%x: tensor<9x8xf32>, %c: tensor<f32>) -> tensor<9x3xf32> {
  %0 = xla.pad %x, %c, low = [1, 2], high = [1, -1], interior = [0, 0] : (tensor<9x8xf32>, tensor<f32>) -> tensor<11x9xf32>
  %1 = xla.slice %0 [1:10, 3:9:2] : (tensor<11x9xf32>) -> tensor<9x3xf32>
  return %1 : tensor<9x3xf32>
}

// One that has some of it, and one of padding between elements.
// CHECK-LABEL: func.func @slice_with_padding(
// CHECK: %[[P:.+]] = xla.pad %{{.+}}, low = [2], high = [1], interior = [0]
// CHECK: xla.slice %[[P]] [1:5]
// CHECK: xla.slice %[[P]] [7:11]
// CHECK: %[[I:.+]] = xla.pad %{{.+}}, low = [2], high = [1], interior = [1]
// CHECK: xla.slice %[[I]] [3:7]
func.func @slice_with_padding(%x: tensor<8xf32>, %c: tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = xla.pad %x, %c, low = [2], high = [1], interior = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<11xf32>
  %1 = xla.slice %0 [1:5] : (tensor<11xf32>) -> tensor<4xf32>
  %2 = xla.slice %0 [7:11] : (tensor<11xf32>) -> tensor<4xf32>
  %3 = xla.pad %x, %c, low = [2], high = [1], interior = [1] : (tensor<8xf32>, tensor<f32>) -> tensor<18xf32>
  %4 = xla.slice %3 [3:7] : (tensor<18xf32>) -> tensor<4xf32>
  return %1, %2, %4 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
