# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Complex functions on a grid of infinities, NaN, zeros, very large and very small parts, compiled and interpreted."""

import numpy as np
import pytest

import mlir_xla

UNARY = ["acos", "acosh", "asin", "asinh", "atan", "atanh", "cosh", "cosine", "exponential", "exponential_minus_one"]
UNARY += ["log", "log_plus_one", "logistic", "rsqrt", "sign", "sine", "sinh", "sqrt", "square", "tan", "tanh"]


def run(op, target, *operands):
    name = {"complex64": "f32", "complex128": "f64"}[operands[0].dtype.name]
    tensor = f"tensor<{operands[0].size}xcomplex<{name}>>"
    arguments = ", ".join(f"%x{i}: {tensor}" for i in range(len(operands)))
    names = ", ".join(f"%x{i}" for i in range(len(operands)))
    text = (
        f"func.func @main({arguments}) -> {tensor} {{\n  %0 = xla.{op} {names} : {tensor}\n  return %0 : {tensor}\n}}"
    )
    return np.asarray(mlir_xla.compile(text, target=target)(*operands))


def grid(dtype, parts):
    x = np.empty((len(parts), len(parts)), dtype)
    x.real, x.imag = np.array(parts)[:, None], parts
    return x.ravel()


def limits(dtype):
    info = np.finfo(dtype)
    return [0.0, -0.0, 1, -1, 0.5, -2, 1e-3, 100, -100, 1e30, -1e30, info.max, -info.max, np.inf, -np.inf, np.nan]


@np.errstate(all="ignore")
def check(op, *operands):
    given, expected = (run(op, target, *operands) for target in ("cpu", "reference"))
    # C99 leaves open which part of an infinity without an angle is infinite, and with which sign.
    infinite, given_infinite = (np.isinf(z.real) | np.isinf(z.imag) for z in (expected, given))
    unknown = infinite & np.isnan(expected)
    np.testing.assert_array_equal(given_infinite, infinite)
    np.testing.assert_array_equal(np.isnan(given), np.isnan(expected))
    tolerance = {"complex64": 1e-6, "complex128": 1e-12}[given.dtype.name]
    size = np.abs(np.where(np.isfinite(expected.real), expected.real, 0))
    size = np.maximum(size, np.abs(np.where(np.isfinite(expected.imag), expected.imag, 0)))
    for part, other in ((given.real, expected.real), (given.imag, expected.imag)):
        close = (part == other) | (np.abs(part - other) <= tolerance * size) | (np.isnan(part) & np.isnan(other))
        wrong = np.flatnonzero(~(close | unknown))
        assert not wrong.size, [(*(x[i] for x in operands), given[i], expected[i]) for i in wrong[:5]]


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
@pytest.mark.parametrize("op", UNARY)
def test_unary(op, dtype):
    check(op, grid(dtype, limits(dtype)))


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
@pytest.mark.parametrize("op", ["divide", "power"])
def test_binary(op, dtype):
    x, y = grid(dtype, limits(dtype)), grid(dtype, [0.0, -0.0, 1, -1, 2, -0.5, np.inf, -np.inf, np.nan])
    x, y = (axis.ravel() for axis in np.meshgrid(x, y))
    check(op, x, y)


C99 = {"exponential": np.exp, "log": np.log, "sqrt": np.sqrt, "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh}
C99 |= {"sine": np.sin, "cosine": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan}
C99 |= {"asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh}


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
@pytest.mark.parametrize("target", ["cpu", "reference"])
@pytest.mark.parametrize("op", C99)
@np.errstate(all="ignore")
def test_signs_as_in_c99(op, target, dtype):
    """Zeros and infinities with their signs, and on which side of a cut the result is; NumPy calls the C library."""
    x = grid(dtype, [0.0, -0.0, 1, -1, 0.5, -0.5, 2, -2, np.inf, -np.inf, np.nan])
    given, expected = run(op, target, x), C99[op](x.astype(np.complex128))
    # C99 leaves signs open where the angle is not known, or the other part is NaN.
    angle, other = (x.real, x.imag) if op in ("sine", "cosine", "tan") else (x.imag, x.real)
    known = (np.isfinite(angle) & ~np.isnan(other)) | op.startswith(("a", "log", "sqrt"))
    for part, other in ((given.real, expected.real), (given.imag, expected.imag)):
        same = np.signbit(part) == np.signbit(other)
        zero = np.where(other == 0, (part == 0) & (same | ~known), False)
        infinite = np.where(np.isinf(other), np.isinf(part) & (same | ~known), False)
        close = np.abs(part - other) <= (2e-6 if dtype == np.complex64 else 4e-15) * np.abs(other)
        good = zero | infinite | (close & (other != 0)) | (np.isnan(part) & np.isnan(other))
        assert not np.flatnonzero(~good).size, [(x[i], given[i], expected[i]) for i in np.flatnonzero(~good)[:5]]
