# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations that make, place and rearrange elements: parameters, constants, iota, broadcast, reshape, slice, pad."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..builder import XlaBuilder, XlaOp
from ..shape import DTypeLike, Shape
from ._attributes import PaddingConfig, PaddingDimension


def Parameter(builder: XlaBuilder, parameter_number: int, shape: Shape, name: str = "") -> XlaOp:
    """A parameter of the computation.

    Example:
        >>> x = ops.Parameter(b, 0, Shape(np.float32, (2,)), "x")
        >>> mlir_xla.compile(b.build(ops.Neg(x)))(np.float32([1, 2]))
        array([-1., -2.], dtype=float32)
    """
    return builder.parameter(parameter_number, shape, name)


def Constant(builder: XlaBuilder, value: Any, dtype: DTypeLike | None = None) -> XlaOp:
    """A constant array, or a scalar for a number.

    Example:
        >>> run(ops.Constant(b, np.uint8([1, 2])))
        array([1, 2], dtype=uint8)
    """
    return builder.constant(value, dtype)


def ConstantLiteral(builder: XlaBuilder, literal: Any) -> XlaOp:
    """A constant array.

    Example:
        >>> run(ops.ConstantLiteral(b, np.float64([1, 2])))
        array([1., 2.])
    """
    return builder.constant(literal)


def ConstantR0(builder: XlaBuilder, value: Any) -> XlaOp:
    """A constant scalar; give a NumPy value to choose its element type.

    Example:
        >>> run(ops.ConstantR0(b, np.int16(7)))
        array(7, dtype=int16)
    """
    if np.ndim(value):
        builder.fail("ConstantR0", f"the value has rank {np.ndim(value)}")
    return builder.constant(value)


def ConstantR1(builder: XlaBuilder, values: Any) -> XlaOp:
    """A constant of rank 1.

    Example:
        >>> run(ops.ConstantR1(b, [1.0, 2.0]))
        array([1., 2.], dtype=float32)
    """
    if np.ndim(values) != 1:
        builder.fail("ConstantR1", f"the value has rank {np.ndim(values)}")
    return builder.constant(values if isinstance(values, np.ndarray) else _narrow(np.asarray(values)))


def Zeros(builder: XlaBuilder, shape: Shape) -> XlaOp:
    """An array of zeros.

    Example:
        >>> run(ops.Zeros(b, Shape(np.float32, (2, 2))))
        array([[0., 0.],
               [0., 0.]], dtype=float32)
    """
    return Broadcast(builder.constant(np.zeros((), shape.dtype)), shape.dims)


def ZerosLike(operand: XlaOp) -> XlaOp:
    """Zeros of the operand's shape.

    Example:
        >>> run(ops.ZerosLike(value([1, 2])))
        array([0, 0], dtype=int32)
    """
    return Zeros(operand.builder, operand.shape)


def Iota(builder: XlaBuilder, shape: Shape | DTypeLike, iota_dimension: int = 0) -> XlaOp:
    """0, 1, 2, ... along a dimension. `Iota(builder, dtype, size)` makes an array of rank 1.

    Example:
        >>> run(ops.Iota(b, Shape(np.int32, (2, 3)), iota_dimension=1))
        array([[0, 1, 2],
               [0, 1, 2]], dtype=int32)
    """
    if not isinstance(shape, Shape):
        shape, iota_dimension = Shape(shape, (iota_dimension,)), 0
    return builder.emit("Iota", "iota", [], {"iota_dimension": int(iota_dimension)}, results=[shape])


def Broadcast(operand: XlaOp, sizes: Sequence[int]) -> XlaOp:
    """Copies of the operand along new dimensions, which come first.

    Example:
        >>> run(ops.Broadcast(value([1, 2]), [3]))
        array([[1, 2],
               [1, 2],
               [1, 2]], dtype=int32)
    """
    return operand.builder.emit("Broadcast", "broadcast", [operand], {"broadcast_sizes": sizes})


def BroadcastInDim(operand: XlaOp, shape: Shape | Sequence[int], broadcast_dimensions: Sequence[int]) -> XlaOp:
    """The operand's dimension i becomes dimension `broadcast_dimensions[i]` of an array of sizes `shape`.

    Example:
        >>> run(ops.BroadcastInDim(value([7, 8]), [2, 3], broadcast_dimensions=[0]))
        array([[7, 7, 7],
               [8, 8, 8]], dtype=int32)
    """
    dims = shape.dims if isinstance(shape, Shape) else shape
    attributes = {"broadcast_dimensions": broadcast_dimensions}
    results = [_shape(operand, "BroadcastInDim", dims)]
    return operand.builder.emit("BroadcastInDim", "broadcast_in_dim", [operand], attributes, results=results)


