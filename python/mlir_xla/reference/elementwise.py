# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The elementwise family: unary and binary arithmetic, comparison, select, clamp, conversion, map.

What the specification leaves open is decided here as XLA decides it: integer division by zero gives all ones, a
remainder by zero gives the dividend, a shift by at least the width gives zeros (sign bits for the arithmetic shift),
and a float that does not fit an integer becomes the nearest integer that does, a NaN becomes 0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import _complex_math, _special
from ._complex_math import parts as _parts
from ._numerics import from_bits, narrow, sign_extend, to_bits, widen
from ._program import Op
from ._types import ElementType, element_of

Array = np.ndarray


def _computed(function: Callable[..., Array]) -> Callable[..., Array]:
    """An op given by its formula on wide values: integers modulo 2^64, floats in float64, complex in complex128."""

    def evaluate(op: Op, *operands: Array) -> Array:
        return narrow(function(*map(widen, operands)), op.array.element)

    return evaluate


# ---- Unary -----------------------------------------------------------------------------------------------------------


def _abs(op: Op, x: Array) -> Array:
    wide = widen(x)
    return narrow(np.hypot(wide.real, wide.imag) if wide.dtype.kind == "c" else np.abs(wide), op.array.element)


def _sign(x: Array) -> Array:
    if x.dtype.kind == "c":
        largest = np.maximum(np.abs(x.real), np.abs(x.imag))
        divisor = np.where(largest == 0, 1, largest)  # the modulus of the largest numbers is infinite
        x = _parts(x.real / divisor, x.imag / divisor)
        return np.where(largest == 0, x, x / np.where(largest == 0, 1, np.abs(x)))
    if x.dtype.kind == "f":
        return np.where(np.isnan(x) | (x == 0), x, np.sign(x))  # keeps the sign of zero
    return np.sign(x)


def _logistic(x: Array) -> Array:
    if x.dtype.kind == "c":
        decay = np.exp(np.where(x.real < 0, x, -x))
        return _complex_math.quotient(np.where(x.real < 0, decay, 1), 1 + decay)
    decay = np.exp(-np.abs(x))  # at most 1: no overflow on either side
    return np.where(x >= 0, 1 / (1 + decay), decay / (1 + decay))


def _expm1(x: Array) -> Array:
    if x.dtype.kind != "c":
        return np.expm1(x)
    exp = np.exp(x)
    # NumPy's infinity comes too early on the right, and it has none of C99's limits on the left.
    return _parts(np.where(np.abs(x.real) > 40, exp.real - 1, np.expm1(x).real), exp.imag)


def _square(x: Array) -> Array:
    if x.dtype.kind != "c":
        return np.square(x)
    difference, total = x.real - x.imag, x.real + x.imag
    real = np.where((difference == 0) | (total == 0), 0.0, difference * total)  # the other one may be infinite
    return _parts(real, 2 * (x.real * x.imag))


def _log1p(x: Array) -> Array:
    """NumPy's complex one is the logarithm of 1 + x, which has lost the digits of a small x."""
    if x.dtype.kind != "c":
        return np.log1p(x)
    far = np.log(_parts(1 + x.real, x.imag))
    excess = x.real * (2 + x.real) + x.imag * x.imag  # |1 + x|^2 - 1
    return _parts(np.where((excess > -0.75) & (excess < 3), np.log1p(excess) / 2, far.real), far.imag)


def _cbrt(x: Array) -> Array:
    """The principal root of a complex number: NumPy's is for real ones."""
    if x.dtype.kind != "c":
        return np.cbrt(x)
    root, angle = np.cbrt(np.hypot(x.real, x.imag)), np.arctan2(x.imag, x.real) / 3
    cosine, sine = np.cos(angle), np.sin(angle)
    return _parts(
        root * cosine, np.where(sine == 0, sine, root * sine)
    )  # no angle, no imaginary part: also of infinity


def _rsqrt(x: Array) -> Array:
    root = np.sqrt(x)
    return _complex_math.quotient(np.ones_like(root), root) if x.dtype.kind == "c" else 1 / root


def _round_half_away(x: Array) -> Array:
    whole = np.trunc(x)
    rounded = np.where(np.abs(x - whole) >= 0.5, whole + np.copysign(1.0, x), whole)
    return np.where(np.isfinite(x), np.copysign(rounded, x), x)


def _count_leading_zeros(op: Op, x: Array) -> Array:
    bits, pattern = element_of(x).bits, to_bits(x)
    used = sum(((pattern >> np.uint64(i)) != 0).astype(np.int64) for i in range(bits))
    return narrow(np.asarray(bits - used, np.int64), op.array.element)


def _popcnt(op: Op, x: Array) -> Array:
    return narrow(np.bitwise_count(to_bits(x)).astype(np.int64), op.array.element)


