# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The solve family: Cholesky factors and triangular systems, row by row. `factor` and `substitute` take batches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ._numerics import narrow, widen
from ._program import Op

Array = np.ndarray


def adjoint(a: Array) -> Array:
    """The conjugate transposes of matrices."""
    return np.conj(np.swapaxes(a, -1, -2))


def factor(a: Array) -> tuple[Array, Array]:
    """Lower triangular l with a = l l^H, a given by its lower triangle; and for each matrix the order of the first
    leading minor that is not positive, or 0. The triangle of such a matrix is NaN."""
    n = a.shape[-1]
    found = np.zeros_like(a)
    failed = np.zeros(a.shape[:-2], np.int32)
    for j in range(n):
        row = np.conj(found[..., j, :j])
        diagonal = a[..., j, j].real - np.sum(np.abs(row) ** 2, -1)
        failed = np.where((failed == 0) & ~(diagonal > 0), np.int32(j + 1), failed)
        root = np.sqrt(np.where(diagonal > 0, diagonal, np.nan))
        found[..., j, j] = root
        below = a[..., j + 1 :, j] - np.sum(found[..., j + 1 :, :j] * row[..., None, :], -1)
        found[..., j + 1 :, j] = below / root[..., None]
    return np.where((failed != 0)[..., None, None], np.tril(np.full((n, n), np.nan)), found), failed


def substitute(a: Array, b: Array, lower: bool, unit: bool) -> Array:
    """x with a x = b, for a triangular a."""
    x = b.copy()
    n = a.shape[-1]
    for i in range(n) if lower else range(n - 1, -1, -1):
        known = slice(0, i) if lower else slice(i + 1, n)
        x[..., i, :] -= np.sum(a[..., i, known, None] * x[..., known, :], -2)
        if not unit:
            x[..., i, :] /= a[..., i, i, None]
    return x


def solve(a: Array, b: Array, left: bool, lower: bool, unit: bool, transpose: str) -> Array:
    """x with op(a) x = b, or x op(a) = b; the operation is named by BLAS's letter."""
    if transpose != "N":
        a, lower = (adjoint(a) if transpose == "C" else np.swapaxes(a, -1, -2)), not lower
    if left:
        return substitute(a, b, lower, unit)
    return np.swapaxes(substitute(np.swapaxes(a, -1, -2), np.swapaxes(b, -1, -2), not lower, unit), -1, -2)


def _cholesky(op: Op, a: Array) -> Array:
    lower = op.attributes.get("lower", False)
    with np.errstate(all="ignore"):
        found, _ = factor(widen(a if lower else adjoint(a)))
        if not lower:  # a real diagonal has no imaginary part, not the negative of one
            found = np.where(np.eye(a.shape[-1], dtype=bool), found, np.triu(adjoint(found), 1))
        return narrow(found, op.array.element)


def _triangular_solve(op: Op, a: Array, b: Array) -> Array:
    at = op.attributes
    letter = {"NO_TRANSPOSE": "N", "TRANSPOSE": "T", "ADJOINT": "C"}[at["transpose_a"]]
    with np.errstate(all="ignore"):
        x = solve(widen(a), widen(b), at["left_side"], at["lower"], at["unit_diagonal"], letter)
        return narrow(x, op.array.element)


OPS: dict[str, Callable[..., Any]] = {"cholesky": _cholesky, "triangular_solve": _triangular_solve}
