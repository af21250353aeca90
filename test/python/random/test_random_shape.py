# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random cases of the shape family. The expected types are computed here, independently of both implementations."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from random_cases import (
    COMPLEX,
    DTYPES,
    FLOAT,
    INT,
    NARROW,
    PRED,
    SEEDS,
    Case,
    arrays,
    check,
    elements,
    ints,
    one_op,
    shapes,
    tensor,
)

ALL = PRED + NARROW + INT + FLOAT + COMPLEX


@given(st.sampled_from(NARROW + INT + FLOAT + COMPLEX), shapes(1), st.data())
def test_iota(name, dims, data):
    axis = data.draw(st.integers(0, len(dims) - 1))
    check(one_op("iota", [], [tensor(DTYPES[name], dims)], {"iota_dimension": f"{axis} : i64"}))


@given(arrays(ALL, shapes(0, 3)), st.data())
def test_broadcast_in_dim(x, data):
    rank = data.draw(st.integers(x.ndim, x.ndim + 2))
    dims = sorted(data.draw(st.permutations(range(rank)))[: x.ndim])
    result = [data.draw(st.integers(0, 5)) for _ in range(rank)]
    for size, dim in zip(x.shape, dims, strict=True):
        if size != 1 or data.draw(st.booleans()):
            result[dim] = size
    check(one_op("broadcast_in_dim", [x], [tensor(x.dtype, result)], {"broadcast_dimensions": ints(dims)}))


@given(arrays(ALL, shapes(0, 3)), st.lists(st.integers(0, 4), max_size=2))
def test_broadcast(x, sizes):
    check(one_op("broadcast", [x], [tensor(x.dtype, [*sizes, *x.shape])], {"broadcast_sizes": ints(sizes)}))


@given(arrays(ALL), st.data())
def test_reshape(x, data):
    remaining, dims = x.size, []
    while remaining > 1 and len(dims) < 4 and data.draw(st.booleans()):
        dims.append(data.draw(st.sampled_from([d for d in range(1, remaining + 1) if remaining % d == 0][:20])))
        remaining //= dims[-1]
    dims.append(remaining)
    if x.size == 1 and data.draw(st.booleans()):
        dims = []
    check(one_op("reshape", [x], [tensor(x.dtype, dims)]))


@given(arrays(ALL), st.data())
def test_transpose(x, data):
    permutation = data.draw(st.permutations(range(x.ndim)))
    dims = [x.shape[p] for p in permutation]
    check(one_op("transpose", [x], [tensor(x.dtype, dims)], {"permutation": ints(permutation)}))


@given(arrays(ALL), st.data())
def test_reverse(x, data):
    dims = [d for d in range(x.ndim) if data.draw(st.booleans())]
    check(one_op("reverse", [x], [tensor(x.dtype, x.shape)], {"dimensions": ints(dims)}))


@given(arrays(ALL, shapes(1, 3)), st.lists(st.integers(0, 20), max_size=3), SEEDS, st.data())
def test_concatenate(x, sizes, seed, data):
    axis = data.draw(st.integers(0, x.ndim - 1))
    shape = list(x.shape)
    pieces = [x]
    for i, size in enumerate(sizes):
        shape[axis] = size
        pieces.append(elements(x.dtype, shape, seed + i))
    shape[axis] = x.shape[axis] + sum(sizes)
    check(one_op("concatenate", pieces, [tensor(x.dtype, shape)], {"dimension": f"{axis} : i64"}))


@given(arrays(ALL, shapes(0, 3)), SEEDS, st.data())
def test_pad(x, seed, data):
    low, high, interior, dims = [], [], [], []
    for size in x.shape:
        inside = data.draw(st.integers(0, 2))
        dilated = size + max(size - 1, 0) * inside
        before = data.draw(st.integers(-dilated, 4))
        after = data.draw(st.integers(-(dilated + before), 4)) if dilated + before >= 0 else 0
        low.append(before)
        high.append(after)
        interior.append(inside)
        dims.append(dilated + before + after)
    attributes = {"edge_padding_low": ints(low), "edge_padding_high": ints(high), "interior_padding": ints(interior)}
    check(one_op("pad", [x, elements(x.dtype, (), seed)], [tensor(x.dtype, dims)], attributes))


@given(arrays(NARROW + INT + FLOAT, shapes(0, 3)))
def test_constant(x):
    """A constant written as the hexadecimal form of its bytes."""
    t = tensor(x.dtype, x.shape)
    data = np.ascontiguousarray(x).tobytes().hex().upper()
    literal = f'"0x{data}"' if x.size else ""
    text = f"""func.func @main() -> {t} {{
  %r = "xla.constant"() {{value = dense<{literal}> : {t}}} : () -> {t}
  return %r : {t}
}}"""
    check(Case(text, []))
