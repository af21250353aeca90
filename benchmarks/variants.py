# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What cores and wide vectors are worth: every program on all cores, on one, and with vectors of 256 bits.

    python benchmarks/variants.py [NAME ...]

Prints the time per call, the ratio of one thread to all (above 1: more cores help), the ratio of AVX2 to what the
processor has, and whether the results agree. At the end come the programs of more than 100 us that more threads do not
make faster, and those that AVX2 slows more than 2.2 times: with half the lanes, twice the time is to be expected.
"""

from __future__ import annotations

import argparse
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from measure import aligned, disagreement, geometric_mean, interleave, paired_ratio, pretty, sample
from programs import Program, choose

import mlir_xla

VARIANTS = {"all": {}, "one": {"threads": 1}, "avx2": {"features": "-avx512f"}}
LONG = 100e-6


def measured(program: Program, settings: argparse.Namespace) -> dict[str, float | str]:
    """Seconds per call, ratios, and what differs."""
    text, arguments = program.export(), [aligned(each) for each in program.arguments()]
    executables = [mlir_xla.compile(text, **options) for options in VARIANTS.values()]
    results = []
    for executable in executables:
        found = executable(*arguments)
        results.append([np.asarray(each) for each in (found if isinstance(found, tuple) else (found,))])
    problems = [disagreement(results[0], each, program.rtol, program.atol, program.mismatch)[1] for each in results[1:]]

    def sampler(executable):
        return lambda repeats: sample(lambda: executable(*arguments), repeats)

    samples = interleave(list(map(sampler, executables)), settings.rounds, 10e-3, settings.limit)
    return {
        "seconds": float(np.median(samples[0])),
        "threads": paired_ratio(samples[0], samples[1]),
        "avx2": paired_ratio(samples[0], samples[2]),
        "problem": "; ".join(each for each in problems if each),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("filters", nargs="*", help="families, names or parts of names")
    parser.add_argument("--rounds", type=int, default=7, help="samples of each")
    parser.add_argument("--limit", type=float, default=2.0, help="seconds after which a program's rounds end early")
    settings = parser.parse_args()
    print(f"{'program':28} {'all cores':>9} {'one/all':>8} {'avx2/all':>8}")
    found = {}
    for program in choose(settings.filters):
        found[program.name] = each = measured(program, settings)
        wrong = f"  WRONG {each['problem']}" if each["problem"] else ""
        print(
            f"{program.name:28} {pretty(each['seconds']):>9} {each['threads']:7.2f}x {each['avx2']:7.2f}x{wrong}",
            flush=True,
        )
    long = {name: each for name, each in found.items() if each["seconds"] > LONG}
    for title, key in (("one thread / all", "threads"), ("AVX2 / all", "avx2")):
        print(
            f"{title}, geometric mean of those above 100 us: {geometric_mean(each[key] for each in long.values()):.2f}"
        )
    slow = sorted((each["threads"], name) for name, each in long.items() if each["threads"] < 1.1)
    print("more threads do not help:", ", ".join(f"{name} {ratio:.2f}" for ratio, name in slow) or "none")
    narrow = sorted((-each["avx2"], name) for name, each in found.items() if each["avx2"] > 2.2)
    print("AVX2 takes more than 2.2 times:", ", ".join(f"{name} {-ratio:.2f}" for ratio, name in narrow) or "none")
    return 1 if any(each["problem"] for each in found.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
