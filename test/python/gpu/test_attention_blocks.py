# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention by blocks of threads, on the emulated GPU: forms of masks, heads and types, sizes of one to four tiles with
odd remainders, and plans other than the planner's. All is one launch."""

from __future__ import annotations

import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from test_blocks import kernels, run

import mlir_xla

pytestmark = pytest.mark.usefixtures("checked")

BLOCKS = re.compile(r"#xla_rt\.blocks<[^<>]*>")


def exported(function, *shapes, dtype="float32") -> str:
    return jax.jit(function).lower(*(jax.ShapeDtypeStruct(shape, jnp.dtype(dtype)) for shape in shapes)).as_text()


def drawn(*shapes, dtype="float32"):
    rng = np.random.default_rng([size for shape in shapes for size in shape])
    return [rng.standard_normal(shape).astype(jnp.dtype(dtype)) for shape in shapes]


def compare(planned: str, text: str, arguments, tolerance: float) -> None:
    """Runs the kernels, and the program that they are of in the interpreter."""
    (have,) = run(planned, arguments)
    want = mlir_xla.compile(text, target="reference")(*arguments)
    assert have.dtype == want.dtype
    scale = max(1.0, float(np.nanmax(np.abs(want.astype(np.float64)))))
    np.testing.assert_allclose(have.astype(np.float64), want.astype(np.float64), tolerance, tolerance * scale)


def check(text: str, arguments, tolerance: float = 2e-6, planned: str = "") -> None:
    planned = planned or kernels(text)
    assert len(BLOCKS.findall(planned)) == 2, planned
    compare(planned, text, arguments, tolerance)


def jax_attention(**options):
    return lambda q, k, v: jax.nn.dot_product_attention(q, k, v, **options)


@pytest.mark.parametrize(
    "queries, keys, depth", [(64, 64, 32), (70, 45, 32), (33, 130, 20), (17, 70, 13), (20, 40, 128)]
)
def test_sizes(queries, keys, depth):
    shapes = (1, queries, 2, depth), (1, keys, 2, depth), (1, keys, 2, depth)
    check(exported(jax_attention(), *shapes), drawn(*shapes))


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("groups", [4, 2, 1])
def test_causal_and_grouped(groups, dtype):
    shapes = (2, 70, 4, 16), (2, 70, groups, 16), (2, 70, groups, 16)
    text = exported(jax_attention(is_causal=True), *shapes, dtype=dtype)
    check(text, drawn(*shapes, dtype=dtype), 2e-6 if dtype == "float32" else 1e-2)


def test_masks_and_functions_of_scores():
    """A mask that is an argument, infinite where it hides, all of some rows; and a bounded score."""

    def attention(q, k, v, mask):
        scores = 5 * jnp.tanh(jnp.einsum("qd,kd->qk", q, k) / 5)
        return jax.nn.softmax(jnp.where(mask > 0, scores, -jnp.inf), axis=-1) @ v

    shapes = (40, 16), (100, 16), (100, 24), (40, 100)
    arguments = drawn(*shapes)
    arguments[3][:, :64] -= 10  # no score of the first tiles
    arguments[3][5] = -1
    check(exported(attention, *shapes), arguments)


def test_other_orders_of_dimensions():
    def attention(q, k, v):
        return jnp.einsum("hqk,hdk->dqh", jax.nn.softmax(jnp.einsum("hdq,hdk->hqk", q, k), axis=-1), v)

    shapes = (2, 16, 40), (2, 16, 70), (2, 24, 70)
    check(exported(attention, *shapes), drawn(*shapes))


def test_special_values():
    """Infinite and undefined scores, and values behind a mask."""
    shapes = (1, 40, 1, 16), (1, 70, 1, 16), (1, 70, 1, 16)
    q, k, v = drawn(*shapes)
    q[0, 3, 0, 2] = np.nan
    q[0, 4] = 1e30
    k[0, 60] = 1e30
    check(exported(jax_attention(), *shapes), [q, k, v])


