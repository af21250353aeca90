// RUN: xla-opt %s --split-input-file --xla-simplify | FileCheck %s

// An update that takes place or not is one of the window alone.
// CHECK-LABEL: func.func @update(
// CHECK: %[[OLD:.*]] = xla.dynamic_slice %arg1, %arg3, sizes = [2]
// CHECK: %[[NEW:.*]] = xla.select %arg0, %arg2, %[[OLD]] : tensor<i1>, tensor<2xf32>
// CHECK: %[[R:.*]] = xla.dynamic_update_slice %arg1, %[[NEW]], %arg3
// CHECK: return %[[R]]
func.func @update(%p: tensor<i1>, %x: tensor<8xf32>, %u: tensor<2xf32>, %i: tensor<i32>) -> tensor<8xf32> {
  %0 = xla.dynamic_update_slice %x, %u, %i : (tensor<8xf32>, tensor<2xf32>, tensor<i32>) -> tensor<8xf32>
  %1 = xla.select %p, %0, %x : tensor<i1>, tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// The other way round, with a predicate that was broadcast.
// CHECK-LABEL: func.func @unless(
// CHECK: %[[OLD:.*]] = xla.dynamic_slice %arg1, %arg3, sizes = [2]
// CHECK: %[[NEW:.*]] = xla.select %arg0, %[[OLD]], %arg2 : tensor<i1>, tensor<2xf32>
// CHECK: xla.dynamic_update_slice %arg1, %[[NEW]], %arg3
func.func @unless(%p: tensor<i1>, %x: tensor<8xf32>, %u: tensor<2xf32>, %i: tensor<i32>) -> tensor<8xf32> {
  %0 = xla.broadcast_in_dim %p, dims = [] : (tensor<i1>) -> tensor<8xi1>
  %1 = xla.dynamic_update_slice %x, %u, %i : (tensor<8xf32>, tensor<2xf32>, tensor<i32>) -> tensor<8xf32>
  %2 = xla.select %0, %x, %1 : tensor<8xi1>, tensor<8xf32>
  return %2 : tensor<8xf32>
}

// -----

// Several windows, of which the second may hold what the first wrote.
// CHECK-LABEL: func.func @windows(
// CHECK: %[[OLD0:.*]] = xla.dynamic_slice %arg1, %arg3, sizes = [2]
// CHECK: %[[NEW0:.*]] = xla.select %arg0, %arg2, %[[OLD0]] : tensor<i1>, tensor<2xf32>
// CHECK: %[[FIRST:.*]] = xla.dynamic_update_slice %arg1, %[[NEW0]], %arg3
// CHECK: %[[OLD1:.*]] = xla.dynamic_slice %[[FIRST]], %arg4, sizes = [2]
// CHECK: %[[NEW1:.*]] = xla.select %arg0, %arg2, %[[OLD1]] : tensor<i1>, tensor<2xf32>
// CHECK: %[[R:.*]] = xla.dynamic_update_slice %[[FIRST]], %[[NEW1]], %arg4
// CHECK: return %[[R]]
func.func @windows(%p: tensor<i1>, %x: tensor<8xf32>, %u: tensor<2xf32>, %i: tensor<i32>, %j: tensor<i32>)
    -> tensor<8xf32> {
  %0 = xla.dynamic_update_slice %x, %u, %i : (tensor<8xf32>, tensor<2xf32>, tensor<i32>) -> tensor<8xf32>
  %1 = xla.dynamic_update_slice %0, %u, %j : (tensor<8xf32>, tensor<2xf32>, tensor<i32>) -> tensor<8xf32>
  %2 = xla.select %p, %1, %x : tensor<i1>, tensor<8xf32>
  return %2 : tensor<8xf32>
}

// -----

// What stays: each element has its own predicate; the window is most of the array; somebody else reads the update.
// CHECK-LABEL: func.func @others(
// CHECK-COUNT-3: xla.dynamic_update_slice
// CHECK-COUNT-3: xla.select {{.*}}tensor<8xf32>
func.func @others(%p: tensor<8xi1>, %q: tensor<i1>, %x: tensor<8xf32>, %u: tensor<2xf32>, %v: tensor<5xf32>,
                  %i: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %0 = xla.dynamic_update_slice %x, %u, %i : (tensor<8xf32>, tensor<2xf32>, tensor<i32>) -> tensor<8xf32>
  %1 = xla.dynamic_update_slice %x, %v, %i : (tensor<8xf32>, tensor<5xf32>, tensor<i32>) -> tensor<8xf32>
  %y = xla.negate %x : tensor<8xf32>
  %2 = xla.dynamic_update_slice %y, %u, %i : (tensor<8xf32>, tensor<2xf32>, tensor<i32>) -> tensor<8xf32>
  %3 = xla.select %p, %0, %x : tensor<8xi1>, tensor<8xf32>
  %4 = xla.select %q, %1, %x : tensor<i1>, tensor<8xf32>
  %5 = xla.select %q, %2, %y : tensor<i1>, tensor<8xf32>
  return %3, %4, %5, %2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