def Reshape(operand: XlaOp, new_sizes: Sequence[int], dimensions: Sequence[int] | None = None) -> XlaOp:
    """The elements in an array of other sizes. `dimensions` is the order in which the operand's dimensions are walked,
    the slowest first.

    Example:
        >>> run(ops.Reshape(value([[1, 2, 3], [4, 5, 6]]), [3, 2]))
        array([[1, 2],
               [3, 4],
               [5, 6]], dtype=int32)
        >>> run(ops.Reshape(value([[1, 2, 3], [4, 5, 6]]), [6], dimensions=[1, 0]))
        array([1, 4, 2, 5, 3, 6], dtype=int32)
    """
    builder = operand.builder
    if dimensions is not None:
        order = [int(d) for d in dimensions]
        if sorted(order) != list(range(operand.shape.rank)):
            builder.fail(
                "Reshape", f"dimensions {order} are not a permutation of those of {operand.shape}", "Reshape-C1"
            )
        if order != sorted(order):
            operand = Transpose(operand, order)
    return builder.emit("Reshape", "reshape", [operand], results=[_shape(operand, "Reshape", new_sizes, "Reshape-C3")])


def Collapse(operand: XlaOp, dimensions: Sequence[int]) -> XlaOp:
    """Consecutive dimensions merged into one.

    Example:
        >>> run(ops.Collapse(value([[[1, 2], [3, 4]]]), [1, 2]))
        array([[1, 2, 3, 4]], dtype=int32)
    """
    dims = [int(d) for d in dimensions]
    shape = operand.shape
    for dimension in dims:
        if not 0 <= dimension < shape.rank:
            operand.builder.fail("Collapse", f"dimension {dimension} is not one of {shape}", "Collapse-C2")
    if any(b != a + 1 for a, b in zip(dims, dims[1:], strict=False)):
        operand.builder.fail("Collapse", f"dimensions {dims} are not ascending and consecutive", "Collapse-C1")
    if len(dims) < 2:
        return operand
    merged = math.prod(shape.dims[dims[0] : dims[-1] + 1])
    return Reshape(operand, [*shape.dims[: dims[0]], merged, *shape.dims[dims[-1] + 1 :]])


def Transpose(operand: XlaOp, permutation: Sequence[int]) -> XlaOp:
    """Dimension i of the result is dimension `permutation[i]` of the operand.

    Example:
        >>> run(ops.Transpose(value([[1, 2, 3], [4, 5, 6]]), [1, 0]))
        array([[1, 4],
               [2, 5],
               [3, 6]], dtype=int32)
    """
    return operand.builder.emit("Transpose", "transpose", [operand], {"permutation": permutation})


def Rev(operand: XlaOp, dimensions: Sequence[int]) -> XlaOp:
    """The elements in reverse along some dimensions.

    Example:
        >>> run(ops.Rev(value([[1, 2, 3], [4, 5, 6]]), [1]))
        array([[3, 2, 1],
               [6, 5, 4]], dtype=int32)
    """
    return operand.builder.emit("Rev", "reverse", [operand], {"dimensions": dimensions})


def ConcatInDim(builder: XlaBuilder, operands: Sequence[XlaOp], dimension: int) -> XlaOp:
    """The operands one after the other along a dimension.

    Example:
        >>> run(ops.ConcatInDim(b, [value([1, 2]), value([3])], 0))
        array([1, 2, 3], dtype=int32)
    """
    return builder.emit("ConcatInDim", "concatenate", operands, {"dimension": int(dimension)})


def Pad(
    operand: XlaOp,
    padding_value: XlaOp,
    padding_config: PaddingConfig | Sequence[PaddingDimension | tuple[int, int, int]],
) -> XlaOp:
    """Padding at the edges (negative amounts take away) and between elements: (low, high, interior) per dimension.

    Example:
        >>> run(ops.Pad(value([1, 2, 3]), value(0), [(1, 2, 1)]))
        array([0, 1, 0, 2, 0, 3, 0, 0], dtype=int32)
    """
    given = padding_config.dimensions if isinstance(padding_config, PaddingConfig) else padding_config
    entries = [tuple(entry) for entry in given]
    if any(len(entry) != 3 for entry in entries):
        operand.builder.fail("Pad", f"padding {entries} needs (low, high, interior) per dimension", "Pad-C2")
    low, high, interior = ([entry[i] for entry in entries] for i in range(3))
    attributes = {"edge_padding_low": low, "edge_padding_high": high, "interior_padding": interior}
    return operand.builder.emit("Pad", "pad", [operand, padding_value], attributes)


