// RUN: xla-opt %s --from=linalg --to=loops --split-input-file | FileCheck %s
// What the other branch reads is read where the condition does not hold, and in the remainder also only inside.

// CHECK-LABEL: func.func private @elementwise_0.impl
// CHECK-DAG: %[[INSIDE:.*]] = arith.constant dense<[true, true, true, true, true, true, true, true, false, false, false, false, false, false, false, false]> : vector<16xi1>
// CHECK-DAG: %[[ALL:.*]] = arith.constant dense<true> : vector<16xi1>
// CHECK: scf.for
// CHECK: llvm.getelementptr %{{.*}}[-500]
// CHECK: %[[HOLDS:.*]] = llvm.intr.get.active.lane.mask
// CHECK: %[[NOT:.*]] = arith.xori %[[HOLDS]], %[[ALL]]
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

// -----

// Where all lanes agree, an address is chosen.
// CHECK-LABEL: func.func private @elementwise_0.impl
// CHECK: %[[HERE:.*]] = arith.cmpi slt, %{{.*}}, %c3_i64
// CHECK: scf.for
// CHECK: %[[FROM:.*]] = arith.select %[[HERE]], %{{.*}}, %{{.*}} : !llvm.ptr
// CHECK-NEXT: llvm.load %[[FROM]] {{.*}} -> vector<16xf32>
// CHECK-NOT: masked
// CHECK-LABEL: func.func
func.func @main(%x: tensor<3x128xf32>, %y: tensor<7x128xf32>) -> tensor<10x128xf32> {
  %0 = tensor.concat dim(0) %x, %y : (tensor<3x128xf32>, tensor<7x128xf32>) -> tensor<10x128xf32>
  %e = tensor.empty() : tensor<10x128xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<10x128xf32>) outs(%e : tensor<10x128xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %a : f32
    linalg.yield %r : f32
  } -> tensor<10x128xf32>
  return %1 : tensor<10x128xf32>
}

// -----

// Where vectors may be of either part, no lane at all is read from pages away from it.
// CHECK-LABEL: func.func private @elementwise_0.impl
// CHECK: %[[HERE:.*]] = llvm.intr.get.active.lane.mask
// CHECK: %[[BEHIND:.*]] = arith.xori %[[HERE]]
// CHECK: %[[ANY:.*]] = vector.reduction <or>, %[[BEHIND]]
// CHECK: %[[FROM:.*]] = arith.select %[[ANY]], %{{.*}}, %arg1 : !llvm.ptr
// CHECK: %[[OTHER:.*]] = llvm.intr.masked.load %[[FROM]], %[[BEHIND]]
// CHECK: %[[ANY:.*]] = vector.reduction <or>, %[[HERE]]
// CHECK: %[[FROM:.*]] = arith.select %[[ANY]], %{{.*}}, %arg0 : !llvm.ptr
// CHECK: llvm.intr.masked.load %[[FROM]], %[[HERE]], %[[OTHER]]
func.func @main(%x: tensor<5000xf32>, %y: tensor<5000xf32>) -> tensor<10000xf32> {
  %0 = tensor.concat dim(0) %x, %y : (tensor<5000xf32>, tensor<5000xf32>) -> tensor<10000xf32>
  %e = tensor.empty() : tensor<10000xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%0 : tensor<10000xf32>) outs(%e : tensor<10000xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %a : f32
    linalg.yield %r : f32
  } -> tensor<10000xf32>
  return %1 : tensor<10000xf32>
}
