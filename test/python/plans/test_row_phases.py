# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each nest for a block of rows before the next one gives the results of one row after the other."""

import re

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


def _logsumexp(x: jax.Array) -> tuple[jax.Array, ...]:
    greatest = x.max(-1)
    total = jnp.exp(x - greatest[:, None]).sum(-1)
    return jnp.log(total) + greatest, total, x + greatest[:, None]


def _kernels(text: str) -> ir.Module:
    module = parse(text)
    with module.context:
        PassManager.parse("builtin.module(xla-to-kernels)").run(module.operation)
    return module


def _with_block(module: ir.Module, block: int) -> ir.Module:
    """The kernels of rows do so many at once; each by itself if that is 0. Their plans are made anew."""
    text = re.sub(r", xla_rt\.plans = \[.*?\](?=\})", "", str(module))
    text, count = re.subn(r"(kernel<rows, \[\d+\])( by \d+)?>", rf"\1 by {block}>" if block else r"\1>", text)
    assert count > 0 and "xla_rt.plans" not in text
    return ir.Module.parse(text, module.context)


def _run(module: ir.Module, x: np.ndarray) -> list[np.ndarray]:
    with module.context:
        return [np.asarray(each) for each in compiler.compile(module.operation, from_stage="kernels").run((x,))]


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16"])
@pytest.mark.parametrize("width", [13, 16, 17, 33, 64, 100])
@pytest.mark.parametrize("rows", [16, 65, 97])
@pytest.mark.parametrize("function", [_softmax, _norm, _logsumexp])
def test_blocks_of_rows(function, rows: int, width: int, dtype: str) -> None:
    x = np.asarray(jnp.asarray(np.random.default_rng(rows + width).standard_normal((rows, width)), dtype))
    module = _kernels(jax.jit(function).lower(x).as_text())
    one = _run(_with_block(module, 0), x)
    tolerance = {"float32": 1e-6, "bfloat16": 2e-2, "float16": 2e-3}[dtype]
    for block in (1, 4, 16):
        for expected, found in zip(one, _run(_with_block(module, block), x), strict=True):
            np.testing.assert_allclose(
                found.astype(np.float64), expected.astype(np.float64), rtol=tolerance, atol=tolerance
            )
