# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs of numbers in loops and branches within each other, which exchange them: what is in registers, on the
stack and in memory is computed as XLA does, exactly."""

import random

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from comparison import UNOPTIMISED
from jax import lax

import mlir_xla

TYPES = ["int32", "int32", "int8", "uint16", "float32", "float32", "bfloat16", "bool", "complex64"]
SHAPES = [(), (), (), (), (1,), (2,), (5,), (0,)]

State = tuple[jax.Array, ...]


def _limited(x: jax.Array) -> jax.Array:
    """Numbers that are small and whole, so that all types are exact."""
    if x.dtype == bool:
        return x
    if x.dtype == jnp.complex64:
        return lax.complex(_limited(x.real), _limited(x.imag))
    return jnp.where((x > 50) | (x < -50), jnp.ones_like(x), x)


def _converted(x: jax.Array, like: jax.Array) -> jax.Array:
    if x.dtype == jnp.complex64 and like.dtype != jnp.complex64:
        x = x.real
    return jnp.broadcast_to(jnp.sum(x) if x.shape != like.shape else x, like.shape).astype(like.dtype)


def _computed(x: jax.Array, y: jax.Array, draw: random.Random) -> jax.Array:
    if x.dtype == bool:
        return draw.choice([lambda: x ^ y, lambda: x & y, lambda: ~x])()
    steps = [lambda: x + y, lambda: x - y, lambda: x + jnp.ones_like(x)]
    if x.dtype != jnp.complex64:
        steps += [lambda: jnp.minimum(x, y), lambda: jnp.where(x < y, x, y), lambda: jnp.maximum(x, y)]
    if x.ndim and x.shape[0] > 1:
        steps += [lambda: jnp.roll(x, 1), lambda: lax.dynamic_update_slice(x, y[:1], (draw.randrange(5),))]
    return draw.choice(steps)()


def _number(state: State, seed: int) -> jax.Array:
    x = random.Random(seed).choice(state)
    x = x.real if x.dtype == jnp.complex64 else x
    return jnp.sum(x).astype(jnp.int32)


def _statements(state: State, seed: int, depth: int) -> State:
    """A few values computed anew, or a loop or branches, and all values of a type in another order."""
    draw = random.Random(seed)
    values = list(state)
    for _ in range(draw.randint(1, 3)):
        kind, own, number = draw.random(), draw.randrange(1 << 30), _number(tuple(values), draw.randrange(1 << 30))
        if depth and kind < 0.15:
            values = list(_counted(tuple(values), own, depth, draw.choice([2, 3, number % 4])))
        elif depth and kind < 0.3:
            values = list(_while(tuple(values), own, depth))
        elif depth and kind < 0.5:
            values = list(_switch(tuple(values), own, depth, number, draw.randint(2, 3)))
        else:
            at = draw.randrange(len(values))
            other = _converted(draw.choice(values), values[at])
            values[at] = _limited(_computed(values[at], other, draw))
    order = list(range(len(values)))
    draw.shuffle(order)
    for i, j in zip(order, order[1:], strict=False):
        if values[i].aval == values[j].aval and draw.random() < 0.5:
            values[i], values[j] = values[j], values[i] if draw.random() < 0.9 else values[j]
    return tuple(values)


def _counted(state: State, seed: int, depth: int, trips: int | jax.Array) -> State:
    def step(i, carried):
        return _statements((*carried[:-1], _limited(carried[-1] + jnp.int32(i))), seed, depth - 1)

    return lax.fori_loop(0, trips, step, state)


def _switch(state: State, seed: int, depth: int, number: jax.Array, count: int) -> State:
    def branch(i):
        return lambda carried: _statements(carried, seed + i, depth - 1)

    return lax.switch(number % count, [branch(i) for i in range(count)], state)


def _while(state: State, seed: int, depth: int) -> State:
    limit = random.Random(seed).randint(1, 4)

    def go_on(carried):
        return (carried[0] < limit) & (_number(carried[1], seed) < 45)

    def step(carried):
        return carried[0] + 1, _statements(carried[1], seed, depth - 1)

    return lax.while_loop(go_on, step, (jnp.int32(0), state))[1]


def _program(seed: int):
    draw = random.Random(seed)
    drawn = [(draw.choice(TYPES), draw.choice(SHAPES)) for _ in range(draw.randint(1, 3))]
    drawn = [each for each in drawn for _ in range(draw.randint(1, 3))] + [("int32", ())]
    numbers = np.random.default_rng(seed)
    inputs = [jnp.asarray(numbers.integers(0, 9, shape)).astype(kind) for kind, shape in drawn]
    return lambda *state: _statements(state, seed, 3), inputs


@pytest.mark.parametrize("seed", range(150))
def test_loops(seed: int) -> None:
    function, inputs = _program(seed)
    lowered = jax.jit(function, keep_unused=True).lower(*inputs)
    text = str(lowered.compiler_ir("stablehlo"))
    wanted = lowered.compile(UNOPTIMISED)(*inputs)
    for options in ({"threads": 2}, {"features": "-avx512f"}):
        found = mlir_xla.compile(text, **options)(*(np.asarray(x) for x in inputs))
        for have, want in zip(found if isinstance(found, tuple) else (found,), wanted, strict=True):
            np.testing.assert_array_equal(np.asarray(have), np.asarray(want))
