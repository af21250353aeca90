# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole programs against XLA itself: what JAX exports runs here and gives what JAX computes.

The programs are those of `benchmarks/`: one small program per form of every operation, small variants of the measured
programs, and texts of other producers.
"""

from __future__ import annotations

import pathlib
import sys

import ml_dtypes
import numpy as np
import pytest
from comparison import difference, differing, is_float

import mlir_xla

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "benchmarks"))

from op_cases import op_cases
from program import Program
from small_programs import small_programs
from text_cases import TEXT_CASES, run_text, text_specs

_PROGRAMS = op_cases() | small_programs()


def _run(text: str, arguments: list[np.ndarray]) -> list[np.ndarray]:
    found = mlir_xla.compile(text)(*arguments)
    return [np.asarray(each) for each in (found if isinstance(found, (list, tuple)) else [found])]


# How much results may differ, in eps of their largest element: both sides round, in orders of their own. Sums that
# cancel and recurrences amplify that, and a method that chooses its steps by their errors is as exact as these may be,
# 1e-4 (842 eps). Narrow floats are computed in f32 and rounded: the same or a neighbour.
_ROUNDINGS = {"reduce_full_f32": 64, "fori_tiny_small": 128, "percentile": 64, "ode_adaptive_small": 842}
# A normal deviate amplifies the rounding of a logarithm where it is large.
_OF_FAMILY = {"shape": 0, "indexing": 0, "elementwise": 4, "sort": 0, "random": 64}


def _within(program: Program, want: np.ndarray) -> float:
    part = want.real.dtype
    if not is_float(part):
        return 0.0
    largest = float(np.abs(want[np.isfinite(want)]).max(initial=0.0))
    roundings = _ROUNDINGS.get(program.name, _OF_FAMILY.get(program.family, 16))
    if part.itemsize <= 2:
        roundings = min(roundings, 1)
    return roundings * float(ml_dtypes.finfo(part).eps) * largest


def _check(program: Program, found: list[np.ndarray], expected: list[np.ndarray]) -> None:
    assert len(found) == len(expected)
    for have, want in zip(found, expected, strict=True):
        within = _within(program, want)
        if problem := difference(have, want, within):
            # Where a rounding decides a branch, some elements are others.
            same = (have.dtype, have.shape) == (want.dtype, want.shape)
            assert same and differing(have, want, within).mean() <= program.mismatch, problem


@pytest.mark.parametrize("name", _PROGRAMS)
def test_exported(name: str) -> None:
    program = _PROGRAMS[name]
    arguments = program.arguments()
    _check(program, _run(program.export(), arguments), program.expected(arguments))


@pytest.mark.parametrize("name", sorted(_PROGRAMS)[::7])
def test_exported_in_generic_form(name: str) -> None:
    program = _PROGRAMS[name]
    arguments = program.arguments()
    _check(program, _run(program.export(generic=True), arguments), program.expected(arguments))


@pytest.mark.parametrize("name", TEXT_CASES)
def test_text(name: str) -> None:
    text = TEXT_CASES[name]
    program = Program(name, "text", lambda *_: None, text_specs(text))
    arguments = program.arguments()
    # XLA does not read resources; the values are those of the resource in the text.
    expected = run_text(text.replace("dense_resource<weights>", "dense<[1.0, 2.0, 3.0, 4.0]>"), arguments)
    _check(program, _run(text, arguments), expected)