def _not(op: Op, x: Array) -> Array:
    return ~x if x.dtype == np.bool_ else from_bits(~to_bits(x), element_of(x))


def _is_finite(op: Op, x: Array) -> Array:
    return np.isfinite(widen(x))


def _real(op: Op, x: Array) -> Array:
    return x.real.copy() if x.dtype.kind == "c" else x


def _imag(op: Op, x: Array) -> Array:
    return x.imag.copy() if x.dtype.kind == "c" else np.zeros_like(x)


def _reduce_precision(op: Op, x: Array) -> Array:
    """Rounds the significand to m bits, ties to even; then what exceeds the narrow exponent range becomes infinite and
    what lies below its normal numbers becomes zero. A width of at least the type's own changes nothing."""
    e, m = op.attributes["exponent_bits"], op.attributes["mantissa_bits"]
    own_e, own_m = {16: (5, 10), 32: (8, 23), 64: (11, 52)}[element_of(x).bits]
    if element_of(x).name == "bf16":
        own_e, own_m = 8, 7
    value = widen(x)
    result = value.copy()
    if m < own_m:
        exponent = np.frexp(value)[1] - 1
        # The type's subnormal numbers all have the exponent of its smallest normal one.
        quantum = np.maximum(exponent, 2 - 2 ** (own_e - 1)) - m
        # Scaling in two steps: 2^-quantum alone may exceed float64.
        half = quantum // 2
        scaled = np.ldexp(np.ldexp(value, -half), half - quantum)
        rounded = np.rint(scaled)
        if m == 0:  # the last bit that is kept is the exponent's, and biases are odd
            down = (np.abs(scaled) == 1.5) & (exponent % 2 != 0)
            rounded = np.where(down, np.copysign(1.0, scaled), rounded)
        result = np.ldexp(np.ldexp(rounded, half), quantum - half)
    if e < own_e:
        bias = 2 ** (e - 1) - 1
        exponent = np.frexp(result)[1] - 1
        overflow, underflow = (exponent > bias) | np.isinf(result), (exponent <= -bias) | (result == 0)
        result = np.where(overflow, np.copysign(np.inf, value), np.where(underflow, np.copysign(0.0, value), result))
    return narrow(np.where(np.isfinite(value), result, value), element_of(x))


# ---- Binary ----------------------------------------------------------------------------------------------------------


def _logical(on_pred: Callable[..., Array], on_numbers: Callable[..., Array]) -> Callable[..., Array]:
    return lambda x, y: on_pred(x, y) if x.dtype == np.bool_ else on_numbers(x, y)


def _without_overflow(x: Array, y: Array) -> tuple[Array, Array]:
    """The divisor with 1 in place of 0 and of the -1 that would overflow, and where it was 0."""
    zero = y == 0
    overflow = (x == np.iinfo(x.dtype).min) & (y == -1) if x.dtype.kind == "i" else np.zeros_like(zero)
    return np.where(zero | overflow, np.ones_like(y), y), zero


def _divide(x: Array, y: Array) -> Array:
    if x.dtype.kind not in "iu":
        return _complex_math.quotient(x, y) if x.dtype.kind == "c" else x / y
    divisor, zero = _without_overflow(x, y)
    quotient = (x - np.fmod(x, divisor)) // divisor  # exact: truncates toward zero
    return np.where(zero, ~np.zeros_like(quotient), quotient)


def _remainder(x: Array, y: Array) -> Array:
    if x.dtype.kind not in "iu":
        return np.fmod(x, y)
    divisor, zero = _without_overflow(x, y)
    return np.where(zero, x, np.fmod(x, divisor))


def _power(x: Array, y: Array) -> Array:
    if x.dtype.kind not in "iu":
        return _complex_math.power(x, y) if x.dtype.kind == "c" else np.power(x, y)
    result, base, exponent = np.ones(np.broadcast_shapes(x.shape, y.shape), x.dtype), x, y.view(np.uint64)
    negative = (y < 0) if y.dtype.kind == "i" else np.zeros(y.shape, bool)
    exponent = np.where(negative, np.uint64(0), exponent)
    while np.any(exponent):
        result = np.where(exponent & np.uint64(1), result * base, result)
        base, exponent = base * base, exponent >> np.uint64(1)
    # 1/x truncated: 0 unless x is 1 or -1.
    reciprocal = np.where(
        x == 1, 1, np.where(x.view(np.int64) == -1, 1 - 2 * (y & np.asarray(1, y.dtype)).astype(np.int64), 0)
    )
    return np.where(negative, reciprocal.astype(x.dtype), result)


def _by_parts(extremum: Callable[[Array, Array], Array], x: Array, y: Array) -> Array:
    """Of complex numbers: the real parts decide, where they are equal the imaginary parts. A NaN that decides wins."""
    real = extremum(x.real, y.real)
    winner = np.where(real == x.real, x.imag, np.where(real == y.real, y.imag, np.nan))
    return _parts(real, np.where(x.real == y.real, extremum(x.imag, y.imag), winner))


