// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The linear family: contractions and convolutions.

#ifndef MLIR_XLA_DIALECT_OPS_LINEAR_LINEAROPS_TD
#define MLIR_XLA_DIALECT_OPS_LINEAR_LINEAROPS_TD

include "mlir_xla/dialect/XlaAttrs.td"

/// Ops that sum products. The result may have another element type of the operands' class (integer, float, complex), or
/// be floats of integers: then products and sums are formed in it, as for i8 x i8 -> i32.
class Xla_ContractionOp<string mnemonic>
    : Xla_Op<mnemonic, [Pure, Xla_HasTensorOperands,
                        Xla_InferTypesUpTo<"::mlir::xla::areCompatibleContractionTypes">]> {
  let hasVerifier = 1;
}

def Xla_DotOp : Xla_ContractionOp<"dot"> {
  let summary = "product of vectors and matrices";
  let description = [{
    Sums products over the last dimension of `lhs` and the first of `rhs`: `[n] . [n] -> []`, `[m,k] . [k] -> [m]`,
    `[k] . [k,n] -> [n]`, `[m,k] . [k,n] -> [m,n]`. Complex numbers are not conjugated; for `i1` sums are "or" and
    products "and". The result may have another element type of the same class, or floats of
    integers, in which it is then computed.

    ```mlir
    %r = xla.dot %a, %b, precision = [HIGHEST, HIGHEST] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    ```

    Constraints:
    - `Dot-C1` both operands have rank 1 or 2.
    - `Dot-C2` the contracted sizes are equal; the result has the other dims.
    - `Dot-C3` the operands have the same element type.
    - `Dot-C4` `precision_config` has no or two entries.
  }];
  let arguments = (ins Xla_Tensor:$lhs, Xla_Tensor:$rhs, OptionalAttr<Xla_PrecisionConfigAttr>:$precision_config);
  let results = (outs Xla_Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs (`,` `precision` `=` custom<PrecisionConfig>($precision_config)^)? attr-dict
    `:` functional-type(operands, results)
  }];
  let hasCanonicalizer = 1;
}

