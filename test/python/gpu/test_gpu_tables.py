# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tables about kernels for GPUs are computed from: launches, plans, occupancy."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "benchmarks"))

from gpu_peaks import MULTIPROCESSORS
from gpu_program import compiled
from programs import PROGRAMS


@pytest.mark.parametrize(
    ("architecture", "block", "registers", "shared", "share"),
    [
        ("sm_80", 128, 32, 0, 1.0),
        ("sm_80", 32, 16, 0, 0.5),  # 32 blocks
        ("sm_80", 256, 64, 0, 0.5),
        ("sm_80", 128, 255, 0, 0.125),
        ("sm_90a", 128, 40, 0, 0.75),
        ("sm_90a", 1024, 33, 0, 0.5),  # two blocks would take 66,560 registers
        ("sm_80", 256, 32, 48 << 10, 0.375),  # three blocks of 49 KiB in 164
        ("sm_90a", 256, 32, 48 << 10, 0.5),  # four in 228
        ("sm_90a", 384, 168, 200 << 10, 0.1875),
    ],
)
def test_occupancy(architecture, block, registers, shared, share):
    assert MULTIPROCESSORS[architecture].occupancy(block, registers, shared) == share


def test_kernels_of_a_program():
    [kernel] = compiled(PROGRAMS["softmax"]).kernels.values()
    assert (kernel.kind, kernel.launches, kernel.is_fast) == ("rows", 1, True)
    assert kernel.plans and kernel.grid * kernel.block >= 2048
    [kernel] = compiled(PROGRAMS["dot_8"]).kernels.values()
    assert kernel.kind == "contraction" and not kernel.is_fast


def test_launches_of_loops():
    """A loop of 200 turns launches a kernel and the counter's, and asks once more than it turns."""
    found = compiled(PROGRAMS["heat"])
    turning = [each.launches for each in found.kernels.values()]
    assert max(turning) >= 200 and found.launches >= 400
    assert found.reads in (0, 201)  # the host decides, or the device does
