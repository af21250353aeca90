// RUN: xla-opt %s --xla-form-kernels --split-input-file | FileCheck %s
// Updates that read each element which they write, before they do.

#all = affine_map<(d0, d1) -> (d0, d1)>

// One kernel, of which no new value is in memory but at its place.
// CHECK-LABEL: func.func @own_place(
// CHECK-NEXT:    call @update_0(
// CHECK-NEXT:    return
// CHECK:       func.func private @update_0(
// CHECK-SAME:      #xla_rt.kernel<update>
// CHECK:         tensor.extract_slice %[[X:.*]][1, 1] [6, 7]
// CHECK:         tensor.insert_slice {{.*}} into %[[X]][1, 1] [6, 7]
func.func @own_place(%x: tensor<8x8xf32>, %y: tensor<6x7xf32>) -> tensor<8x8xf32> {
  %s = tensor.extract_slice %x[1, 1] [6, 7] [1, 1] : tensor<8x8xf32> to tensor<6x7xf32>
  %e = tensor.empty() : tensor<6x7xf32>
  %0 = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%s, %y : tensor<6x7xf32>, tensor<6x7xf32>) outs(%e : tensor<6x7xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.addf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<6x7xf32>
  %r = tensor.insert_slice %0 into %x[1, 1] [6, 7] [1, 1] : tensor<6x7xf32> into tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// -----

// The places are the same ones, but the elements are not: they may be written before they are read.
// CHECK-LABEL: func.func @transposed(
// CHECK-NEXT:    call @elementwise_0(
// CHECK-NEXT:    call @update_1(
#all = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>
func.func @transposed(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %s = tensor.extract_slice %x[1, 1] [3, 3] [1, 1] : tensor<8x8xf32> to tensor<3x3xf32>
  %e = tensor.empty() : tensor<3x3xf32>
  %0 = linalg.generic {indexing_maps = [#all, #turned, #all], iterator_types = ["parallel", "parallel"]}
      ins(%s, %s : tensor<3x3xf32>, tensor<3x3xf32>) outs(%e : tensor<3x3xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.addf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<3x3xf32>
  %r = tensor.insert_slice %0 into %x[1, 1] [3, 3] [1, 1] : tensor<3x3xf32> into tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// -----

// What reads its own elements is itself read by others.
// CHECK-LABEL: func.func @moved_later(
// CHECK-NOT:     call @update_0(
// CHECK:         call @update_{{.*}}(
#all = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>
func.func @moved_later(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %s = tensor.extract_slice %x[1, 1] [3, 3] [1, 1] : tensor<8x8xf32> to tensor<3x3xf32>
  %e = tensor.empty() : tensor<3x3xf32>
  %0 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<3x3xf32>) outs(%e : tensor<3x3xf32>) {
  ^bb0(%a: f32, %c: f32):
    %1 = arith.negf %a : f32
    linalg.yield %1 : f32
  } -> tensor<3x3xf32>
  %2 = linalg.generic {indexing_maps = [#turned, #all], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<3x3xf32>) outs(%e : tensor<3x3xf32>) {
  ^bb0(%a: f32, %c: f32):
    %1 = arith.addf %a, %a : f32
    linalg.yield %1 : f32
  } -> tensor<3x3xf32>
  %r = tensor.insert_slice %2 into %x[1, 1] [3, 3] [1, 1] : tensor<3x3xf32> into tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// -----

// Neighbours are read after they are written.
// CHECK-LABEL: func.func @neighbours(
// CHECK-NEXT:    call @elementwise_0(
// CHECK-NEXT:    call @update_1(
#row = affine_map<(d0) -> (d0)>
func.func @neighbours(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = tensor.extract_slice %x[1] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %t = tensor.extract_slice %x[2] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel"]}
      ins(%s, %t : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.addf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  %r = tensor.insert_slice %0 into %x[1] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// A place that is data is the same place.
// CHECK-LABEL: func.func @at_data(
// CHECK-NEXT:    call @update_0(
// CHECK-NEXT:    return
#row = affine_map<(d0) -> (d0)>
func.func @at_data(%x: tensor<8xf32>, %i: tensor<i32>) -> tensor<8xf32> {
  %n = tensor.extract %i[] : tensor<i32>
  %at = arith.index_cast %n : i32 to index
  %s = tensor.extract_slice %x[%at] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]}
      ins(%s : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %c: f32):
    %1 = arith.negf %a : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  %r = tensor.insert_slice %0 into %x[%at] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %r : tensor<8xf32>
}
