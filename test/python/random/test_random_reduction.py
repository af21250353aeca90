# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random cases of the reduction family. Elements are small whole numbers, so that every order of evaluation gives the
same sum in every type and results are compared for equality; one test sums arbitrary floats."""

import ml_dtypes
import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from random_cases import (
    DTYPES,
    FLOAT,
    INT,
    NARROW,
    PRED,
    arrays,
    binary_region,
    check,
    ints,
    one_op,
    region,
    shapes,
    tensor,
)

MONOIDS = ["add", "maximum", "minimum"]
WHOLE = shapes(0, 4, st.one_of(st.integers(1, 6), st.sampled_from([0, 7, 16, 33])), 3000)


def neutral(op, dtype):
    """The identity of a monoid."""
    dtype = np.dtype(dtype)
    if op in ("add", "or", "xor"):
        return np.zeros((), dtype)
    if dtype == np.bool_:
        return np.array(True)
    if "int" in dtype.name:
        info = ml_dtypes.iinfo(dtype)
        if op == "and":
            return np.array(-1 if info.min else info.max, dtype)
        return np.array(info.min if op == "maximum" else info.max, dtype)
    return np.array(-np.inf if op == "maximum" else np.inf, dtype)


def reduced(x, dims):
    return [n for d, n in enumerate(x.shape) if d not in dims]


def dimensions(data, x):
    return data.draw(st.permutations([d for d in range(x.ndim) if data.draw(st.booleans())]))


@given(arrays(NARROW + INT + FLOAT, WHOLE, "small"), st.sampled_from(MONOIDS), st.data())
def test_reduce(x, op, data):
    if x.dtype.itemsize <= 2 and "int" not in x.dtype.name:
        x = x[tuple(slice(0, 7) for _ in x.shape)] if x.size > 100 else x  # sums stay exact
    dims = dimensions(data, x)
    result, known = tensor(x.dtype, reduced(x, dims)), data.draw(st.integers(0, 1))
    init = neutral(op, x.dtype)
    if op == "add" and "int" not in x.dtype.name and data.draw(st.booleans()):
        init = -init  # the only one that keeps a -0
    check(one_op("reduce", [x, init], [result], {"dimensions": ints(dims)}, [binary_region(op, x.dtype)], known))


@given(arrays(PRED + NARROW + INT, WHOLE), st.sampled_from(["and", "or", "xor"]), st.data())
def test_reduce_bits(x, op, data):
    dims = dimensions(data, x)
    result = tensor(x.dtype, reduced(x, dims))
    check(
        one_op("reduce", [x, neutral(op, x.dtype)], [result], {"dimensions": ints(dims)}, [binary_region(op, x.dtype)])
    )


@given(arrays(["f32", "f64"], WHOLE, "moderate"), st.data())
def test_reduce_sum_of_floats(x, data):
    dims = dimensions(data, x)
    result = tensor(x.dtype, reduced(x, dims))
    # Every element passes one rounding for each element that is added later, by half an eps each; on both targets.
    axes = tuple(dims)
    terms = int(np.prod([x.shape[d] for d in dims], dtype=np.int64))
    within = (terms + 1) * np.finfo(x.dtype).eps * np.abs(x).sum(axis=axes, dtype=np.float64)
    attributes = {"dimensions": ints(dims)}
    operands = [x, neutral("add", x.dtype)]
    check(one_op("reduce", operands, [result], attributes, [binary_region("add", x.dtype)], within=[within]))


def argmax_region(value, index):
    """The larger value with its index; of equal values the one with the smaller index, whatever the order."""
    v, i, p = tensor(value, ()), tensor(index, ()), "tensor<i1>"
    compare = "{comparison_direction = #xla<comparison_direction %s>}"
    body = f"""  %gt = "xla.compare"(%p0, %p2) {compare % "GT"} : ({v}, {v}) -> {p}
  %eq = "xla.compare"(%p0, %p2) {compare % "EQ"} : ({v}, {v}) -> {p}
  %lt = "xla.compare"(%p1, %p3) {compare % "LT"} : ({i}, {i}) -> {p}
  %tie = "xla.and"(%eq, %lt) : ({p}, {p}) -> {p}
  %left = "xla.or"(%gt, %tie) : ({p}, {p}) -> {p}
  %v = "xla.select"(%left, %p0, %p2) : ({p}, {v}, {v}) -> {v}
  %i = "xla.select"(%left, %p1, %p3) : ({p}, {i}, {i}) -> {i}
  "xla.return"(%v, %i) : ({v}, {i}) -> ()"""
    return region(v, i, v, i, body=body)


@given(arrays(["f32", "f64", "s32", "bf16"], WHOLE, "small"), st.sampled_from(["s32", "s64"]), st.data())
def test_variadic_reduce(x, index_type, data):
    indices = np.arange(x.size).astype(DTYPES[index_type]).reshape(x.shape)
    dims = dimensions(data, x)
    operands = [x, indices, neutral("maximum", x.dtype), np.array(ml_dtypes.iinfo(indices.dtype).max, indices.dtype)]
    results = [tensor(a.dtype, reduced(x, dims)) for a in (x, indices)]
    check(one_op("reduce", operands, results, {"dimensions": ints(dims)}, [argmax_region(x.dtype, indices.dtype)]))


def window(data, x):
    """Random window attributes that leave at least the window itself, and the result's dims."""
    sizes, strides, base, dilation, padding, dims = [], [], [], [], [], []
    for n in x.shape:
        w, s, bd, wd = (data.draw(st.integers(1, top)) for top in (4, 3, 3, 3))
        lo, hi = data.draw(st.integers(-2, 3)), data.draw(st.integers(-2, 3))
        padded = max(0, (n - 1) * bd + 1 if n else 0) + lo + hi
        if padded < 0:
            lo, hi, padded = 0, 0, padded - lo - hi
        extent = (w - 1) * wd + 1
        for values, value in zip((sizes, strides, base, dilation), (w, s, bd, wd), strict=True):
            values.append(value)
        padding.append([lo, hi])
        dims.append(0 if padded < extent else (padded - extent) // s + 1)
    attributes = {
        "window_dimensions": ints(sizes),
        "window_strides": ints(strides),
        "base_dilations": ints(base),
        "window_dilations": ints(dilation),
        "padding": f"dense<{padding if padding else ''}> : tensor<{x.ndim}x2xi64>",
    }
    return attributes, dims


SMALL = shapes(1, 3, st.integers(1, 9), 400)


@given(arrays(NARROW + INT + FLOAT, SMALL, "small"), st.sampled_from(MONOIDS), st.data())
def test_reduce_window(x, op, data):
    attributes, dims = window(data, x)
    check(
        one_op(
            "reduce_window",
            [x, neutral(op, x.dtype)],
            [tensor(x.dtype, dims)],
            attributes,
            [binary_region(op, x.dtype)],
        )
    )


@given(arrays(INT + FLOAT, shapes(1, 3, st.integers(1, 40), 1500), "small"), st.sampled_from(MONOIDS), st.data())
def test_scan(x, op, data):
    """Windows of all the elements up to one, or from it on; the first value may be a neutral one of the other sign."""
    d = data.draw(st.integers(0, x.ndim - 1))
    before = [[n - 1 if i == d else 0, 0] for i, n in enumerate(x.shape)]
    padding = before if data.draw(st.booleans()) else [pair[::-1] for pair in before]
    attributes = {
        "window_dimensions": ints([n if i == d else 1 for i, n in enumerate(x.shape)]),
        "padding": f"dense<{padding}> : tensor<{x.ndim}x2xi64>",
    }
    init = neutral(op, x.dtype)
    if data.draw(st.booleans()):
        init = -init if "int" not in x.dtype.name else init + x.dtype.type(1)
    result, known = tensor(x.dtype, x.shape), data.draw(st.integers(0, 1))
    check(one_op("reduce_window", [x, init], [result], attributes, [binary_region(op, x.dtype)], known))


@given(arrays(["f32", "s32"], SMALL, "small"), st.data())
def test_variadic_reduce_window(x, data):
    attributes, dims = window(data, x)
    indices = np.arange(x.size, dtype=np.int32).reshape(x.shape)
    operands = [x, indices, neutral("maximum", x.dtype), np.array(2**31 - 1, np.int32)]
    results = [tensor(a.dtype, dims) for a in (x, indices)]
    check(one_op("reduce_window", operands, results, attributes, [argmax_region(x.dtype, indices.dtype)]))


@given(arrays(["s32"], WHOLE), st.data())
def test_reduce_with_long_region(x, data):
    """xor of the elements, written with and, or and not."""
    t = tensor(np.int32, ())
    body = f"""  %0 = "xla.or"(%p0, %p1) : ({t}, {t}) -> {t}
  %1 = "xla.and"(%p0, %p1) : ({t}, {t}) -> {t}
  %2 = "xla.not"(%1) : ({t}) -> {t}
  %3 = "xla.and"(%0, %2) : ({t}, {t}) -> {t}
  "xla.return"(%3) : ({t}) -> ()"""
    dims = dimensions(data, x)
    check(
        one_op(
            "reduce",
            [x, neutral("xor", x.dtype)],
            [tensor(x.dtype, reduced(x, dims))],
            {"dimensions": ints(dims)},
            [region(t, t, body=body)],
        )
    )
