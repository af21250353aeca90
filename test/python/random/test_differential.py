# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A sample of `differential.py`: machine code against the reference interpreter, the same programs every time."""

import os

import differential
import numpy as np
import pytest
from vector_cases import TARGETS

COUNT = 2000 if os.environ.get("HYPOTHESIS_PROFILE") == "deep" else 160
NEEDS_CPU = pytest.mark.skipif("cpu" not in TARGETS, reason="no cpu target")


@NEEDS_CPU
def test_programs():
    found = [each for each in differential.tried(list(range(COUNT)), "reference") if each[2]]
    assert [each for each in found if not each[2].startswith("missing")] == []


def test_every_family_is_drawn():
    kinds = {differential.trial(seed).kind for seed in range(1500)}
    assert {"graph", "control flow", "sort", "scatter", "fft", "cholesky", "rng_bit_generator", "convolution"} <= kinds
    assert len(kinds) > 50


def test_a_program_follows_from_its_seed():
    for seed in range(20):
        one, two = differential.trial(seed), differential.trial(seed)
        assert one.text == two.text
        assert [each.tobytes() for each in one.arrays] == [each.tobytes() for each in two.arrays]


@NEEDS_CPU
@pytest.mark.parametrize("wrong", ["value", "error", "crash"])
def test_what_is_wrong_is_found(wrong, monkeypatch):
    def broken(text, arrays, target):
        results = sound(text, arrays, target)
        if target == "reference":
            return results
        if wrong == "crash":
            os.abort()
        if wrong == "error":
            raise ValueError("no such thing")
        return [np.zeros_like(r) if r.dtype == bool else r + r.dtype.type(1) for r in results]

    sound = differential._results
    seeds = [seed for seed in range(400) if differential.trial(seed).kind in ("iota", "get_dimension_size")]
    monkeypatch.setattr(differential, "_results", broken)
    found = [problem for _, _, problem in differential.tried(seeds[:3], "reference")]
    expected = {"value": "instead of", "error": "no such thing", "crash": "crash"}[wrong]
    assert len(found) == 3 and all(expected in each for each in found)
