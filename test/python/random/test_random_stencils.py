# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs of what reads its neighbours: rolls, padding, slices, windows, joined parts and masks by place, many
steps behind each other. Integers are compared exactly with what XLA computes."""

import random

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from comparison import UNOPTIMISED
from jax import lax

import mlir_xla

SIZES = [2, 3, 5, 8, 16, 17, 31, 40, 64, 70, 100]


def _shape(draw: random.Random) -> tuple[int, ...]:
    rank = draw.choice([1, 1, 2, 2, 2, 3])
    if rank == 1:
        return (draw.choice([5, 33, 64, 100, 257, 1000, 4001]),)
    if rank == 2 and draw.random() < 0.2:
        return draw.choice([150, 301]), draw.choice([200, 333])
    return tuple(draw.choice(SIZES) for _ in range(rank))


def _along(shape: tuple[int, ...], dim: int, of_dim, of_others) -> list:
    return [of_dim if each == dim else of_others for each in range(len(shape))]


def _roll(x, y, dim, draw):
    return jnp.roll(x, draw.randint(-3, 3), dim)


def _shift(x, y, dim, draw):
    low, high = draw.randint(0, 3), draw.randint(0, 3)
    padded = jnp.pad(x, _along(x.shape, dim, (low, high), (0, 0)), constant_values=draw.randint(0, 4))
    start = draw.randint(0, low + high)
    return lax.slice_in_dim(padded, start, start + x.shape[dim], axis=dim)


def _mask(x, y, dim, draw):
    places = lax.broadcasted_iota(jnp.int32, x.shape, dim)
    return jnp.where((places > draw.randint(0, 3)) & (places < x.shape[dim] - draw.randint(0, 3)), x, y)


def _window(x, y, dim, draw):
    window = _along(x.shape, dim, min(x.shape[dim], draw.randint(2, 4)), 1)
    return lax.reduce_window(x, jnp.int32(-9), lax.max, tuple(window), (1,) * x.ndim, "SAME")


def _join(x, y, dim, draw):
    at = draw.randint(1, x.shape[dim] - 1)
    first, second = (tuple(_along(x.shape, dim, part, slice(None))) for part in (slice(0, at), slice(at, None)))
    return jnp.concatenate([y[first], x[second]], dim)


def _extend(x, y, dim, draw):
    if x.shape[dim] < 3:
        return x + 1
    inner = lax.slice_in_dim(x, 1, x.shape[dim] - 1, axis=dim)
    return jnp.pad(inner, _along(x.shape, dim, (1, 1), (0, 0)), mode=draw.choice(["edge", "constant", "wrap"]))


def _add(x, y, dim, draw):
    return x + y


def _combine(x, y, dim, draw):
    return draw.choice([lambda: x * 3 - y, lambda: x ^ y, lambda: jnp.minimum(x, y), lambda: -x])()


STEPS = [_roll, _roll, _shift, _shift, _mask, _window, _join, _extend, _add, _combine, _combine]


def _program(seed: int):
    """Steps on the last few values and any earlier one, of which the last ones are results."""
    draw = random.Random(seed)
    shape, count, results = _shape(draw), draw.randint(4, 40), draw.randint(1, 3)
    steps = [(draw.choice(STEPS), draw.random()) for _ in range(count)]

    def function(x, y):
        values = [x, y]
        for step, number in steps:
            own = random.Random(number)
            values.append(step(own.choice(values[-4:]), own.choice(values), own.randrange(len(shape)), own))
        return tuple(values[-results:])

    return shape, function


@pytest.mark.parametrize("seed", range(150))
def test_stencils(seed: int) -> None:
    shape, function = _program(seed)
    x, y = np.random.default_rng(seed).integers(-99, 99, (2, *shape)).astype(np.int32)
    lowered = jax.jit(function, keep_unused=True).lower(x, y)
    text = str(lowered.compiler_ir("stablehlo"))
    wanted = lowered.compile(UNOPTIMISED)(x, y)
    for options in ({"threads": 2}, {"features": "-avx512f"}):
        found = mlir_xla.compile(text, **options)(x, y)
        for have, want in zip(found if isinstance(found, tuple) else (found,), wanted, strict=True):
            np.testing.assert_array_equal(np.asarray(have), np.asarray(want))
