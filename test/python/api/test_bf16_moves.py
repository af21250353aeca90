# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""bf16 is moved in vectors on processors without AVX512-BF16, where LLVM has none of it: as integers."""

import re

import ml_dtypes
import numpy as np
import pytest

import mlir_xla

# The move, of N columns, and the same in NumPy, of x and y and of a mask.
MOVES = {
    "select": ("xla.select %m, %x, %y : tensor<48xNxi1>, tensor<48xNxbf16>", lambda m, x, y: np.where(m, x, y)),
    "transpose": ("xla.transpose %x, dims = [1, 0] : (tensor<48xNxbf16>) -> tensor<Nx48xbf16>", lambda m, x, y: x.T),
    "reverse": ("xla.reverse %x, dims = [1] : tensor<48xNxbf16>", lambda m, x, y: x[:, ::-1]),
    "concatenate": (
        "xla.concatenate %x, %y, dim = 0 : (tensor<48xNxbf16>, tensor<48xNxbf16>) -> tensor<96xNxbf16>",
        lambda m, x, y: np.concatenate([x, y]),
    ),
    "row": (
        "xla.broadcast_in_dim %y0, dims = [0] : (tensor<48xbf16>) -> tensor<48xNxbf16>",
        lambda m, x, y: np.broadcast_to(y[:, :1], y.shape),
    ),
    "constant": (
        "xla.select %m, %x, %c : tensor<48xNxi1>, tensor<48xNxbf16>",
        lambda m, x, y: np.where(m, x, x.dtype.type(-1.5)),
    ),
    "sum": ("xla.add %x, %y : tensor<48xNxbf16>", lambda m, x, y: x + y),
    "greatest": ("xla.maximum %x, %y : tensor<48xNxbf16>", lambda m, x, y: np.maximum(x, y)),
}


def _program(move, columns):
    result = re.search(r"(tensor<[0-9xN]+xbf16>)\)?$", move)[1]
    text = f"""
    func.func @main(%m: tensor<48xNxi1>, %x: tensor<48xNxbf16>, %y: tensor<48xNxbf16>) -> {result} {{
      %c = xla.constant dense<-1.5> : tensor<48xNxbf16>
      %s = xla.slice %y [0:48, 0:1] : (tensor<48xNxbf16>) -> tensor<48x1xbf16>
      %y0 = xla.reshape %s : (tensor<48x1xbf16>) -> tensor<48xbf16>
      %0 = {move}
      return %0 : {result}
    }}"""
    return text.replace("xNx", f"x{columns}x").replace("<Nx", f"<{columns}x")


@pytest.mark.parametrize("columns", [77, 96])
@pytest.mark.parametrize("features", ["", "-avx512bf16", "-avx512f", "-avx"])
@pytest.mark.parametrize("name", MOVES)
def test_bf16_is_moved(name, features, columns):
    move, numpy = MOVES[name]
    rng = np.random.default_rng(0)
    x, y = (rng.standard_normal((48, columns)).astype(ml_dtypes.bfloat16) for _ in range(2))
    mask = rng.integers(0, 2, (48, columns)).astype(bool)
    got = mlir_xla.compile(_program(move, columns), features=features)(mask, x, y)
    np.testing.assert_array_equal(
        np.asarray(got).view(np.uint16), np.ascontiguousarray(numpy(mask, x, y)).view(np.uint16)
    )


@pytest.mark.parametrize("features", ["", "-avx512bf16", "-avx512f", "-avx"])
def test_bf16_is_reduced(features):
    """Rows, columns and windows; a function behind it computes with bf16, and leaves it as it is."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal((48, 96)).astype(ml_dtypes.bfloat16)
    text = """
    func.func @main(%x: tensor<48x96xbf16>)
        -> (tensor<48xbf16>, tensor<96xbf16>, tensor<24x48xbf16>, tensor<96x48xbf16>) {
      %l = xla.constant dense<0xFF80> : tensor<bf16>
      %0 = xla.reduce(%x init: %l) applies xla.maximum across dimensions = [1]
        : (tensor<48x96xbf16>, tensor<bf16>) -> tensor<48xbf16>
      %1 = xla.reduce(%x init: %l) applies xla.maximum across dimensions = [0]
        : (tensor<48x96xbf16>, tensor<bf16>) -> tensor<96xbf16>
      %2 = "stablehlo.reduce_window"(%x, %l) <{window_dimensions = array<i64: 2, 2>,
        window_strides = array<i64: 2, 2>}> ({
      ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
        %m = stablehlo.maximum %a, %b : tensor<bf16>
        stablehlo.return %m : tensor<bf16>
      }) : (tensor<48x96xbf16>, tensor<bf16>) -> tensor<24x48xbf16>
      %t = xla.transpose %x, dims = [1, 0] : (tensor<48x96xbf16>) -> tensor<96x48xbf16>
      %3 = xla.reduce_precision %t, format = e5m2 : tensor<96x48xbf16>
      return %0, %1, %2, %3 : tensor<48xbf16>, tensor<96xbf16>, tensor<24x48xbf16>, tensor<96x48xbf16>
    }"""
    rows, columns, windows, short = mlir_xla.compile(text, features=features)(x)
    np.testing.assert_array_equal(rows, x.max(1))
    np.testing.assert_array_equal(columns, x.max(0))
    np.testing.assert_array_equal(windows, x.reshape(24, 2, 48, 2).max((1, 3)))
    np.testing.assert_array_equal(short, mlir_xla.compile(text, target="reference")(x)[3])


@pytest.mark.parametrize("name", MOVES)
def test_no_vector_is_taken_apart(name):
    """In whole steps no element is loaded, stored, or put into a vector by itself."""
    code = mlir_xla.compile(_program(MOVES[name][0], 96), cpu="x86-64-v3").stages["binary"]
    assert re.search(r"%[xy]mm", code)
    assert not re.findall(r"\t(?:movzwl|movw|vpinsrw|vpextrw)\t.*", code)
