# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops of elementwise operations as loops for each element, of several vectors at a time."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import plan_text
import pytest
from jax import lax

import mlir_xla

Step = Callable[[jax.Array, Any], Any]


def _mandelbrot(_: jax.Array, state: Any) -> Any:
    re, im, x, y, count = state
    inside = x * x + y * y < 4
    return re, im, jnp.where(inside, x * x - y * y + re, x), jnp.where(inside, 2 * x * y + im, y), count + inside


def _counts(i: jax.Array, state: Any) -> Any:
    """What is no lanes is handed on beside what is."""
    x, total = state
    return x * 0.5 + i.astype(x.dtype), total + 2


def _swaps(_: jax.Array, state: Any) -> Any:
    return state[1], state[0] * 0.5 + state[1] * 0.25


def _flags(_: jax.Array, state: Any) -> Any:
    x, above = state
    return jnp.where(above, x - 1.5, x + 1), x > 0.75


def _bits(_: jax.Array, state: Any) -> Any:
    (x,) = state
    x = x ^ (x << 13)
    x = x ^ lax.shift_right_logical(x, jnp.int32(17))
    return (x ^ (x << 5),)


def _initial(name: str, x: np.ndarray) -> tuple[np.ndarray, ...]:
    return {
        "mandelbrot": (x, x[::-1].copy(), np.zeros_like(x), np.zeros_like(x), np.zeros(x.shape, np.int32)),
        "counts": (x, np.int32(3)),
        "swaps": (x, x * 2),
        "flags": (x, x > 0),
        "bits": (x.view(np.int32) | 1,),
    }[name]


STEPS: dict[str, Step] = {
    "mandelbrot": _mandelbrot,
    "counts": _counts,
    "swaps": _swaps,
    "flags": _flags,
    "bits": _bits,
}


def _text(name: str, arguments: tuple[np.ndarray, ...]) -> str:
    def program(*state: jax.Array) -> Any:
        return lax.fori_loop(0, 9, STEPS[name], state)

    specs = [jax.ShapeDtypeStruct(each.shape, each.dtype) for each in arguments]
    return jax.jit(program).trace(*specs).lower(lowering_platforms=("mlir_xla",)).as_text()


@pytest.mark.parametrize("name", STEPS)
@pytest.mark.parametrize("size", [64, 129, 1000, 5000])
def test_loops_of_elements(name: str, size: int) -> None:
    x = np.random.default_rng(size).uniform(-1.5, 0.5, size).astype(np.float32)
    arguments = _initial(name, x)
    text = _text(name, arguments)
    executable = mlir_xla.compile(text)
    assert "-> (tensor<" not in executable.stages["kernels"].partition("scf.for")[2].partition("{")[0]
    expected = mlir_xla.compile(text, target="reference")(*arguments)
    for ours, want in zip(executable(*arguments), expected, strict=True):
        np.testing.assert_allclose(ours, want, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", STEPS)
def test_vectors_of_a_loop(name: str) -> None:
    """As many vectors as one likes have the bits of one."""
    x = np.random.default_rng(0).uniform(-1.5, 0.5, 1000).astype(np.float32)
    arguments = _initial(name, x)
    text = plan_text.kernels(_text(name, arguments), plan_text.HOST)

    def of_vectors(count: int) -> list[np.ndarray]:
        def changed(_: int, plan: plan_text.Nest) -> plan_text.Nest:
            return replace(plan, lanes=(*plan.lanes[:2], count), cut={}) if plan.lanes else plan

        return plan_text.run(plan_text.replan(text, changed), list(arguments))

    for ours, one in zip(of_vectors(3), of_vectors(1), strict=True):
        np.testing.assert_array_equal(ours, one)
    for ours, one in zip(of_vectors(8), of_vectors(1), strict=True):
        np.testing.assert_array_equal(ours, one)
