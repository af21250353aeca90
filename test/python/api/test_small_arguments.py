# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elementary functions of small numbers: the first term of the series, and no subnormal number on the way to it, which
would take processors up to a hundred cycles. They keep a flag of such operands and results."""

import ctypes
import math
import platform

import numpy as np
import pytest

import mlir_xla

# Denormal operand and underflow, in the status of x86's floating point.
FLAGS = 0x02 | 0x10
COUNT = 37
# The function next to 0.
FUNCTIONS = {
    "tanh": lambda x: x,
    "sine": lambda x: x,
    "cosine": np.ones_like,
    "tan": lambda x: x,
    "asin": lambda x: x,
    "acos": lambda x: np.full_like(x, math.pi / 2),
    "atan": lambda x: x,
    "sinh": lambda x: x,
    "asinh": lambda x: x,
    "atanh": lambda x: x,
    "exponential_minus_one": lambda x: x,
    "log_plus_one": lambda x: x,
    "erf": lambda x: x * np.longdouble("1.1283791670955125739"),
    "erfc": np.ones_like,
}
# 10 to these, above the smallest normal number, which some products reach in f64 from 1e-270 on.
SIZES = {"f32": (-9, -12, -14, -19, -22, -30, -36), "f64": (-20, -60, -105, -110, -150, -200, -250)}
WIDTHS = {"native": "", "avx2": "-avx512f"}


def compiled(op, element, **options):
    tensor = f"tensor<{COUNT}x{element}>"
    text = f"func.func @main(%x: {tensor}) -> {tensor} {{\n  %r = xla.{op} %x : {tensor}\n  return %r : {tensor}\n}}"
    return mlir_xla.compile(text, **options)


def arguments(element, size):
    random = np.random.default_rng(-size)
    signed = random.uniform(1, 4, COUNT) * random.choice([-1, 1], COUNT)
    return (signed * 10.0**size).astype({"f32": np.float32, "f64": np.float64}[element])


def check(op, x, given):
    exact = FUNCTIONS[op](x.astype(np.longdouble))
    assert np.all(np.abs(given - exact) <= 1.5 * np.spacing(np.abs(exact.astype(x.dtype))))


@pytest.fixture(scope="module")
def libm():
    try:
        return ctypes.CDLL("libm.so.6")
    except OSError:
        pytest.skip("no libm of glibc")


@pytest.mark.parametrize("features", WIDTHS.values(), ids=WIDTHS)
@pytest.mark.parametrize(
    "op, element",
    # That of f64 squares its argument.
    [(op, element) for op in FUNCTIONS for element in SIZES if (op, element) != ("erfc", "f64")],
)
@pytest.mark.skipif(platform.machine() != "x86_64", reason="the status of other processors is another")
def test_nothing_subnormal(op, element, features, libm):
    exe = compiled(op, element, threads=1, features=features)
    found = []
    for size in SIZES[element]:
        x = arguments(element, size)
        libm.feclearexcept(FLAGS)
        given = exe(x)
        if libm.fetestexcept(FLAGS):
            found.append(size)
        check(op, x, np.asarray(given))
    assert not found


@pytest.mark.parametrize("element", SIZES)
@pytest.mark.parametrize("op", FUNCTIONS)
def test_on_gpus(op, element):
    exe, emulated = compiled(op, element), compiled(op, element, target="cuda-emulated")
    for size in SIZES[element]:
        x = arguments(element, size)
        assert np.array_equal(np.asarray(exe(x)), np.asarray(emulated(x)))
