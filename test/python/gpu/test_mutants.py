# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The emulator's checks find every synchronisation that compiled kernels would lack, and each is needed."""

import mutants
import pytest


@pytest.mark.parametrize("name", mutants.PROGRAMS)
def test_no_mutant_survives(name):
    count, alive = mutants.survivors(mutants.PROGRAMS[name])
    assert count > 0
    assert not alive
