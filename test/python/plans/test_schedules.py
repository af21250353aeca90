# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The schedules that docs/schedules.md explains are those that the compiler makes."""

import re
from pathlib import Path

import pytest
from plan_text import kernels

from mlir_xla import ir

ROOT = Path(__file__).resolve().parents[3]


def made() -> list[str]:
    programs = (ROOT / "examples" / "schedules.mlir").read_text().split("// -----\n")
    return [plans for program in programs for plans in re.findall(r"xla_rt\.plans = (\[.*?>\])", kernels(program))]


def test_the_page_is_true():
    page = (ROOT / "docs" / "schedules.md").read_text()
    shown = re.findall(r"^@\w+: +(\[.*\])$", page, re.MULTILINE)
    assert len(shown) >= 5
    assert shown == made()


def test_the_table_has_every_part():
    """What the parser expects is what the page explains."""
    with ir.Context(), pytest.raises(ir.MLIRError) as raised:
        ir.Attribute.parse("#xla_rt.nest<4x4, nonsense>")
    expected = set(re.findall(r"'(\w+)'", str(raised.value)))
    page = (ROOT / "docs" / "schedules.md").read_text()
    rows = "".join(re.findall(r"^\| (`[^|]*`) \|", page, re.MULTILINE))
    explained = set(re.findall(r"`([a-z_]+)", rows))
    assert "lanes" in expected and expected == explained