@pytest.mark.parametrize(
    "rows, keys, register", [(16, 64, (2, 4)), (32, 16, (4, 2)), (64, 32, (4, 4)), (8, 32, (2, 4))]
)
def test_other_plans(rows, keys, register):
    shapes = (1, 70, 1, 32), (1, 70, 1, 32), (1, 70, 1, 32)
    text = exported(jax_attention(is_causal=True), *shapes)
    planned = kernels(text)
    first, last = BLOCKS.findall(planned)
    width = max(32, 4 * keys // register[1])
    columns = width * register[1] // keys
    for old, n, k, per in ((first, keys, 32, register[1]), (last, width, keys, columns)):
        new = re.sub(
            r"m (d\d) \d+, n (d\d) \d+, k (d\d) \d+, register \d+x\d+",
            rf"m \1 {rows}, n \2 {n}, k \3 {k}, "
            rf"register {register[0]}x{per}",
            old,
        )
        planned = planned.replace(old, new)
    check(text, drawn(*shapes), planned=planned)


def plain_attention(q, k, v):
    return jax.nn.softmax(jnp.einsum("qd,kd->qk", q, k, preferred_element_type=jnp.float32)).astype(v.dtype) @ v


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("rows", [2, 8, 16, 17, 50])
def test_what_is_fused_has_a_plan(rows, dtype):
    """Kernels are formed by an estimate of what blocks have room for, and planned later. What has no plan then would be
    the work of a warp for each block of rows."""
    fused = 0
    for depth in (64, 192, 200, 224, 256, 320, 512, 576, 640, 1024, 1536):
        for columns in (depth, 48):
            planned = kernels(exported(plain_attention, (rows, depth), (70, depth), (70, columns), dtype=dtype))
            forms = re.findall(r"#xla_rt\.kernel<rows, \[\d+\] by \d+>.*", planned)
            assert all(re.search(r"#xla_rt\.(blocks|stream)<", form) for form in forms), (depth, columns)
            fused += len(forms)
    assert fused >= 4


def test_large_heads():
    shapes = (70, 256), (45, 256), (45, 256)
    text = exported(plain_attention, *shapes)
    assert " by " not in kernels(text)
    (have,) = run(kernels(text), arguments := [each / 4 for each in drawn(*shapes)])
    np.testing.assert_allclose(have, mlir_xla.compile(text, target="reference")(*arguments), 1e-5, 1e-5)


def dropped(q, k, v, keep):
    weights = jax.nn.softmax(jnp.einsum("hqd,hkd->hqk", q, k).astype(jnp.float32) / 4).astype(q.dtype)
    weights = jnp.where(keep > 0, weights / jnp.asarray(0.9, q.dtype), jnp.asarray(0, q.dtype))
    return jnp.einsum("hqk,hkd->hqd", weights, v)


@pytest.mark.parametrize("dtype, tolerance", [("float32", 2e-6), ("bfloat16", 1e-2), ("float16", 2e-3)])
@pytest.mark.parametrize("queries, keys", [(48, 70), (64, 64)])
def test_weights_that_are_dropped(queries, keys, dtype, tolerance):
    """What remains of exponentials is scaled before they are divided by the sum of all."""
    shapes = (3, queries, 32), (3, keys, 32), (3, keys, 32), (3, queries, keys)
    text = exported(dropped, *shapes, dtype=dtype)
    assert ("instruction mma" in kernels(text)) == (dtype != "float32")
    check(text, drawn(*shapes, dtype=dtype), tolerance)


@pytest.mark.parametrize("dtype, tolerance", [("float32", 2e-6), ("bfloat16", 1e-2), ("float16", 2e-3)])
@pytest.mark.parametrize("queries, keys", [(48, 70), (64, 64)])
def test_rows_whose_weights_are_undefined(queries, keys, dtype, tolerance):
    """Where all scores are hidden, weights are undefined: zero is what remains of a row of which all are dropped."""

    def guarded(q, k, v, keep):
        scores = jnp.einsum("hqd,hkd->hqk", q, k).astype(jnp.float32) / 4
        weights = jax.nn.softmax(jnp.where(keep > 0, scores, -jnp.inf)).astype(q.dtype)
        return jnp.einsum("hqk,hkd->hqd", jnp.where(keep > -1, weights, jnp.asarray(0, q.dtype)), v)

    shapes = (3, queries, 32), (3, keys, 32), (3, keys, 32), (3, queries, keys)
    text = exported(guarded, *shapes, dtype=dtype)
    assert ("instruction mma" in kernels(text)) == (dtype != "float32")
    arguments = drawn(*shapes, dtype=dtype)
    arguments[3][:, 5] = -2
    arguments[3][1, 9] = -2
    arguments[3][1, 9, 11] = -0.5
    want = mlir_xla.compile(text, target="reference")(*arguments).astype(np.float32)
    assert not want[:, 5].any() and np.isnan(want[1, 9]).all()
    check(text, arguments, tolerance)


@pytest.mark.parametrize("what", ["added", "scaled", "scaled twice", "in part", "dropped", "f64"])
def test_what_is_no_attention(what):
    """Weights that something else is done to, also in part, or that are multiplied by what is not known or by several
    constants, those of few rows that are dropped, and products that have f64, are products of their own: threads of
    rows would walk them."""

    def attention(q, k, v, keep):
        scores = jnp.einsum("hqd,hkd->hqk", q, k).astype(jnp.float32) / 4
        weights = jax.nn.softmax(scores)
        if what == "scaled twice":
            weights = weights * 8
        if what == "in part":
            parts = jnp.exp(scores - scores.max(-1, keepdims=True))
            weights = jnp.where(keep > 0.5, parts / parts.sum(-1, keepdims=True), parts / 0.5)
        weights = weights + 0.1 if what == "added" else weights * keep if what == "scaled" else weights
        return jnp.einsum("hqk,hkd->hqd", jnp.where(keep > 0, weights / 0.9, 0).astype(q.dtype), v)

    def wide(q, k, v):
        weights = jax.nn.softmax(jnp.einsum("hqd,hkd->hqk", q, k).astype(jnp.float32) / 4)
        return jnp.einsum("hqk,hkd->hqd", weights.astype(q.dtype), v)

    queries = 4 if what == "dropped" else 48
    shapes = (3, queries, 32), (3, 70, 32), (3, 70, 32), (3, queries, 70)
    if what != "f64":
        text = exported(dropped if what == "dropped" else attention, *shapes)
        arguments = drawn(*shapes)
    else:
        with jax.enable_x64(True):
            text = exported(wide, *shapes[:3], dtype="float64")
        arguments = drawn(*shapes[:3], dtype="float64")
    assert " by " not in kernels(text)
    (have,) = run(kernels(text), arguments)
    np.testing.assert_allclose(have, mlir_xla.compile(text, target="reference")(*arguments), 1e-5, 1e-5)


@pytest.mark.parametrize("depth, is_one", [(128, True), (160, False)])
def test_heads_that_tensor_cores_have_no_tiles_for(depth, is_one):
    """Each product has tensor cores by itself then; threads that do both take longer."""

    def attention(q, k, v):
        weights = jax.nn.softmax(jnp.einsum("hqd,hkd->hqk", q, k, preferred_element_type=jnp.float32) / 4)
        return jnp.einsum("hqk,hkd->hqd", weights.astype(q.dtype), v)

    shapes = (3, 48, depth), (3, 72, depth), (3, 72, depth)
    text = exported(attention, *shapes, dtype="bfloat16")
    assert (" by " in kernels(text)) == is_one
    assert kernels(text).count("instruction mma") == 2
    (have,) = run(kernels(text), arguments := drawn(*shapes, dtype="bfloat16"))
    want = mlir_xla.compile(text, target="reference")(*arguments)
    np.testing.assert_allclose(have.astype(np.float32), want.astype(np.float32), 3e-2, 3e-2)


def test_scores_that_are_rounded():
    """A program that computes a softmax in bf16, too: no block has such exponentials in registers, and blocks of warps
    would overlap, as 128 rows are no multiple of 48."""

    def attention(q, k, v):
        return jnp.einsum("hqk,hkd->hqd", jax.nn.softmax(jnp.einsum("hqd,hkd->hqk", q, k) / 4), v)

    shapes = (3, 128, 32), (3, 70, 32), (3, 70, 32)
    text = exported(attention, *shapes, dtype="bfloat16")
    assert " by " not in kernels(text)
    (have,) = run(kernels(text), arguments := drawn(*shapes, dtype="bfloat16"))
    want = mlir_xla.compile(text, target="reference")(*arguments)
    np.testing.assert_allclose(have.astype(np.float32), want.astype(np.float32), 3e-2, 3e-2)
