// RUN: xla-opt %s --xla-lower-vectors --xla-convert-to-llvm | FileCheck %s

// CHECK-DAG: llvm.func @expm1f(f32) -> f32
// CHECK-DAG: llvm.func @erff(f32) -> f32

// The program stays visible, everything else is internal; our attributes are gone.
// CHECK-LABEL: llvm.func @main(
// CHECK-NOT: xla.
// CHECK-SAME: {
// CHECK: llvm.call @k(
func.func @main(%args: !llvm.ptr, %results: !llvm.ptr, %arena: !llvm.ptr) attributes {xla_rt.arena_size = 0 : i64} {
  %c0 = arith.constant 0 : index
  func.call @k(%args, %c0) : (!llvm.ptr, index) -> ()
  return
}

// CHECK-LABEL: llvm.func internal @k(
// CHECK-SAME: %{{.*}}: !llvm.ptr {llvm.noalias}, %{{.*}}: i64)
func.func private @k(%x: !llvm.ptr {llvm.noalias}, %i: index) {
  // Accurate near zero, also in vectors.
  // CHECK-COUNT-2: llvm.call @expm1f
  %v = llvm.load %x : !llvm.ptr -> vector<2xf32>
  %e = math.expm1 %v : vector<2xf32>
  // CHECK: llvm.intr.sqrt(%{{.*}}) {{.*}}: (vector<2xf32>)
  %s = math.sqrt %e : vector<2xf32>
  // CHECK: llvm.call @erff
  %f = vector.extract %s[0] : f32 from vector<2xf32>
  %g = math.erf %f : f32
  llvm.store %g, %x : f32, !llvm.ptr
  // CHECK: llvm.fmul
  %z = complex.create %f, %g : complex<f32>
  %zz = complex.mul %z, %z : complex<f32>
  %re = complex.re %zz : complex<f32>
  llvm.store %re, %x : f32, !llvm.ptr
  // CHECK: llvm.intr.vector.reduce.fadd
  %m = llvm.load %x : !llvm.ptr -> vector<8xf32>
  %m2 = vector.shape_cast %m : vector<8xf32> to vector<2x4xf32>
  %zero = arith.constant dense<0.0> : vector<2xf32>
  %r = vector.multi_reduction <add>, %m2, %zero [1] : vector<2x4xf32> to vector<2xf32>
  llvm.store %r, %x : vector<2xf32>, !llvm.ptr
  return
}
