# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What this machine can do at most, measured: multiply-adds per second by element type, and how long it takes to read
and write as many bytes as a program does (`work.py`), in the rounds in which the program is timed; and how long a word
takes from one core to another, which on virtual machines may change from minute to minute.

    python benchmarks/limits.py        prints them

`limits.c`, compiled by whatever C compiler is there for the processor at hand, has the inner loops.
"""

from __future__ import annotations

import ctypes
import math
import os
import pathlib
import platform
import shutil
import statistics
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Sequence

import isa
import numpy as np
from measure import Sampler, aligned, interleave
from work import Work

SOURCE = pathlib.Path(__file__).with_name("limits.c")
# Clang first: streaming stores are written for it. Then what builds this project, then any.
COMPILERS = ("clang", "clang-22", "cc", "gcc")
# Element types with a peak of their own where the processor has instructions for them, and whose peak holds elsewhere,
# or where those instructions are slower.
TYPES = {"f32": None, "f64": None, "bf16": "f32", "i8": "f32"}
# What is done with memory: how many arrays that reads and writes, of equal size. A program is measured by the one whose
# part of writing is nearest to its own.
MIXES = {"read": (1, 0), "triad": (2, 1), "copy": (1, 1), "fill": (0, 1)}
# A program that writes less of its bytes than this only reads.
ONLY_READ = 0.1
# Bandwidths of fewer bytes than this are those of so many: otherwise the loops' ends would count.
LEAST = 1 << 14


class Unmeasured(Exception):
    """Why nothing can be measured."""


def _mix(work: Work) -> str:
    """What the program does with memory, one of MIXES."""
    part = work.written / work.bytes if work.bytes else 0.0
    if part < ONLY_READ:
        return "read"
    writing = {mix: writes / (reads + writes) for mix, (reads, writes) in MIXES.items() if writes}
    return min(writing, key=lambda mix: abs(writing[mix] - part))


def _library(folder: str) -> ctypes.CDLL:
    path = os.path.join(folder, "limits.so")
    flags = ["-O2", "-ffp-contract=fast", "-shared", "-fPIC"]
    if processor := isa.chosen():
        flags.extend(processor.flags)
    elif platform.machine() in ("x86_64", "AMD64"):
        flags.extend(["-march=native", "-mprefer-vector-width=512"])
    else:
        flags.append("-march=native")
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


class Limits:
    """The machine's, with a thread on each core that this process may use. Peaks are in operations per second.

    Raises Unmeasured where there is no C compiler.
    """

    def __init__(self, rounds: int = 10, seconds: float = 0.004) -> None:
        self.threads = len(os.sched_getaffinity(0))
        with tempfile.TemporaryDirectory() as folder:
            self._library = _library(folder)
        self._vector = ctypes.c_int64.in_dll(self._library, "vector_size").value
        self.peaks: dict[str, float] = {}
        for name, stands_in in TYPES.items():
            peaks = [self.peaks[stands_in]] if stands_in else []
            if hasattr(self._library, f"fma_{name}"):
                loop = self._loop(name)
                operations = ctypes.c_int64.in_dll(self._library, f"ops_{loop}").value
                function = getattr(self._library, f"fma_{loop}")
                peaks.append(_peak(function, operations, self.threads, rounds, seconds))
            self.peaks[name] = max(peaks)

    def _loop(self, name: str) -> str:
        """The loop that measures this type: the one on tile registers where the processor has them."""
        tiles = f"{name}_tiles"
        return tiles if hasattr(self._library, f"fma_{tiles}") and self._library.allow_tiles() else name

    def arithmetic(self, work: Work) -> float:
        """The least seconds for the work's operations."""
        return sum(count / self.peaks[each] for each, count in work.flops.items())

    def memory(self, work: Work) -> Sampler:
        """Measures the seconds in which so many bytes are read and written, as large a part of them written."""
        mix = _mix(work)
        stores = ("plain", "streamed") if MIXES[mix][1] else ("plain",)
        samplers = [self._passes(f"{mix}_{each}", max(work.bytes, LEAST), sum(MIXES[mix])) for each in stores]
        part = min(1.0, work.bytes / LEAST)
        return lambda repeats: part * min(sampler(repeats) for sampler in samplers)

    def _passes(self, name: str, size: float, arrays: int) -> Sampler:
        """Samples how long a function of limits.c takes for arrays of so many bytes in all."""
        function = getattr(self._library, name)
        unit = arrays * self.threads * self._vector
        count = max(8, int(size) // unit // 8 * 8)
        chosen = [
            [aligned(np.ones(count * self._vector, np.uint8)) for _ in range(arrays)] for _ in range(self.threads)
        ]

        def task(mine: list[np.ndarray], repeats: int) -> Callable[[], object]:
            pointers = [ctypes.c_void_p(each.ctypes.data) for each in mine]
            return lambda: function(*pointers, ctypes.c_int64(count), ctypes.c_int64(repeats))

        def sample(repeats: int) -> float:
            # The first pass brings the arrays back into the caches.
            _together([task(mine, 1) for mine in chosen], 1)
            wall, _ = _together([task(mine, repeats) for mine in chosen], 1)
            return wall / repeats * (size / (count * unit))

        return sample

    def handover(self, rounds: int = 10000) -> float | None:
        """Seconds in which a word goes from one core to another; None with one core."""
        if self.threads < 2:
            return None
        word = (ctypes.c_int64 * 16)()

        def task(parity: int) -> Callable[[], object]:
            return lambda: self._library.alternate(word, ctypes.c_int64(parity), ctypes.c_int64(rounds))

        def once() -> float:
            word[0] = 0
            return _together([task(0), task(1)], 1)[0]

        return min(once() for _ in range(3)) / (2 * rounds)

    def __str__(self) -> str:
        """One line."""
        peaks = ", ".join(f"{name} {each / 1e9:.0f}" for name, each in self.peaks.items())
        return f"limits with {self.threads} threads: {peaks} GF/s"


if __name__ == "__main__":
    found = Limits()
    print(found)
    if seconds := found.handover():
        print(f"from core to core: {seconds * 1e9:.0f} ns")
    for size in (1 << power for power in range(14, 29, 2)):
        rates = []
        for mix, (reads, writes) in MIXES.items():
            sampler = found.memory(Work({}, size, size * writes / (reads + writes)))
            once = interleave([sampler], 9, 0.02, 1.0)[0]
            rates.append(f"{mix} {size / statistics.median(once) / 1e9:6.1f}")
        print(f"{size >> 10:9} KiB, GB/s: {', '.join(rates)}")
