# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tries random programs: `fuzz.py FIRST LAST [--cpu NAME]` runs the seeds from FIRST to before LAST, and prints every
one that fails, with a smaller program that fails as well. A crash of the compiler is a failure like any other."""

import argparse
import os
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(FOLDER), str(FOLDER / "vectors")]

from typed_checks import difference, evaluated, shrunk  # noqa: E402
from typed_programs import Program, program  # noqa: E402


def verdict(p: Program, cpu: str) -> str | None:
    want = evaluated(p, "reference")
    try:
        have = evaluated(p, "cpu", cpu=cpu)
    except Exception as error:  # whatever is raised is the finding
        return f"error: {error}"
    return next(filter(None, map(difference, have, want, p.results)), None)


def isolated(p: Program, cpu: str) -> str | None:
    """The verdict of a process of its own."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        os.write(writing, (verdict(p, cpu) or "").encode()[:4000])
        os._exit(0)
    os.close(writing)
    with open(reading, "rb") as pipe:
        text = pipe.read().decode()
    status = os.waitpid(child, 0)[1]
    return f"crash, status {status}" if status else text or None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    parser.add_argument("--cpu", default="", help="the processor to generate code for, as LLVM names it")
    parser.add_argument("--no-shrink", action="store_true", help="only say which seeds fail")
    options = parser.parse_args()
    failures = 0
    for seed in range(options.first, options.last):
        p = program(seed)
        found = isolated(p, options.cpu)
        if not found:
            continue
        failures += 1
        print(f"seed {seed}: {found}", flush=True)
        if not options.no_shrink:
            print(shrunk(p, lambda q: isolated(q, options.cpu) is not None).text(), flush=True)
    print(f"{failures} of {options.last - options.first} programs fail")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
