# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The elementwise functions in as many digits as it takes, by mpmath, and to about 64 bits, by NumPy's long double.

Each `exact` takes numbers of mpmath that are finite and not poles, and is right to some 100 bits more than f64 has,
also next to zeros of the function. It returns None where the function has no real value.
"""

from __future__ import annotations

import dataclasses
import math
import statistics
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
from mpmath import mp

Exact = Callable[..., Any]

# Next to a zero of the function as many bits are lost as the argument has, twice at most.
BITS = 53 + 2 * 53 + 100


def _huge(x: Any) -> int:
    """Bits of the whole part of x, which a reduction by periods loses."""
    return max(0, int(mp.mag(x))) if x else 0


def _far(function: Exact) -> Exact:
    """For functions with periods or reflections: with the bits of a large argument on top."""

    def exact(x: Any) -> Any:
        with mpmath.workprec(BITS + 2 * _huge(x)):
            return function(x)

    return exact


def _real(function: Exact) -> Exact:
    """None for a result that is not real."""

    def exact(*x: Any) -> Any:
        value = function(*x)
        return None if isinstance(value, mpmath.mpc) else value

    return exact


def _exp(x: Any) -> Any:
    return mp.exp(x) if abs(x) < 1e5 else (mp.mpf(0) if x < 0 else mp.inf)


def _expm1(x: Any) -> Any:
    return mp.expm1(x) if abs(x) < 1e5 else (mp.mpf(-1) if x < 0 else mp.inf)


def _logistic(x: Any) -> Any:
    return 1 / (1 + mp.exp(-x)) if abs(x) < 1e5 else mp.mpf(0 if x < 0 else 1)


def _tanh(x: Any) -> Any:
    return mp.tanh(x) if abs(x) < 1e5 else mp.sign(x)


def _sinh(x: Any) -> Any:
    return mp.sinh(x) if abs(x) < 1e5 else mp.sign(x) * mp.inf


def _cosh(x: Any) -> Any:
    return mp.cosh(x) if abs(x) < 1e5 else mp.inf


def _log1p(x: Any) -> Any:
    return mp.log1p(x) if x > -1 else None


def _cbrt(x: Any) -> Any:
    return mp.sign(x) * mp.cbrt(abs(x))


def _asinh(x: Any) -> Any:
    """mpmath's cancels on the left."""
    with mpmath.workprec(BITS + 64):
        a = abs(x)
        return mp.sign(x) * mp.log1p(a + a * a / (1 + mp.sqrt(1 + a * a)))


def _acosh(x: Any) -> Any:
    return mp.acosh(x) if x >= 1 else None


def _atanh(x: Any) -> Any:
    return (mp.log1p(x) - mp.log1p(-x)) / 2 if abs(x) < 1 else None


def _erf(x: Any) -> Any:
    return mp.erf(x) if abs(x) < 1000 else mp.sign(x)


def _erfc(x: Any) -> Any:
    return mp.erfc(x) if abs(x) < 1000 else mp.mpf(0 if x > 0 else 2)


def _erf_inv(x: Any) -> Any:
    """Newton's method from NormalDist's quantile, by erfc where erf is close to 1."""
    if abs(x) >= 1:
        return None
    a, tail = abs(x), 1 - abs(x)
    if a < 0.5:
        y = a * mp.sqrt(mp.pi) / 2
        if a > 1e-150:
            y += y**3 / 3
    else:
        y = mp.mpf(-statistics.NormalDist().inv_cdf(float(tail) / 2) / math.sqrt(2))
    for _ in range(6):
        error = tail - mp.erfc(y) if a >= 0.5 else mp.erf(y) - a
        y -= error * mp.sqrt(mp.pi) / 2 * mp.exp(y * y)
    return mp.sign(x) * y


def _pole(x: Any) -> bool:
    return bool(x <= 0 and mp.isint(x))


def _lgamma(x: Any) -> Any:
    if _pole(x):
        return mp.inf
    if x > 0:
        return mp.loggamma(x)
    return mp.log(mp.pi / abs(mp.sinpi(x))) - mp.loggamma(1 - x)


def _digamma(x: Any) -> Any:
    if _pole(x):
        return None
    if x > 0:
        return mp.digamma(x)
    return mp.digamma(1 - x) - mp.pi * mp.cospi(x) / mp.sinpi(x)


