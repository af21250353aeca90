# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Assertions that a program makes about its own values, as StableHLO's tests write them.

``expect_eq`` wants equal bits (any NaN equals any NaN), ``expect_close`` a distance of at most
``max_ulp_difference`` (3) units in the last place, ``expect_almost_eq`` an absolute difference of at most
``tolerance`` (1e-4). They come as custom calls, ``custom_call @check.expect_eq(%actual, %expected)``, and as ops, of
which the ``_const`` forms carry the expected value as attribute ``value``. ``eq`` and ``almost_eq`` are old names.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ._numerics import to_bits
from ._program import Op
from ._types import element_of

Array = np.ndarray


#: The absolute difference that `expect_almost_eq` allows.
TOLERANCE = 1e-4


class CheckError(AssertionError):
    """A check of the program failed; says which, where, and the first element that differs."""


def differing(actual: Array, expected: Array, close: Callable[[Array, Array], Array]) -> tuple[int, ...] | None:
    """The first index, in row-major order, at which two arrays of one type differ by the given judgement."""
    if element_of(actual).kind == "complex":
        equal = close(actual.real.copy(), expected.real.copy()) & close(actual.imag.copy(), expected.imag.copy())
    else:
        equal = close(actual, expected)
    wrong = np.argwhere(~equal)
    return tuple(map(int, wrong[0])) if len(wrong) else None


def equal(actual: Array, expected: Array) -> Array:
    """Same bits, or both NaN."""
    return (to_bits(actual) == to_bits(expected)) | _both_nan(actual, expected)


def close_in_ulps(most: int, least: int = 0) -> Callable[[Array, Array], Array]:
    """A judgement: the number of representable values between the two is in ``[least, most]``; NaN matches NaN."""

    def close(actual: Array, expected: Array) -> Array:
        if element_of(actual).kind != "float":
            return equal(actual, expected)
        distance = np.abs(_position(actual) - _position(expected))
        finite = np.isfinite(actual.astype(np.float64)) == np.isfinite(expected.astype(np.float64))
        nan = np.isnan(actual.astype(np.float64)) | np.isnan(expected.astype(np.float64))
        return np.where(nan, _both_nan(actual, expected), finite & (distance <= most) & (distance >= least))

    return close


def almost_equal(tolerance: float) -> Callable[[Array, Array], Array]:
    """A judgement: absolute difference of at most ``tolerance``; infinities must be the same, NaN matches NaN."""

    def close(actual: Array, expected: Array) -> Array:
        if element_of(actual).kind != "float":
            return equal(actual, expected)
        x, y = actual.astype(np.float64), expected.astype(np.float64)
        with np.errstate(invalid="ignore"):
            return (x == y) | (np.abs(x - y) <= tolerance) | _both_nan(actual, expected)

    return close


def _both_nan(x: Array, y: Array) -> Array:
    if element_of(x).kind != "float":
        return np.zeros(x.shape, bool)
    with np.errstate(invalid="ignore"):  # of signalling ones
        return np.isnan(x.astype(np.float64)) & np.isnan(y.astype(np.float64))


def _position(x: Array) -> Array:
    """Where a float stands in the order of all values of its type, both zeros at 0 (as float64 beyond 32 bits)."""
    bits = element_of(x).bits
    pattern = to_bits(x)
    magnitude = (pattern & np.uint64((1 << (bits - 1)) - 1)).astype(np.int64)
    signed = np.where((pattern >> np.uint64(bits - 1)) & np.uint64(1), -magnitude, magnitude)
    return signed if bits <= 32 else signed.astype(np.longdouble)


def _check(name: str, judgement: Callable[[Op], Callable[[Array, Array], Array]]) -> Callable[..., list[Any]]:
    def evaluate(op: Op, actual: Array, expected: Array | None = None) -> list[Any]:
        wanted = _setting(op, "value", None) if expected is None else expected
        where = f"{op.location}: {name}"
        if not isinstance(wanted, np.ndarray):  # a resource without data, for one
            raise CheckError(f"{where}: the attribute 'value' has no elements: {wanted}")
        if actual.shape != wanted.shape or actual.dtype != wanted.dtype:
            raise CheckError(
                f"{where}: {actual.dtype}{list(actual.shape)} is compared with {wanted.dtype}{list(wanted.shape)}"
            )
        index = differing(actual, wanted, judgement(op))
        if index is not None:
            raise CheckError(f"{where}: element {list(index)} is {actual[index]}, expected {wanted[index]}")
        return []

    return evaluate


def _setting(op: Op, name: str, default: Any) -> Any:
    """An attribute of the check; the ops of StableHLO's tests arrive as custom calls with a configuration."""
    config = op.attributes.get("backend_config")
    return op.attributes.get(name, config.get(name, default) if isinstance(config, dict) else default)


def _ulps(op: Op) -> Callable[[Array, Array], Array]:
    return close_in_ulps(_setting(op, "max_ulp_difference", 3), _setting(op, "min_ulp_difference", 0))


def _tolerance(op: Op) -> Callable[[Array, Array], Array]:
    return almost_equal(_setting(op, "tolerance", TOLERANCE))


_JUDGEMENTS = {"eq": lambda op: equal, "close": _ulps, "almost_eq": _tolerance}
CUSTOM_CALLS: dict[str, Callable[..., Any]] = {
    name: _check(name, judgement)
    for word, judgement in _JUDGEMENTS.items()
    for name in (f"check.expect_{word}", f"check.expect_{word}_const", f"check.{word}")
}
