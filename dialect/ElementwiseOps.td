// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elementwise family: unary, binary, comparison, select, clamp, convert.

#ifndef MLIR_XLA_DIALECT_ELEMENTWISEOPS_TD
#define MLIR_XLA_DIALECT_ELEMENTWISEOPS_TD

include "mlir_xla/dialect/XlaAttrs.td"

class Xla_BinaryOp<string mnemonic, list<Trait> traits = []>
    : Xla_InferredOp<mnemonic, traits # [Pure, Elementwise, SameOperandsAndResultShape]> {
  let arguments = (ins Xla_Tensor:$lhs, Xla_Tensor:$rhs);
  let results = (outs Xla_Tensor:$result);
}

def Xla_AddOp : Xla_BinaryOp<"add", [Commutative]> {
  let summary = "x + y, elementwise";
  let description = [{
    ```mlir
    %r = xla.add %x, %y : tensor<4xf32>
    ```
  }];
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` custom<SameOperandsAndResultType>(type($lhs), type($rhs), type($result))";
}

#endif // MLIR_XLA_DIALECT_ELEMENTWISEOPS_TD
