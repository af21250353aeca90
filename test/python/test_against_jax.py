# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole programs against XLA itself: what JAX exports runs here and gives what JAX computes.

The programs are those of `benchmarks/`: one small program per form of every operation, small variants of the measured
programs, and texts of other producers.
"""

from __future__ import annotations

import pathlib
import sys

import numpy as np
import pytest

import mlir_xla

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "benchmarks"))

from measure import disagreement
from op_cases import op_cases
from program import Program
from small_programs import small_programs
from text_cases import TEXT_CASES, run_text, text_specs

_PROGRAMS = op_cases() | small_programs()


def _run(text: str, arguments: list[np.ndarray]) -> list[np.ndarray]:
    found = mlir_xla.compile(text)(*arguments)
    return [np.asarray(each) for each in (found if isinstance(found, (list, tuple)) else [found])]


def _check(program: Program, found: list[np.ndarray], expected: list[np.ndarray]) -> None:
    _, problem = disagreement(found, expected, program.rtol, program.atol, program.mismatch)
    assert not problem, problem


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
    program = Program(name, "text", lambda *_: None, text_specs(text), rtol=2e-2 if "bf16" in text else 1e-4)
    arguments = program.arguments()
    # XLA does not read resources; the values are those of the resource in the text.
    expected = run_text(text.replace("dense_resource<weights>", "dense<[1.0, 2.0, 3.0, 4.0]>"), arguments)
    _check(program, _run(text, arguments), expected)
