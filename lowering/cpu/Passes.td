// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last pass of the `kernels` stage, and the first of the `loops` stage.

#ifndef MLIR_XLA_LOWERING_CPU_PASSES_TD
#define MLIR_XLA_LOWERING_CPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def PlanKernels : Pass<"xla-plan-kernels", "::mlir::ModuleOp"> {
  let summary = "Decide how the loop nests of every kernel are walked";
  let description = [{
    Builds the loop nests of each kernel that has no plans yet and writes its decisions about them as `xla_rt.plans`:
    one `#xla_rt.nest` for each nest, in the order in which they run.

    ```mlir
    func.func private @contraction_0(%x: tensor<96x64xf32>, %y: tensor<64x192xf32>) -> tensor<96x192xf32>
        attributes {xla_rt.kernel = #xla_rt.kernel<contraction>} {...}
    // =>
    func.func private @contraction_0(%x: tensor<96x64xf32>, %y: tensor<64x192xf32>) -> tensor<96x192xf32>
        attributes {xla_rt.kernel = #xla_rt.kernel<contraction>,
                    xla_rt.plans = [#xla_rt.nest<96x192x64, lanes d1 16x4, jam d0 6, reduce d2, cut d1 64>]} {...}
    ```
  }];
  let dependentDialects = ["::mlir::xla::XlaRtDialect"];
  let options = [Option<"vectorBits", "vector-bits", "unsigned", "512", "Width of the target's vector registers">];
}

def EmitKernels : Pass<"xla-emit-kernels", "::mlir::ModuleOp"> {
  let summary = "Give every kernel an implementation in loops, vectors and pointers";
  let description = [{
    A kernel, a private function of linalg-stage ops on tensors, becomes a declaration plus an implementation
    `@NAME.impl` on bare pointers that computes the slice `[begin, end)` of the kernel's parallel work. Its loop nests
    are walked as `xla_rt.plans` says, or, if the kernel has no plans, as `xla-plan-kernels` would decide. A plan that
    its nest does not allow is an error.

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
  let options = [
    Option<"vectorBits", "vector-bits", "unsigned", "512", "Width of the vector registers, for kernels without plans">,
    Option<"reuse", "reuse", "bool", "true", "Offer results the memory of arguments that are read no more">,
  ];
}

#endif // MLIR_XLA_LOWERING_CPU_PASSES_TD
