# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""When two results are the same: the one comparison of the vectors, the random cases and the programs.

Every NaN equals every NaN, and -0 is not +0: whoever compares values without a tolerance compares bits. A tolerance is
a bound of the absolute difference, for each element, that the caller derives from the number of roundings; it does not
cover the sign of a zero, because a computation of zero has a sign that no rounding decides. It is open only

- of sums of products (dot, dot_general, convolution): they may start at +0 or with the first product;
- of what was computed from a value whose own sign is within its error.
"""

from typing import Any

import ml_dtypes
import numpy as np

Array = np.ndarray

#: XLA's options where its code runs once and its results are exact in any order: compiled in 0.4 of the time.
UNOPTIMISED = {"xla_backend_optimization_level": 0, "xla_cpu_use_fusion_emitters": False}


def is_float(dtype: np.dtype) -> bool:
    """Also of the small floats of ml_dtypes, whose kind is V as that of the small integers is."""
    return dtype.kind == "f" or (dtype.kind == "V" and "float" in dtype.name)


def spacing(values: Array) -> Array:
    """Units in the last place of finite values: the distance to the next larger magnitude, in float64."""
    if values.dtype.kind == "c":  # a complex number is rounded at its modulus
        part = values.real.dtype
        return spacing(np.abs(values.astype(np.complex128)).astype(part))
    info = ml_dtypes.finfo(values.dtype)
    magnitude = np.abs(values.astype(np.float64))
    magnitude = np.where(np.isfinite(magnitude), np.maximum(magnitude, float(info.smallest_normal)), 0)
    return np.ldexp(1.0, np.frexp(magnitude)[1] - 1 - int(info.nmant))


def differing(have: Array, want: Array, within: Any = 0.0, signed_zeros: bool = True) -> Array:
    """Where `have` is not `want`; numbers other than integers may be `within` apart, for complex ones in each part."""
    if have.dtype.kind == "c":
        parts = (have.real, want.real), (have.imag, want.imag)
        real, imaginary = (differing(x, y, within, signed_zeros) for x, y in parts)
        if signed_zeros and np.isnan(want).any():  # a NaN with a zero beside it is a NaN, whatever the zero's sign
            unsigned = differing(have, want, within, signed_zeros=False)
            return np.where(np.isnan(have) & np.isnan(want), unsigned, real | imaginary)
        return real | imaginary
    if not is_float(have.dtype):
        return np.asarray(have != want)
    x, y = have.astype(np.float64), want.astype(np.float64)
    with np.errstate(invalid="ignore"):
        near = (x == y) | (np.isfinite(y) & (np.abs(x - y) <= within))
    # What may be a little larger than the largest number may also be infinite.
    largest = float(ml_dtypes.finfo(have.dtype).max)
    near |= np.isinf(x) & (np.sign(x) == np.sign(y)) & (np.abs(y) > largest - within) & np.isfinite(y)
    wrong = ~(near | (np.isnan(x) & np.isnan(y)))
    return wrong | ((x == 0) & (y == 0) & (np.signbit(x) != np.signbit(y))) if signed_zeros else wrong


def difference(have: Any, want: Any, within: Any = 0.0, signed_zeros: bool = True) -> str | None:
    """What is different about two arrays, with the first element that is; None if nothing is."""
    have, want = np.asarray(have), np.asarray(want)
    if (have.dtype, have.shape) != (want.dtype, want.shape):
        return f"{have.dtype}{list(have.shape)} instead of {want.dtype}{list(want.shape)}"
    wrong = differing(have, want, within, signed_zeros)
    if not wrong.any():
        return None
    place = tuple(map(int, np.argwhere(wrong)[0]))
    allowed = np.broadcast_to(within, want.shape)[place]
    bound = f", allowed difference {allowed:.3g}" if allowed else ""
    return (
        f"element {list(place)} is {have[place]!r} instead of {want[place]!r}"
        f" ({int(wrong.sum())} of {wrong.size} differ{bound})"
    )
