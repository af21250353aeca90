# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cumulative sums and their like of thousands and millions of elements, beside NumPy's."""

import ml_dtypes
import numpy as np
import pytest
from api_programs import TARGETS

import mlir_xla

pytestmark = pytest.mark.skipif("cpu" not in TARGETS, reason="no cpu target")

NAMES = {"f32": np.float32, "f64": np.float64, "bf16": ml_dtypes.bfloat16, "i32": np.int32, "i8": np.int8}
ADD, MAX = ("add", "0"), ("maximum", "-128")


def scan(name, shape, dim, reverse, op, init):
    """The program of one scan."""
    t, s = f"tensor<{'x'.join(map(str, shape))}x{name}>", f"tensor<{name}>"
    sizes = [n if d == dim else 1 for d, n in enumerate(shape)]
    padding = [((0, n - 1) if reverse else (n - 1, 0)) if d == dim else (0, 0) for d, n in enumerate(shape)]
    value = init if name[0] == "i" else f"{init}.0"
    return f"""func.func @main(%x: {t}) -> {t} {{
  %init = xla.constant dense<{value}> : {s}
  %0 = "xla.reduce_window"(%x, %init) <{{window_dimensions = array<i64: {", ".join(map(str, sizes))}>,
      padding = dense<{[list(p) for p in padding]}> : tensor<{len(shape)}x2xi64>}}> ({{
  ^bb0(%a: {s}, %b: {s}):
    %m = xla.{op} %a, %b : {s}
    xla.return %m : {s}
  }}) : ({t}, {s}) -> {t}
  return %0 : {t}
}}"""


def expected(x, dim, reverse, op):
    """In the order of the scan, with as many bits as are needed."""
    turned = np.flip(x, dim) if reverse else x
    wide = turned if np.dtype(x.dtype).kind == "i" else turned.astype(np.float64)
    result = np.add.accumulate(wide, dim, dtype=wide.dtype) if op == "add" else np.maximum.accumulate(wide, dim)
    return np.flip(result, dim) if reverse else result


SHAPES = [
    *(((n,), 0) for n in (1000, 4096, 65537, 1_000_000, 2_097_152, 3_000_000)),
    *[
        ((3, 1_000_000), 1),
        ((1_000_000, 3), 0),
        ((70_000, 33), 0),
        ((300, 7, 500), 2),
        ((5, 1000, 130), 1),
        ((17, 1), 0),
    ],
]


@pytest.mark.parametrize("reverse", [False, True], ids=["forward", "reverse"])
@pytest.mark.parametrize(("shape", "dim"), SHAPES, ids=["x".join(map(str, shape)) for shape, _ in SHAPES])
@pytest.mark.parametrize(("name", "op"), [("f32", ADD), ("i32", ADD), ("i8", ADD), ("f64", MAX)])
def test_large_scans(name, op, shape, dim, reverse):
    x = np.random.default_rng(7).integers(-100, 100, shape).astype(NAMES[name])
    found = mlir_xla.compile(scan(name, shape, dim, reverse, *op))(x)
    exact = expected(x, dim, reverse, op[0])
    if name != "f32":
        np.testing.assert_array_equal(found, exact)
        return
    # Sums of at most some thousand roundings, each of half an eps of the largest sum.
    bound = 2048 * np.finfo(np.float32).eps / 2 * np.abs(exact).max()
    assert np.abs(found - exact).max() <= bound


@pytest.mark.parametrize(("shape", "dim"), [((3_000_000,), 0), ((40_000, 16), 0), ((3, 50_000), 1)])
def test_sums_of_ones_stay_exact(shape, dim):
    # One that adds to a running value of few bits stops at 256.
    found = mlir_xla.compile(scan("bf16", shape, dim, False, *ADD))(np.ones(shape, NAMES["bf16"]))
    exact = np.broadcast_to(
        np.arange(1, shape[dim] + 1).reshape([-1 if d == dim else 1 for d in range(len(shape))]), shape
    )
    np.testing.assert_array_equal(found, exact.astype(NAMES["bf16"]))


@pytest.mark.parametrize("reverse", [False, True], ids=["forward", "reverse"])
@pytest.mark.parametrize("shape", [(1000,), (3_000_000,), (2, 3_000_000)])
def test_a_nan_spoils_what_comes_behind_it(shape, reverse):
    x, place = np.zeros(shape, np.float32), shape[-1] // 3
    x[..., place] = np.nan
    for op in (ADD, MAX):
        found = np.isnan(mlir_xla.compile(scan("f32", shape, len(shape) - 1, reverse, *op))(x))
        behind = np.arange(shape[-1]) <= place if reverse else np.arange(shape[-1]) >= place
        np.testing.assert_array_equal(found, np.broadcast_to(behind, shape))
