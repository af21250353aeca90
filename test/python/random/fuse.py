# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles random programs that are hard to fuse: `fuse.py --programs 10000 --seed 1`. What fusion has accepted must
become machine code. Program i is that of the seed `--seed` + i; every one that fails, also by a crash of the compiler,
is printed with its seed. `--check` runs them, too, and compares their results with the interpreter's."""

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(FOLDER), str(FOLDER / "vectors")]

import fused_programs  # noqa: E402
import typed_programs  # noqa: E402
from typed_checks import difference, evaluated  # noqa: E402
from typed_values import Program  # noqa: E402

import mlir_xla  # noqa: E402


def program(seed: int) -> Program:
    """Every fourth is one of those that test everything else."""
    return (typed_programs if seed % 4 == 0 else fused_programs).program(seed)


def verdict(p: Program, cpu: str, check: bool) -> str | None:
    """What is wrong with a program, or None."""
    try:
        if not check:
            mlir_xla.compile(p.text(), cpu=cpu)
            return None
        have = evaluated(p, "cpu", cpu=cpu)
    except Exception as error:  # whatever is raised is the finding
        return f"error: {error}"
    return next(filter(None, map(difference, have, evaluated(p, "reference"), p.results)), None)


def tried(seeds: range, verdict_of: Callable[[int], str | None]) -> Iterator[tuple[int, str]]:
    """The seeds that fail, tried in a process of its own, and another one after each crash."""
    while seeds:
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            with open(writing, "w", buffering=1) as pipe:
                for seed in seeds:
                    print(seed, repr(verdict_of(seed) or ""), file=pipe)
            os._exit(0)
        os.close(writing)
        done = 0
        with open(reading) as pipe:
            for line in pipe:
                seed, found = line.rstrip("\n").split(" ", 1)
                done += 1
                if found != "''":
                    yield int(seed), found
        status = os.waitpid(child, 0)[1]
        if done < len(seeds):
            yield seeds[done], f"crash, status {status}"
            done += 1
        seeds = seeds[done:]


def report(seeds: range, verdict_of: Callable[[int], str | None]) -> int:
    """Prints the seeds that fail. How many these are."""
    failures = 0
    for seed, found in tried(seeds, verdict_of):
        failures += 1
        print(f"seed {seed}: {found}", flush=True)
    print(f"{failures} of {len(seeds)} programs fail")
    return failures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cpu", default="", help="the processor to generate code for, as LLVM names it")
    parser.add_argument("--check", action="store_true", help="compare results, too")
    options = parser.parse_args()
    seeds = range(options.seed, options.seed + options.programs)
    return report(seeds, lambda seed: verdict(program(seed), options.cpu, options.check)) > 0


if __name__ == "__main__":
    sys.exit(main())
