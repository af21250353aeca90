# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps in the interior, which compare nothing, give the same bits as all steps with comparisons."""

import jax
import jax.numpy as jnp
import numpy as np
import plan_text
import pytest

import mlir_xla
from mlir_xla.tuning.plans import Nest


def _rolls(x: jax.Array) -> jax.Array:
    return sum(jnp.roll(x, by, dim) * (1 + by) for dim in range(x.ndim) for by in (1, -2, 3))


def _pads(x: jax.Array) -> jax.Array:
    """Of different widths before and behind, so that the interior begins and ends anywhere."""
    padded = jnp.pad(x, [(1, 2)] * x.ndim, constant_values=5)
    return sum(
        jax.lax.slice_in_dim(padded, at, at + x.shape[0], axis=0)[(..., *[slice(1, -2)] * (x.ndim - 1))] * (at + 1)
        for at in range(4)
    ) + sum(padded[(*[slice(1, -2)] * (x.ndim - 1), slice(at, at + x.shape[-1]))] for at in range(4))


def _masks(x: jax.Array) -> jax.Array:
    places = jnp.arange(x.shape[-1])
    return jnp.where((places > 2) & (places < x.shape[-1] - 4), jnp.abs(x) - x, -x) + jnp.where(places == 1, 3, x)


def _joined(x: jax.Array) -> jax.Array:
    return jnp.concatenate([x[..., -3:], x, x[..., :2]], -1) + 1


def _windows(x: jax.Array) -> jax.Array:
    window, strides = (1,) * (x.ndim - 1) + (5,), (1,) * x.ndim
    return jax.lax.reduce_window(x, jnp.array(-99, x.dtype), jax.lax.max, window, strides, "SAME")


def _windows_of_two_dimensions(x: jax.Array) -> jax.Array:
    if x.ndim == 1:
        return _windows(x[None])[0]
    window = (1,) * (x.ndim - 2) + (3, 3)
    return jax.lax.reduce_window(x, jnp.array(0, x.dtype), jax.lax.add, window, (1,) * x.ndim, "SAME")


def _pads_alike(x: jax.Array) -> jax.Array:
    """The same number at all edges, and most rows are nothing else."""
    x = jnp.pad(jnp.minimum(-x, 1), [(0, x.shape[0])] + [(0, 0)] * (x.ndim - 1), constant_values=2)[x.shape[0] // 2 :]
    return jnp.pad(x, [(0, 0)] * (x.ndim - 1) + [(3, 1)], constant_values=2)


FUNCTIONS = [_rolls, _pads, _pads_alike, _masks, _joined, _windows, _windows_of_two_dimensions]
ORDERED = [_pads_alike, _masks, _windows]  # which complex numbers are not


def _flagged(text: str, isPartition: bool) -> tuple[str, int]:
    """All plans with or without the word, and how many had it."""
    count = 0

    def change(_: int, plan: Nest) -> Nest:
        nonlocal count
        count += "partition" in plan.flags
        plan.flags = plan.flags if isPartition else plan.flags - {"partition"}
        return plan

    return plan_text.replan(text, change), count


@pytest.mark.parametrize("shape", [(48,), (67,), (129,), (1000,), (5, 70), (19, 64), (40, 33), (3, 9, 50)])
@pytest.mark.parametrize(
    "function, dtype",
    [
        (function, dtype)
        for function in FUNCTIONS
        for dtype in (np.float32, np.int8, np.complex64)
        if dtype != np.complex64 or function not in ORDERED
    ],
)
def test_partitions_give_the_same_bits(function, dtype, shape):
    x = np.random.default_rng(shape).integers(-9, 9, shape).astype(dtype)
    program = str(jax.jit(function).lower(x).compiler_ir("stablehlo"))
    want = np.asarray(mlir_xla.compile(program, target="reference")(x))
    for options in ("", "{vector-bits=256}", "{vector-bits=128}"):
        text = plan_text.kernels(program, options)
        for isPartition in (True, False):
            changed, _ = _flagged(text, isPartition)
            np.testing.assert_array_equal(plan_text.run(changed, [x])[0], want)


@pytest.mark.parametrize("function", [each for each in FUNCTIONS if each != _windows])  # rows, which are padded first
def test_the_planner_partitions(function):
    """Where masks have registers, padded copies that windows read are not."""
    x = np.zeros((40, 300), np.float32)
    text = str(jax.jit(function).lower(x).compiler_ir("stablehlo"))
    _, count = _flagged(plan_text.kernels(text, "{vector-bits=256}"), True)
    assert count >= 1


@pytest.mark.parametrize("size", range(2, 70))
def test_edges_at_every_place(size):
    x = np.random.default_rng(size).integers(-9, 9, (3, size)).astype(np.float32)
    for by in {1, size // 2, size - 1}:
        run = mlir_xla.compile(
            str(jax.jit(lambda x, by=by: jnp.roll(x, by, 1) - 2 * jnp.roll(x, 1, 0)).lower(x).compiler_ir("stablehlo"))
        )
        np.testing.assert_array_equal(np.asarray(run(x)), np.roll(x, by, 1) - 2 * np.roll(x, 1, 0))
