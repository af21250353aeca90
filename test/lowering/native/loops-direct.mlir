// RUN: xla-test-execute %s --from=loops | FileCheck %s
// RUN: xla-test-execute %s --from=loops --target-cpu=generic | FileCheck %s
// RUN: xla-test-execute %s --from=loops --target-cpu=haswell | FileCheck %s
// RUN: xla-test-execute %s --from=loops --assembly | FileCheck %s --check-prefix=ASM

// The stage `loops` with everything written by hand: the schedule calls a vectorised kernel and a libm function.

// CHECK: f32[16] 1 3 5 7 9 11 13 15 17 19 21 23 25 27 29 31
// CHECK: f32[] 0.841471
// ASM: xla_main:
func.func @main(%args: !llvm.ptr, %results: !llvm.ptr, %arena: !llvm.ptr)
    attributes {xla_rt.signature = (tensor<16xf32>, tensor<f32>) -> (tensor<16xf32>, tensor<f32>), xla_rt.arena_size = 0 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %x = llvm.load %args : !llvm.ptr -> !llvm.ptr
  %r = llvm.load %results : !llvm.ptr -> !llvm.ptr
  %r1p = llvm.getelementptr %results[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  %r1 = llvm.load %r1p : !llvm.ptr -> !llvm.ptr
  func.call @k.impl(%x, %r, %c0, %c16) : (!llvm.ptr, !llvm.ptr, index, index) -> ()
  %p = llvm.getelementptr %x[1] : (!llvm.ptr) -> !llvm.ptr, f32
  %e = llvm.load %p : !llvm.ptr -> f32
  %s = math.sin %e : f32
  llvm.store %s, %r1 : f32, !llvm.ptr
  return
}

func.func private @k.impl(%x: !llvm.ptr {llvm.noalias}, %out: !llvm.ptr {llvm.noalias}, %begin: index, %end: index) {
  %step = arith.constant 16 : index
  %one = arith.constant dense<1.0> : vector<16xf32>
  scf.for %i = %begin to %end step %step {
    %i64 = arith.index_cast %i : index to i64
    %p = llvm.getelementptr %x[%i64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %v = llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %s = arith.addf %v, %v : vector<16xf32>
    %t = arith.addf %s, %one : vector<16xf32>
    %q = llvm.getelementptr %out[%i64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %t, %q {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
  }
  return
}
