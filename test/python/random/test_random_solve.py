# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random cases of the solve family. What must not be read is NaN."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from random_cases import COMPLEX, DTYPES, FLOAT, SEEDS, check, elements, one_op, type_of
from vector_cases import TARGETS, evaluate

OWN = 32  # equations that the CPU solves without a library (runtime/library/lapack/SmallMatrices.h)
TYPES = st.sampled_from([*FLOAT, *COMPLEX])
BATCHES = st.sampled_from([(), (0,), (1,), (3,), (2, 3), (17,), (40,)])
# Those of the kernels for small matrices, and beyond them.
ORDERS = st.one_of(st.integers(0, 6), st.sampled_from([8, 15, 16, 17, 31, 32, 33, 40]))


def eps(dtype):
    return (
        float(np.finfo(dtype).eps)
        if dtype.kind in "fc" and dtype.itemsize > 2
        else {"float16": 2**-10}.get(dtype.name, 2**-7)
    )


def numbers(dtype, dims, seed):
    """Of magnitude up to about 1, in the type in which they are computed."""
    wide = np.complex128 if dtype.kind == "c" else np.float64
    return elements(np.dtype(wide), dims, seed, "unit")


def spoiled(a, keep):
    """`a` with NaN where `keep` is false."""
    return np.where(keep, a, np.asarray(np.nan, a.dtype)).astype(a.dtype)


def boolean(value):
    return str(bool(value)).lower()


@given(TYPES, BATCHES, ORDERS, st.booleans(), SEEDS, st.booleans())
def test_cholesky(name, batch, n, lower, seed, indefinite):
    dtype = DTYPES[name]
    x = numbers(dtype, (*batch, n, n), seed)
    a = x @ np.conj(np.swapaxes(x, -1, -2)) / max(n, 1) + np.eye(n)
    if indefinite and a.size:  # one matrix of the batch fails, the others must not notice
        first = a.reshape(-1, n, n)
        first[seed % len(first)] -= 3 * np.eye(n)
    triangle = np.tri(n, dtype=bool) if lower else np.tri(n, dtype=bool).T
    a = spoiled(a.astype(dtype), triangle)
    # The entries of a are at most 2, and the factor is as well conditioned: its error is some n roundings.
    within = np.full(a.shape, 16 * (n + 1) * eps(dtype))
    check(one_op("cholesky", [a], [type_of(a)], {"lower": boolean(lower)}, within=[within]))


@given(TYPES, BATCHES, ORDERS, st.sampled_from([0, 1, 2, 5, 16, 17, 130]), SEEDS, st.data())
def test_triangular_solve(name, batch, n, count, seed, data):
    dtype = DTYPES[name]
    left, lower, unit = (data.draw(st.booleans()) for _ in range(3))
    transpose = data.draw(st.sampled_from(["NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"]))
    # What is off the diagonal is so small that errors do not grow.
    a = numbers(dtype, (*batch, n, n), seed) / max(n, 1) + 2 * np.eye(n)
    b = numbers(dtype, (*batch, n, count) if left else (*batch, count, n), seed + 1).astype(dtype)
    keep = np.tri(n, k=-1 if unit else 0, dtype=bool)
    a = spoiled(a.astype(dtype), keep if lower else keep.T)
    within = np.full(b.shape, 32 * (n + 1) * eps(dtype))
    attributes = {
        "left_side": boolean(left),
        "lower": boolean(lower),
        "unit_diagonal": boolean(unit),
        "transpose_a": f"#xla<transpose {transpose}>",
    }
    check(one_op("triangular_solve", [a, b], [type_of(b)], attributes, within=[within]))


@given(TYPES, st.sampled_from([1, 2, 3, 17, 33]), st.sampled_from([1, 3, 20]), SEEDS)
def test_singular(name, n, count, seed):
    """Zeros on the diagonal: infinities or NaN, and no trap. Rows above the first zero are as they would be, except by
    OpenBLAS, which has systems of more than 32 equations: for some processors it multiplies by inverses."""
    dtype = DTYPES[name]
    a = numbers(dtype, (n, n), seed) / n + 2 * np.eye(n)
    zero = seed % n
    a[zero, zero] = 0
    b = numbers(dtype, (n, count), seed + 1).astype(dtype)
    attributes = {
        "left_side": "true",
        "lower": "true",
        "unit_diagonal": "false",
        "transpose_a": "#xla<transpose NO_TRANSPOSE>",
    }
    a = a.astype(dtype)
    case = one_op("triangular_solve", [a, b], [type_of(b)], attributes)
    for target in TARGETS:
        (x,) = evaluate(case.text, case.arrays, target)
        x = np.asarray(x).astype(np.complex128)
        assert np.isfinite(x[:zero]).all() or (target == "cpu" and n > OWN)
        assert not np.isfinite(x[zero]).any()
