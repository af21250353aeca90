# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Processors without fused multiply-adds and conversions of f16: no code calls a library for them, element by element,
and what has one rounding elsewhere is as exact."""

import re
from fractions import Fraction

import numpy as np
import pytest

import mlir_xla
from mlir_xla import api

CPU = "x86-64-v2"

PRODUCT = """func.func @main(%x: tensor<64x64x{0}>, %y: tensor<64x64x{0}>) -> tensor<64x64x{0}> {{
  %r = xla.dot_general %x, %y, contracting_dims = [1] x [0]
      : (tensor<64x64x{0}>, tensor<64x64x{0}>) -> tensor<64x64x{0}>
  return %r : tensor<64x64x{0}>
}}"""
UNARY = """func.func @main(%x: tensor<100x{1}>) -> tensor<100x{1}> {{
  %r = xla.{0} %x : tensor<100x{1}>
  return %r : tensor<100x{1}>
}}"""
BINARY = """func.func @main(%x: tensor<{2}x{1}>, %y: tensor<{2}x{1}>) -> tensor<{2}x{1}> {{
  %r = xla.{0} %x, %y : tensor<{2}x{1}>
  return %r : tensor<{2}x{1}>
}}"""


@pytest.mark.parametrize("element", ["f16", "f32", "f64"])
@pytest.mark.parametrize("op", ["product", "exponential", "sine", "erfc", "log"])
def test_no_calls(op, element):
    text = PRODUCT.format(element) if op == "product" else UNARY.format(op, element)
    code = mlir_xla.compile(text, target="cpu", cpu=CPU).stages["binary"]
    assert not re.findall(r"\b(?:fmaf?|__extendhfsf2|__truncsfhf2)\b", code)


def test_all_halves():
    text = "func.func @main(%x: tensor<65536xf16>) -> (tensor<65536xf32>, tensor<65536xf16>) {\n"
    text += "  %0 = xla.convert %x : tensor<65536xf16> -> tensor<65536xf32>\n"
    text += "  %1 = xla.negate %x : tensor<65536xf16>\n"
    text += "  return %0, %1 : tensor<65536xf32>, tensor<65536xf16>\n}"
    x = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    wide, negative = mlir_xla.compile(text, target="cpu", cpu=CPU)(x)
    np.testing.assert_array_equal(np.asarray(wide), x.astype(np.float32))
    np.testing.assert_array_equal(np.asarray(negative), -x)
    assert (np.signbit(negative) != np.signbit(x)).all()


def test_rounding_to_halves():
    text = "func.func @main(%x: tensor<{0}xf32>) -> tensor<{0}xf16> {{\n"
    text += "  %0 = xla.convert %x : tensor<{0}xf32> -> tensor<{0}xf16>\n  return %0 : tensor<{0}xf16>\n}}"
    # Every f16, the numbers half way to the next one, and the neighbours of both.
    exact = np.arange(1 << 15, dtype=np.uint16).view(np.float16).astype(np.float32)
    exact = exact[np.isfinite(exact)]
    middle = (exact[1:] + exact[:-1]) / 2
    points = np.concatenate([exact, middle, np.array([65520, 65536, 1e30, 2e-8, 1e-40, np.inf, np.nan], np.float32)])
    x = np.concatenate([points, np.nextafter(points, np.float32(np.inf)), np.nextafter(points, np.float32(-np.inf))])
    x = np.concatenate([x, -x])
    given = np.asarray(mlir_xla.compile(text.format(x.size), target="cpu", cpu=CPU)(x))
    with np.errstate(over="ignore"):
        expected = x.astype(np.float16)
    np.testing.assert_array_equal(given, expected)
    number = ~np.isnan(x)
    assert (np.signbit(given) == np.signbit(expected))[number].all()


def test_remainder_of_large_numbers():
    """Its products are exact, and may be infinite where the difference is not."""
    random = np.random.default_rng(3)
    largest = np.finfo(np.float64).max
    x = largest * (1 - random.uniform(0, 1e-14, 1000))
    y = np.where(random.random(1000) < 0.5, random.uniform(1, 10, 1000), largest * random.uniform(0.01, 1, 1000))
    given = mlir_xla.compile(BINARY.format("remainder", "f64", 1000), target="cpu", cpu=CPU)(x, y)
    np.testing.assert_array_equal(np.asarray(given), np.fmod(x, y))


FMA = """#map = affine_map<(d0) -> (d0)>
func.func @main(%x: tensor<{0}x{1}>, %y: tensor<{0}x{1}>, %z: tensor<{0}x{1}>) -> tensor<{0}x{1}> {{
  %0 = tensor.empty() : tensor<{0}x{1}>
  %1 = linalg.generic {{indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel"]}}
      ins(%x, %y, %z : tensor<{0}x{1}>, tensor<{0}x{1}>, tensor<{0}x{1}>) outs(%0 : tensor<{0}x{1}>) {{
  ^bb0(%p: {1}, %q: {1}, %r: {1}, %o: {1}):
    %s = math.fma %p, %q, %r : {1}
    linalg.yield %s : {1}
  }} -> tensor<{0}x{1}>
  return %1 : tensor<{0}x{1}>
}}"""


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_one_rounding(dtype):
    random, count = np.random.default_rng(5), 4000
    info = np.finfo(dtype)
    wide = info.maxexp // 6

    def numbers(low, high):
        sign = random.choice([-1, 1], count)
        return (sign * random.uniform(1, 2, count) * 2.0 ** random.integers(low, high, count)).astype(dtype)

    x, y, z = numbers(-wide, wide), numbers(-wide, wide), numbers(-2 * wide, 2 * wide)
    errors, near, large = (slice(i * count // 4, (i + 1) * count // 4) for i in range(3))
    z[errors] = -(x[errors] * y[errors])
    z[near] = np.nextafter(-(x[near] * y[near]), dtype(0))
    x[large] = info.max * random.uniform(0.4, 1, count // 4)
    y[large] = random.uniform(1, 3, count // 4)
    z[large] = -info.max * random.uniform(0.8, 1, count // 4)
    special = np.array([0.0, -0.0, 1, -1, info.max, -info.max, np.inf, -np.inf, np.nan], dtype)
    grid = np.meshgrid(special, special, special)
    x, y, z = (np.concatenate([a, b.ravel()]) for a, b in zip((x, y, z), grid, strict=True))
    name = "f32" if dtype is np.float32 else "f64"
    given = np.asarray(api.compile_stage(FMA.format(x.size, name), "cpu", "linalg", cpu=CPU)(x, y, z)[0])
    for i in range(count):
        exact = Fraction(float(x[i])) * Fraction(float(y[i])) + Fraction(float(z[i]))
        if abs(exact) > Fraction(float(info.max)) * (1 + Fraction(float(info.eps))):
            assert np.isinf(given[i]) and (given[i] > 0) == (exact > 0), (x[i], y[i], z[i])
            continue
        error = abs(Fraction(float(given[i])) - exact)
        size = Fraction(float(np.spacing(np.abs(given[i]))))
        assert error <= size * (Fraction(1, 2) + Fraction(1, 2**29)), (x[i], y[i], z[i])
        assert error == 0 or i >= errors.stop, (x[i], y[i], z[i])
    with np.errstate(all="ignore"):
        # Of these, products and sums lose nothing, or are infinite.
        expected = (x.astype(np.longdouble) * y.astype(np.longdouble) + z.astype(np.longdouble)).astype(dtype)
    np.testing.assert_array_equal(given[count:], expected[count:])
    same = np.signbit(given) == np.signbit(expected)
    assert same[count:][~np.isnan(expected[count:])].all()
