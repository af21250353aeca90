# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Factorisations and solutions of linear systems."""

from __future__ import annotations

import enum

from ..builder import XlaOp
from ..errors import XlaError


class TriangularTranspose(enum.Enum):
    """What a triangular matrix is applied as."""

    NO_TRANSPOSE = "NO_TRANSPOSE"
    TRANSPOSE = "TRANSPOSE"
    ADJOINT = "ADJOINT"

    @classmethod
    def _missing_(cls, value: object) -> TriangularTranspose:
        raise XlaError(
            f"transpose_a {value!r} is neither NO_TRANSPOSE nor TRANSPOSE nor ADJOINT",
            op="TriangularSolve",
            constraint="TriangularSolve-C7",
        )


def Cholesky(a: XlaOp, lower: bool = True) -> XlaOp:
    """The Cholesky factors of symmetric or Hermitian positive definite matrices `[..., n, n]`: the lower triangular l
    with a = l l^H, or, with `lower=False`, the upper triangular u with a = u^H u. Only that triangle of `a` is read;
    the other one of the result is zero. A matrix that is not positive definite gives NaN.

    Example:
        >>> run(ops.Cholesky(value([[4.0, 2.0], [2.0, 5.0]])))
        array([[2., 0.],
               [1., 2.]], dtype=float32)
    """
    return a.builder.emit("Cholesky", "cholesky", [a], {"lower": bool(lower)})


def TriangularSolve(
    a: XlaOp,
    b: XlaOp,
    left_side: bool,
    lower: bool,
    unit_diagonal: bool,
    transpose_a: TriangularTranspose | str = TriangularTranspose.NO_TRANSPOSE,
) -> XlaOp:
    """The x with op(a) x = b if `left_side`, else x op(a) = b, for triangular matrices `a` `[..., m, m]`.

    The result has the shape of `b`. `lower` names the triangle of `a` that is read, before op; with `unit_diagonal` its
    diagonal is taken as 1. Zeros on the diagonal give infinities or NaN.

    Example:
        >>> a, rhs = value([[2.0, 0.0], [1.0, 2.0]]), value([[2.0], [5.0]])
        >>> run(ops.TriangularSolve(a, rhs, left_side=True, lower=True, unit_diagonal=False))
        array([[1.],
               [2.]], dtype=float32)
    """
    attributes = {
        "left_side": bool(left_side),
        "lower": bool(lower),
        "unit_diagonal": bool(unit_diagonal),
        "transpose_a": f"#xla<transpose {TriangularTranspose(transpose_a).value}>",
    }
    return a.builder.emit("TriangularSolve", "triangular_solve", [a, b], attributes)
