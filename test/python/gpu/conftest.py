# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The emulator's checked mode, for files of tests that ask for it."""

import pytest


@pytest.fixture(scope="module")
def checked():
    """Kernels of a file's tests, and of processes that they start, are looked at while they run: races, bounds, memory
    that was not written, barriers. A finding is an error of the call, and of all later ones in the process:
    `pytestmark = pytest.mark.usefixtures("checked")`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CUDA_EMU_CHECK", "1")
        yield
