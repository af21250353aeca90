// RUN: xla-opt %s --xla-mark-places --split-input-file | FileCheck %s
// What a kernel writes of a tensor that it updates is noted if the place is known and the tensor is not read.

// CHECK: func.func private @strided({{.*}}xla_rt.places = [array<i64: 0, 1>, array<i64: 2, 3>, array<i64: 1, 2>, array<i64: 2, 8>]
func.func private @strided(%x: tensor<2x3xf32>, %y: tensor<2x8xf32>) -> tensor<2x8xf32> attributes {xla_rt.kernel = #xla_rt.kernel<update>} {
  %0 = tensor.insert_slice %x into %y[0, 1] [2, 3] [1, 2] : tensor<2x3xf32> into tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// Where the place is data, it is noted which arguments say it.
// CHECK: func.func private @somewhere(
// CHECK-NOT: xla_rt.places
// CHECK-SAME: xla_rt.placed_by = array<i64: 2>
// CHECK-NOT: xla_rt.places
func.func private @somewhere(%x: tensor<2x3xf32>, %y: tensor<2x8xf32>, %i: index) -> tensor<2x8xf32> attributes {xla_rt.kernel = #xla_rt.kernel<update>} {
  %0 = tensor.insert_slice %x into %y[0, %i] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK: func.func private @computed({{.*}}xla_rt.placed_by = array<i64: 3, 2>
func.func private @computed(%x: tensor<2x3xf32>, %y: tensor<2x8xf32>, %i: tensor<i32>, %j: tensor<4xi32>) -> tensor<2x8xf32> attributes {xla_rt.kernel = #xla_rt.kernel<update>} {
  %c0 = arith.constant 0 : index
  %a = tensor.extract %j[%c0] : tensor<4xi32>
  %b = tensor.extract %i[] : tensor<i32>
  %s = arith.addi %a, %b : i32
  %p = arith.index_cast %s : i32 to index
  %0 = tensor.insert_slice %x into %y[0, %p] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK: func.func private @read(
// CHECK-NOT: xla_rt.place
func.func private @read(%y: tensor<2x8xf32>) -> tensor<2x8xf32> attributes {xla_rt.kernel = #xla_rt.kernel<update>} {
  %x = tensor.extract_slice %y[0, 0] [2, 3] [1, 1] : tensor<2x8xf32> to tensor<2x3xf32>
  %0 = tensor.insert_slice %x into %y[0, 4] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}
