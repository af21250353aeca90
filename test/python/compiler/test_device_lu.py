# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LU factors by the device's library."""

import numpy as np
import pytest
from device_library import Program

DTYPES = {"s": np.float32, "d": np.float64, "c": np.complex64, "z": np.complex128}
ELEMENTS = {"s": "f32", "d": "f64", "c": "complex<f32>", "z": "complex<f64>"}


def factorization(letter: str, batch: int, m: int, n: int) -> Program:
    """LAPACK's call finds the columns of a matrix in memory where ours have rows."""
    t, p = f"tensor<{batch}x{m}x{n}x{ELEMENTS[letter]}>", f"tensor<{batch}x{min(m, n)}xi32>"
    return Program(f"""func.func @main(%a: {t}) -> ({t}, {p}, tensor<{batch}xi32>) {{
  %r:3 = stablehlo.custom_call @lapack_{letter}getrf_ffi(%a) : ({t}) -> ({t}, {p}, tensor<{batch}xi32>)
  return %r#0, %r#1, %r#2 : {t}, {p}, tensor<{batch}xi32>
}}""")


def run(a):
    """What the device's function makes of the matrices, and what LAPACK does: factors, pivots, what has none."""
    letter = next(letter for letter, dtype in DTYPES.items() if dtype == a.dtype)
    batch, m, n = a.shape
    program = factorization(letter, batch, m, n)
    assert program.calls[0].functions == [f"xla_rt_gpu_lu_small_{letter}"]
    columns = np.ascontiguousarray(a.swapaxes(1, 2)).reshape(a.shape)

    def rows(found):
        factors, pivots, info = map(np.asarray, found)
        return factors.reshape(batch, n, m).swapaxes(1, 2), pivots, info

    return rows(program.run(columns)), rows(program.executable(columns))


def check(a):
    """The factors are those of the matrix, with the pivots' exchanges."""
    (factors, pivots, info), (expected, places, failures) = run(a)
    assert pivots.tolist() == places.tolist() and info.tolist() == failures.tolist()
    _, m, n = a.shape
    rank = min(m, n)
    lower = np.tril(factors[:, :, :rank], -1) + np.eye(m, rank, dtype=a.dtype)
    upper = np.triu(factors[:, :rank])
    exchanged = a.copy()
    for matrix, steps in zip(exchanged, pivots, strict=True):
        for place, other in enumerate(steps - 1):
            matrix[[place, other]] = matrix[[other, place]]
    wide = np.clongdouble if np.iscomplexobj(a) else np.longdouble
    error = lower.astype(wide) @ upper - exchanged
    # A component is bounded by about `rank` units of |l| |u|.
    bound = (3 + np.sqrt(rank)) * np.finfo(a.dtype).eps * (np.abs(lower) @ np.abs(upper))
    assert (np.abs(error) <= bound).all()
    assert (np.abs(lower) <= (1 + 1e-6) * (np.sqrt(2) if np.iscomplexobj(a) else 1)).all()
    assert np.abs(factors - expected).max() <= 200 * np.finfo(a.dtype).eps * max(1, np.abs(expected).max())


@pytest.mark.parametrize("letter", DTYPES)
@pytest.mark.parametrize(
    "shape", [(1, 1, 1), (7, 2, 2), (5, 7, 7), (3, 32, 32), (2, 5, 3), (2, 3, 5), (2, 32, 9)], ids=str
)
def test_factors(letter, shape):
    draw = np.random.default_rng(shape[1])
    a = draw.standard_normal(shape) + (1j * draw.standard_normal(shape) if letter in "cz" else 0)
    check(a.astype(DTYPES[letter]))


@pytest.mark.parametrize("n", [4, 16, 32])
def test_equal_elements(n):
    """Of equal ones the first is the pivot, among the rows as they have been exchanged."""
    a = np.ones((1, 1))
    while len(a) < n:
        a = np.block([[a, a], [a, -a]])
    draw = np.random.default_rng(n)
    check(np.stack([a, a[draw.permutation(n)], a[:, draw.permutation(n)]]).astype(np.float32))


@pytest.mark.parametrize("letter", DTYPES)
def test_without_pivots(letter):
    """Columns of zeros are left alone, and the first one is told."""
    a = np.random.default_rng(2).standard_normal((4, 6, 6)).astype(DTYPES[letter])
    a[1] = 0
    a[2, :, 3] = 0
    a[3, 5] = 0
    check(a)


def test_not_a_number():
    """Pivots are rows all the same, each once."""
    a = np.random.default_rng(3).standard_normal((3, 9, 9)).astype(np.float32)
    a[0, 4, 4] = a[1, 2, 0] = np.nan
    a[2] = np.nan
    (_, pivots, _), _ = run(a)
    assert ((pivots >= np.arange(1, 10)) & (pivots <= 9)).all()


def test_larger_ones_are_for_the_host():
    assert not factorization("s", 1, 33, 4).calls[0].steps
