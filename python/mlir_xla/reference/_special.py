# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Special functions that NumPy lacks, on float64 arrays, to about full precision."""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist

import numpy as np

Array = np.ndarray


def _elementwise(function: Callable[[float], float]) -> Callable[[Array], Array]:
    return np.vectorize(function, otypes=[np.float64])


def _lgamma(x: float) -> float:
    if math.isinf(x) or (x <= 0 and x == math.floor(x)):
        return math.inf  # the poles
    return math.lgamma(x)


def _digamma(x: float) -> float:
    """Reflection for x <= 0, recurrence up to 10, then the asymptotic series (Abramowitz and Stegun 6.3)."""
    if math.isnan(x) or (x <= 0 and x == math.floor(x)) or x == -math.inf:
        return math.nan
    if x == math.inf:
        return x
    if x < 0:
        return _digamma(1 - x) - math.pi / math.tan(math.pi * math.fmod(x, 1.0))
    value = 0.0
    while x < 10:
        value -= 1 / x
        x += 1
    series = sum(
        b / (2 * n * x ** (2 * n))
        for n, b in enumerate((1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6), 1)
    )
    return value + math.log(x) - 0.5 / x - series


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


erf = _elementwise(math.erf)
erfc = _elementwise(math.erfc)
lgamma = _elementwise(_lgamma)
digamma = _elementwise(_digamma)
erf_inv = _elementwise(_erf_inv)
