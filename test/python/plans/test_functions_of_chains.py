# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that long chains have many times are called, each for its type and for the operands that it is given."""

from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import mlir_xla


def _check(function: Callable[..., jax.Array | tuple[jax.Array, ...]], *arguments: np.ndarray) -> None:
    text = jax.jit(function).trace(*arguments).lower(lowering_platforms=("mlir_xla",)).as_text()
    expected = mlir_xla.compile(text, target="reference")(*arguments)
    for features in "", "-avx512f", "-avx512f,-fma":
        executable = mlir_xla.compile(text, features=features)
        assert ".steps" in executable.stages["loops"]
        ours = executable(*arguments)
        for one, other in zip(*(v if isinstance(v, tuple) else (v,) for v in (ours, expected)), strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("first", [np.float32, np.float64])
def test_kernels_of_several_types(first: type) -> None:
    """What one kernel calls is not what the next one calls, which has the same functions of other numbers."""
    second = np.float64 if first is np.float32 else np.float32

    def chain(x: jax.Array) -> jax.Array:
        for _ in range(24):
            x = jnp.exp(jnp.sin(x) * 0.5) * 0.4
        return x

    with jax.enable_x64(True):
        generator = np.random.default_rng(0)
        x, y = generator.normal(size=1000).astype(first), generator.normal(size=777).astype(second)
        _check(lambda x, y: (chain(x), chain(y)), x, y)


@pytest.mark.parametrize("function", [jnp.arctan2, lambda x, y: jnp.power(jnp.abs(x) + 0.5, jnp.abs(y) + 0.5)])
def test_either_operand_is_the_same_in_all_steps(function: Callable[[jax.Array, jax.Array], jax.Array]) -> None:
    def chain(x: jax.Array, same: jax.Array) -> jax.Array:
        for _ in range(10):
            x = function(same, function(x, same) * 0.3) * 0.5
        return x

    _check(chain, np.random.default_rng(0).normal(size=1000).astype(np.float32), np.float32(1.3))
