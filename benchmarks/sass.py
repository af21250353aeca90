# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NVIDIA's disassembler, if it is there: what the inner loops of kernels with tensor cores are made of.

It is the one of the package `nvidia-cuda-nvdisasm` (`tools/setup/cuda-checks.sh` installs it), of
`$MLIR_XLA_NVDISASM`, or of the path; proprietary, and needed by nothing but a column of a table, as `ptxas` is.
"""

from __future__ import annotations

import dataclasses
import functools
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import ptxas

_LABEL = re.compile(r"^(\.\w+):$")
_BRANCH = re.compile(r"\bBRA\S* .*`\((\.\w+)\)")
_TENSOR = re.compile(r"\b(?:H|I|D|Q)MMA\.")
_WARPGROUP = re.compile(r"\b(?:HG|IG|QG)MMA\.")
# The assembler puts loads that are never executed before copies past the registers.
_LOAD = re.compile(r"^\s*/\*\w+\*/\s+(?:@!?U?P\d+ )?\s*LDSM?\b")


@dataclasses.dataclass(frozen=True)
class Loop:
    """Instructions of one turn: of tensor cores by warps, and by warpgroups, which read shared memory themselves; loads
    from shared memory."""

    warps: int
    warpgroups: int
    loads: int

    def __str__(self) -> str:
        if self.warpgroups:
            return f"{self.warpgroups} a stage"
        return f"{self.warps / self.loads:.1f}" if self.loads else "no loads"


@functools.cache
def find() -> pathlib.Path:
    """The disassembler. Raises ptxas.Absent."""
    if given := os.environ.get("MLIR_XLA_NVDISASM"):
        return pathlib.Path(given)
    try:
        beside = ptxas.find().with_name("nvdisasm")
        if os.access(beside, os.X_OK):
            return beside
    except ptxas.Absent:
        pass
    if on_path := shutil.which("nvdisasm"):
        return pathlib.Path(on_path)
    raise ptxas.Absent("there is no nvdisasm: tools/setup/cuda-checks.sh PYTHON installs it from PyPI")


def inner_loop(lines: list[str]) -> Loop | None:
    """Of a kernel's instructions, the shortest loop with instructions of tensor cores: from a label to where a branch
    leads back to it. None if there is no such loop."""
    places: dict[str, int] = {}
    found: tuple[int, Loop] | None = None
    for number, line in enumerate(lines):
        if label := _LABEL.match(line.strip()):
            places[label[1]] = number
        branch = _BRANCH.search(line)
        if not branch or branch[1] not in places:
            continue
        body = lines[places[branch[1]] : number]
        counts = (sum(bool(each.search(text)) for text in body) for each in (_TENSOR, _WARPGROUP, _LOAD))
        loop = Loop(*counts)
        if loop.warps + loop.warpgroups and (found is None or len(body) < found[0]):
            found = (len(body), loop)
    return found[1] if found else None


def inner_loops(ptx: str, architecture: str) -> dict[str, Loop]:
    """Of the kernels with tensor cores in PTX, by name."""
    with tempfile.TemporaryDirectory() as folder:
        cubin = pathlib.Path(folder, "kernels.cubin")
        ptxas.assemble(ptx, architecture, cubin)
        text = subprocess.run([find(), "--print-code", cubin], capture_output=True, text=True, check=True).stdout
    parts = re.split(r"^\.text\.([\w$]+):$", text, flags=re.MULTILINE)
    loops = {name: inner_loop(code.splitlines()) for name, code in zip(parts[1::2], parts[2::2], strict=True)}
    return {name: loop for name, loop in loops.items() if loop}
