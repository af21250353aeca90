// RUN: xla-opt %s --from=linalg --to=loops | FileCheck %s
// What the other branch reads is read where the condition does not hold, and in the remainder also only inside.

// CHECK-LABEL: func.func private @elementwise_0.impl
// CHECK-DAG: %[[INSIDE:.*]] = arith.constant dense<[true, true, true, true, true, true, true, true, false, false, false, false, false, false, false, false]> : vector<16xi1>
// CHECK-DAG: %[[ALL:.*]] = arith.constant dense<true> : vector<16xi1>
// CHECK: scf.for
// CHECK: %[[HOLDS:.*]] = llvm.intr.get.active.lane.mask
// CHECK: %[[NOT:.*]] = arith.xori %[[HOLDS]], %[[ALL]]
// CHECK: llvm.getelementptr %{{.*}}[-500]
// CHECK: llvm.intr.masked.load %{{.*}}, %[[NOT]]
// CHECK: %[[HOLDS:.*]] = llvm.intr.get.active.lane.mask %c992_i32
// CHECK: %[[NOT:.*]] = arith.xori %[[HOLDS]], %[[ALL]]
// CHECK: %[[BOTH:.*]] = arith.andi %[[NOT]], %[[INSIDE]]
// CHECK: llvm.intr.masked.load %{{.*}}, %[[BOTH]]
func.func @main(%x: tensor<1000xf32>, %y: tensor<1000xf32>) -> tensor<1000xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<1000xf32>) outs(%y : tensor<1000xf32>) {
  ^bb0(%a: f32, %b: f32):
    %i = linalg.index 0 : index
    %c = arith.constant 500 : index
    %one = arith.constant 1.0 : f32
    %in = arith.cmpi ult, %i, %c : index
    %r = scf.if %in -> (f32) {
      scf.yield %one : f32
    } else {
      %at = arith.subi %i, %c : index
      %e = tensor.extract %x[%at] : tensor<1000xf32>
      scf.yield %e : f32
    }
    linalg.yield %r : f32
  } -> tensor<1000xf32>
  return %0 : tensor<1000xf32>
}
