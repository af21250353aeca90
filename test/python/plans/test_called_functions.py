# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that a kernel has many times are called, and kernels that differ in numbers and offsets are one."""

import re
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import mlir_xla

FUNCTIONS: dict[str, Callable[[jax.Array], jax.Array]] = {
    "exp": lambda x: jnp.exp(-x),
    "log": lambda x: jnp.log(x * x + 1),
    "sin": jnp.sin,
    "tanh": jnp.tanh,
    "erf": lax.erf,
    "atan2": lambda x: jnp.arctan2(x, x + 1),
    "pow": lambda x: (x * x + 1) ** x,
    "pow of a number": lambda x: 1.25**x,
    "log1p and exp": jax.nn.softplus,
    "two of a kind": lambda x: jnp.exp(-x) * jnp.exp(-x * x),
    "chosen": lambda x: jnp.where(x > 0.3, jnp.sin(x), jnp.cos(x)),
}


def _lowered(function: Callable[..., Any], *shapes: tuple[int, ...], dtype: Any = np.float32) -> str:
    arguments = [jax.ShapeDtypeStruct(shape, dtype) for shape in shapes]
    return jax.jit(function).trace(*arguments).lower(lowering_platforms=("mlir_xla",)).as_text()


def _chain(function: Callable[[jax.Array], jax.Array], x: jax.Array, length: int = 24) -> jax.Array:
    for i in range(length):
        x = function(x + 0.1 * i) * 0.5
    return x


def _check(text: str, *arguments: np.ndarray, **options: Any) -> str:
    """The stage `loops`."""
    ours = mlir_xla.compile(text, **options)
    results, expected = ours(*arguments), mlir_xla.compile(text, target="reference")(*arguments)
    if not isinstance(results, tuple):
        results, expected = (results,), (expected,)
    for result, right in zip(results, expected, strict=True):
        limit = 1e-12 if result.dtype == np.float64 else 2e-5
        np.testing.assert_allclose(result, right, rtol=limit, atol=limit)
    return str(ours.stages["loops"])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_called(name: str, dtype: Any) -> None:
    """Vectors in whole blocks and less, ends of rows, numbers."""
    with jax.enable_x64(dtype == np.float64):
        for shape in (), (5,), (1000,), (3, 37), (1024,):
            x = np.random.default_rng(0).standard_normal(shape).astype(dtype)
            loops = _check(_lowered(lambda x: _chain(FUNCTIONS[name], x), shape, dtype=dtype), x)
            assert re.search(r"func.func private @[\w.]+\.0", loops), shape
            assert "call @" in loops


def test_sums_of_functions() -> None:
    """A step's sum is carried behind them."""
    x = np.random.default_rng(0).standard_normal((7, 611)).astype(np.float32)
    for dim in 0, 1, (0, 1):
        assert ".sin.0" in _check(_lowered(lambda x, dim=dim: _chain(jnp.sin, x).sum(dim), x.shape), x)


def test_each_thread_compiles_its_own() -> None:
    """Kernels with functions in common are compiled by several threads."""
    shapes = [(200 + 16 * i,) for i in range(6)]
    arguments = [np.random.default_rng(i).standard_normal(shape).astype(np.float32) for i, shape in enumerate(shapes)]
    text = _lowered(lambda *xs: tuple(_chain(jnp.sin, x) for x in xs), *shapes)
    _check(text, *arguments, threads=4)
    # A kernel that one part calls and another one has is known to both.
    assert mlir_xla.compile(text, threads=4).stages["binary"].count(".globl") > 1


def test_kernels_but_for_numbers_are_one() -> None:
    """Factors, terms and offsets of slices, of a kernel in a branch, too."""

    def function(x: jax.Array) -> tuple[jax.Array, ...]:
        whole = tuple(jnp.sin(x * (i + 1) + 0.25 * i) for i in range(2, 6))
        parts = tuple(jnp.tanh(x[i, 3 * i : 3 * i + 10] * 0.5) for i in range(4))
        chosen = lax.switch(jnp.int32(x[0, 0] * 0 + 1), [lambda i=i: jnp.exp(x * 0.1 + i) for i in range(3)])
        return (*whole, *parts, chosen)

    x = np.random.default_rng(0).standard_normal((4, 30)).astype(np.float32)
    text = _lowered(function, x.shape)
    _check(text, x)
    kernels = str(mlir_xla.compile(text).stages["kernels"])
    assert len(re.findall(r"math\.sin", kernels)) == 1
    assert len(re.findall(r"math\.tanh", kernels)) == 1
    assert len(re.findall(r"math\.exp", kernels)) == 1


@pytest.mark.parametrize("features", ["", "-avx512f", "-avx512f,-fma"])
@pytest.mark.parametrize("first", [np.float32, np.float64])
def test_kernels_of_several_types(first: type, features: str) -> None:
    """What one kernel calls is not what the next one calls, which has the same functions of other numbers."""
    second = np.float64 if first is np.float32 else np.float32
    with jax.enable_x64(True):
        generator = np.random.default_rng(0)
        x, y = generator.normal(size=1000).astype(first), generator.normal(size=777).astype(second)
        function = jax.jit(lambda x, y: tuple(_chain(lambda z: jnp.exp(jnp.sin(z)), v) for v in (x, y)))
        text = function.trace(x, y).lower(lowering_platforms=("mlir_xla",)).as_text()
        assert ".steps." in _check(text, x, y, features=features)


@pytest.mark.parametrize("features", ["", "-avx512f", "-avx512f,-fma"])
@pytest.mark.parametrize("function", [jnp.arctan2, lambda x, y: jnp.power(jnp.abs(x) + 0.5, jnp.abs(y) + 0.5)])
def test_either_operand_is_the_same_in_all_steps(
    function: Callable[[jax.Array, jax.Array], jax.Array], features: str
) -> None:
    def chain(x: jax.Array, same: jax.Array) -> jax.Array:
        return _chain(lambda x: function(same, function(x, same) * 0.3), x, 10)

    arguments = np.random.default_rng(0).normal(size=1000).astype(np.float32), np.float32(1.3)
    loops = _check(_lowered(chain, (1000,), ()), *arguments, features=features)
    assert ".steps.each.same" in loops
    assert ".steps.same.each" in loops
