# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of the device's library whose threads share work: the emulator's checks find nothing, whatever the order of
the threads."""

import mutants
import pytest


@pytest.mark.parametrize("name", mutants.LIBRARY)
def test_nothing_is_found(name):
    assert mutants.run(mutants.LIBRARY[name]) == ""
