// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Other views of a tensor's memory, for the schedule: kernels are given them, and hold none.

#ifndef MLIR_XLA_LOWERING_XLA_RT_XLARTVIEWS_TD
#define MLIR_XLA_LOWERING_XLA_RT_XLARTVIEWS_TD

include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpBase.td"
include "mlir_xla/lowering/xla_rt/XlaRt.td"

def XlaRt_PartsOp : Op<XlaRt_Dialect, "parts", [Pure]> {
  let cppNamespace = "::mlir::xla::rt";
  let summary = "complex numbers as pairs of real ones, or the other way";
  let description = [{
    The same memory: a row of complex numbers is a row of twice as many real ones, real parts at even places.

    ```mlir
    %y = xla_rt.parts %x : tensor<4x8xcomplex<f32>> to tensor<4x16xf32>
    ```
  }];
  let arguments = (ins AnyStaticShapeTensor:$source);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "$source `:` type($source) `to` type($result) attr-dict";
  let hasVerifier = 1;
}

#endif // MLIR_XLA_LOWERING_XLA_RT_XLARTVIEWS_TD
