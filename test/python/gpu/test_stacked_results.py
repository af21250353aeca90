# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the iterations of a loop stack up is written by the next ones, in a launch with what these compute."""

import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import mlir_xla

TARGET = "cuda-emulated"
pytestmark = pytest.mark.usefixtures("checked")


def states(xs, h, w, v):
    """Of a recurrent network: each is what the next iteration begins with."""

    def step(h, x):
        h = jnp.tanh(x @ w + h @ v)
        return h, h

    return lax.scan(step, h, xs)


def backwards(xs, h, w, v):
    """The places are computed, from the last to the first."""

    def step(h, x):
        h = jnp.tanh(x @ w + h @ v)
        return h, h

    return lax.scan(step, h, xs, reverse=True)


def others(xs, h, w, v):
    """What is stacked up is not what the next iteration begins with."""

    def step(h, x):
        h = jnp.tanh(x @ w + h @ v)
        return h, (h * 3, jnp.max(h, axis=0))

    return lax.scan(step, h, xs)


def lstm(xs, h, w, v):
    """Two states; products of what is concatenated, half of which are those of all steps."""
    weights = jnp.concatenate([w, v]).repeat(4, axis=1)

    def step(carry, x):
        h, c = carry
        i, f, g, o = jnp.split(jnp.concatenate([x, h], axis=1) @ weights, 4, axis=1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), (h, c)

    return lax.scan(step, (h, h), xs)


def read(xs, h, w, v):
    """Iterations read what the one before has written."""

    def step(i, ys):
        before = lax.dynamic_index_in_dim(ys, jnp.maximum(i - 1, 0), keepdims=False)
        return lax.dynamic_update_index_in_dim(ys, jnp.tanh(xs[0] @ w + before @ v), i, 0)

    return lax.fori_loop(0, xs.shape[0], step, xs + h)


def one_place(xs, h, w, v):
    """All iterations but the last ones overwrite each other's slices."""

    def step(i, state):
        h, ys = state
        h = jnp.tanh(xs[0] @ w + h @ v)
        return h, lax.dynamic_update_index_in_dim(ys, h, i // 4, 0)

    return lax.fori_loop(0, xs.shape[0], step, (h, xs))


def draw(steps, rows=24, columns=96):
    draws = np.random.default_rng(steps)
    shapes = (steps, rows, columns), (rows, columns), (columns, columns), (columns, columns)
    return [draws.uniform(-0.3, 0.3, shape).astype(np.float32) for shape in shapes]


def compiled(function, arrays, target=TARGET):
    return mlir_xla.compile(jax.jit(function).lower(*arrays).as_text(), target=target)


def launches_of_loop(program):
    loops = program.stages["loops"]
    main = loops[loops.index("func.func @main(") :]
    body = main[main.index("} do {") : main.index("\n    }\n")]
    return re.findall(r"call @(\w+)\.impl\(", body)


@pytest.mark.parametrize("steps", [1, 9])
@pytest.mark.parametrize(
    ("function", "count"), [(states, 1), (backwards, 2), (others, 1), (lstm, 2), (read, 3), (one_place, 1)]
)
def test_results(function, count, steps):
    arrays = draw(steps)
    program = compiled(function, arrays)
    for _ in range(2):  # piece by piece, and as a graph
        got = jax.tree.leaves(program(*arrays))
    want = jax.tree.leaves(compiled(function, arrays, "reference")(*arrays))
    for have, expected in zip(got, want, strict=True):
        np.testing.assert_allclose(np.asarray(have), np.asarray(expected), rtol=1e-5, atol=2e-5)
    if steps > 1:
        assert len(launches_of_loop(program)) == count
