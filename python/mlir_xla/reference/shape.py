# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The shape family: ops that move elements without looking at them, constants and iota."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ._numerics import narrow
from ._program import Op

Array = np.ndarray


def _constant(op: Op) -> Array:
    return op.attributes["value"]


def dilated_size(n: int, dilation: int) -> int:
    """Size of a dimension after ``dilation - 1`` holes were put between neighbours."""
    return 0 if n == 0 else (n - 1) * dilation + 1


def pad(x: Array, value: Any, low: Sequence[int], high: Sequence[int], interior: Sequence[int]) -> Array:
    """Holes between neighbours first, then the edges; a negative edge removes positions of the dilated array."""
    dilated = np.full([dilated_size(n, i + 1) for n, i in zip(x.shape, interior, strict=True)], value, x.dtype)
    dilated[tuple(slice(None, None, i + 1) for i in interior)] = x
    result = np.full([n + lo + hi for n, lo, hi in zip(dilated.shape, low, high, strict=True)], value, x.dtype)
    source, target = [], []
    for n, size, lo in zip(dilated.shape, result.shape, low, strict=True):
        first, last = max(0, -lo), min(n, size - lo)  # the positions of the dilated array that survive
        last = max(first, last)
        source.append(slice(first, last))
        target.append(slice(first + lo, last + lo))
    if all(s.stop > s.start for s in source):
        result[tuple(target)] = dilated[tuple(source)]
    return result


def _pad(op: Op, x: Array, value: Array) -> Array:
    a = op.attributes
    return pad(x, value, a["edge_padding_low"], a["edge_padding_high"], a["interior_padding"])


def _iota(op: Op) -> Array:
    type_ = op.array
    axis = op.attributes["iota_dimension"]
    counts = np.arange(type_.shape[axis], dtype=np.int64)
    column = [-1 if d == axis else 1 for d in range(len(type_.shape))]
    values = narrow(counts, type_.element)
    return np.broadcast_to(values.reshape(column), type_.shape)


def _broadcast_in_dim(op: Op, x: Array) -> Array:
    dims = op.array.shape
    expanded = [1] * len(dims)
    for size, dim in zip(x.shape, op.attributes["broadcast_dimensions"], strict=True):
        expanded[dim] = size
    return np.broadcast_to(x.reshape(expanded), dims)


def _broadcast(op: Op, x: Array) -> Array:
    return np.broadcast_to(x, (*op.attributes["broadcast_sizes"], *x.shape))


def _reshape(op: Op, x: Array) -> Array:
    return x.reshape(op.array.shape)


def _transpose(op: Op, x: Array) -> Array:
    return x.transpose(op.attributes["permutation"])


def _reverse(op: Op, x: Array) -> Array:
    return np.flip(x, op.attributes["dimensions"])


def _concatenate(op: Op, *operands: Array) -> Array:
    return np.concatenate(operands, op.attributes["dimension"])


def _slice(op: Op, x: Array) -> Array:
    a = op.attributes
    strides = a.get("strides") or [1] * x.ndim
    return x[tuple(map(slice, a["start_indices"], a["limit_indices"], strides))]


def _window(x: Array, starts: Sequence[Array], sizes: Sequence[int]) -> tuple[slice, ...]:
    """The window at ``starts``, moved as a whole so that it lies inside ``x``. Python integers keep an unsigned start
    positive whatever its width."""
    begins = [min(max(int(start), 0), n - size) for start, n, size in zip(starts, x.shape, sizes, strict=True)]
    return tuple(slice(begin, begin + size) for begin, size in zip(begins, sizes, strict=True))


def _dynamic_slice(op: Op, x: Array, *starts: Array) -> Array:
    return x[_window(x, starts, op.attributes["slice_sizes"])]


def _dynamic_update_slice(op: Op, x: Array, update: Array, *starts: Array) -> Array:
    result = x.copy()
    result[_window(x, starts, update.shape)] = update
    return result


def _get_dimension_size(op: Op, x: Array) -> Array:
    return np.asarray(x.shape[op.attributes["dimension"]], op.array.dtype)


OPS: dict[str, Callable[..., Any]] = {
    "constant": _constant,
    "get_dimension_size": _get_dimension_size,
    "iota": _iota,
    "broadcast_in_dim": _broadcast_in_dim,
    "broadcast": _broadcast,
    "reshape": _reshape,
    "transpose": _transpose,
    "reverse": _reverse,
    "concatenate": _concatenate,
    "pad": _pad,
    "slice": _slice,
    "dynamic_slice": _dynamic_slice,
    "dynamic_update_slice": _dynamic_update_slice,
}
