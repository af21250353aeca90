# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The vectors of the sort family."""

import pytest
from vector_cases import TARGETS, accepted, check_accepted, check_rejected, rejected


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("vector", accepted("sort"))
def test_accepted(vector, target):
    check_accepted(vector, target)


@pytest.mark.parametrize("vector", rejected("sort"))
def test_rejected(vector):
    check_rejected(vector)
