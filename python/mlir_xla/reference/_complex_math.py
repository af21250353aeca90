# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arithmetic on complex128 arrays with infinities, zeros and NaN as in C99, annex G, which NumPy keeps for functions of
one number but not for quotients and powers."""

from __future__ import annotations

import numpy as np

Array = np.ndarray


def parts(real: Array, imaginary: Array) -> Array:
    """1j * y would turn an infinite y into a NaN real part."""
    result = np.empty(np.broadcast_shapes(real.shape, imaginary.shape), np.result_type(real.dtype, np.complex64))
    result.real, result.imag = real, imaginary
    return result


def _is_infinite(x: Array) -> Array:
    """One infinite part is enough, whatever the other one is."""
    return np.isinf(x.real) | np.isinf(x.imag)


def _direction(x: Array) -> Array:
    """An infinite number with 1 for each infinite part and 0 for the other one, signs kept."""
    return parts(*(np.copysign(np.isinf(part).astype(np.float64), part) for part in (x.real, x.imag)))


def _product_or_zero(x: Array, y: Array) -> Array:
    """Zero times infinity is zero, and so is zero times the unknown angle of infinity."""
    return np.where((x == 0) | (y == 0), 0.0, x * y)


def quotient(x: Array, y: Array) -> Array:
    """Anything over zero and the infinite over the finite are infinite, the finite over the infinite is zero."""
    x, y = np.broadcast_arrays(x, y)
    large = np.maximum.reduce([np.abs(x.real), np.abs(x.imag), np.abs(y.real), np.abs(y.imag)])
    half = np.where(large > 2.0**1022, 0.5, 1.0)  # the sum of two parts may overflow where the quotient does not
    x, y = parts(x.real * half, x.imag * half), parts(y.real * half, y.imag * half)
    result = np.asarray(x / y)
    by_zero = np.copysign(np.inf, y.real)
    result = np.where(y == 0, parts(by_zero * x.real, by_zero * x.imag), result)
    unknown = np.isnan(result.real) & np.isnan(result.imag)
    a, b = np.where(_is_infinite(x), _direction(x), x / 4), np.where(_is_infinite(y), _direction(y), y)
    rotated = parts(a.real * b.real + a.imag * b.imag, a.imag * b.real - a.real * b.imag)
    infinite = unknown & _is_infinite(x) & np.isfinite(y) & (y != 0)
    result = np.where(infinite, parts(np.inf * rotated.real, np.inf * rotated.imag), result)
    vanishing = unknown & _is_infinite(y) & np.isfinite(x)
    return np.where(vanishing, parts(0.0 * rotated.real, 0.0 * rotated.imag), result)


def power(x: Array, y: Array) -> Array:
    """NumPy's, with whole exponents by multiplication, where x, |x| and y are finite, and its exact square root for the
    exponent 1/2; x itself for the exponent 1; the infinity of a pole at 0; else e^(y log(x))."""
    x, y = np.broadcast_arrays(x, y)
    log = np.log(x)
    growth = _product_or_zero(y.real, log.real) - _product_or_zero(y.imag, log.imag)
    spin = _product_or_zero(y.imag, log.real)
    # Whole quarter turns of the first angle are taken out of it: cos(pi/2) is not quite 0, and infinity makes it large.
    quarters = _product_or_zero(y.real, log.imag / (np.pi / 2))
    whole = np.where(np.isfinite(quarters), np.rint(quarters), 0.0)
    turned = np.exp(parts(growth, (quarters - whole) * (np.pi / 2) + spin))
    unit = np.array([1, 1j, -1, -1j])[np.mod(whole, 4).astype(np.int64)]
    general = np.where(
        unit.imag == 0,
        parts(unit.real * turned.real, unit.real * turned.imag),
        parts(-unit.imag * turned.imag, unit.imag * turned.real),
    )
    finite = np.isfinite(np.abs(x)) & np.isfinite(y) & (x != 0)
    numpys = np.where(y == 0.5, np.sqrt(x), np.power(np.where(finite, x, 1), np.where(finite, y, 1)))
    result = np.where(finite & np.isfinite(numpys), numpys, general)
    result = np.where(y == 1, x, result)
    result = np.where((x == 0) & (y.real > 0), 0, np.where((x == 0) & (y.real < 0), complex(np.inf, np.nan), result))
    result = np.where(np.isnan(y.real) | np.isnan(y.imag), complex(np.nan, np.nan), result)
    return np.where(y == 0, 1, result)


def angle(y: Array, x: Array) -> Array:
    """-i log((x + i y) / sqrt(x^2 + y^2)), for any common factor of x and y."""
    largest = np.maximum.reduce([np.abs(x.real), np.abs(x.imag), np.abs(y.real), np.abs(y.imag)])
    scale = np.where((largest > 0) & np.isfinite(largest), largest, 1.0)
    x, y = parts(x.real / scale, x.imag / scale), parts(y.real / scale, y.imag / scale)
    log = np.log(quotient(parts(x.real - y.imag, x.imag + y.real), np.sqrt(x * x + y * y)))
    return parts(log.imag, -log.real)
