// RUN: xla-opt %s --split-input-file --to=loops="vector-bits=512 threads=1" | FileCheck %s

// A function that a nest has many times is one of the module. As a part of a loop, it goes through memory by itself.
// CHECK-LABEL: func.func private @elementwise_0.impl.exp.0.steps.each(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i64) {
// CHECK: scf.for %[[STEP:.*]] = %{{.*}} to %arg2
// CHECK:   llvm.getelementptr %arg0[%[[STEP]]] : (!llvm.ptr, i64) -> !llvm.ptr, vector<16xf32>
// CHECK:   llvm.x86.avx512.mask.scalef
// CHECK-NOT: scalef
// CHECK:   llvm.getelementptr %arg1[%[[STEP]]] : (!llvm.ptr, i64) -> !llvm.ptr, vector<16xf32>
// CHECK-LABEL: func.func private @elementwise_0.impl(
// CHECK-COUNT-9: call @elementwise_0.impl.exp.0.steps.each(%{{.*}}, %{{.*}}, %{{.*}}) : (!llvm.ptr, !llvm.ptr, i64) -> ()
// CHECK-NOT: call @elementwise_0.impl.exp.0.steps.each
// CHECK-NOT: scalef
// CHECK: return
func.func @main(%x: tensor<1000xf32>) -> tensor<1000xf32> {
  %e0 = xla.cosine %x : tensor<1000xf32>
  %n1 = xla.negate %e0 : tensor<1000xf32>
  %e1 = xla.exponential %n1 : tensor<1000xf32>
  %n2 = xla.negate %e1 : tensor<1000xf32>
  %e2 = xla.exponential %n2 : tensor<1000xf32>
  %n3 = xla.negate %e2 : tensor<1000xf32>
  %e3 = xla.exponential %n3 : tensor<1000xf32>
  %n4 = xla.negate %e3 : tensor<1000xf32>
  %e4 = xla.exponential %n4 : tensor<1000xf32>
  %n5 = xla.negate %e4 : tensor<1000xf32>
  %e5 = xla.exponential %n5 : tensor<1000xf32>
  %n6 = xla.negate %e5 : tensor<1000xf32>
  %e6 = xla.exponential %n6 : tensor<1000xf32>
  %n7 = xla.negate %e6 : tensor<1000xf32>
  %e7 = xla.exponential %n7 : tensor<1000xf32>
  %n8 = xla.negate %e7 : tensor<1000xf32>
  %e8 = xla.exponential %n8 : tensor<1000xf32>
  %n9 = xla.negate %e8 : tensor<1000xf32>
  %e9 = xla.exponential %n9 : tensor<1000xf32>
  return %e9 : tensor<1000xf32>
}

// -----

// Numbers are given to it as they are.
// CHECK-LABEL: func.func private @elementwise_0.impl.exp.0(%arg0: f32) -> f32 {
// CHECK-LABEL: func.func private @elementwise_0.impl(
// CHECK-COUNT-9: call @elementwise_0.impl.exp.0(%{{.*}}) : (f32) -> f32
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %e0 = xla.cosine %x : tensor<f32>
  %n1 = xla.negate %e0 : tensor<f32>
  %e1 = xla.exponential %n1 : tensor<f32>
  %n2 = xla.negate %e1 : tensor<f32>
  %e2 = xla.exponential %n2 : tensor<f32>
  %n3 = xla.negate %e2 : tensor<f32>
  %e3 = xla.exponential %n3 : tensor<f32>
  %n4 = xla.negate %e3 : tensor<f32>
  %e4 = xla.exponential %n4 : tensor<f32>
  %n5 = xla.negate %e4 : tensor<f32>
  %e5 = xla.exponential %n5 : tensor<f32>
  %n6 = xla.negate %e5 : tensor<f32>
  %e6 = xla.exponential %n6 : tensor<f32>
  %n7 = xla.negate %e6 : tensor<f32>
  %e7 = xla.exponential %n7 : tensor<f32>
  %n8 = xla.negate %e7 : tensor<f32>
  %e8 = xla.exponential %n8 : tensor<f32>
  %n9 = xla.negate %e8 : tensor<f32>
  %e9 = xla.exponential %n9 : tensor<f32>
  return %e9 : tensor<f32>
}

// -----

// A few are written out.
// CHECK-LABEL: func.func @main(
// CHECK-NOT: .exp.
// CHECK-LABEL: func.func private @elementwise_0.impl(
// CHECK-COUNT-4: scalef
func.func @main(%x: tensor<1000xf32>) -> tensor<1000xf32> {
  %e0 = xla.cosine %x : tensor<1000xf32>
  %n1 = xla.negate %e0 : tensor<1000xf32>
  %e1 = xla.exponential %n1 : tensor<1000xf32>
  %n2 = xla.negate %e1 : tensor<1000xf32>
  %e2 = xla.exponential %n2 : tensor<1000xf32>
  %n3 = xla.negate %e2 : tensor<1000xf32>
  %e3 = xla.exponential %n3 : tensor<1000xf32>
  %n4 = xla.negate %e3 : tensor<1000xf32>
  %e4 = xla.exponential %n4 : tensor<1000xf32>
  return %e4 : tensor<1000xf32>
}
