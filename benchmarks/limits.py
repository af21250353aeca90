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
# From the first cache to beyond the last.
SIZES = [1 << power for power in range(14, 29, 2)]


class Unmeasured(Exception):
    """Why nothing can be measured."""


@dataclasses.dataclass
class Limits:
    """Operations per second by element type; bytes per second read, and read and written two to one, by the bytes."""

    threads: int
    peaks: dict[str, float]
    read: dict[int, float]
    triad: dict[int, float]

    def seconds(self, work: Work) -> tuple[float, str]:
        """The least time for that work, and what takes it: "flops" or "bytes"."""
        flops = sum(count / self.peaks[each] for each, count in work.flops.items())
        moved = work.bytes / _between(self.triad if work.written > work.bytes / 10 else self.read, work.bytes)
        return max((flops, "flops"), (moved, "bytes"))

    def better(self, other: Limits) -> Limits:
        """The larger of both in each entry: what disturbs a measurement makes it smaller."""
        mine, its = dataclasses.asdict(self), dataclasses.asdict(other)
        best = {
            name: {key: max(each, its[name][key]) for key, each in mine[name].items()}
            for name in ("peaks", "read", "triad")
        }
        return Limits(self.threads, **best)


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


def _bandwidths(library: ctypes.CDLL, threads: int, rounds: int, seconds: float) -> tuple[dict, dict]:
    vector = ctypes.c_int64.in_dll(library, "vector_size").value
    read: dict[int, float] = {}
    triad: dict[int, float] = {}

    def parts(size: int, arrays: int) -> tuple[list[list[np.ndarray]], int]:
        """For each thread its arrays, and how many vectors they have."""
        count = max(8, size // arrays // threads // vector // 8 * 8)
        return [[aligned(np.ones(count * vector, np.uint8)) for _ in range(arrays)] for _ in range(threads)], count

    def rate(function, size: int, arrays: int) -> float:
        chosen, count = parts(size, arrays)
        bytes_ = count * vector * arrays * threads

        def tasks(repeats: int) -> list[Callable[[], object]]:
            def task(mine: list[np.ndarray]) -> Callable[[], object]:
                pointers = [ctypes.c_void_p(each.ctypes.data) for each in mine]
                return lambda: function(*pointers, ctypes.c_int64(count), ctypes.c_int64(repeats))

            return [task(mine) for mine in chosen]

        repeats = max(1, int(seconds / _together(tasks(1), 3)[0]))
        return bytes_ * repeats / _together(tasks(repeats), rounds)[0]

    for size in SIZES:
        read[size] = rate(library.read_array, size, 1)
        triad[size] = max(rate(function, size, 3) for function in (library.triad_plain, library.triad_streamed))
    return read, triad


def measure(rounds: int = 10, seconds: float = 0.004) -> Limits:
    """Measures all, with a thread on each core that this process may use; a second or two.

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
        read, triad = _bandwidths(library, threads, rounds, seconds)
    return Limits(threads, peaks, read, triad)


def describe(limits: Limits) -> str:
    """One line: peaks, and bandwidths beyond the caches."""
    peaks = ", ".join(f"{name} {each / 1e9:.0f}" for name, each in limits.peaks.items())
    far = max(limits.read)
    rates = f"read {limits.read[far] / 1e9:.1f}, read and written {limits.triad[far] / 1e9:.1f} GB/s"
    return f"limits with {limits.threads} threads: {peaks} GF/s; memory {rates}"


if __name__ == "__main__":
    found = measure()
    print(describe(found))
    print(json.dumps(dataclasses.asdict(found), indent=1))
