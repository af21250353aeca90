# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The emulator's checks find every synchronisation that compiled kernels would lack, and each is needed."""

import mutants
import pytest

#: Clusters and the device's library are for the command: there are many more mutants of them.
PROGRAMS = {
    name: each
    for name, each in mutants.own_programs().items()
    if "clusters" not in name and name not in mutants.LIBRARY
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_no_mutant_survives(name):
    count, alive = mutants.survivors(*PROGRAMS[name])
    assert count > 0
    assert not alive
