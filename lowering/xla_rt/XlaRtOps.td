// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations on tensors that linalg has not: a loop whose iterations come in order and carry values, and calls of
// libraries.

#ifndef MLIR_XLA_LOWERING_XLA_RT_XLARTOPS_TD
#define MLIR_XLA_LOWERING_XLA_RT_XLARTOPS_TD

include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpBase.td"
include "mlir_xla/lowering/xla_rt/XlaRt.td"

def XlaRt_ScanOp : Op<XlaRt_Dialect, "scan", [AttrSizedOperandSegments, DestinationStyleOpInterface,
    RecursiveMemoryEffects, SingleBlock]> {
  let cppNamespace = "::mlir::xla::rt";
  let summary = "each element combined with all before it";
  let description = [{
    Along `dimension`, every element of the result is `initial` combined with the elements up to it, that element
    included; with `reverse`, with those from it on, the last one first. In the other dimensions each position has a scan
    of its own.

    ```mlir
    %sums = xla_rt.scan ins(%x : tensor<4x20xf32>) initial(%zero : tensor<4xf32>) outs(%empty : tensor<4x20xf32>)
        dimension = 1 {
    ^bb0(%earlier: f32, %later: f32):
      %sum = arith.addf %earlier, %later : f32
      xla_rt.yield %sum : f32
    } -> tensor<4x20xf32>
    ```

    The combiner is associative, and need not commute: its first operands come before the others in the order of indices,
    also with `reverse`. `initial` comes before all elements, with `reverse` behind them, and need not be an identity.
    Several arrays are scanned together by a combiner of all of them. The elements of `outs` are not read.
  }];
  let arguments = (ins Variadic<AnyStaticShapeTensor>:$inputs, Variadic<AnyStaticShapeTensor>:$initial,
      Variadic<AnyStaticShapeTensor>:$outs, I64Attr:$dimension, UnitAttr:$reverse);
  let results = (outs Variadic<AnyStaticShapeTensor>:$results);
  let regions = (region SizedRegion<1>:$combiner);
  let assemblyFormat = [{
    `ins` `(` $inputs `:` type($inputs) `)` `initial` `(` $initial `:` type($initial) `)`
    `outs` `(` $outs `:` type($outs) `)` `dimension` `=` $dimension (`reverse` $reverse^)? attr-dict-with-keyword
    $combiner `->` type($results)
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutsMutable(); }
    /// The shape of inputs and results.
    ::llvm::ArrayRef<int64_t> getShape() {
      return ::llvm::cast<::mlir::RankedTensorType>(getInputs().front().getType()).getShape();
    }
  }];
}

def XlaRt_YieldOp : Op<XlaRt_Dialect, "yield", [Pure, Terminator, HasParent<"ScanOp">]> {
  let cppNamespace = "::mlir::xla::rt";
  let summary = "the values that a combiner leaves";
  let description = [{
    ```mlir
    xla_rt.yield %sum : f32
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "$values `:` type($values) attr-dict";
}

/// An op that is a kernel by itself, with an emitter of its own: it shares no loop nest with others. Its `outs` are
/// `tensor.empty`, or arrays whose elements stay where they are not written.
class XlaRt_WholeKernelOp<string mnemonic, list<Trait> traits = []>
    : Op<XlaRt_Dialect, mnemonic, traits # [DestinationStyleOpInterface, RecursiveMemoryEffects]> {
  let cppNamespace = "::mlir::xla::rt";
}

def XlaRt_LibraryCallOp : XlaRt_WholeKernelOp<"library_call", [AttrSizedOperandSegments]> {
  let summary = "a function of the runtime on dense arrays";
  let description = [{
    Calls the C function

    ```c
    void function(const int64_t *parameters, void *const *buffers, int64_t begin, int64_t end, void *scratch);
    ```

    with the buffers of `inputs` and of the results, dense and in row-major order, for the items `[begin, end)` of its
    `work`, which may be done at the same time. Results whose `outs` is no `tensor.empty` have its elements before the call.
    `cost` is roughly the nanoseconds of all items on one core, and `scratch` the bytes that the function needs besides.

    ```mlir
    %y = xla_rt.library_call "xla_rt_fft_c2c" ins(%x : tensor<8x64xcomplex<f32>>) outs(%e : tensor<8x64xcomplex<f32>>)
        parameters = [64, 1] work = 8 cost = 1000 scratch = 0 -> tensor<8x64xcomplex<f32>>
    ```
    The functions are in `runtime/library/`, one shared library for each library that they use; it is loaded with the
    first program that calls them. A function that fails says so by `xla_rt_set_error`.
  }];
  let arguments = (ins StrAttr:$function, Variadic<AnyStaticShapeTensor>:$inputs, Variadic<AnyStaticShapeTensor>:$outs,
      DenseI64ArrayAttr:$parameters, I64Attr:$work, I64Attr:$cost, I64Attr:$scratch);
  let results = (outs Variadic<AnyStaticShapeTensor>:$results);
  let assemblyFormat = [{
    $function (`ins` `(` $inputs^ `:` type($inputs) `)`)? `outs` `(` $outs `:` type($outs) `)`
    `parameters` `=` $parameters `work` `=` $work `cost` `=` $cost `scratch` `=` $scratch
    attr-dict `->` type($results)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutsMutable(); }
  }];
}

#endif // MLIR_XLA_LOWERING_XLA_RT_XLARTOPS_TD
