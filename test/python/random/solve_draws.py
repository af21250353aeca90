# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs of one operation of the families fft, solve, random and normalization.

Matrices are well conditioned by construction, so that both sides are within a known distance of the one right answer;
results that their contracts leave open are not compared. Random bits are compared to the bit, numbers from hidden state
only by their range.
"""

from __future__ import annotations

import math

import numpy as np
from comparison import difference
from draws import Case, Draw, one_op
from random_cases import DTYPES, ints, tensor


def _eps(dtype: np.dtype) -> float:
    return float(np.finfo(dtype).eps)


def fft(d: Draw) -> Case:
    kind, double = d.choice(["FFT", "IFFT", "RFFT", "IRFFT"]), d.chance(0.4)
    real, complex_ = (DTYPES[n] for n in (("f64", "c128") if double else ("f32", "c64")))
    count = d.choice([1, 1, 2, 3])
    lengths = [d.choice([1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 13, 16, 17, 30, 31, 64, 97, 100, 128]) for _ in range(count)]
    while math.prod(lengths) > 4000:
        lengths[lengths.index(max(lengths))] //= 2
    batch = [d.choice([1, 2, 3, 5, 0]) if d.chance(0.9) else 9 for _ in range(d.choice([0, 1, 1, 2]))]
    half = [*lengths[:-1], lengths[-1] // 2 + 1]
    dims = [*batch, *(half if kind == "IRFFT" else lengths)]
    out = [*batch, *(half if kind == "RFFT" else lengths)]
    name = {np.dtype(np.float32): "f32", np.dtype(np.float64): "f64"}
    x = d.array(name[real] if kind == "RFFT" else "c128" if double else "c64", dims, "moderate")
    result = tensor(real if kind == "IRFFT" else complex_, out)
    axes = tuple(range(len(batch), len(dims)))
    # Each of about log2 n stages rounds sums of what is at most the sum of all magnitudes; an inverse divides by n.
    total = math.prod(lengths)
    size = np.abs(x).sum(axis=axes, keepdims=True) * (2.0 if kind == "IRFFT" else 1.0)
    size = size / max(total, 1) if kind in ("IFFT", "IRFFT") else size
    within = 4 * (math.log2(max(total, 2)) + 2) * _eps(x.dtype) * np.broadcast_to(size, out)
    attributes = {"fft_type": f"#xla<fft_type {kind}>", "fft_length": ints(lengths)}
    return one_op("fft", [x], [result], attributes, within=[within], signed_zeros=False)


def _matrices(d: Draw, name: str) -> tuple[list[int], int]:
    n = d.choice([0, 1, 2, 3, 4, 5, 8, 9, 16, 17, 33])
    return [d.choice([1, 2, 3, 5]) for _ in range(d.choice([0, 0, 1, 1, 2]))], n


def _conjugate(x: np.ndarray) -> np.ndarray:
    return np.conj(np.swapaxes(x, -1, -2))


def cholesky(d: Draw) -> Case:
    name = d.choice(["f32", "f32", "f64", "c64", "c128"])
    batch, n = _matrices(d, name)
    b = d.array(name, [*batch, n, n], "unit")
    a = (b @ _conjugate(b) + max(n, 1) * np.eye(n)).astype(b.dtype)
    lower = d.chance(0.5)
    half = np.tril if lower else np.triu
    # The other triangle is not read.
    a = np.where(half(np.ones((n, n), bool)), a, d.array(name, a.shape, "moderate")) if d.chance(0.5) else a
    # Backward stable: errors of some eps of the matrix, times its condition, which is at most n + 1.
    within = 8 * (n + 1) ** 1.5 * _eps(b.dtype)

    def judge(have, want, _):
        return difference(half(have[0]), half(want[0]), within * math.sqrt(max(2 * n, 1)), signed_zeros=False)

    attributes = {"lower": str(lower).lower()}
    return one_op("cholesky", [a], [tensor(a.dtype, a.shape)], attributes, judge=judge)


def triangular_solve(d: Draw) -> Case:
    name = d.choice(["f32", "f32", "f64", "c64", "c128"])
    batch, n = _matrices(d, name)
    m, left, unit = d.choice([0, 1, 2, 3, 8, 17]), d.chance(0.5), d.chance(0.4)
    a = d.array(name, [*batch, n, n], "unit") / max(n, 1)
    # Rows of the other elements sum up to less than 1, and the diagonal is at least 2 (or 1, not read).
    diagonal = np.eye(n, dtype=bool)
    a = np.where(diagonal, a + np.where(a.real < 0, -2, 2), a).astype(DTYPES[name])
    b = d.array(name, [*batch, *((n, m) if left else (m, n))], "moderate")
    transpose = d.choice(["NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"])
    attributes = {
        "left_side": str(left).lower(),
        "lower": str(d.chance(0.5)).lower(),
        "unit_diagonal": str(unit).lower(),
        "transpose_a": f"#xla<transpose {transpose}>",
    }
    within = 32 * (n + 1) * _eps(b.dtype) * float(np.abs(b).max(initial=0.0)) * (8 if unit else 1)
    result = tensor(b.dtype, b.shape)
    return one_op("triangular_solve", [a, b], [result], attributes, within=[within], signed_zeros=False)


def rng_bit_generator(d: Draw) -> Case:
    algorithm = d.choice(["DEFAULT", "THREE_FRY", "PHILOX"])
    words = {"THREE_FRY": [2], "PHILOX": [3], "DEFAULT": [2, 3]}[algorithm]
    state = d.array("u64", (d.choice(words),), "bits")
    if d.chance(0.2):
        state[-1] = np.uint64(2**64 - d.randint(1, 20))  # a counter that overflows
    name = d.choice(["u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64"])
    results = [tensor(state.dtype, state.shape), tensor(DTYPES[name], d.dims(0, 3))]
    attributes = {"rng_algorithm": f"#xla<rng_algorithm {algorithm}>"}
    return one_op("rng_bit_generator", [state], results, attributes)


def rng(d: Draw) -> Case:
    distribution = d.choice(["UNIFORM", "NORMAL"])
    name = d.choice(["f32", "f64", "bf16", "f16", *(["s32", "u32", "s64"] if distribution == "UNIFORM" else [])])
    dims, dtype = d.dims(0, 3), DTYPES[name]
    a, b = np.array(d.randint(-3 if dtype.kind != "u" else 0, 3), dtype), np.array(d.randint(4, 9), dtype)
    shape = np.array(dims, np.int64).reshape(len(dims))

    def judge(have, want, _):
        if (have[0].dtype, have[0].shape) != (dtype, tuple(dims)):
            return f"{have[0].dtype}{list(have[0].shape)} instead of {dtype}{list(dims)}"
        x = have[0].astype(np.float64)
        good = (x >= float(a)) & (x < float(b)) if distribution == "UNIFORM" else np.abs(x) < 3 + 9 * 9.0
        # A draw next to the upper bound may round up to it in a narrow type.
        good |= (x == float(b)) & (dtype.itemsize == 2)
        return None if good.all() else f"{have[0][~good][0]} is no draw from {distribution} of {a}, {b}"

    attributes = {"rng_distribution": f"#xla<rng_distribution {distribution}>"}
    return one_op("rng", [a, b, shape], [tensor(dtype, dims)], attributes, constants=1, judge=judge)


def batch_norm(d: Draw) -> Case:
    """Whole programs of both passes are bounded in `test_random_normalization.py`; here their sizes and features."""
    double = d.chance(0.4)
    name = "f64" if double else "f32"
    x = d.array(name, d.dims(1, 4, 2000, [1, 2, 3, 4, 5, 8, 9, 17]), "moderate")
    feature = d.randrange(x.ndim)
    n = x.shape[feature]
    vectors = [np.abs(d.array(name, (n,), "unit")) + x.dtype.type(0.5) for _ in range(4)]
    op = d.choice(["batch_norm_inference", "batch_norm_training", "batch_norm_grad"])
    attributes = {"epsilon": f"{d.choice([0.01, 0.1, 1.0])} : f32", "feature_index": f"{feature} : i64"}
    per_feature, whole = tensor(x.dtype, (n,)), tensor(x.dtype, x.shape)
    # What is rounded is at most of the size of a few products with 1/sqrt(epsilon + 0.5) <= 10 (training: 10).
    largest = float(np.abs(x).max(initial=1.0)) + 1
    terms = x.size // max(n, 1) + 16
    if op == "batch_norm_inference":
        within = [16 * _eps(x.dtype) * largest * 4]
        return one_op(op, [x, *vectors], [whole], attributes, within=within)
    if op == "batch_norm_training":
        within = [terms * _eps(x.dtype) * w for w in (largest**3 * 1000, largest, largest**2)]
        return one_op(op, [x, *vectors[:2]], [whole, per_feature, per_feature], attributes, within=within)
    slopes = d.array(name, x.shape, "moderate")
    steep = float(np.abs(slopes).max(initial=1.0)) * terms
    within = [terms * _eps(x.dtype) * w for w in (steep * largest**2 * 8, steep * largest * 4, steep)]
    operands = [x, *vectors[:3], slopes]
    return one_op(op, operands, [whole, per_feature, per_feature], attributes, within=within)


DRAWS = {fft: 4, cholesky: 3, triangular_solve: 4, rng_bit_generator: 3, rng: 1, batch_norm: 1}
