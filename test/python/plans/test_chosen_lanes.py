# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Extrema with their places, folded across lanes: NaN first, zeros equal, and of equal values the first."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import mlir_xla

LENGTHS = [8, 16, 19, 33, 100, 257]


def rows(length: int, dtype) -> np.ndarray:
    """Rows of few different values, so that extrema come several times, and of what floats have besides numbers."""
    rng = np.random.default_rng(length)
    x = rng.integers(-3, 4, (60, length)).astype(dtype)
    if jnp.issubdtype(dtype, jnp.floating):
        x[rng.random(x.shape) < 0.1] = -0.0
        x[10:30][rng.random((20, length)) < 2 / length] = np.nan
        x[30:40] = np.where(rng.random((10, length)) < 0.5, 0.0, -0.0)
        x[40], x[41], x[42] = np.inf, -np.inf, np.nan
        x[43:50][rng.random((7, length)) < 3 / length] = -np.inf
    x[50, -1], x[51, 0] = 5, 5
    x[52], x[53] = x[52].max(), x[53].min()
    return x


def compiled(function, *arguments):
    specs = [jax.ShapeDtypeStruct(x.shape, x.dtype) for x in arguments]
    return mlir_xla.compile(jax.jit(function).trace(*specs).lower(lowering_platforms=("mlir_xla",)).as_text())


def run(function, *arguments, alone=False):
    """Of all rows, of which neighbours are folded together, or of each for itself."""
    if not alone:
        return compiled(function, *arguments)(*arguments)
    x, *others = arguments
    executable = compiled(function, x[:1], *others)
    results = [executable(x[i : i + 1], *others) for i in range(len(x))]
    return np.concatenate(results, -1 if isinstance(results[0], tuple) else 0)


def folds_by_integers(function, x, *arguments) -> bool:
    return "vector.reduction <minsi>" in compiled(function, x[:1], *arguments).stages["loops"]


def with_values(better):
    """The extremum and its place, both as results of one reduction; NaN is better than any number."""

    def choose(lhs, rhs):
        (x, i), (y, j) = lhs, rhs
        first = better(x, y) | (x != x) | ((x == y) & (i < j))
        return jnp.where(first, x, y), jnp.where(first, i, j)

    def function(x, start):
        places = lax.broadcasted_iota(jnp.int32, x.shape, 1)
        return lax.reduce((x, places), (start, jnp.int32(0)), choose, (1,))

    return function


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16", "int8", "uint8", "int32", "uint32", "bool"])
@pytest.mark.parametrize("alone", [True, False])
def test_places(alone, dtype, length):
    x = rows(length, jnp.dtype(dtype))
    expected = x.astype(np.float64)
    assert np.array_equal(run(lambda x: jnp.argmax(x, 1), x, alone=alone), np.argmax(expected, 1))
    assert np.array_equal(run(lambda x: jnp.argmin(x, 1), x, alone=alone), np.argmin(expected, 1))


@pytest.mark.parametrize("better, name", [(jnp.maximum, "max"), (jnp.minimum, "min")])
@pytest.mark.parametrize("length", LENGTHS)
def test_running_values_that_are_rounded(better, name, length):
    """All elements are rounded but the last, in whatever way neighbours are combined."""

    def function(x, start):
        def choose(a, b):
            return better(lax.convert_element_type(lax.convert_element_type(a, jnp.bfloat16), jnp.float32), b)

        return lax.reduce(x, start, choose, (1,))

    x = 1 + np.random.default_rng(length).integers(-500, 500, (400, length)).astype(np.float32) / 65536
    rounded = np.concatenate([x[:, :-1].astype(jnp.bfloat16).astype(np.float32), x[:, -1:]], 1)
    start = np.float32(0 if name == "max" else 2)
    assert np.array_equal(run(function, x, start), getattr(rounded, name)(1))


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("is_maximum", [True, False])
@pytest.mark.parametrize("alone", [True, False])
def test_values_and_places(alone, length, is_maximum):
    x = rows(length, np.float32)
    start = np.float32(-np.inf if is_maximum else np.inf)
    values, places = run(with_values(jnp.greater if is_maximum else jnp.less), x, start, alone=alone)
    found = np.argmax(x, 1) if is_maximum else np.argmin(x, 1)
    chosen = np.take_along_axis(x, found[:, None], 1)[:, 0]
    assert np.array_equal(places, found)
    assert np.array_equal(values, chosen, equal_nan=True)
    # The sign of zero is that of the first one.
    assert np.array_equal(np.signbit(values)[chosen == 0], np.signbit(chosen)[chosen == 0])


