# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Special functions that NumPy lacks, on float64 arrays, to about full precision."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from statistics import NormalDist

import numpy as np

Array = np.ndarray


def _elementwise(function: Callable[[float], float]) -> Callable[[Array], Array]:
    return np.vectorize(function, otypes=[np.float64])


def _is_pole(x: float) -> bool:
    return x == -math.inf or (x <= 0 and x == math.floor(x))


# B(2k) for k = 1, 2, ...
_BERNOULLI_NUMBERS = [
    Fraction(*each)
    for each in (
        [(1, 6), (-1, 30), (1, 42), (-1, 30), (5, 66), (-691, 2730), (7, 6), (-3617, 510), (43867, 798)]
        + [(-174611, 330), (854513, 138), (-236364091, 2730), (8553103, 6), (-23749461029, 870)]
    )
]
_LONG_PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494")


def _of_half_turns(r: Decimal) -> tuple[Decimal, Decimal]:
    """The sine and cosine of pi r, by their series."""
    square = (_LONG_PI * r) ** 2
    sine = cosine = Decimal(1)
    for k in range(40, 0, -2):
        sine = 1 - sine * square / (k * (k + 1))
        cosine = 1 - cosine * square / (k * (k - 1))
    return _LONG_PI * r * sine, cosine


def _on_the_left(x: float) -> tuple[float, float]:
    """lgamma and digamma of an x < 0 that is no pole. Their terms cancel next to zeros: by reflection to -x and 1 - x,
    recurrence up to 30 and the asymptotic series, all in 50 digits."""
    with localcontext() as context:
        context.prec = 50
        wide = Decimal(x)
        sine, cosine = _of_half_turns(wide - wide.to_integral_value())
        z, product, quotients = -wide, Decimal(1), Decimal(0)
        while z < 30:
            product *= z
            z += 1
            quotients += 1 / z
        log, series, derivative = z.ln(), Decimal(0), Decimal(0)
        for k, bernoulli in enumerate(_BERNOULLI_NUMBERS, 1):
            term = Decimal(bernoulli.numerator) / bernoulli.denominator / (2 * k * z ** (2 * k))
            series += term * z / (2 * k - 1)
            derivative += term
        stirling = (z - Decimal("0.5")) * log - z + (2 * _LONG_PI).ln() / 2 + series
        # digamma(z + 1) = digamma(z) + 1 / z
        psi = log + 1 / (2 * z) - derivative - quotients
        log_gamma = (_LONG_PI * product / abs(wide * sine)).ln() - stirling
        return float(log_gamma), float(psi - _LONG_PI * cosine / sine)


def _lgamma(x: float) -> float:
    """In extended precision, because it has roots between terms that are no smaller than 1, unlike `math.lgamma`."""
    if x == math.inf or _is_pole(x):
        return math.inf  # the poles
    if math.isnan(x):
        return x
    return _on_the_left(x)[0] if x < 0 else float(_wide_lgamma(np.longdouble(x)))


def _wide_lgamma(x: np.longdouble) -> np.longdouble:
    """Recurrence up to 20, then Stirling's series (Abramowitz and Stegun 6.1)."""
    product = np.longdouble(1)
    while x < 20:
        product *= x
        x += 1
    series = sum(
        np.longdouble(bernoulli.numerator) / bernoulli.denominator / (2 * n * (2 * n - 1) * x ** (2 * n - 1))
        for n, bernoulli in enumerate(_BERNOULLI_NUMBERS[:8], 1)
    )
    half_log = np.log(2 * np.longdouble(str(_LONG_PI))) / 2
    return (x - np.longdouble(0.5)) * np.log(x) - x + half_log + series - np.log(product)


def _digamma(x: float) -> float:
    """Of extended precision, because it has roots between terms that are no smaller than 1."""
    if x == math.inf or math.isnan(x):
        return x
    if _is_pole(x):
        return math.nan
    return _on_the_left(x)[1] if x < 0 else float(_wide_digamma(np.longdouble(x)))


def _wide_digamma(x: np.longdouble) -> np.longdouble:
    """Recurrence up to 20, then the asymptotic series (Abramowitz and Stegun 6.3)."""
    value = np.longdouble(0)
    while x < 20:
        value -= 1 / x
        x += 1
    series = sum(
        np.longdouble(bernoulli.numerator) / bernoulli.denominator / (2 * n * x ** (2 * n))
        for n, bernoulli in enumerate(_BERNOULLI_NUMBERS[:8], 1)
    )
    return value + np.log(x) - 1 / (2 * x) - series


def _erf_inv(x: float) -> float:
    """The normal quantile, refined by Newton's method on erfc where erf is close to 1."""
    if math.isnan(x) or abs(x) > 1:
        return math.nan
    if abs(x) == 1:
        return math.copysign(math.inf, x)
    if abs(x) < 1e-8:
        return x * math.sqrt(math.pi) / 2
    tail = 1 - abs(x)
    y = -NormalDist().inv_cdf(max(tail / 2, 1e-300)) / math.sqrt(2)
    for _ in range(3):
        error = tail - math.erfc(y) if y > 0.5 else math.erf(y) - abs(x)
        y -= error * math.sqrt(math.pi) / 2 * math.exp(y * y)
    return math.copysign(y, x)


