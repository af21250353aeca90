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

// Inside the source its element, elsewhere the padding; nothing is read where there is nothing.
// CHECK-LABEL: func.func @pad
// CHECK-SAME: (%[[X:.*]]: tensor<3x16xf32>)
// CHECK: %[[C:.*]] = arith.constant 1.000000e+00
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<6x16xf32>
// CHECK: linalg.generic {{.*}} outs(%[[EMPTY]] : tensor<6x16xf32>)
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: %[[AT:.*]] = arith.subi %[[I]], %{{.*}}
// CHECK: %[[IN:.*]] = arith.cmpi ult, %[[AT]], %{{.*}}
// CHECK: %[[J:.*]] = linalg.index 1
// CHECK: scf.if %[[IN]] -> (f32)
// CHECK: tensor.extract %[[X]][%[[AT]], %[[J]]]
// CHECK: } else {
// CHECK: scf.yield %[[C]]
// CHECK-NOT: tensor.pad
func.func @pad(%x: tensor<3x16xf32>) -> tensor<6x16xf32> {
  %c = arith.constant 1.0 : f32
  %0 = tensor.pad %x low[1, 0] high[2, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f32
  } : tensor<3x16xf32> to tensor<6x16xf32>
  return %0 : tensor<6x16xf32>
}

// -----

// Nothing to read at all.
// CHECK-LABEL: func.func @pad_nothing
// CHECK: %[[R:.*]] = linalg.fill
// CHECK: return %[[R]]
func.func @pad_nothing(%x: tensor<0x16xf32>) -> tensor<2x16xf32> {
  %c = arith.constant 1.0 : f32
  %0 = tensor.pad %x low[2, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f32
  } : tensor<0x16xf32> to tensor<2x16xf32>
  return %0 : tensor<2x16xf32>
}
