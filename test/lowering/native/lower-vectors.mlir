// RUN: xla-opt %s --xla-lower-vectors | FileCheck %s

// CHECK-LABEL: func.func @matrix(
// CHECK-NOT: vector.transpose
// CHECK: return
func.func @matrix(%x: vector<4x2xf32>) -> vector<2x4xf32> {
  %0 = vector.transpose %x, [1, 0] : vector<4x2xf32> to vector<2x4xf32>
  return %0 : vector<2x4xf32>
}

// Vectors of one dimension need nothing, whatever other functions do: this one is not gone through, and so not folded.
// CHECK-LABEL: func.func @vectors(
// CHECK: vector.extract_strided_slice
// CHECK: arith.addi
func.func @vectors(%x: vector<8xf32>, %to: !llvm.ptr) -> i64 {
  %0 = vector.extract_strided_slice %x {offsets = [4], sizes = [4], strides = [1]} : vector<8xf32> to vector<4xf32>
  llvm.store %0, %to : vector<4xf32>, !llvm.ptr
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %1 = arith.addi %c1, %c2 : i64
  return %1 : i64
}
