# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Contractions: dot products, also of groups, and convolutions."""

from __future__ import annotations

from collections.abc import Sequence

from ..builder import XlaOp
from ._attributes import (
    ConvDimensionNumbers,
    DotDimensionNumbers,
    Padding,
    PrecisionConfig,
    RaggedDotDimensionNumbers,
    padding_matrix,
    precision_attribute,
    window_padding,
)


def Dot(lhs: XlaOp, rhs: XlaOp, precision_config: PrecisionConfig = None) -> XlaOp:
    """The product of vectors and matrices: over the last dimension of `lhs` and the first of `rhs`.

    Example:
        >>> run(ops.Dot(value([[1, 2], [3, 4]]), value([5, 6])))
        array([17, 39], dtype=int32)
    """
    return lhs.builder.emit("Dot", "dot", [lhs, rhs], precision_attribute(precision_config))


def DotGeneral(
    lhs: XlaOp, rhs: XlaOp, dimension_numbers: DotDimensionNumbers, precision_config: PrecisionConfig = None
) -> XlaOp:
    """Sums of products over pairs of dimensions, for each index of the batch dimensions. The result has the batch
    dimensions, then the others of `lhs`, then those of `rhs`.

    Example:
        >>> x, y = value([[1, 2, 3], [4, 5, 6]]), value([[1, 1, 1], [2, 2, 2]])
        >>> numbers = ops.DotDimensionNumbers(lhs_contracting_dimensions=[1], rhs_contracting_dimensions=[1])
        >>> run(ops.DotGeneral(x, y, numbers))
        array([[ 6, 12],
               [15, 30]], dtype=int32)
    """
    attributes = {"dot_dimension_numbers": dimension_numbers.mlir, **precision_attribute(precision_config)}
    return lhs.builder.emit("DotGeneral", "dot_general", [lhs, rhs], attributes)


def RaggedDot(
    lhs: XlaOp,
    rhs: XlaOp,
    group_sizes: XlaOp,
    dimension_numbers: RaggedDotDimensionNumbers,
    precision_config: PrecisionConfig = None,
) -> XlaOp:
    """A contraction one of whose dimensions of `lhs`, the ragged one, is cut into groups of `group_sizes`, one after
    the other. Each is contracted with a matrix of its own or, where that dimension is summed over, by itself.

    Example:
        >>> numbers = ops.RaggedDotDimensionNumbers(
        ...     ops.DotDimensionNumbers([1], [1]), lhs_ragged_dimensions=[0], rhs_group_dimensions=[0]
        ... )
        >>> rows, matrices = value([[1.0], [2.0], [3.0]]), value([[[10.0]], [[100.0]]])
        >>> run(ops.RaggedDot(rows, matrices, value([1, 2]), numbers))
        array([[ 10.],
               [200.],
               [300.]], dtype=float32)
    """
    attributes = {"ragged_dot_dimension_numbers": dimension_numbers.mlir, **precision_attribute(precision_config)}
    return lhs.builder.emit("RaggedDot", "ragged_dot", [lhs, rhs, group_sizes], attributes)


def ConvGeneralDilated(
    lhs: XlaOp,
    rhs: XlaOp,
    window_strides: Sequence[int],
    padding: Padding | str | Sequence[Sequence[int]],
    lhs_dilation: Sequence[int] | None = None,
    rhs_dilation: Sequence[int] | None = None,
    dimension_numbers: ConvDimensionNumbers | None = None,
    feature_group_count: int = 1,
    batch_group_count: int = 1,
    precision_config: PrecisionConfig = None,
    window_reversal: Sequence[bool] | None = None,
) -> XlaOp:
    """A convolution: `lhs` is the input, `rhs` the kernel, which is not flipped.

    `padding` is a keyword or (low, high) per spatial dimension, where negative amounts take away. `lhs_dilation`
    spreads the input, `rhs_dilation` the kernel. Without `dimension_numbers` the dimensions are batch, feature, spatial
    ones; of the kernel output feature, input feature, spatial ones.

    Example:
        >>> x, kernel = value([[[1.0, 2.0, 3.0, 4.0]]]), value([[[1.0, 10.0]]])
        >>> run(ops.ConvGeneralDilated(x, kernel, [1], [(0, 0)], rhs_dilation=[2]))
        array([[[31., 42.]]], dtype=float32)
    """
    return _convolution(
        "ConvGeneralDilated",
        lhs,
        rhs,
        window_strides,
        padding,
        lhs_dilation,
        rhs_dilation,
        dimension_numbers,
        feature_group_count,
        batch_group_count,
        precision_config,
        window_reversal,
    )


