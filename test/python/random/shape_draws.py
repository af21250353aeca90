# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs of one operation that moves elements: the families shape and indexing, on all element types. Nothing
is computed but by the combiners of scatter, on whole numbers; results are compared to the bit."""

from __future__ import annotations

import numpy as np
from draws import ALL, CLASSES, INDEX, Case, Draw, one_op
from random_cases import DTYPES, binary_region, ints, region, tensor


def _any(d: Draw, least: int = 0, most: int = 4, limit: int = 3000) -> np.ndarray:
    return d.array(d.choice(ALL), d.dims(least, most, limit), d.choice(["any", "bits"]))


def iota(d: Draw) -> Case:
    name = d.name("INT", "FLOAT", "COMPLEX", "TINY")
    dims = d.dims(1)
    axis = d.randrange(len(dims))
    # The numbers that the tiny types cannot hold are open.
    xla = name in CLASSES["FLOAT"] + ["s32", "s64", "u32", "u64"]
    return one_op("iota", [], [tensor(DTYPES[name], dims)], {"iota_dimension": f"{axis} : i64"}, xla=xla)


def broadcast_in_dim(d: Draw) -> Case:
    x = _any(d, 0, 3, 200)
    rank = d.randint(x.ndim, x.ndim + 2)
    places = sorted(d.sample(range(rank), x.ndim))
    result = [d.choice([1, 2, 3, 5, 9, 0]) if d.chance(0.1) else d.randint(1, 5) for _ in range(rank)]
    for size, place in zip(x.shape, places, strict=True):
        if size != 1 or d.chance(0.5):
            result[place] = size
    return one_op("broadcast_in_dim", [x], [tensor(x.dtype, result)], {"broadcast_dimensions": ints(places)})


def broadcast(d: Draw) -> Case:
    x, sizes = _any(d, 0, 3, 300), [d.randint(0, 4) for _ in range(d.randint(0, 2))]
    return one_op("broadcast", [x], [tensor(x.dtype, [*sizes, *x.shape])], {"broadcast_sizes": ints(sizes)})


def reshape(d: Draw) -> Case:
    x = _any(d)
    rest, dims = x.size, []
    while rest > 1 and len(dims) < 4 and d.chance(0.7):
        dims.append(d.choice([n for n in range(1, rest + 1) if rest % n == 0][:20]))
        rest //= dims[-1]
    dims = [] if x.size == 1 and d.chance(0.5) else [*dims, rest]
    return one_op("reshape", [x], [tensor(x.dtype, dims)])


def transpose(d: Draw) -> Case:
    x = _any(d)
    order = d.shuffled(range(x.ndim))
    return one_op("transpose", [x], [tensor(x.dtype, [x.shape[p] for p in order])], {"permutation": ints(order)})


def reverse(d: Draw) -> Case:
    x = _any(d)
    return one_op("reverse", [x], [tensor(x.dtype, x.shape)], {"dimensions": ints(d.subset(range(x.ndim)))})


def concatenate(d: Draw) -> Case:
    x = _any(d, 1, 3, 1000)
    axis = d.randrange(x.ndim)
    pieces, dims = [x], list(x.shape)
    for _ in range(d.randint(0, 3)):
        size = [d.size() if i == axis else n for i, n in enumerate(x.shape)]
        pieces.append(d.array(d.choice([n for n in ALL if DTYPES[n] == x.dtype]), size))
        dims[axis] += size[axis]
    return one_op("concatenate", pieces, [tensor(x.dtype, dims)], {"dimension": f"{axis} : i64"})


def pad(d: Draw) -> Case:
    name = d.choice(ALL)
    x = d.array(name, d.dims(0, 3, 800))
    low, high, interior, dims = [], [], [], []
    for size in x.shape:
        inside = d.choice([0, 0, 0, 1, 2])
        dilated = size + max(size - 1, 0) * inside
        before = d.choice([0, 0, d.randint(-dilated, 4), 1])
        after = d.choice([0, d.randint(-(dilated + before), 4), 1]) if dilated + before >= 0 else 0
        low.append(before), high.append(after), interior.append(inside)
        dims.append(dilated + before + after)
    attributes = {"edge_padding_low": ints(low), "edge_padding_high": ints(high), "interior_padding": ints(interior)}
    return one_op("pad", [x, d.array(name, ())], [tensor(x.dtype, dims)], attributes)


def slice_(d: Draw) -> Case:
    x = _any(d)
    starts = [d.randint(0, n) for n in x.shape]
    limits = [d.randint(s, n) for s, n in zip(starts, x.shape, strict=True)]
    strides = [d.choice([1, 1, 2, 3, 4, 70]) for _ in x.shape]
    dims = [-(-(b - a) // s) for a, b, s in zip(starts, limits, strides, strict=True)]
    attributes = {"start_indices": ints(starts), "limit_indices": ints(limits), "strides": ints(strides)}
    return one_op("slice", [x], [tensor(x.dtype, dims)], attributes)


def _positions(d: Draw, shape) -> list[np.ndarray]:
    """Starts of one type: inside, at the edges, far outside."""
    dtype = DTYPES[d.choice(INDEX)]
    info = np.iinfo(dtype)
    found = []
    for size in shape:
        near = d.randint(max(int(info.min), -3), min(int(info.max), size + 3))
        found.append(np.array(near if d.chance(0.8) else d.choice([int(info.min), int(info.max)]), dtype))
    return found


def dynamic_slice(d: Draw) -> Case:
    x = _any(d, 0, 3)
    sizes = [d.choice([n, d.randint(0, n), min(n, 1)]) for n in x.shape]
    operands = [x, *_positions(d, x.shape)]
    return one_op("dynamic_slice", operands, [tensor(x.dtype, sizes)], {"slice_sizes": ints(sizes)})


def dynamic_update_slice(d: Draw) -> Case:
    name = d.choice(ALL)
    x = d.array(name, d.dims(0, 3))
    update = d.array(name, [d.choice([n, d.randint(0, n), min(n, 1)]) for n in x.shape])
    return one_op("dynamic_update_slice", [x, update, *_positions(d, x.shape)], [tensor(x.dtype, x.shape)])


def get_dimension_size(d: Draw) -> Case:
    x = _any(d, 1)
    return one_op("get_dimension_size", [x], ["tensor<i32>"], {"dimension": f"{d.randrange(x.ndim)} : i64"})


def constant(d: Draw) -> Case:
    """Written as the hexadecimal form of its bytes, and read through an operation that moves it."""
    x = d.array(d.name("INT", "FLOAT"), d.dims(0, 3, 300), "bits")
    return one_op("reverse", [x], [tensor(x.dtype, x.shape)], {"dimensions": ints(range(x.ndim))}, constants=1)


class _Windows:
    """Windows into an array at indices that are data: what gather and scatter have in common."""

    def __init__(self, d: Draw, shape, collapsible: bool = True) -> None:
        rank = len(shape)
        self.batching = [i for i in range(rank) if shape[i] and d.chance(0.2)]
        self.mapped = [i for i in d.shuffled(range(rank)) if i not in self.batching and d.chance(0.6)]
        self.collapsed = [i for i in range(rank) if i not in self.batching and shape[i] and d.chance(0.5)]
        self.dropped = [*self.batching, *self.collapsed]
        self.sizes = [
            1 if i in self.dropped else d.choice([n, d.randint(min(n, 1), n), min(n, 1)]) for i, n in enumerate(shape)
        ]
        # The batch of the indices: the batching dims at drawn positions among further ones.
        batch = [shape[i] for i in self.batching] + [d.choice([1, 2, 3, 5, 17]) for _ in range(d.randint(0, 2))]
        order = d.shuffled(range(len(batch)))
        self.batch = [batch[i] for i in order]
        places = [order.index(i) for i in range(len(self.batching))]
        self.vector_dim = d.randint(0, len(batch))
        implicit = len(self.mapped) == 1 and self.vector_dim == len(batch) and d.chance(0.5)
        indices = list(self.batch)
        if not implicit:
            indices.insert(self.vector_dim, len(self.mapped))
        self.indices_batching = [p + (not implicit and p >= self.vector_dim) for p in places]
        self.window = [self.sizes[i] for i in range(rank) if i not in self.dropped]
        full = len(self.batch) + len(self.window)
        self.window_dims = sorted(d.sample(range(full), len(self.window)))
        rest, self.result = iter(self.batch), []
        for i in range(full):
            self.result.append(self.window[self.window_dims.index(i)] if i in self.window_dims else next(rest))
        dtype = DTYPES[d.choice(INDEX)]
        rng = np.random.default_rng(d.randrange(2**31))
        top = max([shape[i] for i in self.mapped], default=1)
        low = 0 if dtype.kind == "u" else -2
        self.indices = rng.integers(low, min(top + 3, 127), indices).astype(dtype)
        if d.chance(0.1):
            self.indices = rng.integers(np.iinfo(dtype).min, np.iinfo(dtype).max, indices, dtype, endpoint=True)

    def numbers(self, attribute: str, **keys) -> str:
        written = [f"{key} = {value}" for key, value in keys.items() if value]
        return f"#xla.{attribute}<{', '.join([*written, f'index_vector_dim = {self.vector_dim}'])}>"


def gather(d: Draw) -> Case:
    x = _any(d, 1, 4, 800)
    w = _Windows(d, x.shape)
    numbers = w.numbers(
        "gather",
        offset_dims=w.window_dims,
        collapsed_slice_dims=w.collapsed,
        operand_batching_dims=w.batching,
        start_indices_batching_dims=w.indices_batching,
        start_index_map=w.mapped,
    )
    attributes = {"dimension_numbers": numbers, "slice_sizes": ints(w.sizes), "indices_are_sorted": "false"}
    return one_op("gather", [x, w.indices], [tensor(x.dtype, w.result)], attributes)


def _update(d: Draw, dtype: np.dtype) -> tuple[str, str]:
    """A computation of an update, and the kind of elements for which every order gives the same, or only one."""
    t = tensor(dtype, ())
    integer = dtype == np.bool_ or "int" in dtype.name
    choices = ["set", "set", "add", "maximum", "minimum"]
    if dtype.kind == "c":
        choices = ["set", "add", "subtract"]
    elif dtype == np.bool_:
        choices = ["set", "and", "or", "xor"]
    elif integer:
        choices += ["multiply", "xor", "subtract", "mixed"]
    op = d.choice(choices)
    if op == "set":
        return region(t, t, body=f'  "xla.return"(%p1) : ({t}) -> ()'), "any"
    if op == "mixed":  # does not commute: updates of one element are combined in the order of their indices
        body = f"""  %0 = "xla.add"(%p0, %p0) : ({t}, {t}) -> {t}
  %1 = "xla.subtract"(%p1, %0) : ({t}, {t}) -> {t}
  "xla.return"(%1) : ({t}) -> ()"""
        return region(t, t, body=body), "any"
    return binary_region(op, dtype), "small" if not integer and op in ("add", "subtract") else "any"


def scatter(d: Draw) -> Case:
    name = d.name("PRED", "INT", "FLOAT", "COMPLEX", "TINY")
    dtype, shape = DTYPES[name], d.dims(1, 4, 800)
    w = _Windows(d, shape)
    computation, kind = _update(d, dtype)
    if name in ("float8_e8m0fnu",) or (kind == "small" and (dtype.itemsize == 1 or d.chance(0.5))):
        computation, kind = _set(dtype), "any"
    operand, updates = d.array(name, shape, kind), d.array(name, w.result, kind)
    if kind == "small" and dtype.itemsize <= 2:
        # Sums of more than 64 terms of 2 may round.
        operand, updates = np.sign(operand), np.sign(updates)
    numbers = w.numbers(
        "scatter",
        update_window_dims=w.window_dims,
        inserted_window_dims=w.collapsed,
        input_batching_dims=w.batching,
        scatter_indices_batching_dims=w.indices_batching,
        scatter_dims_to_operand_dims=w.mapped,
    )
    attributes = {"scatter_dimension_numbers": numbers}
    operands, results = [operand, w.indices, updates], [tensor(dtype, shape)]
    if d.chance(0.2):
        operands, computation = _two(d, operands, name)
        results = 2 * results
    # XLA skips a window that is not inside as a whole.
    xla = all(w.sizes[i] == 1 for i in w.mapped)
    return one_op("scatter", operands, results, attributes, [computation], signed_zeros=kind != "small", xla=xla)


def _set(dtype: np.dtype) -> str:
    t = tensor(dtype, ())
    return region(t, t, body=f'  "xla.return"(%p1) : ({t}) -> ()')


def _two(d: Draw, operands: list[np.ndarray], name: str) -> tuple[list[np.ndarray], str]:
    """Two arrays at once; the computation exchanges them."""
    x, indices, updates = operands
    t = tensor(x.dtype, ())
    more = [x, d.array(name, x.shape), indices, updates, d.array(name, updates.shape)]
    return more, region(t, t, t, t, body=f'  "xla.return"(%p3, %p0) : ({t}, {t}) -> ()')


DRAWS = {
    iota: 1,
    broadcast_in_dim: 2,
    broadcast: 1,
    reshape: 2,
    transpose: 2,
    reverse: 1,
    concatenate: 2,
    pad: 2,
    slice_: 2,
    dynamic_slice: 2,
    dynamic_update_slice: 2,
    get_dimension_size: 1,
    constant: 1,
    gather: 5,
    scatter: 6,
}
