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
    Case,
    arrays,
    binary_region,
    check,
    elements,
    ints,
    one_op,
    region,
    shapes,
    tensor,
    type_of,
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


def index_vectors(draw, batch, num_batching, length):
    """Places the dimensions of `batch`, the first of which are batching dimensions of the operand, and that of an index
    vector of `length` (implicit at times, if it is 1) in the indices: the batch in their order, the shape of the
    indices, where the batching dimensions are in it, and the vector's dimension."""
    order = draw(st.permutations(range(len(batch))))
    batch_dims = [batch[i] for i in order]
    batching = [order.index(i) for i in range(num_batching)]
    vector_dim = draw(st.integers(0, len(batch_dims)))
    implicit = length == 1 and vector_dim == len(batch_dims) and draw(st.booleans())
    shape = list(batch_dims)
    if not implicit:
        shape.insert(vector_dim, length)
    return batch_dims, shape, [d + (not implicit and d >= vector_dim) for d in batching], vector_dim


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
    batch_dims, indices_shape, indices_batching, vector_dim = index_vectors(draw, batch, len(batching), len(mapped))

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


def combiner(data, dtype, ordered):
    """The region of a scatter of one array. Not ``ordered``: one whose updates may be applied in any order."""
    t, name = tensor(dtype, ()), np.dtype(dtype).name
    if not ordered:
        commuting = ["maximum", "minimum"] if "complex" not in name else []
        if "int" in name:
            commuting += ["add", "multiply", "xor"]
        if name == "bool":
            commuting += ["and", "or"]
        if commuting:
            return binary_region(data.draw(st.sampled_from(commuting)), dtype)
        zero = f'  %z = "xla.subtract"(%p0, %p0) : ({t}, {t}) -> {t}\n  "xla.return"(%z) : ({t}) -> ()'
        return region(t, t, body=zero)
    kinds = {
        "replace": f'  "xla.return"(%p1) : ({t}) -> ()',
        "keep": f'  "xla.return"(%p0) : ({t}) -> ()',
    }
    if name != "bool":
        kinds["difference"] = f'  %r = "xla.subtract"(%p0, %p1) : ({t}, {t}) -> {t}\n  "xla.return"(%r) : ({t}) -> ()'
        kinds["several"] = (
            f'  %s = "xla.add"(%p1, %p1) : ({t}, {t}) -> {t}\n  %r = "xla.subtract"(%s, %p0) : ({t}, {t}) -> {t}\n'
            f'  "xla.return"(%r) : ({t}) -> ()'
        )
    if "complex" not in name:
        b = "tensor<i1>"
        kinds["condition"] = (
            f"  %c = xla.compare GT, %p1, %p0 : ({t}, {t}) -> {b}\n"
            f'  %r = "xla.if"(%c) ({{\n    "xla.return"(%p0) : ({t}) -> ()\n  }}, '
            f'{{\n    "xla.return"(%p1) : ({t}) -> ()\n  }}) : ({b}) -> {t}\n  "xla.return"(%r) : ({t}) -> ()'
        )
    return region(t, t, body=kinds[data.draw(st.sampled_from(sorted(kinds)))])


