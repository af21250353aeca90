# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The reduction family: reduce, reduce_window, select_and_scatter, scan and map, with any region.

The region is evaluated on whole arrays: a reduction is a fold over its reduced positions, each step of which combines
the running values of all results at once. A fold may associate as it likes: long ones combine neighbours pairwise, and
a plain sum, product, minimum or maximum is formed at full precision and rounded once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np

from ._numerics import narrow, widen
from ._program import Block, Op
from ._types import element_of
from .indexing import combine_in_order
from .shape import dilated_size, pad

Array = np.ndarray
# A fold of at most this many steps goes from left to right, as the reference semantics say.
_SEQUENTIAL = 256
_MONOIDS = {"add", "multiply", "minimum", "maximum", "and", "or", "xor"}


def _monoid(block: Block) -> str | None:
    """The name of the op if the region is that one binary op applied to its two parameters."""
    if len(block.ops) != 2 or len(block.arguments) != 2:
        return None
    op, terminator = block.ops
    plain = op.name in _MONOIDS and set(op.operands) == set(block.arguments) and terminator.operands == op.results
    return op.name if plain else None


def _combine(frame: Any, block: Block) -> Callable[[list[Array], list[Array]], list[Array]]:
    """The region as a function of running values and inputs, all of one shape."""

    def combine(running: list[Array], inputs: list[Array]) -> list[Array]:
        return frame.run_elementwise(
            block, inputs[0].shape, *(np.broadcast_to(r, inputs[0].shape) for r in running), *inputs
        )

    return combine


def _fold(
    frame: Any,
    block: Block,
    inits: list[Array],
    count: int,
    at: Callable[[int], list[Array]],
    stack: Callable[[], list[Array]],
) -> list[Array]:
    """Folds ``count`` >= 1 steps: ``at(k)`` gives the inputs of step k, ``stack()`` those of all steps, step first."""
    combine = _combine(frame, block)
    if (name := _monoid(block)) and element_of(inits[0]).kind != "pred":
        element = element_of(inits[0])
        if element.kind in ("float", "complex") and name in ("add", "multiply"):
            total = widen(inits[0])
            for k in range(count):
                total = (np.add if name == "add" else np.multiply)(total, widen(at(k)[0]))
            return [narrow(total, element)]
    if count <= _SEQUENTIAL:
        running = inits
        for k in range(count):
            running = combine(running, at(k))
        return running
    steps = stack()
    while len(steps[0]) > 1:
        even = len(steps[0]) // 2 * 2
        paired = combine([s[0:even:2] for s in steps], [s[1:even:2] for s in steps])
        steps = [np.concatenate([p, s[even:]]) for p, s in zip(paired, steps, strict=True)]
    return combine(inits, [s[0] for s in steps])


