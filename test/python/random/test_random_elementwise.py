# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random cases of the elementwise family."""

import numpy as np
import pytest
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
)

# op -> (element types, kind of elements, permitted ulps of f32 and f64).
# Each bound is that of test_vector_math.py and one more, because the reference rounds, too. Floats of 16 bits are
# computed in f32 and rounded: next to a value halfway between two of them, that may be the other neighbour.
UNARY = {
    "abs": (SINT + FLOAT, "any", 0),
    "bessel_i1e": (FLOAT, "any", 3),
    "cbrt": (FLOAT, "any", 2),
    "ceil": (FLOAT, "any", 0),
    "conj": (COMPLEX, "any", 0),
    "cosine": (FLOAT, "moderate", 3),
    "count_leading_zeros": (INT, "any", 0),
    "erf": (FLOAT, "moderate", 3),
    "exponential": (FLOAT, "moderate", 2),
    "exponential_minus_one": (FLOAT, "moderate", 3),
    "floor": (FLOAT, "any", 0),
    "imag": (FLOAT + COMPLEX, "any", 0),
    "is_finite": (FLOAT, "any", 0),
    "log": (FLOAT, "any", 2),
    "log_plus_one": (FLOAT, "any", 3),
    "logistic": (FLOAT, "any", 3),
    "negate": (INT + FLOAT + COMPLEX, "any", 0),
    "not": (PRED + INT, "any", 0),
    "popcnt": (INT, "any", 0),
    "real": (FLOAT + COMPLEX, "any", 0),
    "round_nearest_afz": (FLOAT, "any", 0),
    "round_nearest_even": (FLOAT, "any", 0),
    "rsqrt": (FLOAT, "any", 2),
    "sign": (SINT + FLOAT, "any", 0),
    "sine": (FLOAT, "moderate", 3),
    "sqrt": (FLOAT, "any", 0),
    "tan": (FLOAT, "unit", 2),
    "tanh": (FLOAT, "moderate", 3),
}
# op -> permitted ulps, of the modulus
COMPLEX_UNARY = {"cbrt": 4, "cosine": 8, "exponential": 8, "log": 8, "sine": 8, "tanh": 8}
BINARY = {
    "add": (INT + FLOAT + COMPLEX, "any", 0),
    "and": (PRED + INT, "any", 0),
    "atan2": (FLOAT, "any", 2),
    "divide": (INT + FLOAT, "any", 0),
    "maximum": (PRED + INT + FLOAT + COMPLEX, "any", 0),
    "minimum": (PRED + INT + FLOAT + COMPLEX, "any", 0),
    "multiply": (INT + FLOAT, "any", 0),
    "next_after": (FLOAT, "any", 0),
    "or": (PRED + INT, "any", 0),
    "power": (INT, "any", 0),
    "remainder": (INT + FLOAT, "any", 0),
    "shift_left": (INT, "any", 0),
    "shift_right_arithmetic": (INT, "any", 0),
    "shift_right_logical": (INT, "any", 0),
    "subtract": (INT + FLOAT + COMPLEX, "any", 0),
    "xor": (PRED + INT, "any", 0),
}
# Whole orders of a moderate size, and positive arguments.
OF_ORDERS = {"polygamma": 6, "zeta": 6}


def permitted(ulps, dtype):
    return min(ulps, 1) if dtype.itemsize == 2 else ulps


def result_dtype(op, dtype):
    if op == "is_finite":
        return np.dtype(bool)
    if op in ("real", "imag") and dtype.kind == "c":
        return np.dtype(f"f{dtype.itemsize // 2}")
    return dtype


@pytest.mark.parametrize("op", sorted(UNARY))
@given(st.data())
def test_unary(op, data):
    names, kind, ulps = UNARY[op]
    x = data.draw(arrays(names, kind=kind))
    check(one_op(op, [x], [tensor(result_dtype(op, x.dtype), x.shape)], ulps=permitted(ulps, x.dtype)))


@pytest.mark.parametrize("op", sorted(COMPLEX_UNARY))
@given(arrays(COMPLEX, kind="moderate"))
def test_complex_unary(op, x):
    check(one_op(op, [x], [tensor(x.dtype, x.shape)], ulps=COMPLEX_UNARY[op]))


@pytest.mark.parametrize("op", sorted(BINARY))
@given(st.data())
def test_binary(op, data):
    names, kind, ulps = BINARY[op]
    x = data.draw(arrays(names, kind=kind))
    y = elements(x.dtype, x.shape, data.draw(SEEDS), kind)
    check(one_op(op, [x, y], [tensor(x.dtype, x.shape)], ulps=permitted(ulps, x.dtype)))


@pytest.mark.parametrize("op", sorted(OF_ORDERS))
@given(arrays(FLOAT, kind="unit"), SEEDS)
def test_functions_of_orders(op, x, seed):
    order = np.random.default_rng(seed).integers(0, 12, x.shape).astype(x.dtype)
    x = (np.abs(x) * 8 + x.dtype.type(0.25)).astype(x.dtype)
    check(one_op(op, [order, x], [tensor(x.dtype, x.shape)], ulps=permitted(OF_ORDERS[op], x.dtype)))


