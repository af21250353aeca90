# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random cases of the linear family. Factors are small whole numbers, so sums of products are exact in every order, and
a result of 16 bits is rounded once; one test multiplies arbitrary floats."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from random_cases import COMPLEX, DTYPES, FLOAT, INT, NARROW, SEEDS, check, elements, ints, one_op, tensor
from vector_cases import evaluate

TYPES = st.sampled_from(NARROW + INT + FLOAT + COMPLEX)
SIZE = st.one_of(st.integers(1, 6), st.sampled_from([0, 7, 8, 16, 17, 33]))


def dot_general(data, lhs_type, rhs_type, result_type, kind):
    """A case, and how many products a result is the sum of."""
    draw = data.draw
    batch = draw(st.lists(st.integers(1, 3), max_size=2))
    contracting = draw(st.lists(SIZE, max_size=2))
    operands, places = [], []
    for dtype in (lhs_type, rhs_type):
        sizes = [*batch, *contracting, *draw(st.lists(SIZE, max_size=2))]
        order = draw(st.permutations(range(len(sizes))))
        shape = [sizes[i] for i in order]
        places.append([order.index(i) for i in range(len(sizes))])
        operands.append(elements(dtype, shape, draw(SEEDS), kind))
    b, k = len(batch), len(contracting)
    names = ("lhs", "rhs")
    lists = {f"{n}_batching_dimensions": list(p[:b]) for n, p in zip(names, places, strict=True)}
    lists |= {f"{n}_contracting_dimensions": list(p[b : b + k]) for n, p in zip(names, places, strict=True)}
    used = [set(p[: b + k]) for p in places]
    free = [[n for d, n in enumerate(x.shape) if d not in u] for x, u in zip(operands, used, strict=True)]
    numbers = ", ".join(f"{key} = {value}" for key, value in lists.items() if value)
    attributes = {"dot_dimension_numbers": f"#xla.dot<{numbers}>"}
    case = one_op(
        "dot_general", operands, [tensor(result_type, [*batch, *free[0], *free[1]])], attributes, signed_zeros=False
    )
    return case, math.prod(contracting)


@given(TYPES, st.data())
def test_dot_general(name, data):
    dtype = DTYPES[name]
    check(dot_general(data, dtype, dtype, dtype, "small")[0])


@given(st.sampled_from([("s8", "s32"), ("u8", "u32"), ("bf16", "f32"), ("f16", "f32")]), st.data())
def test_dot_general_with_wider_result(names, data):
    narrow, wide = (DTYPES[name] for name in names)
    check(dot_general(data, narrow, narrow, wide, "small")[0])


@given(st.sampled_from(["f32", "f64"]), st.data())
def test_dot_general_of_floats(name, data):
    dtype = DTYPES[name]
    case, terms = dot_general(data, dtype, dtype, dtype, "moderate")
    # A product passes at most one rounding of its own and `terms` - 1 of sums, by half an eps each; on both targets.
    magnitudes = evaluate(case.text, [np.abs(a) for a in case.arrays], "reference")[0]
    case.within = [(terms + 1) * np.finfo(dtype).eps * magnitudes]
    check(case)


@given(TYPES, st.sampled_from(["1x1", "2x1", "2x2", "1x2"]), SIZE, SIZE, SIZE, SEEDS)
def test_dot(name, ranks, m, k, n, seed):
    dtype = DTYPES[name]
    lhs, result = ([m, k], [m]) if ranks[0] == "2" else ([k], [])
    rhs, result = ([k, n], [*result, n]) if ranks[2] == "2" else ([k], result)
    operands = [elements(dtype, lhs, seed, "small"), elements(dtype, rhs, seed + 1, "small")]
    check(one_op("dot", operands, [tensor(dtype, result)], signed_zeros=False))


@given(TYPES, st.data())
def test_convolution(name, data):
    draw, dtype = data.draw, DTYPES[name]
    spatial = draw(st.integers(0, 3))
    group_kind = draw(st.sampled_from(["none", "feature", "batch"]))
    groups = 1 if group_kind == "none" else draw(st.integers(2, 3))
    feature_groups, batch_groups = (
        (groups, 1) if group_kind == "feature" else (1, groups) if group_kind == "batch" else (1, 1)
    )
    inputs = draw(st.integers(1, 3))
    outputs = draw(st.integers(1, 3)) * groups
    batch = draw(st.integers(1, 2)) * batch_groups
    base, kernel, result, strides, lhs_dilation, rhs_dilation, padding = [], [], [], [], [], [], []
    for _ in range(spatial):
        n, w = draw(st.integers(1, 7)), draw(st.integers(1, 3))
        s, bd, wd = (draw(st.integers(1, 3)) for _ in range(3))
        lo, hi = draw(st.integers(-1, 3)), draw(st.integers(-1, 3))
        padded, extent = (n - 1) * bd + 1 + lo + hi, (w - 1) * wd + 1
        if padded < 0:
            lo, hi, padded = 0, 0, (n - 1) * bd + 1
        base.append(n)
        kernel.append(w)
        strides.append(s)
        lhs_dilation.append(bd)
        rhs_dilation.append(wd)
        padding.append([lo, hi])
        result.append(0 if padded < extent else (padded - extent) // s + 1)

    def arranged(letters, sizes):
        """A random order of the dimensions: its spelling and the sizes in that order."""
        order = draw(st.permutations(range(spatial + 2)))
        spelling = [*letters, *map(str, range(spatial))]
        return "[" + ", ".join(spelling[i] for i in order) + "]", [sizes[i] for i in order]

    lhs_order, lhs = arranged("bf", [batch, inputs * feature_groups, *base])
    rhs_order, rhs = arranged("oi", [outputs, inputs, *kernel])
    out_order, out = arranged("bf", [batch // batch_groups, outputs, *result])
    reversal = [draw(st.booleans()) for _ in range(spatial)]
    attributes = {
        "window_strides": ints(strides),
        "padding": f"dense<{padding if padding else ''}> : tensor<{spatial}x2xi64>",
        "lhs_dilation": ints(lhs_dilation),
        "rhs_dilation": ints(rhs_dilation),
        "window_reversal": f"array<i1{': ' if spatial else ''}{', '.join(str(r).lower() for r in reversal)}>",
        "dimension_numbers": f"#xla.conv<{lhs_order}x{rhs_order}->{out_order}>",
        "feature_group_count": f"{feature_groups} : i64",
        "batch_group_count": f"{batch_groups} : i64",
    }
    operands = [elements(dtype, lhs, draw(SEEDS), "small"), elements(dtype, rhs, draw(SEEDS), "small")]
    check(one_op("convolution", operands, [tensor(dtype, out)], attributes, signed_zeros=False))
