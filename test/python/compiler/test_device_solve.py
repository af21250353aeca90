# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cholesky factors and triangular systems by the device's library."""

import itertools

import numpy as np
import pytest
from device_library import Program

DTYPES = {"f32": np.float32, "f64": np.float64, "complex<f32>": np.complex64, "complex<f64>": np.complex128}
LETTERS = {"f32": "s", "f64": "d", "complex<f32>": "c", "complex<f64>": "z"}


def tensor(shape, element) -> str:
    return "tensor<" + "x".join(map(str, [*shape, element])) + ">"


def random(rng, shape, element):
    x = rng.standard_normal(shape)
    if element.startswith("complex"):
        x = x + 1j * rng.standard_normal(shape)
    return x.astype(DTYPES[element])


def wide(x):
    return x.astype(np.clongdouble if np.iscomplexobj(x) else np.longdouble)


def positive(rng, batch, n, element):
    x = random(rng, (*batch, n, n), element)
    return x @ np.conj(np.swapaxes(x, -1, -2)) + n * np.eye(n, dtype=x.dtype)


def cholesky(shape, element, lower) -> Program:
    t = tensor(shape, element)
    return Program(f"""func.func @main(%a: {t}) -> {t} {{
  %l = stablehlo.cholesky %a, lower = {str(lower).lower()} : {t}
  return %l : {t}
}}""")


@pytest.mark.parametrize("element", DTYPES)
@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("shape", [(1, 1), (3, 2, 7, 7), (2, 32, 32), (33, 33), (2, 48, 48), (100, 100)])
def test_cholesky(element, lower, shape):
    *batch, n, _ = shape
    rng = np.random.default_rng(n)
    a = positive(rng, batch, n, element)
    i, j = np.indices((n, n))
    other = i < j if lower else i > j
    a[..., other] = np.nan  # nobody reads that
    program = cholesky(shape, element, lower)
    (have,) = program.run(a)
    assert (have[..., other] == 0).all()
    assert (np.diagonal(have, axis1=-2, axis2=-1).imag == 0).all()
    whole = np.where(other, np.conj(np.swapaxes(a, -1, -2)), a)
    factor = wide(have if lower else np.conj(np.swapaxes(have, -1, -2)))
    residual = factor @ np.conj(np.swapaxes(factor, -1, -2)) - wide(whole)
    # The bound of the backward error is about n / 2 units of it; the error grows with the root of n.
    bound = (2 + np.sqrt(n)) * np.finfo(have.dtype).eps * np.abs(np.diagonal(whole, axis1=-2, axis2=-1)).max()
    assert np.abs(residual).max() <= bound
    cpu = np.asarray(program.executable(a))
    assert np.abs(have - cpu).max() <= 4 * bound


@pytest.mark.parametrize("element", DTYPES)
@pytest.mark.parametrize("n,column", [(4, 0), (4, 3), (40, 5), (40, 16), (40, 39)])
@pytest.mark.parametrize("lower", [True, False])
def test_not_positive(element, n, column, lower):
    """One of the matrices of a batch; NaN on the diagonal is no better than a negative number."""
    rng = np.random.default_rng(n)
    for bad in (-1.0, 0.0, np.nan):
        a = positive(rng, (3,), n, element)
        a[1, column, column] = bad
        program = cholesky(a.shape, element, lower)
        (have,) = program.run(a)
        i, j = np.indices((n, n))
        triangle = i >= j if lower else i <= j
        assert np.isnan(have[1][triangle]).all() and (have[1][~triangle] == 0).all()
        assert np.isfinite(have[[0, 2]]).all()


