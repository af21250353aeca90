# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole programs as JAX exports them (test/programs): machine code against the reference interpreter."""

from pathlib import Path

import numpy as np
import pytest
from api_programs import TARGETS

import mlir_xla
from mlir_xla.tools import _arrays

FOLDER = Path(__file__).resolve().parents[2] / "programs"


@pytest.mark.skipif("cpu" not in TARGETS, reason="no cpu target")
@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.mlir")), ids=lambda path: path.stem)
def test_program(path):
    compiled, oracle = (mlir_xla.compile(path, target=target) for target in ("cpu", "reference"))
    assert compiled.arg_types == oracle.arg_types
    arrays = _arrays.synthetic(compiled.arg_types, seed=7)
    found, expected = ((r if isinstance(r, tuple) else (r,)) for r in (compiled(*arrays), oracle(*arrays)))
    assert len(found) == len(expected) > 0
    for have, want in zip(found, expected, strict=True):
        assert (have.dtype, have.shape) == (want.dtype, want.shape)
        if have.dtype.kind in "fc":
            np.testing.assert_allclose(have, want, rtol=2e-4, atol=2e-5)
        else:
            np.testing.assert_array_equal(have, want)


def test_there_are_programs():
    assert len(list(FOLDER.glob("*.mlir"))) >= 20