def _maximum(x: Array, y: Array) -> Array:
    """A NaN wins; +0 is larger than -0."""
    if x.dtype.kind == "c":
        return _by_parts(_maximum, x, y)
    return np.where((x == 0) & (y == 0), x + y, np.maximum(x, y)) if x.dtype.kind == "f" else np.maximum(x, y)


def _minimum(x: Array, y: Array) -> Array:
    if x.dtype.kind == "c":
        return _by_parts(_minimum, x, y)
    return np.where((x == 0) & (y == 0), -(-x - y), np.minimum(x, y)) if x.dtype.kind == "f" else np.minimum(x, y)


def _atan2(y: Array, x: Array) -> Array:
    if x.dtype.kind != "c":
        return np.arctan2(y, x)
    return _complex_math.angle(y, x)


def _next_after(op: Op, x: Array, y: Array) -> Array:
    """The neighbour of x towards y in the element type itself. (NumPy's of float16 keeps x where it equals y.)"""
    return np.where(x == y, y, np.nextafter(x, y))


def _bitwise(function: Callable[..., Array]) -> Callable[..., Array]:
    def evaluate(op: Op, x: Array, y: Array) -> Array:
        return function(x, y) if x.dtype == np.bool_ else from_bits(function(to_bits(x), to_bits(y)), element_of(x))

    return evaluate


def _shift(function: Callable[[Array, Array, int], Array]) -> Callable[..., Array]:
    """Amounts are read as unsigned; 64 stands for every amount that shifts all bits out."""

    def evaluate(op: Op, x: Array, y: Array) -> Array:
        bits = element_of(x).bits
        amount = to_bits(y)
        return from_bits(function(to_bits(x), np.where(amount >= bits, np.uint64(64), amount), bits), element_of(x))

    return evaluate


def _shift_left(pattern: Array, amount: Array, bits: int) -> Array:
    return np.where(amount == 64, np.uint64(0), pattern << np.minimum(amount, np.uint64(63)))


def _shift_right_logical(pattern: Array, amount: Array, bits: int) -> Array:
    return np.where(amount == 64, np.uint64(0), pattern >> np.minimum(amount, np.uint64(63)))


def _shift_right_arithmetic(pattern: Array, amount: Array, bits: int) -> Array:
    return (sign_extend(pattern, bits) >> np.minimum(amount, np.uint64(63)).astype(np.int64)).view(np.uint64)


def _complex(op: Op, real: Array, imaginary: Array) -> Array:
    return _parts(real, imaginary)


# ---- Comparison and choice -------------------------------------------------------------------------------------------

_COMPARISONS = {
    "EQ": np.equal,
    "NE": np.not_equal,
    "GE": np.greater_equal,
    "GT": np.greater,
    "LE": np.less_equal,
    "LT": np.less,
}


def total_order_key(x: Array) -> Array:
    """Integers that order floats as -NaN < -Inf < -Finite < -0 < +0 < +Finite < +Inf < +NaN."""
    bits = element_of(x).bits
    signed = sign_extend(to_bits(x), bits)
    return signed ^ ((signed >> (bits - 1)) & ((1 << (bits - 1)) - 1))


def _compare(op: Op, x: Array, y: Array) -> Array:
    if op.attributes.get("compare_type") == "TOTALORDER" and element_of(x).kind == "float":
        x, y = total_order_key(x), total_order_key(y)
    else:
        x, y = widen(x), widen(y)
    return np.asarray(_COMPARISONS[op.attributes["comparison_direction"]](x, y))


def _select(op: Op, predicate: Array, on_true: Any, on_false: Any) -> Any:
    if isinstance(on_true, tuple):
        return on_true if predicate else on_false
    return np.where(predicate, on_true, on_false)


def _clamp(low: Array, x: Array, high: Array) -> Array:
    return _minimum(_maximum(low, x), high)


# ---- Conversion, wide products, map ----------------------------------------------------------------------------------


def convert(x: Array, to: ElementType) -> Array:
    """A value in another element type, with one rounding."""
    wide = widen(x)
    if wide.dtype.kind == "c" and to.kind != "complex":
        wide = wide.real.copy()
    if to.kind == "pred":
        return wide != 0
    if to.kind in ("sint", "uint") and wide.dtype.kind == "f":
        return _float_to_integer(wide, to)
    if wide.dtype == np.bool_:
        wide = wide.astype(np.int64)
    return narrow(wide, to)


