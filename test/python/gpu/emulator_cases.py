# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which instructions of PTX the emulator's own tests execute, whose results are not the emulator's: single ones, of
`emulator/test/instructions.txt`, with bits that PTX's manual tells, and those of the kernels in CUDA C++ beside it,
whose results are computed on the host."""

from __future__ import annotations

import functools
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
INSTRUCTION = re.compile(r"\s*(?:@!?%?\w+\s+)?([a-z]\w*(?:(?:\.|::)\w+)+|ret|bra|exit|trap)\b")
LABEL = re.compile(r"\s*\$?\w+:(?!:)")
#: How a test of lit compiles its kernels.
COMPILED = re.compile(r"--cuda-gpu-arch=(\S+) --cuda-feature=(\S+).*?/(\w+\.cu)$", re.DOTALL | re.MULTILINE)


def instructions(ptx: str) -> Iterator[str]:
    """With all modifiers; the few that have none are those that LLVM emits."""
    for line in ptx.splitlines():
        for piece in line.partition("//")[0].split(";"):
            if found := INSTRUCTION.match(LABEL.sub("", piece.replace("{", " ", 1) if "{" in piece[:2] else piece)):
                yield found[1]


@functools.cache
def covered() -> frozenset[str]:
    cases = (ROOT / "emulator" / "test" / "instructions.txt").read_text().splitlines()
    found = {each for case in cases if case[:1] not in "#:" for each in instructions(case.split(" : ")[1])}
    for test in sorted((ROOT / "test" / "emulator").glob("*.test")):
        for architecture, feature, kernels in COMPILED.findall(test.read_text()):
            command = ["clang++-22", *"-x cuda --cuda-device-only -nocudainc -nocudalib -O2 -S -w -o -".split()]
            command += [f"--cuda-gpu-arch={architecture}", f"--cuda-feature={feature}"]
            source = ROOT / "emulator" / "test" / kernels
            found |= set(
                instructions(subprocess.run([*command, source], capture_output=True, text=True, check=True).stdout)
            )
    return frozenset(found)
