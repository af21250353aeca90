# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reductions over dimensions and windows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..builder import XlaBuilder, XlaComputation, XlaOp
from ..builder._arguments import fail
from ..shape import Shape
from ._attributes import Padding, padding_matrix, window_padding, window_size

_Ops = XlaOp | Sequence[XlaOp]


def Reduce(operand: _Ops, init_value: _Ops, computation: XlaComputation, dimensions_to_reduce: Sequence[int]) -> XlaOp:
    """The elements along some dimensions, folded by `computation(accumulated, element)`.

    Several operands are reduced together by `computation(accumulated..., elements...)`; the result is a tuple then.

    Example:
        >>> run(ops.Reduce(value([[1, 2, 3], [4, 5, 6]]), value(0), scalar(ops.Add, np.int32), [1]))
        array([ 6, 15], dtype=int32)
    """
    operands, inits = _list(operand), _list(init_value)
    builder = _builder("Reduce", operands, "Reduce-C1")
    dimensions = [int(d) for d in dimensions_to_reduce]
    rank = operands[0].shape.rank
    for dimension in dimensions:
        if not 0 <= dimension < rank:
            builder.fail("Reduce", f"dimension {dimension} is not in [0, {rank}) of {operands[0].shape}", "Reduce-C5")
    kept = [size for d, size in enumerate(operands[0].shape.dims) if d not in dimensions]
    return builder.emit(
        "Reduce",
        "reduce",
        [*operands, *inits],
        {"dimensions": dimensions},
        results=[Shape(each.dtype, kept) for each in operands],
        computations=[(computation, None)],
        tuple_result=not isinstance(operand, XlaOp),
    )


def Scan(
    operand: _Ops,
    init_value: _Ops,
    computation: XlaComputation,
    dimension: int,
    is_reverse: bool = False,
    is_associative: bool | None = None,
) -> XlaOp:
    """A loop over the slices of arrays along a dimension: `computation(slices..., carried...)` gives slices of the
    results and the next carried values, which are `init_value` at first. The result is a tuple of the results and the
    last carried values.

    Example:
        >>> step = XlaBuilder("step")
        >>> x, total = (ops.Parameter(step, i, Shape(np.int32)) for i in range(2))
        >>> sums = step.build(ops.Tuple(step, [ops.Add(x, total), ops.Add(x, total)]))
        >>> run(ops.Scan(value([1, 2, 3]), value(0), sums, 0))
        (array([1, 3, 6], dtype=int32), array(6, dtype=int32))
    """
    operands, inits = _list(operand), _list(init_value)
    builder = _builder("Scan", [*operands, *inits], "Scan-C1")
    dimension = int(dimension)
    for each in operands:
        if not 0 <= dimension < each.shape.rank:
            builder.fail("Scan", f"dimension {dimension} is not in [0, {each.shape.rank}) of {each.shape}", "Scan-C1")
    if not operands:
        builder.fail("Scan", "there is no array to scan", "Scan-C1")
    size = operands[0].shape.dims[dimension]
    returned = computation.program_shape.result
    slices = list(returned.tuple_shapes if returned.is_tuple else [returned])
    count = len(slices) - len(inits)
    if count < 0:
        builder.fail("Scan", f"the computation returns {returned}, fewer than the carried values", "Scan-C2")
    outputs = [Shape(each.dtype, (*each.dims[:dimension], size, *each.dims[dimension:])) for each in slices[:count]]
    attributes: dict[str, Any] = {
        "dimension": dimension,
        "is_reverse": bool(is_reverse),
        "operandSegmentSizes": f"array<i32: {len(operands)}, {len(inits)}>",
        "resultSegmentSizes": f"array<i32: {count}, {len(inits)}>",
    }
    if is_associative is not None:
        attributes["is_associative"] = bool(is_associative)
    return builder.emit(
        "Scan",
        "scan",
        [*operands, *inits],
        attributes,
        results=[*outputs, *(init.shape for init in inits)],
        computations=[(computation, None)],
        tuple_result=True,
    )


def ReduceAll(operand: XlaOp, init_value: XlaOp, computation: XlaComputation) -> XlaOp:
    """All elements folded to a scalar.

    Example:
        >>> run(ops.ReduceAll(value([[1, 2, 3], [4, 5, 6]]), value(0), scalar(ops.Add, np.int32)))
        array(21, dtype=int32)
    """
    return Reduce(operand, init_value, computation, range(operand.shape.rank))


def ReduceWindow(
    operand: _Ops,
    init_value: _Ops,
    computation: XlaComputation,
    window_dimensions: Sequence[int],
    window_strides: Sequence[int],
    padding: Padding | str | Sequence[Sequence[int]],
    base_dilations: Sequence[int] | None = None,
    window_dilations: Sequence[int] | None = None,
) -> XlaOp:
    """The elements of each window, folded by `computation`. Padding and holes hold the initial value.

    `padding` is a keyword or (low, high) per dimension. Several operands give a tuple, as in `Reduce`.

    Example:
        >>> run(ops.ReduceWindow(value([1, 2, 3, 4]), value(0), scalar(ops.Add, np.int32), [2], [1], "VALID"))
        array([3, 5, 7], dtype=int32)
    """
    return _reduce_window(
        "ReduceWindow",
        operand,
        init_value,
        computation,
        window_dimensions,
        window_strides,
        base_dilations,
        window_dilations,
        padding,
    )


