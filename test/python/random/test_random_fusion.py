# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs that are hard to fuse: every kernel can be built, and computes what the interpreter does.

The same programs every time; `python fuse.py` in this folder tries others."""

import os

import fuse
import pytest
from vector_cases import TARGETS

SEEDS = range(2000 if os.environ.get("HYPOTHESIS_PROFILE") == "deep" else 200)


@pytest.mark.skipif("cpu" not in TARGETS, reason="no cpu target")
@pytest.mark.parametrize("seed", SEEDS)
def test_program(seed):
    p = fuse.fused_programs.program(seed)
    found = fuse.verdict(p, "", check=True)
    assert not found, f"{found}\n{p.text()}"
