# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sort family.

Sorting merges runs of doubling length from the bottom up, all runs of all lines at once: where an element goes is a
binary search in its neighbour run, and a comparison is one evaluation of the region on whole arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ._numerics import widen
from ._program import Block, Op
from ._types import ArrayType, element_of
from .elementwise import total_order_key

Array = np.ndarray


def _order(frame: Any, block: Block, lines: list[Array]) -> Array:
    """For each line (row) the stable order of its elements."""
    rows, count = lines[0].shape
    order = np.broadcast_to(np.arange(count), (rows, count)).copy()
    row = np.arange(rows)[:, None]

    def before(left: Array, right: Array) -> Array:
        """Whether the elements that come `left`th now are to come before those that come `right`th."""
        pairs = []
        for line in lines:
            pairs += [line[row, order[row, left]], line[row, order[row, right]]]
        return np.asarray(frame.run_elementwise(block, left.shape, *pairs)[0], bool)

    here = np.broadcast_to(np.arange(count), (rows, count))
    width = 1
    while width < count:
        first = here // (2 * width) * (2 * width)  # of both runs
        on_left = here < first + width
        other = np.where(on_left, first + width, first)
        low = np.minimum(other, count)
        high = np.minimum(np.where(on_left, first + 2 * width, first + width), count)
        other = low
        while np.any(low < high):
            searching = low < high
            middle = np.where(searching, (low + high) // 2, here)
            # Equal elements of the left run come first.
            goes_on = np.where(on_left, before(middle, here), ~before(here, middle))
            low = np.where(searching & goes_on, middle + 1, low)
            high = np.where(searching & ~goes_on, middle, high)
        own = here - np.where(on_left, first, first + width)
        place = first + own + (low - other)
        # Places are different unless the comparator contradicts itself; then any order will do.
        order = np.take_along_axis(order, np.argsort(place, axis=1, kind="stable"), 1)
        width *= 2
    return order


def _sort(frame: Any, op: Op, *operands: Array) -> list[Array]:
    return _sorted(frame, op.regions[0], int(op.attributes.get("dimension", -1)), operands)


def approx_top_k(frame: Any, comparator: Block, op: Op, *operands: Array) -> list[Array]:
    """What JAX's custom call ApproxTopK gives without an error: the first elements of a sort. The operands are arrays
    and as many initial values."""
    config = op.attributes["mhlo.backend_config"]
    arrays = operands[: len(op.results)]
    found = _sorted(frame, comparator, int(config["reduction_dim"]), arrays)
    return [
        array[tuple(slice(size) for size in type_.shape)]
        for array, type_ in zip(found, op.result_types, strict=True)
        if isinstance(type_, ArrayType)
    ]


def _sorted(frame: Any, comparator: Block, dimension: int, operands: Sequence[Array]) -> list[Array]:
    """The arrays with each line along the dimension in the stable order of a comparator of scalars."""
    dimension %= operands[0].ndim
    moved = [np.moveaxis(operand, dimension, -1) for operand in operands]
    shape = moved[0].shape
    if operands[0].size == 0:
        return list(operands)
    lines = [array.reshape(-1, shape[-1]) for array in moved]
    order = _order(frame, comparator, lines)
    return [np.moveaxis(np.take_along_axis(line, order, 1).reshape(shape), -1, dimension) for line in lines]


def _rank_key(values: Array) -> Array:
    """Integers that order like the elements, floats by their bits."""
    element = element_of(values)
    if element.name == "f8E8M0FNU":  # without a sign
        return values.view(np.uint8).astype(np.int64)
    if element.kind == "float":
        return total_order_key(values)
    return widen(values)


def _top_k(op: Op, operand: Array) -> list[Array]:
    k = int(op.attributes["k"])
    # Complements reverse the order of integers without overflow, and a stable sort keeps equals in order.
    order = np.argsort(~_rank_key(operand), axis=-1, kind="stable")[..., :k]
    return [np.take_along_axis(operand, order, -1), order.astype(np.int32)]


OPS: dict[str, Callable[..., Any]] = {"top_k": _top_k}
REGION_OPS: dict[str, Callable[..., Any]] = {"sort": _sort}
