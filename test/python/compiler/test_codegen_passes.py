# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What LLVM's code generation passes that are left out would change: nothing in the results, to the bit."""

from pathlib import Path

import pytest

import mlir_xla
from mlir_xla._mlir_libs._xla import compiler
from mlir_xla.api import parse
from mlir_xla.tools import _arrays

PROGRAMS = sorted((Path(__file__).resolve().parents[2] / "programs").glob("*.mlir"))


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_same_results(path):
    fewer, every = (compiler.compile(parse(path).operation, all_codegen_passes=choice) for choice in (False, True))
    arguments = _arrays.synthetic(mlir_xla.compile(path).arg_types, seed=11)
    for have, want in zip(fewer.run(arguments), every.run(arguments), strict=True):
        assert have.tobytes() == want.tobytes()


def test_there_are_programs():
    assert len(PROGRAMS) >= 20
