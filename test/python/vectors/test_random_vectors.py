# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The vectors of the random family."""

import pytest
from vector_cases import TARGETS, accepted, check_accepted, check_rejected, rejected


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("vector", accepted("random"))
def test_accepted(vector, target):
    check_accepted(vector, target)


@pytest.mark.parametrize("vector", rejected("random"))
def test_rejected(vector):
    check_rejected(vector)
