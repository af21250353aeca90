# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elements at computed indices that mostly follow each other: whole vectors are read where they do, and lane by lane
where an index is clamped or wraps around."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import mlir_xla

MACHINES = [(1, ""), (2, ""), (1, "-avx512f"), (1, "-avx")]
TYPES = [np.float32, np.int32, np.int8, np.int16, np.complex64, bool]


def check(function, *arguments):
    text = str(jax.jit(function).lower(*arguments).compiler_ir("stablehlo"))
    want = np.asarray(function(*map(jnp.asarray, arguments)))
    for threads, features in MACHINES:
        run = mlir_xla.compile(text, threads=threads, features=features)
        np.testing.assert_array_equal(np.asarray(run(*arguments)), want)
    return text


def values(shape, dtype) -> np.ndarray:
    return np.random.default_rng(shape).integers(-99, 99, shape).astype(dtype)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("size", [5, 16, 33, 1000])
def test_clamped(size, dtype):
    for shift in (0, 1, -3, 16, -17, size, 3 * size):
        check(lambda x, shift=shift: x[jnp.clip(jnp.arange(size) + shift, 0, size - 1)], values((size,), dtype))


@pytest.mark.parametrize("size", [7, 64, 1001])
def test_shifts_that_are_data(size):
    """Also such that the sum wraps around."""
    x = values((size,), np.float32)
    for shift in (0, 5, -5, size, -size, 2**31 - 2, -(2**31)):
        by = np.array(shift, np.int32)
        check(lambda x, by: x[jnp.maximum(jnp.arange(size, dtype=jnp.int32) - by, 0)] + x[0], x, by)
        check(lambda x, by: x[(jnp.arange(size, dtype=jnp.int32) + by) % size], x, by)


@pytest.mark.parametrize("shape", [(9, 40), (33, 17), (64, 100)])
def test_images(shape):
    rows, columns = shape

    def stencil(x):
        i, j = jnp.arange(rows)[:, None], jnp.arange(columns)[None]
        at = [x[jnp.clip(i + a, 0, rows - 1), jnp.clip(j + b, 0, columns - 1)] for a in (-1, 0, 2) for b in (-2, 0, 1)]
        return sum(value * (k + 1) for k, value in enumerate(at))

    check(stencil, values(shape, np.int32))


def test_each_row_has_a_shift_of_its_own():
    x, by = values((20, 100), np.float32), values((20,), np.int32)
    check(lambda x, by: jnp.take_along_axis(x, jnp.clip(jnp.arange(100) + by[:, None], 0, 99), 1), x, by)


def test_indices_that_jump():
    """Up, down, to and fro, and not by one: whatever the indices are, it is they that are read."""
    x, mask, i = values((500,), np.float32), values((500,), np.int32) > 0, jnp.arange(500)
    check(lambda x, mask: x[jnp.where(mask, i, 499)], x, mask)
    check(lambda x, mask: x[jnp.where(mask, i, jnp.minimum(i + 1, 499))], x, mask)
    check(lambda x, mask: x[jnp.maximum(499 - i, 0)] - x[i % 7] * x[jnp.minimum(2 * i, 499)] + mask, x, mask)
