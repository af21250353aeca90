# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of bf16 on processors with an instruction for them, and without it."""

import re

import ml_dtypes
import numpy as np
import pytest

import mlir_xla
from mlir_xla import ir
from mlir_xla._mlir_libs._xla import compiler

BF16 = ml_dtypes.bfloat16
# Whole tiles, remainders of each dimension, odd steps, several blocks, few rows, few columns.
SIZES = [(64, 64, 64), (37, 41, 53), (4, 1001, 100), (300, 2501, 70), (6, 18, 24), (5, 4101, 17), (24, 66, 16)]
# The host's own processor, and those that it can be without some of its features.
FEATURES = ["", "-avx512bf16", "-avx512f"]


def program(left: tuple[int, ...], right: tuple[int, ...], result: tuple[int, ...], element: str, dims: str) -> str:
    x, y = (f"tensor<{'x'.join(map(str, shape))}xbf16>" for shape in (left, right))
    r = f"tensor<{'x'.join(map(str, result))}x{element}>"
    return f"""
    func.func @main(%x: {x}, %y: {y}) -> {r} {{
      %0 = xla.dot_general %x, %y, {dims} : ({x}, {y}) -> {r}
      return %0 : {r}
    }}"""


@pytest.mark.parametrize("features", FEATURES)
def test_products(features):
    """Errors of sums in f32, and of one rounding where the result is bf16."""
    rng = np.random.default_rng(1)
    for number, (m, k, n) in enumerate(SIZES):
        for left_k, right_k in [(1, 0), (0, 0), (1, 1), (0, 1)]:
            x = rng.standard_normal((m, k) if left_k else (k, m)).astype(BF16)
            y = rng.standard_normal((n, k) if right_k else (k, n)).astype(BF16)
            a, b = (x if left_k else x.T).astype(np.float64), (y.T if right_k else y).astype(np.float64)
            element = "f32" if number % 2 else "bf16"
            text = program(x.shape, y.shape, (m, n), element, f"contracting_dims = [{left_k}] x [{right_k}]")
            have = np.asarray(mlir_xla.compile(text, features=features, threads=number % 3)(x, y)).astype(np.float64)
            bound = 2.0**-22 * np.sqrt(k) * (np.abs(a) @ np.abs(b)) + (
                2.0**-8 * np.abs(a @ b) if element == "bf16" else 0
            )
            assert np.all(np.abs(have - a @ b) <= bound), f"{m}x{k}x{n} {left_k} {right_k}"


@pytest.mark.parametrize("features", FEATURES)
def test_no_value_leaves_its_row_and_column(features):
    """Infinities and NaN beside the padding of odd steps and of the last columns; overflow."""
    rng = np.random.default_rng(2)
    x, y = rng.integers(-4, 5, (50, 33)).astype(BF16), rng.integers(-4, 5, (33, 70)).astype(BF16)
    x[49, 32], x[0, 0], y[32, 69], y[32, 63] = np.nan, np.inf, np.inf, np.nan
    x[7, :], x[7, 3] = 0, 3e38
    with np.errstate(invalid="ignore", over="ignore"):
        want = x.astype(np.float32) @ y.astype(np.float32)
    text = program(x.shape, y.shape, want.shape, "f32", "contracting_dims = [1] x [0]")
    have = np.asarray(mlir_xla.compile(text, features=features)(x, y))
    np.testing.assert_array_equal(np.isnan(have), np.isnan(want))
    np.testing.assert_array_equal(have[np.isfinite(want)], want[np.isfinite(want)])


def test_subnormal_numbers():
    """The instruction takes them for zeros, docs/semantics.md says; without it they are numbers."""
    x = np.full((16, 32), 2.0**-130).astype(BF16)
    y = np.full((32, 64), 2.0**20).astype(BF16)
    text = program(x.shape, y.shape, (16, 64), "f32", "contracting_dims = [1] x [0]")
    have = np.asarray(mlir_xla.compile(text, features="-avx512bf16,-amx-bf16")(x, y))
    np.testing.assert_array_equal(have, np.full((16, 64), 2.0**-105, np.float32))
    host = np.asarray(mlir_xla.compile(text)(x, y))
    assert np.all(host == have) or np.all(host == 0)


@pytest.mark.parametrize(
    ("cpu", "features", "has"),
    [
        ("x86-64-v4", "+avx512bf16", True),
        ("x86-64-v4", "", False),
        ("znver4", "", True),
        ("znver4", "-avx512bf16", False),
        ("cooperlake", "", True),
        # Products of f32 are twice as fast there.
        ("sapphirerapids", "-amx-bf16", False),
        ("graniterapids", "-amx-bf16", False),
    ],
)
def test_instructions(cpu, features, has):
    """Code for processors that this one need not be."""
    text = program((64, 64), (64, 64), (64, 64), "bf16", "contracting_dims = [1] x [0]")
    with ir.Context():
        executable = compiler.compile(ir.Module.parse(text).operation, cpu=cpu, features=features, keep_stages=True)
    assert bool(re.search(r"vdpbf16ps\t.*%zmm", executable.stages["binary"])) == has
