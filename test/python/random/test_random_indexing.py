# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random cases of the indexing family; run-time positions lie inside, at the edges and far outside."""

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
    arrays,
    check,
    elements,
    ints,
    one_op,
    shapes,
    tensor,
)

ALL = PRED + NARROW + INT + FLOAT + COMPLEX
INDEX_TYPES = ["s8", "s32", "s64", "u8", "u32", "u64"]


@given(arrays(ALL), st.data())
def test_slice(x, data):
    starts, limits, strides, dims = [], [], [], []
    for size in x.shape:
        start = data.draw(st.integers(0, size))
        limit = data.draw(st.integers(start, size))
        stride = data.draw(st.integers(1, 4))
        starts.append(start)
        limits.append(limit)
        strides.append(stride)
        dims.append(-(-(limit - start) // stride))
    attributes = {"start_indices": ints(starts), "limit_indices": ints(limits), "strides": ints(strides)}
    check(one_op("slice", [x], [tensor(x.dtype, dims)], attributes))


def positions(data, shape):
    """Scalar start indices of one integer type."""
    dtype = DTYPES[data.draw(st.sampled_from(INDEX_TYPES))]
    info = np.iinfo(dtype)
    starts = []
    for size in shape:
        near = st.integers(max(int(info.min), -3), min(int(info.max), size + 3))
        starts.append(np.array(data.draw(st.one_of(near, st.sampled_from([int(info.min), int(info.max)]))), dtype))
    return starts


@given(arrays(ALL, shapes(0, 3, st.integers(1, 20))), st.data())
def test_dynamic_slice(x, data):
    sizes = [data.draw(st.integers(1, n)) for n in x.shape]
    operands = [x, *positions(data, x.shape)]
    check(one_op("dynamic_slice", operands, [tensor(x.dtype, sizes)], {"slice_sizes": ints(sizes)}))


@given(arrays(ALL, shapes(0, 3, st.integers(1, 20))), SEEDS, st.data())
def test_dynamic_update_slice(x, seed, data):
    update = elements(x.dtype, [data.draw(st.integers(1, n)) for n in x.shape], seed)
    check(one_op("dynamic_update_slice", [x, update, *positions(data, x.shape)], [tensor(x.dtype, x.shape)]))


@given(arrays(ALL, shapes(1, 3, st.integers(1, 9))), SEEDS, st.data())
def test_gather(x, seed, data):
    draw = data.draw
    batching = [d for d in range(x.ndim) if draw(st.integers(0, 3)) == 0]
    mapped = [d for d in draw(st.permutations(range(x.ndim))) if d not in batching and draw(st.booleans())]
    collapsed = [d for d in range(x.ndim) if d not in batching and draw(st.booleans())]
    dropped = [*batching, *collapsed]
    sizes = [1 if d in dropped else draw(st.integers(1, x.shape[d])) for d in range(x.ndim)]

    # The batch of the indices: the batching dims of the operand at drawn positions among further dims.
    batch = [x.shape[d] for d in batching] + draw(st.lists(st.integers(1, 4), max_size=2))
    order = draw(st.permutations(range(len(batch))))
    batch_dims = [batch[i] for i in order]
    indices_batching = [order.index(i) for i in range(len(batching))]
    vector_dim = draw(st.integers(0, len(batch_dims)))
    implicit = len(mapped) == 1 and vector_dim == len(batch_dims) and draw(st.booleans())
    indices_shape = list(batch_dims)
    if not implicit:
        indices_shape.insert(vector_dim, len(mapped))
    indices_batching = [d + (not implicit and d >= vector_dim) for d in indices_batching]

    dtype = DTYPES[draw(st.sampled_from(INDEX_TYPES))]
    rng = np.random.default_rng(seed)
    indices = rng.integers(0 if dtype.kind == "u" else -3, 12, indices_shape).astype(dtype)

    offsets = [sizes[d] for d in range(x.ndim) if d not in dropped]
    rank = len(batch_dims) + len(offsets)
    offset_dims = sorted(draw(st.permutations(range(rank)))[: len(offsets)])
    rest, result = iter(batch_dims), []
    for d in range(rank):
        result.append(offsets[offset_dims.index(d)] if d in offset_dims else next(rest))
    keys = {
        "offset_dims": offset_dims,
        "collapsed_slice_dims": collapsed,
        "operand_batching_dims": batching,
        "start_indices_batching_dims": indices_batching,
        "start_index_map": mapped,
    }
    numbers = ", ".join(
        [*(f"{key} = {value}" for key, value in keys.items() if value), f"index_vector_dim = {vector_dim}"]
    )
    attributes = {
        "dimension_numbers": f"#xla.gather<{numbers}>",
        "slice_sizes": ints(sizes),
        "indices_are_sorted": "false",
    }
    check(one_op("gather", [x, indices], [tensor(x.dtype, result)], attributes))
