# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Contractions of complex numbers as contractions of their parts (`--xla-split-complex-products`): either operand with
the four parts, several free and contracted dimensions, batches, and numbers that are not finite."""

from __future__ import annotations

import numpy as np
import pytest

import mlir_xla

# Operands, result, dimension numbers.
CASES = {
    "columns": ("300x256", "256x250", "300x250", "contracting_dims = [1] x [0]"),
    "rows": ("200x256", "256x400", "200x400", "contracting_dims = [1] x [0]"),
    "transposed": ("270x260", "280x270", "260x280", "contracting_dims = [0] x [1]"),
    "batches": ("2x260x256", "2x256x257", "2x260x257", "batching_dims = [0] x [0], contracting_dims = [2] x [1]"),
    "many dimensions": ("3x16x100x20", "16x20x20x20", "3x100x20x20", "contracting_dims = [1, 3] x [0, 2]"),
}


def drawn(rng: np.random.Generator, shape: str, element: type) -> np.ndarray:
    sizes = tuple(map(int, shape.split("x")))
    # No sum of them is rounded.
    return (rng.integers(-4, 5, sizes) + 1j * rng.integers(-4, 5, sizes)).astype(element)


def program(case: tuple[str, ...], element: str) -> str:
    a, b, c = (f"tensor<{shape}xcomplex<{element}>>" for shape in case[:3])
    return f"""
    func.func @main(%a: {a}, %b: {b}) -> {c} {{
      %0 = stablehlo.dot_general %a, %b, {case[3]} : ({a}, {b}) -> {c}
      return %0 : {c}
    }}"""


@pytest.mark.parametrize(("element", "numpy"), [("f32", np.complex64), ("f64", np.complex128)])
@pytest.mark.parametrize("name", CASES)
def test_parts(name, element, numpy):
    text, rng = program(CASES[name], element), np.random.default_rng(1)
    arguments = [drawn(rng, shape, numpy) for shape in CASES[name][:2]]
    compiled = mlir_xla.compile(text)
    want = mlir_xla.compile(text, target="reference")(*arguments)
    np.testing.assert_array_equal(np.asarray(compiled(*arguments)), np.asarray(want))
    legal = compiled.stages["legal"]
    assert f"xcomplex<{element}>>" not in next(line for line in legal.splitlines() if "xla.dot_general" in line)


def test_what_is_not_finite():
    """An infinity makes those parts of its row and column not finite that it does in a sum of products."""
    text, rng = program(CASES["columns"], "f32"), np.random.default_rng(2)
    a, b = (drawn(rng, shape, np.complex64) for shape in CASES["columns"][:2])
    a[3, 4] = complex(np.inf, 1)
    b[5, 6] = complex(0, np.nan)
    have = np.asarray(mlir_xla.compile(text)(a, b))
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(have.real, a.real @ b.real - a.imag @ b.imag)
        np.testing.assert_array_equal(have.imag, a.real @ b.imag + a.imag @ b.real)
    finite = np.isfinite(have)
    assert not finite[3].any()
    assert not finite[:, 6].any()
    assert np.delete(np.delete(finite, 3, 0), 6, 1).all()


def test_a_loop_finds_the_parts_made():
    """What does not change is taken apart before the loop."""
    x, w = "tensor<300x256xcomplex<f32>>", "tensor<256x256xcomplex<f32>>"
    text = f"""
    func.func @main(%x: {x}, %w: {w}, %n: tensor<i32>) -> {x} {{
      %zero = xla.constant dense<0> : tensor<i32>
      %r:2 = xla.while(%i = %zero, %c = %x) : tensor<i32>, {x}
      cond {{
        %more = xla.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        xla.return %more : tensor<i1>
      }} do {{
        %one = xla.constant dense<1> : tensor<i32>
        %next = xla.add %i, %one : tensor<i32>
        %p = xla.dot_general %c, %w, contracting_dims = [1] x [0] : ({x}, {w}) -> {x}
        xla.return %next, %p : tensor<i32>, {x}
      }}
      return %r#1 : {x}
    }}"""
    rng = np.random.default_rng(4)
    compiled = mlir_xla.compile(text)
    before, loop = compiled.stages["legal"].split("xla.while")
    assert "-> tensor<512x512xf32>" in before
    assert "tensor<512x512xf32>) -> tensor<300x512xf32>" in loop
    assert "%arg1" not in loop
    arguments = [drawn(rng, "300x256", np.complex64), drawn(rng, "256x256", np.complex64), np.int32(1)]
    np.testing.assert_array_equal(compiled(*arguments), arguments[0] @ arguments[1])


@pytest.mark.parametrize(
    ("x", "k", "r", "dims", "window"),
    [
        ("2x33x34x16", "3x3x16x24", "2x33x34x24", "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]", "pad = [[1, 1], [1, 1]]"),
        ("3x8x100x100", "10x8x3x3", "3x10x49x49", "[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]", "stride = [2, 2]"),
        ("10x301x12", "12x9x7", "10x295x9", "[b, 0, f]x[i, o, 0]->[b, 0, f]", "reverse = [true]"),
    ],
    ids=["channels last", "channels first", "one dimension"],
)
def test_parts_of_convolutions(x, k, r, dims, window):
    tensors = [f"tensor<{shape}xcomplex<f32>>" for shape in (x, k, r)]
    text = f"""
    func.func @main(%x: {tensors[0]}, %k: {tensors[1]}) -> {tensors[2]} {{
      %0 = stablehlo.convolution(%x, %k) dim_numbers = {dims}, window = {{{window}}}
          {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}}
          : ({tensors[0]}, {tensors[1]}) -> {tensors[2]}
      return %0 : {tensors[2]}
    }}"""
    rng = np.random.default_rng(3)
    arguments = [drawn(rng, shape, np.complex64) for shape in (x, k)]
    compiled = mlir_xla.compile(text)
    want = mlir_xla.compile(text, target="reference")(*arguments)
    np.testing.assert_array_equal(np.asarray(compiled(*arguments)), np.asarray(want))
    assert "xf32>" in next(line for line in compiled.stages["legal"].splitlines() if "xla.convolution" in line)