def PadInDim(operand: XlaOp, padding_value: XlaOp, dimno: int, pad_lo: int, pad_hi: int) -> XlaOp:
    """Padding at both edges of one dimension.

    Example:
        >>> run(ops.PadInDim(value([1, 2]), value(0), 0, pad_lo=1, pad_hi=2))
        array([0, 1, 2, 0, 0], dtype=int32)
    """
    _dimension(operand, "PadInDim", dimno)
    config = [(pad_lo, pad_hi, 0) if d == dimno else (0, 0, 0) for d in range(operand.shape.rank)]
    return Pad(operand, padding_value, config)


def Slice(
    operand: XlaOp, start_indices: Sequence[int], limit_indices: Sequence[int], strides: Sequence[int] | None = None
) -> XlaOp:
    """The elements from `start_indices` up to `limit_indices`, every `strides`-th of them.

    Example:
        >>> run(ops.Slice(value([0, 1, 2, 3, 4, 5]), [1], [6], strides=[2]))
        array([1, 3, 5], dtype=int32)
    """
    strides = [1] * len(start_indices) if strides is None else strides
    attributes = {"start_indices": start_indices, "limit_indices": limit_indices, "strides": strides}
    return operand.builder.emit("Slice", "slice", [operand], attributes)


def SliceInDim(operand: XlaOp, start_index: int, limit_index: int, stride: int, dimno: int) -> XlaOp:
    """A slice of one dimension.

    Example:
        >>> run(ops.SliceInDim(value([[1, 2, 3], [4, 5, 6]]), 1, 3, 1, dimno=1))
        array([[2, 3],
               [5, 6]], dtype=int32)
    """
    _dimension(operand, "SliceInDim", dimno)
    starts, limits, strides = [0] * operand.shape.rank, list(operand.shape.dims), [1] * operand.shape.rank
    starts[dimno], limits[dimno], strides[dimno] = start_index, limit_index, stride
    return Slice(operand, starts, limits, strides)


def DynamicSlice(operand: XlaOp, start_indices: Sequence[XlaOp], slice_sizes: Sequence[int]) -> XlaOp:
    """A slice whose start is computed; it is moved as far as needed to fit.

    Example:
        >>> run(ops.DynamicSlice(value([0, 1, 2, 3, 4]), [value(4)], [2]))
        array([3, 4], dtype=int32)
    """
    attributes = {"slice_sizes": slice_sizes}
    return operand.builder.emit("DynamicSlice", "dynamic_slice", [operand, *start_indices], attributes)


def DynamicSliceInDim(operand: XlaOp, start_index: XlaOp, slice_size: int, dimno: int) -> XlaOp:
    """A slice of one dimension whose start is computed.

    Example:
        >>> run(ops.DynamicSliceInDim(value([0, 1, 2, 3, 4]), value(1), 2, dimno=0))
        array([1, 2], dtype=int32)
    """
    _dimension(operand, "DynamicSliceInDim", dimno)
    zero = operand.builder.constant(0, start_index.dtype)
    starts = [start_index if d == dimno else zero for d in range(operand.shape.rank)]
    sizes = [slice_size if d == dimno else size for d, size in enumerate(operand.shape.dims)]
    return DynamicSlice(operand, starts, sizes)


def DynamicUpdateSlice(operand: XlaOp, update: XlaOp, start_indices: Sequence[XlaOp]) -> XlaOp:
    """The operand with `update` written at a place that is computed and moved as far as needed to fit.

    Example:
        >>> run(ops.DynamicUpdateSlice(value([0, 1, 2, 3, 4]), value([8, 9]), [value(2)]))
        array([0, 1, 8, 9, 4], dtype=int32)
    """
    return operand.builder.emit("DynamicUpdateSlice", "dynamic_update_slice", [operand, update, *start_indices])


def GetDimensionSize(operand: XlaOp, dimension: int) -> XlaOp:
    """The size of a dimension.

    Example:
        >>> run(ops.GetDimensionSize(value([[1, 2, 3]]), 1))
        array(3, dtype=int32)
    """
    attributes = {"dimension": int(dimension)}
    return operand.builder.emit("GetDimensionSize", "get_dimension_size", [operand], attributes)


def _narrow(array: np.ndarray) -> np.ndarray:
    """Python's numbers as s32, f32 and c64."""
    return array.astype({"i": np.int32, "f": np.float32, "c": np.complex64}.get(array.dtype.kind, array.dtype))


def _dimension(operand: XlaOp, label: str, number: int) -> None:
    if not 0 <= number < operand.shape.rank:
        operand.builder.fail(
            label, f"dimension {number} is not in [0, {operand.shape.rank}) of {operand.shape}", "G-C2"
        )


def _shape(operand: XlaOp, label: str, dims: Sequence[int], rule: str = "G-C4") -> Shape:
    sizes = [int(size) for size in dims]
    if any(size < 0 for size in sizes):
        operand.builder.fail(label, f"the sizes {sizes} hold a negative one", rule)
    return Shape(operand.dtype, sizes)