@pytest.mark.parametrize("length", [16, 33, 100])
def test_which_are_folded_by_integers(length):
    x, n = rows(length, np.float32), rows(length, np.int32)
    assert folds_by_integers(lambda x: jnp.argmax(x, 1), x) and folds_by_integers(lambda x: jnp.argmin(x, 1), n)
    assert folds_by_integers(with_values(jnp.greater), n, np.int32(-100))
    # Zeros of both signs are told apart where values are used.
    assert not folds_by_integers(with_values(jnp.greater), x, np.float32(-np.inf))


def test_other_choices_of_keys():
    """Not an extremum, but an order of its own: 2 before 0 before 1, and of equal numbers the first."""
    x = np.random.default_rng(0).integers(0, 3, (40, 37)).astype(np.int32)

    def rank(x):
        return jnp.where(x == 2, 0, jnp.where(x == 0, 1, 2))

    def function(x):
        def choose(lhs, rhs):
            (x, i), (y, j) = lhs, rhs
            first = (rank(x) < rank(y)) | ((x == y) & (i < j))
            return jnp.where(first, x, y), jnp.where(first, i, j)

        places = lax.broadcasted_iota(jnp.int32, x.shape, 1)
        return lax.reduce((x, places), (jnp.int32(1), jnp.int32(0)), choose, (1,))

    values, places = run(function, x)
    ranks = np.choose(x, [1, 2, 0])
    found = np.argmin(ranks, 1)
    assert np.array_equal(values, np.take_along_axis(x, found[:, None], 1)[:, 0])
    assert np.array_equal(places, np.where(values == 1, 0, found))


@pytest.mark.parametrize("dtype, rounded", [("float32", "bfloat16"), ("float32", "float16")])
@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("alone", [True, False])
def test_comparisons_of_rounded_values(alone, dtype, rounded, length):
    """The first of those that are equal once they are rounded, not the extremum."""

    def function(x):
        def choose(lhs, rhs):
            (x, i), (y, j) = lhs, rhs
            a, b = lax.convert_element_type(x, rounded), lax.convert_element_type(y, rounded)
            first = (a > b) | (a != a) | ((a == b) & (i < j))
            return jnp.where(first, x, y), jnp.where(first, i, j)

        places = lax.broadcasted_iota(jnp.int32, x.shape, 1)
        return lax.reduce((x, places), (jnp.zeros((), dtype), jnp.int32(0)), choose, (1,))[1]

    x = 1 + np.random.default_rng(length).integers(-5, 6, (40, length)).astype(dtype) / 4096
    expected = x.astype(jnp.dtype(rounded)).astype(dtype)
    assert np.array_equal(run(function, x, alone=alone), np.argmax(expected, 1))


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("is_maximum", [True, False])
@pytest.mark.parametrize("dtype", ["int8", "int32", "uint32"])
@pytest.mark.parametrize("alone", [True, False])
def test_integers_and_places(alone, dtype, is_maximum, length):
    """Both results are used; of floats, only places may be: equal zeros are told apart."""
    x = rows(length, np.dtype(dtype))
    limits = np.iinfo(dtype)
    x[0], x[1], x[2, 1::2], x[3, 1::2] = limits.min, limits.max, limits.min, limits.max
    start = np.dtype(dtype).type(limits.min if is_maximum else limits.max)
    values, places = run(with_values(jnp.greater if is_maximum else jnp.less), x, start, alone=alone)
    assert np.array_equal(values, x.max(1) if is_maximum else x.min(1))
    assert np.array_equal(places, np.argmax(x, 1) if is_maximum else np.argmin(x, 1))
