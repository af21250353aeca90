# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random elementwise code around Fourier transforms, which is a part of them on GPUs.

The same programs every time; `python transforms.py` in this folder tries others."""

import os

import pytest
import transform_programs
from vector_cases import TARGETS

SEEDS = range(500 if os.environ.get("HYPOTHESIS_PROFILE") == "deep" else 40)


@pytest.mark.parametrize("target", [target for target in TARGETS if target != "reference"])
@pytest.mark.parametrize("seed", SEEDS)
def test_program(seed, target):
    p = transform_programs.program(seed)
    found = transform_programs.verdict(p, target)
    assert not found, f"{found}\n{p.text()}"
