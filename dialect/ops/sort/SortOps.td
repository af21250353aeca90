// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sort family: sorting along a dimension, and the largest elements.

#ifndef MLIR_XLA_DIALECT_OPS_SORT_SORTOPS_TD
#define MLIR_XLA_DIALECT_OPS_SORT_SORTOPS_TD

include "mlir_xla/dialect/XlaAttrs.td"

def Xla_SortOp : Xla_InferredOp<"sort", [RecursiveMemoryEffects, RecursivelySpeculatable, SingleBlock,
                                         Xla_HasTensorOperands]> {
  let summary = "sorts arrays together along one dimension";
  let description = [{
    Sorts each line along `dimension` so that `comparator` holds for no later element before an earlier one, and permutes
    all arrays alike. The comparator takes two elements of each array, `(a0, b0, a1, b1, ..)`, and says whether the `a`s
    come before the `b`s; it is a strict weak ordering without side effects. With `is_stable`, elements of which neither
    comes before the other keep their order; otherwise their order is open. A negative `dimension` counts from the end.

    ```mlir
    // Keys with values, ascending.
    %keys, %values = "xla.sort"(%k, %v) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>, %va: tensor<i32>, %vb: tensor<i32>):
      %before = xla.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      xla.return %before : tensor<i1>
    }) : (tensor<8xf32>, tensor<8xi32>) -> (tensor<8xf32>, tensor<8xi32>)
    ```

    Constraints:
    - `Sort-C1` at least one array.
    - `Sort-C2` all arrays have the same dims; element types may differ.
    - `Sort-C3` the comparator takes two scalars of each array's element type in turn and returns a scalar `i1`, without
      side effects.
    - `Sort-C4` `dimension` lies in `[-rank, rank)`; there is at least one dimension.
    - `Sort-C5` the results have the types of the arrays.
  }];
  let arguments = (ins
    Variadic<Xla_Tensor>:$inputs,
    DefaultValuedOptionalAttr<I64Attr, "-1">:$dimension,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$is_stable);
  let results = (outs Variadic<Xla_Tensor>:$results);
  let regions = (region SizedRegion<1>:$comparator);
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The dimension, counted from the front.
    int64_t getSortedDimension();
  }];
}

def Xla_TopKOp : Xla_InferredOp<"top_k", [Pure, Xla_HasTensorOperands]> {
  let summary = "the largest elements of each row, and where they are";
  let description = [{
    Along the last dimension, the `k` largest elements in descending order, and their indices. Equal elements come in
    the order of their indices. True is larger than false. Floats are compared in IEEE's total order with -0 below +0; a NaN with the sign bit clear
    is larger than every number.

    ```mlir
    %values, %indices = xla.top_k(%x, k = 3) : tensor<4x8xf32> -> (tensor<4x3xf32>, tensor<4x3xi32>)
    ```

    Constraints:
    - `TopK-C1` the operand has at least one dimension.
    - `TopK-C2` `k` lies between 0 and the size of the last dimension.
    - `TopK-C3` elements are PRED, INT or FLOAT.
    - `TopK-C4` the results have the operand's dims with `k` as the last one; indices are `i32`.
  }];
  let arguments = (ins Xla_Tensor:$operand, I64Attr:$k);
  let results = (outs Xla_Tensor:$values, Xla_Tensor:$indices);
  let assemblyFormat = [{
    `(` $operand `,` `k` `=` $k `)` attr-dict `:` type($operand) `->` `(` type($values) `,` type($indices) `)`
  }];
}

#endif // MLIR_XLA_DIALECT_OPS_SORT_SORTOPS_TD
