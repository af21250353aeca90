# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random whole programs of many types and sizes: machine code against the reference interpreter.

The same programs every time; `python fuzz.py FIRST LAST` in this folder tries others."""

import os

import pytest
from processors import OTHER_PROCESSORS
from typed_checks import difference, evaluated, shrunk
from typed_programs import program
from vector_cases import TARGETS

SEEDS = range(3000 if os.environ.get("HYPOTHESIS_PROFILE") == "deep" else 250)


def complaint(p, cpu=""):
    """How the results of the machine code differ, or None."""
    have, want = evaluated(p, "cpu", cpu=cpu), evaluated(p, "reference")
    assert len(have) == len(want)
    return next(filter(None, map(difference, have, want, p.results)), None)


def check(seed, cpu=""):
    p = program(seed)
    found = complaint(p, cpu)
    if found:
        smaller = shrunk(p, lambda q: complaint(q, cpu) is not None)
        pytest.fail(f"{found}\n{smaller.text()}")


@pytest.mark.skipif("cpu" not in TARGETS, reason="no cpu target")
@pytest.mark.parametrize("seed", SEEDS)
def test_program(seed):
    check(seed)


@pytest.mark.skipif("cpu" not in TARGETS, reason="no cpu target")
@pytest.mark.parametrize("seed", range(1000, 1040))
@pytest.mark.parametrize("cpu", OTHER_PROCESSORS)
def test_program_for_other_processors(seed, cpu):
    check(seed, cpu)


@pytest.mark.skipif("cpu" not in TARGETS, reason="no cpu target")
@pytest.mark.parametrize("cpu", OTHER_PROCESSORS)
def test_sum_of_few_different_terms(cpu):
    """Which are rounded in the same direction again and again."""
    check(950033, cpu)
