# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the benchmark's programs on two builds of this project, in one sitting, in alternation.

    python benchmarks/builds.py OTHER/build build              all programs
    python benchmarks/builds.py OTHER/build build matmul rnn   names or families; words match parts of names

Each build runs in a process of its own, which holds every program compiled before the next one begins. Per program: the
ratio of the second build's time to the first's (below 1: the second is faster), of calls and of compilations, each of
the least of all rounds; and whether both give the same bits.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import os
import pathlib
import pickle
import subprocess
import sys
import time


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", type=pathlib.Path, help="folder of a build")
    parser.add_argument("second", type=pathlib.Path, help="folder of another")
    parser.add_argument("filters", nargs="*", help="families, names or parts of names")
    parser.add_argument("--rounds", type=int, default=3, help="turns of each build per program")
    parser.add_argument("--sample-ms", type=float, default=20.0, help="length of a turn's calls")
    parser.add_argument("--compiles", type=int, default=3, help="compilations per turn")
    return parser.parse_args()


def serve() -> None:
    """The process of one build: reads (text, arguments, compiles, seconds), answers with what it measured."""
    import isa
    import numpy as np
    from measure import aligned

    import mlir_xla

    while True:
        try:
            text, arguments, compiles, seconds = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        arguments = [aligned(each) for each in arguments]
        compiling = []
        for _ in range(compiles):
            start = time.perf_counter()
            executable = mlir_xla.compile(text, **isa.options())
            compiling.append(time.perf_counter() - start)
        results = executable(*arguments)
        digest = hashlib.sha256()
        for each in results if isinstance(results, (list, tuple)) else [results]:
            digest.update(np.asarray(each).tobytes())
        calling, end = [], time.perf_counter() + seconds
        while time.perf_counter() < end:
            start = time.perf_counter()
            executable(*arguments)
            calling.append(time.perf_counter() - start)
        pickle.dump((min(compiling), min(calling), digest.hexdigest()), sys.stdout.buffer)
        sys.stdout.buffer.flush()


class Build:
    """A build in a process of its own."""

    def __init__(self, folder: pathlib.Path) -> None:
        # Where a build was copied from comes behind its own libraries then.
        libraries = str(folder.resolve() / "lib")
        environment = {**os.environ, "PYTHONPATH": str(folder.resolve() / "python"), "LD_LIBRARY_PATH": libraries}
        command = [sys.executable, __file__, "--serve"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
        self.compile = self.call = math.inf
        self.digest = ""

    def begin(self) -> None:
        """Forgets the program before."""
        self.compile = self.call = math.inf

    def turn(self, request: bytes) -> None:
        """One turn; keeps the least times."""
        self._process.stdin.write(request)
        self._process.stdin.flush()
        compiling, calling, self.digest = pickle.load(self._process.stdout)
        self.compile, self.call = min(self.compile, compiling), min(self.call, calling)

    def end(self) -> None:
        """Ends the process."""
        self._process.stdin.close()
        self._process.wait()


def mean(ratios: list[float]) -> float:
    """Geometric."""
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def main() -> None:
    settings = options()
    from programs import choose

    builds = [Build(settings.first), Build(settings.second)]
    calls, compilations, different = {}, {}, []
    print(f"{'program':28} {'first':>10} {'second':>10} {'run':>6} {'compile':>8}")
    for program in choose(settings.filters):
        request = pickle.dumps((program.export(), program.arguments(), settings.compiles, settings.sample_ms / 1e3))
        for build in builds:
            build.begin()
        for turn in range(settings.rounds):
            for build in builds if turn % 2 == 0 else reversed(builds):
                build.turn(request)
        first, second = builds
        calls[program.name] = second.call / first.call
        compilations[program.name] = second.compile / first.compile
        same = first.digest == second.digest
        different += [] if same else [program.name]
        print(
            f"{program.name:28} {first.call * 1e6:8.1f}us {second.call * 1e6:8.1f}us {calls[program.name]:6.2f} "
            f"{compilations[program.name]:8.2f}{'' if same else '  other bits'}",
            flush=True,
        )
    for build in builds:
        build.end()
    for title, ratios in (("run", calls), ("compile", compilations)):
        worst = sorted(ratios, key=ratios.get)[-5:]
        print(f"{title}: geometric mean {mean(list(ratios.values())):.3f}, worst", end=" ")
        print(", ".join(f"{name} {ratios[name]:.2f}" for name in reversed(worst)))
    print(f"other bits: {', '.join(different) or 'none'}")


if __name__ == "__main__":
    serve() if sys.argv[1:] == ["--serve"] else main()
