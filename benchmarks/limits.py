# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What this machine can do at most, measured: multiply-adds per second by element type, bytes per second by how many
there are. And what share of that a time is, for the work of a program (`work.py`).

    python benchmarks/limits.py        prints them

`limits.c`, compiled by whatever C compiler is there for the processor at hand, has the inner loops.
"""

from __future__ import annotations

import bisect
import ctypes
import dataclasses
import json
import math
import os
import pathlib
import platform
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Sequence

import numpy as np
from measure import aligned
from work import Work

SOURCE = pathlib.Path(__file__).with_name("limits.c")
# Clang first: streaming stores are written for it. Then what builds this project, then any.
COMPILERS = ("clang", "clang-22", "cc", "gcc")
# Element types with a peak of their own where the processor has instructions for them, and whose peak holds elsewhere.
TYPES = {"f32": None, "f64": None, "bf16": "f32", "i8": "f32"}
# From the first cache to beyond the last: closer together where programs change over from the last cache to memory.
SIZES = [1 << power for power in range(14, 23, 2)] + [mib << 20 for mib in (8, 12, 16, 24, 32, 48, 64, 96, 256)]
# What is done with memory: how many arrays that reads and writes, of equal size. A program is measured by the one whose
# part of writing is nearest to its own.
MIXES = {"read": (1, 0), "triad": (2, 1), "copy": (1, 1), "fill": (0, 1)}
# A program that writes less of its bytes than this only reads.
ONLY_READ = 0.1


class Unmeasured(Exception):
    """Why nothing can be measured."""


@dataclasses.dataclass
class Limits:
    """Operations per second by element type; bytes per second by what is done with them (MIXES) and how many."""

    threads: int
    peaks: dict[str, float]
    bandwidths: dict[str, dict[int, float]]

    def seconds(self, work: Work) -> tuple[float, str]:
        """The least time for that work, and what takes it: "flops" or "bytes"."""
        flops = sum(count / self.peaks[each] for each, count in work.flops.items())
        moved = work.bytes / _between(self.bandwidths[_mix(work)], work.bytes)
        return max((flops, "flops"), (moved, "bytes"))

    def better(self, other: Limits) -> Limits:
        """The larger of both in each entry: what disturbs a measurement makes it smaller."""
        bandwidths = {mix: _larger(table, other.bandwidths[mix]) for mix, table in self.bandwidths.items()}
        return Limits(self.threads, _larger(self.peaks, other.peaks), bandwidths)


def _larger(mine: dict, its: dict) -> dict:
    return {key: max(each, its[key]) for key, each in mine.items()}


def _mix(work: Work) -> str:
    """What the program does with memory, one of MIXES."""
    part = work.written / work.bytes if work.bytes else 0.0
    if part < ONLY_READ:
        return "read"
    writing = {mix: writes / (reads + writes) for mix, (reads, writes) in MIXES.items() if writes}
    return min(writing, key=lambda mix: abs(writing[mix] - part))


def _between(table: dict[int, float], size: float) -> float:
    """The value at a size between measured ones, on logarithmic scales; the outermost ones hold beyond them."""
    sizes = sorted(table)
    place = bisect.bisect_left(sizes, size)
    if place == 0 or place == len(sizes):
        return table[sizes[min(place, len(sizes) - 1)]]
    below, above = sizes[place - 1], sizes[place]
    part = math.log(size / below) / math.log(above / below)
    return table[below] ** (1 - part) * table[above] ** part


def _library(folder: str) -> ctypes.CDLL:
    path = os.path.join(folder, "limits.so")
    flags = ["-O2", "-march=native", "-ffp-contract=fast", "-shared", "-fPIC"]
    if platform.machine() in ("x86_64", "AMD64"):
        flags.append("-mprefer-vector-width=512")
    problem = "there is no C compiler"
    for compiler in filter(shutil.which, COMPILERS):
        command = [compiler, *flags, str(SOURCE), "-o", path]
        found = subprocess.run(command, capture_output=True, text=True)
        if found.returncode == 0:
            return ctypes.CDLL(path)
        problem = f"{compiler} cannot compile {SOURCE.name}: {found.stderr.strip()[:300]}"
    raise Unmeasured(problem)


def _together(tasks: Sequence[Callable[[], object]], rounds: int) -> tuple[float, float]:
    """Runs each task on a thread, all at once, several times.

    Returns the least seconds from the first start to the last end, and the least processor time that one task took.
    """
    wall = processor = math.inf
    gate = threading.Barrier(len(tasks))
    times: list[tuple[float, float, float]] = [(0.0, 0.0, 0.0)] * len(tasks)

    def run(index: int) -> None:
        gate.wait()
        start, used = time.perf_counter(), time.thread_time()
        tasks[index]()
        times[index] = start, time.perf_counter(), time.thread_time() - used

    for _ in range(rounds):
        threads = [threading.Thread(target=run, args=(index,)) for index in range(len(tasks))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        starts, ends, used = zip(*times, strict=True)
        wall, processor = min(wall, max(ends) - min(starts)), min(processor, *used)
    return wall, processor


def _peak(function, operations: int, threads: int, rounds: int, seconds: float) -> float:
    """By processor time: work on registers is slowed by nobody but those who take the processor away."""

    def task(count: int) -> Callable[[], object]:
        return lambda: function(ctypes.c_int64(count))

    count = 10000
    count = max(count, int(count * seconds / _together([task(count)], 3)[1]))
    return operations * count * threads / _together([task(count)] * threads, rounds)[1]


def _bandwidths(library: ctypes.CDLL, threads: int, rounds: int, seconds: float) -> dict[str, dict[int, float]]:
    vector = ctypes.c_int64.in_dll(library, "vector_size").value

    def rate(name: str, size: int, arrays: int) -> float:
        function = getattr(library, name)
        count = max(8, size // arrays // threads // vector // 8 * 8)
        chosen = [[aligned(np.ones(count * vector, np.uint8)) for _ in range(arrays)] for _ in range(threads)]

        def tasks(repeats: int) -> list[Callable[[], object]]:
            def task(mine: list[np.ndarray]) -> Callable[[], object]:
                pointers = [ctypes.c_void_p(each.ctypes.data) for each in mine]
                return lambda: function(*pointers, ctypes.c_int64(count), ctypes.c_int64(repeats))

            return [task(mine) for mine in chosen]

        repeats = max(1, int(seconds / _together(tasks(1), 3)[0]))
        return count * vector * arrays * threads * repeats / _together(tasks(repeats), rounds)[0]

    found: dict[str, dict[int, float]] = {}
    for mix, (reads, writes) in MIXES.items():
        functions = [f"{mix}_plain", f"{mix}_streamed"] if writes else [f"{mix}_plain"]
        found[mix] = {size: max(rate(name, size, reads + writes) for name in functions) for size in SIZES}
    return found


def measure(rounds: int = 10, seconds: float = 0.004) -> Limits:
    """Measures all, with a thread on each core that this process may use; some seconds.

    Raises Unmeasured where there is no C compiler.
    """
    threads = len(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as folder:
        library = _library(folder)
        peaks = {}
        for name, stands_in in TYPES.items():
            if hasattr(library, f"fma_{name}"):
                operations = ctypes.c_int64.in_dll(library, f"ops_{name}").value
                peaks[name] = _peak(getattr(library, f"fma_{name}"), operations, threads, rounds, seconds)
            else:
                peaks[name] = peaks[stands_in]
        bandwidths = _bandwidths(library, threads, rounds, seconds)
    return Limits(threads, peaks, bandwidths)


def describe(limits: Limits) -> str:
    """One line: peaks, and bandwidths beyond the caches."""
    peaks = ", ".join(f"{name} {each / 1e9:.0f}" for name, each in limits.peaks.items())
    rates = ", ".join(f"{mix} {table[max(table)] / 1e9:.1f}" for mix, table in limits.bandwidths.items())
    return f"limits with {limits.threads} threads: {peaks} GF/s; memory {rates} GB/s"


if __name__ == "__main__":
    found = measure()
    print(describe(found))
    print(json.dumps(dataclasses.asdict(found), indent=1))
