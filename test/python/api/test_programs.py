# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole programs as JAX exports them (test/programs): machine code against the reference interpreter."""

import functools
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from api_programs import ALL_TARGETS, TARGETS
from comparison import difference, is_float
from processors import OTHER_PROCESSORS

import mlir_xla
from mlir_xla.tools import _arrays

FOLDER = Path(__file__).resolve().parents[2] / "programs"

# Programs that move values, or round each once, as the interpreter does.
EXACT = {
    *("bitcast_complex", "conditional_loop", "embedding", "empty_reductions", "empty_results", "heat", "max_pool"),
    *("fori_vector", "narrow_stores", "padded_arguments", "reshape_across", "shape_mix", "shift_in_place", "swap_loop"),
    "update_slices",
}
# How much the others may differ, in eps of the largest element: their sums have up to a few thousand terms, whose
# errors, of either sign, grow with the root of the number. A recurrence amplifies them from step to step.
ROUNDINGS = {"rnn_while": 128}

NEEDS_CPU = pytest.mark.skipif("cpu" not in TARGETS, reason="no cpu target")
PROGRAMS = pytest.mark.parametrize("path", sorted(FOLDER.glob("*.mlir")), ids=lambda path: path.stem)


def listed(results):
    return results if isinstance(results, tuple) else (results,)


@functools.cache
def reference(path):
    """The signature of a program, arguments, and what the interpreter makes of them."""
    oracle = mlir_xla.compile(path, target="reference")
    arrays = _arrays.synthetic(oracle.arg_types, seed=7)
    return oracle.arg_types, arrays, listed(oracle(*arrays))


def check(path, target="cpu", **options):
    compiled = mlir_xla.compile(path, target=target, **options)
    types, arrays, expected = reference(path)
    assert compiled.arg_types == types
    found = listed(compiled(*arrays))
    assert len(found) == len(expected) > 0
    for have, want in zip(found, map(np.asarray, expected), strict=True):
        within = 0.0
        part = want.real.dtype
        if is_float(part) and path.stem not in EXACT:
            largest = np.abs(want[np.isfinite(want)]).max(initial=0.0)
            within = ROUNDINGS.get(path.stem, 16) * float(ml_dtypes.finfo(part).eps) * float(largest)
        assert not (problem := difference(have, want, within)), problem


@pytest.mark.parametrize("target", [target for target in ALL_TARGETS if target.startswith("cuda")])
@PROGRAMS
def test_program_on_a_gpu(path, target):
    check(path, target)


@NEEDS_CPU
@PROGRAMS
def test_program(path):
    check(path)


@NEEDS_CPU
@PROGRAMS
@pytest.mark.parametrize("cpu", OTHER_PROCESSORS)
def test_program_for_other_processors(path, cpu):
    check(path, cpu=cpu)


def test_there_are_programs():
    assert len(list(FOLDER.glob("*.mlir"))) >= 20
