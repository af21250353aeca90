// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations on tensors that linalg has not: a loop whose iterations come in order and carry values, calls of
// libraries, random bits.

#ifndef MLIR_XLA_LOWERING_XLA_RT_XLARTOPS_TD
#define MLIR_XLA_LOWERING_XLA_RT_XLARTOPS_TD

include "mlir/IR/BuiltinAttributeInterfaces.td"
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

def XlaRt_YieldOp : Op<XlaRt_Dialect, "yield", [Pure, Terminator, ParentOneOf<["ScanOp", "ScatterOp", "SortOp"]>]> {
  let cppNamespace = "::mlir::xla::rt";
  let summary = "the values that a combiner leaves, or what a comparator says";
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

def XlaRt_ScatterOp : XlaRt_WholeKernelOp<"scatter", [AttrSizedOperandSegments, SingleBlock]> {
  let summary = "windows of updates combined into arrays at places that are data";
  let description = [{
    Every element of `updates` is combined into the element of `outs` at the place that an index vector and the
    element's own position give, if there is such an element.

    ```mlir
    // Row %i[k] of %x becomes its sum with row k of %u.
    %r = xla_rt.scatter indices(%i : tensor<7x1xi32>) updates(%u : tensor<7x8xf32>) outs(%x : tensor<5x8xf32>)
        starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 {
    ^bb0(%current: f32, %update: f32):
      %sum = arith.addf %current, %update : f32
      xla_rt.yield %sum : f32
    } -> tensor<5x8xf32>
    ```

    Dimension d of `outs` is walked from the component `starts[d]` of the index vector, by dimension `steps[d]` of
    `updates`. A start of -1 is 0, and without a step (-1) the place is the start itself. The components of an index
    vector lie along dimension `vector` of `indices`, which has one component if that is its rank; its other dimensions
    are walked by the dimensions `batch` of `updates`. A dimension of `updates` is in `batch`, in `steps` or in both
    (without a start). Indices are signed if `unsigned` is not said.

    The combiner takes the elements of `outs`, those of `updates` and the `scalars`. Updates of the same element are
    combined in an order that depends on the shapes only. `unique`: no element is updated twice, by promise of whoever
    wrote the program. `sorted`: index vectors ascend, by the same promise. With an `init`, which one out may have, its
    elements begin as that, and who updates a part of them writes it there before. With an `update`, which one update may
    have, all its elements are that, and nobody reads it: it is a `tensor.empty`.

    With `ordered`, `indices` is a row of unsigned words instead, one for each index vector, in an order in which those of
    one place follow each other. The `ordered` low bits of a word are the number of its index vector, counted along the
    dimensions `batch`, and the other bits are the place: its number among all places, which the dimensions of `outs` with a
    start or a batch dimension as step give, the last of these the fastest. Words of no place have any number beyond.
    Updates of a place are combined in the order of their words.

    ```mlir
    // Row 3 becomes its sum with rows 0 and 6 of %u if %w holds .., 3 << 3 | 0, 3 << 3 | 6, ..
    %r = xla_rt.scatter indices(%w : tensor<7xi32>) updates(%u : tensor<7x8xf32>) outs(%x : tensor<5x8xf32>)
        starts = [0, -1] steps = [-1, 1] batch = [0] vector = 1 ordered = 3 {...} -> tensor<5x8xf32>
    ```

    With `dealt`, `indices` is a row of such words that the library's `xla_rt_deal_places` has made of the index vectors:
    in tiles, sorted by the block that owns the place, and behind them where in each tile the words of each owner begin
    (`lowering/xla_rt/DealtPlaces.h`).
  }];
  let arguments = (ins AnyStaticShapeTensor:$indices, Variadic<AnyStaticShapeTensor>:$updates,
      Variadic<AnyStaticShapeTensor>:$scalars, Variadic<AnyStaticShapeTensor>:$outs, DenseI64ArrayAttr:$starts,
      DenseI64ArrayAttr:$steps, DenseI64ArrayAttr:$batch, I64Attr:$vector, UnitAttr:$is_unsigned, UnitAttr:$unique,
      UnitAttr:$sorted, OptionalAttr<TypedAttrInterface>:$init, OptionalAttr<TypedAttrInterface>:$update,
      OptionalAttr<I64Attr>:$ordered, UnitAttr:$dealt);
  let results = (outs Variadic<AnyStaticShapeTensor>:$results);
  let regions = (region SizedRegion<1>:$combiner);
  let assemblyFormat = [{
    `indices` `(` $indices `:` type($indices) `)` `updates` `(` $updates `:` type($updates) `)`
    (`scalars` `(` $scalars^ `:` type($scalars) `)`)? `outs` `(` $outs `:` type($outs) `)`
    `starts` `=` $starts `steps` `=` $steps `batch` `=` $batch `vector` `=` $vector (`unsigned` $is_unsigned^)?
    (`unique` $unique^)? (`sorted` $sorted^)? (`init` `=` $init^)? (`update` `=` $update^)?
    (`ordered` `=` $ordered^)? (`dealt` $dealt^)? attr-dict-with-keyword $combiner `->` type($results)
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutsMutable(); }
    /// The shapes of all outs and of all updates.
    ::llvm::ArrayRef<int64_t> getOutShape() {
      return ::llvm::cast<::mlir::RankedTensorType>(getOuts().front().getType()).getShape();
    }
    ::llvm::ArrayRef<int64_t> getUpdateShape() {
      return ::llvm::cast<::mlir::RankedTensorType>(getUpdates().front().getType()).getShape();
    }
    /// Whether `indices` are words of places instead of index vectors.
    bool hasWords() { return getOrdered() || getDealt(); }
  }];
}

