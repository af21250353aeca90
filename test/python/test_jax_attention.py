# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`jax.nn.dot_product_attention`, as JAX writes it for each of its forms, is one kernel over blocks of queries, and
gives what XLA gives."""

from __future__ import annotations

import re

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest

import mlir_xla


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize(("heads", "groups"), [(4, 4), (4, 1)])
@pytest.mark.parametrize("batch", [1, 2])
def test_one_kernel(batch, heads, groups, causal, dtype) -> None:
    generator = np.random.default_rng(3)
    shapes = [(batch, 70, each, 32) for each in (heads, groups, groups)]
    arguments = [generator.standard_normal(shape).astype(jnp.dtype(dtype)) for shape in shapes]

    def attention(q, k, v):
        return jax.nn.dot_product_attention(q, k, v, is_causal=causal)

    compiled = mlir_xla.compile(jax.jit(attention).lower(*arguments).as_text())
    kinds = re.findall(r"#xla_rt\.kernel<(\w+)([^>]*)>", compiled.stages["kernels"])
    assert sum(" by " in rows for _, rows in kinds) == 1, kinds
    assert all(kind in ("rows", "elementwise") for kind, _ in kinds), kinds
    expected = np.asarray(jax.jit(attention)(*arguments)).astype(np.float64)
    tolerance = 2e-5 if dtype == "float32" else 4 * float(ml_dtypes.finfo(ml_dtypes.bfloat16).eps)
    np.testing.assert_allclose(np.asarray(compiled(*arguments)).astype(np.float64), expected, tolerance, tolerance)


@pytest.mark.parametrize("features", ["", "-avx512bf16,-amx-bf16"])
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("keys", [160, 165])
def test_weights_of_bf16(keys, causal, features) -> None:
    """Two steps of both products at a time, where there is an instruction for them and keys are in whole vectors, or
    tile registers, for which they need not be; or weights are kept widened. Loops over rows read panels of keys in
    order either way."""
    generator = np.random.default_rng(4)
    arguments = [generator.standard_normal((1, keys, 2, 32)).astype(ml_dtypes.bfloat16) for _ in range(3)]

    def attention(q, k, v):
        scores = jnp.einsum("bqhd,bkhd->bhqk", q, k, preferred_element_type=jnp.float32) * 32**-0.5
        if causal:
            scores = jnp.where(jnp.tril(jnp.ones((keys, keys), bool)), scores, -1e30)
        weights = jax.nn.softmax(scores, axis=-1).astype(jnp.bfloat16)
        return jnp.einsum("bhqk,bkhd->bqhd", weights, v, preferred_element_type=jnp.float32).astype(jnp.bfloat16)

    compiled = mlir_xla.compile(jax.jit(attention).lower(*arguments).as_text(), features=features)
    kernels = compiled.stages["kernels"]
    rows = kernels[kernels.index("kernel<rows") :]
    pairs, tiles = rows.count(", pairs"), rows.count(", pairs, tile_registers>")
    assert " by " in rows and pairs in ((0,) if features else (0, 2)), rows
    assert keys == 160 or pairs == tiles, rows
    assert bool(re.search(r"arith\.extf %\w+ : bf16 to f32\n\s*linalg\.yield", rows)) == (pairs == 0)
    assert (", trim" in rows) == causal
    expected = np.asarray(jax.jit(attention)(*arguments)).astype(np.float64)
    found = np.asarray(compiled(*arguments)).astype(np.float64)
    tolerance = 4 * float(ml_dtypes.finfo(ml_dtypes.bfloat16).eps)
    np.testing.assert_allclose(found, expected, tolerance, tolerance)


def test_gradients_of_bf16() -> None:
    """Gradients of scores are f32, and are multiplied by queries and keys of bf16."""
    generator = np.random.default_rng(5)
    arguments = [generator.standard_normal((2, 64, 4, 32)).astype(ml_dtypes.bfloat16) for _ in range(4)]

    def gradients(q, k, v, g):
        return jax.vjp(jax.nn.dot_product_attention, q, k, v)[1](g)

    text = jax.jit(gradients).trace(*arguments).lower(lowering_platforms=("mlir_xla",)).as_text()
    assert "xf32>, tensor<2x64x4x1x32xbf16>" in text
    tolerance = 4 * float(ml_dtypes.finfo(ml_dtypes.bfloat16).eps)
    for result, expected in zip(mlir_xla.compile(text)(*arguments), jax.jit(gradients)(*arguments), strict=True):
        np.testing.assert_allclose(result.astype(np.float32), np.float32(expected), tolerance, tolerance)
