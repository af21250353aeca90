// RUN: xla-opt %s --to=kernels="vector-bits=128 instructions=mulps" | FileCheck %s
// RUN: xla-opt %s --to=kernels="vector-bits=128" | FileCheck %s --check-prefix=FMA
// RUN: xla-opt %s --to=llvm="vector-bits=128 instructions=mulps fma=false f16c=false" | FileCheck %s --check-prefix=CODE --implicit-check-not=llvm.intr.fma
// RUN: xla-opt %s --to=llvm="vector-bits=128" | FileCheck %s --check-prefix=FUSED

// A product that is not fused with its sum takes a register: of sixteen, ten hold sums, not twelve.
// CHECK: #xla_rt.tiles<{{.*}} register 5x2,
// FMA: #xla_rt.tiles<{{.*}} register 6x2,

// Nothing is left that LLVM would call libm for.
// CODE-DAG: llvm.fpext {{.*}} : vector<4xf32> to vector<4xf64>
// CODE-DAG: llvm.fptrunc {{.*}} : vector<4xf64> to vector<4xf32>
// CODE: llvm.func {{.*}}@contraction_0
// CODE-COUNT-10: llvm.fadd
// FUSED-COUNT-12: llvm.intr.fma({{.*}}fastmathFlags = #llvm.fastmath<contract>
func.func @main(%a: tensor<512x512xf32>, %b: tensor<512x512xf32>, %x: tensor<4096xf32>) -> (tensor<512x512xf32>, tensor<4096xf32>) {
  %0 = xla.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  %1 = xla.exponential %x : tensor<4096xf32>
  return %0, %1 : tensor<512x512xf32>, tensor<4096xf32>
}
