// RUN: xla-opt %s | xla-opt | FileCheck %s
// RUN: xla-opt %s --emit-bytecode | xla-opt | FileCheck %s
// RUN: xla-opt %s --mlir-print-op-generic | xla-opt | FileCheck %s

// CHECK-LABEL: func.func @sums
// CHECK: xla_rt.scan ins(%{{.*}} : tensor<4x20xf32>) initial(%{{.*}} : tensor<4xf32>) outs(%{{.*}} : tensor<4x20xf32>) dimension = 1 {
// CHECK-NEXT: ^bb0(%[[EARLIER:.*]]: f32, %[[LATER:.*]]: f32):
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[EARLIER]], %[[LATER]] : f32
// CHECK-NEXT: xla_rt.yield %[[SUM]] : f32
// CHECK-NEXT: } -> tensor<4x20xf32>
func.func @sums(%x: tensor<4x20xf32>, %zero: tensor<4xf32>) -> tensor<4x20xf32> {
  %empty = tensor.empty() : tensor<4x20xf32>
  %0 = xla_rt.scan ins(%x : tensor<4x20xf32>) initial(%zero : tensor<4xf32>) outs(%empty : tensor<4x20xf32>)
      dimension = 1 {
  ^bb0(%earlier: f32, %later: f32):
    %sum = arith.addf %earlier, %later : f32
    xla_rt.yield %sum : f32
  } -> tensor<4x20xf32>
  return %0 : tensor<4x20xf32>
}

// CHECK-LABEL: func.func @compositions
// CHECK: xla_rt.scan ins(%arg0, %arg1 : tensor<8xi32>, tensor<8xi32>) initial(%arg2, %arg3 : tensor<i32>, tensor<i32>)
// CHECK-SAME: outs(%[[E:.*]], %[[E]] : tensor<8xi32>, tensor<8xi32>) dimension = 0 reverse attributes {note} {
// CHECK: xla_rt.yield %{{.*}}, %{{.*}} : i32, i32
// CHECK: } -> tensor<8xi32>, tensor<8xi32>
func.func @compositions(%x: tensor<8xi32>, %y: tensor<8xi32>, %a: tensor<i32>, %b: tensor<i32>)
    -> (tensor<8xi32>, tensor<8xi32>) {
  %empty = tensor.empty() : tensor<8xi32>
  %0:2 = xla_rt.scan ins(%x, %y : tensor<8xi32>, tensor<8xi32>) initial(%a, %b : tensor<i32>, tensor<i32>)
      outs(%empty, %empty : tensor<8xi32>, tensor<8xi32>) dimension = 0 reverse attributes {note} {
  ^bb0(%a0: i32, %b0: i32, %a1: i32, %b1: i32):
    %a2 = arith.muli %a0, %a1 : i32
    %bc = arith.muli %b0, %a1 : i32
    %b2 = arith.addi %bc, %b1 : i32
    xla_rt.yield %a2, %b2 : i32, i32
  } -> tensor<8xi32>, tensor<8xi32>
  return %0#0, %0#1 : tensor<8xi32>, tensor<8xi32>
}
