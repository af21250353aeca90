# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention of bf16 and f16 by tensor cores, on the emulated GPU: sizes of one to four tiles with odd remainders,
masks, heads, orders of dimensions, what is not for them, plans other than the planner's, and how warps share memory."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from test_attention_blocks import BLOCKS, check, drawn, exported, jax_attention
from test_block_profile import LINE
from test_blocks import kernels

import mlir_xla

pytestmark = pytest.mark.usefixtures("checked")

#: Quotients are rounded to 8 bits in the program, and exponentials to as many here.
TOLERANCE = 1e-2

RUN = r"""
import ctypes, sys
import numpy as np
from mlir_xla import ir
from mlir_xla._mlir_libs._xla import compiler
with ir.Context():
    program = compiler.compile(ir.Module.parse(sys.stdin.read()).operation, target="cuda-emulated",
                               from_stage="kernels")
draw = np.random.default_rng(1)
program.run([draw.integers(0, 2, shape).astype(dtype) for _, shape, dtype in program.argument_types])
library = next(line.split()[-1] for line in open("/proc/self/maps") if "libcuda-emu" in line)
profile = ctypes.CDLL(library).cuda_emu_profile
profile.restype = ctypes.c_char_p
print(profile().decode())
"""


def attention(q, k, v, mask=None):
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k, preferred_element_type=jnp.float32) * q.shape[-1] ** -0.5
    scores = scores if mask is None else mask(scores)
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores, axis=-1).astype(q.dtype), v)


def causal(q, k, v):
    return attention(q, k, v, lambda s: jnp.where(jnp.tril(jnp.ones(s.shape[-2:], bool)), s, -1e30))


def run_by_warps(text, arguments, tolerance=TOLERANCE, planned=""):
    planned = planned or kernels(text)
    assert all("instruction mma" in plan for plan in BLOCKS.findall(planned)), planned
    check(text, arguments, tolerance, planned)


def shapes_of(queries, keys, depth, heads=2):
    return (1, queries, heads, depth), (1, keys, heads, depth), (1, keys, heads, depth)


@pytest.mark.parametrize(
    "queries, keys, depth, dtype",
    [
        (64, 64, 64, "bfloat16"),
        (70, 45, 32, "bfloat16"),
        (33, 130, 20, "float16"),
        (26, 70, 13, "bfloat16"),
        (40, 70, 80, "float16"),
        (64, 64, 128, "bfloat16"),
    ],
)
def test_sizes(queries, keys, depth, dtype):
    shapes = shapes_of(queries, keys, depth)
    run_by_warps(exported(attention, *shapes, dtype=dtype), drawn(*shapes, dtype=dtype))


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
@pytest.mark.parametrize("length", [64, 130])
def test_causal(length, dtype):
    shapes = shapes_of(length, length, 16)
    run_by_warps(exported(causal, *shapes, dtype=dtype), drawn(*shapes, dtype=dtype))


@pytest.mark.parametrize("hidden", [-1e30, -3.0])
def test_hidden_scores_that_count(hidden):
    """Of rows that see no key, all are alike; and what hides may be near the other scores. Tiles are not left out. The
    last one is seen by rows, too: who has done with it waits for others before results take its place."""

    def shifted(s):
        rows, columns = (jax.lax.broadcasted_iota(jnp.int32, s.shape, dim) for dim in (2, 3))
        return jnp.where(rows - 10 >= columns, s, hidden)

    shapes = shapes_of(150, 140, 16)
    text = exported(lambda q, k, v: attention(q, k, v, shifted), *shapes, dtype="bfloat16")
    assert "bar.red" in mlir_xla.compile(text, target="cuda").stages["binary"].replace("barrier.cta.red", "bar.red")
    run_by_warps(text, drawn(*shapes, dtype="bfloat16"))


def test_rounded_scores():
    """As a program has them whose products have the type of their factors; masked in that type, and behind it."""

    def rounded(q, k, v, mask, bias):
        scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / 4 + bias
        scores = jnp.where(mask, scores, jnp.asarray(-1e4, scores.dtype))
        weights = jax.nn.softmax(scores.astype(jnp.float32), axis=-1)
        return jnp.einsum("bhqk,bkhd->bqhd", weights.astype(q.dtype), v)

    for dtype in ("bfloat16", "float16"):
        shapes = *shapes_of(70, 45, 32), (1, 1, 70, 45), (2, 70, 45)
        arguments = drawn(*shapes, dtype=dtype)
        arguments[3] = np.asarray(arguments[3] > 0)
        types = [jax.ShapeDtypeStruct(each.shape, each.dtype) for each in arguments]
        text = jax.jit(rounded).lower(*types).as_text()
        run_by_warps(text, arguments, 3e-2)


@pytest.mark.parametrize("hidden", [-1e4, -3.0])
def test_rounded_causal_scores(hidden):
    """Tiles that are hidden by what is rounded are left out, or counted if they are near."""

    def rounded(q, k, v):
        scores = jnp.einsum("bqhd,bkhd->bhqk", q, k)
        rows, columns = (jax.lax.broadcasted_iota(jnp.int32, scores.shape, dim) for dim in (2, 3))
        scores = jnp.where(rows >= columns, scores, jnp.asarray(hidden, scores.dtype))
        weights = jax.nn.softmax(scores.astype(jnp.float32), axis=-1)
        return jnp.einsum("bhqk,bkhd->bqhd", weights.astype(q.dtype), v)

    shapes = shapes_of(150, 140, 16)
    run_by_warps(exported(rounded, *shapes, dtype="bfloat16"), drawn(*shapes, dtype="bfloat16"), 3e-2)


