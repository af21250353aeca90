// Comparisons that are false of NaN alone are spelled so that NVIDIA's assembler keeps them: it takes |x| >= -1 for true.
// RUN: split-file %s %t
// RUN: xla-run --target=cuda --to=binary %t/bounds.mlir | FileCheck %s --check-prefix=BOUNDS
// RUN: xla-run --target=cuda --to=binary %t/logistic.mlir | FileCheck %s --check-prefix=LOGISTIC

// BOUNDS-LABEL: .entry
// BOUNDS: ld.global{{.*}} [[X:%r[0-9]+]]
// BOUNDS-NOT: setp.ge
// BOUNDS-NOT: setp.le
// BOUNDS: setp.num.f32 {{%p[0-9]+}}, [[X]], [[X]];
// BOUNDS-NOT: setp.ge
// BOUNDS-NOT: setp.le
// BOUNDS: ret;

// The exponential of -|x| asks whether that is at most 88.
// LOGISTIC-LABEL: .entry
// LOGISTIC: setp.num.f32
// LOGISTIC: ret;

//--- bounds.mlir
func.func @main(%x: tensor<f32>) -> (tensor<i1>, tensor<i1>) {
  %least = xla.constant dense<-1.0> : tensor<f32>
  %most = xla.constant dense<1.0> : tensor<f32>
  %abs = xla.abs %x : tensor<f32>
  %negative = xla.negate %abs : tensor<f32>
  %0 = xla.compare GE, %abs, %least : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %1 = xla.compare LE, %negative, %most : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0, %1 : tensor<i1>, tensor<i1>
}

//--- logistic.mlir
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = xla.logistic %x : tensor<f32>
  return %0 : tensor<f32>
}
