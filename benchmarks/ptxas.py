# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NVIDIA's assembler, if it is there: whether it takes a program's PTX, and what it makes of the kernels.

It is the one of the package `nvidia-cuda-nvcc` (`tools/setup/cuda-checks.sh` installs it), of `$MLIR_XLA_PTXAS`, or of
the path. It is proprietary, so it is no part of this project and nothing but tests and tables needs it.
"""

from __future__ import annotations

import dataclasses
import functools
import os
import pathlib
import re
import shutil
import subprocess
import sysconfig
import tempfile

#: What PTX is assembled for: the oldest GPUs that it is for, and the newer ones of data centres.
ARCHITECTURES = ("sm_80", "sm_90a", "sm_100")


class Absent(Exception):
    """There is no assembler here."""


class Refused(Exception):
    """What the assembler says of PTX that it does not take, or takes with a warning."""


@dataclasses.dataclass(frozen=True)
class Kernel:
    """What a kernel takes: registers of a thread; bytes of its stack, of registers that are stored there and loaded
    again, and of static shared memory of a block."""

    name: str
    registers: int
    stack: int
    spill_stores: int
    spill_loads: int
    shared: int
    barriers: int


@functools.cache
def find() -> pathlib.Path:
    """The assembler. Raises Absent."""
    given = os.environ.get("MLIR_XLA_PTXAS")
    if given:
        return pathlib.Path(given)
    packages = pathlib.Path(sysconfig.get_path("purelib"), "nvidia")
    for folder in (*sorted(packages.glob("cu[0-9]*"), reverse=True), packages / "cuda_nvcc"):
        if os.access(folder / "bin" / "ptxas", os.X_OK):
            return folder / "bin" / "ptxas"
    if on_path := shutil.which("ptxas"):
        return pathlib.Path(on_path)
    raise Absent("there is no ptxas: tools/setup/cuda-checks.sh PYTHON installs it from PyPI")


def version() -> str:
    """Of the assembler, such as "13.0.88"."""
    found = subprocess.run([find(), "--version"], capture_output=True, text=True, check=True)
    match = re.search(r"V([\d.]+)", found.stdout)
    return match[1] if match else found.stdout.strip()


def image(text: str, architecture: str) -> str:
    """What a device of that architecture takes of a program's PTX, which may be for several: with the instructions that
    are comments in it for older devices, as the runtime loads it."""
    parts = re.split(r"// For (\w+):\n", text)
    images = dict(zip(parts[1::2], parts[2::2], strict=True)) or {"sm_80": parts[0]}
    found = images.get(architecture, images["sm_80"])
    if int(re.sub(r"\D", "", architecture)) < 90 or "//.sm_90 " not in found:
        return found
    return re.sub(r"\.target sm_8\d", ".target sm_90", found.replace("//.sm_90 ", ""))


def assemble(ptx: str, architecture: str, cubin: pathlib.Path | None = None) -> dict[str, Kernel]:
    """The kernels of PTX, by name, whose machine code is written to `cubin`. Raises Refused if there is an error or a
    warning."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "kernels.ptx")
        source.write_text(ptx)
        output = cubin or source.with_suffix(".o")
        command = [find(), "--verbose", f"--gpu-name={architecture}", source, "--output-file", output]
        found = subprocess.run(command, capture_output=True, text=True)
    said = found.stdout + found.stderr
    problem = re.compile(r"\b(error|fatal|warning|performance loss)\b", re.IGNORECASE)
    problems = [line for line in said.splitlines() if problem.search(line)]
    if found.returncode or problems:
        raise Refused("\n".join(problems[:10]) or f"status {found.returncode}: {said[-1000:]}")
    return _kernels(said)


_ENTRY = re.compile(
    r"Compiling entry function '(?P<name>[^']+)' for .*?"
    r"(?P<stack>\d+) bytes stack frame, (?P<stores>\d+) bytes spill stores, (?P<loads>\d+) bytes spill loads.*?"
    r"Used (?P<registers>\d+) registers(?P<more>[^\n]*)",
    re.DOTALL,
)


def _kernels(said: str) -> dict[str, Kernel]:
    kernels = {}
    for match in _ENTRY.finditer(said):
        numbers = {key: int(each) for key, each in match.groupdict().items() if key not in ("name", "more")}
        shared = re.search(r"(\d+)(?:\+\d+)? bytes smem", match["more"])
        barriers = re.search(r"used (\d+) barriers", match["more"])
        kernels[match["name"]] = Kernel(
            match["name"],
            numbers["registers"],
            numbers["stack"],
            numbers["stores"],
            numbers["loads"],
            int(shared[1]) if shared else 0,
            int(barriers[1]) if barriers else 0,
        )
    return kernels
