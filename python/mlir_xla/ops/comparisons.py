# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Comparisons, element by element, which broadcast as the operations of `elementwise.py` do."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..builder import Operand, XlaOp
from ._broadcasting import broadcast

_Dimensions = Sequence[int] | None


def _compare(label: str, lhs: Operand, rhs: Operand, dimensions: _Dimensions, total: bool = False) -> XlaOp:
    operands = broadcast(label, lhs, rhs, dimensions)
    dtype = operands[0].dtype
    if np.issubdtype(dtype, np.complexfloating):
        kind = "FLOAT"
    elif dtype.name.startswith(("float", "bfloat")):
        kind = "TOTALORDER" if total else "FLOAT"
    else:
        kind = "UNSIGNED" if dtype.name.startswith(("uint", "bool")) else "SIGNED"
    attributes = {
        "comparison_direction": f"#xla<comparison_direction {label[:2].upper()}>",
        "compare_type": f"#xla<comparison_type {kind}>",
    }
    return operands[0].builder.emit(label, "compare", operands, attributes)


def Eq(lhs: Operand, rhs: Operand, broadcast_dimensions: _Dimensions = None) -> XlaOp:
    """Whether `lhs` is equal; with NaN false.

    Example:
        >>> run(ops.Eq(value([1.0, 2.0, np.nan]), value([2.0, 2.0, np.nan])))
        array([False,  True, False])
    """
    return _compare("Eq", lhs, rhs, broadcast_dimensions)


def Ne(lhs: Operand, rhs: Operand, broadcast_dimensions: _Dimensions = None) -> XlaOp:
    """Whether `lhs` is not equal; with NaN true.

    Example:
        >>> run(ops.Ne(value([1.0, 2.0, np.nan]), value([2.0, 2.0, np.nan])))
        array([ True, False,  True])
    """
    return _compare("Ne", lhs, rhs, broadcast_dimensions)


def Ge(lhs: Operand, rhs: Operand, broadcast_dimensions: _Dimensions = None) -> XlaOp:
    """Whether `lhs` is greater or equal; with NaN false.

    Example:
        >>> run(ops.Ge(value([1.0, 2.0, np.nan]), value([2.0, 2.0, np.nan])))
        array([False,  True, False])
    """
    return _compare("Ge", lhs, rhs, broadcast_dimensions)


def Gt(lhs: Operand, rhs: Operand, broadcast_dimensions: _Dimensions = None) -> XlaOp:
    """Whether `lhs` is greater; with NaN false.

    Example:
        >>> run(ops.Gt(value([1.0, 2.0, np.nan]), value([2.0, 2.0, np.nan])))
        array([False, False, False])
    """
    return _compare("Gt", lhs, rhs, broadcast_dimensions)


def Le(lhs: Operand, rhs: Operand, broadcast_dimensions: _Dimensions = None) -> XlaOp:
    """Whether `lhs` is less or equal; with NaN false.

    Example:
        >>> run(ops.Le(value([1.0, 2.0, np.nan]), value([2.0, 2.0, np.nan])))
        array([ True,  True, False])
    """
    return _compare("Le", lhs, rhs, broadcast_dimensions)


def Lt(lhs: Operand, rhs: Operand, broadcast_dimensions: _Dimensions = None) -> XlaOp:
    """Whether `lhs` is less; with NaN false.

    Example:
        >>> run(ops.Lt(value([1.0, 2.0, np.nan]), value([2.0, 2.0, np.nan])))
        array([ True, False, False])
    """
    return _compare("Lt", lhs, rhs, broadcast_dimensions)


def EqTotalOrder(lhs: Operand, rhs: Operand, broadcast_dimensions: _Dimensions = None) -> XlaOp:
    """Whether `lhs` is equal in the order -NaN < -inf < ... < -0 < +0 < ... < +inf < +NaN.

    Example:
        >>> run(ops.EqTotalOrder(value([-0.0, 1.0, np.nan]), value([0.0, 1.0, np.nan])))
        array([False,  True,  True])
    """
    return _compare("EqTotalOrder", lhs, rhs, broadcast_dimensions, total=True)


def NeTotalOrder(lhs: Operand, rhs: Operand, broadcast_dimensions: _Dimensions = None) -> XlaOp:
    """Whether `lhs` is not equal in the order -NaN < -inf < ... < -0 < +0 < ... < +inf < +NaN.

    Example:
        >>> run(ops.NeTotalOrder(value([-0.0, 1.0, np.nan]), value([0.0, 1.0, np.nan])))
        array([ True, False, False])
    """
    return _compare("NeTotalOrder", lhs, rhs, broadcast_dimensions, total=True)


def GeTotalOrder(lhs: Operand, rhs: Operand, broadcast_dimensions: _Dimensions = None) -> XlaOp:
    """Whether `lhs` is greater or equal in the order -NaN < -inf < ... < -0 < +0 < ... < +inf < +NaN.

    Example:
        >>> run(ops.GeTotalOrder(value([-0.0, 1.0, np.nan]), value([0.0, 1.0, np.nan])))
        array([False,  True,  True])
    """
    return _compare("GeTotalOrder", lhs, rhs, broadcast_dimensions, total=True)


def GtTotalOrder(lhs: Operand, rhs: Operand, broadcast_dimensions: _Dimensions = None) -> XlaOp:
    """Whether `lhs` is greater in the order -NaN < -inf < ... < -0 < +0 < ... < +inf < +NaN.

    Example:
        >>> run(ops.GtTotalOrder(value([-0.0, 1.0, np.nan]), value([0.0, 1.0, np.nan])))
        array([False, False, False])
    """
    return _compare("GtTotalOrder", lhs, rhs, broadcast_dimensions, total=True)


def LeTotalOrder(lhs: Operand, rhs: Operand, broadcast_dimensions: _Dimensions = None) -> XlaOp:
    """Whether `lhs` is less or equal in the order -NaN < -inf < ... < -0 < +0 < ... < +inf < +NaN.

    Example:
        >>> run(ops.LeTotalOrder(value([-0.0, 1.0, np.nan]), value([0.0, 1.0, np.nan])))
        array([ True,  True,  True])
    """
    return _compare("LeTotalOrder", lhs, rhs, broadcast_dimensions, total=True)


def LtTotalOrder(lhs: Operand, rhs: Operand, broadcast_dimensions: _Dimensions = None) -> XlaOp:
    """Whether `lhs` is less in the order -NaN < -inf < ... < -0 < +0 < ... < +inf < +NaN.

    Example:
        >>> run(ops.LtTotalOrder(value([-0.0, 1.0, np.nan]), value([0.0, 1.0, np.nan])))
        array([ True, False, False])
    """
    return _compare("LtTotalOrder", lhs, rhs, broadcast_dimensions, total=True)
