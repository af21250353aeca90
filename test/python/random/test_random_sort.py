# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random sorts: element types, lengths, dimensions, ties, NaN, infinities, zeros of both signs, arrays that go along,
several keys, and comparators that order by no key. All are stable, so that one result is right."""

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
    SINT,
    arrays,
    check,
    elements,
    one_op,
    region,
    shapes,
    tensor,
    type_of,
)
from vector_cases import evaluate

FLOAT8 = ["float8_e4m3fn", "float8_e5m2"]
ELEMENTS = PRED + NARROW + INT + FLOAT + FLOAT8
# Around the lengths at which the runtime sorts in another way.
SIZES = st.one_of(st.integers(1, 9), st.sampled_from([0, 15, 16, 17, 24, 25, 33, 64, 100, 255, 256, 257, 1000]))
SHAPES = shapes(1, 3, SIZES, 6000)


def scalar(array):
    return tensor(array.dtype, ())


def sort_of(operands, body, dimension, stable=True):
    """The sort of arrays by a comparator whose parameters are %p0, %p1 (of the first array), %p2, ..."""
    types = [scalar(a) for a in operands for _ in range(2)]
    attributes = {"dimension": f"{dimension} : i64", "is_stable": str(stable).lower()}
    results = [type_of(a) for a in operands]
    check(one_op("sort", operands, results, attributes, [region(*types, body=body)]))


def compare(result, direction, left, right, array, total=False):
    order = ", TOTALORDER" if total else ""
    t = scalar(array)
    return f"  %{result} = xla.compare {direction}, %{left}, %{right}{order} : ({t}, {t}) -> tensor<i1>\n"


def is_float(array):
    return "float" in array.dtype.name


def returned(value):
    return f'  "xla.return"(%{value}) : (tensor<i1>) -> ()'


def number(parameter, result, array):
    """JAX's idiom: NaNs are equal and last, zeros are equal."""
    t = scalar(array)
    return (
        f"  %{result}zero = xla.constant dense<0.0> : {t}\n"
        f"  %{result}nan = xla.constant dense<{nan(array)}> : {t}\n"
        + compare(f"{result}is", "EQ", parameter, f"{result}zero", array)
        + f"  %{result}s = xla.select %{result}is, %{result}zero, %{parameter} : tensor<i1>, {t}\n"
        + compare(f"{result}not", "NE", parameter, parameter, array)
        + f"  %{result} = xla.select %{result}not, %{result}nan, %{result}s : tensor<i1>, {t}\n"
    )


def nan(array):
    bits = np.array(np.nan, array.dtype).tobytes()[::-1].hex().upper()
    return f"0x{bits}"


@given(arrays(ELEMENTS, SHAPES), st.sampled_from(["LT", "GT"]), st.booleans(), st.data())
def test_one_key(x, direction, alone, data):
    payloads = [] if alone else [data.draw(arrays(INT + FLOAT + COMPLEX, st.just(x.shape)))]
    body = compare("r", direction, "p0", "p1", x, total=is_float(x)) + returned("r")
    sort_of([x, *payloads], body, data.draw(st.integers(-x.ndim, x.ndim - 1)))


@given(
    st.sampled_from(["u32", "s32", "f32", "u64", "s64", "f64"]),
    st.sampled_from([2047, 2048, 4099, 135001]),
    st.integers(0, 36),
    st.booleans(),
    SEEDS,
)
def test_keys_in_a_range(name, length, bits, descending, seed):
    """Lines that are sorted by digits, if the bits in which keys differ are few. Too long for the interpreter."""
    rng, dtype = np.random.default_rng(seed), np.dtype(DTYPES[name])
    least = rng.integers(0, 2 ** min(8 * dtype.itemsize - 2, 60))
    keys = least + rng.integers(0, 2 ** min(bits, 8 * dtype.itemsize - 2), length, endpoint=True)
    x = keys.astype(f"u{dtype.itemsize}").view(dtype)
    positions = np.arange(length, dtype=np.int32)
    order = np.argsort(-keys if descending else keys, kind="stable")
    for operands in ([x], [x, positions], [x, positions[::-1]]):
        body = compare("r", "GT" if descending else "LT", "p0", "p1", x, total=is_float(x)) + returned("r")
        attributes = {"dimension": "0 : i64", "is_stable": "true"}
        types = [scalar(a) for a in operands for _ in range(2)]
        case = one_op("sort", operands, [type_of(a) for a in operands], attributes, [region(*types, body=body)])
        for have, want in zip(evaluate(case.text, case.arrays, "cpu"), operands, strict=True):
            assert np.asarray(have).tobytes() == want[order].tobytes()


