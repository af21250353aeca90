// RUN: xla-opt %s --target=cuda --to=llvm | FileCheck %s
// LLVM 22 drops the guard of a shift by 64 or more, and PTX looks at 32 bits of the amount.

// CHECK: gpu.module @kernels
// CHECK: %[[BOUNDED:.*]] = llvm.intr.umin(%{{.*}}, %{{.*}}) : (i64, i64) -> i64
// CHECK: llvm.lshr %{{.*}}, %[[BOUNDED]] : i64
func.func @main(%x: tensor<3xi64>, %y: tensor<3xi64>) -> tensor<3xi64> {
  %0 = xla.shift_right_logical %x, %y : tensor<3xi64>
  return %0 : tensor<3xi64>
}
