// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The indexing family: reading and writing slices at indices that are data.

#ifndef MLIR_XLA_DIALECT_OPS_INDEXING_INDEXINGOPS_TD
#define MLIR_XLA_DIALECT_OPS_INDEXING_INDEXINGOPS_TD

include "mlir_xla/dialect/XlaAttrs.td"

def Xla_GatherOp : Xla_InferredOp<"gather", [Pure, Xla_HasTensorOperands]> {
  let summary = "stitches together slices taken at runtime offsets";
  let description = [{
    For every index vector in `start_indices` (along `index_vector_dim`) takes a slice of `slice_sizes` from `operand`.
    Component k of the vector is the start in dimension `start_index_map[k]`; starts are clamped so that the slice fits.
    The result has the slice's dimensions, without `collapsed_slice_dims` and `operand_batching_dims`, at `offset_dims`
    and the dimensions of `start_indices` without `index_vector_dim` at the other places. Along
    `start_indices_batching_dims` the slice is taken at the same position of `operand_batching_dims`.

    ```mlir
    // Rows 0 and 2, say, of a matrix.
    %rows = "xla.gather"(%matrix, %indices) <{
      dimension_numbers = #xla.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0],
                                      index_vector_dim = 1>,
      slice_sizes = array<i64: 1, 3>
    }> : (tensor<3x3xi32>, tensor<2xi32>) -> tensor<2x3xi32>
    ```

    Constraints:
    - `Gather-C1` the rank of `operand` is the number of offset, collapsed and operand batching dimensions.
    - `Gather-C2` `slice_sizes` has one entry per dimension of `operand`, none negative or larger than the dimension.
    - `Gather-C3` slices have size 1 in collapsed dimensions (at most 1 in batching dimensions).
    - `Gather-C4` `collapsed_slice_dims` and `operand_batching_dims` are ascending, in range and disjoint.
    - `Gather-C5` `offset_dims` are ascending and in range of the result.
    - `Gather-C6` `index_vector_dim` lies in `[0, rank(start_indices)]`.
    - `Gather-C7` `start_index_map` has one entry per component of an index vector, distinct, in range of `operand`, and
      none of `operand_batching_dims`.
    - `Gather-C8` indices are integers.
    - `Gather-C9` the result has the operand's element type and the dims above.
    - `Gather-C10` `start_indices_batching_dims` pairs up with `operand_batching_dims`: equally many, of equal sizes,
      distinct, in range and without `index_vector_dim`.

    A gather whose slices are the whole operand repeats it; one with a single, constant index vector is a slice.
  }];
  let arguments = (ins
    Xla_Tensor:$operand,
    Xla_Tensor:$start_indices,
    Xla_GatherDimensionNumbersAttr:$dimension_numbers,
    DenseI64ArrayAttr:$slice_sizes,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted);
  let results = (outs Xla_Tensor:$result);
  let hasCanonicalizer = 1;
}

def Xla_ScatterOp
    : Xla_InferredOp<"scatter", [RecursiveMemoryEffects, RecursivelySpeculatable, SingleBlock,
                                 Xla_HasTensorOperands, SameVariadicOperandSize]> {
  let summary = "combines updates into arrays at runtime indices";
  let description = [{
    The reverse of `xla.gather`: for every index vector in `scatter_indices` combines a window of `updates` into the
    `inputs` at that place with `update_computation(current.., update..)`. Elements that fall outside are skipped. The
    order of updates to the same element is open.

    ```mlir
    %r = "xla.scatter"(%x, %indices, %updates) <{
      scatter_dimension_numbers = #xla.scatter<update_window_dims = [1], inserted_window_dims = [0],
                                               scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
    }> ({
    ^bb0(%current: tensor<f32>, %update: tensor<f32>):
      %sum = xla.add %current, %update : tensor<f32>
      xla.return %sum : tensor<f32>
    }) : (tensor<3x3xf32>, tensor<2xi32>, tensor<2x3xf32>) -> tensor<3x3xf32>
    ```

    Constraints:
    - `Scatter-C1` at least one input, equally many updates, pairwise of the same element type.
    - `Scatter-C2` all inputs, `Scatter-C3` all updates have the same dims.
    - `Scatter-C4` the rank of `updates` is the number of window dimensions plus that of index dimensions.
    - `Scatter-C5` a window is no larger than the inputs.
    - `Scatter-C6` the other dims of `updates` are those of `scatter_indices`.
    - `Scatter-C7` `update_window_dims`, `Scatter-C8` `inserted_window_dims` (and `input_batching_dims`, disjoint from it)
      are ascending and in range.
    - `Scatter-C9` the rank of `inputs` is the number of window, inserted and batching dimensions.
    - `Scatter-C10` `scatter_dims_to_operand_dims` has one entry per component of an index vector, distinct, in range and
      none of `input_batching_dims`.
    - `Scatter-C11` `index_vector_dim` lies in `[0, rank(scatter_indices)]`; indices are integers.
    - `Scatter-C12` the computation obeys `RC-C1` and `RC-C4`.
    - `Scatter-C13` the results have the types of the inputs.
    - `Scatter-C14` `scatter_indices_batching_dims` pairs up with `input_batching_dims`, as `Gather-C10`.
  }];
  let arguments = (ins
    Variadic<Xla_Tensor>:$inputs,
    Xla_Tensor:$scatter_indices,
    Variadic<Xla_Tensor>:$updates,
    Xla_ScatterDimensionNumbersAttr:$scatter_dimension_numbers,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$unique_indices);
  let results = (outs Variadic<Xla_Tensor>:$results);
  let regions = (region SizedRegion<1>:$update_computation);
  let hasRegionVerifier = 1;
}

#endif // MLIR_XLA_DIALECT_OPS_INDEXING_INDEXINGOPS_TD
