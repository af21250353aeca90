// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes from `loops` (scf, arith, math, vector on bare pointers) to the LLVM dialect.

#ifndef MLIR_XLA_LOWERING_NATIVE_PASSES_TD
#define MLIR_XLA_LOWERING_NATIVE_PASSES_TD

include "mlir/Pass/PassBase.td"

def LowerVectors : Pass<"xla-lower-vectors", "ModuleOp"> {
  let summary = "Rewrite vector ops that have no direct LLVM form";
  let description = [{
    Contractions, multi-dimensional reductions, transposes, shape casts, gathers, steps and their kin become
    one-dimensional vector ops. Emitted kernels mostly hold one-dimensional vectors already, so the pass first looks
    whether there is anything to do in a function.

    ```mlir
    %r = vector.multi_reduction <add>, %x, %acc [1] : vector<4x16xf32> to vector<4xf32>
    // becomes
    %x0 = vector.extract %x[0] : vector<16xf32> from vector<4x16xf32>
    %r0 = vector.reduction <add>, %x0, %acc0 : vector<16xf32> into f32
    ...
    ```
  }];
  let dependentDialects = ["::mlir::vector::VectorDialect", "::mlir::arith::ArithDialect", "::mlir::ub::UBDialect",
                           "::mlir::scf::SCFDialect"];
}

def NarrowArithmetic : Pass<"xla-narrow-arithmetic", "ModuleOp"> {
  let summary = "Compute in f16 what is widened from it and rounded to it again";
  let description = [{
    Each operation on f16 is one on f32, whose result is rounded. Sums, differences, products, quotients and square
    roots have the same bits if an instruction for f16 computes them, as f32 has more than twice the digits. LLVM makes
    no fused multiply-add of such a product. Extrema, signs, choices and integers next to a number need no rounding
    on any processor: f32 hands them on as they are.

    ```mlir
    %x1 = arith.extf %x : vector<16xf16> to vector<16xf32>
    %y1 = arith.extf %y : vector<16xf16> to vector<16xf32>
    %s1 = arith.addf %x1, %y1 : vector<16xf32>
    %s = arith.truncf %s1 : vector<16xf32> to vector<16xf16>
    // becomes
    %s = arith.addf %x, %y : vector<16xf16>
    ```
  }];
  let options = [Option<"fp16", "fp16", "bool", "false", "The processor has arithmetic of f16">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::vector::VectorDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def SupplyInstructions : Pass<"xla-supply-instructions", "ModuleOp"> {
  let summary = "Write out what the processor has no instructions for";
  let description = [{
    LLVM would call a library for each element of a vector. A `math.fma` with the flag `contract` may round its product, as that of a contraction or
    a polynomial, and becomes a product and a sum. Any other one has a single rounding, which error terms and reduced arguments need: one of f32 is
    computed in f64, where the product is exact, and one of f64 from the product and the sum with the errors of both (Dekker, 1971). Conversions of
    f16 become operations on their bits.

    ```mlir
    %r = math.fma %x, %y, %z fastmath<contract> : vector<4xf32>
    // becomes
    %p = arith.mulf %x, %y : vector<4xf32>
    %r = arith.addf %p, %z : vector<4xf32>
    ```
  }];
  let options = [Option<"fma", "fma", "bool", "false", "The processor has fused multiply-adds">,
    Option<"f16c", "f16c", "bool", "false", "The processor converts f16">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def ConvertToLLVM : Pass<"xla-convert-to-llvm", "ModuleOp"> {
  let summary = "Convert the `loops` stage to the LLVM dialect in one conversion";
  let description = [{
    Ops that LLVM has as they are get replaced one by one, loops that run at least once become one block, and the rest
    is left to one partial conversion with patterns that are built once per context. Functions other than `@main` become
    internal. Mathematical functions without an accurate LLVM intrinsic become calls of libm. An op that nothing
    converts is an error that names it.

    ```mlir
    func.func private @k.impl(%x: !llvm.ptr, %begin: index, %end: index) { ... scf.for ... }
    // becomes
    llvm.func internal @k.impl(%x: !llvm.ptr, %begin: i64, %end: i64) { ... llvm.cond_br ... }
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::cf::ControlFlowDialect", "::mlir::func::FuncDialect",
                           "::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::vector::VectorDialect",
                           "::mlir::complex::ComplexDialect"];
}

#endif // MLIR_XLA_LOWERING_NATIVE_PASSES_TD
