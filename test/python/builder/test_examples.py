# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every function of `mlir_xla.ops` has an example in its docstring, which runs and prints what is written there."""

import doctest
import types

import numpy as np
import pytest
from example_scope import scope
from vector_cases import TARGETS

from mlir_xla import ops

FUNCTIONS = [name for name in ops.__all__ if isinstance(getattr(ops, name), types.FunctionType)]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_example(name, target):
    example = doctest.DocTestParser().get_doctest(
        getattr(ops, name).__doc__ or "", scope(target), f"ops.{name}", None, 0
    )
    assert example.examples, f"ops.{name} has no example"
    assert any(f"ops.{name}(" in each.source for each in example.examples), f"the example does not call ops.{name}"
    report: list[str] = []
    with np.printoptions(precision=4, suppress=True):
        doctest.DocTestRunner().run(example, out=report.append)
    assert not report, "".join(report)


def test_an_example_can_fail():
    example = doctest.DocTestParser().get_doctest(
        ">>> run(ops.Neg(value([1])))\narray([1], dtype=int32)\n", scope("reference"), "wrong", None, 0
    )
    report: list[str] = []
    assert doctest.DocTestRunner().run(example, out=report.append).failed == 1
    assert "array([-1], dtype=int32)" in "".join(report)
