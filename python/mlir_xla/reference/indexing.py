# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The indexing family: gather and scatter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ._program import Block, Op

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
    results, updates = [np.array(x, order="C") for x in operands[:count]], operands[count + 1 :]
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

    # All updates in order, and the index of each in every dimension of the results; one that overflows is negative.
    order = [*scattered, *window_dims]
    positions = np.indices([updates[0].shape[dim] for dim in order]).reshape(len(order), updates[0].size)
    batch, window = positions[: len(scattered)], positions[len(scattered) :]
    index = np.zeros((results[0].ndim, updates[0].size), np.int64)
    for component, dim in enumerate(numbers.get("scatter_dims_to_operand_dims", [])):
        index[dim] += vectors[(*batch, component)]
    for dim, axis in zip(batching, batching_axes, strict=True):
        index[dim] += batch[axis]
    for dim, position in zip(kept, window, strict=True):
        index[dim] += position
    inside = np.ones(updates[0].size, bool)
    places = np.zeros(updates[0].size, np.int64)
    for i, n in zip(index, results[0].shape, strict=True):
        inside &= (0 <= i) & (i < n)
        places = places * n + i
    taken = [update.transpose(order).reshape(-1)[inside] for update in updates]
    combine_in_order(frame, op.regions[0], results, places[inside], taken)
    return results


def combine_in_order(frame: Any, region: Block, arrays: list[Array], places: Array, updates: list[Array]) -> None:
    """Combines the elements of ``arrays`` at ``places``, positions in row-major order, with ``updates`` in this order.
    Places do not see each other: the first update of each is made, on whole arrays, then the second, and so on."""
    by_place = np.argsort(places, kind="stable")
    _, first, counts = np.unique(places[by_place], return_index=True, return_counts=True)
    turns = np.arange(places.size) - np.repeat(first, counts)  # how many updates of the place come before
    by_turn = by_place[np.argsort(turns, kind="stable")]
    sizes = np.bincount(turns)
    flat = [array.reshape(-1) for array in arrays]
    for turn in np.split(by_turn, np.cumsum(sizes)[:-1]):
        at = places[turn]
        arguments = [array[at] for array in flat] + [update[turn] for update in updates]
        for array, value in zip(flat, frame.run_elementwise(region, at.shape, *arguments), strict=True):
            array[at] = value


def _clampable(indices: Array) -> Array:
    """Indices as int64; a huge unsigned one stays huge instead of becoming negative."""
    limit = np.iinfo(np.int64).max
    wide = indices.astype(np.uint64) if indices.dtype == np.uint64 else indices.astype(np.int64)
    return np.minimum(wide, np.uint64(limit)).astype(np.int64) if wide.dtype == np.uint64 else wide


def _along(vector: Array, axis: int, rank: int) -> Array:
    return vector.reshape([-1 if dim == axis else 1 for dim in range(rank)])


OPS: dict[str, Callable[..., Any]] = {"gather": _gather}

REGION_OPS: dict[str, Callable[..., Any]] = {"scatter": _scatter}