def _bessel_i1e(x: Any) -> Any:
    a = abs(x)
    if a < 600:
        return mp.sign(x) * mp.besseli(1, a) * mp.exp(-a)
    total = term = mp.mpf(1)
    for k in range(1, 40):
        term *= -(4 - (2 * k - 1) ** 2) / (k * 8 * a)
        total += term
    return mp.sign(x) * total / mp.sqrt(2 * mp.pi * a)


def _pow(x: Any, y: Any) -> Any:
    if x == 0 or (x < 0 and not mp.isint(y)):
        return None if x else (mp.inf if y < 0 else mp.mpf(y == 0))
    growth = y * mp.log(abs(x))
    if abs(growth) > 1e5:
        value = mp.mpf(0) if growth < 0 else mp.inf
    else:
        value = mp.exp(growth)
    return -value if x < 0 and int(y) % 2 else value


def _hurwitz(s: Any, q: Any) -> Any:
    """The sum of (q + n)^-s, by Euler and Maclaurin from a large q on."""
    if s <= 1:
        return None
    total = mp.mpf(0)
    while q < 60 or q < 1.5 * s:
        total += q**-s
        q += 1
        if q > 1 and q**-s * q < total * mp.mpf(2) ** -BITS / 4:
            return total
    total += q ** (1 - s) / (s - 1) + q**-s / 2
    term = s * q ** (-s - 1)
    for k in range(1, 200):
        part = mp.bernoulli(2 * k) / mp.factorial(2 * k) * term
        total += part
        if abs(part) < abs(total) * mp.mpf(2) ** -(BITS - 40):
            return total
        term *= (s + 2 * k - 1) * (s + 2 * k) / q**2
    raise ArithmeticError(f"no convergence: zeta({s}, {q})")


def _zeta(s: Any, q: Any) -> Any:
    if s <= 1 or q <= 0:
        return None
    return _hurwitz(s, q)


def _polygamma(n: Any, x: Any) -> Any:
    if n < 0 or not mp.isint(n) or x <= 0:
        return None
    if n == 0:
        return _digamma(x)
    return (-1) ** (int(n) + 1) * mp.gamma(n + 1) * _hurwitz(n + 1, x)


@dataclasses.dataclass(frozen=True)
class Function:
    """An op of the dialect, with the limits of the error in ulp of f32 and of f64."""

    op: str
    exact: Exact
    # The same by NumPy, on long doubles.
    wide: Callable[..., np.ndarray] | None = None
    # Where something happens: zeros, poles, thresholds.
    points: tuple[float, ...] = ()
    limit: tuple[float, float] = (2, 2)
    operands: int = 1


def _wide_rsqrt(x: np.ndarray) -> np.ndarray:
    return 1 / np.sqrt(x)


