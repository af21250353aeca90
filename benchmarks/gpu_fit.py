# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits what no data sheet has of a GPU (`gpu_peaks.py`) to measurements of half of the programs, and says how far the
estimates are from the others.

    python benchmarks/gpu_fit.py [benchmarks/results/gpu/NAME.json]

One parameter after the other is changed by a fifth, a tenth and so on, as long as the mean error, of the logarithms of
the ratios, becomes less. Programs whose kernels have changed since they were measured are left out; they were what told
`start`, so until they are measured again only the other parameters are of use. It prints what came of it;
`gpu_peaks.py` has it rounded.
"""

from __future__ import annotations

import argparse
import dataclasses
import math
import pathlib
import statistics
import sys
from collections.abc import Callable

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import ptxas
from gpu_accuracy import are_measured, halves, measured, summary
from gpu_model import program_time
from gpu_peaks import GPUS, Gpu
from gpu_program import compiled
from programs import PROGRAMS
from work import arrays_of

PARAMETERS = ("reachable", "l2_reachable", "node", "start", "latency", "phase", "turn_wait")


def fit(gpu: Gpu, error: Callable[[Gpu], float]) -> Gpu:
    """A GPU with other parameters, of less error."""
    least, step = error(gpu), 0.2
    while step > 0.01:
        before = least
        for name in PARAMETERS:
            for factor in (1 + step, 1 / (1 + step)):
                value = getattr(gpu, name) * factor
                changed = dataclasses.replace(gpu, **{name: min(1.0, value) if name in PARAMETERS[:2] else value})
                if (found := error(changed)) < least:
                    gpu, least = changed, found
        if least == before:
            step /= 2
    return gpu


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="?", type=pathlib.Path, help="of an H100; the newest, if not given")
    times = measured(parser.parse_args().results)
    known = {}
    for name in sum(halves(times), []):
        program = compiled(PROGRAMS[name])
        if not are_measured(program.plans):
            continue
        image = program.ptx("sm_90a")
        known[name] = program, ptxas.assemble(image, "sm_90a") if image else {}, arrays_of(PROGRAMS[name])

    def ratios(gpu: Gpu, names: list[str]) -> list[float]:
        estimates = (
            max(program_time(known[name][0], known[name][1], gpu)[0], gpu.caller(known[name][2])) for name in names
        )
        return [times[name] / estimate for name, estimate in zip(names, estimates, strict=True)]

    fitted, others = ([name for name in half if name in known] for half in halves(times))
    gpu = fit(GPUS["H100"], lambda gpu: statistics.fmean(abs(math.log(each)) for each in ratios(gpu, fitted)))
    for name in PARAMETERS:
        print(f"{name}: {getattr(gpu, name):.3g} (now {getattr(GPUS['H100'], name):.3g})")
    print("those it is fitted to:", summary(ratios(gpu, fitted)))
    print("the others:           ", summary(ratios(gpu, others)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