@given(
    arrays(ALL + ["float8_e4m3fn", "float8_e5m2"], shapes(0, 4, st.sampled_from([1, 2, 3, 5, 9, 20, 37])), "small"),
    SEEDS,
    st.data(),
)
def test_scatter(x, seed, data):
    draw = data.draw
    batching = [d for d in range(x.ndim) if draw(st.integers(0, 4)) == 0]
    mapped = [d for d in draw(st.permutations(range(x.ndim))) if d not in batching and draw(st.booleans())]
    inserted = [d for d in range(x.ndim) if d not in batching and draw(st.booleans())]
    dropped = [*batching, *inserted]
    window = [draw(st.one_of(st.just(n), st.integers(0, n))) for d, n in enumerate(x.shape) if d not in dropped]

    # The batch of the indices: the batching dims of the input at drawn positions among further dims.
    batch = [x.shape[d] for d in batching] + draw(st.lists(st.sampled_from([1, 2, 5, 70]), max_size=2))
    batch_dims, indices_shape, indices_batching, vector_dim = index_vectors(draw, batch, len(batching), len(mapped))

    dtype = DTYPES[draw(st.sampled_from([*INDEX_TYPES, "s16", "s4", "u4"]))]
    rng = np.random.default_rng(seed)
    unsigned = np.dtype(dtype).name.startswith("u")
    indices = rng.integers(0 if unsigned else -3, min(max([6, *x.shape]) + 2, 7), indices_shape, endpoint=True)
    if not unsigned and np.dtype(dtype).itemsize > 1:
        edges = np.array([np.iinfo(dtype).min, np.iinfo(dtype).max])
        indices = np.where(rng.random(indices_shape) < 0.1, rng.choice(edges, indices_shape), indices)
    indices = indices.astype(dtype)

    rank = len(batch_dims) + len(window)
    # Behind the batch, windows are applied as a whole; elsewhere the order of updates is another one here and there.
    ordered = draw(st.booleans())
    window_dims = (
        list(range(len(batch_dims), rank)) if ordered else sorted(draw(st.permutations(range(rank)))[: len(window)])
    )
    rest, extents, update = iter(batch_dims), iter(window), []
    for d in range(rank):
        update.append(next(extents) if d in window_dims else next(rest))
    keys = {
        "update_window_dims": window_dims,
        "inserted_window_dims": inserted,
        "input_batching_dims": batching,
        "scatter_indices_batching_dims": indices_batching,
        "scatter_dims_to_operand_dims": mapped,
    }
    numbers = ", ".join(
        [*(f"{key} = {value}" for key, value in keys.items() if value), f"index_vector_dim = {vector_dim}"]
    )
    operands = [x, indices, elements(x.dtype, update, seed + 1, "small")]
    attributes = {"scatter_dimension_numbers": f"#xla.scatter<{numbers}>"}
    check(
        one_op("scatter", operands, [type_of(x)], attributes, [combiner(data, x.dtype, ordered)], signed_zeros=ordered)
    )


@given(st.integers(0, 3), st.integers(1, 40), SEEDS)
def test_scatter_of_several_arrays(windows, size, seed):
    """The largest update of each element and its number, with a scalar from outside of the region."""
    shape = [6, *[size, 3, 2][:windows]]
    rng = np.random.default_rng(seed)
    indices = rng.integers(-1, 7, (9, 1)).astype(np.int32)
    dims = [9, *shape[1:]]
    values, numbers = (
        elements(np.float32, dims, seed, "moderate"),
        np.arange(np.prod(dims), dtype=np.int64).reshape(dims),
    )
    inputs = [np.zeros(shape, np.float32), np.full(shape, -1, np.int64)]
    operands = [*inputs, indices, values, numbers]
    types = ", ".join(type_of(a) for a in operands)
    parameters = ", ".join(f"%arg{i}: {type_of(a)}" for i, a in enumerate(operands))
    results = f"({type_of(inputs[0])}, {type_of(inputs[1])})"
    f, i, b = "tensor<f32>", "tensor<i64>", "tensor<i1>"
    text = f"""func.func @main({parameters}, %offset: {f}) -> {results} {{
  %r:2 = "xla.scatter"(%arg0, %arg1, %arg2, %arg3, %arg4) <{{scatter_dimension_numbers = #xla.scatter<
      {f"update_window_dims = {list(range(1, windows + 1))}, " if windows else ""}inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> ({{
  ^bb0(%x: {f}, %i: {i}, %y: {f}, %j: {i}):
    %moved = xla.add %y, %offset : {f}
    %greater = xla.compare GT, %moved, %x : ({f}, {f}) -> {b}
    %m = xla.select %greater, %moved, %x : {b}, {f}
    %k = xla.select %greater, %j, %i : {b}, {i}
    xla.return %m, %k : {f}, {i}
  }}) : ({types}) -> {results}
  return %r#0, %r#1 : {type_of(inputs[0])}, {type_of(inputs[1])}
}}"""
    check(Case(text, [*operands, np.float32(1.5)]))