def test_grouped_heads():
    shapes = (2, 70, 4, 16), (2, 70, 2, 16), (2, 70, 2, 16)
    text = exported(jax_attention(is_causal=True), *shapes, dtype="bfloat16")
    run_by_warps(text, drawn(*shapes, dtype="bfloat16"))


def test_masks_and_functions_of_scores():
    """A mask that is an argument, infinite where it hides, all of some rows; one that is added; and a bounded score."""

    def masked(q, k, v, mask, bias):
        scores = 5 * jnp.tanh(jnp.einsum("qd,kd->qk", q, k, preferred_element_type=jnp.float32) / 5) + bias
        weights = jax.nn.softmax(jnp.where(mask > 0, scores, -jnp.inf), axis=-1).astype(q.dtype)
        return jnp.einsum("qk,kd->qd", weights, v, preferred_element_type=jnp.float32)

    shapes = (40, 16), (100, 16), (100, 24), (40, 100), (40, 100)
    arguments = drawn(*shapes, dtype="bfloat16")
    arguments[3][:, :64] -= 10  # no score of the first tiles
    arguments[3][5] = -1
    run_by_warps(exported(masked, *shapes, dtype="bfloat16"), arguments)


@pytest.mark.parametrize("keys", [72, 70])
def test_other_orders_of_dimensions(keys):
    """Keys are neighbours in memory; pieces of 16 bytes are copied past the registers where they are aligned."""

    def turned(q, k, v):
        scores = jnp.einsum("hdq,hdk->hqk", q, k, preferred_element_type=jnp.float32)
        return jnp.einsum("hqk,hdk->dqh", jax.nn.softmax(scores, axis=-1).astype(q.dtype), v)

    shapes = (2, 16, 40), (2, 16, keys), (2, 24, keys)
    run_by_warps(exported(turned, *shapes, dtype="bfloat16"), drawn(*shapes, dtype="bfloat16"))


def test_special_values():
    """Infinite and undefined scores."""
    shapes = shapes_of(40, 70, 16, heads=1)
    q, k, v = drawn(*shapes, dtype="bfloat16")
    q[0, 3, 0, 2] = np.nan
    q[0, 4] = 1e30
    k[0, 60] = 1e30
    run_by_warps(exported(attention, *shapes, dtype="bfloat16"), [q, k, v])


def test_what_is_not_rounded_is_not_for_them():
    def exact(q, k, v):
        scores = jnp.einsum("qd,kd->qk", q, k, preferred_element_type=jnp.float32)
        return jax.nn.softmax(scores, axis=-1) @ v.astype(jnp.float32)

    shapes = (40, 16), (70, 16), (70, 24)
    text = exported(exact, *shapes, dtype="bfloat16")
    planned = kernels(text)
    assert "instruction mma" not in planned
    check(text, drawn(*shapes, dtype="bfloat16"), planned=planned)


def with_plan(text, rows, keys, of_warp, stages):
    planned = kernels(text)
    for old, n, k in zip(BLOCKS.findall(planned), (f"{keys}", r"\2"), (r"\3", f"{keys}"), strict=True):
        new = re.sub(
            r"m (d\d) \d+, n (d\d \d+), k (d\d \d+), register \d+x\d+, instruction mma",
            rf"m \1 {rows}, n \2, k \3, register {of_warp}x@, instruction mma, stages {stages}",
            old,
        )
        new = re.sub(r"(n d\d) \d+", rf"\1 {keys}", new) if n.isdigit() else new
        new = re.sub(r"(k d\d) \d+", rf"\1 {keys}", new) if k.isdigit() else new
        width = re.search(r"n d\d (\d+)", new)[1]
        planned = planned.replace(old, new.replace("@", width))
    return planned


@pytest.mark.parametrize(
    "rows, keys, of_warp, stages, depth",
    [(64, 32, 16, 2, 32), (64, 64, 32, 2, 32), (32, 16, 16, 4, 32), (32, 16, 32, 3, 64), (64, 16, 32, 2, 80)],
)
def test_other_plans(rows, keys, of_warp, stages, depth):
    shapes = shapes_of(70, 70, depth, heads=1)
    text = exported(causal, *shapes, dtype="bfloat16")
    run_by_warps(text, drawn(*shapes, dtype="bfloat16"), planned=with_plan(text, rows, keys, of_warp, stages))


@pytest.mark.parametrize("depth", [32, 64, 128])
def test_accesses(depth):
    """No bank of shared memory is asked for two words at a time, and of sectors that are touched, all is used."""
    shapes = shapes_of(64, 128, depth)
    text = with_plan(exported(attention, *shapes, dtype="bfloat16"), 32, 32, 16, 2)
    environment = {**os.environ, "CUDA_EMU_PROFILE": "1"}
    done = subprocess.run([sys.executable, "-c", RUN], input=text, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = [match for match in map(LINE.fullmatch, done.stdout.splitlines()) if match]
    assert {match["space"] for match in found} == {"shared", "global"}
    wasted = [match[0] for match in found if int(match["units"]) > int(match["least"])]
    assert not wasted, "\n".join(wasted)
