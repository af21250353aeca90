# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs of one elementwise operation, on all its element types.

What rounds once, or not at all, is compared to the bit. The others may differ by the bounds that `docs/` states for
compiled code, and one unit in the last place for the reference, which rounds as well. Narrow floats are computed wider
and rounded: to the same number, or next to a tie to its neighbour.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import draws
import numpy as np
from comparison import difference, is_float
from draws import ALL, CLASSES, Case, Draw
from random_cases import DTYPES, ints, region, tensor

_R, _RC = ("FLOAT",), ("FLOAT", "COMPLEX")
# op -> classes of element types
EXACT_UNARY = {
    "abs": ("SINT", "FLOAT", "TINY"),
    "ceil": ("FLOAT", "TINY"),
    "floor": ("FLOAT", "TINY"),
    "negate": ("INT", "FLOAT", "COMPLEX", "TINY"),
    "round_nearest_afz": ("FLOAT", "TINY"),
    "round_nearest_even": ("FLOAT", "TINY"),
    "sign": ("SINT", "FLOAT", "TINY"),
    "square": ("INT", "FLOAT"),
    "not": ("PRED", "INT"),
    "popcnt": ("INT",),
    "count_leading_zeros": ("INT",),
    "is_finite": ("FLOAT", "TINY"),
    "real": _RC,
    "imag": _RC,
    "conj": ("COMPLEX",),
    "sqrt": ("FLOAT",),
}
EXACT_BINARY = {
    "add": ("PRED", "INT", "FLOAT", "COMPLEX", "TINY"),
    "subtract": ("INT", "FLOAT", "COMPLEX", "TINY"),
    "multiply": ("PRED", "INT", "FLOAT", "TINY"),
    "divide": ("INT", "FLOAT", "TINY"),
    "remainder": ("INT", "FLOAT"),
    "maximum": ("PRED", "INT", "FLOAT", "COMPLEX", "TINY"),
    "minimum": ("PRED", "INT", "FLOAT", "COMPLEX", "TINY"),
    "next_after": ("FLOAT",),
    "power": ("INT",),
    "mulhi": ("INT",),
    "and": ("PRED", "INT"),
    "or": ("PRED", "INT"),
    "xor": ("PRED", "INT"),
    "shift_left": ("INT",),
    "shift_right_arithmetic": ("INT",),
    "shift_right_logical": ("INT",),
}
# op -> units in the last place that compiled code may be off, for f32 and f64
UNARY = {
    **dict.fromkeys(["cbrt", "rsqrt", "exponential", "exponential_minus_one", "log", "log_plus_one", "logistic"], 2),
    **dict.fromkeys(["sine", "cosine", "tanh", "sinh", "cosh", "asin", "acos", "atan", "asinh", "acosh", "atanh"], 2),
    **dict.fromkeys(["erf", "erfc", "bessel_i1e"], 2),
    **dict.fromkeys(["tan", "lgamma", "digamma", "erf_inv"], 4),
}
BINARY = {"atan2": 2, "power": 4, "zeta": 4, "polygamma": 4}
COMPLEX_UNARY = [
    *("cbrt", "sqrt", "rsqrt", "exponential", "log", "sine", "cosine", "tanh", "sinh", "cosh", "asin", "acos", "atan"),
    *("asinh", "acosh", "atanh", "tan", "logistic", "exponential_minus_one", "log_plus_one", "sign", "square", "abs"),
]
COMPLEX_ULPS = 8  # of the modulus


def one_op(op: str, arrays: Sequence[np.ndarray], results: Sequence[str], *rest: Any, **options: Any) -> Case:
    """What becomes of a NaN in a type that has none is a zero of either sign."""
    if any(re.search("f[46]E", each) for each in results):
        options.setdefault("signed_zeros", False)
    return draws.one_op(op, arrays, results, *rest, **options)


def _ulps(bound: float, dtype: np.dtype) -> float:
    return 1 if dtype.itemsize <= 2 else bound + 1


def _real(dtype: np.dtype) -> np.dtype:
    return np.dtype(f"f{dtype.itemsize // 2}") if dtype.kind == "c" else dtype


def unary(d: Draw) -> Case:
    op = d.choice(sorted(EXACT_UNARY))
    name = d.name(*EXACT_UNARY[op])
    x = d.array(name, d.dims(), d.choice(["any", "any", "bits"]))
    result = np.dtype(bool) if op == "is_finite" else x.dtype
    result = _real(result) if op in ("real", "imag", "abs") else result
    # CHLO has no square of integers.
    return one_op(op, [x], [tensor(result, x.shape)], xla=op != "square" or is_float(x.dtype))


