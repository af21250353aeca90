# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole programs as JAX exports them (test/programs): machine code against the reference interpreter."""

import functools
from pathlib import Path

import numpy as np
import pytest
from api_programs import OTHER_PROCESSORS, TARGETS

import mlir_xla
from mlir_xla.tools import _arrays

FOLDER = Path(__file__).resolve().parents[2] / "programs"


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


def check(path, **options):
    compiled = mlir_xla.compile(path, target="cpu", **options)
    types, arrays, expected = reference(path)
    assert compiled.arg_types == types
    found = listed(compiled(*arrays))
    assert len(found) == len(expected) > 0
    for have, want in zip(found, expected, strict=True):
        assert (have.dtype, have.shape) == (want.dtype, want.shape)
        if have.dtype.kind in "fc":
            np.testing.assert_allclose(have, want, rtol=2e-4, atol=2e-5)
        else:
            np.testing.assert_array_equal(have, want)


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
