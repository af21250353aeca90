// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes of the `loops` stage.

#ifndef MLIR_XLA_LOWERING_CPU_PASSES_TD
#define MLIR_XLA_LOWERING_CPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def XlaEmitKernels : Pass<"xla-emit-kernels", "::mlir::ModuleOp"> {
  let summary = "Give every kernel an implementation in loops, vectors and pointers";
  let description = [{
    A kernel, a private function of linalg-stage ops on tensors, becomes a declaration plus an implementation
    `@NAME.impl` on bare pointers that computes the slice `[begin, end)` of the kernel's parallel work:

    ```mlir
    func.func private @double(%x: tensor<1024xf32>) -> tensor<1024xf32> attributes {xla.kernel = "loop"} {
      %c = arith.constant dense<2.0> : tensor<f32>
      %e = tensor.empty() : tensor<1024xf32>
      %0 = linalg.generic ... { %m = arith.mulf %in, %in_0 : f32 ... }
      return %0 : tensor<1024xf32>
    }
    // =>
    func.func private @double(tensor<1024xf32>) -> tensor<1024xf32>
        attributes {xla.impl = @double.impl, xla.work = 1 : i64, xla.cost = 205 : i64,
                    xla.reuse = array<i32: 0>, xla.tied = array<i32: -1>}
    func.func private @double.impl(%x: !llvm.ptr, %out: !llvm.ptr, %begin: index, %end: index) {
      scf.for %i = %c0 to %c1024 step %c16 : i64 {
        %p = llvm.getelementptr %x[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
        ...
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect", "::mlir::complex::ComplexDialect",
                           "::mlir::math::MathDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
  let options = [Option<"vectorBits", "vector-bits", "unsigned", "512", "Width of the target's vector registers">];
}

#endif // MLIR_XLA_LOWERING_CPU_PASSES_TD
