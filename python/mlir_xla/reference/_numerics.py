# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arithmetic rules that all families share: where values are computed and how they are rounded or wrapped.

Floats are computed in float64 and rounded once, to nearest even, to their own type; complex numbers in complex128.
Integers are computed modulo 2^64 and wrapped to their width. Bit operations see the pattern as an unsigned number.
"""

from __future__ import annotations

import ml_dtypes
import numpy as np

from ._types import ElementType, element_of

_NATIVE_ROUNDING = {np.dtype(np.float16), np.dtype(np.float32), np.dtype(np.float64)}


def widen(x: np.ndarray) -> np.ndarray:
    """The same values in the type in which they are computed: float64, complex128, int64, uint64 or bool."""
    wide = {"float": np.float64, "complex": np.complex128, "sint": np.int64, "uint": np.uint64, "pred": np.bool_}
    return x.astype(wide[element_of(x).kind])


def narrow(values: np.ndarray, element: ElementType) -> np.ndarray:
    """Brings computed values back to an element type: one rounding for floats, modulo 2^bits for integers."""
    values = np.asarray(values)
    if element.kind == "float":
        return round_to(values, element.dtype)
    if element.kind in ("sint", "uint"):
        return from_bits(values.astype(np.uint64) if values.dtype != np.int64 else values.view(np.uint64), element)
    return values.astype(element.dtype)


def round_to(values: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Rounds to nearest even, once. Small types are reached through float32, which would round twice: the step to
    float32 therefore rounds to odd, after which the second rounding decides as if it had seen the exact value."""
    values = np.asarray(values)
    if values.dtype.kind in "iu" and dtype != np.float64:
        values = _integer_to_odd_float64(values)
    if dtype in _NATIVE_ROUNDING:
        return values.astype(dtype)
    if values.dtype == np.float64:
        nearest = values.astype(np.float32)
        values = _make_odd(nearest, np.sign(values - nearest.astype(np.float64)), np.uint32)
    if dtype == ml_dtypes.float8_e8m0fnu:  # ml_dtypes rounds all that lies between its two smallest numbers up
        values = np.where((values > 2.0**-127) & (values < 1.5 * 2.0**-127), np.float32(2.0**-127), values)
    return values.astype(dtype)


def _integer_to_odd_float64(values: np.ndarray) -> np.ndarray:
    nearest = values.astype(np.float64)
    limit = 2.0**63 if values.dtype == np.int64 else 2.0**64
    if values.dtype.itemsize < 8:
        return nearest
    inside = nearest < limit  # rounding up to 2^63 or 2^64 leaves the integer type
    back = np.where(inside, nearest, 0.0).astype(values.dtype)
    error = np.where(inside, (values > back).astype(np.float64) - (values < back), -1.0)
    return _make_odd(nearest, error, np.uint64)


def _make_odd(nearest: np.ndarray, error: np.ndarray, unsigned: type) -> np.ndarray:
    """Where ``nearest`` is inexact and its last mantissa bit is 0, steps to the neighbour on the exact value's side."""
    even = (nearest.view(unsigned) & unsigned(1)) == 0
    step = even & np.isfinite(error) & (error != 0)
    towards = np.where(error > 0, np.inf, -np.inf).astype(nearest.dtype)
    overflowed = np.isinf(nearest) & (error != 0)  # a finite value beyond the type: infinity is its rounding anyway
    return np.where(step & ~overflowed, np.nextafter(nearest, towards), nearest)


def to_bits(x: np.ndarray) -> np.ndarray:
    """The bit pattern of every element as uint64, for element types of at most 64 bits. Of a byte that holds fewer bits
    the others mean nothing: ml_dtypes leaves both zeros and copies of the sign there."""
    element = element_of(x)
    pattern = np.ascontiguousarray(x).view(f"u{x.dtype.itemsize}").astype(np.uint64).reshape(x.shape)
    if element.kind == "pred":
        return (pattern != 0).astype(np.uint64)
    return pattern & np.uint64(_mask(element.bits))


def from_bits(pattern: np.ndarray, element: ElementType) -> np.ndarray:
    """The elements whose bit patterns are the low bits of ``pattern`` (uint64)."""
    pattern = np.asarray(pattern, np.uint64) & np.uint64(_mask(element.bits))
    stored = np.ascontiguousarray(pattern.astype(f"u{element.dtype.itemsize}"))
    return stored.view(element.dtype).reshape(pattern.shape)


def sign_extend(pattern: np.ndarray, bits: int) -> np.ndarray:
    """The low ``bits`` of ``pattern`` read as a two's complement number (int64)."""
    shift = np.uint64(64 - bits)
    return np.right_shift(np.left_shift(np.asarray(pattern, np.uint64), shift).view(np.int64), shift.astype(np.int64))


def _mask(bits: int) -> int:
    return (1 << bits) - 1
