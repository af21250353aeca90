# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random cases of the fft family, against the interpreter, which transforms in float64."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_cases import DTYPES, SEEDS, Case, check, elements, ints, one_op, tensor
from vector_cases import TARGETS

import mlir_xla

KINDS = ("FFT", "IFFT", "RFFT", "IRFFT")
PRIMES = [n for n in range(53, 1010) if all(n % p for p in range(2, 32))]
LENGTH = st.one_of(st.integers(0, 50), st.sampled_from([64, 100, 128, 210, 243, 256, 512, 1000, 1024]))
# Convolutions instead of sums, rows that are vectorized each by itself, and those that are longer than a cache.
LONG = st.one_of(st.sampled_from(PRIMES), st.sampled_from([2048, 3000, 4096, 8190, 9973, 12000, 16384, 20011]))
# Few rows, so long that they are split: factors that are multiples of an item's lines, and others.
SPLIT = [("FFT", [], 66000), ("IFFT", [3], 75000), ("FFT", [2], 1 << 19), ("IFFT", [], 65610)]
# Columns of powers of two, fewer and more than a vector has lanes, among them.
DIMENSIONS = [
    [1009, 7],
    [7, 1009],
    [300, 40],
    [40, 20, 20],
    [2048, 9],
    [64, 300],
    [16, 32, 36],
    [4, 8, 1000],
    [256, 57],
]
BATCH = st.lists(st.sampled_from([0, 1, 2, 3, 5, 7, 8, 9, 16, 17, 33, 40]), max_size=2)


def fft(kind: str, wide: bool, batch: list[int], lengths: list[int], seed: int) -> Case:
    real, complex_ = (DTYPES[name] for name in (("f64", "c128") if wide else ("f32", "c64")))
    frequencies = lengths[-1] // 2 + 1 if kind == "IRFFT" or lengths[-1] else 0
    whole, half = [*batch, *lengths], [*batch, *lengths[:-1], frequencies]
    operand = elements(real if kind == "RFFT" else complex_, half if kind == "IRFFT" else whole, seed, "moderate")
    result = tensor(real if kind == "IRFFT" else complex_, half if kind == "RFFT" else whole)
    attributes = {"fft_type": f"#xla<fft_type {kind}>", "fft_length": ints(lengths)}
    case = one_op("fft", [operand], [result], attributes, signed_zeros=False)
    # Each pass rounds numbers that are together as large as the operand.
    axes, size = tuple(range(-len(lengths), 0)), math.prod(lengths)
    norm = np.sqrt(np.sum(np.abs(operand.astype(np.complex128)) ** 2, axis=axes, keepdims=True))
    scale = 2 / size if size and kind in ("IFFT", "IRFFT") else 1
    case.within = [4 * (2 + math.log2(max(1, size))) * float(np.finfo(real).eps) * norm * scale]
    return case


def few_enough(batch: list[int], lengths: list[int]) -> bool:
    return math.prod(max(1, n) for n in [*batch, *lengths]) <= 60000


@given(st.sampled_from(KINDS), st.booleans(), BATCH, st.lists(LENGTH, min_size=1, max_size=3), SEEDS)
def test_fft(kind, wide, batch, lengths, seed):
    while not few_enough(batch, lengths):
        batch, lengths = batch[:-1], lengths if batch else lengths[1:]
    check(fft(kind, wide, batch, lengths, seed))


@given(st.sampled_from(KINDS), st.booleans(), st.sampled_from([[], [3], [11], [2, 9], [40]]), LONG, SEEDS)
def test_long_fft(kind, wide, batch, length, seed):
    check(fft(kind, wide, batch, [length], seed))


@settings(max_examples=6)
@given(st.sampled_from(SPLIT), st.booleans(), SEEDS)
def test_fft_in_two_steps(rows, wide, seed):
    kind, batch, length = rows
    check(fft(kind, wide, batch, [length], seed))


@given(st.sampled_from(KINDS), st.booleans(), st.sampled_from(DIMENSIONS), SEEDS)
def test_fft_for_each_dimension(kind, wide, lengths, seed):
    check(fft(kind, wide, [], lengths, seed))


@pytest.mark.skipif("cpu" not in TARGETS, reason="no cpu target")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "batch, lengths",
    [
        ([1000], [60]),
        ([2, 37], [97]),
        ([6], [4096]),
        ([3], [131, 129]),
        ([20], [64, 65]),
        ([], [63, 64, 30]),
        ([3], [256, 70]),
        ([3], [75000]),
    ],
    ids=str,
)
def test_same_bits_on_one_thread(kind, batch, lengths):
    case = fft(kind, False, batch, lengths, 5)
    several, one = (np.asarray(mlir_xla.compile(case.text, threads=n)(*case.arrays)) for n in (0, 1))
    assert np.array_equal(several.view(np.uint8), one.view(np.uint8))