@pytest.mark.parametrize("op", [op for op, (names, _, _) in BINARY.items() if set(INT) <= set(names)])
@given(arrays(NARROW), SEEDS)
def test_narrow_integers(op, x, seed):
    check(one_op(op, [x, elements(x.dtype, x.shape, seed)], [tensor(x.dtype, x.shape)]))


@pytest.mark.parametrize("op", ["count_leading_zeros", "negate", "not", "popcnt"])
@given(arrays(NARROW))
def test_narrow_integers_of_one_operand(op, x):
    check(one_op(op, [x], [tensor(x.dtype, x.shape)]))


@pytest.mark.parametrize("op", ["multiply", "divide"])
@given(arrays(COMPLEX, kind="moderate"), SEEDS)
def test_complex_arithmetic(op, x, seed):
    y = elements(x.dtype, x.shape, seed, "moderate") + x.dtype.type(9 + 9j)  # away from 0
    check(one_op(op, [x, y], [tensor(x.dtype, x.shape)], ulps=16))


@given(arrays(COMPLEX, kind="moderate"))
def test_complex_modulus(x):
    check(one_op("abs", [x], [tensor(x.real.dtype, x.shape)], ulps=4))


@given(arrays(FLOAT, kind="moderate"), SEEDS)
def test_power(x, seed):
    base = np.abs(x.astype(np.float64)).astype(x.dtype) + x.dtype.type(0.1)
    y = elements(x.dtype, x.shape, seed, "unit")
    check(one_op("power", [base, y], [tensor(x.dtype, x.shape)], ulps=16))


@given(arrays(["f32", "f64"]), SEEDS)
def test_complex(x, seed):
    result = tensor(f"c{2 * x.dtype.itemsize}", x.shape)
    check(one_op("complex", [x, elements(x.dtype, x.shape, seed)], [result]))


@pytest.mark.parametrize("direction", ["EQ", "NE", "GE", "GT", "LE", "LT"])
@given(st.data())
def test_compare(direction, data):
    x = data.draw(arrays(PRED + INT + FLOAT + (COMPLEX if direction in ("EQ", "NE") else [])))
    y = elements(x.dtype, x.shape, data.draw(SEEDS))
    y = np.where(elements(np.bool_, x.shape, data.draw(SEEDS)), x, y).astype(x.dtype)  # many equal elements
    attributes = {"comparison_direction": f"#xla<comparison_direction {direction}>"}
    if x.dtype.kind in "fV" and "int" not in x.dtype.name and data.draw(st.booleans()):
        attributes["compare_type"] = "#xla<comparison_type TOTALORDER>"
    check(one_op("compare", [x, y], [tensor(np.bool_, x.shape)], attributes))


@given(arrays(PRED + INT + FLOAT + COMPLEX), SEEDS, st.booleans())
def test_select(x, seed, scalar):
    predicate = elements(np.bool_, () if scalar else x.shape, seed)
    check(one_op("select", [predicate, x, elements(x.dtype, x.shape, seed + 1)], [tensor(x.dtype, x.shape)]))


@given(arrays(INT + FLOAT), SEEDS, st.booleans(), st.booleans())
def test_clamp(x, seed, scalar_low, scalar_high):
    low = elements(x.dtype, () if scalar_low else x.shape, seed)
    high = elements(x.dtype, () if scalar_high else x.shape, seed + 1)
    check(one_op("clamp", [low, x, high], [tensor(x.dtype, x.shape)]))


@given(arrays(sorted(DTYPES)), st.sampled_from(sorted(DTYPES)))
def test_convert(x, to):
    check(one_op("convert", [x], [tensor(DTYPES[to], x.shape)]))


@given(arrays(INT + FLOAT, shapes(1)), st.sampled_from(INT + FLOAT))
def test_bitcast_convert(x, to):
    # Only the type and the dims matter to the op: shape the operand so that the conversion is legal.
    target = DTYPES[to]
    ratio = target.itemsize // x.dtype.itemsize
    if ratio > 1:
        x = np.resize(x, (*x.shape, ratio)) if x.size else np.zeros((0, ratio), x.dtype)
        dims = x.shape[:-1]
    else:
        dims = x.shape if ratio else (*x.shape, x.dtype.itemsize // target.itemsize)
    check(one_op("bitcast_convert", [x], [tensor(target, dims)]))


@given(arrays(FLOAT), st.integers(1, 12), st.integers(0, 53))
def test_reduce_precision(x, exponent_bits, mantissa_bits):
    attributes = {"exponent_bits": f"{exponent_bits} : i32", "mantissa_bits": f"{mantissa_bits} : i32"}
    check(one_op("reduce_precision", [x], [tensor(x.dtype, x.shape)], attributes))


@given(arrays(INT, kind="any"), SEEDS)
def test_map(x, seed):
    t = tensor(x.dtype, ())
    body = f"""  %0 = "xla.multiply"(%p0, %p1) : ({t}, {t}) -> {t}
  %1 = "xla.subtract"(%0, %p0) : ({t}, {t}) -> {t}
  "xla.return"(%1) : ({t}) -> ()"""
    attributes = {"dimensions": f"array<i64{':' if x.ndim else ''} {', '.join(map(str, range(x.ndim)))}>"}
    y = elements(x.dtype, x.shape, seed)
    check(one_op("map", [x, y], [tensor(x.dtype, x.shape)], attributes, [region(t, t, body=body)]))
