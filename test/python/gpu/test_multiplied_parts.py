# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sums of products of complex numbers, which blocks of threads do as those of their parts (`--xla-multiply-parts`)."""

import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import mlir_xla

pytestmark = pytest.mark.usefixtures("checked")

# A function, the shapes of its arguments, and whether it copies rows or columns first.
PRODUCTS = {
    "columns read along k": (lambda a, b: a @ b.T, "128x64", "128x64", 0),
    "columns of many rows": (lambda a, b: a @ b.T, "130x65", "127x65", 1),
    "conjugates": (lambda a, b: a @ b.conj().T, "128x64", "130x64", 1),
    "rows read along m": (lambda a, b: a.T @ b.T, "66x128", "130x66", 1),
    "batches": (lambda a, b: jnp.einsum("bik,bjk->bij", a, b), "26x33x40", "26x34x40", 0),
    "the other factor's neighbours": (lambda a, b: jnp.einsum("ik,kj->ji", a, b), "130x65", "65x140", 1),
    "several dimensions": (lambda a, b: jnp.einsum("ipqk,jpqk->ij", a, b), "128x3x5x4", "140x3x5x4", 0),
    "what follows": (lambda a, b: jnp.abs(a @ b.T + 1j), "128x70", "131x70", 0),
}


def shape(text):
    return tuple(map(int, text.split("x")))


@pytest.mark.parametrize("element", [np.complex64, np.complex128])
@pytest.mark.parametrize("name", PRODUCTS)
def test_products(name, element):
    function, left, right, copies = PRODUCTS[name]
    rng = np.random.default_rng(13)
    # No sum of them is rounded.
    x, y = (
        (rng.integers(-4, 5, shape(each)) + 1j * rng.integers(-4, 5, shape(each))).astype(element)
        for each in (left, right)
    )
    with jax.enable_x64(element == np.complex128):
        text = jax.jit(function).lower(x, y).as_text()
        want = np.asarray(jax.jit(function)(x, y))
    compiled = mlir_xla.compile(text, target="cuda-emulated")
    np.testing.assert_allclose(np.asarray(compiled(x, y)), want, rtol=1e-6)
    kernels = compiled.stages["kernels"]
    assert kernels.count("#xla_rt.blocks") == 1
    assert "complex.mul" not in kernels
    calls = re.findall(r"call @(\w+?)_\d+\(", kernels.partition("func.func private")[0])
    before = calls[: next(i for i, each in enumerate(calls) if each in ("contraction", "convolution"))]
    assert bool(before) == bool(copies), calls


def test_convolution():
    """JAX takes those apart itself."""
    image, kernel, result = (f"tensor<{each}xcomplex<f32>>" for each in ("1x20x21x64", "32x64x3x3", "1x20x21x32"))
    text = f"""
    func.func @main(%x: {image}, %w: {kernel}) -> {result} {{
      %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[o, i, 0, 1]->[b, 0, 1, f],
          window = {{pad = [[1, 1], [1, 1]]}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}}
          : ({image}, {kernel}) -> {result}
      return %0 : {result}
    }}"""
    rng = np.random.default_rng(3)
    x, w = (
        (rng.integers(-4, 5, shape(each)) + 1j * rng.integers(-4, 5, shape(each))).astype(np.complex64)
        for each in ("1x20x21x64", "32x64x3x3")
    )
    compiled = mlir_xla.compile(text, target="cuda-emulated")
    assert "#xla_rt.blocks" in compiled.stages["kernels"]
    np.testing.assert_array_equal(compiled(x, w), mlir_xla.compile(text, target="reference")(x, w))


def test_what_is_not_finite():
    """An infinity makes those parts of its row and column not finite that it does in a sum of products."""
    rng = np.random.default_rng(2)
    a, b = ((rng.integers(-4, 5, (128, 64)) + 1j * rng.integers(-4, 5, (128, 64))).astype(np.complex64) for _ in "ab")
    a[3, 4] = complex(np.inf, 1)
    b[5, 6] = complex(0, np.nan)
    text = jax.jit(lambda a, b: a @ b.T).lower(a, b).as_text()
    have = np.asarray(mlir_xla.compile(text, target="cuda-emulated")(a, b))
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(have.real, a.real @ b.real.T - a.imag @ b.imag.T)
        np.testing.assert_array_equal(have.imag, a.real @ b.imag.T + a.imag @ b.real.T)


def test_few_products_stay():
    """Where a thread for each result reads what the caches hold, copies would take longer."""
    x = np.ones((128, 64), np.complex64)
    text = jax.jit(lambda a: a @ a.T[:, :20]).lower(x).as_text()
    kernels = mlir_xla.compile(text, target="cuda-emulated").stages["kernels"]
    assert "complex.mul" in kernels
    assert "xla_rt.parts" not in kernels
