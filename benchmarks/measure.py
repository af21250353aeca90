# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Timing and comparing: aligned inputs, interleaved sampling, medians with their spread, agreement of results."""

from __future__ import annotations

import dataclasses
import gc
import math
import os
import pathlib
import platform
import time
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from isa import CLOCK


def aligned(array: np.ndarray, boundary: int = 64) -> np.ndarray:
    """A C-contiguous copy whose data starts at a multiple of `boundary` bytes, so that nobody has to copy it again."""
    raw = np.empty(array.nbytes + boundary, np.uint8)
    offset = -raw.ctypes.data % boundary
    copy = raw[offset : offset + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


@dataclasses.dataclass(frozen=True)
class Timing:
    """Seconds per call: the median of all samples, their quartiles, and the least."""

    best: float
    median: float
    low: float
    high: float
    samples: int

    @staticmethod
    def of(samples: Sequence[float]) -> Timing:
        """Summarises samples in seconds."""
        low, median, high = np.quantile(samples, [0.25, 0.5, 0.75])
        return Timing(float(min(samples)), float(median), float(low), float(high), len(samples))


def settle(limit: float = 0.3) -> bool:
    """Waits until no thread of this process works any more; whether that came within `limit` seconds.

    Threads of a pool may go on looking for work for a while, on the very cores that the next system needs.
    """
    end = time.perf_counter() + limit
    while time.perf_counter() < end:
        before = time.process_time()
        time.sleep(5e-4)
        if time.process_time() - before < 2e-4:
            return True
    return False


def sample(call: Callable[[], object], repeats: int) -> float:
    """Seconds per call: the mean of so many, after one that does not count.

    That one brings back the caches and wakes the threads that the others have had since. The collector is off.
    Processor time (`CLOCK`) is that of all threads: other work on the machine disturbs it least.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    clock = time.process_time if os.environ.get(CLOCK) == "processor" else time.perf_counter
    try:
        call()
        start = clock()
        for _ in range(repeats):
            call()
        return (clock() - start) / repeats
    finally:
        if was_enabled:
            gc.enable()
        settle()


# Seconds per call, of so many calls.
Sampler = Callable[[int], float]


def calibrate(sampler: Sampler, seconds: float) -> int:
    """How many calls take about `seconds`."""
    once = min(sampler(1) for _ in range(3))
    if once < 1e-4:
        # One call's time is mostly the clock's, and of a thread that has just been woken.
        once = sampler(20)
    return max(1, min(100_000, int(seconds / max(once, 1e-7))))


def interleave(samplers: Sequence[Sampler], rounds: int, seconds: float, limit: float) -> list[list[float]]:
    """Samples all in turn, `rounds` times or until `limit` seconds are used, each time beginning with the next.

    Each sample is the mean of as many calls as fill `seconds`.
    """
    count = len(samplers)
    repeats = [calibrate(sampler, seconds) for sampler in samplers]
    samples: list[list[float]] = [[] for _ in samplers]
    start = time.perf_counter()
    for turn in range(rounds):
        for step in range(count):
            which = (turn + step) % count
            samples[which].append(samplers[which](repeats[which]))
        if turn >= 2 and time.perf_counter() - start > limit:
            break
    return samples


def paired_ratio(ours: Sequence[float], peer: Sequence[float]) -> float:
    """The median over rounds of peer / ours: both halves of a round saw the same state of the machine."""
    return float(np.median(np.asarray(peer) / np.asarray(ours)))


def pretty(seconds: float) -> str:
    """A time with three digits and its unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def size(count: int | None) -> str:
    """Bytes with their unit."""
    if count is None:
        return "-"
    for unit in ("B", "KiB", "MiB"):
        if count < 1024:
            return f"{count:.3g} {unit}"
        count /= 1024
    return f"{count:.3g} GiB"


def geometric_mean(values: Iterable[float]) -> float:
    """The geometric mean; nan for no values."""
    logs = [math.log(value) for value in values if value > 0]
    return math.exp(sum(logs) / len(logs)) if logs else math.nan


def disagreement(
    ours: Sequence[np.ndarray], peer: Sequence[np.ndarray], rtol: float, atol: float, mismatch: float = 0.0
) -> tuple[float, str]:
    """The largest absolute difference, and what is wrong ("" if the results agree)."""
    if len(ours) != len(peer):
        return math.inf, f"{len(ours)} results, expected {len(peer)}"
    worst = 0.0
    for index, (a, b) in enumerate(zip(ours, peer, strict=True)):
        if a.shape != b.shape or a.dtype != b.dtype:
            return math.inf, f"result {index} is {a.dtype}{list(a.shape)}, expected {b.dtype}{list(b.shape)}"
        wide = np.complex128 if a.dtype.kind == "c" else np.float64
        x, y = a.astype(wide), b.astype(wide)
        with np.errstate(invalid="ignore"):
            near = np.isclose(x, y, rtol, atol, equal_nan=True)
            difference = np.abs(x - y)
        finite = difference[np.isfinite(difference)]
        worst = max(worst, float(finite.max()) if finite.size else 0.0)
        share = 1.0 - float(near.mean()) if near.size else 0.0
        if share > mismatch:
            where = tuple(int(i) for i in np.argwhere(~near)[0])
            return (
                worst,
                f"result {index}: {share:.2%} of elements differ, first at {list(where)}: {x[where]} != {y[where]}",
            )
    return worst, ""


def machine() -> dict[str, object]:
    """What a reader needs to place the figures: processor, cores in use, load at this moment."""
    model = platform.processor()
    cpuinfo = pathlib.Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    return {
        "processor": model,
        "cores": len(os.sched_getaffinity(0)),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "load_average": list(os.getloadavg()),
    }
