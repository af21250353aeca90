# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reductions along short rows, of which neighbours are folded together: results are lanes, and so is what follows."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import mlir_xla

LENGTHS = [6, 8, 9, 13, 16, 17, 31, 32]
WITHOUT_AVX512 = {"features": "-avx512f"}


def compiled(function, *arguments, **options):
    specs = [jax.ShapeDtypeStruct(x.shape, x.dtype) for x in arguments]
    text = jax.jit(function).trace(*specs).lower(lowering_platforms=("mlir_xla",)).as_text()
    return mlir_xla.compile(text, threads=1, **options)


def rows_together(executable) -> bool:
    """Is the reduced dimension in lanes, and are several rows a step?"""
    plans = [line for line in executable.stages["kernels"].splitlines() if "xla_rt.plans" in line]
    return any("lanes d1 " in line and "jam d0 " in line for line in plans)


def numbers(shape, dtype, seed=0):
    rng = np.random.default_rng(seed)
    if np.dtype(dtype) == bool:
        return rng.random(shape) < 0.05
    return rng.integers(-9, 10, shape).astype(dtype)


REDUCTIONS = {
    "sum": lambda np, x: np.sum(x, 1),
    "product": lambda np, x: np.prod(np.where(x > 7, 2, 1), 1),
    "max": lambda np, x: np.max(x, 1),
    "min": lambda np, x: np.min(x, 1),
    "any": lambda np, x: np.any(x > 8, 1),
    "all": lambda np, x: np.all(x < 9, 1),
    "norm": lambda np, x: np.sum(x * x, 1),
    "parity": lambda np, x: np.sum(x > 0, 1) % 2 == 0,
}


@pytest.mark.parametrize("options", [{}, WITHOUT_AVX512], ids=["here", "avx2"])
@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "float16"])
def test_results(dtype, length, options):
    """Integers, as which all sums are exact; rows that are no multiple of a step, and few of them."""
    with jax.enable_x64(dtype == "float64"):
        for count in (7, 83):
            x = numbers((count, length), dtype, count)
            for name, function in REDUCTIONS.items():
                result = compiled(lambda x, function=function: function(jnp, x), x, **options)(x)
                assert np.array_equal(result, function(np, x.astype(np.float64))), name


@pytest.mark.parametrize("length", [8, 12, 16, 24, 33])
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8"])
def test_bytes(dtype, length):
    x = numbers((150, length), dtype) if dtype != "uint8" else numbers((150, length), "int8").astype(np.uint8)
    assert np.array_equal(compiled(lambda x: jnp.any(x, 1), x)(x), x.any(1))
    assert np.array_equal(compiled(lambda x: jnp.all(x, 1), x)(x), x.all(1))
    assert np.array_equal(compiled(lambda x: jnp.max(x, 1), x)(x), x.max(1))
    assert np.array_equal(compiled(lambda x: jnp.sum(x, 1, dtype=jnp.int32), x)(x), x.sum(1, dtype=np.int32))


@pytest.mark.parametrize("length", [9, 16, 40])
def test_nan_and_zeros(length):
    rng = np.random.default_rng(length)
    x = np.where(rng.random((64, length)) < 0.5, np.float32(0), np.float32(-0.0))
    x[rng.random(x.shape) < 0.02] = np.nan
    for ours, numpys in ((jnp.max, np.max), (jnp.min, np.min)):
        executable = compiled(lambda x, ours=ours: ours(x, 1), x)
        assert rows_together(executable)
        result, expected = executable(x), numpys(x, 1)
        assert np.array_equal(result, expected, equal_nan=True)
        # The greatest of zeros is +0 if there is one.
        signs = np.signbit(x).all(1) if numpys is np.max else np.signbit(x).any(1)
        assert np.array_equal(np.signbit(result)[result == 0], signs[result == 0])


@pytest.mark.parametrize("length", [12, 16, 20])
def test_what_follows_from_results(length):
    """It is computed in lanes of rows: with arguments of its own, a scale of each row inside, and two results."""
    x = np.random.default_rng(1).standard_normal((77, length)).astype(np.float32)
    a, c = x[:, 0].copy(), x[:, 1].copy()
    expected = np.sum(x.astype(np.float64) * a[:, None], 1)

    def function(x, a, c):
        total = jnp.sum(x * a[:, None], 1)
        return jnp.exp(total * 0.1) + c, total > 0

    # With vectors of 256 bits, rows of 20 are not worth it.
    assert rows_together(compiled(function, x, a, c, cpu="znver4"))
    executable = compiled(function, x, a, c)
    values, signs = executable(x, a, c)
    np.testing.assert_allclose(values, np.exp(expected * 0.1) + c, rtol=2e-5)
    assert np.array_equal(signs, expected > 0)


def test_a_result_that_takes_the_place_of_an_argument():
    x = np.random.default_rng(2).integers(0, 9, (83, 16)).astype(np.float32)
    y = np.arange(83, dtype=np.float32)
    executable = compiled(lambda x, y: y * 2 + jnp.sum(x, 1), x, y)
    expected = y * 2 + x.sum(1)
    assert np.array_equal(executable(x, y.copy(), donate=[1]), expected)


@pytest.mark.parametrize("length", [13, 16, 50])
def test_combiners_with_keys(length):
    """Two values, one of which is in front of the other by its number: folded in any order."""
    x = np.random.default_rng(3).integers(-4, 5, (70, length)).astype(np.float32)

    def function(x):
        def choose(lhs, rhs):
            (x, i), (y, j) = lhs, rhs
            first = (x > y) | ((x == y) & (i < j))
            return jnp.where(first, x, y), jnp.where(first, i, j)

        places = lax.broadcasted_iota(jnp.int32, x.shape, 1)
        return lax.reduce((x, places), (jnp.float32(-99), jnp.int32(0)), choose, (1,))

    executable = compiled(function, x)
    values, places = executable(x)
    assert np.array_equal(values, x.max(1)) and np.array_equal(places, x.argmax(1))


def test_combiners_in_order():
    """Neighbours are combined first, in the order of their indices, whatever their neighbours in other rows do."""
    x = np.random.default_rng(4).integers(0, 2, (40, 2, 12)).astype(np.int32)

    def function(a, b):
        # x -> a x + b, one after the other.
        def compose(lhs, rhs):
            (a, b), (c, d) = lhs, rhs
            return a * c, b * c + d

        return lax.reduce((a, b), (jnp.int32(1), jnp.int32(0)), compose, (1,))

    a, b = x[:, 0] + 1, x[:, 1]
    slope, offset = np.ones(40, np.int32), np.zeros(40, np.int32)
    for i in range(12):
        slope, offset = slope * a[:, i], offset * a[:, i] + b[:, i]
    result = compiled(function, a, b)(a, b)
    assert np.array_equal(result[0], slope) and np.array_equal(result[1], offset)
