# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Two short rows at once give the results of one after the other, to the bit."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from mlir_xla import ir, parse
from mlir_xla._mlir_libs._xla import compiler
from mlir_xla.passmanager import PassManager


def _softmax(x: jax.Array) -> jax.Array:
    powers = jnp.exp(x - x.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def _norm(x: jax.Array) -> jax.Array:
    rest = x - x.mean(-1, keepdims=True)
    return rest * jax.lax.rsqrt((rest * rest).mean(-1, keepdims=True) + 1e-5)


def _folds(x: jax.Array) -> tuple[jax.Array, ...]:
    return jnp.argmax(x, -1), x.max(-1), x.sum(-1), x.min(-1)


def _loops(text: str, passes: str) -> ir.Module:
    module = parse(text)
    with module.context:
        PassManager.parse(f"builtin.module(xla-to-kernels,xla-emit-kernels,{passes}xla-assign-buffers)").run(
            module.operation
        )
    return module


def _results(text: str, x: np.ndarray) -> tuple[bool, int]:
    """Whether rows are done at once, and the bytes of the arena then; the results are those of one after the other."""
    modules = [_loops(text, passes) for passes in ("", "xla-interleave-rows,")]
    executables = []
    for module in modules:
        with module.context:
            executables.append(compiler.compile(module.operation, from_stage="loops"))
    for one, several in zip(*(executable.run((x,)) for executable in executables), strict=True):
        np.testing.assert_array_equal(np.asarray(one).view(np.int32), np.asarray(several).view(np.int32))
    return str(modules[0]) != str(modules[1]), executables[1].arena_size


@pytest.mark.parametrize("width", [3, 16, 17, 32, 40, 64])
@pytest.mark.parametrize("rows", [1, 2, 7, 4097])
@pytest.mark.parametrize("function", [_softmax, _norm, _folds])
def test_rows_at_once(function, rows: int, width: int) -> None:
    x = np.random.default_rng(rows + width).standard_normal((rows, width)).astype(np.float32)
    at_once, _ = _results(jax.jit(function).lower(x).as_text(), x)
    if function is _softmax and width == 32 and rows > 1:
        assert at_once


def test_rows_at_once_in_place() -> None:
    """The last of an odd number of rows is done twice, of what was there before."""
    x = np.random.default_rng(0).standard_normal((4097, 32)).astype(np.float32)

    def program(x: jax.Array) -> jax.Array:
        return -jax.lax.optimization_barrier(_softmax(jax.lax.optimization_barrier(x + x)))

    at_once, arena = _results(jax.jit(program).lower(x).as_text(), x)
    assert at_once
    assert arena <= x.nbytes + 4096
