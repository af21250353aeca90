// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of numbers that the math dialect has not, for the bodies of linalg operations. `lowering/math/` expands
// them.

#ifndef MLIR_XLA_LOWERING_XLA_RT_XLARTFUNCTIONS_TD
#define MLIR_XLA_LOWERING_XLA_RT_XLARTFUNCTIONS_TD

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpBase.td"
include "mlir_xla/lowering/xla_rt/XlaRt.td"

/// A function of f32 or f64 numbers.
class XlaRt_FunctionOp<string mnemonic> : Op<XlaRt_Dialect, mnemonic, [Pure, SameOperandsAndResultType]> {
  let cppNamespace = "::mlir::xla::rt";
  let results = (outs AnyTypeOf<[F32, F64]>:$result);
  let assemblyFormat = "operands attr-dict `:` type($result)";
}

def XlaRt_ZetaOp : XlaRt_FunctionOp<"zeta"> {
  let summary = "the Hurwitz zeta function";
  let description = [{
    The sum over n >= 0 of `(q + n)^-s`, with the special values of `xla.zeta`.

    ```mlir
    %y = xla_rt.zeta %s, %q : f64
    ```
  }];
  let arguments = (ins AnyTypeOf<[F32, F64]>:$s, AnyTypeOf<[F32, F64]>:$q);
}

def XlaRt_PolygammaOp : XlaRt_FunctionOp<"polygamma"> {
  let summary = "a derivative of digamma";
  let description = [{
    The derivative of digamma of order `n` at `x`, for a whole `n` of at least 1; of no meaning for other `n`.

    ```mlir
    %y = xla_rt.polygamma %n, %x : f64
    ```
  }];
  let arguments = (ins AnyTypeOf<[F32, F64]>:$n, AnyTypeOf<[F32, F64]>:$x);
}

/// Replaces the result of a formula where its terms cancel.
class XlaRt_LeftOp<string mnemonic, string limit>
    : Op<XlaRt_Dialect, mnemonic, [Pure, SameOperandsAndResultType]> {
  let cppNamespace = "::mlir::xla::rt";
  let description = [{
    The function at an `x` below }] # limit # [{ that is not whole, and `otherwise` elsewhere.
  }];
  let arguments = (ins F64:$x, F64:$otherwise);
  let results = (outs F64:$result);
  let assemblyFormat = "operands attr-dict `:` type($result)";
}

def XlaRt_LgammaLeftOp : XlaRt_LeftOp<"lgamma_left", "-1/4"> {
  let summary = "log|gamma(x)| on the left";
}

def XlaRt_DigammaLeftOp : XlaRt_LeftOp<"digamma_left", "-2^-10"> {
  let summary = "digamma on the left";
}

#endif // MLIR_XLA_LOWERING_XLA_RT_XLARTFUNCTIONS_TD