def ReduceWindowWithGeneralPadding(
    operand: _Ops,
    init_value: _Ops,
    computation: XlaComputation,
    window_dimensions: Sequence[int],
    window_strides: Sequence[int],
    base_dilations: Sequence[int],
    window_dilations: Sequence[int],
    padding: Sequence[Sequence[int]],
) -> XlaOp:
    """`ReduceWindow` with the arguments in the order of XLA's function of this name.

    Example:
        >>> add = scalar(ops.Add, np.int32)
        >>> x = value([1, 2, 3])
        >>> run(ops.ReduceWindowWithGeneralPadding(x, value(0), add, [2], [1], [1], [1], [(1, 0)]))
        array([1, 3, 5], dtype=int32)
    """
    return _reduce_window(
        "ReduceWindowWithGeneralPadding",
        operand,
        init_value,
        computation,
        window_dimensions,
        window_strides,
        base_dilations or None,
        window_dilations or None,
        padding,
    )


def SelectAndScatter(
    operand: XlaOp,
    select: XlaComputation,
    window_dimensions: Sequence[int],
    window_strides: Sequence[int],
    padding: Padding | str | Sequence[Sequence[int]],
    source: XlaOp,
    init_value: XlaOp,
    scatter: XlaComputation,
) -> XlaOp:
    """Selects an element of each window, and adds up by `scatter` the elements of `source` at the selected places.

    Example:
        >>> x = value([1, 5, 2, 3])
        >>> ge, add = scalar(ops.Ge, np.int32), scalar(ops.Add, np.int32)
        >>> run(ops.SelectAndScatter(x, ge, [2], [2], "VALID", value([10, 20]), value(0), add))
        array([ 0, 10,  0, 20], dtype=int32)
    """
    builder = operand.builder
    pairs = window_padding(builder, "SelectAndScatter", padding, operand.shape.dims, window_dimensions, window_strides)
    attributes = {
        "window_dimensions": window_dimensions,
        "window_strides": window_strides,
        "padding": padding_matrix(pairs),
    }
    return builder.emit(
        "SelectAndScatter",
        "select_and_scatter",
        [operand, source, init_value],
        attributes,
        results=[operand.shape],
        computations=[(select, None), (scatter, None)],
    )


def _reduce_window(
    label: str,
    operand: _Ops,
    init_value: _Ops,
    computation: XlaComputation,
    window_dimensions: Sequence[int],
    window_strides: Sequence[int],
    base_dilations: Sequence[int] | None,
    window_dilations: Sequence[int] | None,
    padding: Padding | str | Sequence[Sequence[int]],
) -> XlaOp:
    operands, inits = _list(operand), _list(init_value)
    builder = _builder(label, operands, "ReduceWindow-C1")
    dims = operands[0].shape.dims
    lists = {"window_dimensions": window_dimensions, "window_strides": window_strides}
    if base_dilations is not None:
        lists["base_dilations"] = base_dilations
    if window_dilations is not None:
        lists["window_dilations"] = window_dilations
    for name, values in lists.items():
        if len(values) != len(dims):
            builder.fail(
                label,
                f"{name} {list(values)} must have one entry per dimension of {operands[0].shape}",
                "ReduceWindow-C5",
            )
        if any(value < 1 for value in values):
            builder.fail(label, f"{name} {list(values)} must be at least 1", "ReduceWindow-C6")
    pairs = window_padding(
        builder, label, padding, dims, window_dimensions, window_strides, base_dilations, window_dilations
    )
    if len(pairs) != len(dims):
        builder.fail(
            label, f"padding {pairs} must have one pair per dimension of {operands[0].shape}", "ReduceWindow-C5"
        )
    ones = [1] * len(dims)
    sizes = [
        window_size(*each)
        for each in zip(
            dims,
            window_dimensions,
            window_strides,
            pairs,
            base_dilations or ones,
            window_dilations or ones,
            strict=True,
        )
    ]
    return builder.emit(
        label,
        "reduce_window",
        [*operands, *inits],
        {**lists, "padding": padding_matrix(pairs)},
        results=[Shape(each.dtype, sizes) for each in operands],
        computations=[(computation, None)],
        tuple_result=not isinstance(operand, XlaOp),
    )


def _list(ops: _Ops) -> list[XlaOp]:
    return [ops] if isinstance(ops, XlaOp) else list(ops)


def _builder(label: str, operands: Sequence[XlaOp], rule: str) -> XlaBuilder:
    if not operands:
        fail("there is no operand", op=label, constraint=rule)
    if not operands[0].shape.is_array:
        operands[0].builder.fail(label, f"operand {operands[0].shape} is not an array", "G-C5")
    return operands[0].builder
