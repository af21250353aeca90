// RUN: xla-opt %s --pass-pipeline='builtin.module(func.func(xla-fold-reshapes))' --split-input-file | FileCheck %s

// A dimension of size 1 that was added is not read.
// CHECK-DAG: #[[READ:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[ALL:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @expand_behind
// CHECK-SAME: (%[[X:.*]]: tensor<8xf32>)
// CHECK: linalg.generic {indexing_maps = [#[[READ]], #[[ALL]]]
// CHECK-SAME: ins(%[[X]] : tensor<8xf32>)
func.func @expand_behind(%x: tensor<8xf32>) -> tensor<8x4xf32> {
  %0 = tensor.expand_shape %x [[0, 1]] output_shape [8, 1] : tensor<8xf32> into tensor<8x1xf32>
  %e = tensor.empty() : tensor<8x4xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, 0)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<8x1xf32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}

// -----

// In front, in the middle, and a source dimension of size 1 among them, which is read at 0.
// CHECK-DAG: #[[READ:.*]] = affine_map<(d0, d1) -> (0, d1, d0)>
// CHECK-LABEL: func.func @expand_around
// CHECK-SAME: (%[[X:.*]]: tensor<1x8x4xf32>)
// CHECK: linalg.generic {indexing_maps = [#[[READ]],
// CHECK-SAME: ins(%[[X]] : tensor<1x8x4xf32>)
func.func @expand_around(%x: tensor<1x8x4xf32>) -> tensor<4x8xf32> {
  %0 = tensor.expand_shape %x [[0, 1], [2], [3, 4]] output_shape [1, 1, 8, 1, 4] : tensor<1x8x4xf32> into tensor<1x1x8x1x4xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (0, 0, j, 0, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<1x1x8x1x4xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// -----

// A dimension of size 1 that was dropped is read at 0, wherever it is; also where nothing else is left of a group.
// CHECK-DAG: #[[READ:.*]] = affine_map<(d0, d1) -> (0, d1, 0, d0, 0)>
// CHECK-LABEL: func.func @collapse
// CHECK-SAME: (%[[X:.*]]: tensor<1x8x1x4x1xf32>)
// CHECK: linalg.generic {indexing_maps = [#[[READ]],
// CHECK-SAME: ins(%[[X]] : tensor<1x8x1x4x1xf32>)
func.func @collapse(%x: tensor<1x8x1x4x1xf32>) -> tensor<4x8xf32> {
  %0 = tensor.collapse_shape %x [[0, 1], [2, 3], [4]] : tensor<1x8x1x4x1xf32> into tensor<8x4x1xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i, 0)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<8x4x1xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// -----

// Through several reshapes; every operand on its own.
// CHECK-DAG: #[[ONE:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-DAG: #[[ALL:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @several
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<8x4xf32>)
// CHECK: linalg.generic {indexing_maps = [#[[ALL]], #[[ONE]], #[[ALL]]]
// CHECK-SAME: ins(%[[Y]], %[[X]] : tensor<8x4xf32>, tensor<4xf32>)
func.func @several(%x: tensor<4xf32>, %y: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = tensor.expand_shape %x [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [1, 4, 1] : tensor<4x1xf32> into tensor<1x4x1xf32>
  %2 = tensor.collapse_shape %1 [[0, 1, 2]] : tensor<1x4x1xf32> into tensor<4xf32>
  %e = tensor.empty() : tensor<8x4xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%y, %2 : tensor<8x4xf32>, tensor<4xf32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<8x4xf32>
  return %3 : tensor<8x4xf32>
}

// -----

// Dimensions that are cut or joined are not renamed: they stay reshapes.
// CHECK-LABEL: func.func @cut
// CHECK: %[[R:.*]] = tensor.expand_shape
// CHECK: linalg.generic {{.*}} ins(%[[R]] : tensor<8x4xf32>)
func.func @cut(%x: tensor<32xf32>) -> tensor<8x4xf32> {
  %0 = tensor.expand_shape %x [[0, 1]] output_shape [8, 4] : tensor<32xf32> into tensor<8x4xf32>
  %e = tensor.empty() : tensor<8x4xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}

// -----

// CHECK-LABEL: func.func @joined
// CHECK: %[[R:.*]] = tensor.collapse_shape
// CHECK: linalg.generic {{.*}} ins(%[[R]] : tensor<32xf32>)
func.func @joined(%x: tensor<8x1x4xf32>) -> tensor<32xf32> {
  %0 = tensor.collapse_shape %x [[0, 1, 2]] : tensor<8x1x4xf32> into tensor<32xf32>
  %e = tensor.empty() : tensor<32xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%0 : tensor<32xf32>) outs(%e : tensor<32xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<32xf32>
  return %1 : tensor<32xf32>
}

// -----

// Only this operand says how long the loop over the dimension of size 1 is.
// CHECK-LABEL: func.func @needed
// CHECK: %[[R:.*]] = tensor.expand_shape
// CHECK: linalg.generic {{.*}} ins(%[[R]] : tensor<8x1xf32>)
func.func @needed(%x: tensor<8xf32>, %init: tensor<8xf32>) -> tensor<8xf32> {
  %0 = tensor.expand_shape %x [[0, 1]] output_shape [8, 1] : tensor<8xf32> into tensor<8x1xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%0 : tensor<8x1xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// The loop over the dimension of size 1 is known from another operand.
// CHECK-DAG: #[[READ:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func.func @known_elsewhere
// CHECK-SAME: (%[[X:.*]]: tensor<8xf32>, %[[Y:.*]]: tensor<1xf32>,
// CHECK: linalg.generic {indexing_maps = [#[[READ]],
// CHECK-SAME: ins(%[[X]], %[[Y]] : tensor<8xf32>, tensor<1xf32>)
func.func @known_elsewhere(%x: tensor<8xf32>, %y: tensor<1xf32>, %init: tensor<8xf32>) -> tensor<8xf32> {
  %0 = tensor.expand_shape %x [[0, 1]] output_shape [8, 1] : tensor<8xf32> into tensor<8x1xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%0, %y : tensor<8x1xf32>, tensor<1xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%a: f32, %c: f32, %b: f32):
    %p = arith.mulf %a, %c : f32
    %s = arith.addf %p, %b : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// A part of a tensor, without the dimension of size 1 that it was cut along, still makes a contraction.
// CHECK-LABEL: func.func @part_of_a_product
// CHECK-SAME: (%[[X:.*]]: tensor<5x3x4xf32>, %[[Y:.*]]: tensor<4x6xf32>,
// CHECK: %[[PART:.*]] = tensor.extract_slice %[[X]][0, 1, 0] [5, 1, 4] [1, 1, 1] : tensor<5x3x4xf32> to tensor<5x4xf32>
// CHECK-NOT: tensor.collapse_shape
// CHECK: linalg.matmul ins(%[[PART]], %[[Y]]
func.func @part_of_a_product(%x: tensor<5x3x4xf32>, %y: tensor<4x6xf32>, %init: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = tensor.extract_slice %x[0, 1, 0] [5, 1, 4] [1, 1, 1] : tensor<5x3x4xf32> to tensor<5x1x4xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<5x1x4xf32> into tensor<5x4xf32>
  %2 = linalg.matmul ins(%1, %y : tensor<5x4xf32>, tensor<4x6xf32>) outs(%init : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %2 : tensor<5x6xf32>
}

// Two dimensions that are merged are no cut.
// CHECK-LABEL: func.func @merged
// CHECK: tensor.collapse_shape
func.func @merged(%x: tensor<5x3x4xf32>) -> tensor<10x4xf32> {
  %0 = tensor.extract_slice %x[0, 1, 0] [5, 2, 4] [1, 1, 1] : tensor<5x3x4xf32> to tensor<5x2x4xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<5x2x4xf32> into tensor<10x4xf32>
  return %1 : tensor<10x4xf32>
}
