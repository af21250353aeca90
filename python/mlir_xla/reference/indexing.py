# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The indexing family: gather and scatter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ._program import Op

Array = np.ndarray


def _gather(op: Op, x: Array, indices: Array) -> Array:
    """Out = x[S + O]: S, the clamped start of a slice, is found by the batch part of the output index; O, the position
    in the slice, by its offset part. Every dimension of ``x`` gets one index array of shape batch ++ slice sizes."""
    numbers, sizes = op.attributes["dimension_numbers"], op.attributes["slice_sizes"]
    vector_dim = numbers.get("index_vector_dim", 0)
    indices = _clampable(indices)
    if vector_dim == indices.ndim:
        indices = indices[..., None]
    vectors = np.moveaxis(indices, vector_dim, -1)
    batch = vectors.shape[:-1]

    start: list[Array] = [np.zeros(batch, np.int64)] * x.ndim
    for component, dim in enumerate(numbers.get("start_index_map", [])):
        start[dim] = np.clip(vectors[..., component], 0, x.shape[dim] - sizes[dim])
    batching = zip(
        numbers.get("operand_batching_dims", []), numbers.get("start_indices_batching_dims", []), strict=True
    )
    for dim, indices_dim in batching:
        axis = indices_dim - (indices_dim > vector_dim)  # its position once the index vector is gone
        start[dim] = np.broadcast_to(_along(np.arange(batch[axis]), axis, len(batch)), batch)

    whole = [
        start[dim].reshape(batch + (1,) * x.ndim) + _along(np.arange(sizes[dim]), len(batch) + dim, len(batch) + x.ndim)
        for dim in range(x.ndim)
    ]
    result = x[tuple(whole)] if whole else np.broadcast_to(x, batch)
    dropped = [*numbers.get("collapsed_slice_dims", []), *numbers.get("operand_batching_dims", [])]
    result = result.reshape([*batch, *(size for dim, size in enumerate(sizes) if dim not in dropped)])

    offset_dims = numbers.get("offset_dims", [])
    batch_dims = [dim for dim in range(result.ndim) if dim not in offset_dims]
    return np.moveaxis(result, range(result.ndim), [*batch_dims, *offset_dims])


def _scatter(frame: Any, op: Op, *operands: Array) -> list[Array]:
    """The windows of updates one after the other, in the order of the index vectors, as XLA and compiled code take
    them; an update whose place lies outside the inputs is skipped."""
    count = len(operands) // 2
    results, updates = [x.copy() for x in operands[:count]], operands[count + 1 :]
    numbers, indices = op.attributes["scatter_dimension_numbers"], _clampable(operands[count])
    vector_dim = numbers.get("index_vector_dim", 0)
    if vector_dim == indices.ndim:
        indices = indices[..., None]
    vectors = np.moveaxis(indices, vector_dim, -1)
    window_dims = numbers.get("update_window_dims", [])
    scattered = [dim for dim in range(updates[0].ndim) if dim not in window_dims]
    batching = numbers.get("input_batching_dims", [])
    dropped = [*numbers.get("inserted_window_dims", []), *batching]
    kept = [dim for dim in range(results[0].ndim) if dim not in dropped]
    batching_axes = [dim - (dim > vector_dim) for dim in numbers.get("scatter_indices_batching_dims", [])]

    shape, order = updates[0].shape, [*scattered, *window_dims]
    for ordered in np.ndindex(*(shape[dim] for dim in order)):
        position = tuple(ordered[order.index(dim)] for dim in range(len(shape)))
        batch = ordered[: len(scattered)]
        place = [0] * results[0].ndim
        for component, dim in enumerate(numbers.get("scatter_dims_to_operand_dims", [])):
            place[dim] += int(vectors[(*batch, component)])
        for dim, axis in zip(batching, batching_axes, strict=True):
            place[dim] += batch[axis]
        for dim, window_dim in zip(kept, window_dims, strict=True):
            place[dim] += position[window_dim]
        if all(0 <= i < n for i, n in zip(place, results[0].shape, strict=True)):
            at = tuple(place)
            arguments = [
                np.asarray(array[index]) for arrays, index in ((results, at), (updates, position)) for array in arrays
            ]
            for result, value in zip(results, frame.run(op.regions[0], *arguments), strict=True):
                result[at] = value
    return results


def _clampable(indices: Array) -> Array:
    """Indices as int64; a huge unsigned one stays huge instead of becoming negative."""
    limit = np.iinfo(np.int64).max
    wide = indices.astype(np.uint64) if indices.dtype == np.uint64 else indices.astype(np.int64)
    return np.minimum(wide, np.uint64(limit)).astype(np.int64) if wide.dtype == np.uint64 else wide


def _along(vector: Array, axis: int, rank: int) -> Array:
    return vector.reshape([-1 if dim == axis else 1 for dim in range(rank)])


OPS: dict[str, Callable[..., Any]] = {"gather": _gather}

REGION_OPS: dict[str, Callable[..., Any]] = {"scatter": _scatter}
