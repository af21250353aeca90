// RUN: xla-opt %s --pass-pipeline='builtin.module(func.func(xla-decompose-writes))' --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @concat
// CHECK: %[[E:.*]] = tensor.empty() : tensor<5xf32>
// CHECK: %[[A:.*]] = tensor.insert_slice %arg0 into %[[E]][0] [2] [1]
// CHECK: %[[B:.*]] = tensor.insert_slice %arg1 into %[[A]][2] [3] [1]
// CHECK: return %[[B]]
func.func @concat(%a: tensor<2xf32>, %b: tensor<3xf32>) -> tensor<5xf32> {
  %0 = tensor.concat dim(0) %a, %b : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

// The low and the high box, then the source; no box where nothing is padded.
// CHECK-LABEL: func.func @pad
// CHECK: %[[E:.*]] = tensor.empty() : tensor<6x4xf32>
// CHECK: linalg.fill {{.*}} -> tensor<1x4xf32>
// CHECK: tensor.insert_slice {{.*}}[0, 0] [1, 4] [1, 1]
// CHECK: linalg.fill {{.*}} -> tensor<2x4xf32>
// CHECK: tensor.insert_slice {{.*}}[4, 0] [2, 4] [1, 1]
// CHECK: tensor.insert_slice %arg0 into {{.*}}[1, 0] [3, 4] [1, 1]
// CHECK-NOT: tensor.pad
func.func @pad(%a: tensor<3x4xf32>) -> tensor<6x4xf32> {
  %c = arith.constant 1.0 : f32
  %0 = tensor.pad %a low[1, 0] high[2, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f32
  } : tensor<3x4xf32> to tensor<6x4xf32>
  return %0 : tensor<6x4xf32>
}

// -----

// Rows that keep their extent are copied or filled whole, by one nest.
// CHECK-LABEL: func.func @pad_rows
// CHECK-SAME: (%[[X:.*]]: tensor<4x16xf32>)
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<7x16xf32>
// CHECK: linalg.generic {{.*}} outs(%[[EMPTY]] : tensor<7x16xf32>)
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: %[[AT:.*]] = arith.subi %[[I]], %{{.*}}
// CHECK: %[[IN:.*]] = arith.cmpi ult, %[[AT]], %{{.*}}
// CHECK: %[[LOW:.*]] = arith.maxsi %[[AT]]
// CHECK: %[[ROW:.*]] = arith.minsi %[[LOW]]
// CHECK: %[[J:.*]] = linalg.index 1
// CHECK: %[[E:.*]] = tensor.extract %[[X]][%[[ROW]], %[[J]]]
// CHECK: arith.select %[[IN]], %[[E]], %{{.*}}
// CHECK-NOT: tensor.insert_slice
func.func @pad_rows(%x: tensor<4x16xf32>) -> tensor<7x16xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.pad %x low[1, 0] high[2, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x16xf32> to tensor<7x16xf32>
  return %0 : tensor<7x16xf32>
}
