// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes of the `linalg` stage: from xla to structured ops on tensors.

#ifndef MLIR_XLA_LOWERING_LINALG_PASSES_TD
#define MLIR_XLA_LOWERING_LINALG_PASSES_TD

include "mlir/Pass/PassBase.td"

def LegalizeToLinalg : Pass<"xla-legalize-to-linalg", "ModuleOp"> {
  let summary = "Convert legal xla ops to linalg, tensor, scf and scalar ops";
  let description = [{
    Every op of the `legal` stage becomes structured ops on signless tensors. Unsigned types lose their sign (the op
    chosen carries it), at function boundaries as well. Barriers and custom calls stay.

    ```mlir
    %0 = xla.divide %x, %y : tensor<4xui32>
    ```
    becomes
    ```mlir
    %0 = linalg.generic {...} ins(%x, %y : tensor<4xi32>, tensor<4xi32>) outs(%empty : tensor<4xi32>) {
    ^bb0(%a: i32, %b: i32, %out: i32):
      %zero = arith.cmpi eq, %b, %c0 : i32
      %safe = arith.select %zero, %c1, %b : i32
      %quotient = arith.divui %a, %safe : i32
      %result = arith.select %zero, %all_ones, %quotient : i32
      linalg.yield %result : i32
    } -> tensor<4xi32>
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::complex::ComplexDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::mlir::xla::XlaRtDialect",
  ];
  let options = [
    Option<"device", "device", "bool", "false", "For a GPU, whose library divides the work of a call itself">,
  ];
}

#endif // MLIR_XLA_LOWERING_LINALG_PASSES_TD