def _float_to_integer(x: Array, to: ElementType) -> Array:
    low = -(2 ** (to.bits - 1)) if to.kind == "sint" else 0
    high = low + 2**to.bits - 1
    whole = np.trunc(np.where(np.isnan(x), 0.0, x))
    below, above = whole <= low, whole >= float(high)  # float(high) may be one too large: then it is above as well
    inside = np.where(below | above, 0.0, whole).astype(np.int64 if to.kind == "sint" else np.uint64)
    limits = np.array([low, high], inside.dtype)
    return narrow(np.where(below, limits[0], np.where(above, limits[1], inside)), to)


def _convert(op: Op, x: Array) -> Array:
    return convert(x, op.array.element)


def _bitcast_convert(op: Op, x: Array) -> Array:
    """Wider elements gain a last dimension of their parts, least significant part first; narrower ones lose it."""
    source, target = element_of(x), op.array.element
    if source.bits == target.bits:
        return x.view(target.dtype) if source.bits > 64 else from_bits(to_bits(x), target)
    if source.kind == "complex":  # complex to complex: plain memory
        return np.ascontiguousarray(x).view(target.dtype).reshape(op.array.shape)
    narrower, parts = min(source.bits, target.bits), max(source.bits, target.bits) // min(source.bits, target.bits)
    shifts = np.arange(parts, dtype=np.uint64) * np.uint64(narrower)
    if source.bits > target.bits:
        return from_bits(to_bits(x)[..., None] >> shifts, target)
    return from_bits(np.bitwise_or.reduce(to_bits(x) << shifts, axis=-1), target)


def _map(frame: Any, op: Op, *operands: Array) -> list[Array]:
    return frame.run_elementwise(op.regions[0], operands[0].shape, *operands)


def _mulhi(op: Op, x: Array, y: Array) -> Array:
    """Products of Python's integers, which have all bits."""
    element = op.array.element
    products = widen(x).astype(object) * widen(y).astype(object)
    upper = np.asarray(products >> element.bits if x.size else products, object)
    return narrow(upper.astype(np.int64 if element.kind == "sint" else np.uint64), element)


OPS: dict[str, Callable[..., Any]] = {
    "abs": _abs,
    "acos": _computed(np.arccos),
    "acosh": _computed(np.arccosh),
    "asin": _computed(np.arcsin),
    "asinh": _computed(np.arcsinh),
    "atan": _computed(np.arctan),
    "atanh": _computed(np.arctanh),
    "bessel_i1e": _computed(_special.bessel_i1e),
    "cbrt": _computed(_cbrt),
    "ceil": _computed(np.ceil),
    "count_leading_zeros": _count_leading_zeros,
    "conj": _computed(np.conj),
    "cosh": _computed(np.cosh),
    "cosine": _computed(np.cos),
    "digamma": _computed(_special.digamma),
    "erf": _computed(_special.erf),
    "erf_inv": _computed(_special.erf_inv),
    "erfc": _computed(_special.erfc),
    "exponential": _computed(np.exp),
    "exponential_minus_one": _computed(_expm1),
    "floor": _computed(np.floor),
    "imag": _imag,
    "is_finite": _is_finite,
    "lgamma": _computed(_special.lgamma),
    "log": _computed(np.log),
    "log_plus_one": _computed(_log1p),
    "logistic": _computed(_logistic),
    "negate": _computed(np.negative),
    "not": _not,
    "popcnt": _popcnt,
    "real": _real,
    "reduce_precision": _reduce_precision,
    "round_nearest_afz": _computed(_round_half_away),
    "round_nearest_even": _computed(np.rint),
    "rsqrt": _computed(_rsqrt),
    "sign": _computed(_sign),
    "sinh": _computed(np.sinh),
    "sine": _computed(np.sin),
    "sqrt": _computed(np.sqrt),
    "square": _computed(_square),
    "tan": _computed(np.tan),
    "tanh": _computed(np.tanh),
    "add": _computed(_logical(np.logical_or, np.add)),
    "subtract": _computed(np.subtract),
    "mulhi": _mulhi,
    "multiply": _computed(_logical(np.logical_and, np.multiply)),
    "divide": _computed(_divide),
    "power": _computed(_power),
    "polygamma": _computed(_special.polygamma),
    "remainder": _computed(_remainder),
    "maximum": _computed(_maximum),
    "minimum": _computed(_minimum),
    "and": _bitwise(np.bitwise_and),
    "or": _bitwise(np.bitwise_or),
    "xor": _bitwise(np.bitwise_xor),
    "shift_left": _shift(_shift_left),
    "shift_right_arithmetic": _shift(_shift_right_arithmetic),
    "shift_right_logical": _shift(_shift_right_logical),
    "atan2": _computed(_atan2),
    "next_after": _next_after,
    "zeta": _computed(_special.zeta),
    "complex": _complex,
    "compare": _compare,
    "select": _select,
    "clamp": _computed(_clamp),
    "convert": _convert,
    "bitcast_convert": _bitcast_convert,
}

REGION_OPS: dict[str, Callable[..., Any]] = {"map": _map}
