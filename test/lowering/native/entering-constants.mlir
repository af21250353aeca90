// RUN: xla-opt %s --xla-convert-to-llvm | FileCheck %s
// Constant vectors that enter a loop are read from memory before it, each once; scalars and masks are not.

// CHECK-DAG: llvm.mlir.global internal constant @[[ONES:entering.*]](dense<1.000000e+00> : vector<4xf32>) {{.*}}alignment = 16
// CHECK-DAG: llvm.mlir.global internal constant @[[ZEROS:entering.*]](dense<0> : vector<3xi64>) {{.*}}alignment = 32
// CHECK-LABEL: llvm.func @main(
// CHECK: %[[ADDRESS:.*]] = llvm.mlir.addressof @[[ONES]]
// CHECK: %[[ONE:.*]] = llvm.load %[[ADDRESS]] {alignment = 16 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK: %[[ADDRESS:.*]] = llvm.mlir.addressof @[[ZEROS]]
// CHECK: %[[ZERO:.*]] = llvm.load %[[ADDRESS]] {alignment = 32 : i64} : !llvm.ptr -> vector<3xi64>
// CHECK-NOT: llvm.load
// CHECK: llvm.br ^{{.*}}(%{{.*}}, %[[ONE]], %[[ONE]], %[[ZERO]], %{{.*}}, %{{.*}} : i64, vector<4xf32>, vector<4xf32>, vector<3xi64>, vector<4xi1>, f32)
func.func @main(%n: index, %x: vector<4xf32>, %i: vector<3xi64>, %to: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %ones = vector.broadcast %one : f32 to vector<4xf32>
  %same = arith.constant dense<1.0> : vector<4xf32>
  %zeros = arith.constant dense<0> : vector<3xi64>
  %all = arith.constant dense<true> : vector<4xi1>
  %0:5 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %ones, %b = %same, %c = %zeros, %m = %all, %s = %one)
      -> (vector<4xf32>, vector<4xf32>, vector<3xi64>, vector<4xi1>, f32) {
    %p = arith.mulf %a, %x : vector<4xf32>
    %q = arith.addf %b, %p : vector<4xf32>
    %r = arith.addi %c, %i : vector<3xi64>
    %t = arith.cmpf olt, %p, %q : vector<4xf32>
    %u = arith.addf %s, %s : f32
    scf.yield %p, %q, %r, %t, %u : vector<4xf32>, vector<4xf32>, vector<3xi64>, vector<4xi1>, f32
  }
  llvm.store %0#0, %to : vector<4xf32>, !llvm.ptr
  llvm.store %0#1, %to : vector<4xf32>, !llvm.ptr
  llvm.store %0#2, %to : vector<3xi64>, !llvm.ptr
  llvm.store %0#3, %to : vector<4xi1>, !llvm.ptr
  llvm.store %0#4, %to : f32, !llvm.ptr
  return
}
