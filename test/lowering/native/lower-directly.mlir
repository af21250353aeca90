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

// CHECK-LABEL: llvm.func internal @parts(
// CHECK-SAME: %[[V:[a-z0-9]*]]: vector<8xf32>, %[[TO:[a-z0-9]*]]: !llvm.ptr)
func.func private @parts(%v: vector<8xf32>, %to: !llvm.ptr) -> f32 {
  // CHECK: %[[PART:.*]] = llvm.shufflevector %[[V]], %[[V]] [4, 5, 6, 7] : vector<8xf32>
  %part = vector.extract_strided_slice %v {offsets = [4], sizes = [4], strides = [1]} : vector<8xf32> to vector<4xf32>
  // CHECK: %[[ROOT:.*]] = llvm.intr.sqrt(%[[PART]]) : (vector<4xf32>) -> vector<4xf32>
  // CHECK: %[[ONE:.*]] = llvm.mlir.constant(dense<1.000000e+00> : vector<4xf32>)
  // CHECK: %[[INVERSE:.*]] = llvm.fdiv %[[ONE]], %[[ROOT]] : vector<4xf32>
  %inverse = math.rsqrt %part : vector<4xf32>
  // CHECK: %[[WIDE:.*]] = llvm.fpext %[[INVERSE]] : vector<4xf32> to vector<4xf64>
  %wide = arith.extf %inverse : vector<4xf32> to vector<4xf64>
  // CHECK: llvm.bitcast %[[WIDE]] : vector<4xf64> to vector<4xi64>
  %bits = vector.bitcast %wide : vector<4xf64> to vector<4xi64>
  llvm.store %bits, %to : vector<4xi64>, !llvm.ptr
  // CHECK: %[[NARROW:.*]] = llvm.fptrunc %[[WIDE]] : vector<4xf64> to vector<4xf32>
  %narrow = arith.truncf %wide : vector<4xf64> to vector<4xf32>
  // CHECK: %[[TWO:.*]] = llvm.mlir.constant(2 : i64) : i64
  // CHECK: llvm.extractelement %[[NARROW]][%[[TWO]] : i64]
  %lane = vector.extract %narrow[2] : f32 from vector<4xf32>
  return %lane : f32
}
