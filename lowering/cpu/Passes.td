// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes of the `loops` stage.

#ifndef MLIR_XLA_LOWERING_CPU_PASSES_TD
#define MLIR_XLA_LOWERING_CPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def EmitKernels : Pass<"xla-emit-kernels", "::mlir::ModuleOp"> {
  let summary = "Give every kernel an implementation in loops, vectors and pointers";
  let description = [{
    A kernel, a private function of linalg-stage ops on tensors, becomes a declaration plus an implementation
    `@NAME.impl` on bare pointers that computes the slice `[begin, end)` of the kernel's parallel work:

    ```mlir
    func.func private @double(%x: tensor<1024xf32>) -> tensor<1024xf32> 
        attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>} {
      %c = arith.constant dense<2.0> : tensor<f32>
      %e = tensor.empty() : tensor<1024xf32>
      %0 = linalg.generic ... { %m = arith.mulf %in, %in_0 : f32 ... }
      return %0 : tensor<1024xf32>
    }
    // =>
    func.func private @double(tensor<1024xf32>) -> tensor<1024xf32>
        attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>,
                    xla_rt.implementation = #xla_rt.implementation<@double.impl, cost = 205, results = [may_reuse 0]>}
    func.func private @double.impl(%x: !llvm.ptr, %out: !llvm.ptr, %begin: index, %end: index) {
      scf.for %i = %c0 to %c1024 step %c16 : i64 {
        %p = llvm.getelementptr %x[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
        ...
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect", "::mlir::complex::ComplexDialect",
                           "::mlir::math::MathDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect",
                           "::mlir::xla::XlaRtDialect"];
  let options = [Option<"vectorBits", "vector-bits", "unsigned", "512", "Width of the target's vector registers">,
                 Option<"threads", "threads", "unsigned", "2", "Threads that share the parallel work">,
                 Option<"plans", "plans", "bool", "false", "Leave the decisions about the nests as `xla.plans`">];
}

#endif // MLIR_XLA_LOWERING_CPU_PASSES_TD