def Xla_DotGeneralOp : Xla_ContractionOp<"dot_general"> {
  let summary = "contraction of arrays over any dimensions, with batch dimensions";
  let description = [{
    `out[B.., m.., n..] = sum over k of lhs[B, m, k] * rhs[B, n, k]`. Contracting and batching dimensions are paired by
    position. The result's dims are the batch dims in the order listed, the other dims of `lhs`, the other dims of `rhs`.
    The result may have another element type of the operands' class, or floats of integers, in which it is then
    computed; `algorithm` asks for a particular way to compute it.

    ```mlir
    %r = xla.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT]
      : (tensor<8x2x3xf32>, tensor<8x3x4xf32>) -> tensor<8x2x4xf32>
    ```

    Constraints:
    - `DotGeneral-C1` equally many contracting and equally many batching dimensions on both sides.
    - `DotGeneral-C2` paired contracting dimensions, `DotGeneral-C3` paired batching dimensions have equal sizes.
    - `DotGeneral-C4` per side, the listed dimensions are distinct and in range.
    - `DotGeneral-C5` the operands have the same element type.
    - `DotGeneral-C6` the result has the dims above and an element type of the operands' class, or floats of integers.
    - `DotGeneral-C7` `precision_config` has no or two entries.
  }];
  let arguments = (ins
    Xla_Tensor:$lhs,
    Xla_Tensor:$rhs,
    Xla_DotDimensionNumbersAttr:$dot_dimension_numbers,
    OptionalAttr<Xla_PrecisionConfigAttr>:$precision_config,
    OptionalAttr<Xla_DotAlgorithmAttr>:$algorithm);
  let results = (outs Xla_Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` custom<DotDimensionNumbers>($dot_dimension_numbers)
    `` custom<DotOptions>($precision_config, $algorithm) attr-dict `:` functional-type(operands, results)
  }];
  let hasCanonicalizer = 1;
}

def Xla_RaggedDotOp : Xla_ContractionOp<"ragged_dot"> {
  let summary = "contraction of groups of one dimension with operands of their own";
  let description = [{
    A `dot_general` one of whose dimensions, the ragged one of `lhs`, is cut into consecutive groups of `group_sizes`.

    - Ragged free dimension m: `[b, m, k], [g, b, k, n], [b, g] -> [b, m, n]`. Each group of rows is contracted with the
      matrix of its own in the group dimension of `rhs`. Rows behind all groups are zero.
    - Ragged contracting dimension k: `[b, m, k], [b, k, n], [b, g] -> [g, b, m, n]`, a contraction for each group.
    - Ragged batch dimension b: `[b, m, k], [b, k, n], [g] -> [b, m, n]`, which groups do not change.

    `group_sizes` may lack the dimensions before g: then all have the same groups.

    ```mlir
    %y = "xla.ragged_dot"(%x, %w, %sizes) <{
      ragged_dot_dimension_numbers = #xla.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1],
        lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>
    }> : (tensor<16x8xf32>, tensor<4x8x32xf32>, tensor<4xi32>) -> tensor<16x32xf32>
    ```

    Constraints:
    - `RaggedDot-C1` to `RaggedDot-C5` and `RaggedDot-C7` as `DotGeneral-C1` to `-C5` and `-C7`.
    - `RaggedDot-C6` the result has the dims above and an element type of the operands' class, or floats of integers.
    - `RaggedDot-C8` there is one ragged dimension, in range of `lhs`.
    - `RaggedDot-C9` `rhs_group_dimensions` has one dimension, neither batching nor contracting, if the ragged dimension is
      free, else none.
    - `RaggedDot-C10` `group_sizes` are integers of shape `[g]` or with the dims above before it; g is the size of the
      group dimension.
  }];
  let arguments = (ins
    Xla_Tensor:$lhs,
    Xla_Tensor:$rhs,
    Xla_Tensor:$group_sizes,
    Xla_RaggedDotDimensionNumbersAttr:$ragged_dot_dimension_numbers,
    OptionalAttr<Xla_PrecisionConfigAttr>:$precision_config);
  let results = (outs Xla_Tensor:$result);
}

def Xla_ConvolutionOp : Xla_ContractionOp<"convolution"> {
  let summary = "convolution with strides, padding, dilations and groups";
  let description = [{
    Slides the kernel `rhs` over the input `lhs` and sums products (cross-correlation; `reverse` flips the kernel per
    dimension). `dim_numbers` says which dimension is what: `b` batch, `f` feature, `i` and `o` the kernel's input and
    output features, numbers the spatial dimensions. `pad` adds zeros, or removes positions if negative; `lhs_dilate` puts
    holes into the input (transposed convolution), `rhs_dilate` into the kernel.

    With `feature_group_count` G the features are cut into G groups that do not mix (depthwise: G is the number of input
    features). With `batch_group_count` H the batch is cut into H groups, each for its own part of the output features.

    ```mlir
    %y = xla.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {stride = [2, 2], pad = [[1, 1], [1, 1]]}
      : (tensor<8x32x32x3xf32>, tensor<3x3x3x16xf32>) -> tensor<8x16x16x16xf32>
    ```

    Constraints, with input features I, output features O, kernel input features IG, batch N:
    - `ConvWithGeneralPadding-C1` input, kernel and output have one rank, that of the dimension numbers.
    - `ConvWithGeneralPadding-C2` window lists have one entry per spatial dimension (`WIN-C1`).
    - `ConvWithGeneralPadding-C3` strides, dilations and kernel sizes are at least 1 (`WIN-C2`).
    - `ConvWithGeneralPadding-C4` `IG * G == I`; `ConvWithGeneralPadding-C5` G is positive and divides I and O.
    - `ConvWithGeneralPadding-C6` H is positive and divides N; `ConvWithGeneralPadding-C7` H divides O.
    - `ConvWithGeneralPadding-C8` not both G and H exceed 1.
    - `ConvWithGeneralPadding-C9` the operands have the same element type.
    - `ConvWithGeneralPadding-C10` the result has the dims that follow and an element type of the operands' class, or
      floats of integers.
    - `ConvWithGeneralPadding-C11` dimension numbers of each array are a permutation of its dimensions.
    - `ConvWithGeneralPadding-C12` `precision_config` has no or two entries.
  }];
  let arguments = (ins
    Xla_Tensor:$lhs,
    Xla_Tensor:$rhs,
    OptionalAttr<DenseI64ArrayAttr>:$window_strides,
    OptionalAttr<Xla_I64MatrixAttr>:$padding,
    OptionalAttr<DenseI64ArrayAttr>:$lhs_dilation,
    OptionalAttr<DenseI64ArrayAttr>:$rhs_dilation,
    OptionalAttr<DenseBoolArrayAttr>:$window_reversal,
    Xla_ConvDimensionNumbersAttr:$dimension_numbers,
    DefaultValuedOptionalAttr<I64Attr, "1">:$feature_group_count,
    DefaultValuedOptionalAttr<I64Attr, "1">:$batch_group_count,
    OptionalAttr<Xla_PrecisionConfigAttr>:$precision_config);
  let results = (outs Xla_Tensor:$result);
  let assemblyFormat = [{
    `(` operands `)` `dim_numbers` `=` custom<ConvolutionDimensions>($dimension_numbers) `,`
    `window` `=` `{` custom<WindowAttributes>($window_strides, $padding, $lhs_dilation, $rhs_dilation, $window_reversal) `}`
    attr-dict `:` functional-type(operands, results)
  }];
}

#endif // MLIR_XLA_DIALECT_OPS_LINEAR_LINEAROPS_TD
