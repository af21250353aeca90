# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How often this project and XLA launch something on a GPU for the measured programs, counted without one.

    python benchmarks/gpu_launches.py                     all programs
    python benchmarks/gpu_launches.py loop softmax        families, names, or parts of names
    python benchmarks/gpu_launches.py --into docs/gpu-model.md
    python benchmarks/gpu_launches.py --python .venv-cuda/bin/python   which has JAX for CUDA; else it is made (5 GB)

Here it is what `gpu_program.py` reads: kernels, copies within the device, and kernels by which the device decides. XLA
compiles ahead of time for an H100 (`xla_launches.py`), and its thunks are counted: kernels, copies, the copy of a
loop's condition to the host, and calls of libraries (cuDNN, cuFFT, cuSOLVER, cuBLAS), each of which launches one kernel
at least and is counted as one. Both count loops as often as they turn, and all branches.

What differs from XLA on a real GPU: nothing is tuned by measurement, so products are Triton's kernels where it might
have chosen cuBLAS, and CUB's sorts are missing, which it has for devices that are there: it sorts by its own kernels.
So programs that sort are counted apart. XLA can have whole sequences in a graph, as this project does; that is one
launch of the host for either, and is not counted here.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import subprocess
import sys
from collections.abc import Callable

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from environment import Unavailable, ahead_of_time_environment, clean_environment
from gpu_program import GpuProgram, compiled
from programs import choose
from work import turns_of

BEGIN, END = "<!-- launches -->", "<!-- end of launches -->"
HEADING = "| program | launches | of XLA | of these, calls of libraries |\n|---|---|---|---|"


class Peer:
    """XLA, in a process of another Python."""

    def __init__(self, python: str | os.PathLike) -> None:
        worker = pathlib.Path(__file__).with_name("xla_launches.py")
        self._process = subprocess.Popen(
            [python, worker],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=clean_environment(),
        )
        self.version = self._answer()["version"]

    def launches(self, name: str, turns: list[int]) -> dict:
        assert self._process.stdin
        print(json.dumps([name, turns]), file=self._process.stdin, flush=True)
        return self._answer()

    def close(self) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait()

    def _answer(self) -> dict:
        assert self._process.stdout
        # What the compiler prints itself comes between.
        for line in self._process.stdout:
            if line.startswith("{"):
                return json.loads(line)
        raise Unavailable(f"the process with XLA ended with status {self._process.wait()}")


def launches(program: GpuProgram) -> float:
    """Kernels, copies, and kernels that decide."""
    return program.launches + program.copies + program.decisions


def summary(rows: list[tuple[str, float, float]], sorts: Callable[[str], bool]) -> str:
    """How many programs have fewer, as many and more, and which those are; what XLA sorts with is not what it has on a
    GPU."""
    compared = [row for row in rows if not sorts(row[0])]
    fewer, equal, more = (
        [row for row in compared if (row[1] > row[2]) - (row[1] < row[2]) == sign] for sign in (-1, 0, 1)
    )
    text = f"Of {len(compared)} programs {len(fewer)} have fewer launches than XLA's, {len(equal)} as many"
    text += f" and {len(more)} more: " if more else " and none has more."
    text += ", ".join(f"{name} {ours:g} ({peers:g})" for name, ours, peers in more) + ("." if more else "")
    apart = [row for row in rows if sorts(row[0])]
    if apart:
        text += " With sorts, where XLA's are not those that it has on a GPU: "
        text += ", ".join(f"{name} {ours:g} ({peers:g})" for name, ours, peers in apart) + "."
    return text


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("filters", nargs="*", help="families, names or parts of names")
    parser.add_argument("--python", help="an interpreter that has JAX for CUDA")
    parser.add_argument("--into", type=pathlib.Path, help="page to put the summary into")
    settings = parser.parse_args()
    try:
        peer = Peer(settings.python or ahead_of_time_environment())
    except Unavailable as reason:
        print(reason)
        return 2
    rows: list[tuple[str, float, float]] = []
    sorting: set[str] = set()
    print(HEADING)
    for program in choose(settings.filters, gpu=True):
        try:
            found = compiled(program)
            theirs = peer.launches(program.name, turns_of(program))
        except Exception as error:  # noqa: BLE001  a program that fails is a result, the others still count
            print(f"| {program.name} | {type(error).__name__}: {str(error).splitlines()[0][:200]} | | |", flush=True)
            continue
        if "error" in theirs:
            print(f"| {program.name} | {launches(found):g} | {theirs['error']} | |", flush=True)
            continue
        if "stablehlo.sort" in program.export() or "chlo.top_k" in program.export():
            sorting.add(program.name)
        total = theirs["launches"] + theirs["calls"]
        rows.append((program.name, launches(found), total))
        print(f"| {program.name} | {launches(found):g} | {total:g} | {theirs['calls']:g} |", flush=True)
    peer.close()
    text = f"XLA is that of JAX {peer.version}. " + summary(rows, sorting.__contains__)
    if settings.into is not None:
        page = settings.into.read_text()
        before, rest = page.split(BEGIN, 1)
        _, after = rest.split(END, 1)
        settings.into.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}")
    print(f"\n{text}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