def function(d: Draw) -> Case:
    op = d.choice(sorted(UNARY))
    x = d.array(d.name("FLOAT", "FLOAT", "FLOAT", "TINY"), d.dims(), d.choice(["any", "moderate", "unit", "bits"]))
    case = one_op(op, [x], [tensor(x.dtype, x.shape)], ulps=_ulps(UNARY[op], x.dtype), xla=x.dtype.itemsize > 1)
    if op in ("digamma", "lgamma"):
        case.terms = _terms(x, op == "lgamma")
    return case


def _terms(x: np.ndarray, is_logarithm: bool) -> np.ndarray:
    """What lgamma and digamma are sums of: 1/16 on the right of 0, on the left what reflection adds."""
    with np.errstate(all="ignore"):
        size = np.where(x < 0, np.abs(x.astype(np.float64)), 0) + 2
        found = np.where(x < 0, np.log(size) * (size if is_logarithm else 1), 1 / 16)
    return np.nan_to_num(found, nan=1, posinf=1, neginf=1)


def complex_function(d: Draw) -> Case:
    op = d.choice(COMPLEX_UNARY)
    # Next to poles, errors grow with the results' distance from everything else.
    x = d.array(d.name("COMPLEX"), d.dims(), "unit" if op in ("logistic", "tan", "tanh") else "moderate")
    result = tensor(_real(x.dtype) if op == "abs" else x.dtype, x.shape)
    return one_op(op, [x], [result], ulps=COMPLEX_ULPS, signed_zeros=False)


def binary(d: Draw) -> Case:
    op = d.choice(sorted(EXACT_BINARY))
    name = d.name(*EXACT_BINARY[op])
    kind = d.choice(["any", "any", "bits"])
    x, y = (d.array(name, dims, kind) for dims in 2 * [d.dims()])
    if d.chance(0.2):
        y = x.copy()
    xla = True
    if op == "power" and x.size:  # XLA takes six bits of an exponent only
        xla = float(np.abs(y.astype(np.float64)).max()) < 64
    return one_op(op, [x, y], [tensor(x.dtype, x.shape)], xla=xla)


def binary_function(d: Draw) -> Case:
    op = d.choice(sorted(BINARY))
    name, dims = d.name("FLOAT"), d.dims()
    kind = d.choice(["moderate", "any"]) if op in ("atan2", "power") else "moderate"
    x, y = (d.array(name, dims, kind) for _ in range(2))
    with np.errstate(all="ignore"):
        if op == "zeta":
            x, y = (np.abs(x.astype(np.float64)) + 1.125).astype(x.dtype), np.abs(y)
        if op == "polygamma":
            x, y = np.floor(np.abs(x.astype(np.float64))).astype(x.dtype), np.abs(y)
        if op == "power":
            x = np.abs(x) if d.chance(0.7) else x
            y = np.floor(y.astype(np.float64)).astype(y.dtype) if d.chance(0.4) else y
    case = one_op(op, [x, y], [tensor(x.dtype, x.shape)], ulps=_ulps(BINARY[op], x.dtype))
    if op == "polygamma":
        case.terms = np.full(dims, 1 / 16)
    return case


def complex_binary(d: Draw) -> Case:
    op, name, dims = d.choice(["multiply", "divide", "power", "atan2"]), d.name("COMPLEX"), d.dims()
    x, y = (d.array(name, dims, "moderate") for _ in range(2))
    y = y + y.dtype.type(9 + 9j) if op == "divide" else y  # away from 0
    if op == "power":
        x, y = x + x.dtype.type(9 + 9j), y / y.dtype.type(16)
    # Products cancel in one part: the bound is of the modulus. A power is the exponential of a product of some size.
    ulps = 64 if op == "power" else 16
    case = one_op(op, [x, y], [tensor(x.dtype, x.shape)], ulps=ulps, signed_zeros=False, xla=op != "atan2")
    if op == "atan2":  # the logarithm of a number of modulus 1

        def judge(have: list[np.ndarray], want: list[np.ndarray], _: list[np.ndarray]) -> str | None:
            within = 16 * float(np.finfo(x.dtype).eps) * np.maximum(np.abs(want[0]), 1)
            return difference(have[0], want[0], within, signed_zeros=False)

        case.judge = judge
    return case