_TWO_PI = np.longdouble("6.283185307179586476925286766559")


def _bessel_i1e(x: float) -> float:
    """The power series, whose terms have one sign, or the asymptotic one (Abramowitz and Stegun 9.6.10 and 9.7.1)."""
    if math.isnan(x) or x == 0:
        return x
    # Each term is made of the one before: what they round away would add up.
    a = np.longdouble(abs(x))
    total = term = a / 2
    if a < 30:
        k = 1
        while term > 1e-22 * total and k < 200:
            term *= (a / 2) ** 2 / (k * (k + 1))
            total += term
            k += 1
        return math.copysign(float(total * np.exp(-a)), x)
    total = term = np.longdouble(1)
    for k in range(1, 25):
        term *= (2 * k - 1 - 2) * (2 * k - 1 + 2) / (k * 8 * a)
        total += term
    return math.copysign(float(total / np.sqrt(_TWO_PI * a)), x)


# B(2k) / (2k)!
_BERNOULLI = (1 / 12, -1 / 720, 1 / 30240, -1 / 1209600, 1 / 47900160, -691 / 1307674368000, 1 / 74724249600)


def _log_powers(s: float, q: float) -> tuple[np.longdouble, np.longdouble]:
    """log(q^-s), and the sum over n >= 0 of ((q + n) / q)^-s for q > 0: 40 terms, then Euler's and Maclaurin's."""
    wide, first = np.longdouble(s), np.log(np.longdouble(q))
    at = np.longdouble(q) + np.arange(41)
    terms = np.exp((first - np.log(at)) * wide)
    a = at[-1]
    tail, factor = a / (wide - 1) + np.longdouble(0.5), wide / a
    if terms[-1] == 0:
        return -first * wide, np.sum(terms[:-1])
    for k, bernoulli in enumerate(_BERNOULLI, 1):
        tail += np.longdouble(bernoulli) * factor
        factor *= (wide + 2 * k - 1) * (wide + 2 * k) / (a * a)
    return -first * wide, np.sum(terms[:-1]) + terms[-1] * tail


def _zeta_of_factor(log_factor: np.longdouble, s: float, q: float) -> np.longdouble:
    """e^log_factor zeta(s, q) for s > 1 and a q that is no pole; the terms on the left of 0 one by one."""
    if q > 0:
        first, rest = _log_powers(s, q)
        return np.exp(log_factor + first) * rest
    sign, steps = (1 if s % 2 == 0 else -1), math.ceil(-q)
    near = min(steps, 1000)
    inside = np.longdouble(q) + steps - np.arange(1, near + 1)
    total = sign * np.sum(np.exp(log_factor - np.log(np.abs(inside)) * np.longdouble(s)))
    if steps > near:  # the others, all far away
        outer = _zeta_of_factor(log_factor, s, float(near + 1 - (q + steps)))
        total += sign * (outer - _zeta_of_factor(log_factor, s, 1 - q))
    right = np.longdouble(q) + steps
    return total + _zeta_of_factor(log_factor, s, float(right))


def _has_power_sum(s: float, q: float) -> bool:
    return 1 < s < math.inf and q < math.inf and (q > 0 or s == math.floor(s))


def _zeta(s: float, q: float) -> float:
    """As XLA has it: infinite at s = 1 whatever q is, NaN at infinity, infinite at the poles of even s."""
    if s == 1:
        return math.inf
    if _is_pole(q):
        return math.inf if math.isfinite(s) and s % 2 == 0 else math.nan
    return float(_zeta_of_factor(np.longdouble(0), s, q)) if _has_power_sum(s, q) else math.nan


def _polygamma(n: float, x: float) -> float:
    if n == 0:
        return _digamma(x)
    if not (0 < n < math.inf and n == math.floor(n)):
        return math.nan
    if _is_pole(x):
        return math.inf if n % 2 else math.nan
    if not _has_power_sum(n + 1, x):
        return math.nan
    if n <= 100:
        value = float(math.factorial(int(n)) * _zeta_of_factor(np.longdouble(0), n + 1, x))
    else:
        value = float(_zeta_of_factor(np.longdouble(math.lgamma(n + 1)), n + 1, x))
    return value if n % 2 else -value


erf = _elementwise(math.erf)
erfc = _elementwise(math.erfc)
lgamma = _elementwise(_lgamma)
digamma = _elementwise(_digamma)
erf_inv = _elementwise(_erf_inv)
bessel_i1e = _elementwise(_bessel_i1e)
zeta = np.errstate(all="ignore")(np.vectorize(_zeta, otypes=[np.float64]))
polygamma = np.errstate(all="ignore")(np.vectorize(_polygamma, otypes=[np.float64]))
