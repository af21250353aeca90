# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The linear family: products of matrices and of groups of them, and convolution. Sums of products are formed in
float64, complex128 or modulo 2^64 and rounded or wrapped once, to the result's element type."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np

from ._numerics import narrow, widen
from ._program import Op
from .reduction import window_count
from .shape import pad

Array = np.ndarray


def _common(lhs: Array, rhs: Array, op: Op) -> tuple[Array, Array]:
    """Both factors in the type in which the result is computed; element types may differ from the result's."""
    wide = widen(np.zeros((), op.array.element.dtype)).dtype
    if wide == np.bool_:
        wide = np.dtype(np.int64)
    return tuple(x.astype(wide) if x.dtype.kind != "c" or wide.kind == "c" else x for x in (widen(lhs), widen(rhs)))  # type: ignore[return-value]


def _finish(values: Array, op: Op) -> Array:
    element = op.array.element
    return values != 0 if element.kind == "pred" else narrow(values, element)


def _contract(
    lhs: Array, rhs: Array, batch: tuple[list[int], list[int]], contracting: tuple[list[int], list[int]]
) -> Array:
    """[batch.., lhs free.., rhs free..] as one stack of matrix products."""

    def matrices(
        x: Array, batch: Sequence[int], contracting: Sequence[int], contracting_last: bool
    ) -> tuple[Array, tuple[int, ...], tuple[int, ...]]:
        free = [d for d in range(x.ndim) if d not in batch and d not in contracting]
        order = [*batch, *free, *contracting] if contracting_last else [*batch, *contracting, *free]
        batch_dims, free_dims = tuple(x.shape[d] for d in batch), tuple(x.shape[d] for d in free)
        b, f, k = (int(np.prod([x.shape[d] for d in dims], dtype=np.int64)) for dims in (batch, free, contracting))
        return x.transpose(order).reshape((b, f, k) if contracting_last else (b, k, f)), batch_dims, free_dims

    left, batch_dims, left_free = matrices(lhs, batch[0], contracting[0], True)
    right, _, right_free = matrices(rhs, batch[1], contracting[1], False)
    return np.matmul(left, right).reshape((*batch_dims, *left_free, *right_free))


def _dot_general(op: Op, lhs: Array, rhs: Array) -> Array:
    numbers = op.attributes["dot_dimension_numbers"]
    batch, contracting = (
        (numbers.get(f"lhs_{kind}_dimensions", []), numbers.get(f"rhs_{kind}_dimensions", []))
        for kind in ("batching", "contracting")
    )
    return _finish(_contract(*_common(lhs, rhs, op), batch, contracting), op)


def _dot(op: Op, lhs: Array, rhs: Array) -> Array:
    return _finish(_contract(*_common(lhs, rhs, op), ([], []), ([lhs.ndim - 1], [0])), op)


def _ragged_dot(op: Op, lhs: Array, rhs: Array, group_sizes: Array) -> Array:
    """A contraction for each group, of which the elements of others are left out."""
    numbers = op.attributes["ragged_dot_dimension_numbers"]
    left_batch, right_batch, left, right = (
        list(numbers.get(f"{side}_{kind}_dimensions", []))
        for kind in ("batching", "contracting")
        for side in ("lhs", "rhs")
    )
    ragged = numbers["lhs_ragged_dimensions"][0]
    x, y = _common(lhs, rhs, op)
    if ragged in left_batch:
        return _finish(_contract(x, y, (left_batch, right_batch), (left, right)), op)
    ends = np.cumsum(group_sizes.astype(np.int64), -1)
    starts = ends - group_sizes
    indices = np.arange(lhs.shape[ragged])
    zero = np.zeros((), x.dtype)

    def mask(group: int, rank: int, axis: int) -> Array:
        """Which indices along `axis` of an array of `rank` are of the group; sizes may have all dimensions before."""
        start, end = starts[..., group, None], ends[..., group, None]
        inside = (indices >= start) & (indices < end)
        before = (1,) * axis if inside.ndim == 1 else inside.shape[:-1]
        return inside.reshape(*before, len(indices), *(1,) * (rank - axis - 1))

    groups = range(group_sizes.shape[-1])
    if ragged not in left:
        group_dim = numbers["rhs_group_dimensions"][0]
        free = [d for d in range(lhs.ndim) if d not in (*left_batch, *left)]
        shifted = [[d - (d > group_dim) for d in dims] for dims in (right_batch, right)]
        total = np.zeros(op.array.shape, x.dtype)
        for group in groups:
            part = _contract(x, y.take(group, group_dim), (left_batch, shifted[0]), (left, shifted[1]))
            total = np.where(mask(group, part.ndim, len(left_batch) + free.index(ragged)), part, total)
        return _finish(total, op)

    place = left.index(ragged)

    def of_group(array: Array, batch: list[int], contracting: list[int], group: int) -> Array:
        leading = [*batch, *contracting[: place + 1]]
        moved = np.moveaxis(array, leading, range(len(leading)))
        kept = np.where(mask(group, moved.ndim, len(leading) - 1), moved, zero)
        return np.moveaxis(kept, range(len(leading)), leading)

    parts = [
        _contract(
            of_group(x, left_batch, left, group),
            of_group(y, right_batch, right, group),
            (left_batch, right_batch),
            (left, right),
        )
        for group in groups
    ]
    return _finish(np.stack(parts) if parts else np.zeros(op.array.shape, x.dtype), op)