def ConvWithGeneralPadding(
    lhs: XlaOp,
    rhs: XlaOp,
    window_strides: Sequence[int],
    padding: Sequence[Sequence[int]],
    lhs_dilation: Sequence[int] | None = None,
    rhs_dilation: Sequence[int] | None = None,
    feature_group_count: int = 1,
    batch_group_count: int = 1,
    precision_config: PrecisionConfig = None,
) -> XlaOp:
    """A convolution with (low, high) padding per spatial dimension, see `ConvGeneralDilated`.

    Example:
        >>> x, kernel = value([[[1.0, 2.0, 3.0]]]), value([[[1.0, 10.0]]])
        >>> run(ops.ConvWithGeneralPadding(x, kernel, [1], [(2, 1)]))
        array([[[ 0., 10., 21., 32.,  3.]]], dtype=float32)
    """
    return _convolution(
        "ConvWithGeneralPadding",
        lhs,
        rhs,
        window_strides,
        padding,
        lhs_dilation,
        rhs_dilation,
        None,
        feature_group_count,
        batch_group_count,
        precision_config,
    )


def Conv(
    lhs: XlaOp,
    rhs: XlaOp,
    window_strides: Sequence[int],
    padding: Padding | str,
    feature_group_count: int = 1,
    batch_group_count: int = 1,
    precision_config: PrecisionConfig = None,
) -> XlaOp:
    """A convolution with padding SAME or VALID, see `ConvGeneralDilated`.

    Example:
        >>> x, kernel = value([[[1.0, 2.0, 3.0]]]), value([[[1.0, 10.0]]])
        >>> run(ops.Conv(x, kernel, [1], "SAME"))
        array([[[21., 32.,  3.]]], dtype=float32)
    """
    if not isinstance(padding, Padding) and padding not in ("SAME", "VALID"):
        lhs.builder.fail("Conv", f"padding {padding!r} is neither SAME nor VALID", "Conv-C1")
    return _convolution(
        "Conv",
        lhs,
        rhs,
        window_strides,
        padding,
        None,
        None,
        None,
        feature_group_count,
        batch_group_count,
        precision_config,
    )


def _convolution(
    label: str,
    lhs: XlaOp,
    rhs: XlaOp,
    window_strides: Sequence[int],
    padding: Padding | str | Sequence[Sequence[int]],
    lhs_dilation: Sequence[int] | None,
    rhs_dilation: Sequence[int] | None,
    dimension_numbers: ConvDimensionNumbers | None,
    feature_group_count: int,
    batch_group_count: int,
    precision_config: PrecisionConfig,
    window_reversal: Sequence[bool] | None = None,
) -> XlaOp:
    builder = lhs.builder
    rule = "ConvWithGeneralPadding-C1"
    if lhs.shape.rank < 2 or lhs.shape.rank != rhs.shape.rank:
        builder.fail(label, f"input {lhs.shape} and kernel {rhs.shape} must have equal ranks of at least 2", rule)
    numbers = dimension_numbers or ConvDimensionNumbers.default(lhs.shape.rank - 2)
    try:
        numbers_text = numbers.mlir
        base = [lhs.shape.dims[d] for d in numbers.input_spatial_dimensions]
        window = [rhs.shape.dims[d] for d in numbers.kernel_spatial_dimensions]
    except (ValueError, IndexError) as error:
        builder.fail(label, str(error), rule)
    pairs = window_padding(builder, label, padding, base, window, window_strides, lhs_dilation, rhs_dilation)
    attributes = {
        "window_strides": window_strides,
        "padding": padding_matrix(pairs),
        "dimension_numbers": numbers_text,
        "feature_group_count": int(feature_group_count),
        "batch_group_count": int(batch_group_count),
        **precision_attribute(precision_config),
    }
    if lhs_dilation is not None:
        attributes["lhs_dilation"] = lhs_dilation
    if rhs_dilation is not None:
        attributes["rhs_dilation"] = rhs_dilation
    if window_reversal is not None:
        flags = ", ".join("true" if flag else "false" for flag in window_reversal)
        attributes["window_reversal"] = f"array<i1: {flags}>" if flags else "array<i1>"
    return builder.emit(label, "convolution", [lhs, rhs], attributes)
