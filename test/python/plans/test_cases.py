# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps with and without a condition that is the same in all lanes, which have code of their own."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import plan_text
import pytest

import mlir_xla
from mlir_xla.tuning.plans import Nest

Kernel = Callable[..., Any]


def _chooses(flag: jax.Array, x: jax.Array) -> jax.Array:
    return jnp.where(flag > 0, jnp.remainder(x, 7) * 3 + jnp.remainder(x, 5), x)


def _conjunction(flag: jax.Array, x: jax.Array) -> jax.Array:
    """A part of a condition, of which the rest is different in lanes."""
    return jnp.where((flag > 0) & (jnp.remainder(x, 7) == 3), -1, x)


def _disjunction(flag: jax.Array, x: jax.Array) -> jax.Array:
    return jnp.where((flag > 0) | (jnp.remainder(x, 7) == 3), x, x + 1)


def _both(flag: jax.Array, x: jax.Array) -> jax.Array:
    """What both cases compute is computed once, and what only one does with more than one condition."""
    left = jnp.remainder(x, 7)
    return jnp.where(flag > 0, left + jnp.remainder(x, 11), left * 2) + jnp.where(flag == 1, left, -left)


def _element(flag: jax.Array, x: jax.Array) -> jax.Array:
    """A condition that is read from where the result may be written."""
    at = x.reshape(-1)[jnp.clip(flag, 0, 2)]
    return jnp.where(at > 0, jnp.remainder(x, 7) * jnp.remainder(x, 9), x - 1)


def _rows(flag: jax.Array, x: jax.Array) -> jax.Array:
    """Another number for each row, and one that is the result of a loop."""
    rows = jnp.arange(x.shape[0]).reshape((-1,) + (1,) * (x.ndim - 1))
    return jnp.where((rows + flag) % 3 == 0, jnp.remainder(x, 7) * jnp.remainder(x, 9), x - 1)


FUNCTIONS = [_chooses, _conjunction, _disjunction, _both, _element, _rows]


@pytest.mark.parametrize("shape", [(48,), (67,), (129,), (5, 70), (3, 9, 50), (40, 300)])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_cases_give_the_same_bits(function: Kernel, shape: tuple[int, ...]) -> None:
    x = np.random.default_rng(shape).integers(-99, 99, shape).astype(np.int32)
    program = str(jax.jit(function).lower(np.int32(0), x).compiler_ir("stablehlo"))
    for options in ("", "{vector-bits=256}"):
        text = plan_text.kernels(program, options)
        for flip in (False, True):

            def change(_: int, plan: Nest, flip: bool = flip) -> Nest:
                plan.flags = plan.flags ^ {"partition"} if flip else plan.flags
                return plan

            try:
                changed = plan_text.replan(text, change)
                plan_text.run(changed, [np.int32(0), x])
            except mlir_xla.MLIRError:
                assert flip
                continue
            for flag in (-1, 0, 1, 2):
                want = np.asarray(mlir_xla.compile(program, target="reference")(np.int32(flag), x))
                np.testing.assert_array_equal(plan_text.run(changed, [np.int32(flag), x])[0], want)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_the_planner_makes_cases(function: Kernel) -> None:
    x = np.zeros((40, 300), np.int32)
    text = plan_text.kernels(str(jax.jit(function).lower(np.int32(0), x).compiler_ir("stablehlo")))
    assert any("partition" in plan.flags for plan in plan_text.plans(text))


def test_small_cases_are_chosen_by_lanes() -> None:
    x = np.zeros(4000, np.float32)
    program = str(jax.jit(lambda f, x: jnp.where(f > 0, x + 1, x)).lower(np.int32(0), x).compiler_ir("stablehlo"))
    assert not any("partition" in plan.flags for plan in plan_text.plans(plan_text.kernels(program)))