@given(arrays(FLOAT + FLOAT8, SHAPES, "any"), st.sampled_from(["LT", "GT"]), st.booleans(), st.data())
def test_by_value(x, direction, alone, data):
    payloads = [] if alone else [data.draw(arrays(["s8", "f64"], st.just(x.shape)))]
    body = number("p0", "a", x) + number("p1", "b", x) + compare("r", direction, "a", "b", x, total=True)
    sort_of([x, *payloads], body + returned("r"), data.draw(st.integers(0, x.ndim - 1)))


@given(arrays(FLOAT, SHAPES, "small"), st.sampled_from(["LT", "GT"]), st.data())
def test_ieee_comparison(x, direction, data):
    sort_of([x], compare("r", direction, "p0", "p1", x) + returned("r"), data.draw(st.integers(0, x.ndim - 1)))


@given(st.lists(st.sampled_from(INT + FLOAT), min_size=2, max_size=4), SHAPES, SEEDS, st.data())
def test_several_keys(names, dims, seed, data):
    operands = [elements(DTYPES[name], dims, seed + i, "small") for i, name in enumerate(names)]
    body, result = "", None
    for i in reversed(range(len(operands))):
        direction = data.draw(st.sampled_from(["LT", "GT"]))
        body += compare(f"l{i}", direction, f"p{2 * i}", f"p{2 * i + 1}", operands[i])
        if result is None:
            result = f"l{i}"
            continue
        body += compare(f"e{i}", "EQ", f"p{2 * i}", f"p{2 * i + 1}", operands[i])
        body += f"  %n{i} = xla.and %e{i}, %{result} : tensor<i1>\n  %r{i} = xla.or %l{i}, %n{i} : tensor<i1>\n"
        result = f"r{i}"
    sort_of(operands, body + returned(result), data.draw(st.integers(0, len(dims) - 1)))


@given(arrays(SINT + FLOAT, SHAPES, "small"), st.data())
def test_by_absolute_value(x, data):
    t = scalar(x)
    body = f"  %a = xla.abs %p0 : {t}\n  %b = xla.abs %p1 : {t}\n" + compare("r", "GT", "b", "a", x)
    sort_of([x], body + returned("r"), data.draw(st.integers(0, x.ndim - 1)))


@given(arrays(COMPLEX, SHAPES, "small"), st.data())
def test_complex(x, data):
    part = np.zeros((), np.float32 if x.dtype == np.complex64 else np.float64)
    t, p = scalar(x), scalar(part)
    body = f"  %a = xla.real %p0 : ({t}) -> {p}\n  %b = xla.real %p1 : ({t}) -> {p}\n"
    sort_of([x], body + compare("r", "LT", "a", "b", part) + returned("r"), data.draw(st.integers(0, x.ndim - 1)))


@given(arrays(NARROW[::2] + SINT + FLOAT + FLOAT8, SHAPES, "small"), st.booleans(), st.data())
def test_by_difference(x, alone, data):
    """No key: what is compared depends on both elements."""
    payloads = [] if alone else [data.draw(arrays(PRED + INT + COMPLEX + FLOAT8, st.just(x.shape)))]
    t = scalar(x)
    if x.dtype.name == "int2":  # whose differences overflow
        return
    body = f"  %d = xla.subtract %p0, %p1 : {t}\n  %z = xla.constant dense<0> : {t}\n".replace(
        "dense<0>", "dense<0.0>" if is_float(x) else "dense<0>"
    )
    sort_of(
        [x, *payloads], body + compare("r", "LT", "d", "z", x) + returned("r"), data.draw(st.integers(0, x.ndim - 1))
    )


@given(arrays(NARROW + INT + FLOAT + FLOAT8, SHAPES), st.data())
def test_top_k(x, data):
    k = data.draw(st.one_of(st.integers(0, x.shape[-1]), st.just(x.shape[-1])))
    dims = (*x.shape[:-1], k)
    check(one_op("top_k", [x], [tensor(x.dtype, dims), tensor(np.int32, dims)], {"k": f"{k} : i64"}))


@given(arrays(["s8", "u16", "f32", "s64", "f64"], st.sampled_from([(5000,), (3, 2000)])), st.integers(1, 300))
def test_top_k_of_long_rows(x, k):
    dims = (*x.shape[:-1], k)
    check(one_op("top_k", [x], [tensor(x.dtype, dims), tensor(np.int32, dims)], {"k": f"{k} : i64"}))
