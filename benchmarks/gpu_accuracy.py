# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How far the estimates of `gpu_model.py` are from what was measured."""

from __future__ import annotations

import json
import pathlib
import re
import statistics
from collections.abc import Iterable, Mapping

RESULTS = pathlib.Path(__file__).resolve().parent / "results" / "gpu"
#: Programs below this many seconds in a stream say how calls are made: a caller takes 6 to 16 us for one.
LEAST = 20e-6
#: What plans have that came after the newest results: threads had one element then, scans had no tiles, clusters two
#: blocks, the words of scatters were sorted, not dealt, rows had no pieces, and transforms nothing around them.
LATER = re.compile(
    r"\bapart\b|\bordered d\d+, cut\b|\bcluster 4\b|\bupdates<dealt\b|\blanes (?:(?!ordered)[^<>])*\bthreads\b"
    r"|\baround a transform\b"
)


def measured(path: pathlib.Path | None = None) -> dict[str, float]:
    """Seconds in a stream by program; the newest results, if none are named."""
    records = json.loads((path or max(RESULTS.glob("*.json"))).read_text())["programs"]
    return {each["name"]: each["streamed"]["ours"]["median"] for each in records if "streamed" in each}


def are_measured(plans: Iterable[str]) -> bool:
    """Whether the results are of a program with these plans, and not of one before it."""
    return not any(map(LATER.search, plans))


def halves(times: Mapping[str, float]) -> tuple[list[str], list[str]]:
    """Programs to fit to and programs to judge by: every other one of each family's, as the families follow each
    other."""
    names = [name for name, seconds in times.items() if seconds >= LEAST]
    return names[::2], names[1::2]


def summary(ratios: list[float]) -> str:
    """Of measured to estimated times."""
    within = [sum(1 / factor <= each <= factor for each in ratios) for factor in (1.5, 2)]
    middle = statistics.median(ratios)
    return f"{middle:.2f} in the median of {len(ratios)}, {within[0]} within a factor of 1.5, {within[1]} within 2"
