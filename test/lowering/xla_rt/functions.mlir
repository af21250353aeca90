// RUN: xla-opt %s | xla-opt | FileCheck %s
// RUN: xla-opt %s --emit-bytecode | xla-opt | FileCheck %s
// RUN: xla-opt %s --mlir-print-op-generic | xla-opt | FileCheck %s

// CHECK-LABEL: func.func @functions
// CHECK: xla_rt.zeta %arg0, %arg1 : f64
// CHECK: xla_rt.polygamma %arg2, %arg3 {note} : f32
// CHECK: xla_rt.lgamma_left %arg0, %arg1 : f64
// CHECK: xla_rt.digamma_left %arg0, %arg1 {note} : f64
func.func @functions(%s: f64, %q: f64, %n: f32, %x: f32) -> (f64, f32, f64, f64) {
  %0 = xla_rt.zeta %s, %q : f64
  %1 = xla_rt.polygamma %n, %x {note} : f32
  %2 = xla_rt.lgamma_left %s, %q : f64
  %3 = xla_rt.digamma_left %s, %q {note} : f64
  return %0, %1, %2, %3 : f64, f32, f64, f64
}
