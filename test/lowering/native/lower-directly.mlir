// RUN: xla-opt %s --xla-convert-to-llvm | FileCheck %s

// Flags stay; splats, shuffles and indices that come from i64 take no detour. What has no counterpart is converted.
// CHECK-LABEL: llvm.func @main(
// CHECK-SAME: %[[ARGS:[a-z0-9]*]]: !llvm.ptr, %[[N:[a-z0-9]*]]: i64, %[[X:[a-z0-9]*]]: f32)
func.func @main(%args: !llvm.ptr, %n: i64, %x: f32) {
  // CHECK: llvm.getelementptr %[[ARGS]][%[[N]]]
  %i = arith.index_cast %n : i64 to index
  %m = arith.index_cast %i : index to i64
  %p = llvm.getelementptr %args[%m] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  // CHECK: %[[FIRST:.*]] = llvm.insertelement %[[X]]
  // CHECK: %[[SPLAT:.*]] = llvm.shufflevector %[[FIRST]], %{{.*}} [0, 0, 0, 0] : vector<4xf32>
  %splat = vector.broadcast %x : f32 to vector<4xf32>
  %v = llvm.load %p : !llvm.ptr -> vector<4xf32>
  // CHECK: %[[SUM:.*]] = llvm.fadd %{{.*}}, %[[SPLAT]] {fastmathFlags = #llvm.fastmath<reassoc>} : vector<4xf32>
  %sum = arith.addf %v, %splat fastmath<reassoc> : vector<4xf32>
  // CHECK: llvm.intr.fma(%[[SUM]], %[[SUM]], %[[SPLAT]])
  %fma = math.fma %sum, %sum, %splat : vector<4xf32>
  // CHECK: %[[LESS:.*]] = llvm.fcmp "ult"
  %less = arith.cmpf ult, %fma, %sum : vector<4xf32>
  // CHECK: llvm.select %[[LESS]]
  %chosen = arith.select %less, %fma, %sum : vector<4xi1>, vector<4xf32>
  // CHECK: llvm.shufflevector {{.*}} [0, 4, 1, 5]
  %mixed = vector.shuffle %chosen, %sum [0, 4, 1, 5] : vector<4xf32>, vector<4xf32>
  // CHECK: llvm.intr.vector.reduce.fadd
  %zero = arith.constant 0.0 : f32
  %total = vector.reduction <add>, %mixed, %zero : vector<4xf32> into f32
  // CHECK: %[[UNSIGNED:.*]] = llvm.icmp "ult" %[[N]]
  %seven = arith.constant 7 : i64
  %few = arith.cmpi ult, %n, %seven : i64
  // CHECK: llvm.cond_br %[[UNSIGNED]]
  scf.if %few {
    llvm.store %total, %p : f32, !llvm.ptr
  }
  return
}

// The lesser of two scalars is compared for and chosen; vectors have an intrinsic.
// CHECK-LABEL: llvm.func internal @extrema(
// CHECK-SAME: %[[X:[a-z0-9]*]]: i64, %[[Y:[a-z0-9]*]]: i64, %[[V:[a-z0-9]*]]: vector<4xi32>, %[[TO:[a-z0-9]*]]: !llvm.ptr)
func.func private @extrema(%x: i64, %y: i64, %v: vector<4xi32>, %to: !llvm.ptr) -> i64 {
  // CHECK: %[[IS:.*]] = llvm.icmp "sle" %[[X]], %[[Y]] : i64
  // CHECK: %[[LEAST:.*]] = llvm.select %[[IS]], %[[X]], %[[Y]] : i1, i64
  %least = arith.minsi %x, %y : i64
  // CHECK: %[[IS:.*]] = llvm.icmp "ugt" %[[LEAST]], %[[Y]] : i64
  // CHECK: llvm.select %[[IS]], %[[LEAST]], %[[Y]] : i1, i64
  %greatest = arith.maxui %least, %y : i64
  // CHECK: llvm.intr.smin(%[[V]], %[[V]])
  %lanes = arith.minsi %v, %v : vector<4xi32>
  llvm.store %lanes, %to : vector<4xi32>, !llvm.ptr
  return %greatest : i64
}