def complex_parts(d: Draw) -> Case:
    name, dims = d.choice(["f32", "f64"]), d.dims()
    x, y = (d.array(name, dims, d.choice(["any", "bits"])) for _ in range(2))
    return one_op("complex", [x, y], [tensor(f"c{2 * x.dtype.itemsize}", x.shape)])


def compare(d: Draw) -> Case:
    direction = d.choice(["EQ", "NE", "GE", "GT", "LE", "LT"])
    name = d.name("PRED", "INT", "FLOAT", "TINY", *(["COMPLEX"] if direction in ("EQ", "NE") else []))
    dims, kind = d.dims(), d.choice(["any", "small", "bits"])
    x, y = (d.array(name, dims, kind) for _ in range(2))
    y = np.where(d.array("pred", dims), x, y).astype(x.dtype)  # many equal elements
    attributes = {"comparison_direction": f"#xla<comparison_direction {direction}>"}
    if name in CLASSES["FLOAT"] and d.chance(0.5):
        attributes["compare_type"] = "#xla<comparison_type TOTALORDER>"
    return one_op("compare", [x, y], [tensor(np.bool_, dims)], attributes)


def select(d: Draw) -> Case:
    name, dims = d.choice(ALL), d.dims()
    predicate = d.array("pred", () if d.chance(0.3) else dims)
    x, y = (d.array(name, dims, d.choice(["any", "bits"])) for _ in range(2))
    return one_op("select", [predicate, x, y], [tensor(x.dtype, dims)])


def clamp(d: Draw) -> Case:
    name, dims = d.name("PRED", "INT", "FLOAT", "TINY"), d.dims()
    low, high = (d.array(name, () if d.chance(0.5) else dims) for _ in range(2))
    return one_op("clamp", [low, d.array(name, dims), high], [tensor(DTYPES[name], dims)])


def convert(d: Draw) -> Case:
    x, to = d.array(d.choice(ALL), d.dims(), d.choice(["any", "bits"])), DTYPES[d.choice(ALL)]
    return one_op("convert", [x], [tensor(to, x.shape)])


def bitcast_convert(d: Draw) -> Case:
    names = INT_AND_FLOAT if d.chance(0.8) else CLASSES["COMPLEX"]
    name, target = d.choice(names), DTYPES[d.choice(names)]
    x = d.array(name, d.dims(1, 3), "bits")
    ratio = target.itemsize // x.dtype.itemsize
    if ratio > 1:
        x = np.resize(x, (*x.shape, ratio)) if x.size else np.zeros((0, ratio), x.dtype)
        dims = x.shape[:-1]
    else:
        dims = x.shape if ratio else (*x.shape, x.dtype.itemsize // target.itemsize)
    return one_op("bitcast_convert", [x], [tensor(target, dims)])


INT_AND_FLOAT = CLASSES["INT"][:8] + CLASSES["FLOAT"] + ["float8_e4m3fn", "float8_e5m2"]


def reduce_precision(d: Draw) -> Case:
    x = d.array(d.name("FLOAT"), d.dims(), d.choice(["any", "bits"]))
    attributes = {"exponent_bits": f"{d.randint(1, 12)} : i32", "mantissa_bits": f"{d.randint(0, 53)} : i32"}
    return one_op("reduce_precision", [x], [tensor(x.dtype, x.shape)], attributes)


def map_(d: Draw) -> Case:
    name, dims = d.name("INT", "INT", "FLOAT"), d.dims()
    x, y = (d.array(name, dims, "small") for _ in range(2))
    t = tensor(x.dtype, ())
    ops = [d.choice(["multiply", "subtract", "add", "maximum", "minimum"]) for _ in range(3)]
    body, names = "", ["%p0", "%p1"]
    for i, op in enumerate(ops):
        a, b = d.choice(names), d.choice(names)
        body += f'  %{i} = "xla.{op}"({a}, {b}) : ({t}, {t}) -> {t}\n'
        names.append(f"%{i}")
    body += f'  "xla.return"(%2) : ({t}) -> ()'
    attributes = {"dimensions": ints(range(x.ndim))}
    return one_op("map", [x, y], [tensor(x.dtype, dims)], attributes, [region(t, t, body=body)])


DRAWS = {
    unary: 6,
    function: 6,
    complex_function: 3,
    binary: 6,
    binary_function: 2,
    complex_binary: 1,
    complex_parts: 1,
    compare: 2,
    select: 2,
    clamp: 1,
    convert: 4,
    bitcast_convert: 2,
    reduce_precision: 1,
    map_: 1,
}
