# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Implicit broadcasting of binary operations.

Three mechanisms in this order: a scalar goes with anything; an operand of lower rank is placed by
`broadcast_dimensions`, which name the dimension of the other operand for each of its own; dimensions of size 1 expand.
The operations of the dialect want equal shapes, so the operands become `broadcast_in_dim` where they differ.
"""

from __future__ import annotations

from collections.abc import Sequence

from .._messages import short
from ..builder import Operand, XlaOp
from ..builder._arguments import fail
from ..shape import Shape


def broadcast(
    label: str, left: Operand, right: Operand, broadcast_dimensions: Sequence[int] | None
) -> tuple[XlaOp, XlaOp]:
    """Both operands with the shape that they have in common; ShapeError with the rule BC-Cn that they break."""
    values = [operand for operand in (left, right) if isinstance(operand, XlaOp)]
    if not values:
        fail(f"neither {short(left)} nor {short(right)} is an XlaOp", op=label)
    builder = values[0].builder
    for value in values:
        if not value.shape.is_array:
            builder.fail(label, f"operand {value.shape} is not an array", "G-C5")
    lhs, rhs = values[0].operand(left), values[0].operand(right)
    if lhs.dtype != rhs.dtype:
        builder.fail(label, f"the element types of {lhs.shape} and {rhs.shape} differ; none is converted", "BC-C10")
    dimensions = None if broadcast_dimensions is None else [int(d) for d in broadcast_dimensions]

    identity = list(range(lhs.shape.rank))
    if lhs.shape.rank == rhs.shape.rank:
        if dimensions and dimensions != identity:
            builder.fail(
                label,
                f"operands of equal rank take no broadcast_dimensions but the identity, not {dimensions}",
                "BC-C7",
            )
        low_is_lhs, mapping = True, identity
    else:
        low_is_lhs = lhs.shape.rank < rhs.shape.rank
        mapping = _mapping(label, *((lhs, rhs) if low_is_lhs else (rhs, lhs)), dimensions)
    low, high = (lhs, rhs) if low_is_lhs else (rhs, lhs)

    expanded = [1] * high.shape.rank
    for size, dimension in zip(low.shape.dims, mapping, strict=True):
        expanded[dimension] = size
    common = []
    for number, (a, b) in enumerate(zip(expanded, high.shape.dims, strict=True)):
        if a != b and 1 not in (a, b):
            builder.fail(
                label,
                f"{lhs.shape} and {rhs.shape} do not fit: in dimension {number} the sizes are {a} and {b}",
                "BC-C8",
            )
        common.append(b if a == 1 else a)
    low = _expand(low, common, mapping)
    high = _expand(high, common, list(range(high.shape.rank)))
    return (low, high) if low_is_lhs else (high, low)


def _mapping(label: str, low: XlaOp, high: XlaOp, dimensions: list[int] | None) -> list[int]:
    """The dimension of `high` that matches each dimension of `low`."""
    builder, rank = low.builder, high.shape.rank
    if low.shape.rank == 0:
        if dimensions:
            builder.fail(label, f"a scalar takes no broadcast_dimensions, not {dimensions}", "BC-C1")
        return []
    if not dimensions:
        builder.fail(
            label,
            f"{low.shape} and {high.shape} have different ranks: broadcast_dimensions must say which dimensions of the "
            "latter those of the former are",
            "BC-C2",
        )
    if len(dimensions) != low.shape.rank:
        builder.fail(
            label, f"broadcast_dimensions {dimensions} must have one entry per dimension of {low.shape}", "BC-C3"
        )
    for dimension in dimensions:
        if not 0 <= dimension < rank:
            builder.fail(label, f"broadcast_dimensions {dimensions}: {dimension} is not in [0, {rank})", "BC-C4")
    if any(a >= b for a, b in zip(dimensions, dimensions[1:], strict=False)):
        builder.fail(label, f"broadcast_dimensions {dimensions} are not strictly increasing", "BC-C5")
    for size, dimension in zip(low.shape.dims, dimensions, strict=True):
        if size != high.shape.dims[dimension] and 1 not in (size, high.shape.dims[dimension]):
            builder.fail(
                label,
                f"broadcast_dimensions {dimensions}: size {size} of {low.shape} does not match dimension {dimension} "
                f"of {high.shape}",
                "BC-C6",
            )
    return dimensions


def _expand(operand: XlaOp, dims: Sequence[int], mapping: Sequence[int]) -> XlaOp:
    if list(operand.shape.dims) == list(dims):
        return operand
    return operand.builder.emit(
        "BroadcastInDim",
        "broadcast_in_dim",
        [operand],
        {"broadcast_dimensions": mapping},
        results=[Shape(operand.dtype, dims)],
    )
