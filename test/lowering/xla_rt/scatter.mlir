// RUN: xla-opt %s | xla-opt | FileCheck %s
// RUN: xla-opt %s --emit-bytecode | xla-opt | FileCheck %s
// RUN: xla-opt %s --mlir-print-op-generic | xla-opt | FileCheck %s

// CHECK-LABEL: func.func @rows
// CHECK: xla_rt.scatter indices(%{{.*}} : tensor<7x1xi32>) updates(%{{.*}} : tensor<7x8xf32>) outs(%{{.*}} : tensor<5x8xf32>)
// CHECK-SAME: starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 {
// CHECK-NEXT: ^bb0(%[[CURRENT:.*]]: f32, %[[UPDATE:.*]]: f32):
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[CURRENT]], %[[UPDATE]] : f32
// CHECK-NEXT: xla_rt.yield %[[SUM]] : f32
// CHECK-NEXT: } -> tensor<5x8xf32>
func.func @rows(%i: tensor<7x1xi32>, %u: tensor<7x8xf32>, %x: tensor<5x8xf32>) -> tensor<5x8xf32> {
  %0 = xla_rt.scatter indices(%i : tensor<7x1xi32>) updates(%u : tensor<7x8xf32>) outs(%x : tensor<5x8xf32>)
      starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 {
  ^bb0(%current: f32, %update: f32):
    %sum = arith.addf %current, %update : f32
    xla_rt.yield %sum : f32
  } -> tensor<5x8xf32>
  return %0 : tensor<5x8xf32>
}

// Two arrays, windows that are walked from their starts, an array dimension that follows the batch, and a scalar.
// CHECK-LABEL: func.func @several
// CHECK: xla_rt.scatter indices(%{{.*}} : tensor<2x3xi8>) updates(%{{.*}}, %{{.*}} : tensor<3x4xf32>, tensor<3x4xi64>)
// CHECK-SAME: scalars(%{{.*}} : tensor<f32>) outs(%{{.*}}, %{{.*}} : tensor<9x3x6xf32>, tensor<9x3x6xi64>)
// CHECK-SAME: starts = [1, -1, 0] steps = [-1, 0, 1] batch = [0] vector = 0 unsigned unique attributes {note} {
// CHECK: } -> tensor<9x3x6xf32>, tensor<9x3x6xi64>
func.func @several(%i: tensor<2x3xi8>, %u: tensor<3x4xf32>, %v: tensor<3x4xi64>, %s: tensor<f32>,
                   %x: tensor<9x3x6xf32>, %y: tensor<9x3x6xi64>) -> (tensor<9x3x6xf32>, tensor<9x3x6xi64>) {
  %0:2 = xla_rt.scatter indices(%i : tensor<2x3xi8>) updates(%u, %v : tensor<3x4xf32>, tensor<3x4xi64>)
      scalars(%s : tensor<f32>) outs(%x, %y : tensor<9x3x6xf32>, tensor<9x3x6xi64>)
      starts = [1, -1, 0] steps = [-1, 0, 1] batch = [0] vector = 0 unsigned unique attributes {note} {
  ^bb0(%a: f32, %b: i64, %c: f32, %d: i64, %e: f32):
    xla_rt.yield %e, %d : f32, i64
  } -> tensor<9x3x6xf32>, tensor<9x3x6xi64>
  return %0#0, %0#1 : tensor<9x3x6xf32>, tensor<9x3x6xi64>
}
