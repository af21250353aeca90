# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scans by threads: rows by warps and blocks, columns side by side, few long ones in parts."""

import os
import re
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import mlir_xla

pytestmark = pytest.mark.usefixtures("checked")

SUM, MAX, LOG = lax.cumsum, lax.cummax, lax.cumlogsumexp


@pytest.mark.parametrize(
    "scan, shape, axis, reverse, plan",
    [
        (SUM, (5, 40), 1, False, r"work d0, ordered d1, threads d1 32>"),
        (SUM, (5, 40), 1, True, r"work d0, ordered d1, threads d1 32>"),
        (SUM, (70, 256), 1, False, r"lanes d1 4x1, work d0, ordered d1, threads d1 32, aligned>"),
        (SUM, (70, 260), 1, True, r"lanes d1 4x1, work d0, ordered d1, threads d1 32, aligned>"),
        (MAX, (3, 1033), 1, False, r"ordered d1, threads d1 256>"),
        (MAX, (3, 2056), 1, True, r"lanes d1 4x1, work d0, ordered d1, threads d1 256, aligned>"),
        (LOG, (3, 1100), 1, False, r"lanes d1 4x1, work d0, ordered d1, threads d1 256, aligned>"),
        (LOG, (9, 130), 1, True, r"lanes d1 2x1, work d0, ordered d1, threads d1 32, aligned>"),
        (SUM, (20, 70), 0, False, r"work d1, ordered d0>"),
        (SUM, (64, 70), 0, True, r"work d0, d2, ordered d1>"),
        (SUM, (32768,), 0, False, r"<32768, lanes d0 4x1, ordered d0, cut d0 4096, threads d0 256, aligned>"),
        (SUM, (40002,), 0, True, r"<40002, lanes d0 2x1, ordered d0, cut d0 4096, threads d0 256, aligned>"),
        (MAX, (33001,), 0, True, r"<33001, ordered d0, cut d0 4096, threads d0 256>"),
        (SUM, (3, 36868), 1, False, r"lanes d1 4x1, work d0, ordered d1, cut d1 4096, threads d1 256, aligned>"),
        (SUM, (32760,), 0, False, r"<32760, lanes d0 4x1, ordered d0, threads d0 256, aligned>"),
        (LOG, (33000,), 0, False, r"lanes d1 2x1, work d0, ordered d1, threads d1 256"),
    ],
)
def test_scans(scan, shape, axis, reverse, plan):
    def function(x):
        return scan(x, axis=axis, reverse=reverse)

    x = np.random.default_rng(7).standard_normal(shape).astype(np.float32)
    text = jax.jit(function).lower(x).as_text()
    compiled = mlir_xla.compile(text, target="cuda-emulated")
    assert re.search(plan, compiled.stages["kernels"]), re.findall(r"xla_rt.plans = .*", compiled.stages["kernels"])
    accumulate = {SUM: np.cumsum, MAX: np.maximum.accumulate, LOG: np.logaddexp.accumulate}[scan]
    turned = np.flip(x, axis) if reverse else x
    want = accumulate(turned.astype(np.float64), axis=axis)
    want = np.flip(want, axis) if reverse else want
    np.testing.assert_allclose(compiled(x), want, rtol=2e-5, atol=2e-5 * max(1.0, float(np.abs(want).max())))


def test_tiles():
    """Of integers, to the bit; with what is computed before and after, in place of a result that is no longer read;
    several scans by one kernel, whose blocks go on counting; more tiles than a thread asks for at a time."""

    def function(x, y):
        once = lax.cumsum(x * 3)
        return lax.cumsum(once) - x, lax.cummin(y, reverse=True) ^ y, lax.cumprod(2 * x + 1), lax.cumsum(y)

    rng = np.random.default_rng(4)
    x, y = (rng.integers(-100, 100, size).astype(np.int32) for size in (33000, 1050001))
    text = jax.jit(function).lower(x, y).as_text()
    compiled = mlir_xla.compile(text, target="cuda-emulated")
    assert compiled.stages["kernels"].count("cut d0 4096") == 5
    once = np.cumsum(x * 3, dtype=np.int32)
    want = [
        np.cumsum(once, dtype=np.int32) - x,
        np.minimum.accumulate(y[::-1])[::-1] ^ y,
        np.cumprod(2 * x + 1, dtype=np.int32),
        np.cumsum(y, dtype=np.int32),
    ]
    for _ in range(3):
        for have, each in zip(compiled(x, y), want, strict=True):
            np.testing.assert_array_equal(have, each)


