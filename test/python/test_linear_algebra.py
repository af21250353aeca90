# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Linear algebra as JAX lowers it for the CPU, with custom calls of LAPACK, against what JAX computes.

Values are compared where they are unique (LAPACK's reflectors are); of eigenvectors and the like what does not depend
on their signs, phases and order.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import jax.scipy.linalg as jsl
import numpy as np
import pytest
from jax._src.lax import linalg as lax_linalg

import mlir_xla

TARGETS = os.environ.get("MLIR_XLA_TEST_TARGETS", "reference,cpu").split(",")
REAL = ("f4", "f8")
TYPES = (*REAL, "c8", "c16")


def _matrix(dtype: str, *dims: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng([seed, *dims])
    x = rng.standard_normal(dims) + (1j * rng.standard_normal(dims) if dtype[0] == "c" else 0)
    return x.astype(dtype)


def _definite(dtype: str, *dims: int, seed: int = 0) -> np.ndarray:
    x = _matrix(dtype, *dims, seed=seed)
    return (x @ np.conj(np.swapaxes(x, -1, -2)) / dims[-1] + np.eye(dims[-1])).astype(dtype)


def _lowered(function: Callable[..., Any], *arguments: np.ndarray) -> Any:
    with jax.enable_x64(True):
        return jax.jit(function, keep_unused=True).lower(*arguments)


def _run(text: str, *arguments: np.ndarray, target: str) -> list[np.ndarray]:
    found = mlir_xla.compile(text, target=target)(*arguments)
    return [np.asarray(x) for x in (found if isinstance(found, (tuple, list)) else [found])]


def _results(function: Callable[..., Any], *arguments: np.ndarray, targets: Sequence[str] = TARGETS) -> Iterator[Any]:
    """The results on each target of what JAX lowers once: that takes as long as all of them."""
    text = _lowered(function, *arguments).as_text()
    for target in targets:
        print(f"target {target}")  # for the report of a failure
        yield _run(text, *arguments, target=target)


def _same(function: Callable[..., Any], *arguments: np.ndarray, roundings: float = 4000) -> None:
    """The results on each target are XLA's."""
    lowered = _lowered(function, *arguments)
    with jax.enable_x64(True):
        wanted = [np.asarray(x) for x in jax.tree.leaves(lowered.compile()(*arguments))]
    for target in TARGETS:
        _compare(_run(lowered.as_text(), *arguments, target=target), wanted, target, roundings)


def _compare(found: list[np.ndarray], wanted: list[np.ndarray], target: str, roundings: float) -> None:
    assert [(x.shape, x.dtype) for x in found] == [(x.shape, x.dtype) for x in wanted], target
    for have, want in zip(found, wanted, strict=True):
        if want.dtype.kind in "iub":
            np.testing.assert_array_equal(have, want, target)
            continue
        eps = np.finfo(want.dtype).eps
        scale = np.abs(want[np.isfinite(want)]).max(initial=1)
        np.testing.assert_allclose(have, want, rtol=0, atol=roundings * eps * scale, err_msg=target)


def _close(have: np.ndarray, want: np.ndarray) -> None:
    eps = np.finfo(have.dtype).eps
    np.testing.assert_allclose(have, want, rtol=0, atol=4000 * eps * max(1, np.abs(want).max(initial=0)))


def _orthonormal(q: np.ndarray) -> None:
    _close(
        np.conj(np.swapaxes(q, -1, -2)) @ q, np.broadcast_to(np.eye(q.shape[-1]), (*q.shape[:-2], *[q.shape[-1]] * 2))
    )


target = pytest.mark.parametrize("target", TARGETS)
dtypes = pytest.mark.parametrize("dtype", TYPES)


@dtypes
@pytest.mark.parametrize("dims", [(1, 1), (2, 3, 5, 5), (3, 37, 37)], ids=str)
def test_cholesky(dtype: str, dims: tuple[int, ...]) -> None:
    a = _definite(dtype, *dims)
    _same(jnp.linalg.cholesky, a)
    _same(lambda x: jnp.linalg.cholesky(x, upper=True), a)


@dtypes
def test_cholesky_of_what_is_not_definite(dtype: str) -> None:
    for n in (3, 40):
        a = _definite(dtype, 4, n, n)
        a[2] -= 8 * np.eye(n, dtype=dtype)
        for (found,) in _results(jnp.linalg.cholesky, a):
            assert np.isnan(found[2][np.tril_indices(n)]).all()
            assert np.isfinite(found[[0, 1, 3]]).all()


@dtypes
@pytest.mark.parametrize("dims", [(4, 4), (3, 5, 2), (3, 2, 5), (40, 37)], ids=str)
def test_factorizations(dtype: str, dims: tuple[int, ...]) -> None:
    a = _matrix(dtype, *dims)
    pivots = np.zeros((*dims[:-2], dims[-1]), np.int32)
    _same(jax.lax.linalg.lu, a)
    _same(jnp.linalg.qr, a)
    _same(lambda x: jnp.linalg.qr(x, mode="complete"), a)
    _same(lambda x: jnp.linalg.qr(x, mode="r"), a)
    _same(lax_linalg.geqp3, a, pivots)


@dtypes
def test_pivots_that_are_given(dtype: str) -> None:
    _same(lax_linalg.geqp3, _matrix(dtype, 6, 5), np.array([0, 1, 0, 1, 0], np.int32))


@dtypes
def test_products_with_reflectors(dtype: str) -> None:
    ((a, taus),) = _results(lax_linalg.geqrf, _matrix(dtype, 2, 6, 4), targets=["cpu"])
    for left in (True, False):
        c = _matrix(dtype, 2, 6, 3) if left else _matrix(dtype, 2, 3, 6)
        for transpose in (True, False):
            _same(lambda *x, **k: lax_linalg.ormqr(*x, left=left, transpose=transpose), a, taus, c)  # noqa: B023


@dtypes
def test_triangular_systems(dtype: str) -> None:
    for n, batch in ((3, (2, 2)), (35, ())):
        a = (_matrix(dtype, *batch, n, n) / n + 2 * np.eye(n)).astype(dtype)
        for flags in range(32):
            left, lower, transpose, conjugate, unit = (bool(flags >> i & 1) for i in range(5))
            if flags % 3 and (n == 35 or dtype in ("f4", "c16")):
                continue
            b = _matrix(dtype, *batch, n, 2) if left else _matrix(dtype, *batch, 2, n)

            def function(a, b, options=(left, lower, transpose, conjugate, unit)):
                names = ("left_side", "lower", "transpose_a", "conjugate_a", "unit_diagonal")
                return jax.lax.linalg.triangular_solve(a, b, **dict(zip(names, options, strict=True)))

            _same(function, a, b)


@dtypes
def test_systems(dtype: str) -> None:
    a, b = _matrix(dtype, 3, 6, 6), _matrix(dtype, 3, 6, 2)
    _same(jnp.linalg.solve, a, b)
    _same(jnp.linalg.inv, a)
    _same(jnp.linalg.det, a)
    _same(jnp.linalg.slogdet, a)
    _same(lambda a, b: jsl.lu_solve(jsl.lu_factor(a), b), a[0], b[0])
    _same(lambda a, b: jsl.cho_solve(jsl.cho_factor(a), b), _definite(dtype, 6, 6), b[0])
    _same(lambda a, b: jsl.solve_triangular(a, b, trans=2), a[0], b[0], roundings=1e5)
    _same(lambda a, b: jnp.linalg.lstsq(a, b)[0], _matrix(dtype, 6, 4), b[0])


@dtypes
def test_tridiagonal_systems(dtype: str) -> None:
    lower, main, upper, b = (_matrix(dtype, 3, 7, seed=i) for i in range(4))
    lower[:, 0] = upper[:, -1] = 0
    b = np.stack([b, 2 * b + 1], -1).astype(dtype)
    solve = jax.lax.linalg.tridiagonal_solve
    _same(solve, lower, main, upper, b)
    perturbed = lambda *x: lax_linalg.tridiagonal_solve(*x, perturb_singular=True)  # noqa: E731
    _same(perturbed, lower, main, upper, b)
    _same(perturbed, 0 * lower, 0 * main, 0 * upper, b)
    main[1, 3] = lower[1, 3] = upper[1, 3] = 0
    _same(perturbed, lower, main, upper, b)


@dtypes
@pytest.mark.parametrize("dims", [(1, 1), (3, 6, 6), (33, 33)], ids=str)
def test_reductions(dtype: str, dims: tuple[int, ...]) -> None:
    _same(jax.lax.linalg.hessenberg, _matrix(dtype, *dims))
    for lower in (True, False):
        _same(lambda x: jax.lax.linalg.tridiagonal(x, lower=lower), _definite(dtype, *dims))  # noqa: B023


@dtypes
@pytest.mark.parametrize("dims", [(1, 1), (2, 5, 5), (40, 40)], ids=str)
def test_eigenvalues(dtype: str, dims: tuple[int, ...]) -> None:
    a = _definite(dtype, *dims)
    _same(jnp.linalg.eigvalsh, a)
    for lower in (True, False):
        for w, v in _results(lambda x: jnp.linalg.eigh(x, UPLO="L" if lower else "U", symmetrize_input=False), a):  # noqa: B023
            _orthonormal(v)
            _close(a @ v, v * w[..., None, :])

    a = _matrix(dtype, *dims)
    for w, v in _results(jnp.linalg.eig, a):
        _close((a @ v).astype(v.dtype), v * w[..., None, :])
        np.testing.assert_allclose(np.linalg.norm(v, axis=-2), 1, rtol=1e-4)
    for w, left, right in _results(lambda x: jax.lax.linalg.eig(x, compute_left_eigenvectors=True), a):
        _close((a @ right).astype(right.dtype), right * w[..., None, :])
        adjoint = np.conj(np.swapaxes(left, -1, -2))
        eps = np.finfo(left.dtype).eps
        np.testing.assert_allclose(adjoint @ a, w[..., None] * adjoint, rtol=0, atol=1e5 * eps)


@dtypes
def test_eigenvalues_of_what_is_not_finite(dtype: str) -> None:
    """A matrix with NaN gives NaN, and the others of the batch what they give alone."""
    a = _matrix(dtype, 3, 4, 4)
    a[1, 2, 2] = np.nan
    compiled = [target for target in TARGETS if target != "reference"]  # numpy.linalg.eig refuses it
    for w, v in _results(jnp.linalg.eig, a, targets=compiled):
        assert np.isnan(w[1]).all() and np.isnan(v[1]).all()
        _close((a[[0, 2]] @ v[[0, 2]]).astype(v.dtype), v[[0, 2]] * w[[0, 2]][..., None, :])


@dtypes
@pytest.mark.parametrize("dims", [(1, 1), (5, 3), (2, 3, 5), (40, 33)], ids=str)
def test_singular_values(dtype: str, dims: tuple[int, ...]) -> None:
    a = _matrix(dtype, *dims)
    for full in (True, False):
        _same(
            lambda x: jnp.linalg.svd(x, full_matrices=full, compute_uv=False),  # noqa: B023
            a,
        )
    methods = [jax.lax.linalg.SvdAlgorithm.DEFAULT, jax.lax.linalg.SvdAlgorithm.QR]
    for full in (True, False):
        for method in methods:
            svd = partial(jax.lax.linalg.svd, full_matrices=full, algorithm=method)
            for u, s, vt in _results(svd, a):
                k = s.shape[-1]
                _orthonormal(u)
                _orthonormal(np.swapaxes(vt, -1, -2))
                _close((u[..., :k] * s[..., None, :]) @ vt[..., :k, :], a)


@dtypes
@pytest.mark.parametrize("n", [1, 2, 6, 20])
def test_schur(dtype: str, n: int) -> None:
    a = _matrix(dtype, n, n)
    for t, q in _results(lambda x: jsl.schur(x, output="complex" if dtype[0] == "c" else "real"), a):
        _orthonormal(q)
        _close(q @ t @ np.conj(q.T), a)
        below = np.tril(t, -1 if dtype[0] == "c" else -2)
        assert not below.any()
        for k in range(n - 1 if dtype[0] == "f" else 0):  # blocks of two have conjugate eigenvalues, an equal diagonal
            if abs(t[k + 1, k]) > 0:
                assert t[k + 1, k] * t[k, k + 1] < 0
                np.testing.assert_allclose(t[k, k], t[k + 1, k + 1], atol=1e3 * np.finfo(dtype).eps)


@pytest.mark.parametrize("dtype", REAL)
def test_functions_of_matrices(dtype: str) -> None:
    a = _definite(dtype, 5, 5)
    _same(jsl.expm, a / 4)
    _same(jsl.sqrtm, a, roundings=1e5)
    _same(jsl.polar, a)
    _same(jnp.linalg.pinv, _matrix(dtype, 5, 3))
    _same(lambda x: jnp.linalg.matrix_rank(x), _matrix(dtype, 5, 3))
    _same(lambda d, e: jsl.eigh_tridiagonal(d, e, eigvals_only=True), a[0], a[0, 1:])


GRADIENTS: dict[str, Callable[..., Any]] = {
    "cholesky": jnp.linalg.cholesky,
    "qr": jnp.linalg.qr,
    "inv": jnp.linalg.inv,
    "det": lambda x: jnp.linalg.det(x)[None],
    "slogdet": lambda x: jnp.linalg.slogdet(x)[1][None],
    "solve": lambda x: jnp.linalg.solve(x, x[:, :2] + 1),
    "eigvalsh": jnp.linalg.eigvalsh,
    "eigh": lambda x: jnp.abs(jnp.linalg.eigh(x)[1]),
    "svd": lambda x: jnp.linalg.svd(x, compute_uv=False),
}


@pytest.mark.parametrize("dtype", ["f8", "c16"])
@pytest.mark.parametrize("name", GRADIENTS)
def test_gradients(name: str, dtype: str) -> None:
    def loss(x: Any) -> Any:
        results = jax.tree.leaves(GRADIENTS[name](x))
        return sum(jnp.sum(jnp.abs(y) ** 2 * jnp.arange(1, y.shape[-1] + 1)) for y in results)

    _same(jax.grad(loss), _definite(dtype, 4, 4), roundings=1e5)


def test_the_same_on_any_number_of_threads() -> None:
    a = _definite("f4", 100, 20, 20)
    text = jax.jit(lambda x: jnp.linalg.qr(jnp.linalg.cholesky(x))).lower(a).as_text()
    one, many = (mlir_xla.compile(text, target="cpu", threads=n)(a) for n in (1, 4))
    for x, y in zip(one, many, strict=True):
        np.testing.assert_array_equal(x, y)


@target
def test_names_of_xla(target: str) -> None:
    """What JAX exports for other platforms: QR by two custom calls without layouts."""
    a = _matrix("f4", 2, 5, 3)
    shape = jax.ShapeDtypeStruct(a.shape, a.dtype)
    text = jax.jit(jnp.linalg.qr).trace(shape).lower(lowering_platforms=("mlir_xla",)).as_text()
    assert "@Qr" in text and "@ProductOfElementaryHouseholderReflectors" in text
    for have, want in zip(mlir_xla.compile(text, target=target)(a), jnp.linalg.qr(a), strict=True):
        np.testing.assert_allclose(have, want, atol=1e-5)


@pytest.mark.parametrize("dims", [(0, 3, 3), (0, 0), (2, 0, 0)], ids=str)
def test_nothing(dims: tuple[int, ...]) -> None:
    a = _matrix("f4", *dims)
    for function in (jnp.linalg.cholesky, jnp.linalg.qr, jax.lax.linalg.lu, jnp.linalg.eigvalsh, jnp.linalg.inv):
        _same(function, a)


def test_without_lapack() -> None:
    """Small matrices need none; for larger ones the error names what was looked for."""
    program = """
import jax, jax.numpy as jnp, numpy as np, mlir_xla
for n in (8, 64):
    a = np.eye(n, dtype=np.float32)
    text = jax.jit(jnp.linalg.cholesky).lower(a).as_text()
    try:
        print(np.array_equal(mlir_xla.compile(text, target="cpu")(a), a))
    except RuntimeError as error:
        print(error)
"""
    environment = os.environ | {"XLA_RT_LAPACK": "/nowhere/liblapack.so"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert lines == ["True", "the program needs LAPACK (spotrf), and XLA_RT_LAPACK=/nowhere/liblapack.so is none"]


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("n", [33, 64, 100, 257])
@pytest.mark.parametrize("lower", [True, False])
def test_cholesky_of_row_major_matrices(dtype: str, n: int, lower: bool) -> None:
    """Of one triangle alone, whichever LAPACK is given; a matrix that is not positive definite has NaN there."""
    a = _definite(dtype, 3, n, n)
    a[1, n // 2, n // 2] = -1
    other = np.triu_indices(n, 1) if lower else np.tril_indices(n, -1)
    kinds = {"f4": "f32", "f8": "f64", "c8": "complex<f32>", "c16": "complex<f64>"}
    tensor = f"tensor<3x{n}x{n}x{kinds[dtype]}>"
    text = f"func.func @main(%x: {tensor}) -> {tensor} {{\n"
    text += f"  %r = xla.cholesky %x, lower = {str(lower).lower()} : {tensor}\n  return %r : {tensor}\n}}"
    given = a.copy()
    given[(slice(None), *other)] = 77  # is not read
    found = np.asarray(mlir_xla.compile(text, target="cpu")(given))
    assert (found[(slice(None), *other)] == 0).all()
    assert np.isnan(found[1][np.tril_indices(n) if lower else np.triu_indices(n)]).all()
    for i in (0, 2):
        factor = np.linalg.cholesky(a[i].astype("c16" if dtype[0] == "c" else "f8"))
        wanted = factor if lower else factor.conj().T
        np.testing.assert_allclose(found[i], wanted, rtol=0, atol=4000 * np.finfo(a.dtype).eps * np.abs(wanted).max())