def XlaRt_SortOp : XlaRt_WholeKernelOp<"sort", [AttrSizedOperandSegments, SingleBlock]> {
  let summary = "lines of arrays, sorted by a comparator";
  let description = [{
    Every line along `dimension` is sorted, stably, and all arrays are permuted alike. The comparator takes two elements of
    each array in turn, and the `scalars`; it says whether the
    first ones come before the second ones. Comparators that order by keys do not come here: `xla_rt_sort` of the runtime
    sorts by those.

    ```mlir
    %y = xla_rt.sort ins(%x : tensor<4x20xf32>) scalars(%far : tensor<f32>) outs(%e : tensor<4x20xf32>) dimension = 1 {
    ^bb0(%a: f32, %b: f32, %limit: f32):
      %difference = arith.subf %b, %a : f32
      %before = arith.cmpf ogt, %difference, %limit : f32
      xla_rt.yield %before : i1
    } -> tensor<4x20xf32>
    ```
  }];
  let arguments = (ins Variadic<AnyStaticShapeTensor>:$inputs, Variadic<AnyStaticShapeTensor>:$scalars,
      Variadic<AnyStaticShapeTensor>:$outs, I64Attr:$dimension);
  let results = (outs Variadic<AnyStaticShapeTensor>:$results);
  let regions = (region SizedRegion<1>:$comparator);
  let assemblyFormat = [{
    `ins` `(` $inputs `:` type($inputs) `)` (`scalars` `(` $scalars^ `:` type($scalars) `)`)?
    `outs` `(` $outs `:` type($outs) `)` `dimension` `=` $dimension attr-dict-with-keyword
    $comparator `->` type($results)
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutsMutable(); }
    /// The shape of all arrays.
    ::llvm::ArrayRef<int64_t> getShape() {
      return ::llvm::cast<::mlir::RankedTensorType>(getInputs().front().getType()).getShape();
    }
  }];
}

def XlaRt_RandomBitsOp : XlaRt_WholeKernelOp<"random_bits"> {
  let summary = "the first words of a stream of random bits";
  let description = [{
    The elements are consecutive words of the stream that begins at `state`, those of 8 and 16 bits the low bits of words
    of 32. `philox` is philox4x32 of 10 rounds: the state is the key and a counter of 128 bits, low half first, whose high
    half is the key if it is missing; each counter gives four words of 32 bits. `three_fry` is threefry2x32 of 20 rounds:
    the state is the key and a counter of 64 bits, and each counter gives two words. The state does not change.

    ```mlir
    %bits = xla_rt.random_bits philox ins(%state : tensor<3xi64>) outs(%empty : tensor<16xi32>) -> tensor<16xi32>
    ```
  }];
  let arguments = (ins XlaRt_RandomAlgorithm:$algorithm, AnyStaticShapeTensor:$state, AnyStaticShapeTensor:$out);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = [{
    $algorithm `ins` `(` $state `:` type($state) `)` `outs` `(` $out `:` type($out) `)` attr-dict `->` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutMutable(); }
  }];
}

#endif // MLIR_XLA_LOWERING_XLA_RT_XLARTOPS_TD
