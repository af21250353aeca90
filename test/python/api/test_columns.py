# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Columns that are put together along the last dimension: pairs of indices, rotations, parts of numbers. Results are
small whole numbers, so that all types are exact."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from comparison import UNOPTIMISED
from jax import lax

import mlir_xla

TYPES = ["float32", "float64", "bfloat16", "float16", "int8", "uint16", "int32", "bool", "complex64"]
SHAPES = [(1,), (5,), (16,), (67,), (1000,), (9, 33), (3, 4, 17), (40, 1), (129, 130)]


def _compared(function, *inputs, **options) -> None:
    lowered = jax.jit(function, keep_unused=True).lower(*inputs)
    text = str(lowered.compiler_ir("stablehlo"))
    wanted = lowered.compile(UNOPTIMISED)(*inputs)
    for each in ({"threads": 2}, {"features": "-avx512f"}):
        found = mlir_xla.compile(text, **each, **options)(*(np.asarray(x) for x in inputs))
        pairs = zip(jax.tree.leaves(found), jax.tree.leaves(wanted), strict=True)
        for have, want in pairs:
            np.testing.assert_array_equal(np.asarray(have), np.asarray(want))


def _numbers(shape, kind: str = "float32", seed: int = 0):
    return jnp.asarray(np.random.default_rng(seed).integers(0, 5, shape)).astype(kind)


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("count", [2, 3, 4, 6, 9, 16])
def test_types(kind: str, count: int) -> None:
    with jax.enable_x64(kind == "float64"):
        for shape in SHAPES[::2]:
            inputs = [_numbers(shape, kind, seed) for seed in range(count)]
            _compared(lambda *columns: jnp.stack(columns, -1), *inputs)


STEPS = [
    lambda x, y: x * y - x,
    lambda x, y: x + y * 2,
    jnp.maximum,
    lambda x, y: x,
    lambda x, y: y - 3,
]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("count", [2, 3, 4, 5, 7, 8, 12, 16, 17])
def test_computed(shape: tuple[int, ...], count: int) -> None:
    def function(x, y):
        stacked = jnp.stack([step(x, y) for step in (STEPS * 4)[:count]], -1)
        return stacked, stacked * 2 + 1

    _compared(function, _numbers(shape, seed=1), _numbers(shape, seed=2))


def test_read_by_others() -> None:
    def function(x, y):
        pairs = jnp.stack([x * y, x - y], -1)
        turned = jnp.stack([pairs[..., 0] - pairs[..., 1], pairs[..., 0] + pairs[..., 1]], -1).reshape(-1)
        return pairs.sum(-1), pairs[:, ::-1], pairs.T, turned.reshape(-1, 2) @ jnp.ones((2, 3)), pairs.max()

    _compared(function, _numbers((77,), seed=3), _numbers((77,), seed=4))


def test_in_place() -> None:
    """A step of a loop reads all columns of the state before it writes them."""

    def step(_, state):
        a, b, c = state[:, 0], state[:, 1], state[:, 2]
        return jnp.stack([c - a, a + 1, jnp.minimum(a, b)], -1)

    _compared(lambda state: lax.fori_loop(0, 7, step, state), _numbers((50, 3), "int32"))


def test_rotation() -> None:
    def function(x, c, s):
        a, b = x[..., ::2], x[..., 1::2]
        return jnp.stack([a * c - b * s, a * s + b * c], -1).reshape(x.shape)

    for kind in ("float32", "bfloat16"):
        _compared(function, _numbers((4, 6, 34), kind), _numbers((6, 17), kind, 1), _numbers((6, 17), kind, 2))


def test_indices() -> None:
    numbers = np.random.default_rng(5)
    x = _numbers((40, 50), "int32")
    i, j = (jnp.asarray(numbers.integers(-size, size, 300), jnp.int32) for size in (40, 50))
    _compared(lambda x, i, j, v: (x[i, j], x.at[i, j].add(v)), x, i, j, _numbers((300,), "int32", 6))


def test_small_reductions_before_columns() -> None:
    def function(x):
        most, least = x.max(-1), x.min(-1)
        return jnp.stack([most - least, jnp.where(most == x[..., 0], x[..., 1], x[..., 2]), most], -1)

    _compared(function, _numbers((45, 46, 3)))


def test_one_row_of_columns_along_another_dimension() -> None:
    """Lanes along the rows that are stored behind each other, wherever what is read lies."""
    _compared(lambda x, y: jnp.stack(jnp.meshgrid(x, y), -1), _numbers((33,)), _numbers((20,), seed=7))


@pytest.mark.parametrize("kind", ["float32", "float64", "bfloat16", "int8", "bool", "complex64"])
@pytest.mark.parametrize("rows, columns", [(2, 2), (1, 3), (3, 1), (2, 3), (3, 3), (4, 4), (5, 4)])
def test_stacks_of_stacks(rows: int, columns: int, kind: str) -> None:
    """Matrices, such as rotations, of which each element is computed by itself."""

    def matrix(x, y):
        steps = [step(x, y) if kind != "bool" else x ^ y for step in STEPS[:2] + STEPS[3:]] * rows * columns
        return jnp.stack([jnp.stack(steps[row : row + columns], -1) for row in range(rows)], -2)

    def used(x, y):
        made = matrix(x, y)
        return made + made[..., ::-1, :] if kind != "bool" else ~made, made.sum(-1)

    with jax.enable_x64(kind == "float64"):
        for shape in [(5,), (67,), (9, 33), (1000,)]:
            inputs = _numbers(shape, kind, 1), _numbers(shape, kind, 2)
            _compared(matrix, *inputs)
            _compared(used, *inputs)
