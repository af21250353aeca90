# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention of few rows, past which keys are streamed, on the emulated GPU: rows and keys of all sizes, heads that
share keys and such that do not, types, masks, parts, orders of dimensions, and plans other than the planner's."""

from __future__ import annotations

import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from test_attention_blocks import compare, drawn, exported, jax_attention
from test_blocks import kernels

pytestmark = pytest.mark.usefixtures("checked")

STREAM = re.compile(r"#xla_rt\.stream<[^<>]*>")


def check(text: str, arguments, tolerance: float = 2e-6, planned: str = "") -> None:
    planned = planned or kernels(text)
    assert len(STREAM.findall(planned)) == 2, planned
    compare(planned, text, arguments, tolerance)


@pytest.mark.parametrize(
    "queries, keys, depth, dtype",
    [
        (1, 2, 64, "float32"),
        (1, 300, 64, "float32"),
        (2, 77, 128, "float32"),
        (3, 130, 20, "float32"),
        (5, 33, 13, "float32"),
        (8, 200, 16, "float32"),
        (16, 65, 8, "float32"),
        (1, 257, 64, "bfloat16"),
        (4, 100, 40, "bfloat16"),
        (1, 40, 260, "float32"),
    ],
)
def test_sizes(queries, keys, depth, dtype):
    shapes = (2, queries, 3, depth), (2, keys, 3, depth), (2, keys, 3, depth)
    tolerance = 2e-6 if dtype == "float32" else 1e-2
    check(exported(jax_attention(), *shapes, dtype=dtype), drawn(*shapes, dtype=dtype), tolerance)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("groups", [8, 2, 1])
def test_grouped_heads(groups, dtype):
    shapes = (2, 1, 8, 32), (2, 150, groups, 32), (2, 150, groups, 32)
    text = exported(jax_attention(), *shapes, dtype=dtype)
    check(text, drawn(*shapes, dtype=dtype), 2e-6 if dtype == "float32" else 1e-2)


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_rounded_scores(dtype):
    """Of a word more, masked by a length in the type of the factors."""

    def rounded(q, k, v, length):
        scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / 4
        scores = jnp.where(jnp.arange(k.shape[1]) < length, scores, jnp.asarray(-6e4, scores.dtype))
        weights = jax.nn.softmax(scores.astype(jnp.float32), axis=-1)
        return jnp.einsum("bhqk,bkhd->bqhd", weights.astype(q.dtype), v)

    shapes = (2, 1, 4, 32), (2, 150, 4, 32), (2, 150, 4, 32)
    arrays = [jax.ShapeDtypeStruct(shape, jnp.dtype(dtype)) for shape in shapes]
    text = jax.jit(rounded).lower(*arrays, jax.ShapeDtypeStruct((), jnp.int32)).as_text()
    check(text, [*drawn(*shapes, dtype=dtype), np.int32(90)], 3e-2)


def step(q, k, v, length):
    """A word more, with what the cache has: heads, keys, depth."""
    scores = jnp.einsum("hd,hkd->hk", q, k) * 0.25
    scores = jnp.where(jnp.arange(k.shape[1]) < length, scores, -1e30)
    return jnp.einsum("hk,hkd->hd", jax.nn.softmax(scores, axis=-1), v)


@pytest.mark.parametrize("heads, length", [(3, 1), (3, 130), (40, 70)])
def test_length_of_a_cache(heads, length):
    shapes = (heads, 16), (heads, 200, 16), (heads, 200, 16)
    arrays = [jax.ShapeDtypeStruct(shape, jnp.float32) for shape in shapes]
    text = jax.jit(step).lower(*arrays, jax.ShapeDtypeStruct((), jnp.int32)).as_text()
    arguments = [*drawn(*shapes), np.int32(length)]
    arguments[1][:, length:] = 1e3
    check(text, arguments)


def test_what_is_split_before():
    """A softmax between contractions is whole, though its rows are few; any other has parts."""
    shapes = (1, 1, 16, 32), (1, 8192, 16, 32), (1, 8192, 16, 32)
    planned = kernels(exported(jax_attention(), *shapes))
    assert len(re.findall(r"call @", planned)) == 1 and len(STREAM.findall(planned)) == 2, planned

    def words(x, w):
        return jax.nn.softmax(x @ w, axis=-1)

    assert len(re.findall(r"call @", kernels(exported(words, (1, 32), (32, 65536))))) > 3


def test_masks_and_functions_of_scores():
    """A mask that is an argument, infinite where it hides, all of some rows; and a bounded score."""

    def attention(q, k, v, mask):
        scores = 5 * jnp.tanh(jnp.einsum("qd,kd->qk", q, k) / 5)
        return jax.nn.softmax(jnp.where(mask > 0, scores, -jnp.inf), axis=-1) @ v

    shapes = (6, 16), (100, 16), (100, 24), (6, 100)
    arguments = drawn(*shapes)
    arguments[3][:, :64] -= 10  # no score of the first tiles
    arguments[3][5] = -1
    check(exported(attention, *shapes), arguments)


def test_f16_of_quotients_that_stay_f32():
    def attention(q, k, v):
        wide = [each.astype(jnp.float32) for each in (q, k, v)]
        return jax.nn.softmax(wide[0] @ wide[1].T, axis=-1) @ wide[2]

    shapes = (3, 24), (90, 24), (90, 40)
    check(exported(attention, *shapes, dtype="float16"), drawn(*shapes, dtype="float16"))


def test_other_orders_of_dimensions():
    def attention(q, k, v):
        return jnp.einsum("hqk,hdk->dqh", jax.nn.softmax(jnp.einsum("hdq,hdk->hqk", q, k), axis=-1), v)

    shapes = (2, 16, 4), (2, 16, 70), (2, 24, 70)
    check(exported(attention, *shapes), drawn(*shapes))


def test_special_values():
    """Infinite and undefined scores."""
    shapes = (1, 4, 1, 16), (1, 70, 1, 16), (1, 70, 1, 16)
    q, k, v = drawn(*shapes)
    q[0, 2, 0, 2] = np.nan
    q[0, 3] = 1e30
    k[0, 60] = 1e30
    check(exported(jax_attention(), *shapes), [q, k, v])


@pytest.mark.parametrize(
    "rows, keys, lanes, group, threads, split",
    [
        (4, 8, 4, 8, 64, 1),
        (2, 4, 2, 16, 32, 3),
        (1, 1, 1, 32, 128, 2),
        (1, 2, 4, 2, 32, 1),
        (4, 1, 4, 4, 256, 1),
        (1, 8, 4, 4, 32, 2),
        (8, 2, 4, 8, 128, 3),
    ],
)
def test_other_plans(rows, keys, lanes, group, threads, split):
    shapes = (2, 5, 2, 32), (2, 170, 2, 32), (2, 170, 2, 32)
    text = exported(jax_attention(), *shapes)
    planned = kernels(text)
    for old in STREAM.findall(planned):
        new = re.sub(r"rows (d\d) \d+", rf"rows \1 {rows}", old)
        new = re.sub(r"keys (d\d) \d+", rf"keys \1 {keys}", new)
        new = re.sub(r"lanes (d\d) .*>", rf"lanes \1 {lanes}x{group}, threads {threads}, split {split}>", new)
        planned = planned.replace(old, new)
    check(text, drawn(*shapes), planned=planned)