def _wide_logistic(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


_EXP = (709.782712893384, -708.3964185322641, -745.1332191019412, 88.72283905206835, -87.33654475, -103.972084)
_TURNS = tuple(k * math.pi / 2 for k in (1, 2, 3, 4, 5, 11, 355, 710, 1 << 20, 1 << 40))
_LGAMMA_ZEROS = (-2.747682571411133, -2.4570248126983643, -3.955294370651245, -3.143580913543701, -4.991544723510742)
_LGAMMA_ZEROS += (-4.039361953735352, -5.998607635498047, -5.008218288421631, -6.00138521194458, -7.999975204467773)
_DIGAMMA_ZEROS = (1.4616321325302124, -0.5040830373764038, -1.5734984874725342, -2.6107208728790283, -3.635293483734131)
_DIGAMMA_ZEROS += (-4.653237819671631, -5.6671624183654785, -6.678418159484863, -9.702672958374023)

UNARY = [
    Function("sqrt", _real(mp.sqrt), np.sqrt),
    Function("rsqrt", _real(lambda x: 1 / mp.sqrt(x) if x > 0 else None), _wide_rsqrt),
    Function("cbrt", _cbrt, np.cbrt),
    Function("exponential", _exp, np.exp, _EXP),
    Function("exponential_minus_one", _expm1, np.expm1, (*_EXP, 0.34657, -0.34657, -37.4, -17.3)),
    Function("log", _real(lambda x: mp.log(x) if x > 0 else None), np.log, (0.70710678, 1.41421356)),
    Function("log_plus_one", _log1p, np.log1p, (-0.29289322, 0.41421356)),
    Function("logistic", _logistic, _wide_logistic, _EXP),
    Function("sine", _far(mp.sin), np.sin, _TURNS),
    Function("cosine", _far(mp.cos), np.cos, _TURNS),
    Function("tan", _far(mp.tan), np.tan, _TURNS, (4, 2)),
    Function("asin", _real(mp.asin), np.arcsin, (0.5,)),
    Function("acos", _real(mp.acos), np.arccos, (0.5,)),
    Function("atan", mp.atan, np.arctan, (0.41421356, 2.41421356)),
    Function("sinh", _sinh, np.sinh, (*_EXP, 710.4758600739439, 89.41598629)),
    Function("cosh", _cosh, np.cosh, (*_EXP, 710.4758600739439, 89.41598629)),
    Function("tanh", _tanh, np.tanh, (0.625, 19.06, 9.01)),
    Function("asinh", _asinh, np.arcsinh, (1e154, 1e19)),
    Function("acosh", _acosh, np.arccosh, (1e154, 1e19)),
    Function("atanh", _atanh, np.arctanh),
    Function("erf", _erf, None, (0.84375, 0.921875, 3.9, 5.9)),
    Function("erfc", _erfc, None, (0.84375, 1.25, 9.19, 10.05, 26.54, 27.22)),
    Function("erf_inv", _erf_inv, None, (), (4, 2)),
    Function("lgamma", _far(_lgamma), None, (*_LGAMMA_ZEROS, 2.0, 4.0, 0.625, 2.375), (4, 2)),
    Function("digamma", _far(_digamma), None, (*_DIGAMMA_ZEROS, 2.0, 4.0), (4, 2)),
    Function("bessel_i1e", _bessel_i1e, None, (8.0,)),
]
BINARY = [
    Function("power", _pow, np.power, (), (4, 2), 2),
    Function("atan2", lambda y, x: mp.atan2(y, x), np.arctan2, (), (2, 2), 2),
    Function("divide", lambda x, y: x / y if y else None, np.divide, (), (2, 2), 2),
    Function("zeta", _zeta, None, (), (4, 2), 2),
    Function("polygamma", _polygamma, None, (), (4, 2), 2),
]


# ---- Complex functions -----------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class ComplexFunction:
    """An op on complex numbers."""

    op: str
    exact: Exact
    operands: int = 1


def _complex_log1p(z: Any) -> Any:
    if abs(z) < 1e-100:  # the digits of 1 + z would end
        return z - z * z / 2
    with mpmath.workprec(BITS * 4):
        return mp.log(1 + z)


def _complex_tan(z: Any) -> Any:
    """mpmath's overflows beside a large imaginary part."""
    return mp.mpc(0, mp.sign(z.imag)) if abs(z.imag) > 1e4 else mp.tan(z)


def _complex_tanh(z: Any) -> Any:
    return mp.mpc(mp.sign(z.real), 0) if abs(z.real) > 1e4 else mp.tanh(z)


def _complex_atan(z: Any) -> Any:
    """mpmath's cancels next to 0."""
    return z - z**3 / 3 if abs(z) < 1e-100 else mp.atan(z)


def _complex_atanh(z: Any) -> Any:
    return z + z**3 / 3 if abs(z) < 1e-100 else mp.atanh(z)


COMPLEX = [
    ComplexFunction("abs", abs),
    ComplexFunction("sign", lambda z: z / abs(z)),
    ComplexFunction("sqrt", mp.sqrt),
    ComplexFunction("rsqrt", lambda z: 1 / mp.sqrt(z)),
    ComplexFunction("cbrt", lambda z: mp.exp(mp.log(z) / 3)),
    ComplexFunction("exponential", mp.exp),
    ComplexFunction("exponential_minus_one", mp.expm1),
    ComplexFunction("log", mp.log),
    ComplexFunction("log_plus_one", _complex_log1p),
    ComplexFunction("logistic", lambda z: 1 / (1 + mp.exp(-z))),
    ComplexFunction("sine", mp.sin),
    ComplexFunction("cosine", mp.cos),
    ComplexFunction("tan", _complex_tan),
    ComplexFunction("sinh", mp.sinh),
    ComplexFunction("cosh", mp.cosh),
    ComplexFunction("tanh", _complex_tanh),
    ComplexFunction("asin", mp.asin),
    ComplexFunction("acos", mp.acos),
    ComplexFunction("atan", _complex_atan),
    ComplexFunction("asinh", mp.asinh),
    ComplexFunction("acosh", mp.acosh),
    ComplexFunction("atanh", _complex_atanh),
    ComplexFunction("multiply", lambda x, y: x * y, 2),
    ComplexFunction("divide", lambda x, y: x / y, 2),
    ComplexFunction("power", lambda x, y: mp.exp(y * mp.log(x)), 2),
]