def _reduce(frame: Any, op: Op, *operands: Array) -> list[Array]:
    arrays, inits = operands[: len(operands) // 2], list(operands[len(operands) // 2 :])
    dimensions = sorted(op.attributes["dimensions"])
    kept = [d for d in range(arrays[0].ndim) if d not in dimensions]
    dims = tuple(arrays[0].shape[d] for d in kept)
    # Reduced dimensions first, joined to one, in row-major order.
    steps = [a.transpose(*dimensions, *kept).reshape((-1, *dims) if a.size else (0, *dims)) for a in arrays]
    count = int(np.prod([arrays[0].shape[d] for d in dimensions], dtype=np.int64))
    if count == 0 or 0 in dims:
        return [np.broadcast_to(init, dims) for init in inits]
    if (
        not dims
        and (name := _monoid(op.regions[0])) in ("add", "multiply")
        and element_of(inits[0]).kind in ("float", "complex")
    ):
        ufunc = np.add if name == "add" else np.multiply
        neutral = -0.0 if name == "add" else 1.0  # NumPy's own, 0, would lose the sign of a sum of -0
        return [narrow(ufunc(widen(inits[0]), ufunc.reduce(widen(steps[0]), initial=neutral)), element_of(inits[0]))]
    return _fold(frame, op.regions[0], inits, count, lambda k: [s[k] for s in steps], lambda: steps)


def _window_positions(op: Op, rank: int) -> tuple[list[int], list[int], list[int], list[int], list[list[int]]]:
    a = op.attributes
    ones = [1] * rank
    padding = np.asarray(a["padding"]).reshape(rank, 2).tolist() if a.get("padding") is not None else [[0, 0]] * rank
    return (
        a.get("window_dimensions") or ones,
        a.get("window_strides") or ones,
        a.get("base_dilations") or ones,
        a.get("window_dilations") or ones,
        padding,
    )


def window_count(padded: int, window: int, dilation: int, stride: int) -> int:
    """Number of positions of a dilated window on a padded base."""
    extent = dilated_size(window, dilation)
    return 0 if padded < extent else (padded - extent) // stride + 1


def _cumulative(
    shape: Sequence[int],
    window: Sequence[int],
    strides: Sequence[int],
    base_dilations: Sequence[int],
    window_dilations: Sequence[int],
    padding: Sequence[Sequence[int]],
) -> tuple[int, bool] | None:
    """The dimension along which windows hold all elements up to theirs (True: from theirs on), if there is one."""
    found = None
    for d, size in enumerate(shape):
        steps = (window[d], strides[d], base_dilations[d], window_dilations[d])
        low, high = padding[d]
        if steps == (1, 1, 1, 1) and low == high == 0:
            continue
        if found or steps != (size, 1, 1, 1) or sorted((low, high)) != [0, size - 1]:
            return None
        found = (d, low == 0)
    return found


def _is_kept(frame: Any, region: Any, inits: Sequence[Array]) -> bool:
    """Whether the body makes the initial values of themselves, however often."""
    results = frame.run_elementwise(region, (), *inits, *inits)
    return all(np.asarray(r).tobytes() == np.asarray(i).tobytes() for r, i in zip(results, inits, strict=True))


def _accumulate(
    frame: Any, region: Any, arrays: Sequence[Array], inits: list[Array], dimension: int, is_reversed: bool
) -> list[Array]:
    """Cumulative windows, where padding is left out and init counts once, as XLA's compiler for the CPU has it."""
    size = arrays[0].shape[dimension]

    def window(i: int) -> list[Array]:
        first, last = (i, size) if is_reversed else (0, i + 1)
        parts = [np.moveaxis(a, dimension, 0)[first:last] for a in arrays]
        return _fold(frame, region, inits, last - first, lambda k: [a[k] for a in parts], lambda: parts)

    columns = [window(i) for i in range(size)]
    return [np.stack(column, dimension) for column in zip(*columns, strict=True)]


def _prefixes(combine: Callable[[list[Array], list[Array]], list[Array]], steps: list[Array]) -> list[Array]:
    """What the first step, the first two, and so on combine to: neighbours in pairs, in memory for as many steps."""
    count = len(steps[0])
    if count == 1:
        return steps
    even = count // 2 * 2
    pairs = _prefixes(combine, combine([s[0:even:2] for s in steps], [s[1:even:2] for s in steps]))
    results = [np.empty_like(step) for step in steps]
    for result, step, pair in zip(results, steps, pairs, strict=True):
        result[0], result[1::2] = step[0], pair
    if count > 2:
        last = combine([pair[: (count - 1) // 2] for pair in pairs], [s[2::2] for s in steps])
        for result, values in zip(results, last, strict=True):
            result[2::2] = values
    return results


def _accumulate_long(
    frame: Any, region: Any, arrays: Sequence[Array], inits: list[Array], dimension: int, is_reversed: bool
) -> list[Array]:
    """The same of any length, of which windows one after the other would take the square, in time and in memory."""
    backwards = slice(None, None, -1) if is_reversed else slice(None)
    steps = [np.moveaxis(a, dimension, 0)[backwards] for a in arrays]
    combine, element = _combine(frame, region), element_of(inits[0])
    if (name := _monoid(region)) in ("add", "multiply") and element.kind in ("float", "complex"):
        ufunc = np.add if name == "add" else np.multiply
        results = [narrow(ufunc(widen(inits[0]), ufunc.accumulate(widen(steps[0]), axis=0)), element)]
    else:
        results = combine(inits, _prefixes((lambda a, b: combine(b, a)) if is_reversed else combine, steps))
    return [np.moveaxis(result[backwards], 0, dimension) for result in results]


def _reduce_window(frame: Any, op: Op, *operands: Array) -> list[Array]:
    arrays, inits = operands[: len(operands) // 2], list(operands[len(operands) // 2 :])
    window, strides, base_dilations, window_dilations, padding = _window_positions(op, arrays[0].ndim)
    low, high = [p[0] for p in padding], [p[1] for p in padding]
    interior = [d - 1 for d in base_dilations]
    sizes = [
        dilated_size(n, d) + lo + hi for n, d, lo, hi in zip(arrays[0].shape, base_dilations, low, high, strict=True)
    ]
    dims = tuple(map(window_count, [max(0, s) for s in sizes], window, window_dilations, strides))
    if 0 in dims:
        return [np.empty(dims, init.dtype) for init in inits]
    cumulative = _cumulative(arrays[0].shape, *_window_positions(op, arrays[0].ndim))
    if cumulative and arrays[0].shape[cumulative[0]] > _SEQUENTIAL:
        return _accumulate_long(frame, op.regions[0], arrays, inits, *cumulative)
    if cumulative and not _is_kept(frame, op.regions[0], inits):
        return _accumulate(frame, op.regions[0], arrays, inits, *cumulative)
    # Positions outside the base and in its holes hold init.
    padded = [pad(a, init, low, high, interior) for a, init in zip(arrays, inits, strict=True)]
    elements = list(product(*map(range, window)))

    def at(step: int) -> list[Array]:
        index = tuple(
            slice(k * dilation, k * dilation + (n - 1) * stride + 1, stride)
            for k, dilation, stride, n in zip(elements[step], window_dilations, strides, dims, strict=True)
        )
        return [p[index] for p in padded]

    def stack() -> list[Array]:
        return [np.stack(column) for column in zip(*map(at, range(len(elements))), strict=True)]

    return _fold(frame, op.regions[0], inits, len(elements), at, stack)


def _select_and_scatter(frame: Any, op: Op, operand: Array, source: Array, init: Array) -> list[Array]:
    """Every window keeps its best element so far, in row-major order; then the values of ``source`` go there."""
    select, scatter = op.regions
    if operand.ndim == 0:
        return frame.run(scatter, init, source)
    window, strides, _, _, padding = _window_positions(op, operand.ndim)
    result = np.broadcast_to(init, operand.size).copy()
    places = np.full(source.shape, -1)  # none yet
    chosen = np.broadcast_to(init, source.shape)
    if source.size and operand.size:
        positions = np.indices(source.shape)
        for element in product(*map(range, window)):
            index = [
                p * stride + k - low
                for p, stride, k, (low, _) in zip(positions, strides, element, padding, strict=True)
            ]
            inside = np.logical_and.reduce([(0 <= i) & (i < n) for i, n in zip(index, operand.shape, strict=True)])
            here = np.ravel_multi_index(index, operand.shape, mode="clip")
            value = operand.reshape(-1)[here]
            keep = frame.run_elementwise(select, source.shape, chosen, value)[0]
            better = inside & ((places < 0) | ~keep)
            places, chosen = np.where(better, here, places), np.where(better, value, chosen)
    found = places >= 0
    combine_in_order(frame, scatter, [result], places[found], [source[found]])
    return [result.reshape(operand.shape)]


def _scan(frame: Any, op: Op, *operands: Array) -> list[Array]:
    """The region on one slice after the other."""
    count = op.attributes["operandSegmentSizes"][0]
    arrays, carried = operands[:count], list(operands[count:])
    outputs = len(op.results) - len(carried)
    dimension = op.attributes["dimension"]
    steps = op.attributes.get("scan_dim_size")
    if steps is None:
        steps = (arrays[0].shape if arrays else op.result_types[0].shape)[dimension]  # type: ignore[union-attr]
    results = [np.zeros(type_.shape, type_.dtype) for type_ in op.result_types[:outputs]]  # type: ignore[union-attr]
    for step in reversed(range(steps)) if op.attributes.get("is_reverse") else range(steps):
        at = (*(slice(None),) * dimension, step)
        values = frame.run(op.regions[0], *(np.asarray(array[at]) for array in arrays), *carried)
        for result, value in zip(results, values, strict=False):
            result[at] = value
        carried = list(values[outputs:])
    return [*results, *carried]


REGION_OPS: dict[str, Callable[..., Any]] = {
    "reduce": _reduce,
    "reduce_window": _reduce_window,
    "select_and_scatter": _select_and_scatter,
    "scan": _scan,
}
