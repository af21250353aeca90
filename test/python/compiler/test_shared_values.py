# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values that are read twice, and so are those they are computed of, forty times: whoever follows every path to them
follows 2^40. Each program compiles at once, wherever such a value stands."""

import faulthandler

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import mlir_xla

DEPTH = 40
SECONDS = 120


@pytest.fixture(autouse=True)
def _end():
    """What does not end ends the process."""
    faulthandler.dump_traceback_later(SECONDS, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()


def _reals(x):
    for i in range(DEPTH):
        x = x * 0.5 + jnp.maximum(x, 0.25) if i % 2 else x - x * x * 0.1
    return x


def _bits(x):
    for _ in range(DEPTH):
        x = (x ^ (x >> 3)) + (x | 1)
    return x


def _sums(x):
    previous = x
    for _ in range(DEPTH):
        x, previous = x + previous, x
    return x


def _masks(mask, other):
    for _ in range(DEPTH):
        mask = (mask & other) | (mask & ~other) | (mask ^ (other & mask))
    return mask


def _rows(size):
    return lax.iota(jnp.int32, size)


def _attention(mask):
    def attention(q, k, v):
        return jax.nn.softmax(jnp.where(mask(), q @ k.T, -1e9)) @ v

    return attention


def _causal():
    return _rows(128)[:, None] <= _rows(128)


def _repeated(step, depth=DEPTH):
    """Reads the last value at two positions each time."""

    def program(x, *others):
        for _ in range(depth):
            x = step(x, *others)
        return x

    return program


X, W, N, J = ((64, 64), "f4"), ((128, 64), "f4"), ((64, 64), "i4"), ((32,), "i4")
PROGRAMS = {
    "sum": (lambda x: _reals(x).sum(), X),
    "sum_of_rows": (lambda x: _reals(x).sum(1), X),
    "sum_of_columns": (lambda x: _reals(x).sum(0), X),
    "sum_of_bits": (lambda x: _bits(x).sum(), N),
    "maximum_of_bits": (lambda x: _bits(x).max(0), N),
    "softmax": (lambda x: jax.nn.softmax(_reals(x)), X),
    "product": (lambda x, y: _reals(_reals(x) @ _reals(y) * 0.01), X, X),
    "convolution": (
        lambda x, y: _reals(lax.conv(_reals(x), y, (1, 1), "SAME")),
        ((1, 8, 16, 16), "f4"),
        ((8, 8, 3, 3), "f4"),
    ),
    "gather": (lambda x, j: x[jnp.clip(_bits(j), 0, 63)], X, J),
    "scatter": (lambda x, j, u: x.at[jnp.clip(_bits(j), 0, 63)].add(_reals(u)), X, J, ((32, 64), "f4")),
    "mask": (lambda x: jnp.where(_sums(_rows(64))[:, None] <= _rows(64), x, 0).sum(1), X),
    "mask_of_attention": (_attention(lambda: _masks(_causal(), _rows(128) < 100)), W, W, W),
    "positions_of_attention": (_attention(lambda: _sums(_rows(128))[:, None] <= _rows(128)), W, W, W),
    "scan": (lambda x: lax.scan(lambda c, e: (_reals(c + e), _reals(e)), jnp.zeros(64), x), X),
    "while": (lambda x: lax.while_loop(lambda c: _reals(c).sum() < 1000, lambda c: _reals(c) + 100, x), X),
    "sort": (lambda x: lax.sort(_reals(x)), X),
    "cumulative_sum": (lambda x: jnp.cumsum(_reals(x), 1), X),
    "windows": (lambda x: lax.reduce_window(_reals(x), 0.0, lax.add, (3, 3), (1, 1), "SAME"), X),
    "update": (lambda x, y, j: lax.dynamic_update_slice(x, _reals(y), (_bits(j), 0)), X, ((8, 64), "f4"), ((), "i4")),
    "transpose": (lambda x: _reals(_reals(x).T), X),
    "transposes": (_repeated(lambda x: x.T * 0.5 + x * 0.4), X),
    "pads": (_repeated(lambda x: jnp.pad(x, 1)[2:, 2:] * 0.5 + x * 0.4), X),
    "shapes": (_repeated(lambda x: x.reshape(128, 32).T.reshape(64, 64) * 0.5 + x * 0.4), X),
    "rolls": (_repeated(lambda x: jnp.roll(x, 1, 0) * 0.5 + jnp.roll(x, 1, 1) * 0.4), X),
    "gathers": (_repeated(lambda x, j: x[j] * 0.5 + x * 0.4), X, ((64,), "i4")),
    "broadcasts": (_repeated(lambda x: x[:, :1] * 0.5 + x * 0.4), X),
    "sum_of_pads": (lambda x: _repeated(lambda x: jnp.pad(x, 1)[2:, 2:] * 0.5 + x * 0.4)(x).sum(1), X),
}


@pytest.mark.parametrize("target", ["cpu", "cuda-emulated"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_values_read_twice(name, target):
    function, *inputs = PROGRAMS[name]
    generator = np.random.default_rng(0)
    arguments = [
        generator.integers(0, 64, shape, dtype) if dtype == "i4" else generator.random(shape, dtype)
        for shape, dtype in inputs
    ]
    lowered = jax.jit(function, keep_unused=True).trace(*arguments).lower(lowering_platforms=("cpu",))
    got = mlir_xla.compile(lowered.as_text(), target=target)(*arguments)
    expected = jax.tree.leaves(jax.jit(function)(*arguments))
    for each, wanted in zip(got if isinstance(got, tuple) else [got], expected, strict=True):
        np.testing.assert_allclose(each, wanted, rtol=1e-4, atol=1e-4)