@pytest.mark.parametrize("element", DTYPES)
def test_cholesky_of_lapack(element):
    """The other triangle stays, and a result says which columns failed."""
    n, rng = 36, np.random.default_rng(1)
    a = positive(rng, (3,), n, element)
    a[2, 20, 20] = -1
    t, i = tensor(a.shape, element), "tensor<3xi32>"
    layouts = "dense<[1, 2, 0]> : tensor<3xindex>"
    text = f"""func.func @main(%a: {t}) -> ({t}, {i}) {{
  %l:2 = stablehlo.custom_call @lapack_{LETTERS[element]}potrf_ffi(%a) {{
    mhlo.backend_config = {{uplo = 76 : ui8}}, operand_layouts = [{layouts}],
    result_layouts = [{layouts}, dense<0> : tensor<1xindex>]}} : ({t}) -> ({t}, {i})
  return %l#0, %l#1 : {t}, {i}
}}"""
    program = Program(text)
    have, info = program.run(a)
    factor, expected = (np.asarray(result) for result in program.executable(a))
    assert info.tolist() == expected.tolist() == [0, 0, 21]
    assert (np.isnan(have) == np.isnan(factor)).all()
    np.testing.assert_allclose(have[:2], factor[:2], rtol=0, atol=100 * np.finfo(have.dtype).eps * np.abs(a).max())
    above = np.triu_indices(n, 1)
    assert (have[(slice(None), *above)] == a[(slice(None), *above)]).all()


def solve(shape, count, element, left, lower, transpose, unit) -> Program:
    *batch, n, _ = shape
    a, b = tensor(shape, element), tensor([*batch, n, count] if left else [*batch, count, n], element)
    flags = ", ".join(
        f"{name} = {str(value).lower()}"
        for name, value in {"left_side": left, "lower": lower, "unit_diagonal": unit}.items()
    )
    return Program(f"""func.func @main(%a: {a}, %b: {b}) -> {b} {{
  %x = "stablehlo.triangular_solve"(%a, %b) <{{{flags}, transpose_a = #stablehlo<transpose {transpose}>}}>
    : ({a}, {b}) -> {b}
  return %x : {b}
}}""")


FLAGS = list(itertools.product([True, False], [True, False], ["NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"], [True, False]))


@pytest.mark.parametrize("element", DTYPES)
@pytest.mark.parametrize("left,lower,transpose,unit", FLAGS)
def test_triangular_solve(element, left, lower, transpose, unit):
    sizes = [((), 1, 1), ((2,), 5, 3), ((3,), 32, 2), ((2,), 33, 5), ((), 70, 130)]
    for batch, n, count in sizes if element in ("f64", "complex<f32>") and lower else sizes[3:4]:
        rng = np.random.default_rng(n)
        a = random(rng, (*batch, n, n), element)
        i, j = np.indices((n, n))
        a /= n  # well conditioned
        a[..., i == j] = (1 + rng.random((*batch, n))).astype(a.dtype) * np.exp(
            1j * rng.random((*batch, n)) if np.iscomplexobj(a) else 0
        ).astype(a.dtype)
        a[..., i < j if lower else i > j] = np.nan  # nobody reads that
        if unit:
            a[..., i == j] = np.nan
        b = random(rng, (*batch, n, count) if left else (*batch, count, n), element)
        program = solve(a.shape, count, element, left, lower, transpose, unit)
        (x,) = program.run(a, b)
        triangle = wide(np.tril(np.nan_to_num(a, nan=0.0)) if lower else np.triu(np.nan_to_num(a, nan=0.0)))
        if unit:
            triangle += np.eye(n)
        if transpose != "NO_TRANSPOSE":
            triangle = np.swapaxes(triangle, -1, -2)
        if transpose == "ADJOINT":
            triangle = np.conj(triangle)
        residual = (triangle @ x if left else x @ triangle) - b
        # Each component is bounded by n units of |a| |x|.
        size = np.abs(triangle) @ np.abs(x) if left else np.abs(x) @ np.abs(triangle)
        assert (np.abs(residual) <= (3 + np.sqrt(n)) * np.finfo(x.dtype).eps * size).all()
        cpu = np.asarray(program.executable(a, b))
        assert np.abs(x - cpu).max() <= 50 * np.finfo(x.dtype).eps * np.abs(x).max()


def test_large_divisor():
    """The square of a complex divisor is more than the largest number."""
    big = np.complex64(3e30 + 4e30j)
    (x,) = solve((1, 1), 1, "complex<f32>", True, True, "NO_TRANSPOSE", False).run(np.array([[big]]), np.array([[big]]))
    np.testing.assert_allclose(x, [[1]], rtol=1e-6)
