// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reduction family: folding dimensions or windows with a computation.

#ifndef MLIR_XLA_DIALECT_OPS_REDUCTION_REDUCTIONOPS_TD
#define MLIR_XLA_DIALECT_OPS_REDUCTION_REDUCTIONOPS_TD

include "mlir_xla/dialect/XlaAttrs.td"

/// Ops that combine N arrays with N scalars through a reduction computation.
class Xla_ReducingOp<string mnemonic, list<Trait> traits = []>
    : Xla_InferredOp<mnemonic, traits # [RecursiveMemoryEffects, RecursivelySpeculatable, SingleBlock,
                                         Xla_HasTensorOperands, SameVariadicOperandSize]> {
  let hasRegionVerifier = 1;
}

def Xla_ReduceOp : Xla_ReducingOp<"reduce"> {
  let summary = "folds dimensions of arrays with a computation";
  let description = [{
    Removes `dimensions` from N arrays of equal dims. The computation takes the N running values, then the N new
    elements, and returns the N new running values; `init_values` start it. The order of evaluation and how often the
    initial values enter are open, so the computation should be associative and commutative with `init_values` as its
    identity.

    ```mlir
    // One array and a single binary op.
    %sum = xla.reduce(%x init: %zero) applies xla.add across dimensions = [1]
      : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
    // Several arrays, any computation: each pair of arguments is a running value and a new element.
    %max:2 = xla.reduce(%x init: %lowest), (%i init: %none) across dimensions = [0]
      : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
     reducer(%a: tensor<f32>, %b: tensor<f32>) (%ia: tensor<i32>, %ib: tensor<i32>) {
      %keep = xla.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %m = xla.select %keep, %a, %b : tensor<i1>, tensor<f32>
      %im = xla.select %keep, %ia, %ib : tensor<i1>, tensor<i32>
      xla.return %m, %im : tensor<f32>, tensor<i32>
    }
    ```

    Constraints:
    - `Reduce-C1` at least one array, equally many initial values.
    - `Reduce-C2` all arrays have the same dims; element types may differ.
    - `Reduce-C3` an initial value is a scalar of its array's element type.
    - `Reduce-C4` the body is a reduction computation (`RC-C1`) without side effects (`RC-C4`).
    - `Reduce-C5` `dimensions` are unique and in range, in any order.
    - `Reduce-C7` the results have the arrays' element types and the remaining dims in order.
  }];
  let arguments = (ins
    Variadic<Xla_Tensor>:$inputs,
    Variadic<Xla_Tensor>:$init_values,
    DenseI64ArrayAttr:$dimensions);
  let results = (outs Variadic<Xla_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasCanonicalizer = 1;
}

def Xla_ReduceWindowOp : Xla_ReducingOp<"reduce_window"> {
  let summary = "folds every window of arrays with a computation";
  let description = [{
    Slides a window over N arrays of equal dims and reduces its elements as `xla.reduce` does. Positions outside of the
    array and holes of a base dilation hold the initial value. Every dimension is windowed; untouched ones have size and
    stride 1. Absent lists mean strides and dilations of 1 and no padding.

    ```mlir
    %pooled = "xla.reduce_window"(%x, %lowest) <{
      window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>
    }> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %m = xla.maximum %a, %b : tensor<f32>
      xla.return %m : tensor<f32>
    }) : (tensor<8x28x28x32xf32>, tensor<f32>) -> tensor<8x14x14x32xf32>
    ```

    Constraints:
    - `ReduceWindow-C1` at least one array, equally many initial values; `ReduceWindow-C2` equal dims.
    - `ReduceWindow-C3` an initial value is a scalar of its array's element type.
    - `ReduceWindow-C4` the body is a reduction computation (`RC-C1`, `RC-C4`).
    - `ReduceWindow-C5` every list has one entry per dimension (`WIN-C1`).
    - `ReduceWindow-C6` sizes, strides and dilations are at least 1 (`WIN-C2`).
    - `ReduceWindow-C7` the results have the arrays' element types and one element per window position.
  }];
  let arguments = (ins
    Variadic<Xla_Tensor>:$inputs,
    Variadic<Xla_Tensor>:$init_values,
    DenseI64ArrayAttr:$window_dimensions,
    OptionalAttr<DenseI64ArrayAttr>:$window_strides,
    OptionalAttr<DenseI64ArrayAttr>:$base_dilations,
    OptionalAttr<DenseI64ArrayAttr>:$window_dilations,
    OptionalAttr<Xla_I64MatrixAttr>:$padding);
  let results = (outs Variadic<Xla_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCanonicalizer = 1;
}

def Xla_SelectAndScatterOp
    : Xla_InferredOp<"select_and_scatter", [
        RecursiveMemoryEffects, RecursivelySpeculatable, SingleBlock, Xla_HasTensorOperands]> {
  let summary = "scatters one value per window to the element the window selects";
  let description = [{
    Each window of `operand` selects one of its elements: `select(a, b)` keeps `a`, which comes first, if it holds. The
    value of `source` at the window's position is combined into the result there with `scatter`; other elements are
    `init_value`. This is the gradient of max pooling. Padding is never selected.

    ```mlir
    %grad = "xla.select_and_scatter"(%x, %dy, %zero) <{
      window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>
    }> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %ge = xla.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      xla.return %ge : tensor<i1>
    }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = xla.add %a, %b : tensor<f32>
      xla.return %s : tensor<f32>
    }) : (tensor<8x8xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<8x8xf32>
    ```

    Constraints:
    - `SelectAndScatter-C1` `source` has the dims of a reduce_window over `operand`.
    - `SelectAndScatter-C2` `select` is `(T, T) -> i1`, `scatter` is `(T, T) -> T` (`RC-C1`, `RC-C4`), on scalars.
    - `SelectAndScatter-C3` `init_value` is a scalar of, and `source` has, the operand's element type.
    - `SelectAndScatter-C4` `WIN-C1` and `WIN-C2`.
    - `SelectAndScatter-C5` the result has the type of `operand`.
  }];
  let arguments = (ins
    Xla_Tensor:$operand,
    Xla_Tensor:$source,
    Xla_Tensor:$init_value,
    OptionalAttr<DenseI64ArrayAttr>:$window_dimensions,
    OptionalAttr<DenseI64ArrayAttr>:$window_strides,
    OptionalAttr<Xla_I64MatrixAttr>:$padding);
  let results = (outs Xla_Tensor:$result);
  let regions = (region SizedRegion<1>:$select, SizedRegion<1>:$scatter);
  let hasRegionVerifier = 1;
}

def Xla_ScanOp : Xla_Op<"scan", [RecursiveMemoryEffects, RecursivelySpeculatable, SingleBlock, AttrSizedOperandSegments,
                                 AttrSizedResultSegments]> {
  let summary = "a loop over the slices of arrays that carries values";
  let description = [{
    For each index along `dimension`, in order or, with `is_reverse`, backwards, calls `body` with the slices of `inputs`
    there, which lack the dimension, and the carried values, `inits` at first. It returns slices of `outputs` and the
    next carried values. `is_associative` says that the body is an associative combiner of its arguments.

    ```mlir
    %sums, %total = "xla.scan"(%x, %zero) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>,
                                            resultSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%element: tensor<8xf32>, %carry: tensor<8xf32>):
      %sum = xla.add %element, %carry : tensor<8xf32>
      xla.return %sum, %sum : tensor<8xf32>, tensor<8xf32>
    }) : (tensor<16x8xf32>, tensor<8xf32>) -> (tensor<16x8xf32>, tensor<8xf32>)
    ```

    Constraints:
    - `Scan-C1` `dimension` is a dimension of every input and output; all have the same size there, which `scan_dim_size`
      repeats if it is given. Without inputs and outputs it must be given.
    - `Scan-C2` the body takes the inputs' slices and the carried values and returns the outputs' slices and the carried
      values, whose types are those of `inits`.
    - `Scan-C3` there are as many carried results as `inits`, of the same types.
  }];
  let arguments = (ins Variadic<Xla_Tensor>:$inputs, Variadic<Xla_Tensor>:$inits, I64Attr:$dimension,
      OptionalAttr<I64Attr>:$scan_dim_size, DefaultValuedOptionalAttr<BoolAttr, "false">:$is_reverse,
      OptionalAttr<BoolAttr>:$is_associative);
  let results = (outs Variadic<Xla_Tensor>:$outputs, Variadic<Xla_Tensor>:$carries);
  let regions = (region SizedRegion<1>:$body);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// How often the body runs.
    int64_t getCount();
  }];
}

#endif // MLIR_XLA_DIALECT_OPS_REDUCTION_REDUCTIONOPS_TD