@pytest.mark.parametrize(
    "scan, element, words",
    [
        (lax.cumsum, np.float64, 2),
        (lax.cumsum, np.int64, 2),
        (lax.cumprod, np.uint64, 2),
        (lax.cummax, np.float64, 2),
        (lax.cumsum, np.int16, 1),
        (lax.cummin, np.int8, 1),
        (lax.cumsum, np.float16, 1),
        (lax.cumsum, jnp.bfloat16, 1),
        (lax.cummax, jnp.bfloat16, 1),
    ],
)
@pytest.mark.parametrize("size", [32768, 33001])
@pytest.mark.parametrize("reverse", [False, True])
def test_elements_of_tiles(scan, element, words, size, reverse):
    """Elements of 64 bits are two words of a tile; narrower ones one. Blocks go on counting."""
    rng = np.random.default_rng(6)
    x = (
        rng.integers(-3, 4, size).astype(element)
        if scan is not lax.cumprod
        else rng.integers(1, 4, size).astype(element)
    )
    if element in (np.float16, jnp.bfloat16):  # sums that are exact, whatever the order
        x = (rng.integers(-3, 4, size) * (np.arange(size) % 4096 < 8)).astype(element)
    with jax.enable_x64(True):
        text = jax.jit(lambda x: scan(x, reverse=reverse)).lower(x).as_text()
    compiled = mlir_xla.compile(text, target="cuda-emulated")
    tile = 2048 if words == 2 and size % 2 else 4096  # a thread has registers for eight elements of 64 bits
    assert f"cut d0 {tile}" in compiled.stages["kernels"], re.findall(r"xla_rt.plans = .*", compiled.stages["kernels"])
    tiles = -(-size // tile)
    assert f" tiles[{(16 + words * tiles) * 8}];" in compiled.stages["binary"]
    accumulate = {lax.cumsum: np.add, lax.cumprod: np.multiply, lax.cummax: np.maximum, lax.cummin: np.minimum}[scan]
    turned = x[::-1] if reverse else x
    want = accumulate.accumulate(turned.astype(np.float32) if element in (np.float16, jnp.bfloat16) else turned)
    want = (want[::-1] if reverse else want).astype(element)
    for _ in range(2):
        np.testing.assert_array_equal(compiled(x), want)


def test_many_long_scans():
    """More than multiprocessors can be kept busy with by a block for each."""
    x = np.random.default_rng(8).integers(-100, 100, (70, 32768)).astype(np.int8)
    text = jax.jit(lambda x: lax.cumsum(x, axis=1)).lower(x).as_text()
    compiled = mlir_xla.compile(text, target="cuda-emulated")
    assert "cut d1 4096" in compiled.stages["kernels"]
    np.testing.assert_array_equal(compiled(x), np.cumsum(x, axis=1, dtype=np.int8))


ORDERS = """
import numpy as np
import mlir_xla
x = np.random.default_rng(2).standard_normal(40000).astype(np.float32)
np.save({out!r}, np.asarray(mlir_xla.compile({text!r}, target="cuda-emulated")(x)))
"""


def test_orders_of_tiles(tmp_path):
    """Whichever block begins first, a sum is rounded alike."""
    text = jax.jit(lax.cumsum).lower(np.zeros(40000, np.float32)).as_text()
    results = []
    for seed in ("", "1", "2"):
        out = str(tmp_path / f"{seed}.npy")
        environment = {**os.environ, "CUDA_EMU_CHECK": "1"} | ({"CUDA_EMU_SEED": seed} if seed else {})
        subprocess.run([sys.executable, "-c", ORDERS.format(out=out, text=text)], env=environment, check=True)
        results.append(np.load(out))
    np.testing.assert_array_equal(results[0], results[1])
    np.testing.assert_array_equal(results[0], results[2])


@pytest.mark.parametrize("element", [np.int8, np.int64, np.float64, np.complex64, jnp.bfloat16])
@pytest.mark.parametrize("shape", [(3, 45), (2, 2048)])
def test_element_types(element, shape):
    x = np.random.default_rng(3).integers(-2, 3, shape).astype(element)
    with jax.enable_x64(True):
        text = jax.jit(lambda x: lax.cumsum(x, axis=1)).lower(x).as_text()
    have = mlir_xla.compile(text, target="cuda-emulated")(x)
    want = mlir_xla.compile(text, target="reference")(x)
    np.testing.assert_array_equal(have, want)


def test_code_around_a_scan():
    """What is computed of elements before, and of results, is in the same kernel."""
    x = np.random.default_rng(3).standard_normal((12, 132)).astype(np.float32)
    text = jax.jit(lambda x: lax.cumprod(1 + 0.01 * x, axis=1) * 2 + x[:, ::-1]).lower(x).as_text()
    found = mlir_xla.compile(text, target="cuda-emulated")
    assert "ordered d1, threads d1 32" in found.stages["kernels"]
    np.testing.assert_allclose(found(x), mlir_xla.compile(text, target="reference")(x), rtol=1e-5, atol=2e-6)


@pytest.mark.parametrize(
    "shape, plan",
    [
        ((20, 40), r"<40x20, work d0, reduce d1>"),
        ((300, 70), r"threads d1 1024, columns d0>"),
        ((33, 3, 65), r"threads d\d 1024, columns d\d>"),
        ((64, 4230), r"threads d1 256, columns d0>"),
    ],
)
def test_sums_of_columns(shape, plan):
    x = np.random.default_rng(5).standard_normal(shape).astype(np.float32)
    text = jax.jit(lambda x: (x * 2).sum(0) + 1).lower(x).as_text()
    found = mlir_xla.compile(text, target="cuda-emulated")
    assert re.search(plan, found.stages["kernels"]), re.findall(r"xla_rt.plans = .*", found.stages["kernels"])
    np.testing.assert_allclose(found(x), mlir_xla.compile(text, target="reference")(x), rtol=1e-5, atol=1e-4)
