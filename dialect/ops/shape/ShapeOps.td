// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape family: constants, and ops that move elements without computing on them.

#ifndef MLIR_XLA_DIALECT_OPS_SHAPE_SHAPEOPS_TD
#define MLIR_XLA_DIALECT_OPS_SHAPE_SHAPEOPS_TD

include "mlir_xla/dialect/XlaAttrs.td"

/// An op on tensors whose result type follows from its operands and attributes.
class Xla_ShapeOp<string mnemonic, list<Trait> traits = []>
    : Xla_InferredOp<mnemonic, traits # [Pure, Xla_HasTensorOperands]> {
  let results = (outs Xla_Tensor:$result);
}
/// An op that states its result type.
class Xla_TargetShapeOp<string mnemonic, list<Trait> traits = []>
    : Xla_Op<mnemonic, traits # [Pure, Xla_HasTensorOperands]> {
  let results = (outs Xla_Tensor:$result);
  let hasVerifier = 1;
}

//===- Sources ----------------------------------------------------------------------------------------------------===//

def Xla_ConstantOp : Xla_Op<"constant", [Pure, ConstantLike, Xla_InferTypes]> {
  let summary = "a constant tensor";
  let description = [{
    Any elements attribute: element by element, a splat, raw bytes in hexadecimal, or a resource of the module.

    ```mlir
    %0 = xla.constant dense<[1, 2, 3]> : tensor<3xi32>
    %1 = xla.constant dense<0.000000e+00> : tensor<8x8xf32>
    %2 = xla.constant dense<"0x0000803F00000040"> : tensor<2xf32>
    %3 = xla.constant dense_resource<weights> : tensor<784x10xf32>
    ```

    * `Constant-C1`: the result has the type of `value`.
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Xla_Tensor:$output);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Xla_IotaOp : Xla_TargetShapeOp<"iota"> {
  let summary = "0, 1, 2, ... along one dimension";
  let description = [{
    `result[i] = i[iota_dimension]`, rounded once to the element type.

    ```mlir
    %0 = xla.iota dim = 1 : tensor<2x3xi32>   // [[0, 1, 2], [0, 1, 2]]
    ```

    * `Iota-C1`: the rank is at least 1 and `iota_dimension` is below it.
    * `Iota-C2`: the element type is INT, FLOAT or COMPLEX.
  }];
  let arguments = (ins I64Attr:$iota_dimension);
  let assemblyFormat = "`dim` `=` $iota_dimension attr-dict `:` type($result)";
  let hasFolder = 1;
}

//===- Broadcasting -----------------------------------------------------------------------------------------------===//

def Xla_BroadcastInDimOp : Xla_TargetShapeOp<"broadcast_in_dim"> {
  let summary = "maps dimensions into a target shape and duplicates";
  let description = [{
    Operand dimension `k` becomes dimension `broadcast_dimensions[k]` of the result; dimensions of size 1 are expanded,
    dimensions that nothing maps to are added.

    ```mlir
    %0 = xla.broadcast_in_dim %row, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
    %1 = xla.broadcast_in_dim %scalar, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    ```

    * `BroadcastInDim-C1`: `broadcast_dimensions` has one entry per operand dimension.
    * `BroadcastInDim-C2`: each entry is a dimension of the result; the element type is kept.
    * `BroadcastInDim-C3`: the entries increase strictly.
    * `BroadcastInDim-C4`: each operand dimension is 1 or equals the one it maps to.
  }];
  let arguments = (ins Xla_Tensor:$operand, DenseI64ArrayAttr:$broadcast_dimensions);
  let assemblyFormat = [{
    $operand `,` `dims` `=` $broadcast_dimensions attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Xla_BroadcastOp : Xla_ShapeOp<"broadcast"> {
  let summary = "adds leading dimensions by duplication";
  let description = [{
    `result[i..., j...] = operand[j...]`.

    ```mlir
    %0 = xla.broadcast %row, sizes = [2] : (tensor<3xf32>) -> tensor<2x3xf32>
    ```

    * `Broadcast-C1`: every size is at least 0.
    * `Broadcast-C2`: the result has the dimensions `broadcast_sizes` followed by the operand's.
  }];
  let arguments = (ins Xla_Tensor:$operand, DenseI64ArrayAttr:$broadcast_sizes);
  let assemblyFormat = [{
    $operand `,` `sizes` `=` $broadcast_sizes attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

//===- Rearrangement ----------------------------------------------------------------------------------------------===//

def Xla_ReshapeOp : Xla_TargetShapeOp<"reshape"> {
  let summary = "the same elements with other dimensions";
  let description = [{
    The row-major sequence of elements is unchanged. (A reshape that first reorders dimensions is a `xla.transpose`
    followed by a `xla.reshape`; a collapse is a reshape.)

    ```mlir
    %0 = xla.reshape %x : (tensor<4x2x3xf32>) -> tensor<8x3xf32>
    ```

    * `Reshape-C2`: operand and result have equally many elements of the same type.
  }];
  let arguments = (ins Xla_Tensor:$operand);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Xla_TransposeOp : Xla_ShapeOp<"transpose"> {
  let summary = "permutes dimensions";
  let description = [{
    Dimension `i` of the result is dimension `permutation[i]` of the operand.

    ```mlir
    %0 = xla.transpose %x, dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
    ```

    * `Transpose-C1`: `permutation` is a permutation of the dimensions.
    * `Transpose-C2`: the result has the permuted dimensions.
  }];
  let arguments = (ins Xla_Tensor:$operand, DenseI64ArrayAttr:$permutation);
  let assemblyFormat = [{
    $operand `,` `dims` `=` $permutation attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Xla_ReverseOp : Xla_ShapeOp<"reverse"> {
  let summary = "reverses the order of elements along dimensions";
  let description = [{
    ```mlir
    %0 = xla.reverse %x, dims = [0, 1] : tensor<2x3xf32>
    ```

    * `Rev-C1`: the dimensions are unique and within the rank.
    * `Rev-C2`: the result has the type of the operand.
  }];
  let arguments = (ins Xla_Tensor:$operand, DenseI64ArrayAttr:$dimensions);
  let assemblyFormat = [{
    $operand `,` `dims` `=` $dimensions attr-dict `:`
    custom<SameOperandsAndResultType>(type($operand), type($result))
  }];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

//===- Joining, padding, slicing ----------------------------------------------------------------------------------===//

def Xla_ConcatenateOp : Xla_ShapeOp<"concatenate"> {
  let summary = "joins tensors along one dimension";
  let description = [{
    ```mlir
    %0 = xla.concatenate %x, %y, dim = 0 : (tensor<3x2xi64>, tensor<1x2xi64>) -> tensor<4x2xi64>
    ```

    * `Concatenate-C1`: there is at least one input.
    * `Concatenate-C2`: all inputs have the same rank and element type.
    * `Concatenate-C3`: the rank is at least 1.
    * `Concatenate-C4`: `dimension` is within the rank.
    * `Concatenate-C5`: all other dimensions are equal.
  }];
  let arguments = (ins Variadic<Xla_Tensor>:$inputs, I64Attr:$dimension);
  let assemblyFormat = [{
    custom<VariadicOperandWithAttribute>($inputs) `dim` `=` $dimension attr-dict `:`
    functional-type(operands, results)
  }];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Xla_PadOp : Xla_ShapeOp<"pad"> {
  let summary = "pads at the edges and between elements";
  let description = [{
    Puts `interior_padding` fillers between neighbouring elements of each dimension, then `edge_padding_low` before and
    `edge_padding_high` after them; negative amounts at the edges remove positions.

    ```mlir
    %0 = xla.pad %x, %zero, low = [1, 0], high = [0, 2], interior = [0, 1]
       : (tensor<2x3xi32>, tensor<i32>) -> tensor<3x7xi32>
    ```

    * `Pad-C1`: `padding_value` is a scalar of the operand's element type.
    * `Pad-C2`: each list has one entry per dimension.
    * `Pad-C3`: interior padding is not negative.
    * `Pad-C4`: no dimension of the result is negative.
  }];
  let arguments = (ins Xla_Tensor:$operand, Xla_Tensor:$padding_value, DenseI64ArrayAttr:$edge_padding_low,
                   DenseI64ArrayAttr:$edge_padding_high, DenseI64ArrayAttr:$interior_padding);
  let assemblyFormat = [{
    $operand `,` $padding_value `,` `low` `=` $edge_padding_low `,` `high` `=` $edge_padding_high `,`
    `interior` `=` $interior_padding attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Xla_SliceOp : Xla_ShapeOp<"slice"> {
  let summary = "a static, strided slice";
  let description = [{
    `result[j] = operand[start_indices + j * strides]` up to `limit_indices`, exclusive.

    ```mlir
    %0 = xla.slice %x [1:3, 4:8:2] : (tensor<3x8xi64>) -> tensor<2x2xi64>
    ```

    * `Slice-C1`: each list has one entry per dimension.
    * `Slice-C2`: `start_indices` are not negative.
    * `Slice-C3`: `start_indices <= limit_indices <=` size.
    * `Slice-C4`: `strides >= 1`.
  }];
  let arguments = (ins Xla_Tensor:$operand, DenseI64ArrayAttr:$start_indices, DenseI64ArrayAttr:$limit_indices,
                   DenseI64ArrayAttr:$strides);
  let assemblyFormat = [{
    $operand custom<SliceRanges>($start_indices, $limit_indices, $strides) attr-dict `:`
    functional-type(operands, results)
  }];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Xla_DynamicSliceOp : Xla_ShapeOp<"dynamic_slice"> {
  let summary = "a slice at a start that is known at run time";
  let description = [{
    The start is clamped to `[0, size - slice_size]` per dimension, in the signedness of the index type, so that the
    slice always lies within the operand.

    ```mlir
    %0 = xla.dynamic_slice %x, %i, %j, sizes = [2, 2] : (tensor<4x4xi32>, tensor<i64>, tensor<i64>) -> tensor<2x2xi32>
    ```

    * `DynamicSlice-C1`: there is one start index per dimension.
    * `DynamicSlice-C2`: start indices are integer scalars of one type.
    * `DynamicSlice-C3`: `slice_sizes` has one entry per dimension.
    * `DynamicSlice-C4`: `0 <= slice_sizes <=` size.
  }];
  let arguments = (ins Xla_Tensor:$operand, Variadic<Xla_Tensor>:$start_indices, DenseI64ArrayAttr:$slice_sizes);
  let assemblyFormat = [{
    $operand `,` custom<VariadicOperandWithAttribute>($start_indices) `sizes` `=` $slice_sizes attr-dict `:`
    functional-type(operands, results)
  }];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Xla_DynamicUpdateSliceOp : Xla_ShapeOp<"dynamic_update_slice"> {
  let summary = "overwrites a slice at a start that is known at run time";
  let description = [{
    The result is `operand` with `update` written at the start, which is clamped as in `xla.dynamic_slice`.

    ```mlir
    %0 = xla.dynamic_update_slice %x, %u, %i, %j
       : (tensor<4x4xi32>, tensor<2x2xi32>, tensor<i64>, tensor<i64>) -> tensor<4x4xi32>
    ```

    * `DynamicUpdateSlice-C1`: there is one start index per dimension, all integer scalars of one type.
    * `DynamicUpdateSlice-C2`: `update` has the rank and element type of `operand`.
    * `DynamicUpdateSlice-C3`: no dimension of `update` is larger than the operand's.
  }];
  let arguments = (ins Xla_Tensor:$operand, Xla_Tensor:$update, Variadic<Xla_Tensor>:$start_indices);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

//===- Sizes ------------------------------------------------------------------------------------------------------===//

def Xla_GetDimensionSizeOp : Xla_ShapeOp<"get_dimension_size"> {
  let summary = "the size of one dimension";
  let description = [{
    The run-time size where the dimension is dynamic, else the static one.

    ```mlir
    %0 = xla.get_dimension_size %x, dim = 1 : (tensor<2x5xf32>) -> tensor<i32>
    ```

    * `GetDimensionSize-C1`: the operand is an array.
    * `GetDimensionSize-C2`: `dimension` is within the rank.
    * `GetDimensionSize-C3`: the result is a scalar of type `i32`.
  }];
  let arguments = (ins Xla_Tensor:$operand, I64Attr:$dimension);
  let assemblyFormat = "$operand `,` `dim` `=` $dimension attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

#endif // MLIR_XLA_DIALECT_OPS_SHAPE_SHAPEOPS_TD