def _convolution(op: Op, lhs: Array, rhs: Array) -> Array:
    """Cross-correlation. For every kernel position the base is sliced at the positions it meets, and the products are
    summed over input features, group by group."""
    a = op.attributes
    numbers = a["dimension_numbers"]
    spatial = len(numbers["input_spatial_dimensions"])
    ones = [1] * spatial
    strides, base_dilation, window_dilation = (
        a.get(key) or ones for key in ("window_strides", "lhs_dilation", "rhs_dilation")
    )
    padding = (
        np.asarray(a["padding"]).reshape(spatial, 2).tolist() if a.get("padding") is not None else [[0, 0]] * spatial
    )
    feature_groups, batch_groups = a.get("feature_group_count", 1), a.get("batch_group_count", 1)

    base, kernel = _common(lhs, rhs, op)
    base = base.transpose(
        [numbers["input_batch_dimension"], numbers["input_feature_dimension"], *numbers["input_spatial_dimensions"]]
    )
    kernel = kernel.transpose(
        [
            numbers["kernel_output_feature_dimension"],
            numbers["kernel_input_feature_dimension"],
            *numbers["kernel_spatial_dimensions"],
        ]
    )
    reversal = a.get("window_reversal") or [False] * spatial
    kernel = np.flip(kernel, tuple(2 + d for d in range(spatial) if reversal[d]))

    outputs, window = kernel.shape[0], kernel.shape[2:]
    batch = base.shape[0] // batch_groups
    low, high = [p[0] for p in padding], [p[1] for p in padding]
    sizes = [
        max(0, (n - 1) * d + 1 if n else 0) + lo + hi
        for n, d, lo, hi in zip(base.shape[2:], base_dilation, low, high, strict=True)
    ]
    dims = tuple(map(window_count, [max(0, s) for s in sizes], window, window_dilation, strides))
    result = np.zeros((batch, outputs, *dims), base.dtype)
    if result.size and kernel.size:
        base = pad(base, 0, [0, 0, *low], [0, 0, *high], [0, 0, *(d - 1 for d in base_dilation)])
        groups = max(feature_groups, batch_groups)
        base_groups = np.split(base, feature_groups, 1) if batch_groups == 1 else np.split(base, batch_groups, 0)
        for g, (part, filters) in enumerate(zip(base_groups, np.split(kernel, groups, 0), strict=True)):
            target = result[:, g * outputs // groups : (g + 1) * outputs // groups]
            for position in product(*map(range, window)):
                met: tuple[Any, ...] = tuple(
                    slice(k * d, k * d + (n - 1) * s + 1, s)
                    for k, d, s, n in zip(position, window_dilation, strides, dims, strict=True)
                )
                tap: tuple[Any, ...] = (..., *position)
                products = np.tensordot(part[(slice(None), slice(None), *met)], filters[tap], ([1], [1]))
                target += np.moveaxis(products, -1, 1)

    order = [
        numbers["output_batch_dimension"],
        numbers["output_feature_dimension"],
        *numbers["output_spatial_dimensions"],
    ]
    return _finish(np.moveaxis(result, range(result.ndim), order), op)


OPS: dict[str, Callable[..., Any]] = {
    "dot": _dot,
    "dot_general": _dot_general,
    "ragged_dot": _ragged_dot,
    "convolution": _convolution,
}
