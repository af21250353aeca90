// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The solve family: factorisations and solutions of linear systems.

#ifndef MLIR_XLA_DIALECT_OPS_SOLVE_SOLVEOPS_TD
#define MLIR_XLA_DIALECT_OPS_SOLVE_SOLVEOPS_TD

include "mlir_xla/dialect/XlaAttrs.td"

def Xla_CholeskyOp : Xla_InferredOp<"cholesky", [Pure, Xla_HasTensorOperands]> {
  let summary = "Cholesky factors of positive definite matrices";
  let description = [{
    For each matrix of a batch, symmetric or Hermitian and positive definite, the lower triangular `l` with `a = l l^H`
    if `lower`, else the upper triangular `u` with `a = u^H u`. Only that triangle of `a` is read. The other triangle of
    the result, and the whole result for a matrix that is not positive definite, are open.

    ```mlir
    %l = xla.cholesky %a, lower = true : tensor<16x8x8xf32>
    ```

    Constraints:
    - `Cholesky-C1` the operand has at least 2 dimensions.
    - `Cholesky-C2` its last two dims are equal.
    - `Cholesky-C3` elements are FLOAT or COMPLEX.
    - `Cholesky-C4` the result has the operand's type.
  }];
  let arguments = (ins Xla_Tensor:$a, DefaultValuedOptionalAttr<BoolAttr, "false">:$lower);
  let results = (outs Xla_Tensor:$result);
  let assemblyFormat = [{
    $a (`,` `lower` `=` $lower^)? attr-dict `:` custom<SameOperandsAndResultType>(type($a), type($result))
  }];
}

def Xla_TriangularSolveOp : Xla_InferredOp<"triangular_solve", [Pure, Xla_HasTensorOperands]> {
  let summary = "solves linear systems with triangular matrices";
  let description = [{
    For each pair of matrices of a batch, the x with `op(a) x = b` if `left_side`, else `x op(a) = b`, where op is the
    identity, the transpose or the conjugate transpose. `lower` names the triangle of `a` that is read, before op; with
    `unit_diagonal` its diagonal is taken as 1 and not read. Zeros on the diagonal give infinities or NaN.

    ```mlir
    %x = "xla.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false,
                                          transpose_a = #xla<transpose NO_TRANSPOSE>}>
      : (tensor<4x4xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
    ```

    Constraints:
    - `TriangularSolve-C1` both operands have the same rank, 2 or more.
    - `TriangularSolve-C2` the last two dims of `a` are equal.
    - `TriangularSolve-C3` that is the second to last dim of `b` if `left_side`, else the last.
    - `TriangularSolve-C4` the other dims, those of the batch, are equal.
    - `TriangularSolve-C5` the operands have the same element type, FLOAT or COMPLEX.
    - `TriangularSolve-C6` the result has the type of `b`.
    - `TriangularSolve-C7` `transpose_a` is not `TRANSPOSE_INVALID`.
  }];
  let arguments = (ins Xla_Tensor:$a, Xla_Tensor:$b, BoolAttr:$left_side, BoolAttr:$lower, BoolAttr:$unit_diagonal,
                   Xla_TransposeAttr:$transpose_a);
  let results = (outs Xla_Tensor:$result);
}

#endif // MLIR_XLA_DIALECT_OPS_SOLVE_SOLVEOPS_TD
