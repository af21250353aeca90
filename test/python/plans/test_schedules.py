# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The schedules that docs/schedules.md explains are those that the compiler makes."""

import re
from pathlib import Path

from plan_text import kernels

ROOT = Path(__file__).resolve().parents[3]


def made() -> list[str]:
    programs = (ROOT / "examples" / "schedules.mlir").read_text().split("// -----\n")
    return [plans for program in programs for plans in re.findall(r"xla_rt\.plans = (\[.*?>\])", kernels(program))]


def test_the_page_is_true():
    page = (ROOT / "docs" / "schedules.md").read_text()
    shown = re.findall(r"^@\w+: +(\[.*\])$", page, re.MULTILINE)
    assert len(shown) >= 5
    assert shown == made()
